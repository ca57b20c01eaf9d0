"""Circuits as users build them, with default options, against hand calculations."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.results.audit import energy_balance

FLUID = hy.Fluid(density=860.0, viscosity=0.04)
CONTRACTION = 0.7  # of orifices, by default


def circuit(name, mass=None):
    """Model, its oil, and the measure of a piston."""
    model = jd.Model(name, gravity=(0, 0, 0))
    x = None if mass is None else jd.Coordinate(model.add_coordinate("x", mass, unit="m"))
    return model, model.group("oil"), x


def simulated(model, t):
    """A run whose audit closes with its default samples, sampled drives included."""
    sol = jd.simulate(model, t)
    balance = energy_balance(sol)
    assert balance.largest < 1e-6 * balance.exchanged
    assert balance.work_error < 1e-9 * balance.exchanged
    return sol


def end(sol, *names):
    """Last values."""
    return [float(sol.values(name)[-1]) for name in names]


def test_pump_relief_valve_cylinder():
    """The pump sets the speed, orifices the pressures; when the valve closes, the relief opens."""
    model, oil, x = circuit("lift", 50.0)
    shaft = jd.Coordinate(model.add_coordinate("motor", 0.5, driven=lambda t: 150.0 * t))
    T = oil.add("T", hy.Tank(FLUID))
    P, A, B = (oil.add(n, hy.Volume(FLUID, 5e-4)) for n in "PAB")
    oil.add("pump", hy.Pump(T, P, shaft, 1.6e-5))
    oil.add("relief", hy.ReliefValve(P, T, cracking=100e5, slope=1e-9))
    command = lambda t: jd.where(t < 1.0, 1.0, 0.0)  # noqa: E731
    oil.add("valve", hy.DirectionalValve(P, A, B, T, 2e-5, command))
    oil.add("cylinder", hy.Cylinder(A, B, x, (1.2e-3, 0.8e-3), (0.0, 0.5)))
    model.add_connection("load", x, jd.Damper(2e4))
    sol = simulated(model, 1.5)
    Q = 1.6e-5 * 150.0 / (2.0 * np.pi)
    v = Q / 1.2e-3
    back = 0.5 * FLUID.density * (0.8e-3 * v / (CONTRACTION * 2e-5)) ** 2
    front = (2e4 * v + 0.8e-3 * back) / 1.2e-3
    supply = front + 0.5 * FLUID.density * (Q / (CONTRACTION * 2e-5)) ** 2
    k = np.searchsorted(sol.time, 0.8)
    names = ("x.rate", "oil.B.pressure", "oil.A.pressure", "oil.P.pressure")
    found = [sol.values(name)[k] for name in names]
    assert found == pytest.approx([v, back, front, supply], rel=1e-4)
    assert end(sol, "oil.P.pressure") == pytest.approx([100e5 + Q / 1e-9], rel=1e-6)


def test_regenerative_circuit():
    """Both chambers at one node: the flow fills the rod, and pushes with its area."""
    model, oil, x = circuit("regenerative", 50.0)
    T, P = oil.add("T", hy.Tank(FLUID)), oil.add("P", hy.Volume(FLUID, 5e-4))
    oil.add("pump", hy.FlowSource(T, P, 2e-4))
    oil.add("cylinder", hy.Cylinder(P, P, x, (1.2e-3, 0.8e-3), (0.0, 1.0)))
    model.add_connection("load", x, jd.Damper(2e3))
    sol = simulated(model, 1.0)
    assert end(sol, "x.rate", "oil.P.pressure") == pytest.approx([0.5, 0.5 * 2e3 / 4e-4], rel=1e-3)


def test_counterbalance():
    """A load of 500 kg is lowered against a valve that holds it: no faster than the pump."""
    model, oil, x = circuit("lowered", 500.0)
    model.add_connection("weight", x, jd.Force(500.0 * 9.81))
    T = oil.add("T", hy.Tank(FLUID))
    A, B = (oil.add(n, hy.Volume(FLUID, 3e-4)) for n in "AB")
    oil.add("pump", hy.FlowSource(T, A, 5e-5))
    oil.add("suction", hy.CheckValve(T, A, area=2e-5))
    oil.add("counterbalance", hy.ReliefValve(B, T, cracking=60e5, slope=1e-10))
    oil.add("cylinder", hy.Cylinder(A, B, x, (1.2e-3, 1.0e-3), (0.0, 0.5)))
    v = 5e-5 / 1.2e-3
    back = 60e5 + 1e-3 * v / 1e-10
    expected = [v, back, (1e-3 * back - 500.0 * 9.81) / 1.2e-3]
    found = end(simulated(model, 3.0), "x.rate", "oil.B.pressure", "oil.A.pressure")
    assert found == pytest.approx(expected, rel=1e-6)


def test_hydrostatic_transmission():
    """Speed and pressure of a motor behind a pump, with leakage in both; the drive is ramped."""
    model, oil, _ = circuit("hydrostatic")
    ramp = lambda t: jd.where(t < 1.0, 75.0 * t * t, 150.0 * t - 75.0)  # noqa: E731
    engine = jd.Coordinate(model.add_coordinate("engine", 0.2, driven=ramp))
    wheel = jd.Coordinate(model.add_coordinate("wheel", 2.0))
    model.add_connection("load", wheel, jd.Damper(0.5))
    H, L = (oil.add(n, hy.Volume(FLUID, 3e-4)) for n in "HL")
    oil.add("pump", hy.Pump(L, H, engine, 2e-5, leakage=1e-12))
    oil.add("motor", hy.Motor(H, L, wheel, 4e-5, leakage=1e-12))
    feed = oil.add("feed", hy.PressureSource(FLUID, 10e5))
    oil.add("check", hy.CheckValve(feed, L, area=1e-5))
    sol = simulated(model, 30.0)
    k = 4e-5 / (2.0 * np.pi)
    w = 2e-5 * 150.0 / (2.0 * np.pi) / (k + 2e-12 * 0.5 / k)
    high, low, found = end(sol, "oil.H.pressure", "oil.L.pressure", "wheel.rate")
    assert found == pytest.approx(w, rel=1e-6)
    assert high - low == pytest.approx(0.5 * w / k, rel=1e-6)
