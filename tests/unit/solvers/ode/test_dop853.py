from __future__ import annotations

import numpy as np
from scipy.integrate import DOP853

from jourdain.solvers.ode import dop853


def test_dense_output_is_that_of_scipy_to_the_last_bit():
    D = np.zeros((4, dop853.N_STAGES))
    for i, row in dop853.DENSE.items():
        D[i, list(row)] = list(row.values())
    np.testing.assert_array_equal(D, DOP853.D)


def test_sizes():
    assert len(dop853.C) == dop853.N_STAGES == len(dop853.A) + 1
    assert all(column < stage for stage, row in dop853.A.items() for column in row)
