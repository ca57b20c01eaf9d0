"""Small dense problems with the same blocks, step after step: prepared once, solved in one call."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jourdain.codegen.kernel import address
from jourdain.solvers.native import native
from jourdain.solvers.nonsmooth.anderson import PIVOTS, memory_size
from jourdain.solvers.nonsmooth.dense import APPROACH, RESIDUAL, solve_dense
from jourdain.solvers.nonsmooth.gauss_seidel import DEPTH, groups_of
from jourdain.solvers.nonsmooth.problem import Block, check_blocks, layout_of

Array = NDArray[np.float64]
_SWEEPS = 200
_solve = native("ippiaaaapppidiapppppaaapp")(solve_dense)


class DenseSolver:
    """Impulses of problems that differ in G and c alone.

    Parameters
    ----------
    blocks : tuple of blocks
        Laws of the rows 0, 1, 2, ….
    n : int
        Number of rows.
    """

    def __init__(self, blocks: tuple[Block, ...], n: int) -> None:
        check_blocks(blocks, n)
        groups = groups_of(layout_of(blocks))
        self._n, self._n_groups, self._depth = n, len(groups.kind), min(DEPTH, n)
        self._G, self._c, self._r, self._report = (np.zeros(s) for s in (n * n, n, n, 3))
        limits = np.column_stack([groups.limits, np.zeros(len(groups.limits))]).ravel()
        table = [groups.kind, groups.start, groups.rows, groups.normal, groups.D, limits]
        integers = [np.zeros(s, dtype=np.int64) for s in (n + 1, n + 1, n * n, PIVOTS + DEPTH)]
        numbers = [np.zeros(s) for s in (9 * n, n, n, n, 32, memory_size(n, self._depth))]
        self._kept = [np.ascontiguousarray(a) for a in (*table, *integers, *numbers)]
        *front, at_A, indptr, indices, state, A, weight, root, u, w, memory = map(
            address, self._kept
        )
        self._front = [n, address(self._G), address(self._c), self._n_groups, *front]
        self._back = [at_A, A, weight, root, u, w, indptr, indices, state, memory]

    def solve(self, G: Array, c: Array, tol: float) -> tuple[Array, float, float]:
        """Impulses from rest, their residual [1], and the fastest approach that is left [m/s]."""
        self._G[:], self._c[:], self._r[:] = G.ravel(), c, 0.0
        _solve(
            *self._front, address(self._r), _SWEEPS, 0.1 * tol, self._depth, *self._back,
            address(self._report),
        )  # fmt: skip
        report = self._report
        return self._r.copy(), float(report[RESIDUAL]), float(report[APPROACH])


@lru_cache(maxsize=64)
def dense_solver(blocks: tuple[Any, ...], n: int) -> DenseSolver:
    """Solver for given blocks; steps with the same ones share it."""
    return DenseSolver(blocks, n)
