"""Small dense problems in one call against the general search."""

import numpy as np
import pytest

from jourdain.solvers.nonsmooth import Disc, Friction, HalfLine, Problem, Segment, solve
from jourdain.solvers.nonsmooth.residual import residual, weights
from jourdain.solvers.nonsmooth.small.dense_solver import dense_solver

BLOCKS = {
    "normals": (HalfLine(0), HalfLine(1), HalfLine(2)),
    "planar": (HalfLine(0), Friction(0, (1,), 0.3), HalfLine(2), Friction(2, (3,), 0.0)),
    "spatial": (HalfLine(0), Friction(0, (1, 2), 0.4), HalfLine(3), Friction(3, (4, 5), 0.8)),
    "dry": (Segment(0, -0.5, 0.2), Disc((1, 2), 0.3), HalfLine(3)),
    "turning": (
        HalfLine(0),
        Friction(0, (1, 2), 0.4),
        Friction(0, (3, 4), 0.05),
        Friction(0, (5,), 0.02),
    ),
}


def problem(blocks, rng):
    n = 1 + max(row for block in blocks for row in block.rows)
    root = rng.normal(size=(n, n + 3))
    return root @ root.T / n + np.eye(n), rng.normal(size=n)


@pytest.mark.parametrize("name", BLOCKS)
def test_impulses_and_residual_are_those_of_the_general_search(name, rng):
    blocks = BLOCKS[name]
    for _ in range(20):
        G, c = problem(blocks, rng)
        r, error, approach = dense_solver(blocks, len(c)).solve(G, c, 1e-13)
        whole = Problem(G, c, blocks)
        assert error <= 1e-13
        assert approach <= 1e-12
        found = solve(whole, tol=1e-13)
        np.testing.assert_allclose(r, found.r, atol=1e-11)
        wrong = rng.normal(size=len(c)) * 1e-3 + r
        assert residual(whole, r, weights(whole)) <= 1e-13
        assert residual(whole, wrong, weights(whole)) > 1e-8


@pytest.mark.parametrize("name", BLOCKS)
def test_residuals_of_poor_impulses_are_those_of_the_natural_map(name, rng):
    """With no sweep that could help, the residual is that of the impulses after one sweep."""
    blocks = BLOCKS[name]
    for _ in range(20):
        G, c = problem(blocks, rng)
        solver = dense_solver(blocks, len(c))
        r, error, _ = solver.solve(G, c, 1e2)  # ends after the first sweep
        whole = Problem(G, c, blocks)
        assert error == pytest.approx(residual(whole, r, weights(whole)), rel=1e-9, abs=1e-14)


def test_ellipses_are_left_to_others(rng):
    blocks = (HalfLine(0), Friction(0, (1, 2), (0.3, 0.6)))
    _, error, _ = dense_solver(blocks, 3).solve(*problem(blocks, rng), 1e-13)
    assert error == 1.0
