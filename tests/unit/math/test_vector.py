"""Small vectors, matrices and rotations, on numbers and on symbols."""

from __future__ import annotations

import casadi
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import jourdain.math as jm
from jourdain.errors import ModelError

sizes = st.integers(-10_000, 10_000).map(lambda k: k / 1000)  # no underflow in products
vectors = st.tuples(sizes, sizes, sizes)
angles = st.floats(-7, 7)
EPS = np.finfo(float).eps


def unit(v):
    assume(np.linalg.norm(v) > 1e-3)
    return np.asarray(v) / np.linalg.norm(v)


def on_symbols(function, *values):
    """Evaluate the graph that a function makes of symbols; columns become vectors."""
    symbols = [casadi.SX.sym("x", *np.shape(v)) for v in values]
    result = np.asarray(casadi.Function("f", symbols, [function(*symbols)])(*values))
    return result.ravel() if result.shape[1] == 1 else result


@pytest.mark.parametrize("value", [0.5, np.float64(0.5), np.array(0.5)])
def test_vector_of_numbers(value):
    assert jm.vector(1, 2.0, value).tolist() == [1.0, 2.0, 0.5]
    assert jm.vector((1, 2.0, value)).tolist() == [1.0, 2.0, 0.5]
    assert jm.vector(value).tolist() == [0.5]
    assert jm.vector(np.ones((3, 1))).shape == (3,)


@pytest.mark.parametrize("number", [2, 2.0, True, np.float64(2.0), np.int64(2), np.array(2.0)])
def test_vector_mixes_symbols_and_any_number(number):
    for pack in (
        lambda s: jm.vector(s, number, 0),
        lambda s: jm.vector((s, number, 0)),
        lambda s: jm.vector([0, number, s])[[2, 1, 0]],
        lambda s: jm.vector(np.array([s, number, 0])),
    ):
        np.testing.assert_array_equal(on_symbols(pack, 0.3), [0.3, float(number), 0.0])


