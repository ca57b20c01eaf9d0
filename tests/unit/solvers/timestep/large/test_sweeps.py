"""Sweeps against Newton's method, on the same islands."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.solvers.timestep.large.sweeps import carry_on


def stack(n):
    """Boxes on each other beside a coordinate with dry friction: four contacts each."""
    model, size = jd.Model("stack"), (0.2, 0.2, 0.1)
    contours, start = [jd.HalfSpace(model.world)], {}
    for k in range(n):
        box = model.add_body(f"box{k}", jd.solid.box(mass=1.0 + k, size=size))
        contours.append(jd.Box(box, size))
        start[f"box{k}.position"] = (0.01 * k, 0.0, 0.05 + 0.1 * k)
    model.add_coordinate("beside", 1.0)
    model.add_contacts("stack", contours, jd.Coulomb(friction=0.4))
    return model, start


def boxes_on_a_table(is_group):
    """Three boxes on a sliding table: one island of 12 contacts, 36 rows and more."""
    model, size = jd.Model("table"), (0.2, 0.2, 0.2)
    table = model.add_body("table", jd.solid.box(mass=5.0, size=(2.0, 1.0, 0.1)))
    model.add_joint("rail", model.world, table, jd.Prismatic("x"))
    model.add_connection("spring", jd.Coordinate("rail.position"), jd.Spring(800.0))
    face, law = jd.HalfSpace(table.at(0, 0, 0.05)), jd.Coulomb(friction=0.15)
    boxes = [model.add_body(f"box{k}", jd.solid.box(mass=1.0 + k, size=size)) for k in range(3)]
    contours = [jd.Box(box, size) for box in boxes]
    if is_group:
        laws = {("table", "box"): law}
        model.add_contacts("touch", {"table": [face], "box": contours}, laws)
    else:
        for k, contour in enumerate(contours):
            model.add_contact(f"touch{k}", face, contour, law)
    start = {f"box{k}.position": (0.5 * k - 0.5, 0.0, 0.15) for k in range(3)}
    return model, {**start, "rail.velocity": 1.0}


def test_sweeps_tend_to_the_solution_with_a_matrix():
    """The contacts of the group are swept, single ones of the same island are solved by Newton."""
    sols = []
    for is_group in (True, False):
        model, start = boxes_on_a_table(is_group)
        given = {"tolerance": 1e-10, "iterations": 20000} if is_group else {}
        method = jd.MoreauJean(2e-3, **given)
        sols.append(jd.simulate(model, 0.2, start=start, method=method, sample=2e-3))
    group, single = sols
    order = [group.columns["q"].index(name) for name in single.columns["q"]]
    np.testing.assert_allclose(group.q[:, order], single.q, rtol=0, atol=1e-6)
    assert np.abs(single["box0.velocity"].values[:, 0]).max() > 0.05


def test_a_stack_of_many_contacts_carries_its_weight():
    model, start = stack(6)
    sol = jd.simulate(model, 0.1, start=start, method=jd.MoreauJean(2e-3), sample=0.02)
    weight = 9.81 * sum(1.0 + k for k in range(6))
    assert float(sol["box0.contact_force"].values[-1, 2]) == pytest.approx(9.81, rel=1e-3)
    assert float(sol["stack.normal_force"][-1]) > weight
    assert float(sol["stack.penetration"].max()) < 1e-7
    assert np.abs(sol.v[-1]).max() < 1e-5


def tumbling(law):
    """Balls and boxes that fall into a narrow box, beside a coordinate; steps of 2 ms."""
    rng, model, width = np.random.default_rng(1), jd.Model("tumbling"), 0.3
    places = [(x, y, z) for z in (0.1, 0.26, 0.42) for x in (0.08, 0.22) for y in (0.08, 0.22)]
    contours, start = [], {}
    for k, place in enumerate(places[:9]):
        solid = jd.solid.box(0.5, (0.08,) * 3) if k % 2 else jd.solid.ball(mass=0.5, radius=0.05)
        body = model.add_body(f"b{k}", solid)
        contours.append(jd.Box(body, (0.08,) * 3) if k % 2 else jd.Sphere(body, 0.05))
        start[f"b{k}.position"] = place
        quaternion = rng.normal(size=4)
        start[f"b{k}.orientation"] = quaternion / np.linalg.norm(quaternion)
    walls = [((0, 0, 0), (0, 0, 1)), ((0, 0, 0), (1, 0, 0)), ((0, 0, 0), (0, 1, 0))]
    walls += [((width, 0, 0), (-1, 0, 0)), ((0, width, 0), (0, -1, 0))]
    contours += [jd.HalfSpace(model.world.at(*point), normal) for point, normal in walls]
    model.add_coordinate("beside", 1.0)
    model.add_contacts("pile", contours, law)
    return jd.simulate(model, 0.8, start=start, method=jd.MoreauJean(2e-3), sample=0.05)


def test_contacts_that_last_are_no_impacts():
    """Across a wall gravity gives no velocity: what sweeps leave there is no impact."""
    sol = tumbling(jd.Coulomb(friction=0.4))
    speeds = [max(-before[0] for before in event.details["before"]) for event in sol.events]
    assert len(speeds) > 5
    assert min(speeds) > 1e-3


def test_elliptic_islands_that_newton_leaves_are_swept():
    """With a matrix alone, steps take some 10 ms; all that is lost is told."""
    sol = tumbling(jd.Coulomb(friction=(0.5, 0.3)))
    assert np.all(np.diff(sol["energy.total"].values) <= 1e-6)
    assert max(event.details["residual"] for event in sol.events) <= 1e-2


def test_momentum_shortens_slow_sweeps():
    """A chain of thirty springs: sweeps along it creep, and the momentum carries them on."""

    def sweeps(has_momentum):
        y, n, theta, size = np.zeros(30), 30, 1.0, np.array([1e300])
        start, last = np.zeros(n), np.zeros(n)
        for count in range(1, 4000):
            start[:] = y
            for i in range(n):
                left, right = (y[i - 1] if i else 0.0), (y[i + 1] if i < n - 1 else 1.0)
                y[i] = 0.5 * (left + right)
            if np.abs(y - np.arange(1, n + 1) / (n + 1)).max() < 1e-8:
                return count
            if has_momentum:
                theta = carry_on(n, theta, np.ones(n), start, last, y, size)
        raise AssertionError

    assert 4 * sweeps(True) < sweeps(False)
