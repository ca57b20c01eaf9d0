"""Sparse factors ``K = L D Lᵀ`` of the matrix of a step (TS-3), row by row.

Rows and columns lie in the order of elimination. Pivots of coordinates are positive; those of
constraints are negative, or zero but for rounding where a row repeats others: such a row is
dropped, with no impulse.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.codegen.translator.loop_records import Floats, Integers, LoopRecord
from jourdain.solvers.timestep.ordering import Ordering

DEPENDENT = 1e-9
"""Part of a constraint row's own response that must be left for it to count."""
WIDE_DEPENDENT = 1e-13
"""The same where inertias differ by orders: rounding alone."""
SINGULAR = 1e-14
"""Part of its entry of the matrix that must be left of the pivot of a coordinate."""


WRITTEN = ("entries", "L", "filled", "D", "D_inverse", "work")
"""Fields that belong to one run; the others are the pattern."""


class Factor(LoopRecord):
    """Matrix and factors; all indices in the order of elimination."""

    n: int
    dependent: float  # part of a constraint row's own response that must be left for it to count
    is_free: Integers  # (n,) 1 for coordinates, 0 for constraints
    entry_start: Integers  # (n + 1,) rows of the lower triangle of K
    entry_column: Integers
    entries: Floats
    row_start: Integers  # (n + 1,) pattern of L by rows
    row_column: Integers
    column_start: Integers  # (n + 1,) L by columns
    column_row: Integers
    L: Floats
    filled: Integers
    D: Floats
    D_inverse: Floats
    work: Floats


def factorise(f):
    """Factor K; return −1, or the row of a coordinate without inertia."""
    column_start, column_row, filled = f.column_start, f.column_row, f.filled
    L, D, D_inverse, w = f.L, f.D, f.D_inverse, f.work
    for i in range(f.n):
        filled[i] = column_start[i]
        own = 0.0
        for p in range(f.entry_start[i], f.entry_start[i + 1]):
            j = f.entry_column[p]
            if j == i:
                own = f.entries[p]
            else:
                w[j] = f.entries[p]
        pivot, size = own, abs(own)
        for p in range(f.row_start[i], f.row_start[i + 1]):
            k = f.row_column[p]
            y = w[k]
            w[k] = 0.0
            for e in range(column_start[k], filled[k]):
                w[column_row[e]] -= L[e] * y
            ratio = y * D_inverse[k]
            L[filled[k]] = ratio
            filled[k] += 1
            pivot -= ratio * y
            if f.is_free[i] == 0:
                size += max(ratio * y, 0.0)
        D[i] = pivot
        if f.is_free[i] == 1:
            if not pivot > SINGULAR * size:
                return i
            D_inverse[i] = 1.0 / pivot
        else:
            D_inverse[i] = 1.0 / pivot if -pivot > f.dependent * size else 0.0
    return -1


def solve_lower(f, x):
    """Replace x by L⁻¹ x."""
    for k in range(f.n):
        y = x[k]
        if y != 0.0:
            for e in range(f.column_start[k], f.column_start[k + 1]):
                x[f.column_row[e]] -= f.L[e] * y


def solve_upper(f, x):
    """Replace x by L⁻ᵀ D⁻¹ x."""
    for i in range(f.n):
        k = f.n - 1 - i
        total = x[k] * f.D_inverse[k]
        for e in range(f.column_start[k], f.column_start[k + 1]):
            total -= f.L[e] * x[f.column_row[e]]
        x[k] = total


def factor_fields(ordering: Ordering, n_free: int, entries: set[tuple[int, int]]) -> dict[str, Any]:
    """Fields of a `Factor` for a pattern; ``entries`` are the places of K, coordinates first."""
    n, place = len(ordering.place), ordering.place
    lower = {(max(place[i], place[j]), min(place[i], place[j])) for i, j in entries}
    lower |= {(k, k) for k in range(n)}
    listed = sorted((int(i), int(j)) for i, j in lower)
    columns = ordering.columns
    is_free = np.zeros(n + 1, dtype=np.int64)
    is_free[place[:n_free]] = 1
    n_L = sum(len(c) for c in columns)
    return dict(
        n=n, dependent=DEPENDENT, is_free=is_free,
        entry_start=_starts([i for i, _ in listed], n),
        entry_column=_integers([j for _, j in listed]), entries=np.zeros(len(listed) + 1),
        row_start=_starts([i for i, r in enumerate(ordering.rows) for _ in r], n),
        row_column=_integers([k for r in ordering.rows for k in r]),
        column_start=_starts([k for k, c in enumerate(columns) for _ in c], n),
        column_row=_integers([i for c in columns for i in c]),
        L=np.zeros(n_L + 1), filled=np.zeros(n + 1, dtype=np.int64), D=np.zeros(n + 1),
        D_inverse=np.zeros(n + 1), work=np.zeros(n + 1),
    )  # fmt: skip


def entry_places(factor: dict[str, Any], ordering: Ordering, places: list[tuple[int, int]]) -> Any:
    """Where some places of K lie among its entries."""
    start, columns = factor["entry_start"].tolist(), factor["entry_column"].tolist()
    index = {(i, columns[p]): p for i in range(factor["n"]) for p in range(start[i], start[i + 1])}
    at = ordering.place.tolist()
    return _integers([index[max(at[i], at[j]), min(at[i], at[j])] for i, j in places])


def _integers(values: list[int]) -> Any:
    return np.array([*values, 0], dtype=np.int64)


def _starts(owners: list[int], n: int) -> Any:
    """Where the items of each owner begin, which lie sorted by owner."""
    return np.searchsorted(np.array(owners, dtype=np.int64), np.arange(n + 1)).astype(np.int64)
