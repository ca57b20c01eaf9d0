"""Laws of groups of contacts: by pairs, with functions and parameters; pairs that do not touch."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.tending import assert_same_limit

import jourdain as jd
from jourdain.errors import AssemblyError

G = 9.81
EXACT = {"tolerance": 1e-12, "iterations": 1000}
SIZE = (0.2, 0.2, 0.2)


def test_each_pair_of_kinds_has_its_friction_and_others_do_not_touch():
    """Two boxes slide into each other, each at its μg."""
    model, mu = jd.Model("rink"), jd.Parameter("mu", 0.1)
    steel, rubber = (model.add_body(n, jd.solid.box(mass=1.0, size=SIZE)) for n in ("s", "r"))
    contours = {
        "ice": [jd.HalfSpace(model.world)], "steel": [jd.Box(steel, SIZE)],
        "rubber": [jd.Box(rubber, SIZE)],
    }  # fmt: skip
    laws = {("ice", "steel"): jd.Coulomb(friction=mu), ("rubber", "ice"): jd.Coulomb(friction=0.5)}
    model.add_contacts("rink", contours, laws)
    start = {"s.position": (-0.3, 0, 0.1), "r.position": (0.3, 0, 0.1)}
    start |= {"s.velocity": (2.0, 0, 0), "r.velocity": (-2.0, 0, 0)}
    sol = jd.simulate(
        model, 0.3, start=start, method=jd.MoreauJean(5e-3, **EXACT),
        parameters={"mu": 0.2},
    )  # fmt: skip
    np.testing.assert_allclose(sol["s.velocity"][:, 0], 2.0 - 0.2 * G * sol.time, atol=1e-10)
    np.testing.assert_allclose(sol["r.velocity"][:, 0], -2.0 + 0.5 * G * sol.time, atol=1e-10)
    assert float(sol["s.position"][-1, 0]) > float(sol["r.position"][-1, 0])


def test_restitution_by_the_speed_of_approach():
    def restitution(speed):
        return 0.8 if speed < 1.0 else 0.8 / speed  # plain Python

    model = jd.Model("bounce")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    contours = [jd.HalfSpace(model.world), jd.Sphere(ball, 0.1)]
    model.add_contacts("floor", contours, jd.Unilateral(restitution=restitution))
    start = {"ball.position": (0, 0, 0.5)}
    sol = jd.simulate(model, 1.0, start=start, method=jd.MoreauJean(5e-3, corrects_positions=False))
    assert len(sol.events) > 2
    for event in sol.events[:3]:
        before, after = event.details["before"][0][0], event.details["after"][0][0]
        assert after == pytest.approx(-restitution(-before) * before, rel=1e-12)


def test_friction_that_falls_with_the_speed():
    """A box on its way to rest: the steps of single contacts."""

    def run(is_group):
        model = jd.Model("slide")
        box = model.add_body("box", jd.solid.box(mass=1.0, size=SIZE))
        law = jd.Coulomb(friction=lambda v: 0.2 + 0.3 * jd.exp(-v))
        add = (
            model.add_contacts
            if is_group
            else lambda name, c, law: model.add_contact(name, *c, law)
        )
        add("floor", (jd.HalfSpace(model.world), jd.Box(box, SIZE)), law)
        start = {"box.position": (0, 0, 0.1), "box.velocity": (0.6, 0.2, 0.0)}
        method = jd.MoreauJean(2e-3, **EXACT)
        return jd.simulate(model, 0.1, start=start, method=method, sample=0.02)

    group, single = run(is_group=True), run(is_group=False)
    np.testing.assert_allclose(group.v, single.v, atol=1e-8)
    speed = 0.6 - 0.03 * G
    assert float(group["box.velocity"][-1, 0]) < speed


def _pendulum(model):
    """Double pendulum whose capsules overlap at the joint between them."""
    rods = [model.add_body(f"rod{k}", jd.solid.rod(mass=1.0, end=(0, 0, -0.5))) for k in (1, 2)]
    model.add_joint("top", model.world, rods[0], jd.Revolute("y"))
    model.add_joint("middle", rods[0].at(0, 0, -0.5), rods[1], jd.Revolute("y"))
    return [jd.Capsule(rod.at(0, 0, -0.25), 0.5, 0.05) for rod in rods]


def test_bodies_that_a_joint_connects_do_not_touch_unless_asked():
    def run(**options):
        model = jd.Model("chain")
        ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
        contours = [*_pendulum(model), jd.Sphere(ball, 0.1)]
        model.add_contacts("chain", contours, jd.Coulomb(), **options)
        start = {"top.angle": 0.5, "ball.position": (5, 0, 0)}
        return jd.simulate(model, 0.05, start=start, method=jd.MoreauJean(5e-3))

    assert run()["chain.count"].max() == 0.0
    with pytest.raises(AssemblyError, match="bodies 'rod1' and 'rod2' overlap by"):
        run(with_joined=True)


def test_bodies_of_one_mechanism_touch_each_other():
    """Two pendulums on one cart meet, in the steps of single contacts."""

    def run(is_group, h):
        model = jd.Model("clackers", gravity=(0, 0, 0))
        cart = model.add_body("cart", jd.solid.box(mass=2.0, size=SIZE))
        model.add_joint("rail", model.world, cart, jd.Prismatic("x"))
        contours = []
        for k, x in enumerate((-0.1, 0.1)):
            rod = model.add_body(f"rod{k}", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
            model.add_joint(f"pin{k}", cart.at(x, 0, 0), rod, jd.Revolute("y"))
            contours.append(jd.Sphere(rod.at(0, 0, -0.5), 0.05))
        law = jd.Unilateral(restitution=0.5)
        if is_group:
            model.add_contacts("clack", contours, law)
        else:
            model.add_contact("clack", *contours, law)
        start = {"pin0.angle": 0.1, "pin0.rate": -2.0}
        method = jd.MoreauJean(h, **EXACT)
        return jd.simulate(model, 0.2, start=start, method=method, sample=0.02)

    group, single = assert_same_limit(run, 2e-3, 2.0)
    assert len(single.events) == len(group.events) == 1


def _sled(is_group, law, start, *, slope=0.0, duration=0.3):
    """A box on a plane that falls along the direction (1, 2)."""
    down = slope * np.array([1.0, 2.0]) / np.sqrt(5.0)
    model = jd.Model("sled", gravity=(*(G * down), -G))
    box = model.add_body("box", jd.solid.box(mass=1.0, size=SIZE))
    contours = [jd.HalfSpace(model.world), jd.Box(box, SIZE)]
    if is_group:
        model.add_contacts("floor", contours, law)
    else:
        model.add_contact("floor", *contours, law)
    method = jd.MoreauJean(5e-3, **EXACT)
    start = {"box.position": (0, 0, 0.1)} | start
    return jd.simulate(model, duration, start=start, method=method, sample=0.02)


@pytest.mark.parametrize(("axis", "mu"), [(0, 0.1), (1, 0.4)])
def test_elliptic_friction_along_each_tangent(axis, mu):
    """The box slows by g times the coefficient of its direction, until it rests."""
    velocity = 0.5 * np.eye(3)[axis]
    sol = _sled(True, jd.Coulomb((0.1, 0.4)), {"box.velocity": tuple(velocity)})
    expected = np.maximum(0.5 - mu * G * sol.time, 0.0)
    np.testing.assert_allclose(sol["box.velocity"][:, axis], expected, atol=1e-11)
    np.testing.assert_allclose(sol["box.velocity"][:, 1 - axis], 0.0, atol=1e-11)


@pytest.mark.parametrize("pair", [(0.1, 0.4), (0.3, lambda v: 0.1 + 0.1 * jd.exp(-v))])
def test_elliptic_friction_in_the_steps_of_single_contacts(pair):
    """A ball, whose forces are unique, slides and begins to roll on a slope."""

    def run(is_group, h):
        model = jd.Model("slope", gravity=(1.0, 2.0, -9.0))
        ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
        contours = [jd.HalfSpace(model.world), jd.Sphere(ball, 0.1)]
        if is_group:
            model.add_contacts("floor", contours, jd.Coulomb(pair))
        else:
            model.add_contact("floor", *contours, jd.Coulomb(pair))
        start = {"ball.position": (0, 0, 0.1), "ball.velocity": (0.9, 0.5, 0.0)}
        start |= {"ball.angular_velocity": (4.0, -3.0, 2.0)}
        method = jd.MoreauJean(h, **EXACT)
        return jd.simulate(model, 0.2, start=start, method=method, sample=0.02)

    group, single = assert_same_limit(run, 2e-3, 2.0)
    np.testing.assert_allclose(group.v, single.v, atol=2e-3)


@pytest.mark.parametrize("part", [0.9999, 1.0001])
def test_elliptic_friction_holds_within_the_ellipse(part):
    """(t_x/μ_x)² + (t_y/μ_y)² = 1 for the slope at which the box begins to slide."""
    steepest = 1.0 / np.hypot(1.0 / np.sqrt(5.0) / 0.1, 2.0 / np.sqrt(5.0) / 0.4)
    sol = _sled(True, jd.Coulomb((0.1, 0.4)), {}, slope=part * steepest, duration=0.1)
    assert bool(sol.v.any()) is (part > 1.0)


def test_an_impact_with_elliptic_friction_is_told_along_the_tangents():
    model = jd.Model("hit", gravity=(0, 0, 0))
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_contacts("floor", [jd.HalfSpace(model.world), jd.Sphere(ball, 0.1)],
                       jd.Coulomb((0.1, 0.4), restitution=0.5))  # fmt: skip
    start = {"ball.position": (0, 0, 0.11), "ball.velocity": (0.0, 10.0, -1.0)}
    sol = jd.simulate(model, 0.05, start=start, method=jd.MoreauJean(5e-3, **EXACT))
    details = sol.events[0].details
    np.testing.assert_allclose(details["impulses"][0], (1.5, 0.0, -0.6), atol=1e-9)
    np.testing.assert_allclose(details["before"][0], (-1.0, 0.0, 10.0), atol=1e-9)
    np.testing.assert_allclose(details["after"][0], (0.5, 0.0, 10.0 - 3.5 * 0.6), atol=1e-9)
