"""Symmetric systems of 6 × 6 blocks that are mostly empty: Cholesky's factors, block by block.

Which blocks fill is found once for a graph of units, with the order of least degree; then systems
with other numbers in the same places are factored in machine code.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from jourdain.codegen.kernel import address
from jourdain.solvers.native import native

WIDTH = 6
"""Columns of a unit."""
BLOCK = WIDTH * WIDTH
"""Numbers of a block, stored column by column."""
_FEW = 200  # units up to which there is a full table of them


def factor_own(L, at):
    """Cholesky's factor of a block in place; return whether there is none."""
    for j in range(WIDTH):
        d = L[at + WIDTH * j + j]
        for s in range(j):
            d -= L[at + WIDTH * s + j] * L[at + WIDTH * s + j]
        if not d > 0.0:
            return 1
        d = d**0.5
        L[at + WIDTH * j + j] = d
        for i in range(j + 1, WIDTH):
            t = L[at + WIDTH * j + i]
            for s in range(j):
                t -= L[at + WIDTH * s + i] * L[at + WIDTH * s + j]
            L[at + WIDTH * j + i] = t / d
    return 0


def divide_block(L, at, own):
    """``B → B L⁻ᵀ`` of a block below the factor of its column."""
    for j in range(WIDTH):
        for s in range(j):
            t = L[own + WIDTH * s + j]
            for i in range(WIDTH):
                L[at + WIDTH * j + i] -= t * L[at + WIDTH * s + i]
        d = 1.0 / L[own + WIDTH * j + j]
        for i in range(WIDTH):
            L[at + WIDTH * j + i] *= d


def subtract_product(L, at, a, b):
    """Block at ``at`` less ``A Bᵀ``."""
    for j in range(WIDTH):
        for s in range(WIDTH):
            t = L[b + WIDTH * s + j]
            for i in range(WIDTH):
                L[at + WIDTH * j + i] -= t * L[a + WIDTH * s + i]


@native("iaap", is_unrolled=True)
def factor_blocks(n, start, rows, L):
    """Factors of a matrix in place; return whether it is not positive definite.

    Blocks of column j are ``start[j]`` to ``start[j + 1]``, in the rows ``rows``, ascending.
    """
    for j in range(n):
        own, end = start[j], start[j + 1]
        if factor_own(L, BLOCK * own):
            return 1
        for e in range(own + 1, end):
            divide_block(L, BLOCK * e, BLOCK * own)
        for e in range(own + 1, end):
            at = start[rows[e]]
            for f in range(e, end):
                while rows[at] != rows[f]:
                    at += 1
                subtract_product(L, BLOCK * at, BLOCK * f, BLOCK * e)
    return 0


@native("iaapp", is_unrolled=True)
def solve_blocks(n, start, rows, L, x):
    """Solve with the factors of `factor_blocks`; x is the right side and becomes the solution."""
    for j in range(n):
        own = BLOCK * start[j]
        for s in range(WIDTH):
            t = x[WIDTH * j + s] / L[own + WIDTH * s + s]
            x[WIDTH * j + s] = t
            for i in range(s + 1, WIDTH):
                x[WIDTH * j + i] -= t * L[own + WIDTH * s + i]
        for e in range(start[j] + 1, start[j + 1]):
            for s in range(WIDTH):
                t = x[WIDTH * j + s]
                for i in range(WIDTH):
                    x[WIDTH * rows[e] + i] -= t * L[BLOCK * e + WIDTH * s + i]
    for k in range(n):
        j = n - 1 - k
        own = BLOCK * start[j]
        for e in range(start[j] + 1, start[j + 1]):
            for s in range(WIDTH):
                t = 0.0
                for i in range(WIDTH):
                    t += L[BLOCK * e + WIDTH * s + i] * x[WIDTH * rows[e] + i]
                x[WIDTH * j + s] -= t
        for m in range(WIDTH):
            s = WIDTH - 1 - m
            t = x[WIDTH * j + s]
            for i in range(s + 1, WIDTH):
                t -= L[own + WIDTH * s + i] * x[WIDTH * j + i]
            x[WIDTH * j + s] = t / L[own + WIDTH * s + s]
    return 0


