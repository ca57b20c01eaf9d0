"""Small dense problems with the same blocks, step after step: prepared once, solved in one call."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jourdain.codegen.kernel import address
from jourdain.solvers.native import native
from jourdain.solvers.nonsmooth.gauss_seidel import groups_of
from jourdain.solvers.nonsmooth.layout import Layout
from jourdain.solvers.nonsmooth.problem import check_blocks, layout_of
from jourdain.solvers.nonsmooth.small.dense import dense_room, solve_dense
from jourdain.solvers.nonsmooth.small.dense_residual import APPROACH, RESIDUAL

Array = NDArray[np.float64]
_solve = native("ippiaaaapppdpap")(solve_dense)


class DenseSolver:
    """Impulses of problems that differ in G and c alone.

    Parameters
    ----------
    layout : Layout
        Laws of the rows 0, 1, 2, ….
    n : int
        Number of rows.
    """

    def __init__(self, layout: Layout, n: int) -> None:
        groups = groups_of(layout)
        self._lock = Lock()  # there is one memory for all threads
        self._G, self._c, self._r, self._report = (np.zeros(s) for s in (n * n, n, n, 3))
        limits = np.column_stack([groups.limits, np.zeros(len(groups.limits))]).ravel()
        table = [groups.kind, groups.start, groups.rows, groups.normal, groups.D, limits]
        n_numbers, n_integers = dense_room(n)
        memory = [np.zeros(n_numbers), np.zeros(n_integers, dtype=np.int64)]
        self._kept = [np.ascontiguousarray(a) for a in (*table, *memory)]
        *front, numbers, integers = map(address, self._kept)
        self._front = [n, address(self._G), address(self._c), len(groups.kind), *front]
        self._back = [numbers, integers, address(self._report)]

    def solve(self, G: Array, c: Array, tol: float) -> tuple[Array, float, float]:
        """Impulses from rest, their residual [1], and the fastest approach that is left [m/s]."""
        with self._lock:
            self._G[:], self._c[:], self._r[:] = G.ravel(), c, 0.0
            _solve(*self._front, address(self._r), tol, *self._back)
            report = self._report
            return self._r.copy(), float(report[RESIDUAL]), float(report[APPROACH])


@lru_cache(maxsize=64)
def dense_solver(blocks: tuple[Any, ...], n: int) -> DenseSolver:
    """Solver for given blocks; steps with the same ones share it."""
    check_blocks(blocks, n)
    return DenseSolver(layout_of(blocks), n)
