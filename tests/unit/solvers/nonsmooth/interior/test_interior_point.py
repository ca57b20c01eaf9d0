"""Interior-point method on all kinds of blocks."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.solvers.nonsmooth import Bilateral, Disc, Friction, HalfLine, Problem, Segment, solve
from jourdain.solvers.nonsmooth.interior.interior_point import cone_map, interior_point
from jourdain.solvers.nonsmooth.residual import residual, weights

BLOCKS = (
    HalfLine(0), Friction(0, (1, 2), (0.5, 0.2)), Friction(0, (3,), 0.1), Bilateral((4,)),
    Segment(5, -0.3, 0.4), Disc((6, 7), 0.6), HalfLine(8), Friction(8, (9, 10), 0.7),
    HalfLine(11), Friction(11, (12, 13), (0.3, 0.0)), HalfLine(14), Segment(15, -np.inf, 0.1),
)  # fmt: skip


@pytest.mark.parametrize("rank", [20, 10])
def test_all_kinds_of_blocks_together(rank, rng):
    for _ in range(5):
        J = rng.normal(size=(16, rank))
        problem = Problem(J @ J.T, J @ rng.normal(size=rank), BLOCKS)
        weight = weights(problem)
        r, steps = interior_point(problem, weight, 1e-7)
        assert steps < 60
        assert residual(problem, r, weight) <= 1e-5
        assert solve(problem, method="interior_point").residual <= 1e-13


def test_impulses_without_friction_coefficient_are_fixed():
    layout = Problem(np.eye(16), np.zeros(16), BLOCKS).layout
    E, a, is_fixed = cone_map(layout, 16)
    np.testing.assert_array_equal(np.flatnonzero(is_fixed), [13])
    assert E.shape == (a.size, 16)
    assert len(a) == 1 + 1 + 2 + 1 + 4
