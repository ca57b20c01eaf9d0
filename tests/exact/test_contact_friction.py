"""Dry friction against closed solutions: blocks that stay, clutches, brakes, a stick-slip belt."""

import numpy as np
import pytest
from scipy.optimize import brentq

import jourdain as jd
from jourdain.simulation.contact.impact import solved
from jourdain.solvers.nonsmooth import Friction, HalfLine

G, SLOPE = 9.81, 0.3  # [m/s^2], [rad]


def kinds(sol):
    return [(event.kind, event.name) for event in sol.events]


# -- A block on an incline: four corners, more forces than freedoms -------------------------------


@pytest.fixture(scope="module")
def block():
    model = jd.Model("block", gravity=(G * np.sin(SLOPE), 0.0, -G * np.cos(SLOPE)))
    box = model.add_body("box", jd.solid.box(mass=2.0, size=(0.2, 0.2, 0.1)))
    law = jd.Coulomb(jd.Parameter("friction", 0.4))
    for k, (x, y) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)]):
        corner = jd.Point(box.at(0.1 * x, 0.1 * y, -0.05))
        model.add_contact(f"corner_{k}", jd.HalfSpace(model.world), corner, law)
    return jd.compile(model)


REST = {"box.position": (0.0, 0.0, 0.05)}


@pytest.mark.parametrize("method", [None, jd.NonsmoothAlpha(0.2)], ids=["events", "steps"])
def test_block_below_the_friction_angle_does_not_move(block, method):
    sol = jd.simulate(block, 60.0, start=REST, sample=1.0, method=method)
    moved = np.abs(sol.values("box.position") - REST["box.position"]).max()
    turned = 2.0 * np.abs(sol.values("box.orientation")[:, 1:]).max()
    assert moved + 0.15 * turned <= 1e-12  # corners are 0.15 m from the middle


@pytest.mark.parametrize(
    ("method", "tol"),
    [(None, 1e-13), (jd.MoreauJean(0.05), 1e-12), (jd.NonsmoothAlpha(0.05), 1e-13)],
    ids=["events", "steps", "alpha"],
)
def test_block_above_the_friction_angle_slides(block, method, tol):
    sol = jd.simulate(
        block, 1.0, start=REST, parameters={"friction": 0.2}, method=method, sample=0.1
    )
    expected = 0.5 * G * (np.sin(SLOPE) - 0.2 * np.cos(SLOPE)) * sol.time**2
    np.testing.assert_allclose(sol.values("box.position")[:, 0], expected, atol=tol)


def test_block_that_slides_up_sticks_where_it_stops(block):
    sol = jd.simulate(block, 1.0, start=REST | {"box.velocity": (-1.5, 0.0, 0.0)})
    slowing = G * (np.sin(SLOPE) + 0.4 * np.cos(SLOPE))
    sticks = [event.time for event in sol.events if event.kind == "stick"]
    np.testing.assert_allclose(sticks, 1.5 / slowing, rtol=1e-12)
    stuck = sol.values("box.position")[sol.time > sticks[0], 0]
    np.testing.assert_allclose(stuck, -(1.5**2) / (2 * slowing), atol=1e-12)


def test_time_steps_do_not_creep():
    model = jd.Model("point", gravity=(0.0, 0.0, 0.0))
    for name, force in (("along", G * np.sin(SLOPE)), ("above", -G * np.cos(SLOPE))):
        model.add_coordinate(name, 1.0, unit="m")
        model.add_connection(f"weight_{name}", jd.Coordinate(name), jd.Force(force))
    slope = jd.Touch(jd.Coordinate("above"), jd.Coordinate("along"))
    model.add_connection("slope", slope, jd.Coulomb(0.4))
    sol = jd.simulate(model, 60.0, method=jd.MoreauJean(0.2), sample=1.0)
    assert np.abs(sol.q).max() <= 1e-12
    np.testing.assert_allclose(sol.values("slope.normal_force")[1:], G * np.cos(SLOPE), rtol=1e-12)


@pytest.mark.parametrize(
    ("force", "friction", "acceleration"),
    [
        ((2, 1), (-2, -1), (0, 0)),
        ((6, 0), (-3.924, 0), (2.076, 0)),
        ((5, 4), (-3.0641, -2.4513), (1.9359, 1.5487)),
    ],
)
def test_friction_lies_in_the_cone_not_in_a_pyramid(force, friction, acceleration):
    c = np.array([-G, *force])
    forces, _ = solved(np.eye(3), c, [HalfLine(0), Friction(0, (1, 2), 0.4)], [], 0.0, "contact")
    np.testing.assert_allclose(forces, [G, *friction], atol=6e-5)
    np.testing.assert_allclose((c + forces)[1:], acceleration, atol=6e-5)


