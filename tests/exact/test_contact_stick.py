"""What sticks does not move at all: 60 s on an incline, in a gripper, in a clutch; both methods."""

import numpy as np
import pytest

import jourdain as jd

G, SLOPE, TIME = 9.81, 0.3, 60.0
BOTH = pytest.mark.parametrize(
    "method", [jd.EventDriven(), jd.MoreauJean(0.2)], ids=["events", "steps"]
)


def moved(sol):
    return np.abs(sol.q - sol.q[0]).max()


@BOTH
def test_block_on_an_incline(method):
    model = jd.Model("block", gravity=(G * np.sin(SLOPE), 0.0, -G * np.cos(SLOPE)))
    box = model.add_body("box", jd.solid.box(mass=2.0, size=(0.2, 0.2, 0.1)))
    for k, (x, y) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)]):
        corner = jd.Point(box.at(0.1 * x, 0.1 * y, -0.05))
        model.add_contact(f"corner_{k}", jd.HalfSpace(model.world), corner, jd.Coulomb(0.4))
    start = {"box.position": (0.0, 0.0, 0.05)}
    sol = jd.simulate(model, TIME, start=start, method=method, sample=5.0)
    assert moved(sol) <= 1e-12


@BOTH
def test_object_in_a_gripper(method):
    """Two jaws press with 30 N each on a ball of 2 kg: 2 · 0.5 · 30 N hold 19.6 N."""
    model = jd.Model("gripper")
    ball = model.add_body("ball", jd.solid.ball(mass=2.0, radius=0.1))
    for name, side in (("left", -1.0), ("right", 1.0)):
        jaw = model.add_body(name, jd.solid.box(mass=0.5, size=(0.02, 0.1, 0.1)))
        model.add_joint(f"{name}_guide", model.world.at(x=0.11 * side), jaw, jd.Prismatic("x"))
        closing = jd.Coordinate(f"{name}_guide.position")
        model.add_connection(f"{name}_push", closing, jd.Force(-30.0 * side))
        pad = jd.HalfSpace(jaw.at(x=-0.01 * side), "x" if side < 0.0 else "-x")
        law = jd.Coulomb(0.5, drilling=0.01, rolling=0.01)
        model.add_contact(f"{name}_pad", pad, jd.Sphere(ball, 0.1), law)
    sol = jd.simulate(model, TIME, method=method, sample=5.0)
    assert moved(sol) <= 1e-12
    held = (np.abs(sol.values(f"{name}_pad.friction_force")[1:]) for name in ("left", "right"))
    np.testing.assert_allclose(sum(f.max(axis=1) for f in held), 2.0 * G, rtol=1e-9)


@BOTH
def test_locked_clutch(method):
    """A torque that swings within the capacity of a clutch turns both sides as one."""
    model = jd.Model("clutch")
    model.add_coordinate("motor", 2.0)
    model.add_coordinate("load", 3.0)
    torque = jd.Force(jd.Sine(4.0, 1.0))
    model.add_connection("torque", jd.Coordinate("motor"), torque)
    slip = jd.Coordinate("motor") - jd.Coordinate("load")
    model.add_connection("clutch", slip, jd.Interval(6.0))
    sol = jd.simulate(model, TIME, method=method, sample=5.0)
    assert np.abs(sol.values("motor.value") - sol.values("load.value")).max() <= 1e-12
    assert np.abs(sol.values("motor.value")).max() > 1.0


@pytest.mark.parametrize("method", [jd.EventDriven(), jd.MoreauJean(1e-3), jd.NonsmoothAlpha(1e-3)])
def test_what_moves_in_a_plane_breaks_away_in_time(method: object) -> None:
    """One of the two tangents is fixed by the joint: it tells nothing of when the other slips."""
    m = jd.Model("pushed")
    box = m.add_body("box", jd.solid.box(mass=1.0, size=(0.1, 0.1, 0.1)))
    m.add_joint("plane", m.world, box, jd.Prismatic("x") * jd.Prismatic("z"))
    m.add_contact("floor", jd.HalfSpace(m.world), jd.Point(box), jd.Coulomb(0.5))
    m.add_connection("push", jd.Coordinate("plane.position_1"), jd.Force(lambda t: 10.0 * t))
    sol = jd.simulate(m, 1.0, method=method)
    slips = [e.time for e in sol.events if e.kind == "slip"]
    begin = 0.5 * 9.81 / 10.0
    assert slips == [pytest.approx(begin, abs=2e-3)]
    way = 10.0 * (1.0 - begin) ** 3 / 6.0
    assert sol.values("plane.position_1")[-1] == pytest.approx(way, rel=1e-5)
