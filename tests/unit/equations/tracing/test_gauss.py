"""Linear systems of expressions."""

import casadi as ca
import numpy as np
import pytest

from jourdain.equations.tracing.gauss import solve_definite


@pytest.mark.parametrize("n", [1, 3, 4, 9])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_definite_systems(n, sign):
    rng = np.random.default_rng(n)
    half = rng.normal(size=(n, n)) * (rng.uniform(size=(n, n)) < 0.6)
    M, b = sign * (half @ half.T + np.eye(n)), rng.normal(size=n)
    symbols = ca.SX.sym("M", n, n), ca.SX.sym("b", n)
    x = ca.Function("x", symbols, [solve_definite(*symbols)])(M, b)
    assert M @ np.array(x).ravel() == pytest.approx(b, abs=1e-12)


def test_zeros_stay_zeros():
    """A tridiagonal system takes a number of operations in proportion to its size."""
    counts = []
    for n in (10, 20):
        entries = ca.SX.sym("d", n), ca.SX.sym("e", n - 1), ca.SX.sym("b", n)
        M = ca.diag(entries[0])
        for k in range(n - 1):
            M[k, k + 1] = M[k + 1, k] = entries[1][k]
        counts.append(ca.Function("x", entries, [solve_definite(M, entries[2])]).n_nodes())
    assert counts[1] < 2.2 * counts[0]
