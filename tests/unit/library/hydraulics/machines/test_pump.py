"""Pumps and motors."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy

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
