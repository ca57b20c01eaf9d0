from __future__ import annotations

import numpy as np
import pytest

from jourdain.codegen.kernel import address
from jourdain.solvers.linear import factor, factor_complex, solve, solve_complex
from jourdain.solvers.native import native


@native("piai")
def solved(w, n, pivots, at_x):
    if not factor(w, 0, n, pivots, 0):
        return 1
    solve(w, 0, n, pivots, 0, at_x)
    return 0


@native("piai")
def solved_complex(w, n, pivots, at_x):
    if not factor_complex(w, 0, n, pivots, 0):
        return 1
    solve_complex(w, 0, n, pivots, 0, at_x)
    return 0


def run(loop, parts, n):
    w, pivots = np.concatenate([x.ravel() for x in parts]), np.zeros(n + 1, dtype=np.int64)
    size = sum(x.size for x in parts if x.ndim == 2)
    status = loop(address(w), n, address(pivots), size)
    return status, w[size:], pivots[:n]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 20])
def test_real_system_with_exchanged_rows(rng, n):
    """Small diagonals: an exchange in almost every column, also of rows with multipliers."""
    A, b = rng.normal(size=(n, n)), rng.normal(size=n)
    if n > 1:
        A -= np.diag(np.diag(A))
    status, x, pivots = run(solved, (A, b), n)
    assert status == 0
    np.testing.assert_allclose(A @ x, b, atol=1e-12 * np.linalg.cond(A))
    assert n < 7 or np.count_nonzero(pivots != np.arange(n)) > 1


@pytest.mark.parametrize("n", [1, 2, 3, 7, 20])
def test_complex_system_with_exchanged_rows(rng, n):
    A = rng.normal(size=(n, n)) + 1j * rng.normal(size=(n, n))
    b = rng.normal(size=n) + 1j * rng.normal(size=n)
    if n > 1:
        A -= np.diag(np.diag(A))
    parts = (A.real.copy(), A.imag.copy(), b.real.copy(), b.imag.copy())
    status, x, pivots = run(solved_complex, parts, n)
    assert status == 0
    np.testing.assert_allclose(A @ (x[:n] + 1j * x[n:]), b, atol=1e-12 * np.linalg.cond(A))
    assert n < 7 or np.count_nonzero(pivots != np.arange(n)) > 1


def test_singular_matrices_are_told():
    A = np.array([[1.0, 2.0], [2.0, 4.0]])
    assert run(solved, (A, np.ones(2)), 2)[0] == 1
    assert run(solved_complex, (A, 0.0 * A, np.ones(2), np.ones(2)), 2)[0] == 1
