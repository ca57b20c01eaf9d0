"""Contacts of groups against single contacts: the same points, laws and steps."""

import numpy as np
import pytest

import jourdain as jd

TURNING = {"rolling": 0.003, "drilling": 0.002}


def floor_and_ball(model):
    ball = model.add_body("ball", jd.solid.ball(mass=1.5, radius=0.06))
    contours = [jd.HalfSpace(model.world), jd.Sphere(ball, 0.06)]
    return contours, {
        "ball.position": (0, 0, 0.09),
        "ball.velocity": (0.3, 0.1, 0),
        "ball.angular_velocity": (1.0, 2.0, 5.0),
    }


def floor_and_box(model):
    size = (0.2, 0.3, 0.4)
    box = model.add_body("box", jd.solid.box(mass=1.0, size=size))
    return [jd.HalfSpace(model.world), jd.Box(box, size)], {
        "box.position": (0.0, 0.0, 0.3),
        "box.velocity": (1.0, 0.0, -1.0),
        "box.angular_velocity": (1.0, 2.0, 0.5),
    }


def ball_on_ball(model):
    """A ball rolls down from another one."""
    ball = model.add_body("ball", jd.solid.ball(mass=0.4, radius=0.05))
    place = 0.55 * np.array([np.sin(0.2), 0.0, np.cos(0.2)])
    return [jd.Sphere(model.world, 0.5), jd.Sphere(ball, 0.05)], {"ball.position": tuple(place)}


def arm_and_ball(model):
    """A double pendulum strikes a ball on a floor; both ends are moved by coordinates."""
    rods = [model.add_body(f"rod{k}", jd.solid.rod(mass=1.0, end=(0, 0, -0.5))) for k in (1, 2)]
    model.add_joint("top", model.world.at(0, 0, 1.1), rods[0], jd.Revolute("y"))
    model.add_joint("middle", rods[0].at(0, 0, -0.5), rods[1], jd.Revolute("y"))
    ball = model.add_body("ball", jd.solid.ball(mass=0.4, radius=0.08))
    contours = [jd.HalfSpace(model.world), jd.Sphere(rods[1].at(0, 0, -0.5), 0.05)]
    return [*contours, jd.Sphere(ball, 0.08)], {
        "top.angle": 0.6,
        "ball.position": (-0.05, 0.01, 0.08),
    }


def moving_table(model):
    """A table that a drive shakes carries a capsule."""
    table = model.add_body("table", jd.solid.box(mass=1.0, size=(1.0, 1.0, 0.1)))
    shake = {"position": lambda t: 0.02 * jd.sin(15.0 * t)}
    model.add_joint("shaker", model.world, table, jd.Prismatic("x"), driven=shake)
    rod = model.add_body("rod", jd.solid.cylinder(0.5, 0.05, 0.3, axis="y"))
    face = jd.HalfSpace(table.at(0, 0, 0.05))
    return [face, jd.Capsule(rod, 0.05, 0.3, axis="y")], {"rod.position": (0, 0, 0.1)}


def run(make, law, h, duration, *, is_group):
    model = jd.Model("pair")
    contours, start = make(model)
    if is_group:
        model.add_contacts("touch", contours, law)
    else:
        pairs = [(a, b) for k, a in enumerate(contours) for b in contours[k + 1 :]]
        for k, (a, b) in enumerate(pairs):
            if a.frame.body != b.frame.body:
                model.add_contact(f"touch{k}", a, b, law)
    return jd.simulate(model, duration, start=start, method=jd.MoreauJean(h), sample=5 * h)


LAWS = {
    "plain": jd.Unilateral(),
    "rough": jd.Coulomb(friction=0.3),
    "rolling": jd.Coulomb(friction=0.4, **TURNING),
    "ellipse": jd.Coulomb(friction=(0.1, 0.4)),
    "static": jd.Coulomb(friction=0.2, static=0.5),
    "stribeck": jd.Coulomb(friction=lambda v: 0.2 + 0.2 * jd.exp(-v / 0.1)),
    "rebounds": jd.Coulomb(friction=0.2, restitution=0.4),
    "slower": jd.Coulomb(friction=0.2, restitution=lambda v: 0.5 / (1.0 + v)),
    "poisson": jd.Coulomb(friction=0.3, restitution=0.5, impact=jd.Poisson()),
    "rolls slower": jd.Coulomb(0.4, rolling=lambda w: 0.003 / (1.0 + w), drilling=0.002),
    "held ellipse": jd.Coulomb((0.1, 0.2), static=(0.4, 0.3), drilling=0.001),
    "superball": jd.Coulomb(0.3, 0.4, 0.6),
    "all of poisson": jd.Coulomb(
        (0.2, 0.3), lambda v: 0.5 / (1.0 + v), impact=jd.Poisson(), **TURNING
    ),
    "bounces": jd.Unilateral(restitution=0.5),
}
EXACT = [
    *((floor_and_ball, law) for law in LAWS),
    *((ball_on_ball, law) for law in ("rough", "rolling", "static")),
    *((moving_table, law) for law in ("rough", "rolling")),
    (arm_and_ball, "rough"),
]
IMPACTS = [
    *((floor_and_box, law) for law in ("rough", "static", "superball", "all of poisson")),
    (arm_and_ball, "rebounds"),
    (moving_table, "rebounds"),
]


def both(make, law, h, duration):
    """Solutions of a group and of single contacts, and how far they are apart [m, rad, 1]."""
    group, single = (run(make, LAWS[law], h, duration, is_group=x) for x in (True, False))
    order = [group.columns["q"].index(name) for name in single.columns["q"]]
    return group, single, np.abs(group.q[:, order] - single.q).max()


@pytest.mark.parametrize(("make", "law"), EXACT)
def test_groups_take_the_steps_of_single_contacts(make, law):
    group, single, off = both(make, law, 2e-3, 0.4)
    assert off <= 1e-10  # rounding, and what solvers leave
    works = [sol.statistics.contact_work for sol in (group, single)]
    assert works[0] == pytest.approx(works[1], abs=1e-10)
    require_equal_impacts(group, single)
    require_equal_loads(group, single)


def impacts(sol):
    """Time, energy, and impulses and velocities without an order of the contacts."""
    return [
        (e.time, e.details["energy"], *(sorted(np.linalg.norm(x) for x in e.details[word])
                                        for word in ("impulses", "before", "after")))
        for e in sol.events if e.kind == "impact"
    ]  # fmt: skip


def require_equal_impacts(group, single):
    """The ledgers tell the same impacts."""
    one, other = impacts(group), impacts(single)
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        for x, y in zip(a, b, strict=True):
            np.testing.assert_allclose(x, y, atol=1e-9)


def require_equal_loads(group, single):
    """The sum of the normal forces."""
    names = [x for x in single.names() if x.endswith(".normal_force") and x.count(".") == 1]
    total = sum(single.values(name) for name in names)
    np.testing.assert_allclose(group.values("touch.normal_force"), total, atol=1e-8)


@pytest.mark.parametrize(("make", "law"), IMPACTS)
def test_impacts_of_corners_nearly_agree(make, law):
    """Open contacts of groups take part where others may close them (TS-14), single ones wait.

    Later the box lies on several corners, whose forces are not unique.
    """
    h = 2e-3
    group, single, off = both(make, law, h, 0.2)
    assert off <= 0.2 * h
    works = [sol.statistics.contact_work for sol in (group, single)]
    assert works[0] == pytest.approx(works[1], abs=h)
