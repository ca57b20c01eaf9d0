from __future__ import annotations

import numpy as np
import pytest

from jourdain.viz.pages import packing


@pytest.mark.parametrize("step", [1e-6, 1e-3, 1.0])
def test_a_table_is_kept_to_half_a_step(rng, step):
    x = np.cumsum(rng.normal(size=(200, 5)), axis=0)
    found = packing.untable(packing.table(x, np.full(5, step)))
    assert np.abs(found - x).max() <= 0.5001 * step


def test_columns_have_steps_of_their_own(rng):
    x = rng.normal(size=(50, 2)) * (1.0, 1e6)
    found = packing.untable(packing.table(x, np.array((1e-5, 1.0))))
    assert np.all(np.abs(found - x).max(axis=0) <= (0.5001e-5, 0.5001))


def test_jumps_and_wide_ranges_survive():
    x = np.array([[0.0], [1e9], [-1e9], [3.0]])
    found = packing.untable(packing.table(x, np.array([1e-3])))
    assert np.abs(found - x).max() <= 2e9 / 2**28  # coarser, as 28 bits have it


def test_smooth_motion_is_small():
    t = np.linspace(0.0, 60.0, 3601)
    x = np.column_stack([np.sin((1.0 + 0.01 * k) * t) for k in range(70)])
    packed = packing.table(x, np.full(70, 2e-5))
    assert len(packed["data"]) < 0.75 * x.size  # bytes of base 64, for eight of each number


def test_what_is_not_finite_becomes_zero():
    x = np.array([[1.0], [np.nan], [np.inf]])
    found = packing.untable(packing.table(x, np.array([1e-6])))
    np.testing.assert_allclose(found[:, 0], (1.0, 0.0, 0.0), atol=1e-6)


def test_a_table_of_one_row_or_of_no_columns():
    np.testing.assert_allclose(packing.untable(packing.table([[3.5, -2.0]], 1e-3)), [[3.5, -2.0]])
    assert packing.untable(packing.table(np.zeros((4, 0)), 1e-3)).shape == (4, 0)


@pytest.mark.parametrize("kind", ["f64", "f32", "u32"])
def test_plain_arrays_are_kept(kind):
    x = np.array((0, 1, 70_000))
    np.testing.assert_array_equal(packing.unplain(packing.plain(x, kind)), x)
