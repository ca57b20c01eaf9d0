"""Prismatic joint."""

import numpy as np

from jourdain.model.joints import Prismatic


def test_moves_along_the_axis_without_turning():
    R, r = Prismatic((0.6, 0.0, -0.8)).pose([0.5], 0.0)
    np.testing.assert_array_equal(R, np.eye(3))
    np.testing.assert_allclose(r, (0.3, 0.0, -0.4), atol=1e-16)


def test_minus_moves_the_other_way():
    np.testing.assert_array_equal(Prismatic("-y").pose([0.5], 0.0)[1], (0.0, -0.5, 0.0))


def test_names():
    assert Prismatic("x").coordinates == {"position": "m"}
    assert Prismatic("x").velocities == {"velocity": "m/s"}
