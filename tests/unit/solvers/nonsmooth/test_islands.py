"""Parts that do not touch."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from jourdain.solvers.nonsmooth import (
    Bilateral,
    Disc,
    Friction,
    HalfLine,
    Problem,
    Segment,
    solve,
)
from jourdain.solvers.nonsmooth.islands import island_of_rows, part, stored

BLOCKS = [
    HalfLine(0), Friction(0, (1, 2), 0.5), Bilateral((3, 4)), Segment(5, -1.0, 1.0),
    Disc((6, 7), 0.3), HalfLine(8), Friction(8, (9,), 0.2),
]  # fmt: skip


def test_blocks_hold_their_rows_together():
    problem = Problem(np.eye(10), np.ones(10), BLOCKS)
    np.testing.assert_array_equal(island_of_rows(problem), [0, 0, 0, 1, 1, 2, 3, 3, 4, 4])


def test_the_matrix_couples_blocks():
    G = np.eye(10)
    G[1, 5] = G[5, 1] = 0.1
    label = island_of_rows(Problem(sparse.csr_array(G), np.ones(10), BLOCKS))
    assert label[0] == label[5]
    assert len(set(label)) == 4


def test_parts_have_the_solution_of_the_whole(rng):
    A, B = rng.normal(size=(5, 6)), rng.normal(size=(5, 6))
    G = np.zeros((10, 10))
    G[:5, :5], G[5:, 5:] = A @ A.T, B @ B.T
    problem = Problem(G, rng.normal(size=10), BLOCKS)
    whole = solve(problem)
    for rows in (np.arange(5), np.arange(5, 10)):
        np.testing.assert_allclose(solve(part(problem, rows)).u, whole.u[rows], atol=1e-9)


def test_storage_suits_the_size():
    blocks = [Bilateral(tuple(range(200)))]
    assert sparse.issparse(stored(Problem(np.eye(200), np.zeros(200), blocks)).G)
    assert not sparse.issparse(stored(Problem(np.ones((200, 200)), np.zeros(200), blocks)).G)
    small = Problem(sparse.csr_array(np.eye(2)), np.zeros(2), [Bilateral((0, 1))])
    assert not sparse.issparse(stored(small).G)
