"""Matrices with a band: their order, colours of columns, and LU with partial pivoting within it.

Rows and columns lie in an order in which what belongs together is near. A matrix has ``SIZE``
numbers; entry (r, c) of the new order lies at ``SHIFT + r STRIDE + c``, with room for what pivoting
fills in. A dense matrix is the band of full width in the old order, without colours.

Behind the head of the table of integers lie: the places of all rows in the new order, the rows in
that order, where the columns of each colour begin, these columns, where the rows of each column
begin, these rows, and the pivots.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from jourdain.codegen.kernel import Pattern

STRIDE, SHIFT, LOWER, UPPER, FILLED, SIZE, SCRATCH = range(7)
N_COLOURS, AT_PLACE, AT_ORDER, AT_COLOURS, AT_COLUMNS, AT_STARTS, AT_ROWS, AT_PIVOTS = range(7, 15)
HEAD = 15
_WIDEST = 0.5  # part of the size of a matrix up to which a band pays


@lru_cache(maxsize=64)
def table_of(pattern: Pattern) -> Any:
    """Table of integers of a pattern; that of a dense matrix where a band would be wide."""
    from scipy.sparse import coo_array  # noqa: PLC0415
    from scipy.sparse.csgraph import reverse_cuthill_mckee  # noqa: PLC0415

    n = pattern.n
    ones = np.ones(len(pattern.rows) + n)
    both = (np.r_[pattern.rows, np.arange(n)], np.r_[pattern.columns, np.arange(n)])
    matrix = coo_array((ones, both), shape=(n, n)).tocsr()
    order = np.asarray(reverse_cuthill_mckee((matrix + matrix.T).tocsr(), symmetric_mode=True))
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    away = place[both[1]] - place[both[0]]
    lower, upper = int(max(0, -away.min())), int(max(0, away.max()))
    width = 2 * lower + upper + 1
    if width > _WIDEST * n:
        return dense_table(n)
    columns = matrix.tocsc()
    colours = _colours(columns, matrix)
    starts = np.cumsum([0, *(len(own) for own in colours)])
    head = [width - 1, lower, lower, upper, lower + upper, n * width, 0, len(colours)]
    parts = [place, order, starts, np.concatenate(colours), columns.indptr, columns.indices]
    return _table(head, [*parts, np.zeros(2 * n + 1)])


@lru_cache(maxsize=64)
def closed_table(rates: Pattern, projection: Pattern, n_q: int) -> Any:
    """Table of integers of the derivatives of rates at states moved onto the constraints.

    What constraints or rates couple is a block, however indirectly. A colour has one coordinate of
    each block, all positions or all velocities, so that they can be moved together.
    """
    from scipy.sparse import coo_array  # noqa: PLC0415
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    n = rates.n
    ends = [np.r_[getattr(rates, x), getattr(projection, x)] for x in ("rows", "columns")]
    count, block = connected_components(coo_array((np.ones(len(ends[0])), ends), shape=(n, n)))
    members = [np.flatnonzero(block == k) for k in range(count)]
    widest = max(len(own) for own in members) - 1
    if 3 * widest + 1 > _WIDEST * n:
        return dense_table(n)
    order = np.concatenate(members)
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    halves = [[own[own < n_q] for own in members], [own[own >= n_q] for own in members]]
    colours = [
        [int(own[k]) for own in half if k < len(own)]
        for half in halves
        for k in range(max(len(own) for own in half))
    ]
    sizes = np.array([len(members[k]) for k in block])
    rows = np.concatenate([members[k] for k in block])
    starts = np.cumsum([0, *(len(own) for own in colours)])
    head = [3 * widest, widest, widest, widest, 2 * widest, n * (3 * widest + 1), 0, len(colours)]
    parts = [place, order, starts, np.concatenate(colours), np.cumsum([0, *sizes]), rows]
    return _table(head, [*parts, np.zeros(2 * n + 1)])


def dense_table(n: int) -> Any:
    """Table of integers of a dense matrix."""
    none = np.zeros(1)
    head = [n, 0, n, n, n, n * n, 0, 0]
    return _table(head, [np.arange(n), np.arange(n), none, none, none, none, np.zeros(2 * n + 1)])


class BandEntries(NamedTuple):
    """Entries of a matrix that may differ from zero, in the new order.

    ``rows`` and ``columns`` are their places there, ``lies`` tells where they lie in the band, and
    ``diagonal`` is 1.0 for those on the diagonal.
    """

    rows: Any
    columns: Any
    lies: Any
    diagonal: Any


def band_entries(form: Any, n: int) -> BandEntries | None:
    """Entries of a matrix in a band; None for a dense one."""
    if not form[N_COLOURS]:
        return None
    starts = form[form[AT_STARTS] : form[AT_STARTS] + n + 1]
    place = form[form[AT_PLACE] : form[AT_PLACE] + n]
    rows = place[form[form[AT_ROWS] : form[AT_ROWS] + starts[-1]]]
    columns = place[np.repeat(np.arange(n), np.diff(starts))]
    lies = form[SHIFT] + rows * form[STRIDE] + columns
    return BandEntries(rows, columns, lies, (rows == columns).astype(float))


def _table(head: list[int], parts: list[Any]) -> Any:
    starts = HEAD + np.cumsum([0, *(len(x) for x in parts[:-1])])
    return np.concatenate([head, starts, *parts]).astype(np.int64)


def _colours(columns: Any, rows: Any) -> list[list[int]]:
    """Columns that share no row, greedily."""
    found: list[list[int]] = []
    colour = np.full(columns.shape[1], -1)
    for k in range(columns.shape[1]):
        own = columns.indices[columns.indptr[k] : columns.indptr[k + 1]]
        near = [rows.indices[rows.indptr[i] : rows.indptr[i + 1]] for i in own]
        taken = set(colour[np.concatenate(near)].tolist())
        free = next(c for c in range(len(found) + 1) if c not in taken)
        if free == len(found):
            found.append([])
        found[free].append(k)
        colour[k] = free
    return found


def factor_band(w, at, n, form, at_p):
    """Replace a matrix by its factors; tell whether it is regular."""
    base, stride = at + form[SHIFT], form[STRIDE]
    lower, filled, pivots = form[LOWER], form[FILLED], form[AT_PIVOTS] + at_p
    for k in range(n):
        last, end = min(n, k + lower + 1), min(n, k + filled + 1)
        best, row = abs(w[base + k * stride + k]), k
        for i in range(k + 1, last):
            size = abs(w[base + i * stride + k])
            if size > best:
                best, row = size, i
        form[pivots + k] = row
        if not best > 0.0:
            return False
        if row != k:
            for j in range(k, end):
                x = w[base + k * stride + j]
                w[base + k * stride + j] = w[base + row * stride + j]
                w[base + row * stride + j] = x
        inverse = 1.0 / w[base + k * stride + k]
        for i in range(k + 1, last):
            ratio = w[base + i * stride + k] * inverse
            w[base + i * stride + k] = ratio
            if ratio != 0.0:
                for j in range(k + 1, end):
                    w[base + i * stride + j] -= ratio * w[base + k * stride + j]
    return True


def ordered(w, n, form, at_x, at):
    """Put x into the order of the matrix, in scratch memory."""
    for i in range(n):
        w[at + form[form[AT_PLACE] + i]] = w[at_x + i]


def restored(w, n, form, at_x, at):
    """Put the solution back into the order of x."""
    for i in range(n):
        w[at_x + i] = w[at + form[form[AT_PLACE] + i]]


def solve_band(w, at, n, form, at_p, at_x):
    """Replace x by the solution of the factored system."""
    base, stride = at + form[SHIFT], form[STRIDE]
    lower, filled, pivots = form[LOWER], form[FILLED], form[AT_PIVOTS] + at_p
    y = form[SCRATCH]
    ordered(w, n, form, at_x, y)
    for k in range(n):
        row = form[pivots + k]
        x = w[y + row]
        w[y + row] = w[y + k]
        w[y + k] = x
        for i in range(k + 1, min(n, k + lower + 1)):
            w[y + i] -= w[base + i * stride + k] * x
    for k in range(n - 1, -1, -1):
        total = w[y + k]
        for j in range(k + 1, min(n, k + filled + 1)):
            total -= w[base + k * stride + j] * w[y + j]
        w[y + k] = total / w[base + k * stride + k]
    restored(w, n, form, at_x, y)


def factor_band_complex(w, at, n, form, at_p):
    """As `factor_band`, for a complex matrix, whose imaginary part is a second matrix behind."""
    base, stride = at + form[SHIFT], form[STRIDE]
    im = base + form[SIZE]
    lower, filled, pivots = form[LOWER], form[FILLED], form[AT_PIVOTS] + at_p
    for k in range(n):
        last, end = min(n, k + lower + 1), min(n, k + filled + 1)
        best, row = -1.0, k
        for i in range(k, last):
            d = i * stride + k
            size = w[base + d] ** 2 + w[im + d] ** 2
            if size > best:
                best, row = size, i
        form[pivots + k] = row
        if not best > 0.0:
            return False
        if row != k:
            for j in range(k, end):
                d, e = k * stride + j, row * stride + j
                x, y = w[base + d], w[im + d]
                w[base + d] = w[base + e]
                w[im + d] = w[im + e]
                w[base + e] = x
                w[im + e] = y
        d = k * stride + k
        a, b = w[base + d] / best, -w[im + d] / best
        for i in range(k + 1, last):
            d = i * stride + k
            x, y = w[base + d], w[im + d]
            re, imag = x * a - y * b, x * b + y * a
            w[base + d] = re
            w[im + d] = imag
            if re != 0.0 or imag != 0.0:
                for j in range(k + 1, end):
                    e = k * stride + j
                    x, y = w[base + e], w[im + e]
                    w[base + i * stride + j] -= re * x - imag * y
                    w[im + i * stride + j] -= re * y + imag * x
    return True


def solve_band_complex(w, at, n, form, at_p, at_x):
    """As `solve_band`; the imaginary part of x lies behind its real part."""
    base, stride = at + form[SHIFT], form[STRIDE]
    im = base + form[SIZE]
    lower, filled, pivots = form[LOWER], form[FILLED], form[AT_PIVOTS] + at_p
    at_re, at_im = form[SCRATCH], form[SCRATCH] + n
    ordered(w, n, form, at_x, at_re)
    ordered(w, n, form, at_x + n, at_im)
    for k in range(n):
        row = form[pivots + k]
        x, y = w[at_re + row], w[at_im + row]
        w[at_re + row] = w[at_re + k]
        w[at_im + row] = w[at_im + k]
        w[at_re + k] = x
        w[at_im + k] = y
        for i in range(k + 1, min(n, k + lower + 1)):
            d = i * stride + k
            a, b = w[base + d], w[im + d]
            w[at_re + i] -= a * x - b * y
            w[at_im + i] -= a * y + b * x
    for k in range(n - 1, -1, -1):
        x, y = w[at_re + k], w[at_im + k]
        for j in range(k + 1, min(n, k + filled + 1)):
            d = k * stride + j
            a, b = w[base + d], w[im + d]
            x -= a * w[at_re + j] - b * w[at_im + j]
            y -= a * w[at_im + j] + b * w[at_re + j]
        d = k * stride + k
        a, b = w[base + d], w[im + d]
        size = a * a + b * b
        w[at_re + k] = (x * a + y * b) / size
        w[at_im + k] = (y * a - x * b) / size
    restored(w, n, form, at_x, at_re)
    restored(w, n, form, at_x + n, at_im)
