"""Axes, rotations and frames."""

import numpy as np
import pytest

from jourdain import math
from jourdain.io.elements.frames import (
    axis,
    end_tree,
    frame,
    frame_tree,
    placed,
    rotation,
    rotation_tree,
)
from jourdain.io.text.section import ContentError, Value
from jourdain.model import Frame, Model
from jourdain.spatial import check
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter

LENGTH = Parameter("length", 0.3, "m")


def machine():
    model = Model("machine")
    crank = model.add_body("crank", Inertia(1.0))
    model.add_frame("tip", crank.at(0.1, 0, 0))
    return model


def value(data):
    return Value(data, ("joint", "main", "parent"), {"length": LENGTH})


def stored(matrix):
    return check.rotation(np.array(matrix), "matrix")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        ({"axis": "y", "angle": 0.3}, math.rotation_y(0.3)),
        ({"axis": "-x", "angle": "=pi / 2"}, math.rotation((-1.0, 0.0, 0.0), np.pi / 2)),
        ({"axis": [0.6, 0, 0.8], "angle": 1}, math.rotation((0.6, 0.0, 0.8), 1.0)),
        ({"quaternion": [1, 2, 3, 4]}, math.rotation_quaternion((1.0, 2.0, 3.0, 4.0))),
        ({"quaternion": [1e200, 2e200, 3e200, 4e200]}, math.rotation_quaternion((1, 2, 3, 4))),
        ({"quaternion": [1e-200, 0, 0, 1e-200]}, math.rotation_z(np.pi / 2)),
    ],
    ids=str,
)
def test_rotations_are_read(data, expected):
    np.testing.assert_allclose(rotation(value(data)), expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    "matrix",
    [
        *(
            turn(a)
            for turn in (math.rotation_x, math.rotation_y, math.rotation_z)
            for a in (0.3, -2)
        ),
        math.rotation_z(np.pi),
        math.rotation_quaternion((1.0, 2.0, 3.0, 4.0)),
        math.rotation_x(0.1) @ math.rotation_y(0.2),
    ],
    ids=str,
)
def test_rotations_come_back_exactly(matrix):
    tree = rotation_tree(stored(matrix), "the rotation")
    assert stored(rotation(value(tree))) == stored(matrix)


def test_a_rotation_about_an_axis_is_written_as_such():
    assert rotation_tree(stored(math.rotation_y(0.3)), "") == {"axis": "y", "angle": 0.3}
    assert isinstance(rotation_tree(stored(math.rotation((0.6, 0.0, 0.8), 1.0)), ""), list)


def test_axes():
    assert axis(value("-y")) == "-y"
    assert axis(value([0, 0.6, 0.8])) == (0.0, 0.6, 0.8)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("world", Frame("world")),
        ("crank", Frame("crank")),
        ("tip", Frame("crank", (0.1, 0, 0))),
        ({"body": "crank", "position": ["=length", 0, 1]}, Frame("crank", (LENGTH, 0, 1))),
        (
            {"body": "world", "rotation": {"axis": "z", "angle": 0.5}},
            Frame("world", rotation=math.rotation_z(0.5)),
        ),
    ],
    ids=str,
)
def test_frames_are_read_and_come_back(data, expected):
    assert frame(value(data), machine()) == expected
    assert frame(value(end_tree(expected, "")), machine()) == expected
    assert placed(value(frame_tree(expected, "")), machine()) == expected


@pytest.mark.parametrize(
    "data",
    [
        3,
        ["crank"],
        "crnk",
        {"body": "tip"},
        {"position": [0, 0, 0]},
        {"body": "crank", "position": [0, 0]},
        {"body": "crank", "rotation": 0.5},
        {"body": "crank", "rotation": {"angle": 0.5}},
        {"body": "crank", "rotation": {"axis": "z", "angle": "=length"}},
        {"body": "crank", "rotation": {"quaternion": [0, 0, 0, 0]}},
        {"body": "crank", "rotation": {"quaternion": [1, 0, 0]}},
        {"body": "crank", "rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 2]]},
    ],
    ids=str,
)
def test_wrong_frames(data):
    with pytest.raises(ContentError):
        frame(value(data), machine())
