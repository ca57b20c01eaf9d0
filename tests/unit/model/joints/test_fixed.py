"""Fixed joint."""

import numpy as np

from jourdain.model.joints import Fixed


def test_nothing_moves():
    R, r = Fixed().pose([], 1.0)
    np.testing.assert_array_equal(R, np.eye(3))
    np.testing.assert_array_equal(r, np.zeros(3))
    assert Fixed().coordinates == Fixed().velocities == {}
