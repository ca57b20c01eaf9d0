"""Solution of small linear systems of expressions."""

from __future__ import annotations

from typing import Any

import casadi as ca

_SMALL = 3  # unknowns up to which an orthogonal factorisation is as short


def solve_definite(M: Any, right: Any) -> Any:
    """Solution of M x = right by Gauss's elimination without pivots, zeros left out.

    Half the operations of an orthogonal factorisation. For matrices that are definite but for
    rare moments; where a pivot vanishes all the same, the solution is no number.

    Parameters
    ----------
    M : casadi.SX (n, n)
        Matrix, definite of either sign.
    right : casadi.SX (n, 1)
        Right side.
    """
    n = M.shape[0]
    if n <= _SMALL:
        return ca.solve(M, right)
    rows = [{j: M[i, j] for j in range(n) if not M[i, j].is_zero()} for i in range(n)]
    b = [right[i] for i in range(n)]
    for k in range(n):
        for i in range(k + 1, n):
            if k in rows[i]:
                factor = rows[i].pop(k) / rows[k][k]
                for j in (j for j in rows[k] if j > k):
                    rows[i][j] = rows[i].get(j, 0.0) - factor * rows[k][j]
                b[i] = b[i] - factor * b[k]
    x: list[Any] = [None] * n
    for i in reversed(range(n)):
        known = sum((rows[i][j] * x[j] for j in rows[i] if j > i), ca.SX(0))
        x[i] = (b[i] - known) / rows[i][i]
    return ca.vertcat(*x)
