"""Given forces."""

import numpy as np

from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.laws import Force

AT = Snapshot({}, t=2.0)


def test_numbers_and_functions():
    v = np.zeros(3)
    assert Force(3.0).force(0.1, 0.0, AT) == 3.0
    assert Force(lambda t: 4 * t).force(0.1, 0.0, AT) == 8.0
    np.testing.assert_array_equal(Force((1.0, 2.0, 3.0)).force(v, v, AT), (1.0, 2.0, 3.0))
    np.testing.assert_array_equal(Force(2.0).force(v, v, AT), (2.0, 2.0, 2.0))
    np.testing.assert_array_equal(Force(lambda t: (t, 0, 1)).force(v, v, AT), (2.0, 0.0, 1.0))
