"""Smoothed equations: their derivatives, and boxes whose contacts are redundant."""

import numpy as np
import pytest

from jourdain.solvers.nonsmooth import Friction, HalfLine, Problem, Segment
from jourdain.solvers.nonsmooth.gauss_seidel import Sweeps, groups_of
from jourdain.solvers.nonsmooth.residual import natural_map, residual, weights
from jourdain.solvers.nonsmooth.small.dense_solver import dense_solver
from jourdain.solvers.nonsmooth.smoothing import above, equations, has_path, left, rise

BLOCKS = (
    HalfLine(0), Friction(0, (1, 2), 0.5), HalfLine(3), Friction(3, (4,), 0.8),
    HalfLine(5), Segment(6, -0.3, 0.4), HalfLine(7), Friction(7, (8, 9), 0.0),
)  # fmt: skip


def values(problem, r, eps, out=()):
    """Equations and their derivatives by r, from the blocks that the loop writes."""
    groups, n = groups_of(problem.layout), len(r)
    limits = np.column_stack([groups.limits, np.zeros(len(groups.limits))]).ravel()
    is_out = [int(b in out) for b in range(len(groups.kind))]
    u, by_r, by_u, F = np.zeros(n), np.zeros(3 * n), np.zeros(3 * n), np.zeros(n)
    weight = weights(problem)
    equations(
        n, problem.G.ravel(), problem.c, len(groups.kind), groups.kind, groups.start, groups.rows,
        groups.D, limits, weight, is_out, r, u, eps, by_r, by_u, F,
    )  # fmt: skip
    J, place = np.zeros((n, n)), 0
    for a, b in zip(groups.start[:-1], groups.start[1:], strict=True):
        rows, m = groups.rows[a:b], b - a
        J[rows] += by_u[place : place + m * m].reshape(m, m) @ problem.G[rows]
        J[np.ix_(rows, rows)] += by_r[place : place + m * m].reshape(m, m)
        place += m * m
    return F, J


def random_problem(rng):
    root = rng.normal(size=(10, 12))
    return Problem(root @ root.T, rng.normal(size=10), BLOCKS)


@pytest.mark.parametrize("out", [(), (0, 2)])
def test_blocks_are_derivatives(out, rng):
    problem, h = random_problem(rng), 1e-7
    r = 0.1 * rng.normal(size=10)
    _, J = values(problem, r, 0.1, out)
    for k, d in enumerate(h * np.eye(10)):
        slope = (values(problem, r + d, 0.1, out)[0] - values(problem, r - d, 0.1, out)[0]) / h / 2
        np.testing.assert_allclose(J[:, k], slope, atol=1e-6)


def test_without_smoothing_the_zeros_are_those_of_the_natural_map(rng):
    """For ε = 0 the equations of rows are the natural map; those of cones have the same zeros."""
    problem = random_problem(rng)
    r, _, _ = dense_solver(BLOCKS, 10).solve(problem.G, problem.c, 1e-13)
    F, _ = values(problem, r, 1e-100)
    assert np.abs(F).max() <= 1e-12
    r = rng.normal(size=10)
    F, _ = values(problem, r, 1e-100)
    expected = natural_map(problem.layout, r, problem.u(r), weights(problem))
    np.testing.assert_allclose(F[[5, 6, 7]], expected[[5, 6, 7]], atol=1e-13)


@pytest.mark.parametrize("x", [-3.0, -1e-9, 0.0, 1e-9, 2.0])
def test_smoothed_positive_part(x):
    """It solves p (p − x) = ε², also where that is small against x."""
    eps = 1e-6
    assert above(x, eps) * above(-x, eps) == pytest.approx(eps**2, rel=1e-12)
    assert rise(x, eps) + rise(-x, eps) == pytest.approx(1.0, rel=1e-15)
    assert left(above(x, eps), above(-x, eps), eps) == pytest.approx(0.0, abs=1e-15 + 1e-16 * x)


