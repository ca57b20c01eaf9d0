"""Random states and differences of poses for the tests of joint kinds."""

import numpy as np
import pytest

STEP = 1e-3  # of the five-point difference: error h⁴/30 · |d⁵f| + 1.5 eps/h, below 1e-11 here


@pytest.fixture
def rng():
    return np.random.default_rng(1788)


@pytest.fixture
def twist():
    """Angular velocity (child axes) and velocity (parent axes) at q for velocities v."""

    def measured(kind, q, v):
        q, v = np.asarray(q, dtype=float), np.asarray(v, dtype=float)
        Y = kind.rates(q)
        dq = v if Y is None else Y @ v

        def pose(k):
            R, r = kind.pose(q + k * STEP * dq, 0.0)
            return np.column_stack((R, r))

        slope = (pose(-2) - 8 * pose(-1) + 8 * pose(1) - pose(2)) / (12 * STEP)
        spin = kind.pose(q, 0.0)[0].T @ slope[:, :3]
        return np.array((spin[2, 1], spin[0, 2], spin[1, 0])), slope[:, 3]

    return measured
