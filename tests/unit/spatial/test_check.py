"""Input checks: what is accepted, and in which form it is stored."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jourdain import math
from jourdain.errors import ModelError
from jourdain.spatial import check
from jourdain.spatial.parameter import Parameter
from jourdain.spatial.pose import IDENTITY

LENGTH = Parameter("length", 0.3, "m")


@pytest.mark.parametrize("value", [2, 2.0, np.int64(2), np.float32(2), Fraction(2), np.array(2.0)])
def test_number_becomes_a_float(value):
    result = check.number(value, "mass")
    assert type(result) is float
    assert result == 2.0


def test_number_keeps_an_expression():
    doubled = 2 * LENGTH
    assert check.number(doubled, "mass", positive=True) is doubled


@pytest.mark.parametrize(
    "value",
    [
        "1",
        None,
        True,
        np.True_,
        1j,
        [1.0],
        np.array([1.0]),
        float("nan"),
        float("inf"),
        -float("inf"),
        10**400,
        1 / Parameter("zero", 0.0),
        Parameter("negative", -1.0) ** 0.5,
        LENGTH + "text",
    ],
)
def test_number_refuses(value):
    with pytest.raises(ModelError, match=r"^mass is "):
        check.number(value, "mass")


def test_number_limits_hold_at_nominal_values():
    assert check.number(0, "mass", nonnegative=True) == 0.0
    for limits in ({"positive": True}, {"nonnegative": True}):
        with pytest.raises(ModelError, match=r"^mass is -length = -0\.3 kg: it must be "):
            check.number(-LENGTH, "mass", unit="kg", **limits)
    with pytest.raises(ModelError, match=r"^mass is 0: it must be positive\.$"):
        check.number(0.0, "mass", positive=True)


@pytest.mark.parametrize("value", [(1, 2, 3), [1.0, 2.0, 3.0], np.array([1, 2, 3])])
def test_vector_becomes_a_tuple_of_floats(value):
    result = check.vector(value, "gravity")
    assert result == (1.0, 2.0, 3.0)
    assert [type(x) for x in result] == [float] * 3


def test_vector_keeps_expressions():
    assert check.vector([0, LENGTH, 0], "position") == (0.0, LENGTH, 0.0)


@pytest.mark.parametrize(
    "value", ["xyz", 1.0, None, (1, 2), (1, 2, 3, 4), {1: 0, 2: 0, 3: 0}, np.eye(3), np.eye(2)]
)
def test_vector_refuses_other_shapes(value):
    with pytest.raises(ModelError, match="gravity"):
        check.vector(value, "gravity")


@given(st.floats(-10, 10), st.sampled_from("xyz"))
def test_rotation_keeps_every_rotation_matrix(angle, axis):
    matrix = math.rotation(axis, angle)
    assert check.rotation(matrix, "rotation") == tuple(map(tuple, matrix.tolist()))


def test_rotation_of_integers_becomes_floats():
    result = check.rotation([[0, -1, 0], [1, 0, 0], [0, 0, 1]], "rotation")
    assert all(type(x) is float for row in result for x in row)
    assert check.rotation(IDENTITY, "rotation") == IDENTITY


@pytest.mark.parametrize(
    "value",
    [
        np.eye(3) * (1 + 1e-8),
        np.diag([1.0, 1.0, -1.0]),
        np.diag([1.0, 1.0, np.nan]),
        np.eye(4),
        (1, 0, 0, 0),
        (0.1, 0.2, 0.3),
        0.5,
        "xyz",
        ((LENGTH, 0, 0), (0, 1, 0), (0, 0, 1)),
    ],
)
def test_rotation_refuses(value):
    with pytest.raises(ModelError, match="rotation of the frame"):
        check.rotation(value, "rotation of the frame")


@pytest.mark.parametrize(
    ("given_axis", "stored"),
    [
        ("x", "x"),
        ("-y", (0.0, -1.0, 0.0)),
        ((0, 0, 1), "z"),
        (np.array([0.6, 0.0, 0.8]), (0.6, 0.0, 0.8)),
        ([0, 0, -1], (0.0, 0.0, -1.0)),
    ],
)
def test_unit_axis_is_stored_in_one_form(given_axis, stored):
    assert check.unit_axis(given_axis, "axis") == stored
    assert check.unit_axis(stored, "axis") == stored


@given(st.lists(st.floats(-5, 5), min_size=3, max_size=3).filter(lambda v: np.linalg.norm(v) > 0.1))
def test_unit_axis_suggests_an_axis_that_it_accepts(direction):
    length = float(np.linalg.norm(direction))
    if abs(length - 1.0) < 2e-9:
        return
    with pytest.raises(ModelError, match="must have unit length") as caught:
        check.unit_axis(direction, "axis")
    suggestion = str(caught.value).rpartition("Use (")[2].rstrip(").").split(", ")
    accepted = check.unit_axis(tuple(map(float, suggestion)), "axis")
    unit = dict(zip("xyz", np.eye(3), strict=True)).get(str(accepted), accepted)
    np.testing.assert_allclose(np.array(unit) * length, direction, rtol=1e-14, atol=1e-300)


@pytest.mark.parametrize("name", ["rod", "Rod_2", "crank pin", "</script>", "größe", "x" * 80, "1"])
def test_names_are_any_printable_text(name):
    assert check.name(name, "body") == name


@pytest.mark.parametrize(
    "name", ["", "x" * 81, "a.b", " a", "a ", "a\n", "\x00", "a\u200b", "world", 3, None, b"rod"]
)
def test_name_refuses(name):
    with pytest.raises(ModelError, match=r"^body name "):
        check.name(name, "body")


def test_texts_of_values():
    assert check.listed((1.0, np.float64(0.25), 2 * LENGTH)) == "(1, 0.25, 2 * length)"
    assert check.shown(np.eye(2)) == "an array of shape (2, 2)"
    assert check.shown(test_texts_of_values) == "the function test_texts_of_values"
    assert len(check.shown("x" * 1000)) < 40
