"""Bent-axis piston machines: 4.V33."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.results.audit import energy_balance

FLUID = hy.Fluid(density=850.0, viscosity=0.03, bulk_modulus=1e9, air=0.0)
AXES, ALPHA, AREA = hy.BentAxis(0.05, 0.05, 0.1), np.radians(25.0), 3e-4


def slope(of, phi, h=1e-5):
    """Fourth-order difference."""
    return (8 * (of(phi + h) - of(phi - h)) - (of(phi + 2 * h) - of(phi - 2 * h))) / (12 * h)


def height(phi, axes=AXES, alpha=ALPHA):
    return axes.height(phi, phi, alpha)


def machine(pistons=9, rod=0.1, b=None, **driven):
    model = jd.Model("pump", gravity=(0, 0, 0))
    model.add_coordinate("shaft", 0.1, **driven)
    oil = model.group("oil")
    T, B = oil.add("T", hy.Tank(FLUID, 1e5)), oil.add("B", b or hy.PressureSource(FLUID, 1e7))
    sizes = {"area": AREA, "flange": 0.05, "rod": rod, "pistons": pistons}
    part = hy.PistonMachine(T, B, jd.Coordinate("shaft"), ALPHA, **sizes)
    return model, oil.add("pump", part)


def one_turn(pistons, rod):
    model, pump = machine(pistons, rod, driven=lambda t: 2 * np.pi * t)
    return jd.simulate(model, 1.0, sample=1.0 / 7200), pump


@pytest.mark.parametrize(
    ("pistons", "rod", "ripple"),
    [(9, 1e5, 0.015270), (7, 1e5, 0.02528), (8, 1e5, 0.07811), (9, 0.1, 0.01560)],
)
def test_displacement_and_ripple(pistons, rod, ripple):
    """Ideal ripple π/2n tan(π/4n), n odd, with long rods; 1.560 % with those of 0.1 m."""
    sol, pump = one_turn(pistons, rod)
    flow = sol.values("oil.pump.flow_b")
    mean = np.trapezoid(flow, sol.time)
    assert np.ptp(flow) / mean == pytest.approx(ripple, rel=1e-3)
    assert mean == pytest.approx(pistons * AREA * 42.2618e-3, rel=2e-6)
    assert mean == pytest.approx(pump.displacement(ALPHA), rel=1e-7)
    if rod > 1.0 and pistons % 2:
        exact = np.pi / (2 * pistons) * np.tan(np.pi / (4 * pistons))
        assert np.ptp(flow) / mean == pytest.approx(exact, rel=1e-4)
    drawn = np.trapezoid(sol.values("oil.pump.flow_a"), sol.time)
    assert drawn == pytest.approx(mean, rel=1e-7)


def test_torque_is_that_of_the_pistons():
    """The drive holds against p A Σ arms of the pistons at b, and those at a help."""
    sol, _ = one_turn(9, 0.1)
    torque = np.zeros(len(sol.time))
    for k in range(9):
        phi = 2 * np.pi * (sol.time + k / 9)
        lever = np.array([-slope(height, x) for x in phi[::50]])
        torque[::50] += AREA * np.where(np.sin(phi[::50]) > 0.0, 1e5, 1e7) * lever
    power = sol.values("oil.pump.power")[::50]
    np.testing.assert_allclose(power, 2 * np.pi * torque[::50], rtol=1e-6)


def test_it_is_a_motor_and_the_audit_closes():
    """High pressure at b turns the shaft back; in the mean as a motor of the same displacement."""
    model, pump = machine(b=hy.Volume(FLUID, 1e-3, start=1e7))
    sol = jd.simulate(model, 0.05, method=jd.Dop853(rtol=1e-11), sample=1e-5)
    assert sol.final["shaft.rate"] < -5.0
    balance = energy_balance(sol)
    assert balance.largest < 5e-9 * balance.exchanged  # kinks of the ports lie between samples
    left = 1e-3 * (1e7 - sol.values("oil.B.pressure")[-1]) / 1e9
    turns = -sol.values("shaft")[-1] / (2 * np.pi)
    assert left == pytest.approx(pump.displacement(ALPHA) * turns, rel=0.02)


def test_pistons_push_the_swivel():
    """A swivel that is a coordinate: its power and that of the shaft are those of the oil."""
    model = jd.Model("pump", gravity=(0, 0, 0))
    model.add_coordinate("shaft", 0.1, driven=lambda t: 100.0 * t)
    model.add_coordinate("swivel", 0.2)
    oil = model.group("oil")
    T, B = oil.add("T", hy.Tank(FLUID)), oil.add("B", hy.PressureSource(FLUID, 1e6))
    sizes = {"area": AREA, "flange": 0.05, "rod": 0.1}
    oil.add("pump", hy.PistonMachine(T, B, *map(jd.Coordinate, ("shaft", "swivel")), **sizes))
    method = jd.Dop853(rtol=1e-11)
    sol = jd.simulate(model, 0.02, start={"swivel": 0.3}, method=method, sample=1e-5)
    assert abs(sol.final["swivel.rate"]) > 1e-3
    passed_on = np.trapezoid(np.abs(sol.values("oil.pump.power")), sol.time)
    assert passed_on > 20.0
    assert energy_balance(sol).largest < 2e-7 * passed_on  # kinks of the ports lie between samples