def test_vector_makes_a_column_of_any_symbol():
    row, column = casadi.SX.sym("r", 1, 3), casadi.SX.sym("c", 3)
    assert jm.vector(row).shape == jm.vector(column).shape == (3, 1)
    M = np.array([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(on_symbols(jm.vector, M), jm.vector(M))


@pytest.mark.parametrize(
    "rows",
    [
        lambda s: ((s, 0, 1), (2.0, np.float64(3), s)),
        lambda s: [[s, 0, 1], (2.0, 3, s)],
        lambda s: (jm.vector(s, 0, 1), (2.0, 3, s)),
        lambda s: (jm.vector(s, 0, 1).T, (2.0, 3, s)),
        lambda s: ((s, 0, 1), np.array([2.0, 3.0, 0.3])),
        lambda s: (np.array([s, 0, 1]), (2, 3, s)),
        lambda s: np.array([[s, 0, 1], [2, 3, s]]),
    ],
)
def test_matrix_mixes_symbols_and_numbers(rows):
    expected = [[0.3, 0, 1], [2, 3, 0.3]]
    np.testing.assert_array_equal(on_symbols(lambda s: jm.matrix(rows(s)), 0.3), expected)
    np.testing.assert_array_equal(jm.matrix(rows(0.3)), expected)


def test_matrix_leaves_a_symbol_matrix_alone():
    M = casadi.SX.sym("M", 3, 2)
    assert jm.matrix(M) is M


def test_concatenate():
    expected = [1.0, 2.0, 0.3, 5.0, 6.0]

    def stacked(s):
        return jm.concatenate((1, 2), s, np.array([5.0, 6.0]))

    np.testing.assert_array_equal(stacked(0.3), expected)
    np.testing.assert_array_equal(on_symbols(stacked, 0.3), expected)
    tuples = on_symbols(lambda s: jm.concatenate((1, 2), (s, 5.0), 6), 0.3)
    np.testing.assert_array_equal(tuples, expected)


def test_columns():
    def beside(s):
        return jm.columns((s, 2), jm.vector(3, 4), np.array([[5.0, 6.0], [7.0, 8.0]]))

    expected = [[0.3, 3, 5, 6], [2, 4, 7, 8]]
    np.testing.assert_array_equal(beside(0.3), expected)
    np.testing.assert_array_equal(on_symbols(beside, 0.3), expected)


@given(vectors, vectors)
def test_products_are_those_of_numpy(a, b):
    bound = 4 * EPS * np.linalg.norm(a) * np.linalg.norm(b)
    assert abs(jm.dot(a, b) - np.dot(a, b)) <= bound
    np.testing.assert_allclose(jm.cross(a, b), np.cross(a, b), rtol=0, atol=bound)
    np.testing.assert_allclose(jm.skew(a) @ jm.vector(b), jm.cross(a, b), rtol=0, atol=bound)
    np.testing.assert_allclose(jm.norm(a), np.linalg.norm(a), rtol=1e-15)


def skew_product(a, b):
    return jm.skew(a) @ jm.vector(b)


@pytest.mark.parametrize("function", [jm.dot, jm.cross, skew_product])
@given(a=vectors, b=vectors)
def test_products_on_symbols_are_those_on_numbers(function, a, b):
    bound = 8 * EPS * np.linalg.norm(a) * np.linalg.norm(b)
    for symbolic in (on_symbols(function, a, b), on_symbols(lambda s: function(a, s), b)):
        np.testing.assert_allclose(symbolic, np.ravel(function(a, b)), rtol=0, atol=bound)


@given(vectors)
def test_norm_on_symbols(a):
    np.testing.assert_allclose(on_symbols(jm.norm, a).item(), jm.norm(a), rtol=1e-15)


@given(vectors, vectors, vectors)
def test_vector_identities(a, b, c):
    size = np.linalg.norm(a) * np.linalg.norm(b) * np.linalg.norm(c)
    triple = jm.cross(a, jm.cross(b, c))
    expected = jm.dot(a, c) * jm.vector(b) - jm.dot(a, b) * jm.vector(c)
    np.testing.assert_allclose(triple, expected, rtol=0, atol=16 * EPS * size)
    spat = jm.dot(jm.cross(a, b), c)
    assert abs(spat - jm.dot(a, jm.cross(b, c))) <= 16 * EPS * size
    np.testing.assert_array_equal(jm.cross(a, b), -jm.cross(b, a))


@given(vectors)
def test_axial_undoes_skew(a):
    np.testing.assert_array_equal(jm.axial(jm.skew(a)), a)
    np.testing.assert_array_equal(jm.skew(a), -jm.skew(a).T)
    np.testing.assert_array_equal(on_symbols(lambda s: jm.axial(jm.skew(s)), a), a)
    symmetric = jm.skew(a) @ jm.skew(a)
    np.testing.assert_array_equal(jm.axial(symmetric.tolist()), np.zeros(3))


@given(vectors, angles)
def test_rotation_is_orthonormal_and_keeps_its_axis(v, angle):
    axis = unit(v)
    R = jm.rotation(axis, angle)
    np.testing.assert_allclose(R @ R.T, np.eye(3), rtol=0, atol=16 * EPS)
    assert abs(np.linalg.det(R) - 1.0) <= 16 * EPS
    np.testing.assert_allclose(R @ axis, axis, rtol=0, atol=8 * EPS)
    np.testing.assert_allclose(jm.axial(R), np.sin(angle) * axis, rtol=0, atol=8 * EPS)
    assert abs(np.trace(R) - 1.0 - 2.0 * np.cos(angle)) <= 8 * EPS


@given(vectors, angles)
def test_rotations_on_symbols_are_those_on_numbers(v, angle):
    axis = unit(v)
    expected = jm.rotation(axis, angle)
    for symbolic in (
        on_symbols(jm.rotation, axis, angle),
        on_symbols(lambda s: jm.rotation(tuple(axis), s), angle),
        on_symbols(lambda s: jm.rotation((s, axis[1], axis[2]), angle), axis[0]),
    ):
        np.testing.assert_allclose(symbolic, expected, rtol=0, atol=8 * EPS)


@pytest.mark.parametrize(("name", "axis"), list(zip("xyz", np.eye(3), strict=True)))
def test_named_axes(name, axis, rng):
    angle = rng.uniform(-3, 3)
    R = getattr(jm, f"rotation_{name}")(angle)
    np.testing.assert_array_equal(jm.rotation(name, angle), R)
    np.testing.assert_allclose(jm.rotation(axis, angle), R, rtol=0, atol=2 * EPS)
    np.testing.assert_allclose(on_symbols(lambda s: jm.rotation(name, s), angle), R, rtol=1e-15)


def test_positive_rotations_follow_the_right_hand():
    x, y, z = np.eye(3)
    for R, before, after in (
        (jm.rotation_x(np.pi / 2), y, z),
        (jm.rotation_y(np.pi / 2), z, x),
        (jm.rotation_z(np.pi / 2), x, y),
    ):
        np.testing.assert_allclose(R @ before, after, rtol=0, atol=EPS)


@given(vectors, angles, angles)
def test_turns_about_one_axis_add(v, first, second):
    axis = unit(v)
    product = jm.rotation(axis, first) @ jm.rotation(axis, second)
    np.testing.assert_allclose(product, jm.rotation(axis, first + second), rtol=0, atol=32 * EPS)


def test_the_derivative_of_a_rotation_is_the_skew_matrix_of_its_axis():
    axis, angle = (0.36, 0.48, 0.8), casadi.SX.sym("angle")
    R = jm.rotation(axis, angle)
    rate = casadi.jacobian(R, angle).reshape((3, 3)) @ R.T
    value = np.asarray(casadi.Function("w", [angle], [rate])(0.7))
    np.testing.assert_allclose(value, jm.skew(axis), rtol=0, atol=8 * EPS)


@given(vectors, angles, st.floats(0.1, 10))
def test_quaternion_of_any_length_makes_the_same_rotation(v, angle, length):
    axis = unit(v)
    e = length * jm.concatenate(np.cos(angle / 2), np.sin(angle / 2) * axis)
    R = jm.rotation(axis, angle)
    np.testing.assert_allclose(jm.rotation_quaternion(e), R, rtol=0, atol=16 * EPS)
    symbolic = on_symbols(jm.rotation_quaternion, e)
    np.testing.assert_allclose(symbolic, R, rtol=0, atol=16 * EPS)


@given(st.tuples(sizes, sizes, sizes, sizes), st.tuples(sizes, sizes, sizes, sizes))
def test_product_of_quaternions_composes_rotations(a, b):
    a, b = unit(a), unit(b)
    ab = jm.quaternion_product(a, b)
    composed = jm.rotation_quaternion(a) @ jm.rotation_quaternion(b)
    np.testing.assert_allclose(jm.rotation_quaternion(ab), composed, rtol=0, atol=64 * EPS)
    np.testing.assert_allclose(np.linalg.norm(ab), 1.0, rtol=16 * EPS)
    symbolic = on_symbols(jm.quaternion_product, a, b)
    np.testing.assert_allclose(symbolic, ab, rtol=0, atol=8 * EPS)


def test_units_of_the_quaternions():
    one, i, j, k = np.eye(4)
    np.testing.assert_array_equal(jm.quaternion_product(i, j), k)
    np.testing.assert_array_equal(jm.quaternion_product(j, i), -k)
    np.testing.assert_array_equal(jm.quaternion_product(i, i), -one)


@pytest.mark.parametrize(
    ("axis", "message"),
    [
        ("w", r"there is no axis 'w'. Use 'x', 'y', 'z' or a unit vector"),
        ((1, 1, 0), r"axis \(1.0, 1.0, 0.0\) has the length 1.414213562, not 1"),
        ((np.nan, 1, 0), r"has the length nan, not 1"),
        ((1.0, 0.0), r"an axis has 3 components, this one has 2: \[1.0, 0.0\]"),
    ],
)
def test_axes_that_are_none(axis, message):
    with pytest.raises(ModelError, match=message):
        jm.rotation(axis, 0.5)


def test_axis_vector():
    assert [jm.axis_vector(k).tolist() for k in "xyz"] == np.eye(3).tolist()
    assert jm.axis_vector((0.0, 0.6, 0.8)).tolist() == [0.0, 0.6, 0.8]
    with pytest.raises(ModelError, match="there is no axis 'w'"):
        jm.axis_vector("w")


def test_block_diagonal():
    def blocks(s):
        return jm.block_diagonal(((s, 2.0),), np.array([[3.0], [4.0]]), ((s,),))

    expected = [[0.3, 2, 0, 0], [0, 0, 3, 0], [0, 0, 4, 0], [0, 0, 0, 0.3]]
    np.testing.assert_array_equal(blocks(0.3), expected)
    np.testing.assert_array_equal(on_symbols(blocks, 0.3), expected)
