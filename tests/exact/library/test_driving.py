"""Driver and shift control (4.F40), comfort (4.F41)."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt

GEARS = {1: {"B"}, 2: {"C"}}
TORQUES = {"B": 900.0, "C": 900.0}


def car():
    model = jd.Model("car", gravity=(0, 0, 0))
    box = pt.Transmission(
        shafts={"sun": 0.15, "ring": 0.02, "carrier": 0.03},
        sets={"set": pt.GearSet("sun", "ring", "carrier", teeth=(30, 60))},
        elements={"B": pt.ShiftElement("ring"), "C": pt.ShiftElement("sun", "carrier")},
        gears=GEARS, input="sun", output="carrier",
    )  # fmt: skip
    built = model.add("box", box)
    torque = jd.Map((0.0, 1.0), (0.0, 600.0), ((-20.0, -60.0), (200.0, 200.0)))
    model.add("engine", pt.Engine(built.sun, torque, lag=0.05))
    wheel = model.add("wheel", pt.Shaft(2.0))
    model.add("axle", pt.Gear(built.carrier, wheel.angle, 3.0))
    road = {"rolling": 0.01, "drag": 0.6, "brake": None}
    model.add("car", pt.Vehicle(wheel.angle, 1200.0, 0.3, **road))
    return model


def test_driver_and_control_unit():
    """To 15 m/s, up at 9 m/s; then braked to 4 m/s, down at 6 m/s; ratios hold in each gear."""
    log = []
    driver = pt.Driver(lambda t: 15.0 if t < 12.0 else 4.0, "car", "engine", brake=1500.0)
    unit = pt.ShiftControl(GEARS, TORQUES, {1: 9.0}, {2: 6.0}, "car", ramp=0.3, log=log)
    start = {"car.speed": 2.0}
    begin = 2.0 / 0.3 * 3.0
    start |= {"wheel.speed": 2.0 / 0.3, "box.carrier.speed": begin, "box.sun.speed": 3.0 * begin}
    inputs = driver.inputs() | unit.inputs()
    method = jd.MoreauJean(1e-3)
    sol = jd.simulate(car(), 22.0, start=start, inputs=inputs, method=method, sample=0.01)
    speed = np.interp([11.5, 21.9], sol.time, sol.values("car.speed"))
    np.testing.assert_allclose(speed, (15.0, 4.0), atol=0.4)
    assert [gear for _, gear in log] == [2, 1]
    for (when, gear), wanted in zip(log, (9.0, 6.0), strict=True):
        assert np.interp(when, sol.time, sol.values("car.speed")) == pytest.approx(wanted, abs=0.15)
        later = np.interp(
            when + 1.5, sol.time, sol.values("box.sun.speed") / sol.values("box.carrier.speed")
        )
        assert later == pytest.approx({1: 3.0, 2: 1.0}[gear], rel=1e-3)
    for name in GEARS[1] | GEARS[2]:  # at a look of the unit the torque is that before it
        held = sol.values(f"box.{name}.capacity")
        over = np.abs(sol.values(f"box.{name}.torque"))[1:] - np.maximum(held[1:], held[:-1])
        assert over.max() < 1e-6 * 900.0
    comfort = pt.shift_comfort(sol, "car.acceleration", ["box.B", "box.C"], span=(0.0, 11.0))
    assert 0.0 < comfort.jerk_rms < comfort.jerk_peak
    assert comfort.heat["box.C"] > 100.0


def test_tables_that_hunt_or_miss():
    with pytest.raises(ModelError, match=r"goes up from 1 at 9 m/s and down from 2 at 9 m/s"):
        pt.ShiftControl(GEARS, TORQUES, {1: 9.0}, {2: 9.0}, "car")
    with pytest.raises(ModelError, match="up of ShiftControl has 5, which the table"):
        pt.ShiftControl(GEARS, TORQUES, {5: 9.0}, {}, "car")
    sol = jd.simulate(car(), 0.01, start={"car.speed": 0.0})
    with pytest.raises(ModelError, match=r"span 0 to 5 s is not inside of the run"):
        pt.shift_comfort(sol, "car.acceleration", span=(0.0, 5.0))
