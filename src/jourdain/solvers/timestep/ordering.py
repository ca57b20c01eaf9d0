"""Order of elimination and pattern of the factors of a sparse symmetric matrix.

The matrix is that of a step with bilateral constraints,

    [A  Pᵀ]
    [P  0 ]                                                                   (TS-3)

Coordinates come in the order of least degree. A constraint is eliminated after all its
coordinates: then its pivot is minus the response of its row, which is negative, or zero for a row
that repeats others.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Ordering:
    """Pattern of L in ``K = L D Lᵀ``, with rows and columns in the order of elimination.

    Parameters
    ----------
    place : (n,) of int
        Place of each row of the matrix in the order of elimination.
    columns : list of list of int
        For each column, the rows below the diagonal, ascending.
    """

    place: Any
    columns: list[list[int]]

    @property
    def parents(self) -> Any:
        """Parent of each column in the elimination tree; −1 for roots."""
        return np.array([c[0] if c else -1 for c in self.columns], dtype=np.int64)

    @property
    def rows(self) -> list[list[int]]:
        """For each row, the columns before the diagonal, ascending."""
        rows: list[list[int]] = [[] for _ in self.columns]
        for k, column in enumerate(self.columns):
            for i in column:
                rows[i].append(k)
        return rows

    def reach(self, places: Iterable[int]) -> list[int]:
        """Columns that a right side with some places fills, ascending."""
        found: set[int] = set()
        for place in places:
            k = place
            while k not in found:
                found.add(k)
                if not self.columns[k]:
                    break
                k = self.columns[k][0]
        return sorted(found)


def _parts(n: int, entries: Iterable[tuple[int, int]]) -> list[int]:
    """Smallest row of the connected part to which each row belongs."""
    parts = list(range(n))

    def first(i: int) -> int:
        while parts[i] != i:
            parts[i] = parts[parts[i]]
            i = parts[i]
        return i

    for i, j in entries:
        a, b = first(i), first(j)
        parts[max(a, b)] = min(a, b)
    return [first(i) for i in range(n)]


def order(n_free: int, n: int, entries: Iterable[tuple[int, int]]) -> Ordering:
    """Order of least degree, part by part of what is connected, so that bodies stay together.

    Parameters
    ----------
    n_free : int
        Number of coordinates, which come first in the matrix; constraints follow.
    n : int
        Number of rows.
    entries : iterable of (int, int)
        Places that are not zero by structure, of one triangle or of both.
    """
    entries, near = list(entries), [set[int]() for _ in range(n)]
    for i, j in entries:
        if i != j:
            near[i].add(j)
            near[j].add(i)
    waits = [{j for j in near[i] if j < n_free} if i >= n_free else set() for i in range(n)]
    after: dict[int, list[int]] = {}  # constraints of each coordinate
    for i in range(n_free, n):
        for j in waits[i]:
            after.setdefault(j, []).append(i)
    waiting = [(len(near[i]), i) for i in range(n) if not waits[i]]
    heapq.heapify(waiting)
    done, sequence, below = [False] * n, [], []
    while waiting:
        degree, k = heapq.heappop(waiting)
        if done[k] or degree != len(near[k]):
            continue
        done[k] = True
        sequence.append(k)
        below.append(near[k])
        for i in near[k]:
            near[i].discard(k)
            near[i] |= near[k]
            near[i].discard(i)
        for i in after.get(k, ()):
            waits[i].discard(k)
        for i in {*near[k], *after.get(k, ())}:
            if not done[i] and not waits[i]:
                heapq.heappush(waiting, (len(near[i]), i))
    parts = _parts(n, entries)
    both = sorted(zip(sequence, below, strict=True), key=lambda x: parts[x[0]])
    sequence, below = [k for k, _ in both], [rows for _, rows in both]
    place = np.empty(n, dtype=np.int64)
    place[sequence] = np.arange(n)
    columns = [sorted(int(place[i]) for i in rows) for rows in below]
    return Ordering(place, columns)
