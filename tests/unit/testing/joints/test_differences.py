"""Velocities by differences of poses."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.testing.joints.differences import (
    STEP,
    derivative,
    in_outboard_axes,
    inverse_pose,
    pose_matrix,
    velocity,
)


def test_derivative_is_accurate_to_the_square_of_the_step():
    assert derivative(lambda h: np.sin(1.0 + h)) == pytest.approx(np.cos(1.0), abs=4 * STEP**2)


def test_inverse_pose_undoes_a_pose(rng):
    pose = pose_matrix(jd.Free(), rng.normal(size=7), 0.0)
    back = inverse_pose(pose)
    point = rng.normal(size=3)
    there = pose[:, :3] @ point + pose[:, 3]
    np.testing.assert_allclose(back[:, :3] @ there + back[:, 3], point, atol=1e-14)


def test_velocity_of_a_known_motion():
    screw = jd.Screw("z", 2 * np.pi * 0.3)
    G = velocity(lambda h: pose_matrix(screw, [0.7 + 2.0 * h], 0.0))
    np.testing.assert_allclose(G, (0, 0, 2.0, 0, 0, 0.6), atol=1e-9)


def test_in_outboard_axes_turns_both_halves():
    G = np.array((1.0, 0, 0, 0, 1.0, 0))
    np.testing.assert_allclose(
        in_outboard_axes(G, jd.rotation_z(np.pi / 2)), (0, -1, 0, 1, 0, 0), atol=1e-15
    )
