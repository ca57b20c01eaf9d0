"""Order of contacts from below to above."""

from types import SimpleNamespace

import numpy as np
import pytest

from jourdain.solvers.timestep.large.order import sort_island


@pytest.mark.parametrize("n", [0, 1, 2, 7, 64, 65])
def test_points_are_sorted_by_height_and_equal_ones_stay(n):
    rng = np.random.default_rng(n)
    height = rng.integers(0, 5, n + 6).astype(float)
    points = rng.permutation(n + 6)
    s = SimpleNamespace(island_points=points.copy(), height=height, spare=np.zeros(n + 6, int))
    sort_island(s, 3, 3 + n)
    own = points[3 : 3 + n]
    np.testing.assert_array_equal(
        s.island_points[3 : 3 + n], own[np.argsort(height[own], kind="stable")]
    )
    np.testing.assert_array_equal(s.island_points[:3], points[:3])
    np.testing.assert_array_equal(s.island_points[3 + n :], points[3 + n :])
