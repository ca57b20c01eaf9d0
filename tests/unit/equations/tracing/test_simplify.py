"""Simplified expressions have the same value and are not longer."""

import casadi as ca
import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.tracing.simplify import simplify
from jourdain.testing.joints.kinds import Tilt

x, y, z = ca.SX.sym("x"), ca.SX.sym("y"), ca.SX.sym("z")


def value(expression, at):
    return ca.Function("f", [x, y, z], [expression])(*at).full()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (ca.sin(x) ** 2 + ca.cos(x) ** 2, 1),
        (ca.cos(x) * ca.sin(x) ** 2 + ca.cos(x) ** 3, ca.cos(x)),
        (x * y - y * x, 0),
        ((x * x + y * y) / (x * x + y * y), 1),
        ((x * x + 2 * x * y + y * y) / (x + y) / (x + y), 1),
        (2 * x - x - x, 0),
        (-x + x, 0),
        ((ca.exp(x) + 1) * ca.exp(x) - ca.exp(x) * ca.exp(x), ca.exp(x)),
        (ca.sin(x + y) ** 2 + ca.cos(y + x) ** 2, 1),
        (0.5 * x + 0.5 * x, x),
    ],
)
def test_identities_are_found(expression, expected):
    found = simplify(ca.SX(expression))
    assert ca.is_equal(ca.SX(found), ca.SX(expected), 3)


EXPRESSIONS = {
    "rational": (x + y) * (x - y) / (1 + z * z) - x / (1 + z * z),
    "roots": ca.sqrt(x * x + 1) * ca.sqrt(x * x + 1) + ca.hypot(x, y),
    "angles": ca.atan2(y, x) + ca.asin(z / 9) * ca.sin(x) ** 3,
    "choice": ca.if_else(x > y, x * x, y) * ca.fmin(x, z) + ca.fmax(x, 0.1),
    "powers": x**3 + x**0.5 * ca.log(y) + ca.fmod(z, x) + ca.floor(z) + ca.sign(z) * ca.fabs(z),
    "signs": ca.copysign(x, z) + ca.tanh(y) + ca.erf(x),
    "logic": ca.logic_and(x > 0, y > 0) * x + (x == y) + (x != y) + (x <= y) * z,
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_values_stay(name, rng):
    expression = ca.SX(EXPRESSIONS[name])
    found = simplify(expression)
    for _ in range(5):
        at = rng.uniform(0.3, 2.0, 3)
        np.testing.assert_allclose(value(found, at), value(expression, at), rtol=1e-13)


def test_the_shape_stays():
    matrix = ca.blockcat([[x, y - y], [ca.SX(1), x * y]])
    found = simplify(matrix)
    assert found.shape == (2, 2)
    np.testing.assert_array_equal(value(found, (2, 3, 0)), [[2, 0], [1, 6]])
    assert simplify(ca.SX(6, 0)).shape == (6, 0)


def test_nothing_gets_longer(rng):
    for expression in (*EXPRESSIONS.values(), (x + y) ** 2, (x + y) * (x + z) * (y + z)):
        assert ca.n_nodes(simplify(ca.SX(expression))) <= ca.n_nodes(ca.SX(expression))


def test_constants_are_rounded_to_whole_numbers():
    third = x / 3 + x / 3 + x / 3
    assert ca.is_equal(ca.SX(simplify(third)), x, 2)


def test_hard_expressions_are_left_alone():
    """Work is bounded: a long product comes back as it is, and soon."""
    product = ca.SX(1)
    for k in range(24):
        product = product * (x + ca.sin(k * y) + ca.cos(k * z) + k)
    assert ca.is_equal(ca.SX(simplify(product)), ca.densify(product))


def test_free_modes_of_tilt_are_the_axes():
    """A rational kind whose mode vectors are the identity after all cancels."""
    free = jd.mode_vectors(Tilt(), (0.3, 0.2, -0.4)).free
    np.testing.assert_allclose(free[:3], np.eye(3), atol=1e-14)
