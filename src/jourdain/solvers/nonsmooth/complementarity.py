"""Problems without discs as linear complementarity problems (NS-4).

A row with two limits has two pairs: ``x = r - lower ⊥ u⁺`` and ``y = upper - r ⊥ u⁻`` with
``u = u⁺ - u⁻``. Friction with one row has the limits ``∓ mu r_N``. Bilateral rows are solved for
and drop out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jourdain.errors import ModelError
from jourdain.solvers.nonsmooth.layout import Layout
from jourdain.solvers.nonsmooth.problem import Problem

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Lcp:
    """``w = M z + q``, and the impulses ``r = T z + t`` of its solution."""

    M: Array
    q: Array
    T: Array
    t: Array


def is_planar(layout: Layout) -> bool:
    """Whether all sets are polygons."""
    return len(layout.discs) == 0 and len(layout.planes) == 0


def lcp_of(problem: Problem) -> Lcp:
    """Turn a problem without discs into a linear complementarity problem.

    The variables are ``z = (x, u⁻)``: x for every half line and every row with limits, ``u⁻`` for
    every row with two limits.

    Raises
    ------
    ModelError
        If there are discs.
    """
    layout, n = problem.layout, len(problem.c)
    if not is_planar(layout):
        raise ModelError(
            f"Lemke's method cannot solve {len(layout.discs) + len(layout.planes)} blocks with "
            "discs or spatial friction: they are no linear complementarity problem. "
            'Use method="auto".'
        )
    free, one, two = _sorted_rows(layout)
    sign = np.ones(n)
    sign[layout.segments[np.isneginf(layout.lower)]] = -1.0
    rows = np.concatenate([one, two])
    T, t = np.zeros((n, len(rows))), np.zeros(n)
    T[rows, np.arange(len(rows))] = sign[rows]
    width = np.zeros((len(two), len(rows)))
    span = np.zeros(len(two))
    column = {int(row): k for k, row in enumerate(rows)}
    place = {int(row): k for k, row in enumerate(two)}
    for row, low, high in zip(layout.segments, layout.lower, layout.upper, strict=True):
        if row in place:
            span[place[row]] = high - low
        if row in column:
            t[row] = high if np.isneginf(low) else low
    for row, normal, mu in zip(layout.lines, layout.line_normals, layout.line_mu, strict=True):
        T[row, column[normal]] = -mu
        width[place[row], column[normal]] = 2.0 * mu
    width[np.arange(len(two)), len(one) + np.arange(len(two))] -= 1.0
    T, t = _without_free(problem, free, T, t)
    return _assembled(problem, rows, sign, T, t, width, span)


def _sorted_rows(layout: Layout) -> tuple[Array, Array, Array]:
    """Rows without limit, with one, with two."""
    limits = np.isfinite(layout.lower).astype(int) + np.isfinite(layout.upper)
    free = np.concatenate([layout.free, layout.segments[limits == 0]])
    one = np.concatenate([layout.half_lines, layout.segments[limits == 1]])
    two = np.concatenate([layout.segments[limits == 2], layout.lines])
    return free, one, two


def _without_free(problem: Problem, free: Array, T: Array, t: Array) -> tuple[Array, Array]:
    """Impulses of bilateral rows, such that their velocities vanish (smallest ones)."""
    if len(free):
        G = problem.dense()
        right = np.column_stack([G[free] @ T, G[free] @ t + problem.c[free]])
        own = np.linalg.lstsq(G[np.ix_(free, free)], -right, rcond=1e-12)[0]
        T[free], t[free] = own[:, :-1], own[:, -1]
    return T, t


def _assembled(
    problem: Problem, rows: Array, sign: Array, T: Array, t: Array, width: Array, span: Array
) -> Lcp:
    """Put ``u`` of the rows and the distance to the second limit together."""
    n, k = len(rows), len(span)
    M, q = np.zeros((n + k, n + k)), np.zeros(n + k)
    M[:n, :n] = sign[rows, None] * (problem.G @ T)[rows]
    q[:n] = sign[rows] * problem.u(t)[rows]
    M[n - k : n, n:] = np.eye(k)
    M[n:, :n] = width
    q[n:] = span
    return Lcp(M, q, np.hstack([T, np.zeros((len(t), k))]), t)
