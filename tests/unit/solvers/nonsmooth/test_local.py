"""One contact alone, uncompiled: every state, also where the matrix is singular."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.solvers.nonsmooth.layout import Layout
from jourdain.solvers.nonsmooth.local import contact_solve, line_contact_solve
from jourdain.solvers.nonsmooth.residual import natural_map


@pytest.mark.parametrize("rank", [3, 2, 1])
def test_spatial_contacts_are_solved_exactly(rank, rng):
    states = set()
    for _ in range(100):
        J = rng.normal(size=(3, rank))
        A, b = J @ J.T, J @ rng.normal(size=rank)
        w = np.zeros(16)
        w[12:15] = b
        contact_solve(w, A.ravel(), 0)
        r = np.array([w[11], w[6], w[7]])
        u = A @ r + b
        assert np.linalg.norm(natural_map(Layout.contacts([1.0]), r, u)) <= 1e-11 * (1 + abs(r[0]))
        states.add((r[0] > 0.0, np.linalg.norm(u[1:]) > 1e-9))
    assert states >= {(True, False), (False, True)}
    assert ((True, True) in states) == (rank > 1)


@pytest.mark.parametrize("rank", [2, 1])
def test_planar_contacts_are_solved_exactly(rank, rng):
    for _ in range(100):
        J = rng.normal(size=(2, rank))
        A, b = J @ J.T, J @ rng.normal(size=rank)
        w = np.zeros(16)
        w[12:14] = b
        line_contact_solve(w, A.ravel(), 0)
        r = np.array([w[11], w[6]])
        F = natural_map(Layout.contacts([1.0], 2), r, A @ r + b)
        assert np.linalg.norm(F) <= 1e-11 * (1 + abs(r[0]))
