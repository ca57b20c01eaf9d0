"""Ten drive trains as users build them: events and time steps agree, clutches hold."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import powertrain as pt

pytestmark = pytest.mark.slow
TORQUE = jd.Map(
    (0.0, 1.0),
    (0.0, 100.0, 300.0, 600.0),
    ((-5.0, -15.0, -25.0, -40.0), (120.0, 200.0, 250.0, 180.0)),
)
TRAINS = {}


def train(build):
    TRAINS[build.__name__] = build
    return build


def shafts(**inertias):
    model = jd.Model("train", gravity=(0, 0, 0))
    return model, *(model.add(name, pt.Shaft(J)).angle for name, J in inertias.items())


@train
def manual_gearbox():
    """Launch by a dry clutch, then from first to second gear by dogs, the clutch open."""
    model, crank, box, out, wheel = shafts(crank=0.2, inside=0.01, out=0.02, wheel=2.0)
    model.add("engine", pt.Engine(crank, TORQUE, throttle=0.5))
    held = jd.Table(
        (0.0, 1.0, 1.5, 1.52, 1.9, 1.92, 2.5), (0.0, 260.0, 260.0, 0.0, 0.0, 0.0, 260.0)
    )
    model.add("clutch", pt.Clutch(crank, box, held))
    model.add("first", pt.DogClutch(box, 3.6 * out, lambda x, v, at: 1.6 - at.t))
    model.add("second", pt.DogClutch(box, 2.1 * out, lambda x, v, at: at.t - 1.8))
    model.add("axle", pt.Gear(out, wheel, 4.0))
    model.add("car", pt.Vehicle(wheel, 1200.0, 0.3, 2e4, 200.0, rolling=0.01, drag=0.6))
    return model, 3.0, {"crank.speed": 200.0}, ("car.speed", "crank.speed", "clutch.heat")


@train
def split_friction():
    """A limited-slip differential: the wheel on ice slips, the other gets 50 N m more."""
    model, shaft, left, right = shafts(shaft=0.1, left=1.0, right=1.0)
    body = jd.Coordinate(model.add_coordinate("body", 1200.0 * 0.09))
    model.add("axle", pt.Differential(shaft, left, right, ratio=4.0, friction=50.0))
    model.add("ice", pt.Clutch(left, body, 100.0))
    model.add("road", pt.Clutch(right, body, 800.0))
    model.add_connection("push", shaft, jd.Force(150.0))
    return model, 2.0, {}, ("left.speed", "right.speed", "body.rate")


@train
def parking_lock():
    """An electric car that rolls back on a slope until its lock falls in."""
    model, motor, wheel = shafts(motor=0.05, wheel=2.0)
    model.add("gear", pt.Gear(motor, wheel, 9.0))
    model.add("car", pt.Vehicle(wheel, 1600.0, 0.3, 3e4, 900.0, rolling=0.01, slope=0.1))
    model.add("lock", pt.DogClutch(motor, None, lambda x, v, at: at.t - 0.2))
    return model, 3.0, {}, ("lock.torque", "car.torque")


@train
def hybrid():
    """Engine on the carrier, generator on the sun, second machine on the ring."""
    model, carrier, sun, ring, wheel = shafts(engine=0.2, mg1=0.03, ring=0.05, wheel=2.0)
    model.add("set", pt.PlanetarySet(sun, ring, carrier, teeth=(30, 78)))
    model.add("gear", pt.Gear(ring, wheel, 3.5))
    model.add("car", pt.Vehicle(wheel, 1400.0, 0.3, rolling=0.01, drag=0.5))
    model.add("e", pt.Engine(carrier, TORQUE, throttle=0.6))
    model.add_connection("generator", sun, jd.Damper(0.2))
    model.add_connection("mg2", ring, jd.Force(60.0))
    start = {"engine.speed": 150.0, "mg1.speed": 540.0}
    return model, 3.0, start, ("car.speed", "engine.speed", "mg1.speed")


@train
def engine_start():
    """Starter with a freewheel, cylinders, dual-mass flywheel with play."""
    model, crank, second, starter = shafts(crank=0.15, second=0.1, starter=2e-3)
    gas = pt.GasCycle(rise=0.0)
    model.add("gas", pt.Cylinders(crank, 0.08, 0.09, 0.15, gas, mass=0.5))
    model.add("arc", pt.Coupling(crank, second, 300.0, damping=1.0, play=0.05))
    model.add("freewheel", pt.OneWayClutch(starter, 10.0 * crank))
    model.add_connection("motor", starter, jd.Law(lambda x, v: 8.0 - 0.02 * v))
    model.add("loss", pt.SpeedLoad(crank, lambda w: 0.5 * w))
    return model, 1.0, {}, ("crank.speed", "second.speed", "starter.speed")


@train
def winch():
    """The motor lifts for a second; then a freewheel to the housing holds the load."""
    model, motor, drum = shafts(motor=0.02, drum=0.5)
    load = jd.Coordinate(model.add_coordinate("load", 200.0, unit="m"))
    model.add("gear", pt.Gear(motor, drum, 20.0))
    model.add("hold", pt.OneWayClutch(None, motor))
    model.add_connection("rope", 0.2 * drum - load, jd.Spring(2e5) + jd.Damper(4e3))
    model.add_connection("weight", load, jd.Force(-200.0 * 9.81))
    model.add_connection("drive", motor, jd.Force(lambda t: jd.where(t < 1.0, 30.0, 0.0)))
    return model, 4.0, {}, ("load", "hold.torque", "rope.force")


@train
def wind_turbine():
    """Rotor, gearbox of 90, play, generator; a brake on the fast shaft takes part."""
    model, rotor, fast, generator = shafts(rotor=1e6, fast=5.0, generator=60.0)
    model.add("main", pt.Coupling(rotor, (1.0 / 90.0) * fast, 1e8, damping=1e5))
    model.add("shaft", pt.Coupling(fast, generator, 5e4, damping=20.0, play=0.02))
    model.add("brake", pt.Brake(fast, lambda t: jd.where(t < 1.0, 0.0, 2e4)))
    model.add_connection("wind", rotor, jd.Force(5e5))
    model.add_connection("grid", generator, jd.Damper(30.0))
    start = {"rotor.speed": 1.8, "fast.speed": 162.0, "generator.speed": 162.0}
    return model, 6.0, start, ("rotor.speed", "brake.heat")


@train
def slipper_clutch():
    """A motorcycle in overrun: the clutch slips at 60 N m, so the wheel does not hop."""
    model, crank, inside, wheel = shafts(crank=0.02, inside=0.005, wheel=0.6)
    model.add("engine", pt.Engine(crank, TORQUE, throttle=0.0))
    model.add("clutch", pt.Clutch(crank, inside, 60.0))
    model.add("forward", pt.OneWayClutch(crank, inside))
    model.add("box", pt.Gear(inside, wheel, 9.0))
    model.add("bike", pt.Vehicle(wheel, 250.0, 0.3, 8e3, 60.0, rolling=0.015, drag=0.4))
    start = {"bike.speed": 25.0, "inside.speed": 750.0, "crank.speed": 300.0}
    return model, 3.0, start, ("bike.speed", "crank.speed", "clutch.heat")


@train
def belt_starter():
    """A belt of springs between crank, starter generator and compressor."""
    model, crank, starter, compressor = shafts(crank=0.2, starter=0.005, compressor=0.003)
    model.add("belt_1", pt.Coupling(crank, 0.4 * starter, 800.0, damping=2.0))
    model.add("belt_2", pt.Coupling(crank, 0.6 * compressor, 500.0, damping=1.0))
    gas = pt.GasCycle(rise=0.0)
    model.add("gas", pt.Cylinders(crank, 0.08, 0.09, 0.15, gas, mass=0.5))
    model.add_connection("motor", starter, jd.Law(lambda x, v: 50.0 - 0.05 * v))
    model.add("load", pt.SpeedLoad(compressor, lambda w: 0.01 * w))
    model.add("friction", pt.Brake(crank, 12.0))
    return model, 0.6, {}, ("crank.speed", "starter.speed", "friction.heat")


@train
def double_clutch():
    """One clutch hands over to the other, under load."""
    model, crank, odd, even, out, wheel = shafts(
        crank=0.2, odd=0.01, even=0.01, out=0.05, wheel=2.0
    )
    model.add("engine", pt.Engine(crank, TORQUE, throttle=0.7, start=150.0))
    model.add("k1", pt.Clutch(crank, odd, jd.Table((0.5, 0.9), (400.0, 0.0))))
    model.add("k2", pt.Clutch(crank, even, jd.Table((0.5, 0.9), (0.0, 400.0))))
    for name, inside, ratio in (("g1", odd, 3.0), ("g2", even, 2.0)):
        model.add(name, pt.Gear(inside, out, ratio))
    model.add("axle", pt.Gear(out, wheel, 4.0))
    model.add("car", pt.Vehicle(wheel, 1300.0, 0.3, 2e4, 200.0, rolling=0.01))
    start = {"car.speed": 8.0, "wheel.speed": 8.0 / 0.3, "crank.speed": 96.0 / 0.3}
    return model, 2.0, start, ("car.speed", "crank.speed", "k2.heat")


@pytest.mark.parametrize("name", TRAINS)
def test_events_and_steps_agree(name):
    model, end, start, names = TRAINS[name]()
    events = jd.simulate(model, end, start=start, sample=2e-3)
    steps = jd.simulate(model, end, start=start, sample=2e-3, method=jd.MoreauJean(2e-4))
    for quantity in names:
        size = np.abs(events.values(quantity)).max()
        assert steps.values(quantity)[-1] == pytest.approx(
            events.values(quantity)[-1], rel=2e-3, abs=1e-4 * size
        ), quantity
    for sol in (events, steps):
        for built in model.parts.values():
            if isinstance(built.part, pt.Clutch | pt.Brake):
                held = sol.values(f"{built.name}.capacity")
                held = np.maximum(held, np.maximum(np.roll(held, 1), np.roll(held, -1)))  # ramps
                over = np.abs(sol.values(f"{built.name}.torque")) - held
                assert over.max() < 1e-3 * held.max(), built.name


def test_split_friction_has_a_closed_form():
    """Right wheel and body turn as one under 300 + 50 + 100 N m, both less what the shaft takes."""
    model, end, start, _ = split_friction()
    sol = jd.simulate(model, end, start=start)
    # left: J α_l = M − 100 − 50, right with body: (J + B) α_r = M + 50 + 100, M = 2 (150 − J_s α_s)
    J, B, J_s = 1.0, 108.0, 0.1
    A = np.array([[J + 4.0 * J_s, 4.0 * J_s], [4.0 * J_s, J + B + 4.0 * J_s]])
    left, right = np.linalg.solve(A, [300.0 - 150.0, 300.0 + 150.0])
    assert sol.values("left.speed")[-1] == pytest.approx(left * end, rel=1e-8)
    assert sol.values("right.speed")[-1] == pytest.approx(right * end, rel=1e-8)


def test_the_lock_holds_the_slope():
    """On the motor m g sin α r/9, but for the rolling resistance, which may hold a part."""
    model, end, start, _ = parking_lock()
    sol = jd.simulate(model, end, start=start)
    weight, arm = 1600.0 * 9.81, 0.3 / 9.0
    force = abs(sol.values("lock.torque")[-1]) / arm
    assert abs(force - weight * np.sin(0.1)) <= 0.01 * weight * np.cos(0.1) * (1.0 + 1e-6)
    assert sol.values("car.speed")[-1] == pytest.approx(0.0, abs=1e-6)