def add_product(L, at, S, p, T, q):
    """Block at ``at`` plus ``Sᵀ T`` of two 3 × 6 matrices, stored row by row."""
    for j in range(WIDTH):
        for row in range(3):
            t = T[q + WIDTH * row + j]
            for i in range(WIDTH):
                L[at + WIDTH * j + i] += S[p + WIDTH * row + i] * t


@native("iiaapppp", is_unrolled=True)
def assemble_blocks(n, m, place, own, M, S, H, L):
    """``M + Sᵀ H S``: blocks of units, and of both sides of each contact; returns 0.

    ``own`` are the blocks of the units, ``place`` (m, 4) those of a with a, b with b and of both,
    or −1, and whether b is the row of both; ``S`` is (m, 2, 3, 6). Behind L there is room for H S.
    """
    for i in range(n):
        for e in range(BLOCK):
            L[BLOCK * own[i] + e] += M[BLOCK * i + e]
    w = BLOCK * place[4 * m]
    for k in range(m):
        a = 6 * WIDTH * k
        for side in range(2):
            for row in range(3):
                for j in range(WIDTH):
                    t = 0.0
                    for s in range(3):
                        t += H[9 * k + 3 * row + s] * S[a + 18 * side + WIDTH * s + j]
                    L[w + 18 * side + WIDTH * row + j] = t
        for side in range(2):
            if place[4 * k + side] >= 0:
                add_product(L, BLOCK * place[4 * k + side], S, a + 18 * side, L, w + 18 * side)
        if place[4 * k + 2] >= 0:
            row = 18 * place[4 * k + 3]
            add_product(L, BLOCK * place[4 * k + 2], S, a + row, L, w + 18 - row)
    return 0


@native("iiaaaaaa")
def least_degree(n, m, pairs, table, degree, order, start, rows):
    """Order of units of least degree, and the blocks that fill; return how many blocks there are.

    ``table`` (n, n) is zero, and room for scratch; ``rows`` has room for all blocks of a triangle.
    """
    for k in range(m):
        a, b = pairs[2 * k], pairs[2 * k + 1]
        if a >= 0 and b >= 0 and a != b:
            table[n * a + b] = 1
            table[n * b + a] = 1
    for i in range(n):
        degree[i] = 0
        order[i] = i
        for j in range(n):
            degree[i] += table[n * i + j]
    for k in range(n):
        least = k
        for e in range(k + 1, n):
            if degree[order[e]] < degree[order[least]]:
                least = e
        i = order[least]
        order[least], order[k] = order[k], i
        for e in range(k + 1, n):
            a = order[e]
            if table[n * i + a]:
                degree[a] -= 1
                for f in range(e + 1, n):
                    b = order[f]
                    if table[n * i + b] and not table[n * a + b]:
                        table[n * a + b] = 1
                        table[n * b + a] = 1
                        degree[a] += 1
                        degree[b] += 1
    count = 0
    for k in range(n):
        start[k] = count
        rows[count] = k
        count += 1
        for e in range(k + 1, n):
            if table[n * order[k] + order[e]]:
                rows[count] = e
                count += 1
    start[n] = count
    return count


@native("iaaaaa")
def place_contacts(m, pairs, position, start, rows, place):
    """Blocks (m, 4) of each contact (see `assemble_blocks`)."""
    for k in range(m):
        at = 4 * k
        for e in range(4):
            place[at + e] = -1
        for side in range(2):
            if pairs[2 * k + side] >= 0:
                place[at + side] = start[position[pairs[2 * k + side]]]
        if pairs[2 * k] >= 0 and pairs[2 * k + 1] >= 0:
            a, b = position[pairs[2 * k]], position[pairs[2 * k + 1]]
            block = start[min(a, b)]
            while rows[block] != max(a, b):
                block += 1
            place[at + 2] = block
            place[at + 3] = 1 if a < b else 0
    return 0


