"""Projected Gauss–Seidel: block by block, each solved exactly for the present others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from jourdain.solvers.nonsmooth.anderson import PIVOTS, memory_size
from jourdain.solvers.nonsmooth.layout import Layout
from jourdain.solvers.nonsmooth.problem import Problem
from jourdain.solvers.nonsmooth.sweeps import (
    CONTACT,
    DISC,
    FREE,
    HALF_LINE,
    LINE,
    PLANE,
    SEGMENT,
    gauss_seidel,
)

Array = NDArray[np.float64]
HUGE = 1e300
DEPTH = 10


@dataclass(frozen=True, eq=False)
class Groups:
    """Blocks as one table; a normal row and its only friction form one group."""

    kind: NDArray[np.int64]
    start: NDArray[np.int64]
    rows: NDArray[np.int64]
    normal: NDArray[np.int64]
    D: Array
    limits: Array


@lru_cache(maxsize=16)
def groups_of(layout: Layout) -> Groups:
    """Table of groups for the sweeps; steps with the same layout share it."""
    parts: list[tuple[int, Any, Any, Any, Any]] = []  # kind, rows, scale, limits, normal
    parts += [(FREE, b[None], 1.0, (0.0, 0.0), 0) for b in layout.bilateral]
    used = np.concatenate([layout.line_normals, layout.plane_normals])
    is_alone = np.bincount(used, minlength=1 + max(layout.half_lines, default=0)) == 1
    plain = layout.half_lines[~is_alone[layout.half_lines]]
    parts.append((HALF_LINE, plain[:, None], 1.0, (0.0, HUGE), 0))
    limits = np.clip(np.stack([layout.lower, layout.upper], axis=1), -HUGE, HUGE)
    parts.append((SEGMENT, layout.segments[:, None], 1.0, limits, 0))
    pair = np.stack([-layout.radius, layout.radius], axis=1)
    parts.append((DISC, layout.discs, 1.0, pair, 0))
    for kind, (normals, rows, mu) in zip((LINE, PLANE), layout.frictions, strict=True):
        alone = is_alone[normals]
        both = np.concatenate([normals[:, None], rows], axis=1)[alone]
        scale = np.concatenate([np.ones((len(mu), 1)), mu], axis=1)[alone]
        parts.append((CONTACT, both, scale, (0.0, 0.0), 0))
        pair = np.stack([-mu[:, 0], mu[:, 0]], axis=1)[~alone]
        scale = mu[~alone] if kind == PLANE else 1.0
        parts.append((kind, rows[~alone], scale, pair, normals[~alone]))
    return _table([p for p in parts if len(p[1])])


def _table(parts: list[tuple[int, Any, Any, Any, Any]]) -> Groups:
    """Join the parts of each kind."""
    if not parts:
        none = np.zeros(0, dtype=np.int64)
        return Groups(none, np.zeros(1, dtype=np.int64), none, none, np.zeros(0), np.zeros((0, 2)))
    counts = [len(p[1]) for p in parts]
    widths = np.repeat([p[1].shape[1] for p in parts], counts).astype(np.int64)
    rows = np.concatenate([p[1].ravel() for p in parts]).astype(np.int64)
    start = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    limits = [np.broadcast_to(p[3], (n, 2)) for p, n in zip(parts, counts, strict=True)]
    scales = [np.broadcast_to(p[2], p[1].shape).ravel() for p in parts]
    normal = [np.broadcast_to(p[4], n) for p, n in zip(parts, counts, strict=True)]
    return Groups(
        kind=np.repeat([p[0] for p in parts], counts).astype(np.int64),
        start=start, rows=rows, normal=np.concatenate(normal).astype(np.int64),
        D=np.concatenate(scales).astype(float),
        limits=np.concatenate(limits).astype(float),
    )  # fmt: skip


def own_matrices(G: Any, groups: Groups) -> tuple[Array, NDArray[np.int64]]:
    """Scaled diagonal blocks of G, one behind the other; pseudo-inverses for bilateral rows."""
    widths = np.diff(groups.start)
    at = np.concatenate([[0], np.cumsum(widths**2)]).astype(np.int64)
    A = np.empty(at[-1])
    for m in np.unique(widths):
        which = np.flatnonzero(widths == m)
        place = groups.start[which][:, None] + np.arange(m)
        rows, D = groups.rows[place], groups.D[place]
        first, second = np.repeat(rows, m, axis=1), np.tile(rows, (1, m))
        own = np.asarray(G[first.ravel(), second.ravel()]).reshape(-1, m, m)
        own = own * D[:, :, None] * D[:, None, :]
        free = groups.kind[which] == FREE
        if free.any():
            own[free] = np.linalg.pinv(own[free], rcond=1e-12)
        A[at[which][:, None] + np.arange(m * m)] = own.reshape(-1, m * m)
    return A, at


def _by_rows(G: Any) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
    """Start of each row, columns and entries: of the filled places, or of all if G is dense."""
    if sparse.issparse(G):
        G = sparse.csr_array(G)
        return G.indptr.astype(np.int64), G.indices.astype(np.int64), G.data
    n = len(G)
    return n * np.arange(n + 1), np.tile(np.arange(n), n), G.ravel()


class Sweeps:
    """Gauss–Seidel for one problem, prepared once."""

    def __init__(self, problem: Problem, weight: Array) -> None:
        groups = groups_of(problem.layout)
        A, at_A = own_matrices(problem.G, groups)
        heads = groups.rows[groups.start[:-1]]
        arrays = [
            *_by_rows(problem.G), problem.c, groups.kind, groups.start, groups.rows,
            groups.normal, groups.D, at_A, A,
            np.column_stack([groups.limits, weight[heads]]).ravel(),
        ]  # fmt: skip
        self._arrays = [np.ascontiguousarray(a) for a in arrays]
        self._addresses = [a.ctypes.data for a in self._arrays]
        self._n_groups = len(groups.kind)
        self._without_impulse = groups.rows[groups.D == 0.0]
        self._work = np.zeros(16 + int(np.diff(groups.start).max(initial=0)))
        self._size = float(np.linalg.norm(problem.c))
        self._root = np.sqrt(weight)

    def run(
        self, r: Array, sweeps: int, tol: float = 0.0, omega: float = 1.0, depth: int = DEPTH
    ) -> tuple[Array, int]:
        """Up to so many sweeps from r; stop when no impulse changes by more than ``tol |c|``.

        Parameters
        ----------
        r : (n,)
            Start, left as it is.
        sweeps : int
            Most sweeps.
        tol : float [1]
            Change, in the unit of u, relative to the size of c.
        omega : float [1]
            Relaxation between 0 and 2.
        depth : int
            Sweeps to extrapolate from; zero for plain sweeps.

        Returns
        -------
        r : (n,)
        sweeps : int
            Sweeps done.
        """
        r = np.array(r, dtype=float)
        r[self._without_impulse] = 0.0
        n = len(r)
        depth = min(depth, n)
        memory = np.empty(memory_size(n, depth))
        state = np.zeros(PIVOTS + depth, dtype=np.int64)
        done = gauss_seidel(
            *self._addresses, r.ctypes.data, self._n_groups, omega, self._work.ctypes.data, sweeps,
            n, tol * self._size, self._root.ctypes.data, depth, state.ctypes.data,
            memory.ctypes.data,
        )  # fmt: skip
        return r, done
