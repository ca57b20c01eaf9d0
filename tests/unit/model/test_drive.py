"""Drives: numbers become constant functions, groups stand for their coordinates."""

import numpy as np
import pytest

from jourdain.errors import ModelError
from jourdain.model.drive import Constant, drive, drives, members
from jourdain.model.joints.joint import Joint
from jourdain.spatial.parameter import Parameter


class Ball(Joint):
    """Names like those of a ball in a socket on a slide."""

    coordinates = {
        "position": "m",
        "orientation.w": "1",
        "orientation.x": "1",
        "orientation.y": "1",
        "orientation.z": "1",
    }


def test_members_of_keys():
    assert members(Ball(), "position") == ("position",)
    assert members(Ball(), "orientation.x") == ("orientation.x",)
    assert members(Ball(), "orientation") == tuple(f"orientation.{c}" for c in "wxyz")
    assert members(Ball(), "orient") == ()


def test_numbers_are_held():
    height = Parameter("height", 1.0, "m")
    assert drives(Ball(), {"position": 2}, "joint 'j'") == {"position": Constant(2.0)}
    assert drives(Ball(), {"position": np.float64(2)}, "joint 'j'") == {"position": Constant(2.0)}
    assert drives(Ball(), {"position": 2 * height}, "j")["position"](0.3) == 2 * height
    held = drives(Ball(), {"orientation": np.array([1, 0, 0, 0])}, "joint 'j'")
    assert held == {"orientation": Constant((1.0, 0.0, 0.0, 0.0))}
    assert Constant(2.0) != Constant(3.0)


def test_functions_are_kept():
    def motion(t):
        return 2 * t

    assert drives(Ball(), {"position": motion}, "joint 'j'")["position"] is motion
    assert drive(motion, "drive") is motion
    assert drives(Ball(), None, "joint 'j'") == {}


@pytest.mark.parametrize("value", ["fast", None, True, (1.0,), float, float("nan"), 1j])
def test_single_drive_refuses(value):
    with pytest.raises(ModelError, match=r"^joint 'j': the driven value of 'position' is "):
        drives(Ball(), {"position": value}, "joint 'j'")


@pytest.mark.parametrize("value", [1.0, (1.0, 0.0, 0.0), "wxyz", (1, 0, 0, None)])
def test_group_drive_refuses(value):
    with pytest.raises(ModelError, match=r"^joint 'j': the driven value of 'orientation'"):
        drives(Ball(), {"orientation": value}, "joint 'j'")
