"""Gimbal joint."""

import numpy as np

from jourdain.model.joints import Gimbal, Revolute


def test_turns_about_x_y_z_in_turn(rng):
    q = rng.uniform(-np.pi, np.pi, 3)
    rings = Revolute("x") * Revolute("y") * Revolute("z")
    np.testing.assert_allclose(Gimbal().pose(q, 0.0)[0], rings.pose(q, 0.0)[0], atol=1e-15)
    assert Gimbal().coordinates == rings.coordinates
    assert Gimbal().velocities == rings.velocities


def test_matrix_entries(rng):
    """Bryant angles: the first row and the last column name them."""
    q1, q2, q3 = rng.uniform(-1.5, 1.5, 3)
    R, _ = Gimbal().pose([q1, q2, q3], 0.0)
    first = (np.cos(q2) * np.cos(q3), -np.cos(q2) * np.sin(q3), np.sin(q2))
    np.testing.assert_allclose(R[0], first, atol=1e-15)
    np.testing.assert_allclose(
        R[1:, 2], (-np.sin(q1) * np.cos(q2), np.cos(q1) * np.cos(q2)), atol=1e-15
    )