def _order_few(n: int, pairs: Any) -> tuple[Any, ...]:
    """Order of units, and starts and rows of the columns of factors, by a full table."""
    work = np.zeros(n * (n + 1) + n * (n + 1) // 2, dtype=np.int64)
    table, degree, rows = np.split(work, [n * n, n * (n + 1)])
    order, start = np.empty(n, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    at = map(address, (pairs, table, degree, order, start, rows))
    count = least_degree(n, len(pairs), *at)
    return order, start, rows[:count].copy()


def _order_many(n: int, pairs: Any) -> tuple[Any, ...]:
    """The same by a sparse matrix that fills whatever can fill."""
    every = np.arange(n)
    a, b = pairs[(pairs >= 0).all(axis=1)].T
    columns, rows = np.concatenate([every, a, b]), np.concatenate([every, b, a])
    known = np.unique(columns * n + rows)
    columns, rows = known // n, known % n
    value = np.where(columns == rows, float(len(pairs) + 1), -1.0)
    start = np.searchsorted(columns, np.arange(n + 1))
    matrix = sparse.csc_array((value, rows, start), shape=(n, n))
    factors = splu(
        matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, relax=1,
        options={"SymmetricMode": True},
    )  # fmt: skip
    L = factors.L.tocsc()
    L.sort_indices()
    return np.argsort(factors.perm_c), *(x.astype(np.int64) for x in (L.indptr, L.indices))


@lru_cache(maxsize=16)
def _pattern(n: int, pairs: bytes) -> tuple[Any, ...]:
    """Order of n units, starts and rows of the columns of factors, places of units and contacts.

    Contacts of what rests are the same in many steps.
    """
    own = np.frombuffer(pairs, dtype=np.int64).reshape(-1, 2)
    order, start, rows = (_order_few if n <= _FEW else _order_many)(n, own)
    position = np.empty(n, dtype=np.int64)
    position[order] = np.arange(n)
    place = np.full((len(own) + 1, 4), -1, dtype=np.int64)
    place[-1, 0] = len(rows)  # place of scratch memory
    place_contacts(len(own), *map(address, (own, position, start, rows, place)))
    return order, start, rows, position, place


class Elimination:
    """Systems ``M + Sᵀ H S`` of n units that contacts connect.

    Parameters
    ----------
    n : int
        Number of units.
    pairs : (m, 2) of int
        Units of each contact, −1 for none.
    """

    def __init__(self, n: int, pairs: Any) -> None:
        own, self._n = np.ascontiguousarray(pairs, dtype=np.int64), n
        self.order, self._start, self._rows, self.position, self._place = _pattern(n, own.tobytes())
        self._own = self._start[self.position]
        self._L = np.zeros(BLOCK * (len(self._rows) + 1))

    @property
    def arguments(self) -> dict[str, int]:
        """What loops are told of the order and the blocks."""
        arrays = {
            "start": self._start, "rows": self._rows, "own": self._own, "place": self._place,
            "order": self.order, "L": self._L,
        }  # fmt: skip
        return {"n_blocks": len(self._rows), **{k: address(x) for k, x in arrays.items()}}

    def factor(self, M: Any, S: Any, H: Any) -> bool:
        """Factor ``M + Sᵀ H S``, blocks (n, 6, 6), (m, 2, 3, 6), (m, 3, 3); tell whether it can."""
        self._L[:] = 0.0
        assemble_blocks(
            self._n, len(S), address(self._place), address(self._own), address(M), address(S),
            address(H), address(self._L),
        )  # fmt: skip
        return not factor_blocks(
            self._n, address(self._start), address(self._rows), address(self._L)
        )

    def solve(self, right: Any) -> Any:
        """Solution for a right side (6 n)."""
        x = np.ascontiguousarray(right.reshape(-1, WIDTH)[self.order])
        solve_blocks(
            self._n, address(self._start), address(self._rows), address(self._L), address(x)
        )
        return x[self.position].ravel()