def box_on_corners(rng, corners):
    """A box that has stood on two of its corners lands on the others: a step with an impact.

    It is turned by 1e-8 rad, and the response is not symmetric, as gyroscopic forces make it.
    """
    half = rng.uniform(0.025, 0.5, size=3)
    angle = 2.0 * np.pi * np.arange(corners) / corners + np.pi / corners
    points = np.column_stack([np.cos(angle), np.sin(angle), -np.ones(corners)]) * half
    points += np.cross(1e-8 * rng.normal(size=3), points)
    inertia = (half @ half - half**2) / 3.0
    W = np.array([[*np.cross(p, d), *d] for p in points for d in np.eye(3)[[2, 0, 1]]])
    axis = points[-1] - points[0]  # about which it turns, and slides a little
    spin = rng.choice([1e-3, 0.1, 1.0, 3.0]) * axis / np.linalg.norm(axis)
    spin = spin if np.cross(spin, points[corners // 2] - points[0])[2] < 0.0 else -spin
    slide = rng.normal(size=3) * rng.choice([1e-2, 0.1]) * (1, 1, 0)
    v = np.concatenate([spin, slide - np.cross(spin, points[0])])
    v[2] += 1e-2 * rng.normal()
    u = W @ v
    c = u + W @ (0, 0, 0, 0, 0, -0.02)
    c[::3] += rng.choice([0.0, 0.2, 0.5, 0.9]) * np.minimum(u[::3], 0.0)
    A = np.diag(1.0 / np.concatenate([inertia, np.ones(3)]))
    A[:3, :3] += 1e-3 * np.cross(np.eye(3), rng.normal(size=3))
    mu = rng.uniform(0.1, 1.5)
    blocks = [
        block
        for k in range(0, 3 * corners, 3)
        for block in (HalfLine(k), Friction(k, (k + 1, k + 2), mu))
    ]
    return Problem(W @ A @ W.T, c, blocks)


@pytest.mark.parametrize("corners", range(3, 9))
def test_boxes_on_redundant_corners(corners):
    """Impulses exist for every friction, since the box can be lifted (Acary & Cadoux 2013).

    Of a thousand such boxes on three corners, seven are solved to 1e-10 only; seeds are fixed.
    """
    rng, helped = np.random.default_rng(corners), 0
    for _ in range(60):
        problem = box_on_corners(rng, corners)
        n, weight = len(problem.c), weights(problem)
        r, error, approach = dense_solver(problem.blocks, n).solve(problem.G, problem.c, 1e-13)
        assert residual(problem, r, weight) <= 1e-10
        assert error == pytest.approx(residual(problem, r, weight), abs=1e-14)
        assert approach <= 1e-10
        swept, _ = Sweeps(problem, weight).run(np.zeros(n), 200, 1e-14)
        helped += residual(problem, swept, weight) > 1e-9
    assert helped > 2


def test_corner_that_lets_go_within_rounding():
    """Four corners in one plane, of which one leaves at 1e-11 of the speed: forces carry three."""
    W = np.array([(1.0, x, y) for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))])
    twist = np.array([1.0, -1.0, 1.0, -1.0])
    G, blocks = W @ np.diag([1.0, 3.0, 2.0]) @ W.T, tuple(HalfLine(k) for k in range(4))
    c = -np.ones(4) + 1e-11 * twist
    r, error, _ = dense_solver(blocks, 4).solve(G, c, 1e-13)
    u = Problem(G, c, blocks).u(r)
    assert error <= 1e-13
    assert u @ twist == pytest.approx(4e-11, rel=1e-3)
    assert np.minimum(u, r).min() >= -1e-15


def test_groups_without_a_cone_are_left_to_others():
    blocks = (HalfLine(0), Friction(0, (1, 2), 0.4), Friction(0, (3,), 0.02))
    kinds = groups_of(Problem(np.eye(4), np.zeros(4), blocks).layout).kind
    assert not has_path(len(kinds), kinds)
