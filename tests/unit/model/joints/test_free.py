"""Free joint."""

import numpy as np

from jourdain import math
from jourdain.model.joints import Free


def test_pose_is_position_and_quaternion(rng):
    q = rng.normal(size=7)
    R, r = Free().pose(q, 0.0)
    np.testing.assert_array_equal(r, q[:3])
    np.testing.assert_array_equal(R, math.rotation_quaternion(q[3:]))


def test_velocities_are_parent_velocity_then_child_angular_velocity(rng, twist):
    q, v = rng.normal(size=7), rng.normal(size=6)
    q[3:] /= np.linalg.norm(q[3:])
    angular, linear = twist(Free(), q, v)
    np.testing.assert_allclose(linear, v[:3], atol=1e-10)
    np.testing.assert_allclose(angular, v[3:], atol=1e-10)


def test_names():
    assert list(Free().velocities) == [
        *(f"velocity.{k}" for k in "xyz"),
        *(f"angular_velocity.{k}" for k in "xyz"),
    ]
    assert list(Free().coordinates) == [
        *(f"position.{k}" for k in "xyz"),
        *(f"orientation.{k}" for k in "wxyz"),
    ]
    assert Free().start() == (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
