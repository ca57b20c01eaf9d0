"""Sweeps in machine code."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.solvers.nonsmooth import Bilateral, Disc, Friction, HalfLine, Problem, Segment
from jourdain.solvers.nonsmooth.gauss_seidel import Sweeps, groups_of
from jourdain.solvers.nonsmooth.residual import residual, weights

BLOCKS = (
    Bilateral((0, 1)), HalfLine(2), Segment(3, -0.2, 0.3), Disc((4, 5), 0.5), HalfLine(6),
    Friction(6, (7, 8), (0.5, 0.3)), HalfLine(9), Friction(9, (10,), 0.4), HalfLine(11),
    Friction(11, (12, 13), 0.6), Friction(11, (14,), 0.1),
)  # fmt: skip


@pytest.mark.parametrize("depth", [0, 10])
@pytest.mark.parametrize("omega", [0.7, 1.0, 1.2])
def test_sweeps_converge_on_all_kinds_of_blocks(omega, depth, rng):
    J = rng.normal(size=(15, 40))
    problem = Problem(J @ J.T, J @ rng.normal(size=40), BLOCKS)
    weight = weights(problem)
    r, done = Sweeps(problem, weight).run(np.zeros(15), 5000, 1e-13, omega, depth)
    assert done < 5000
    assert residual(problem, r, weight) <= 1e-11


def test_a_start_near_the_solution_saves_sweeps(rng):
    J = rng.normal(size=(15, 40))
    problem = Problem(J @ J.T, J @ rng.normal(size=40), BLOCKS)
    sweeps = Sweeps(problem, weights(problem))
    r, cold = sweeps.run(np.zeros(15), 5000, 1e-13)
    _, warm = sweeps.run(r, 5000, 1e-13)
    assert warm <= 2 < cold


def test_the_start_is_left_as_it_is():
    problem = Problem(np.eye(1), [-1.0], [HalfLine(0)])
    start = np.zeros(1)
    r, done = Sweeps(problem, np.ones(1)).run(start, 3)
    assert start[0] == 0.0
    assert r[0] == 1.0


def test_every_row_is_in_one_group():
    groups = groups_of(Problem(np.eye(15), np.zeros(15), BLOCKS).layout)
    assert sorted(groups.rows) == list(range(15))
    assert sorted(np.diff(groups.start)) == [1, 1, 1, 1, 2, 2, 2, 2, 3]
