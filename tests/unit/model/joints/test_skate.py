"""Skate."""

import numpy as np

from jourdain import math
from jourdain.model.joints import Planar, Skate


def test_pose_is_that_of_the_plane(rng):
    q = rng.normal(size=3)
    for skate, planar in zip(Skate().pose(q, 0.0), Planar("z").pose(q, 0.0), strict=True):
        np.testing.assert_array_equal(skate, planar)


def test_blade_does_not_slide_sideways(rng, twist):
    q, v = rng.normal(size=3), rng.normal(size=2)
    angular, linear = twist(Skate(), q, v)
    np.testing.assert_allclose(math.rotation_z(q[2]).T @ linear, (v[0], 0.0, 0.0), atol=1e-10)
    np.testing.assert_allclose(angular, (0.0, 0.0, v[1]), atol=1e-10)


def test_names():
    assert Skate().velocities == {"speed": "m/s", "rate": "rad/s"}
