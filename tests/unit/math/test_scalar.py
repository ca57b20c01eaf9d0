"""Scalar functions: numbers as numpy has them, symbols as numbers."""

from __future__ import annotations

import math
import subprocess
import sys

import casadi
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jourdain.math as jm
from jourdain.spatial.parameter import Parameter, nominal

UNARY = {
    "sin": (np.sin, -9.0, 9.0),
    "cos": (np.cos, -9.0, 9.0),
    "tan": (np.tan, -1.5, 1.5),
    "asin": (np.arcsin, -1.0, 1.0),
    "acos": (np.arccos, -1.0, 1.0),
    "atan": (np.arctan, -9.0, 9.0),
    "sinh": (np.sinh, -4.0, 4.0),
    "cosh": (np.cosh, -4.0, 4.0),
    "tanh": (np.tanh, -4.0, 4.0),
    "asinh": (np.arcsinh, -9.0, 9.0),
    "acosh": (np.arccosh, 1.0, 9.0),
    "atanh": (np.arctanh, -0.9, 0.9),
    "exp": (np.exp, -9.0, 9.0),
    "log": (np.log, 0.1, 9.0),
    "expm1": (np.expm1, -1.0, 1.0),
    "log1p": (np.log1p, -0.9, 9.0),
    "sqrt": (np.sqrt, 0.0, 9.0),
    "floor": (np.floor, -9.0, 9.0),
    "ceil": (np.ceil, -9.0, 9.0),
    "absolute": (np.abs, -9.0, 9.0),
    "sign": (np.sign, -9.0, 9.0),
}
BINARY = {
    "atan2": np.arctan2,
    "hypot": np.hypot,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "remainder": np.remainder,
    "copysign": np.copysign,
}


def on_symbols(function, *values):
    """Evaluate the graph that a function makes of symbols."""
    symbols = [casadi.SX.sym("x", *np.shape(v)) for v in values]
    graph = casadi.Function("f", symbols, [function(*symbols)])
    result = np.asarray(graph(*values))
    return result.item() if result.size == 1 else result.ravel()


def derivative(function, at):
    """Derivative of a function of one number, by differentiating its graph."""
    x = casadi.SX.sym("x")
    return float(casadi.Function("d", [x], [casadi.jacobian(function(x), x)])(at))


@pytest.mark.parametrize("name", UNARY)
def test_unary_on_floats_arrays_and_symbols(name, rng, rounding):
    expected, lower, upper = UNARY[name]
    function, x = getattr(jm, name), rng.uniform(lower, upper, 20)
    np.testing.assert_array_equal(function(x), expected(x))
    assert function(float(x[0])) == expected(x[0])
    np.testing.assert_allclose(on_symbols(function, x), expected(x), rtol=rounding(1), atol=0)


@pytest.mark.parametrize("name", BINARY)
def test_binary_on_floats_arrays_and_symbols(name, rng, rounding):
    function, expected = getattr(jm, name), BINARY[name]
    x, y = rng.uniform(-9, 9, (2, 20))
    np.testing.assert_array_equal(function(x, y), expected(x, y))
    assert function(float(x[0]), float(y[0])) == expected(x[0], y[0])
    np.testing.assert_allclose(on_symbols(function, x, y), expected(x, y), rtol=rounding(1))
    half = on_symbols(lambda s: function(s, y), x)  # a symbol with an array of numbers
    np.testing.assert_allclose(half, expected(x, y), rtol=rounding(1))


@pytest.mark.parametrize("name", [*UNARY, *BINARY, "where", "both", "clip", "smooth_step"])
def test_functions_carry_their_name_and_a_docstring(name):
    function = getattr(jm, name)
    assert function.__name__ == function.__qualname__ == name
    assert len(function.__doc__) > 20


def test_minimum_and_maximum_pass_over_nan_alike_on_numbers_and_symbols():
    for function in (jm.minimum, jm.maximum):
        assert function(math.nan, 2.0) == on_symbols(function, math.nan, 2.0) == 2.0


@given(
    x=st.floats(-1e6, 1e6),
    y=st.floats(1e-3, 1e3),
    sign=st.sampled_from((-1.0, 1.0)),
    n=st.integers(0, 9),
)
def test_remainder_is_that_of_python(x, y, sign, n):
    """The sign of y, on floats, arrays and symbols alike (A11); whole multiples give zero."""
    y *= sign
    for value in (x, n * y):
        expected = value % y
        assert jm.remainder(value, y) == expected
        assert jm.remainder(np.array([value]), y)[0] == expected
        assert on_symbols(jm.remainder, value, y) == expected


def test_an_angle_in_one_cycle():
    assert jm.remainder(-math.pi, 4 * math.pi) == pytest.approx(3 * math.pi)
    angle = Parameter("angle", -1.0)
    assert nominal(jm.remainder(angle, 4.0)) == 3.0
    assert derivative(lambda x: jm.remainder(x, 4.0), -1.0) == 1.0
    assert derivative(lambda y: jm.remainder(-1.0, y), 4.0) == 1.0


@pytest.mark.parametrize("pack", [tuple, list, np.array], ids=["tuple", "list", "object array"])
def test_sequences_that_mix_symbols_and_numbers(pack):
    def mixed(s):
        return jm.sin(pack([s, 0.5]))

    assert jm.is_symbolic(pack([casadi.SX.sym("s"), 0.5]))
    np.testing.assert_allclose(on_symbols(mixed, 0.3), np.sin([0.3, 0.5]), rtol=1e-15)


