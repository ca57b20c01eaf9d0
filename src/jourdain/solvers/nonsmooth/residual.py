"""How well a nonsmooth problem is solved: the natural map ``r - prox_C(r - u)`` (NS-2)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from jourdain.solvers.nonsmooth import prox
from jourdain.solvers.nonsmooth.layout import Layout
from jourdain.solvers.nonsmooth.problem import Problem, rows_of_blocks

Array = NDArray[np.float64]
TINY = 1e-300


def natural_map(layout: Layout, r: Array, u: Array, weight: Array | float = 1.0) -> Array:
    """Error of every row, zero for a solution; in the unit of u.

    A half line with one isotropic friction is a second-order cone K; there the rows hold
    ``w r - P_K(w r - (u + mu |u_T| n))`` (NS-3). All other blocks hold
    ``w r - prox_C(w r - u)`` with their own set, friction with its disc for the present ``r_N``.

    Parameters
    ----------
    layout : Layout
        Blocks.
    r, u : (n,)
        Impulses and velocities.
    weight : float or (n,)
        Weights w [unit of u / unit of r], equal in the rows of a contact; 1 is the plain map.
    """
    w = np.broadcast_to(np.asarray(weight, dtype=float), r.shape)
    s = w * r
    F = np.minimum(s, u)  # s - max(s - u, 0), without cancellation
    F[layout.free] = u[layout.free]
    if len(k := layout.segments):
        lower, upper = w[k] * layout.lower, w[k] * layout.upper
        F[k] = np.maximum(s[k] - upper, np.minimum(s[k] - lower, u[k]))
    if len(k := layout.discs):
        radius = w[k[:, 0]] * layout.radius
        F[k] = _from_set(s[k], u[k], lambda z: prox.disc(z, radius))
    for (normals, rows, mu), is_cone in zip(layout.frictions, layout.is_cone, strict=True):
        _friction(normals, rows, mu, is_cone, s, u, F)
    return F


def _from_set(s: Array, u: Array, project: Callable[[Array], Array]) -> Array:
    """``s - prox(s - u)``; u itself where ``s - u`` lies in the set."""
    z = s - u
    p = project(z)
    return np.where((p == z).all(axis=-1, keepdims=True), u, s - p)


def _friction(
    normals: NDArray[np.int64], rows: NDArray[np.int64], mu: Array, is_cone: NDArray[np.bool_],
    s: Array, u: Array, F: Array,
) -> None:  # fmt: skip
    """Fill in the rows of contacts with friction."""
    k = np.concatenate([normals[:, None], rows], axis=1)[is_cone]
    if len(k):
        m = mu[is_cone, 0]
        moved = u[k]
        moved[:, 0] += m * np.linalg.norm(moved[:, 1:], axis=1)
        F[k] = _from_set(s[k], moved, lambda z: prox.cone(z, m))
    k, normal = rows[~is_cone], normals[~is_cone]
    if len(k):
        axes = mu[~is_cone] * np.maximum(s[normal], 0.0)[:, None]
        project = prox.ellipse if k.shape[1] == 2 else (lambda z, a: prox.disc(z, a[:, 0]))
        F[k] = _from_set(s[k], u[k], lambda z: project(z, axes))


def weights(problem: Problem) -> Array:
    """Size of the own matrix of every row's contact: makes the residual blind to units of r."""
    diagonal = np.abs(problem.G.diagonal())
    layout = problem.layout
    size = diagonal.copy()
    total = np.bincount(layout.half_lines, minlength=len(size)).astype(float)
    for normals, rows, _ in layout.frictions:
        np.add.at(size, normals, diagonal[rows].sum(axis=1))
        np.add.at(total, normals, float(rows.shape[1]))
    size[layout.half_lines] /= total[layout.half_lines]
    size[layout.discs] = size[layout.discs].mean(axis=1, keepdims=True)
    size[layout.lines] = size[layout.line_normals]
    size[layout.planes] = size[layout.plane_normals, None]
    largest = float(np.max(np.abs(problem.G))) if len(size) else 0.0
    floor = 1e-8 * largest
    return np.where(size > floor, size, largest if largest > 0.0 else 1.0)


def residual(problem: Problem, r: Array, weight: Array | float = 1.0) -> float:
    """Size of the natural map over the size of c."""
    F = natural_map(problem.layout, r, problem.u(r), weight)
    return float(np.linalg.norm(F) / max(float(np.linalg.norm(problem.c)), TINY))


def block_residuals(problem: Problem, r: Array, weight: Array | float = 1.0) -> Array:
    """Share of every block in the residual, in the order of the blocks."""
    F = natural_map(problem.layout, r, problem.u(r), weight)
    sizes = [float(np.linalg.norm(F[rows])) for rows in rows_of_blocks(problem)]
    return np.array(sizes) / max(float(np.linalg.norm(problem.c)), TINY)


def worst_blocks(problem: Problem, r: Array, weight: Array | float = 1.0) -> tuple[int, ...]:
    """Numbers of up to five blocks with the largest residual, largest first."""
    sizes = block_residuals(problem, r, weight)
    order = np.argsort(-sizes, kind="stable")[:5]
    return tuple(int(k) for k in order if sizes[k] > 0.0)
