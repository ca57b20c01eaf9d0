"""Semismooth Newton method on the projection equations (Alart & Curnier 1991; NS-6).

The unknowns are the impulses. Every row has an equation ``F = w r - prox(w r - u) = 0``; friction
projects on the disc of the radius that the projected normal impulse allows. F is piecewise smooth,
and Newton's method with an element of its generalised Jacobian converges quadratically near a
solution. Where contacts are redundant the matrix is singular but the equations are consistent: a
small multiple of the unit matrix, shrinking with the error, makes the step unique.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.linalg import lapack
from scipy.sparse.linalg import splu

from jourdain.solvers.nonsmooth import prox
from jourdain.solvers.nonsmooth.layout import Layout
from jourdain.solvers.nonsmooth.problem import Problem
from jourdain.solvers.nonsmooth.residual import TINY

Array = NDArray[np.float64]
Rows = NDArray[np.int64]
SHORTEST = 1e-3
ROUNDING = 1e-15
MOST_DAMPING = 1e-6


class Equations:
    """F and its derivatives with respect to ``s = w r`` and u, as triplets."""

    def __init__(self, layout: Layout, s: Array, u: Array) -> None:
        n = len(s)
        self.F = np.empty(n)
        self._parts: list[tuple[Rows, Rows, Array, Array]] = []
        self._diagonal_s, self._diagonal_u = np.zeros(n), np.zeros(n)
        self._layout, self._s, self._u = layout, s, u
        self.F[layout.free] = u[layout.free]
        self._diagonal_u[layout.free] = 1.0

    def clip(self, rows: Rows, lower: Array | float, upper: Array | float) -> Array:
        """Rows whose s lies between limits; return the projected values."""
        s, u = self._s[rows], self._u[rows]
        value = prox.interval(s - u, lower, upper)
        slope = prox.interval_jacobian(s - u, lower, upper)
        self.F[rows] = s - value
        self._diagonal_s[rows] = 1.0 - slope
        self._diagonal_u[rows] = slope
        return value

    def disc(self, rows: Rows, D: Array, radius: Array, normals: Rows, slope: Array) -> None:
        """Rows in ellipses with half axes ``D radius``; ``slope`` is the rate of the radius.

        The radius changes by ``slope (ds_N - du_N)`` of the row ``normals``.
        """
        s, u = self._s[rows], self._u[rows]
        has = D > 0.0
        y = np.where(has, s / np.where(has, D, 1.0), 0.0)
        z = y - D * u
        P, by_radius = prox.disc_jacobian(z, radius)
        self.F[rows] = np.where(has, y - prox.disc(z, radius), s)
        for i in range(rows.shape[1]):
            for j in range(rows.shape[1]):
                unit = 1.0 if i == j else 0.0
                scale = np.where(has[:, j], D[:, j], 1.0)
                by_s = np.where(has[:, i], (unit - P[:, i, j]) / scale, unit)
                by_u = np.where(has[:, i], P[:, i, j] * D[:, j], 0.0)
                self._parts.append((rows[:, i], rows[:, j], by_s, by_u))
            by_normal = np.where(has[:, i], slope * by_radius[:, i], 0.0)
            self._parts.append((rows[:, i], normals, -by_normal, by_normal))

    def matrices(self) -> tuple[sparse.csr_array, sparse.csr_array]:
        """Derivatives of F by s and by u."""
        n = len(self.F)
        k = np.arange(n)
        rows = np.concatenate([k, *(p[0] for p in self._parts)])
        columns = np.concatenate([k, *(p[1] for p in self._parts)])
        by_s = np.concatenate([self._diagonal_s, *(p[2] for p in self._parts)])
        by_u = np.concatenate([self._diagonal_u, *(p[3] for p in self._parts)])
        shape = (n, n)
        return (
            sparse.coo_array((by_s, (rows, columns)), shape=shape).tocsr(),
            sparse.coo_array((by_u, (rows, columns)), shape=shape).tocsr(),
        )


def equations(layout: Layout, s: Array, u: Array, w: Array) -> Equations:
    """All rows of F."""
    e = Equations(layout, s, u)
    k = layout.segments
    e.clip(k, w[k] * layout.lower, w[k] * layout.upper)
    projected = np.zeros(len(s))
    k = layout.half_lines
    projected[k] = e.clip(k, 0.0, np.inf)
    k = layout.discs
    if len(k):
        e.disc(k, np.ones(k.shape), w[k[:, 0]] * layout.radius, k[:, 0], np.zeros(len(k)))
    for normals, rows, mu in layout.frictions:
        if len(normals):
            mean = mu.mean(axis=1)
            D = mu / np.where(mean > 0.0, mean, 1.0)[:, None]
            pushed = projected[normals]
            e.disc(rows, D, mean * pushed, normals, np.where(pushed > 0.0, mean, 0.0))
    return e


def newton(problem: Problem, r: Array, weight: Array, steps: int = 30) -> tuple[Array, int]:
    """Newton steps with line search from r, until F is zero to rounding or does not shrink.

    Parameters
    ----------
    problem : Problem
        What is to be solved.
    r : (n,)
        Start: the method converges from near a solution only.
    weight : (n,)
        Weights of impulses against velocities.
    steps : int
        Most steps.

    Returns
    -------
    r : (n,)
    steps : int
        Steps done.
    """
    scale = max(float(np.linalg.norm(problem.c)), TINY)
    now = equations(problem.layout, weight * r, problem.u(r), weight)
    size, done = float(np.linalg.norm(now.F)) / scale, 0
    while done < steps and size > ROUNDING:
        done += 1
        step = _direction(now, problem.G, weight, min(MOST_DAMPING, size))
        if step is None:
            break
        length = 1.0
        while True:
            trial = r + length * step
            new = equations(problem.layout, weight * trial, problem.u(trial), weight)
            new_size = float(np.linalg.norm(new.F)) / scale
            if new_size <= (1.0 - 1e-4 * length) * size or length < SHORTEST:
                break
            length *= 0.5
        if not new_size < size:
            break
        r, now, size = trial, new, new_size
    return r, done


def _direction(now: Equations, G: Any, weight: Array, damping: float) -> Array | None:
    """Solve ``J dr = -F``; nothing if J is singular in spite of the damping."""
    by_s, by_u = now.matrices()
    shift = sparse.diags_array(weight)
    if sparse.issparse(G):
        try:
            step = splu((by_s @ shift + by_u @ (G + damping * shift)).tocsc()).solve(-now.F)
        except RuntimeError:  # exactly singular
            return None
    else:
        J = G.copy()
        J[np.diag_indices(len(weight))] += damping * weight
        J = by_u @ J
        J += (by_s @ shift).toarray()
        *_, step, info = lapack.dgesv(J, -now.F, overwrite_a=True)
        if info:
            return None
    return np.asarray(step) if np.isfinite(step).all() else None