def test_is_symbolic_sees_nested_symbols_only():
    s = casadi.SX.sym("s")
    assert jm.is_symbolic(1.0, ((0, 0), (0, s)))
    assert not jm.is_symbolic(1.0, (2, [3.0]), np.ones(3), "x", None)


def test_is_symbolic_does_not_import_casadi():
    code = (
        "import sys, jourdain.math as m; s = m.is_symbolic(1.0) or m.sin(0.0);"
        "sys.exit('casadi' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_where_on_numbers_and_symbols(rng):
    x = rng.uniform(-1, 1, 20)
    expected = np.where(x < 0, -x, x * x)
    np.testing.assert_array_equal(jm.where(x < 0, -x, x * x), expected)
    np.testing.assert_array_equal(on_symbols(lambda s: jm.where(s < 0, -s, s * s), x), expected)
    assert jm.where(True, 2.0, 3.0) == 2.0
    assert np.ndim(jm.where(False, 2.0, 3.0)) == 0


def test_where_chooses_between_tuples():
    def choose(s):
        return jm.where(s > 0, (s, 1.0), (0.0, np.float64(2.0)))

    np.testing.assert_array_equal(on_symbols(choose, 3.0), [3.0, 1.0])
    np.testing.assert_array_equal(on_symbols(choose, -3.0), [0.0, 2.0])
    np.testing.assert_array_equal(choose(-3.0), [0.0, 2.0])


@pytest.mark.parametrize(("at", "expected"), [(4.0, 0.25), (-4.0, 2.0)])
def test_where_has_the_derivative_of_the_branch_taken(at, expected):
    assert derivative(lambda x: jm.where(x > 0, jm.sqrt(x), 2 * x), at) == expected


def test_the_branch_not_taken_does_not_leak_into_derivatives():
    def function(x):
        return jm.where(x > 0, jm.exp(jm.sqrt(x)) * jm.log(x), 1.0)

    x = casadi.SX.sym("x")
    first = casadi.jacobian(function(x), x)
    graph = casadi.Function("g", [x], [function(x), first, casadi.jacobian(first, x)])
    assert [float(v) for v in graph(-1.0)] == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("first", [0.0, 1.0])
@pytest.mark.parametrize("second", [0.0, 1.0])
def test_both(first, second):
    def function(a, b):
        return jm.where(jm.both(a > 0.5, b > 0.5), 1.0, 0.0)

    assert function(first, second) == on_symbols(function, first, second) == first * second


def test_clip(rng):
    x = rng.uniform(-3, 3, 20)
    np.testing.assert_array_equal(jm.clip(x, -1, 2), np.clip(x, -1, 2))
    np.testing.assert_array_equal(on_symbols(lambda s: jm.clip(s, -1, 2), x), np.clip(x, -1, 2))


@given(st.floats(-3, 3), st.floats(-3, 3))
def test_smooth_step_rises_from_zero_to_one(a, b):
    lower, upper = sorted((a, b))
    rounding = 31 * np.finfo(float).eps  # the coefficients 10, 15 and 6 cancel to 1
    assert 0.0 <= jm.smooth_step(a) <= 1.0 + rounding
    assert jm.smooth_step(lower) <= jm.smooth_step(upper) + rounding
    assert abs(jm.smooth_step(a) + jm.smooth_step(1 - a) - 1.0) <= 2 * rounding


def test_smooth_step_between_given_ends(rng):
    x = rng.uniform(1.0, 6.0, 20)
    s = np.clip((x - 2.0) / 3.0, 0, 1)
    expected = 10 * s**3 - 15 * s**4 + 6 * s**5
    np.testing.assert_allclose(jm.smooth_step(x, 2.0, 5.0), expected, atol=1e-14)
    symbols = on_symbols(lambda v: jm.smooth_step(v, 2.0, 5.0), x)
    np.testing.assert_array_equal(symbols, jm.smooth_step(x, 2.0, 5.0))


@pytest.mark.parametrize("s", [-0.5, 0.0, 0.25, 0.5, 1.0, 1.5])
def test_smooth_step_derivatives(s):
    inside = 0.0 < s < 1.0
    first = 30 * s**2 * (1 - s) ** 2 if inside else 0.0
    second = 60 * s * (1 - s) * (1 - 2 * s) if inside else 0.0
    x = casadi.SX.sym("x")
    slope = casadi.jacobian(jm.smooth_step(x), x)
    graph = casadi.Function("g", [x], [slope, casadi.jacobian(slope, x)])
    np.testing.assert_allclose([float(v) for v in graph(s)], [first, second], atol=1e-14)


@pytest.mark.parametrize("name", ["arctan2", "arcsin", "arccosh", "abs", "fmax", "logical_and"])
def test_names_of_numpy_lead_to_the_own_ones(name):
    with pytest.raises(AttributeError, match=f"has no {name!r}. Did you mean '(\\w+)'") as error:
        getattr(jm, name)
    own = str(error.value).split("'")[-2]
    assert own in jm.__all__
    given = (0.25, 0.5)[: getattr(np, name).nargs - 1]
    if name != "arccosh":
        assert getattr(jm, own)(*given) == getattr(np, name)(*given)


def test_other_names_are_refused():
    with pytest.raises(AttributeError, match=r"has no 'sqr'[.] Did you mean 'sqrt'"):
        jm.sqr  # noqa: B018
