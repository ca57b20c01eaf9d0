"""Projection equations and their derivatives; convergence near a solution."""

from __future__ import annotations

import numpy as np

from jourdain.solvers.nonsmooth import Bilateral, Disc, Friction, HalfLine, Problem, Segment
from jourdain.solvers.nonsmooth.newton import equations, newton
from jourdain.solvers.nonsmooth.residual import residual, weights

BLOCKS = (
    HalfLine(0), Friction(0, (1, 2), (0.5, 0.2)), Friction(0, (3,), 0.1), Bilateral((4,)),
    Segment(5, -0.3, 0.4), Disc((6, 7), 0.6), HalfLine(8), Friction(8, (9, 10), 0.7),
    HalfLine(11), Friction(11, (12, 13), (0.3, 0.0)),
)  # fmt: skip
STEP = 1e-7


def test_jacobians_are_derivatives(rng):
    layout = Problem(np.eye(14), np.zeros(14), BLOCKS).layout
    w = np.ones(14)
    for _ in range(20):
        s, u = rng.normal(size=14), rng.normal(size=14)
        by_s, by_u = equations(layout, s, u, w).matrices()
        for k in range(14):
            d = STEP * np.eye(14)[k]
            slope = (equations(layout, s + d, u, w).F - equations(layout, s - d, u, w).F) / STEP / 2
            np.testing.assert_allclose(by_s.toarray()[:, k], slope, atol=1e-6)
            slope = (equations(layout, s, u + d, w).F - equations(layout, s, u - d, w).F) / STEP / 2
            np.testing.assert_allclose(by_u.toarray()[:, k], slope, atol=1e-6)


def test_quadratic_near_a_solution(rng):
    """One step from an error of 1e-6 leaves about its square."""
    J = rng.normal(size=(14, 20))
    problem = Problem(J @ J.T, rng.normal(size=14), BLOCKS)
    weight = weights(problem)
    exact, _ = newton(problem, np.zeros(14), weight, 100)
    assert residual(problem, exact, weight) <= 1e-14
    near = exact + 1e-6 * np.abs(exact).max() * rng.normal(size=14)
    one, done = newton(problem, near, weight, 1)
    assert done == 1
    assert residual(problem, one, weight) <= 1e-10


def test_redundant_rows_do_not_matter(rng):
    J = rng.normal(size=(3, 4))
    twice = np.vstack([J, J])
    blocks = [HalfLine(0), Friction(0, (1, 2), 0.3), HalfLine(3), Friction(3, (4, 5), 0.3)]
    problem = Problem(twice @ twice.T, twice @ np.array([-1.0, -2.0, 1.0, 3.0]), blocks)
    r, _ = newton(problem, np.ones(6), weights(problem), 50)
    assert residual(problem, r) <= 1e-13
