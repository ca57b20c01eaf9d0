"""Time stepping agrees with events to the order of the step, on one machine after the other."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import woodpecker

WEIGHT = jd.Force(-9.81)


def model_of(**inertias):
    model = jd.Model("machine", gravity=(0.0, 0.0, 0.0))
    for name, inertia in inertias.items():
        model.add_coordinate(name, inertia, unit="m")
    return model


def bouncing_ball():
    model = model_of(z=1.0)
    model.add_connection("weight", jd.Coordinate("z"), WEIGHT)
    model.add_connection("floor", jd.Coordinate("z"), jd.Unilateral(restitution=0.7))
    return model, {"z.value": 0.5}, 1.0


def beads():
    model = model_of(a=1.0, b=2.0)
    for name in ("a", "b"):
        model.add_connection(f"weight_{name}", jd.Coordinate(name), WEIGHT)
    model.add_connection("floor", jd.Coordinate("a"), jd.Unilateral(restitution=0.5))
    between = jd.Coordinate("b") - jd.Coordinate("a")
    model.add_connection("pair", between, jd.Unilateral(0.2, restitution=0.5))
    return model, {"a.value": 0.1, "b.value": 0.5}, 0.6


def clutch():
    model = model_of(motor=2.0, load=3.0)
    model.add_connection("torque", jd.Coordinate("motor"), jd.Force(4.0))
    slip = jd.Coordinate("motor") - jd.Coordinate("load")
    model.add_connection("clutch", slip, jd.Interval(6.0))
    return model, {"motor.rate": 10.0}, 4.0


def belt():
    model = model_of(x=1.0)
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(4.0))
    slip = jd.Formula(speed=lambda at: at.velocity("x") - 0.5)
    friction = jd.Interval(lambda x, v: 3.0 - 0.2 * jd.sqrt(v * v))
    model.add_connection("belt", slip, friction)
    return model, {"x.rate": 0.5}, 5.0


def sledge():
    """It lands on a table and is pulled over it: friction and impact together."""
    model = model_of(x=1.0, z=1.0)
    model.add_connection("weight", jd.Coordinate("z"), WEIGHT)
    model.add_connection("pull", jd.Coordinate("x"), jd.Spring(20.0))
    table = jd.Touch(jd.Coordinate("z"), jd.Coordinate("x"))
    model.add_connection("table", table, jd.Coulomb(0.3, restitution=0.4))
    return model, {"x.value": 1.0, "z.value": 0.2}, 1.0


def toy():
    start = JAMMED
    return woodpecker(impact=jd.Newton()), start, 0.03


JAMMED = {
    "height.value": 0.0,
    "sleeve.value": -0.0006 / 0.0058,
    "bird.value": -0.2051353492,
    "height.rate": 0.0,
    "sleeve.rate": 0.0,
    "bird.rate": 17.5746662,
}

# Machine, step [s], and what the error over the step may be.
MACHINES = [
    (bouncing_ball, 1e-2, 1.0),
    (beads, 1e-3, 1.0),
    (clutch, 5e-2, 0.02),
    (belt, 4e-2, 0.15),
    (sledge, 1e-2, 1.0),
    (toy, 2e-4, 30.0),
]


@pytest.mark.parametrize(("machine", "h", "bound"), MACHINES, ids=[x[0].__name__ for x in MACHINES])
def test_steps_agree_with_events(machine, h, bound):
    model, start, end = machine()
    system = jd.compile(model)
    exact = jd.simulate(system, end, start=start, sample=end)
    assert exact.events
    for step in (h, h / 8):
        sol = jd.simulate(system, end, start=start, sample=end, integrator=jd.MoreauJean(step))
        assert np.abs(sol.q[-1] - exact.q[-1]).max() <= bound * step
