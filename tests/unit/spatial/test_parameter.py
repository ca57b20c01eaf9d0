"""Parameters and their arithmetic."""

import operator
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jourdain import math
from jourdain.errors import ModelError
from jourdain.spatial.parameter import (
    Parameter,
    evaluate,
    nominal,
    parameters_in,
    values_in_force,
)

A, B = Parameter("a", 2.0, "m"), Parameter("b", 3.0, "kg")


@pytest.mark.parametrize(
    "function", [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]
)
@given(x=st.floats(0.5, 4.0), y=st.floats(0.5, 4.0))
def test_arithmetic_is_that_of_numbers(function, x, y):
    values = {"a": x, "b": y}
    assert evaluate(function(A, B), values) == function(x, y)
    assert evaluate(function(A, y), values) == function(x, y)
    if function is not operator.pow:
        assert evaluate(function(np.float64(x), B), values) == function(x, y)
    assert evaluate(-function(A, B), values) == -function(x, y)


def test_nested_tuples_are_evaluated_in_place():
    nested = (1.0, (A, [2 * B]), "text")
    assert evaluate(nested, {"a": 5.0, "b": 7.0}) == (1.0, (5.0, [14.0]), "text")
    assert nominal(nested) == (1.0, (2.0, [6.0]), "text")
    assert list(parameters_in(nested)) == [A, B]


def test_text_shows_the_arithmetic():
    assert str(-(A + B) * 2 / A**2) == "((-(a + b)) * 2) / (a ** 2)"


def test_equality_is_by_content():
    assert Parameter("a", 2.0, "m") == A
    assert Parameter("a", 2.5, "m") != A
    assert 2 * A == 2 * Parameter("a", 2.0, "m")
    assert A != 2.0


@pytest.mark.parametrize("name", ["", "a b", "a..b", ".a", "a.", "1a", "a.b c", None])
def test_name_must_be_an_identifier(name):
    with pytest.raises(ModelError, match="is not an identifier"):
        Parameter(name, 1.0)


@pytest.mark.parametrize("name", ["oil.diameter", "cylinder.0.bore", "a.b.c"])
def test_names_of_groups_stand_before_it(name):
    assert str(2 * Parameter(name, 1.0)) == f"2 * {name}"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, "1", None, 1j])
def test_value_must_be_a_number(value):
    with pytest.raises(ModelError, match=r"parameter 'a' has the value .*: give a number"):
        Parameter("a", value)


def test_parameter_is_no_plain_number():
    with pytest.raises(ModelError, match=r"no plain number.*parameter\.value"):
        float(A)


def test_values_in_force_replace_parameters_in_functions():
    ca = pytest.importorskip("casadi")
    t, symbol = ca.SX.sym("t"), ca.SX.sym("symbol")

    def motion(t):
        return B * math.sin(A * t) + t * A

    with values_in_force({"a": symbol, "b": 3.0}):
        traced = ca.Function("motion", [t, symbol], [motion(t)])
    with values_in_force({"a": 0.5, "b": 3.0}):
        computed = motion(2.0)
    assert computed == pytest.approx(3.0 * np.sin(1.0) + 1.0, rel=1e-15)
    assert float(traced(2.0, 0.5)) == pytest.approx(computed, rel=1e-15)
    assert str(A * 2.0) == "a * 2.0"


def test_inner_values_come_into_force_and_go():
    with values_in_force({"a": 1.0}):
        with values_in_force({"a": 2.0}):
            assert A + 1 == 3.0
        assert A + 1 == 2.0
    assert str(A + 1) == "a + 1"


def test_functions_of_parameters_wait_for_values():
    expression = 2.0 * math.sin(A) + math.atan2(1.0, B) - math.clip(A * B, 0.0, 5.0)
    for a, b in ((0.3, 0.7), (2.0, 3.0)):
        wanted = 2.0 * np.sin(a) + np.arctan2(1.0, b) - min(a * b, 5.0)
        assert evaluate(expression, {"a": a, "b": b}) == pytest.approx(wanted, rel=1e-15)
    assert str(math.sin(A / 2)) == "sin(a / 2)"
    assert str(math.hypot(A, 1.0) ** 2) == "hypot(a, 1.0) ** 2"
    assert list(parameters_in(expression)) == [A, B, A, B]
    assert pickle.loads(pickle.dumps(expression)) == expression


def test_functions_of_parameters_take_symbols():
    ca = pytest.importorskip("casadi")
    a = ca.SX.sym("a")
    f = ca.Function("f", [a], [evaluate(math.sin(A * 2.0), {"a": a})])
    assert float(f(0.4)) == pytest.approx(np.sin(0.8), rel=1e-15)
    with values_in_force({"a": 0.4}):
        assert math.sin(A) == np.sin(0.4)


def test_vectors_of_parameters_need_values():
    pytest.importorskip("casadi")
    with pytest.raises(ModelError, match=r"no plain number.*parameter\.value"):
        math.rotation_y(A)
    with values_in_force({"a": 0.4}):
        np.testing.assert_allclose(np.array(math.rotation_y(A)), math.rotation_y(0.4))
