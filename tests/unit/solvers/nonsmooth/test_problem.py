"""Blocks and their arrays."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from jourdain.solvers.nonsmooth import Bilateral, Disc, Friction, HalfLine, Layout, Problem, Segment
from jourdain.solvers.nonsmooth.problem import rows_of_blocks

BLOCKS = (
    Friction(5, (0, 1), 0.3), Bilateral((2, 3)), Segment(4, -1.0, 2.0), HalfLine(5),
    Disc((6, 7), 0.5), Friction(5, (8,), 0.1),
)  # fmt: skip


def test_blocks_are_sorted_by_kind():
    layout = Problem(np.eye(9), np.zeros(9), BLOCKS).layout
    np.testing.assert_array_equal(layout.free, [2, 3])
    np.testing.assert_array_equal(layout.half_lines, [5])
    np.testing.assert_array_equal(layout.discs, [[6, 7]])
    np.testing.assert_array_equal(layout.plane_normals, [5])
    np.testing.assert_array_equal(layout.plane_mu, [[0.3, 0.3]])
    np.testing.assert_array_equal(layout.lines, [8])
    assert not layout.is_cone[0][0]
    assert not layout.is_cone[1][0]


def test_rows_come_in_the_order_of_the_blocks():
    problem = Problem(np.eye(9), np.zeros(9), BLOCKS)
    assert [list(rows) for rows in rows_of_blocks(problem)] == [list(b.rows) for b in BLOCKS]
    bulk = Problem(np.eye(4), np.zeros(4), Layout.contacts([0.1, 0.2], 2))
    assert [list(rows) for rows in rows_of_blocks(bulk)] == [[0], [2], [1], [3]]


def test_dense_and_sparse_matrices_give_the_same_velocity(rng):
    G, c, r = rng.normal(size=(9, 9)), rng.normal(size=9), rng.normal(size=9)
    one, other = Problem(G, c, BLOCKS), Problem(sparse.csc_array(G), c, BLOCKS)
    np.testing.assert_allclose(one.u(r), other.u(r), rtol=1e-13)
    np.testing.assert_array_equal(one.dense(), other.dense())
