"""Rows with limits and planar friction as linear complementarity problems."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.solvers.nonsmooth import (
    Bilateral,
    Disc,
    Friction,
    HalfLine,
    Problem,
    Segment,
    residual,
)
from jourdain.solvers.nonsmooth.complementarity import is_planar, lcp_of
from jourdain.solvers.nonsmooth.lemke import lemke

BLOCKS = (
    HalfLine(0), Friction(0, (1,), 0.4), Bilateral((2,)), Segment(3, -1.0, 0.3), HalfLine(4),
    Friction(4, (5,), 0.8), Segment(6, -np.inf, 1.0), Segment(7, -np.inf, np.inf),
    Segment(8, -0.2, np.inf),
)  # fmt: skip


@pytest.mark.parametrize("rank", [9, 5])
def test_all_kinds_of_limits_together(rank, rng):
    for _ in range(20):
        J = rng.normal(size=(9, rank))
        problem = Problem(J @ J.T, J @ rng.normal(size=rank), BLOCKS)
        lcp = lcp_of(problem)
        found = lemke(lcp.M, lcp.q)
        assert found.is_solved
        assert residual(problem, lcp.T @ found.z + lcp.t) <= 1e-11


def test_the_matrix_of_one_contact_is_that_of_the_theory():
    """Rows (g_N, g_T⁺, Λ⁻) and columns (Λ_N, Λ⁺, g_T⁻) of (NS-4)."""
    G = np.array([[2.0, 0.5], [0.5, 3.0]])
    mu = 0.4
    lcp = lcp_of(Problem(G, [-1.0, 2.0], [HalfLine(0), Friction(0, (1,), mu)]))
    expected = [[2.0 - 0.5 * mu, 0.5, 0.0], [0.5 - 3.0 * mu, 3.0, 1.0], [2 * mu, -1.0, 0.0]]
    np.testing.assert_allclose(lcp.M, expected, rtol=1e-15)
    np.testing.assert_allclose(lcp.q, [-1.0, 2.0, 0.0], rtol=1e-15)


def test_discs_are_not_planar():
    problem = Problem(np.eye(2), np.zeros(2), [Disc((0, 1), 1.0)])
    assert not is_planar(problem.layout)
