"""Loops over contacts, uncompiled: the smallest forces of systems with repeated rows."""

import numpy as np
import pytest

from jourdain.equations.contact.contact_points import MODE
from jourdain.system.contact.modal_loops import gauss, hold, respond, settle


def test_elimination_swaps_rows(rng):
    A, b = rng.normal(size=(5, 5)), rng.normal(size=5)
    A[0, 0] = 0.0
    w = np.concatenate([A.ravel(), b])
    gauss(w, 0, 5, 25)
    np.testing.assert_allclose(A @ w[25:], b, atol=1e-12)


@pytest.mark.parametrize("rank", [2, 4])
def test_repeated_rows_share_their_load(rank, rng):
    """Three contact points with two rows each, of fewer freedoms: the solution of least size."""
    n, m = 3, 6
    W = rng.normal(size=(m, rank))
    W /= np.linalg.norm(W, axis=1)[:, None]  # so that all rows have the same scale
    table = np.array([n, m, rank, rank, 0, 0, 1, 1, 1, 2, 3, 1, 1, 4, 5, 1, 1, 0])
    modes = np.tile([1.0, 1.0, *[0.0] * (MODE - 2)], n)
    w = np.zeros(3 * m * m + 6 * m)
    respond(W.ravel(), W.ravel(), table, w)
    hold(modes, table, w, False)
    np.testing.assert_allclose(w[: m * m].reshape(m, m), W @ W.T, atol=1e-14)
    wanted = W @ W.T @ rng.normal(size=m)
    S = 3 * m * m + m
    w[S + m : S + 2 * m] = wanted
    settle(table, w)
    least = np.linalg.lstsq(W @ W.T, wanted, rcond=1e-10)[0]
    np.testing.assert_allclose(w[S + 2 * m : S + 3 * m], least, atol=1e-7)
    np.testing.assert_allclose(W @ W.T @ w[S + 2 * m : S + 3 * m], wanted, atol=1e-12)


def test_rows_that_are_not_held_carry_nothing(rng):
    m = 4
    W = rng.normal(size=(m, 5))
    table = np.array([2, m, 5, 5, 0, 0, 1, 1, 1, 2, 3, 1, 1, 0])
    modes = np.zeros(2 * MODE)
    modes[[0, 2]] = 1.0
    w = np.zeros(3 * m * m + 6 * m)
    respond(W.ravel(), W.ravel(), table, w)
    hold(modes, table, w, False)
    S = 3 * m * m + m
    assert [x > 0.0 for x in w[S : S + m]] == [True, False, False, False]
    w[S + m : S + 2 * m] = 1.0
    settle(table, w)
    x = w[S + 2 * m : S + 3 * m] * w[S : S + m]
    np.testing.assert_allclose(x, [1.0 / (W[0] @ W[0]), 0.0, 0.0, 0.0], rtol=1e-12)


@pytest.mark.parametrize("eigenvalue", [1e-5, 1e-6, 3e-7, 1e-7])
def test_rows_that_are_nearly_repeated_are_held(eigenvalue):
    """Two rows at a small angle: both stay at rest, and forces are those of both."""
    angle = np.sqrt(2.0 * eigenvalue)
    W = np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
    table = np.array([2, 2, 2, 2, 0, 0, 1, 0, 1, 1, 2, 0, 1, 0])
    modes = np.tile([1.0, *[0.0] * (MODE - 1)], 2)
    w = np.zeros(3 * 4 + 6 * 2)
    respond(W.ravel(), W.ravel(), table, w)
    hold(modes, table, w, False)
    G, forces = W @ W.T, np.array([0.3, 0.8])
    S = 3 * 4 + 2
    w[S + 2 : S + 4] = G @ forces
    settle(table, w)
    found = w[S : S + 2] * w[S + 4 : S + 6]
    np.testing.assert_allclose(G @ found, G @ forces, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found, forces, rtol=0, atol=1e-12 / eigenvalue)
