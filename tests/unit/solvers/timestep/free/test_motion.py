"""Spin of free bodies in a step."""

import numpy as np
import pytest

from jourdain.solvers.timestep.free.motion import spun
from jourdain.solvers.timestep.free.vectors import rotation_into, turned_into


def test_free_rotation_keeps_energy_and_momentum(rng):
    """(CT-15): both are kept to rounding by one step."""
    moments, h = np.array([0.02, 0.03, 0.045]), 0.02
    P = np.concatenate([[1, 0, 0, 0], np.diag(moments).ravel(), np.diag(1 / moments).ravel(), [1]])
    w = np.concatenate([rng.uniform(-5, 5, 3), np.zeros(12)])
    spun(w, P, 0, h)
    q, R = np.array([1.0, 0, 0, 0]), np.zeros(9)
    turned_into(q, 0, 0.5 * (w[:3] + w[3:6]), 0, h, q, 0)
    rotation_into(q, 0, R, 0)
    assert moments @ w[3:6] ** 2 == pytest.approx(moments @ w[:3] ** 2, rel=1e-13)
    np.testing.assert_allclose(R.reshape(3, 3) @ (moments * w[3:6]), moments * w[:3], atol=1e-15)
