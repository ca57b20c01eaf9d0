import numpy as np
import pytest

from jourdain.solvers.collision.broad_phase import BroadPhase, candidate_pairs, sweep


def boxes(rng, n, size):
    low = rng.uniform(0, 1, (n, 3))
    return np.stack([low, low + rng.uniform(0, size, (n, 3))], axis=1)


def by_force(b):
    low, high = b[:, 0], b[:, 1]
    overlap = np.all((low[:, None] <= high[None]) & (low[None] <= high[:, None]), axis=2)
    return np.argwhere(np.triu(overlap, 1))


@pytest.mark.parametrize(("n", "size"), [(0, 0.1), (1, 0.1), (2, 1.0), (60, 0.3), (400, 0.05)])
def test_pairs_are_those_of_brute_force(n, size):
    b = boxes(np.random.default_rng(n), n, size)
    np.testing.assert_array_equal(candidate_pairs(b), by_force(b))


def test_all_overlap():
    b = np.tile([[[0.0, 0, 0], [1, 1, 1]]], (50, 1, 1))
    assert len(candidate_pairs(b)) == 50 * 49 // 2


def test_boxes_that_touch_count():
    assert len(candidate_pairs([[[0, 0, 0], [1, 1, 1]], [[1, 1, 1], [2, 2, 2]]])) == 1
    assert len(candidate_pairs([[[0, 0, 0], [1, 1, 1]], [[1.1, 0, 0], [2, 2, 2]]])) == 0


def test_a_box_without_ends_meets_all():
    b = boxes(np.random.default_rng(1), 20, 0.01)
    ground = [[[-np.inf, -np.inf, -np.inf], [np.inf, np.inf, 2.0]]]
    assert len(candidate_pairs(np.concatenate([b, ground]))) >= 20


def test_boxes_that_move_are_followed():
    rng = np.random.default_rng(2)
    b, find = boxes(rng, 80, 0.2), BroadPhase(80)
    for _ in range(10):
        b = b + rng.normal(0, 0.05, (80, 1, 3))
        np.testing.assert_array_equal(np.unique(find(b), axis=0), by_force(b))


def test_the_loop_runs_uncompiled_as_well():
    b = boxes(np.random.default_rng(3), 12, 0.4)
    pairs, order = np.zeros(200, dtype=int), np.arange(12)
    count = sweep.function(b.reshape(-1), 12, 1, order, pairs, 100)
    assert count == len(by_force(b))
    found = np.unique(pairs[: 2 * count].reshape(-1, 2), axis=0)
    np.testing.assert_array_equal(found, by_force(b))