@pytest.mark.parametrize("method", [None, jd.MoreauJean(0.05)], ids=["events", "steps"])
def test_elliptic_friction_holds_and_slides_by_its_ellipse(method):
    """A body is pushed obliquely: held inside the ellipse, else slid along one of its axes."""
    mu = np.array([0.5, 0.2])
    model = jd.Model("skid")
    body = model.add_body("body", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint(
        "track", model.world, body, jd.Prismatic("x") * jd.Prismatic("y") * jd.Prismatic("z")
    )
    push = [jd.Parameter(name, 0.0) for name in ("along", "across")]
    for k, force in enumerate(push):
        place = jd.Formula(lambda at, k=k: at.pose(body.at())[1][k])
        model.add_connection(f"push_{k}", place, jd.Force(force))
    floor = jd.HalfSpace(model.world)
    model.add_contact("floor", floor, jd.Point(body), jd.Coulomb(tuple(mu)))
    system = jd.compile(model)

    def place(along, across):
        given = {"along": along, "across": across}
        sol = jd.simulate(system, 1.0, parameters=given, method=method, sample=0.25)
        return sol.values("body.position")[-1]

    inside = 0.999 * mu * G * (np.cos(0.7), np.sin(0.7))
    assert np.abs(place(*inside)).max() <= 1e-12
    np.testing.assert_allclose(place(6.0, 0.0), [0.5 * (6.0 - mu[0] * G), 0, 0], atol=1e-10)
    np.testing.assert_allclose(place(0.0, 3.0), [0, 0.5 * (3.0 - mu[1] * G), 0], atol=1e-10)
    # Slip that begins along d and stays there: force minus friction is along d as well.
    d = np.array([0.6, 0.8])
    friction = G * mu**2 * d / np.linalg.norm(mu * d)
    expected = [*(0.5 * 0.7 * d), 0.0]
    np.testing.assert_allclose(place(*(0.7 * d + friction)), expected, atol=1e-9)


def test_sliding_that_turns_round_is_in_the_ledger():
    """A spring of 4 N/m against 0.5 N: turns at -0.75, 0.5, -0.25 m, sticks at zero."""
    model = jd.Model("oscillator", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(4.0))
    model.add_connection("friction", jd.Coordinate("x"), jd.Interval(0.5))
    sol = jd.simulate(model, 7.0, start={"x.value": 1.0}, sample=1.0)
    assert kinds(sol) == [("slip", "friction")] * 3 + [("stick", "friction")]
    times, places = [e.time for e in sol.events], [e.q[0] for e in sol.events]
    np.testing.assert_allclose(times, 0.5 * np.pi * np.arange(1, 5), atol=1e-9)
    np.testing.assert_allclose(places, [-0.75, 0.5, -0.25, 0.0], atol=1e-9)


# -- Clutches and brakes ---------------------------------------------------------------------------


def rotors(law, measure, torque):
    model = jd.Model("rotors")
    model.add_coordinate("motor", 2.0)
    model.add_coordinate("load", 3.0)
    model.add_connection("torque", jd.Coordinate("motor"), jd.Force(torque))
    model.add_connection("clutch", measure, law)
    return model


def test_clutch_slips_then_locks_for_good():
    slip = jd.Coordinate("motor") - jd.Coordinate("load")
    model = rotors(jd.Interval(6.0), slip, 4.0)
    sol = jd.simulate(model, 60.0, start={"motor.rate": 10.0}, sample=0.25)
    # Slip: motor −1, load +2 rad/s²; then both 4/5. The locked clutch carries 3·4/5 N m.
    assert kinds(sol) == [("stick", "clutch")]
    lock = 10.0 / 3.0
    assert sol.events[0].time == pytest.approx(lock, rel=1e-12)
    after = sol.time > sol.events[0].time
    speeds = 20.0 / 3.0 + 0.8 * (sol.time[after] - lock)
    np.testing.assert_allclose(sol.values("load.rate")[after], speeds, rtol=1e-12)
    turned = (sol.values("motor.value") - sol.values("load.value"))[after]
    assert np.ptp(turned) <= 1e-12 * abs(sol.values("motor.value")[-1])
    np.testing.assert_allclose(sol.values("clutch.friction_force")[after, 0], -2.4, rtol=1e-10)


def test_one_way_clutch_drives_and_overruns():
    """A driven motor takes the load along; braked, it lets the load run on."""
    ahead = jd.Formula(speed=lambda at: at.velocity("load") - at.velocity("motor"), unit="rad")
    torque = jd.Parameter("torque", 5.0)
    system = jd.compile(rotors(jd.Unilateral(), ahead, torque))
    driven = jd.simulate(system, 2.0, sample=0.5)
    np.testing.assert_allclose(driven.values("load.rate"), 1.0 * driven.time, atol=1e-12)
    np.testing.assert_allclose(driven.values("clutch.normal_force"), 3.0, rtol=1e-12)
    start = {"motor.rate": 2.0, "load.rate": 2.0}
    braked = jd.simulate(system, 2.0, start=start, parameters={"torque": -1.0}, sample=0.5)
    np.testing.assert_allclose(braked.values("load.rate"), 2.0, rtol=1e-13)
    np.testing.assert_allclose(braked.values("motor.rate"), 2.0 - 0.5 * braked.time, atol=1e-12)


def test_one_way_clutch_engages_when_the_motor_catches_up():
    ahead = jd.Formula(speed=lambda at: at.velocity("load") - at.velocity("motor"), unit="rad")
    sol = jd.simulate(
        rotors(jd.Unilateral(), ahead, 5.0), 2.0, start={"load.rate": 2.5}, sample=0.5
    )
    assert sol.events[0].time == pytest.approx(1.0, rel=1e-12)  # 2.5 rad/s at 5/2 rad/s²
    late = sol.time >= 1.0
    np.testing.assert_allclose(sol.values("load.rate")[late], 1.5 + sol.time[late], rtol=1e-12)


def test_brake_with_falling_friction_stops_in_time():
    """J dv/dt = −c/(1 + v/w) stops after J/c (v₀ + v₀²/2w)."""
    inertia, c, w, speed = 2.0, 3.0, 0.5, 1.5
    model = jd.Model("brake")
    model.add_coordinate("wheel", inertia)
    capacity = lambda x, v: c / (1.0 + jd.sqrt(v * v) / w)  # noqa: E731
    model.add_connection("brake", jd.Coordinate("wheel"), jd.Interval(capacity))
    sol = jd.simulate(model, 10.0, start={"wheel.rate": speed}, sample=1.0)
    assert kinds(sol) == [("stick", "brake")]
    assert sol.events[0].time == pytest.approx(inertia / c * (speed + speed**2 / (2 * w)), rel=1e-9)
    assert np.ptp(sol.values("wheel.value")[sol.time > sol.events[0].time]) <= 1e-12


# -- Stick-slip ------------------------------------------------------------------------------------


class Belt:
    """A mass on a spring and a belt, whose friction F − c |slip| falls with the slip.

    It sticks until the spring pulls as much as the friction holds, then swings with negative
    damping, m x'' − c x' + k x = F − c b, until it is as fast as the belt.
    """

    mass, k, F, c, speed = 1.0, 4.0, 3.0, 0.2, 0.5

    @property
    def period(self):
        """Times and places of slip and stick: first slip, then stick, then slip again."""
        delta = self.c / (2 * self.mass)
        nu = np.sqrt(self.k / self.mass - delta**2)
        middle, x, v = (self.F - self.c * self.speed) / self.k, self.F / self.k, self.speed
        a, b = x - middle, (v - delta * (x - middle)) / nu

        def position(t):
            return middle + np.exp(delta * t) * (a * np.cos(nu * t) + b * np.sin(nu * t))

        def velocity(t):
            cos, sin = np.cos(nu * t), np.sin(nu * t)
            return np.exp(delta * t) * ((delta * a + nu * b) * cos + (delta * b - nu * a) * sin)

        sticks = brentq(lambda t: velocity(t) - v, 0.6 * 2 * np.pi / nu, 2 * np.pi / nu, xtol=1e-15)
        return sticks, position(sticks), (x - position(sticks)) / v


def test_stick_slip_belt():
    belt = Belt()
    model = jd.Model("belt")
    model.add_coordinate("x", belt.mass, unit="m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(belt.k))
    slip = jd.Formula(speed=lambda at: at.velocity("x") - belt.speed)
    friction = jd.Interval(lambda x, v: belt.F - belt.c * jd.sqrt(v * v))
    model.add_connection("belt", slip, friction)
    sol = jd.simulate(model, 20.0, start={"x.rate": belt.speed}, sample=1.0)
    first = belt.F / (belt.k * belt.speed)
    swing, place, ride = belt.period
    times = [event.time for event in sol.events]
    assert [event.kind for event in sol.events[:6]] == ["stick", *("slip", "stick") * 2, "slip"]
    expected = [0.0, first, first + swing, first + swing + ride]
    np.testing.assert_allclose(times[:4], expected, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(np.diff(times[1:])[::2], swing, rtol=1e-8)
    np.testing.assert_allclose(sol.events[2].q, place, rtol=1e-8)


@pytest.mark.parametrize(
    "method",
    [jd.EventDriven(), jd.MoreauJean(1e-3), jd.NonsmoothAlpha(1e-3)],
    ids=["events", "steps", "alpha"],
)
def test_a_brake_that_slides_loads_a_clutch_that_holds(method):
    """Two inertias, one braked by 4 and pushed by 1: both slow down by 1.5, the clutch carries 1.5.

    It holds 1.6; if the brake pushed, it would have to carry 2.5.
    """
    model = jd.Model("brake beside clutch")
    for name in "ab":
        model.add_coordinate(name, 1.0)
    a, b = jd.Coordinate("a"), jd.Coordinate("b")
    model.add_connection("brake", a, jd.Interval(4.0))
    model.add_connection("clutch", a - b, jd.Interval(1.6))
    model.add_connection("push", a, jd.Force(1.0))
    start = {"a.rate": 1.0, "b.rate": 1.0}
    sol = jd.simulate(model, 0.5, start=start, method=method, sample=0.1)
    np.testing.assert_allclose(sol.v[:, 0], 1.0 - 1.5 * sol.time, atol=1e-9)
    np.testing.assert_allclose(sol.v[:, 1], sol.v[:, 0], atol=1e-12)
    np.testing.assert_allclose(sol.values("clutch.force")[1:], 1.5, atol=1e-9)
