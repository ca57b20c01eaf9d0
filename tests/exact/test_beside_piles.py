"""Dry friction, stops, single contacts and driven bodies beside groups of contacts."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.tending import assert_same_limit

import jourdain as jd

G = 9.81
EXACT = {"tolerance": 1e-12, "iterations": 1000}
SIZE = (0.2, 0.2, 0.2)


def _pusher(model, friction):
    """Slider with dry friction whose ball pushes a box over the floor."""
    slider = model.add_body("slider", jd.solid.box(mass=3.0, size=SIZE))
    model.add_joint("rail", model.world.at(0, 0, 0.1), slider, jd.Prismatic("x"))
    model.add_connection("rub", jd.Coordinate("rail.position"), jd.Interval(friction))
    box = model.add_body("box", jd.solid.box(mass=2.0, size=SIZE))
    floor = [jd.HalfSpace(model.world), jd.Box(box, SIZE)]
    model.add_contacts("floor", floor, jd.Coulomb(friction=0.25))
    model.add_contacts("push", [jd.Box(box, SIZE), jd.Sphere(slider, 0.1)], jd.Unilateral())


def test_a_slider_with_dry_friction_pushes_a_box():
    """Friction of joint and floor act on the sum of the masses, until both rest exactly."""
    model = jd.Model("pusher")
    _pusher(model, 4.0)
    start = {"rail.velocity": 1.0, "box.position": (0.2, 0, 0.1), "box.velocity": (1.0, 0, 0)}
    method = jd.MoreauJean(5e-3, **EXACT)
    sol = jd.simulate(model, 0.6, start=start, method=method)
    slowing = (4.0 + 0.25 * 2.0 * G) / 5.0
    moving = sol.time < 1.0 / slowing - 5e-3
    x = (sol.time - 0.5 * slowing * sol.time**2)[moving]
    np.testing.assert_allclose(sol["rail.position"][moving], x, atol=1e-7)
    np.testing.assert_allclose(sol["box.position"][:, 0] - sol["rail.position"], 0.2, atol=1e-7)
    np.testing.assert_allclose(sol["rub.friction_force"][moving, 0][1:], -4.0, rtol=1e-12)
    resting = sol.time > 1.0 / slowing + 5e-3
    assert len(np.unique(sol.q[resting], axis=0)) == 1
    assert sol.statistics.contact_work == pytest.approx(-2.5, rel=1e-9)


def test_dry_friction_holds_a_box_on_an_incline():
    model = jd.Model("incline", gravity=(-3.0, 0.0, -G))
    _pusher(model, 20.0)
    start = {"box.position": (0.2, 0, 0.1)}
    sol = jd.simulate(model, 0.2, start=start, method=jd.MoreauJean(2e-3))
    np.testing.assert_array_equal(sol.q[-1], sol.q[0])
    held = sol["rub.friction_force"][-1, 0] + sol["slider.contact_force"][-1, 0]
    assert float(held) == pytest.approx(3.0 * 3.0, rel=1e-5)
    assert float(sol["box.contact_force"][-1, 0]) == pytest.approx(2.0 * 3.0, rel=1e-5)


def _machine(model):
    """Arm with dry friction, a stop, a rope, a contact of its own; elliptic friction too."""
    rods = [model.add_body(f"rod{k}", jd.solid.rod(mass=1.0, end=(0, 0, -0.5))) for k in (1, 2)]
    model.add_joint("top", model.world.at(0, 0, 1.2), rods[0], jd.Revolute("y"))
    model.add_joint("middle", rods[0].at(0, 0, -0.5), rods[1], jd.Revolute("y"))
    stribeck = jd.Interval(lambda x, v: 0.1 + 0.1 * jd.exp(-((v / 0.1) ** 2)))
    stop = jd.Unilateral(limit=-0.2, restitution=lambda v: 0.3 / (1.0 + v))
    rope = jd.Distance(model.world.at(-0.3, 0, 1.0), rods[1].at(0, 0, -0.5))
    model.add_connection("rub", jd.Coordinate("top.angle"), jd.Interval(0.3))
    model.add_connection("stribeck", jd.Coordinate("middle.angle"), stribeck)
    model.add_connection("stop", jd.Coordinate("middle.angle"), stop)
    model.add_connection("rope", rope, jd.Unilateral(limit=0.9, side="below", restitution=0.2))
    ball = model.add_body("ball", jd.solid.ball(mass=0.4, radius=0.08))
    other = model.add_body("other", jd.solid.ball(mass=0.3, radius=0.08))
    tip, sphere = jd.Sphere(rods[1].at(0, 0, -0.5), 0.05), jd.Sphere(ball, 0.08)
    elliptic = jd.Coulomb(friction=(0.1, 0.3), restitution=0.1)
    model.add_contact("mat", jd.HalfSpace(model.world), jd.Sphere(other, 0.08), elliptic)
    return [jd.HalfSpace(model.world), tip, sphere]


@pytest.mark.slow
def test_steps_are_those_of_single_contacts():
    def run(is_group, h):
        model = jd.Model("arm")
        contours, law = _machine(model), jd.Coulomb(friction=0.3)
        if is_group:
            model.add_contacts("pile", contours, law)
        else:
            for name, (i, j) in {"a": (0, 1), "b": (0, 2), "c": (1, 2)}.items():
                model.add_contact(name, contours[i], contours[j], law)
        start = {
            "top.angle": 1.0, "top.rate": 1.0, "ball.position": (0.1, 0.01, 0.08),
            "other.position": (-1, 0.5, 0.085), "other.velocity": (1.0, 1.0, 0.0),
        }  # fmt: skip
        method = jd.MoreauJean(h, **(EXACT if is_group else {}), corrects_positions=False)
        return jd.simulate(model, 0.7, start=start, method=method, sample=0.02)

    group, single = assert_same_limit(run, 2e-3, 1e-6)  # the same step: but for rounding
    for name in ("rub", "stribeck", "stop", "rope", "mat"):
        given, wanted = (sol.values(f"{name}.work")[-1] for sol in (group, single))
        assert given == pytest.approx(wanted, abs=1e-9, rel=1e-8)
    hits = [[e for e in sol.events if e.name in ("stop", "rope")] for sol in (group, single)]
    assert {e.name for e in hits[0]} == {"stop", "rope"}
    assert hits[0][0].name == hits[1][0].name
    assert hits[0][0].time == hits[1][0].time


def _belt(model, drive, friction=0.3):
    """Box on a belt that is driven along x; its start."""
    belt = model.add_body("belt", jd.solid.box(mass=5.0, size=(4, 1, 0.1)))
    model.add_joint("drive", model.world, belt, jd.Prismatic("x"), driven={"position": drive})
    box = model.add_body("box", jd.solid.box(mass=2.0, size=SIZE))
    contours = [jd.HalfSpace(belt.at(0, 0, 0.05)), jd.Box(box, SIZE)]
    model.add_contacts("ride", contours, jd.Coulomb(friction=friction))
    return {"box.position": (0, 0, 0.15)}


def test_a_driven_belt_takes_a_box_along():
    """It slides at μg until it has the speed of the belt."""
    model = jd.Model("belt")
    start = _belt(model, lambda t: 1.0 * t)
    method = jd.MoreauJean(2e-3, **EXACT)
    sol = jd.simulate(model, 0.4, start=start, method=method)
    speed = np.minimum(0.3 * G * sol.time, 1.0)
    np.testing.assert_allclose(sol["box.velocity"][:, 0], speed, atol=1e-11)


def test_a_box_sticks_to_a_belt_that_accelerates():
    model = jd.Model("belt")
    start = _belt(model, jd.sin)
    method = jd.MoreauJean(2e-3, **EXACT)
    start |= {"box.velocity": (1.0, 0, 0)}
    sol = jd.simulate(model, 0.3, start=start, method=method)
    np.testing.assert_allclose(sol["box.velocity"][:, 0], np.cos(sol.time), atol=1e-11)
    np.testing.assert_allclose(sol["box.position"][:, 0], np.sin(sol.time), atol=1e-6)  # O(dt²)
    assert sol["ride.penetration"].max() <= 1e-6


def test_events_beside_groups_are_located_and_end_the_run():
    """A ball falls past a height, hits the floor, and turns at the top of its rebound."""
    model = jd.Model("drop")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    contours = [jd.HalfSpace(model.world), jd.Sphere(ball, 0.1)]
    model.add_contacts("floor", contours, jd.Unilateral(restitution=0.5))
    events = {
        "half": lambda t, s: s["ball.position.z"] - 0.5,
        "never": jd.Event(lambda t, s: s["ball.position.z"] - 0.6, direction=1),
        "top": jd.Event(lambda t, s: s["ball.velocity.z"], direction=-1, terminal=True),
    }
    method, start = jd.MoreauJean(1e-2), {"ball.position": (0, 0, 1.1)}
    sol = jd.simulate(model, 2.0, start=start, method=method, events=events, sample=0.1)
    half, hit, top = sol.events
    assert (half.name, hit.kind, top.name) == ("half", "impact", "top")
    assert half.time == pytest.approx(np.sqrt(2.0 * 0.6 / G), abs=1e-11)
    assert half.q[2] == pytest.approx(0.5, abs=1e-11)
    assert top.time == pytest.approx(hit.time - hit.v[2] * 0.5 / G, abs=2e-2)  # impacts to a step
    assert top.v[2] == pytest.approx(0.0, abs=1e-9)
    assert sol.statistics.status == "terminal_event"
    assert sol.time[-1] == top.time
    np.testing.assert_allclose(sol.time[:-1], np.arange(len(sol.time) - 1) * 0.1, atol=1e-9)


def test_two_events_in_one_step_are_in_order():
    model = jd.Model("drop")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_contacts("floor", [jd.HalfSpace(model.world), jd.Sphere(ball, 0.1)], jd.Unilateral())
    events = {"b": lambda t, s: t - 0.018, "a": lambda t, s: (t - 0.013) * (t + 1.0) ** 3}
    start = {"ball.position": (0, 0, 1.1)}
    sol = jd.simulate(model, 0.05, start=start, method=jd.MoreauJean(1e-2), events=events)
    assert [e.name for e in sol.events] == ["a", "b"]
    np.testing.assert_allclose([e.time for e in sol.events], [0.013, 0.018], atol=1e-11)


def test_a_stiff_damper_and_spring_beside_groups():
    """The midpoint rule has a closed form; repeating alone would grow without bound."""
    model = jd.Model("stiff", gravity=(0, 0, 0))
    slider = model.add_body("slider", jd.solid.box(mass=2.0, size=SIZE))
    model.add_joint("rail", model.world, slider, jd.Prismatic("x"))
    model.add_connection("damper", jd.Coordinate("rail.position"), jd.Damper(6e3))
    model.add_connection("spring", jd.Coordinate("rail.position"), jd.Spring(1e6))
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_contacts("push", [jd.Box(slider, SIZE), jd.Sphere(ball, 0.1)], jd.Unilateral())
    h, start = 5e-3, {"rail.position": 0.01, "ball.position": (5.0, 0, 0)}
    sol = jd.simulate(model, 20 * h, start=start, method=jd.MoreauJean(h), sample=h)
    A = np.array([[0.0, 1.0], [-1e6 / 2.0, -6e3 / 2.0]])
    step = np.linalg.solve(np.eye(2) - 0.5 * h * A, np.eye(2) + 0.5 * h * A)
    wanted = [np.linalg.matrix_power(step, k) @ (0.01, 0.0) for k in range(21)]
    found = np.column_stack([sol["rail.position"], sol["rail.velocity"]])
    np.testing.assert_allclose(found, wanted, atol=1e-11)


def test_a_ball_hits_a_slider_that_hits_a_stop():
    """Equal masses exchange their velocities; the stop gives half of it back."""
    model = jd.Model("stop", gravity=(0, 0, 0))
    slider = model.add_body("slider", jd.solid.box(mass=1.0, size=SIZE))
    model.add_joint("rail", model.world, slider, jd.Prismatic("x"))
    stop = jd.Unilateral(limit=0.2, side="below", restitution=0.5)
    model.add_connection("stop", jd.Coordinate("rail.position"), stop)
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    contours = [jd.Sphere(slider, 0.1), jd.Sphere(ball, 0.1)]
    model.add_contacts("hit", contours, jd.Unilateral(restitution=1.0))
    start = {"ball.position": (-0.3, 0, 0), "ball.velocity": (1.0, 0, 0)}
    sol = jd.simulate(model, 1.0, start=start, method=jd.MoreauJean(1e-2, **EXACT))
    assert [e.name for e in sol.events] == ["hit", "stop", "hit"]
    np.testing.assert_allclose([e.time for e in sol.events], [0.1, 0.3, 0.7], atol=3e-2)
    assert float(sol["rail.velocity"][-1]) == pytest.approx(0.0, abs=1e-12)
    assert float(sol["ball.velocity"][-1, 0]) == pytest.approx(-0.5, abs=1e-12)
    assert sol.statistics.contact_work == pytest.approx(-0.375, abs=1e-12)
    (hit,) = (e for e in sol.events if e.name == "stop")
    assert hit.details["energy"] == pytest.approx(-0.375, abs=1e-12)


@pytest.mark.parametrize(
    "law",
    [
        jd.Coulomb(0.3, restitution=0.3, rolling=0.004, drilling=0.01),
        jd.Coulomb((0.3, 0.1), restitution=0.6, drilling=0.01, impact=jd.Poisson()),
    ],
)
def test_single_contacts_that_resist_turning_and_rebound_by_poissons_law(law):
    """A ball with a contact of its own does the same beside a group and without one."""

    def run(has_group, h):
        model = jd.Model("table")
        ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
        model.add_contact("table", jd.HalfSpace(model.world), jd.Sphere(ball, 0.1), law)
        if has_group:
            stones = [jd.Sphere(model.add_body(n, jd.solid.ball(mass=1.0, radius=0.1)), 0.1)
                      for n in ("one", "two")]  # fmt: skip
            model.add_contacts("stones", stones, jd.Coulomb(0.3))
        start = {"ball.position": (0, 0, 0.11), "ball.velocity": (0.4, 0.1, -0.5)}
        start |= {"ball.angular_velocity": (1.0, 2.0, 5.0)}
        start |= {"one.position": (5, 0, 0), "two.position": (9, 0, 0)} if has_group else {}
        method = jd.MoreauJean(h, **EXACT, corrects_positions=False)
        return jd.simulate(model, 0.25, start=start, method=method, sample=0.01)

    beside, alone = assert_same_limit(run, 2e-3, 1e-6)
    given, wanted = (sol.values("table.work")[-1] for sol in (beside, alone))
    assert given == pytest.approx(wanted, abs=1e-9)
    assert wanted < -0.1
    hits = [[e for e in sol.events if e.name == "table"] for sol in (beside, alone)]
    assert hits[0][0].time == pytest.approx(hits[1][0].time, abs=1e-9)
