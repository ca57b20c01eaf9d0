"""Pumps and motors."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.results.audit import energy_balance

FLUID = hy.Fluid(density=850.0, viscosity=0.03, bulk_modulus=1e9, air=0.0)


def test_pump_and_motor_pass_the_power_on():
    """A hydrostatic drive without losses: speed and torque change by the ratio of displacements."""
    model = jd.Model("drive", gravity=(0, 0, 0))
    for name in ("engine", "wheel"):
        model.add_coordinate(name, 2.0)
    model.add_connection("push", jd.Coordinate("engine"), jd.Force(10.0))
    oil = model.group("oil")
    low, high = oil.add("low", hy.Tank(FLUID)), oil.add("high", hy.Junction(FLUID))
    oil.add("pump", hy.Pump(low, high, jd.Coordinate("engine"), displacement=1e-5))
    oil.add("motor", hy.Motor(high, low, jd.Coordinate("wheel"), displacement=4e-5))
    sol = jd.simulate(model, 1.0)
    rate = 10.0 / (2.0 + 2.0 / 16.0)
    assert sol.final["engine.rate"] == pytest.approx(rate, rel=1e-8)
    assert sol.final["wheel.rate"] == pytest.approx(rate / 4.0, rel=1e-8)
    torque = 10.0 - 2.0 * rate
    assert sol.values("oil.high.pressure")[-1] == pytest.approx(torque * 2 * np.pi / 1e-5, rel=1e-8)
    power = sol.values("oil.pump.power") + sol.values("oil.motor.power")
    np.testing.assert_allclose(power, 0.0, atol=1e-6)


def drive(node, setting):
    """Engine, variable pump, motor, wheel; 10 N m on the engine."""
    model = jd.Model("drive", gravity=(0, 0, 0))
    for name in ("engine", "wheel"):
        model.add_coordinate(name, 2.0)
    model.add_connection("push", jd.Coordinate("engine"), jd.Force(10.0))
    oil = model.group("oil")
    low, high = oil.add("low", hy.Tank(FLUID, 1e5)), oil.add("high", node)
    shaft = jd.Coordinate("engine")
    oil.add("pump", hy.Pump(low, high, shaft, displacement=1e-5, setting=setting))
    oil.add("motor", hy.Motor(high, low, jd.Coordinate("wheel"), displacement=4e-5))
    return model


def test_variable_drive():
    """Ratio r = (1 + t)/8 of the wheel: ω = ∫10/√J dt/√J with J = 2 + 2 r², in closed form."""
    sol = jd.simulate(drive(hy.Junction(FLUID), lambda at: 0.5 + 0.5 * at.t), 1.0)
    r = (1.0 + sol.time) / 8.0
    J = 2.0 + 2.0 * r**2
    rate = 10.0 / np.sqrt(J) * 8.0 / np.sqrt(2.0) * (np.arcsinh(r) - np.arcsinh(0.125))
    np.testing.assert_allclose(sol.values("engine.rate"), rate, atol=1e-7)
    np.testing.assert_allclose(sol.values("wheel.rate"), r * rate, atol=1e-7)
    balance = energy_balance(sol)
    assert balance.largest < 1e-9 * balance.exchanged


@pytest.mark.parametrize("node", [hy.Junction(FLUID), hy.Volume(FLUID, 1e-5, start=1e5)], ids=str)
def test_a_constant_setting_is_a_smaller_pump(node):
    runs = [jd.simulate(drive(node, s), 0.3) for s in (0.5, lambda at: 0.5)]
    for name in ("engine.rate", "wheel.rate", "oil.pump.flow", "oil.pump.power"):
        np.testing.assert_allclose(*(sol.values(name) for sol in runs), atol=1e-7)


def test_pump_with_a_pressure_regulator():
    """The setting is a state that follows the pressure: it delivers just what is drawn at 1e7."""
    model = jd.Model("regulated", gravity=(0, 0, 0))
    model.add_coordinate("motor", 1.0, driven=lambda t: 100.0 * t)
    oil = model.group("oil")
    T, P = oil.add("T", hy.Tank(FLUID)), oil.add("P", hy.Volume(FLUID, 1e-3, start=5e6))
    off = lambda at: (1e7 - at.force("oil.P.node")) / 1e6  # noqa: E731
    model.add_states("swivel", {"share": "1"}, lambda at: (off(at) - at.state("share")) / 0.02)
    setting = lambda at: jd.clip(at.state("swivel.share"), 0.0, 1.0)  # noqa: E731
    oil.add("pump", hy.Pump(T, P, jd.Coordinate("motor"), 1e-5, setting=setting))
    oil.add("load", hy.Leakage(P, T, 1e-11))
    sol = jd.simulate(model, 3.0)
    share = 1e-11 * 1e7 / (1e-5 * 100.0 / (2 * np.pi) + 1e-11 * 1e6)  # D s ω/2π = G (1e7 − 1e6 s)
    assert sol.values("swivel.share")[-1] == pytest.approx(share, rel=1e-6)
    flow = sol.values("oil.pump.flow")[-1]
    assert flow == pytest.approx(1e-5 * share * 100.0 / (2 * np.pi), rel=1e-6)
    torque = sol.values("oil.pump.power")[-1] / 100.0
    p = sol.values("oil.P.pressure")[-1]
    assert torque == pytest.approx(-p * share * 1e-5 / (2 * np.pi), rel=1e-6)
