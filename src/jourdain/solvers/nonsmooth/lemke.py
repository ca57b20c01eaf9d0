"""Linear complementarity problems by Lemke's complementary pivoting.

Find ``z ≥ 0`` with ``w = M z + q ≥ 0`` and ``zᵀ w = 0``. Ties of the ratio test are broken
lexicographically, so the method cannot cycle: it ends in a solution or on a ray, which for many
classes of matrices proves that there is none (Cottle, Pang & Stone 2009, chapter 4).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
PIVOT = 1e-11
REFRESH = 30


@dataclass(frozen=True, eq=False)
class LcpResult:
    """End of Lemke's method.

    Attributes
    ----------
    z : (n,)
        Solution; zeros if there is none.
    pivots : int
        Exchanges of variables.
    is_solved : bool
        False when the method ended on a ray from every start, or after too many pivots.
    """

    z: Array
    pivots: int
    is_solved: bool


def lemke(M: Array, q: Array, max_pivots: int | None = None) -> LcpResult:
    """Solve a linear complementarity problem, or end on a ray.

    Parameters
    ----------
    M : (n, n)
        Any matrix.
    q : (n,)
        Right side.
    max_pivots : int, optional
        Give up after so many exchanges; ``50 (n + 10)`` if not given.
    """
    M, q = np.asarray(M, dtype=float), np.asarray(q, dtype=float)
    n = len(q)
    if (q >= 0.0).all():
        return LcpResult(np.zeros(n), 0, True)
    rows, columns = _scales(M)
    size = np.max(np.abs(rows * q))
    A, b = rows[:, None] * M * columns, rows * q / size
    total = 0
    for start in _starts(A):
        basis, pivots = _pivot(A, b, start, 50 * (n + 10) if max_pivots is None else max_pivots)
        total += pivots
        if basis is not None:
            return LcpResult(size * columns * _from_basis(A, b, basis), total, True)
    return LcpResult(np.zeros(n), total, False)


def _starts(M: Array) -> Iterator[tuple[int, ...]]:
    """Sets of z to begin with: none, then one or two with a regular matrix.

    A matrix without negative entries but zeros on its diagonal (a game of two players) ends on a
    ray at once from the first start, not from one of the others.
    """
    n, tries = len(M), 0
    yield ()
    for size in (1, 2):
        for start in combinations(range(n), size):
            if tries < 2 * n and abs(np.linalg.det(M[np.ix_(start, start)])) > 1e-6:
                tries += 1
                yield start


def _scales(M: Array) -> tuple[Array, Array]:
    """Positive factors of rows and columns that bring all entries near one."""
    size = np.abs(M)
    rows, columns = np.ones(len(M)), np.ones(len(M))
    for _ in range(2):
        rows /= _largest(rows[:, None] * size * columns, 1)
        columns /= _largest(rows[:, None] * size * columns, 0)
    return rows, columns


def _largest(size: Array, axis: int) -> Array:
    largest = size.max(axis=axis)
    return np.where(largest > 0.0, largest, 1.0)


def _pivot(
    M: Array, q: Array, start: tuple[int, ...], max_pivots: int
) -> tuple[list[int] | None, int]:
    """Pivot until the artificial variable leaves; return the basis, None on a ray.

    Columns 0 … n-1 are w, n … 2n-1 are z, 2n the artificial variable, 2n+1 the right side.
    """
    n = len(q)
    basis = [k + n if k in start else k for k in range(n)]
    full = np.hstack([np.eye(n), -M, np.zeros((n, 1)), q[:, None]])
    full[:, 2 * n] = -full[:, basis].sum(axis=1)
    table = np.linalg.solve(full[:, basis], full)
    if (table[:, -1] >= 0.0).all():
        return basis, 0
    row, entering = _first_row(table[:, -1]), 2 * n
    for count in range(1, max_pivots + 1):
        leaving = basis[row]
        _exchange(table, row, entering)
        basis[row] = entering
        if leaving == 2 * n:
            return basis, count
        if count % REFRESH == 0:
            table = np.linalg.solve(full[:, basis], full)
        entering = leaving + n if leaving < n else leaving - n
        found = _ratio_test(table, entering, basis, n)
        if found is None:
            return None, count
        row = found
    return None, max_pivots


def _first_row(q: Array) -> int:
    """Row of the smallest right side; the last one is the lexicographic choice among equals."""
    return int(np.flatnonzero(q == q.min())[-1])


def _exchange(table: Array, row: int, column: int) -> None:
    """Make a column the unit vector of a row."""
    table[row] /= table[row, column]
    factor = table[:, column].copy()
    factor[row] = 0.0
    table -= factor[:, None] * table[row]


def _ratio_test(table: Array, entering: int, basis: list[int], n: int) -> int | None:
    """Row that limits the entering variable; the artificial one leaves as soon as it may."""
    column = table[:, entering]
    able = np.flatnonzero(column > PIVOT)
    if len(able) == 0:
        return None
    for k in (2 * n + 1, *range(n)):
        ratios = table[able, k] / column[able]
        near = 1e-12 * max(1.0, float(np.abs(ratios).min())) if k > n else 0.0
        able = able[ratios <= ratios.min() + near]
        if k > n and any(basis[i] == 2 * n for i in able):
            return next(int(i) for i in able if basis[i] == 2 * n)
        if len(able) == 1:
            break
    return int(able[0])


def _from_basis(M: Array, q: Array, basis: list[int]) -> Array:
    """Solution of a basis, computed afresh so that errors of the pivots do not stay."""
    n = len(q)
    active = np.array(sorted(k - n for k in basis if k >= n), dtype=int)
    z = np.zeros(n)
    if len(active):
        z[active] = np.linalg.lstsq(M[np.ix_(active, active)], -q[active], rcond=None)[0]
    return np.maximum(z, 0.0)


def enumerate_lcp(M: Array, q: Array, tol: float = 1e-9) -> list[Array]:
    """All solutions at complementary bases: 2ⁿ systems, for tests of small problems."""
    n = len(q)
    found: list[Array] = []
    for choice in product((False, True), repeat=n):
        active = np.flatnonzero(choice)
        z = np.zeros(n)
        if len(active):
            z[active] = np.linalg.lstsq(M[np.ix_(active, active)], -q[active], rcond=None)[0]
        w = M @ z + q
        good = (z >= -tol).all() and (w >= -tol).all() and (np.abs(w[active]) <= tol).all()
        if good and not any(np.allclose(z, other, rtol=0.0, atol=tol) for other in found):
            found.append(z)
    return found
