"""Cylindrical joint."""

import numpy as np

from jourdain.model.joints import Cylindrical, Prismatic, Revolute


def test_equals_slider_times_hinge():
    axis = (0.0, 0.6, 0.8)
    R, r = Cylindrical(axis).pose([0.3, 0.9], 0.0)
    R_series, r_series = (Prismatic(axis) * Revolute(axis)).pose([0.3, 0.9], 0.0)
    np.testing.assert_allclose(R, R_series, atol=1e-15)
    np.testing.assert_allclose(r, r_series, atol=1e-15)


def test_names():
    assert list(Cylindrical("z").coordinates) == ["position", "angle"]
    assert list(Cylindrical("z").velocities) == ["velocity", "rate"]
