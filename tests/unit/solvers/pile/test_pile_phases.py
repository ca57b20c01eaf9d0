"""Phases of a step: what each does, against plain formulas."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.solvers.pile import phases
from jourdain.solvers.pile.solution import REPORT, RESIDUAL
from jourdain.solvers.timestep.large.sweeps import carry_on


@pytest.mark.parametrize("n", [0, 1, 2, 7, 64, 65])
def test_candidates_are_ranked_from_below_and_keep_their_order(n):
    rng = np.random.default_rng(n)
    points = rng.integers(0, 5, (n, 3)).astype(float)  # many of the same height
    gravity = np.array([0.0, 3.0, -9.0])
    height, rank, spare = np.zeros(n), np.zeros(n, int), np.zeros(n, int)
    phases.rank_from_below(n, gravity, points.ravel(), height, rank, spare)
    np.testing.assert_array_equal(rank, np.argsort(-(points @ gravity), kind="stable"))


def test_candidates_without_a_law_are_left_out():
    """By the table of two kinds, and by the list of pairs that do not touch."""
    rng = np.random.default_rng(0)
    n_own, n = 12, 80
    pairs = np.sort(rng.integers(0, n_own, (n, 2)), axis=1)
    kinds, table = rng.integers(0, 3, n_own), np.array([[0, 1, -1], [1, -1, 2], [-1, 2, 0]])
    apart = np.unique(pairs[rng.integers(0, n, 9)] @ (n_own, 1))
    gap, normal, a, b = (rng.normal(size=(n, k)) for k in (1, 3, 3, 3))
    room = n + 2
    out = [np.zeros((room, 2), int), np.zeros(room, int), np.zeros(room, int)]
    out += [np.zeros((room, k)) for k in (1, 3, 3, 3)]
    count = phases.take_candidates.function(
        n, 2, pairs.ravel(), np.arange(n), gap.ravel(), normal.ravel(), a.ravel(), b.ravel(),
        100, 40, n_own, kinds, 3, table.ravel(), len(apart), apart, *(x.ravel() for x in out),
    )  # fmt: skip
    law = table[kinds[pairs[:, 0]], kinds[pairs[:, 1]]]
    kept = (law >= 0) & ~np.isin(pairs @ (n_own, 1), apart)
    assert 10 < kept.sum() < n - 10
    assert count == 2 + kept.sum()
    wanted = [pairs + 100, np.arange(n), law + 40, gap, normal, a, b]
    for found, x in zip(out, wanted, strict=True):
        np.testing.assert_array_equal(found[2:count], x[kept])
        assert not found[:2].any()


def test_an_island_without_a_number_is_told():
    islands, facts = np.zeros((3, REPORT)), np.zeros(phases.FACTS)
    islands[:, RESIDUAL] = 1e-3, np.nan, 2e-3
    phases.sum_up.function(3, islands.ravel(), facts)
    assert np.isnan(facts[phases.WORST])
    phases.sum_up.function(1, islands.ravel(), facts)
    assert facts[phases.WORST] == 1e-3


def test_momentum_shortens_slow_sweeps():
    """A chain of thirty springs: sweeps along it creep, and the momentum carries them on."""

    def sweeps(has_momentum):
        y, n, theta, size = np.zeros(30), 30, 1.0, np.array([1e300])
        start, last = np.zeros(n), np.zeros(n)
        for count in range(1, 4000):
            start[:] = y
            for i in range(n):
                left, right = (y[i - 1] if i else 0.0), (y[i + 1] if i < n - 1 else 1.0)
                y[i] = 0.5 * (left + right)
            if np.abs(y - np.arange(1, n + 1) / (n + 1)).max() < 1e-8:
                return count
            if has_momentum:
                theta = carry_on(n, theta, np.ones(n), start, last, y, size)
        raise AssertionError

    assert 4 * sweeps(True) < sweeps(False)
