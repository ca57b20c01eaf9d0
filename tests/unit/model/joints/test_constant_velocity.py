"""Constant-velocity joint."""

import numpy as np
import pytest

from jourdain import math
from jourdain.model.joints import ConstantVelocity

EPS = np.finfo(float).eps


def bent(shaft):
    """Joint coordinates whose child shaft points along a unit vector."""
    return np.arctan2(-shaft[1], shaft[2]), np.arcsin(shaft[0])


def test_shaft_points_along_the_two_rotations(rng):
    a, b = rng.uniform(-1.5, 1.5, 2)
    R, r = ConstantVelocity().pose([a, b], 0.0)
    d = math.rotation_x(a) @ math.rotation_y(b) @ np.array((0.0, 0.0, 1.0))
    np.testing.assert_allclose(R[:, 2], d, atol=2 * EPS)
    np.testing.assert_array_equal(r, np.zeros(3))


def test_rotation_is_the_shortest(rng):
    """Its angle is the bend and its axis is normal to both shafts."""
    R, _ = ConstantVelocity().pose(rng.uniform(-1.5, 1.5, 2), 0.0)
    bend = np.arccos(R[2, 2])
    assert np.arccos((np.trace(R) - 1.0) / 2.0) == pytest.approx(bend, abs=1e-14)
    axis = math.axial(R) / np.sin(bend)
    np.testing.assert_allclose(
        axis, (-R[1, 2] / np.sin(bend), R[0, 2] / np.sin(bend), 0.0), atol=1e-14
    )


@pytest.mark.parametrize("turn", [0.3, 1.7, -2.5, np.pi])
def test_both_shafts_turn_by_the_same_angle(turn, rng):
    """With the bend fixed in space, the child turns about its own shaft as much as the parent."""
    tilt, direction = rng.uniform(0.2, 1.4), rng.uniform(-np.pi, np.pi)
    shaft = math.rotation_z(direction) @ np.array((np.sin(tilt), 0.0, np.cos(tilt)))
    before, _ = ConstantVelocity().pose(bent(shaft), 0.0)
    inside, _ = ConstantVelocity().pose(bent(math.rotation_z(-turn) @ shaft), 0.0)
    after = math.rotation_z(turn) @ inside
    np.testing.assert_allclose(after, math.rotation(tuple(shaft), turn) @ before, atol=20 * EPS)
    np.testing.assert_allclose(after, before @ math.rotation_z(turn), atol=20 * EPS)
