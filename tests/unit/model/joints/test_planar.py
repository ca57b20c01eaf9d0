"""Planar joint."""

import numpy as np
import pytest

from jourdain import math
from jourdain.model.joints import Planar


@pytest.mark.parametrize("normal", ["x", "y", "z"])
def test_names_are_the_axes_moved_along(normal):
    kind = Planar(normal)
    q = [0.3, 0.5, 0.7]
    R, r = kind.pose(q, 0.0)
    for name, value in zip(list(kind.coordinates)[:2], q, strict=False):
        assert r["xyz".index(name.removeprefix("position."))] == value
    assert r["xyz".index(normal)] == 0.0
    np.testing.assert_allclose(R, math.rotation(normal, 0.7), atol=1e-16)


def test_axes_are_right_handed():
    for normal in ("x", "y", "z", "-x", (0.48, -0.64, -0.6)):
        first = Planar(normal).pose([1.0, 0.0, 0.0], 0.0)[1]
        second = Planar(normal).pose([0.0, 1.0, 0.0], 0.0)[1]
        turned = Planar(normal).pose([0.0, 0.0, np.pi / 2], 0.0)[0] @ first
        np.testing.assert_allclose(turned, second, atol=1e-15)


def test_vector_normal_gives_numbered_names():
    assert list(Planar((0.0, -0.6, 0.8)).coordinates) == ["position_1", "position_2", "angle"]
    assert list(Planar("-z").velocities) == ["velocity_1", "velocity_2", "rate"]


def test_slope_runs_up_the_incline():
    _, r = Planar((0.0, -0.6, 0.8)).pose([2.0, 1.0, 0.3], 0.0)
    np.testing.assert_allclose(r, (2.0, 0.8, 0.6), atol=1e-15)


def test_names():
    assert Planar().coordinates == {"position.x": "m", "position.y": "m", "angle": "rad"}
    assert Planar().velocities == {"velocity.x": "m/s", "velocity.y": "m/s", "rate": "rad/s"}
