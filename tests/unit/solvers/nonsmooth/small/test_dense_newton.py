"""Newton's method on small contact problems, against the general solver."""

import numpy as np
import pytest

from jourdain.solvers.nonsmooth import Friction, HalfLine, Problem, solve
from jourdain.solvers.nonsmooth.small.dense import dense_room, solve_quickly
from jourdain.solvers.nonsmooth.small.dense_residual import RESIDUAL
from jourdain.solvers.nonsmooth.sweeps import CONTACT


def problem(seed, n, redundant=False):
    """N contacts with two tangents each, of a machine that has enough freedoms, or not."""
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(3 * n, 6 if redundant else 3 * n + 3))
    c = W @ rng.normal(size=W.shape[1])
    return W @ W.T, c, rng.uniform(0.1, 0.8, n)


def solved(G, c, mu, start=None):
    n = len(mu)
    numbers, integers = dense_room(3 * n)
    r = np.zeros(3 * n) if start is None else start.copy()
    report = np.zeros(4)
    D = np.ravel([[1.0, x, x] for x in mu])
    is_solved = solve_quickly(
        3 * n, G.ravel().copy(), c.copy(), n, np.full(n, CONTACT), np.arange(0, 3 * n + 1, 3),
        np.arange(3 * n), np.zeros(n, dtype=int), D, np.tile([0.0, 1e300, 0.0], n), r, 1e-12,
        np.zeros(numbers), np.zeros(integers, dtype=int), report,
    )  # fmt: skip
    return is_solved, r, report


@pytest.mark.parametrize("redundant", [False, True])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_solutions_are_those_of_the_general_solver(n, redundant):
    found = 0
    for seed in range(10):
        G, c, mu = problem(seed, n, redundant)
        is_solved, r, report = solved(G, c, mu)
        if not is_solved:
            np.testing.assert_array_equal(r, 0.0)
            continue
        found += 1
        assert report[RESIDUAL] <= 1e-12
        blocks = [HalfLine(3 * k) for k in range(n)]
        blocks += [Friction(3 * k, (3 * k + 1, 3 * k + 2), float(mu[k])) for k in range(n)]
        general = solve(Problem(G, c, blocks), tol=1e-12)
        np.testing.assert_allclose(G @ r, G @ general.r, atol=1e-6 * np.abs(c).max())
    assert found >= 7


def test_a_solution_stays():
    G, c, mu = problem(3, 3)
    _, r, _ = solved(G, c, mu)
    _, again, _ = solved(G, c, mu, start=r)
    np.testing.assert_allclose(again, r, atol=1e-12)
