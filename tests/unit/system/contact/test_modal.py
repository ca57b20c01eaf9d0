"""Loops over modes give what expressions with modes give."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.contact.contact_points import MODE
from jourdain.system.contact import modal
from jourdain.system.contact.kernels import ContactKernels
from jourdain.system.contact.modal import ModalKernels, contact_kernels

NAMES = ("rates", "contact_forces", "indicators", "projection")


def mode(closed=0.0, sticks=0.0, x=0.0, y=0.0, slacks=(0.0, 0.0), force=0.0, rests=0.0):
    return (closed, sticks, x, y, *slacks, force, rests)


OPEN, STICK = mode(slacks=(1e-10, 0.0)), mode(1.0, 1.0)


@pytest.fixture(scope="module")
def both():
    """A box with two corners on the ground, a stop, a one-way clutch and a brake."""
    model = jd.Model("box")
    box = model.add_body("box", jd.solid.box(mass=1.0, size=(0.2, 0.3, 0.1)))
    for k, friction in enumerate((0.4, (0.3, 0.5))):
        corner = jd.Point(box.at(0.1, 0.15 - 0.3 * k, -0.05))
        ground = jd.HalfSpace(model.world)
        model.add_contact(f"corner_{k}", ground, corner, jd.Coulomb(friction))
    reach = jd.Distance(model.world.at(1, 1, 1), box)
    model.add_connection("rope", reach, jd.Unilateral(2.0, "below"))
    model.add_connection("brake", reach, jd.Interval(lambda x, v: 2.0 + 0.1 * v * v))
    model.add_coordinate("wheel", 2.0)
    ahead = jd.Formula(speed=lambda at: at.velocity("wheel"), unit="rad")
    model.add_connection("ratchet", ahead, jd.Unilateral())
    system = jd.compile(model)
    arguments = system, {}, {}, {"low": lambda t, s: s["box.position.z"] - 0.1 * t}
    return ContactKernels(*arguments), ModalKernels(*arguments), system


def slide(angle):
    return mode(1.0, 0.0, np.cos(angle), np.sin(angle))


MODES = {
    "all_open": (OPEN, OPEN, OPEN, mode(x=1.0), OPEN),
    "one_sticks": (STICK, OPEN, OPEN, mode(sticks=1.0), OPEN),
    "one_slides": (slide(1.0), OPEN, mode(1.0), mode(x=-1.0), OPEN),
    "both_slide": (slide(2.0), slide(-1.0), OPEN, mode(x=1.0), mode(1.0)),
    "stick_and_slide": (STICK, slide(4.0), OPEN, mode(x=1.0), mode(1.0)),
    "given_forces": (
        mode(1.0, 1.0, 0.2, -0.3, (0.1, 0.2), 3.0), mode(0.0, 0.0, 0.1, 0.4, (0.3, 0.4), 2.0, 1.0),
        mode(force=1.5, rests=1.0), mode(sticks=1.0, x=-0.4, slacks=(0.0, 0.5)),
        mode(1.0, force=0.7),
    ),
}  # fmt: skip


@pytest.mark.parametrize("modes", MODES.values(), ids=MODES)
@pytest.mark.parametrize("name", NAMES)
def test_both_forms_agree(both, modes, name, rng):
    graph, loops, system = both
    q, v = system.state()
    q, v = q + 0.1 * rng.standard_normal(len(q)), rng.standard_normal(len(v))
    u = np.array(modes, dtype=float).ravel()
    expected = getattr(graph, name)(q, v, u, 0.3, np.zeros(0))
    found = getattr(loops, name)(q, v, u, 0.3, np.zeros(0))
    for a, b in zip(expected, found, strict=True):
        np.testing.assert_allclose(b, a, atol=1e-11 * (1.0 + np.abs(a).max()))


@pytest.mark.parametrize("modes", MODES.values(), ids=MODES)
def test_tangents_of_both_forms_agree_with_each_other_and_with_differences(both, modes, rng):
    graph, loops, system = both
    q, v = system.state()
    q, v = q + 0.1 * rng.standard_normal(len(q)), rng.standard_normal(len(v))
    u, p = np.array(modes, dtype=float).ravel(), np.zeros(0)
    tangent = loops._tangent_of(loops._x, loops._found(*modal._ROWS, with_modes=False))
    for _ in range(3):
        dq, dv = rng.standard_normal(len(q)), rng.standard_normal(len(v))
        found = tangent(q, v, u, 0.3, p, dq, dv)
        expected = graph.tangent(q, v, u, 0.3, p, dq, dv)
        h = 1e-6
        ahead, behind = (graph.rates(q + s * dq, v + s * dv, u, 0.3, p) for s in (h, -h))
        for a, b, x, y in zip(found, expected, ahead, behind, strict=True):
            size = 1.0 + np.abs(b).max()
            np.testing.assert_allclose(a, b, atol=1e-9 * size)
            np.testing.assert_allclose(a, (x - y) / (2 * h), atol=1e-6 * size)


def test_direction_of_sliding_goes_on_beyond_zero(both):
    """Against the way of its mode the friction stays what it was."""
    graph, loops, system = both
    q, v = system.state()
    v[:3] = (-0.1, 1e-3, 0.0)
    u = np.array(MODES["one_slides"][:1] + MODES["all_open"][1:], dtype=float)
    u[0, 2:4] = (1.0, 0.0)
    expected = graph.contact_forces(q, v, u.ravel(), 0.0, np.zeros(0))[0]
    np.testing.assert_allclose(
        loops.contact_forces(q, v, u.ravel(), 0.0, np.zeros(0))[0], expected, atol=1e-12
    )


@pytest.mark.parametrize("form", [0, 1], ids=["graph", "loops"])
def test_what_begins_to_slide_rubs_against_the_way_of_its_mode(both, form):
    """Before it moves, its velocity is rounding of any direction."""
    kernels, system = both[form], both[2]
    q, v = system.state()
    u = np.array((slide(0.7), *MODES["all_open"][1:]), dtype=float).ravel()
    for rounding in ((0.0, 0.0, 0.0), (1e-16, -1e-16, 0.0), (-3e-12, 4e-12, 0.0)):
        v[:3] = rounding
        N, *friction = kernels.contact_forces(q, v, u, 0.0, np.zeros(0))[0][:3]
        expected = -0.4 * N * np.array([np.cos(0.7), np.sin(0.7)])
        np.testing.assert_allclose(friction, expected, rtol=1e-9)
        assert N > 0.1


def box_on(model, law):
    box = model.add_body("box", jd.solid.box(mass=1.0, size=(0.2, 0.2, 0.1)))
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Box(box, (0.2, 0.2, 0.1)), law)
    return box


def test_four_corners_share_the_weight():
    model = jd.Model("box")
    box_on(model, jd.Coulomb(0.4))
    system = jd.compile(model)
    kernels = contact_kernels(system, {}, {}, {})
    assert isinstance(kernels, ModalKernels)
    q, v = system.state({"box.position": (0, 0, 0.05)})
    rows = kernels.rows(q, v, np.zeros(8 * MODE), 0.0, np.zeros(0))
    modes = np.where(np.abs(rows[0])[:, None] < 1e-12, STICK, OPEN)
    forces = kernels.contact_forces(q, v, modes.ravel(), 0.0, np.zeros(0))[0].reshape(8, 3)
    carried = np.where(np.abs(rows[0]) < 1e-12, 9.81 / 4, 0.0)
    np.testing.assert_allclose(forces[:, 0], carried, atol=1e-6)
    np.testing.assert_allclose(forces[:, 1:], 0.0, atol=1e-6)
    qdot, vdot = kernels.rates(q, v, modes.ravel(), 0.0, np.zeros(0))
    np.testing.assert_allclose(vdot, 0.0, atol=1e-12)


def test_few_rows_other_constraints_and_laws_that_ask_stay_in_graphs():
    few = jd.Model("few")
    few.add_coordinate("x", 1.0)
    few.add_connection("stop", jd.Coordinate("x"), jd.Unilateral())
    held = jd.Model("held")
    box = box_on(held, jd.Coulomb(0.4))
    held.add_connection("bar", jd.Distance(held.world.at(0, 0, 1), box), jd.Equal(0.5))
    asking = jd.Model("asking")
    box_on(asking, jd.Coulomb(0.4))
    asking.add_coordinate("wheel", 1.0)
    brake = jd.Interval(lambda x, v, at: 0.1 * at.multiplier("floor.1"))
    asking.add_connection("brake", jd.Coordinate("wheel"), brake)
    rolling = jd.Model("rolling")
    box_on(rolling, jd.Coulomb(0.4, rolling=0.01))
    for model in (few, held, asking, rolling):
        kernels = contact_kernels(jd.compile(model), {}, {}, {})
        assert type(kernels) is ContactKernels


def kinked(n, stiffness=100.0):
    """Masses with friction and springs that act on one side only."""
    model = jd.Model("kinked", gravity=(0.0, 0.0, 0.0))
    for k in range(n):
        model.add_coordinate(f"x{k}", 1.0 + 0.1 * k, unit="m")
        law = jd.Law(lambda x, v: -stiffness * jd.maximum(x, 0.0))
        model.add_connection(f"spring{k}", jd.Coordinate(f"x{k}"), law)
        model.add_connection(f"dry{k}", jd.Coordinate(f"x{k}"), jd.Interval(0.5 + 0.02 * k))
    return model


@pytest.mark.parametrize("n", [4, 14])
def test_kinks_are_watched_in_loops(n):
    """Fourteen rows in loops move as each of them alone, and stop at kinks as those do."""
    start = {f"x{k}.rate": 1.0 + 0.05 * k for k in range(n)}
    many = jd.simulate(kinked(n), 1.0, start=start)
    assert many.statistics.kinks > 0
    assert many.statistics.unwatched_kinks == 0
    for k in (0, n - 1):
        model = jd.Model("alone", gravity=(0.0, 0.0, 0.0))
        model.add_coordinate("x", 1.0 + 0.1 * k, unit="m")
        spring = jd.Law(lambda x, v: -100.0 * jd.maximum(x, 0.0))
        model.add_connection("spring", jd.Coordinate("x"), spring)
        model.add_connection("dry", jd.Coordinate("x"), jd.Interval(0.5 + 0.02 * k))
        alone = jd.simulate(model, 1.0, start={"x.rate": 1.0 + 0.05 * k})
        np.testing.assert_allclose(many.q[-1, k], alone.q[-1, 0], atol=1e-9)


def test_implicit_methods_serve_few_rows_in_loops():
    start = {f"x{k}.rate": 1.0 + 0.05 * k for k in range(5)}
    explicit = jd.simulate(kinked(5), 0.5, start=start)
    implicit = jd.simulate(kinked(5), 0.5, start=start, method=jd.Radau5(rtol=1e-10))
    np.testing.assert_allclose(implicit.q[-1], explicit.q[-1], atol=1e-8)
