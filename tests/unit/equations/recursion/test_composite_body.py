"""The mass matrix against closed forms and against products with unit vectors."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.recursion.composite_body import (
    MULTIPLY,
    entries,
    forward,
    mass_matrix,
    solve,
    state,
)
from jourdain.equations.recursion.links import build_links
from jourdain.equations.recursion.newton_euler import INVERSE
from jourdain.equations.recursion.sweeps import lay_out, run
from jourdain.topology import build

GRAVITY = np.array((0, 0, -9.81))


def prepared(model):
    links = build_links(model, build(model), {}, share=False)
    return links, lay_out(links, range(len(links)), list(model.bodies))


def inputs_of(layout, rng):
    names = {"q": layout.n_q, "v": layout.n_v, "tau": layout.n_v}
    numbers = {name: rng.uniform(-1, 1, size) for name, size in names.items()}
    return numbers | {"t": 0.0} | dict.fromkeys(("e", "e1", "e2"), np.zeros(0))


@pytest.fixture
def arm():
    """Two hinges about z with rods of 2 kg, 1 m and 3 kg, 0.5 m."""
    model = jd.Model("arm")
    upper = model.add_body("upper", jd.solid.rod(mass=2.0, end=(1, 0, 0)))
    lower = model.add_body("lower", jd.solid.rod(mass=3.0, end=(0.5, 0, 0)))
    model.add_joint("shoulder", model.world, upper, jd.Revolute("z"))
    model.add_joint("elbow", upper.at(1, 0, 0), lower, jd.Revolute("z"))
    return prepared(model)


@pytest.fixture
def tree():
    """Two branches on one body."""
    model = jd.Model("tree")
    bodies = [
        model.add_body(name, jd.Inertia(1.0 + k, (0.1, 0.2, 0.3), (0.4, 0.5, 0.6)))
        for k, name in enumerate("abcd")
    ]
    a, b, c, d = bodies
    model.add_joint("to_a", model.world, a, jd.Planar())
    model.add_joint("to_b", a.at(0.5, 0, 0), b, jd.Gimbal())
    model.add_joint("to_c", a.at(0, 0.5, 0), c.at(0, 0, 0.1), jd.Cylindrical("x"))
    model.add_joint("to_d", d, c.at(0.2, 0, 0), jd.Universal("x", "y"))
    return prepared(model)


def test_mass_matrix_of_two_rods(arm, rng):
    inputs = inputs_of(arm[1], rng) | {"q": np.array((0.3, 0.9))}
    M = mass_matrix(*arm, inputs, GRAVITY)
    c = np.cos(0.9)
    outer = 3.0 * 0.25 / 3
    coupling = outer + 3.0 * 0.25 * c
    inner = 2.0 / 3 + 3.0 * 1.0 + outer + 2 * 3.0 * 0.25 * c
    np.testing.assert_allclose(M, [[inner, coupling], [coupling, outer]])


def test_columns_are_products_with_unit_vectors(tree, rng):
    links, layout = tree
    inputs = inputs_of(layout, rng)
    M = mass_matrix(*tree, inputs, GRAVITY)
    columns = [
        np.concatenate(run(MULTIPLY, *tree, inputs | {"vdot": unit}, GRAVITY)["tau"])
        for unit in np.eye(layout.n_v)
    ]
    order = np.concatenate(
        [np.arange(s, s + k.n_v) for s, k in zip(layout.v_start, links, strict=True)]
    )
    np.testing.assert_allclose(M[:, order], np.array(columns), atol=1e-14)
    assert np.linalg.eigvalsh(M).min() > 0.0


def test_branches_do_not_couple(tree, rng):
    links, layout = tree
    M = entries(*tree, inputs_of(layout, rng), GRAVITY)
    start = dict(zip((link.name for link in links), layout.v_start, strict=True))
    assert (start["c"], start["b"]) not in M
    assert (start["b"], start["c"]) not in M
    assert (start["c"], start["a"]) in M


def test_forward_solves_the_equations_of_motion(tree, rng):
    _, layout = tree
    inputs = inputs_of(layout, rng)
    found = state(*tree, inputs, GRAVITY)
    vdot = np.zeros(layout.n_v)
    for start, part in zip(layout.v_start, found["vdot"], strict=True):
        vdot[start : start + len(part)] = part
    torques = run(INVERSE, *tree, inputs | {"vdot": vdot}, GRAVITY)["tau"]
    for start, part in zip(layout.v_start, torques, strict=True):
        np.testing.assert_allclose(part, inputs["tau"][start : start + len(part)], atol=1e-12)
    again = forward(*tree, inputs, GRAVITY)["vdot"]
    for a, b in zip(again, found["vdot"], strict=True):
        np.testing.assert_array_equal(a, b)


def test_solve_is_the_inverse_of_a_matrix():
    A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
    M = {(i, j): A[i, j] for i in range(3) for j in range(i + 1)}
    x = {0: 1.0, 1: 2.0, 2: 3.0}
    solve(M, x, [0, 1, 2], {0: [], 1: [0], 2: [0, 1]})
    np.testing.assert_allclose([x[k] for k in range(3)], np.linalg.solve(A, (1.0, 2.0, 3.0)))
