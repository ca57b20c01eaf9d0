"""Interior-point method for Coulomb friction by de Saxcé's change of variable.

With ``û = u + mu |u_T| n`` Coulomb's law is ``K* ∋ û ⊥ r ∈ K``, a complementarity of second-order
cones. Impulses and velocities stay inside their cones while ``r ∘ û`` is driven to zero along a
central path, by Newton steps with Nesterov–Todd scaling (Acary, Armand, Nguyen & Shpakovych 2023).
It needs no good start and does not mind redundant contacts; it ends near a solution, where
`newton` takes over. In general: find r and y with (NS-7)

    ``x = E r + a ∈ K``, ``x ∘ y = 0``, ``y ∈ K``, ``G r + c = Eᵀ (y - |y_T| n)``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.linalg import lapack
from scipy.sparse.linalg import splu

from jourdain.solvers.nonsmooth.interior.cones import (
    determinant,
    divide,
    longest_step,
    scaling,
    times,
)
from jourdain.solvers.nonsmooth.layout import Layout
from jourdain.solvers.nonsmooth.problem import Problem
from jourdain.solvers.nonsmooth.residual import TINY, residual

Array = NDArray[np.float64]
DAMPING = 1e-13


def cone_map(layout: Layout, n: int) -> tuple[Any, Array, NDArray[np.bool_]]:
    """``E``, ``a`` of all cones, and which rows have no impulse (friction without coefficient)."""
    entries: list[tuple[Any, Any, Any]] = []
    offset: list[Array] = []
    is_fixed = np.zeros(n, dtype=bool)

    def add(count: int, parts: list[tuple[int, Any, Any]], constant: Any = 0.0) -> None:
        at = 3 * sum(len(a) for a in offset)
        for component, rows, factor in parts:
            entries.append((at + component + 3 * np.arange(count), rows, factor + np.zeros(count)))
        a = np.zeros((count, 3))
        a[:, 0] = constant
        offset.append(a)

    used = np.concatenate([layout.line_normals, layout.plane_normals])
    plain = np.setdiff1d(layout.half_lines, used)
    add(len(plain), [(0, plain, 1.0)])
    for bound, sign in ((layout.lower, 1.0), (layout.upper, -1.0)):
        has = np.isfinite(bound)
        add(int(has.sum()), [(0, layout.segments[has], sign)], -sign * bound[has])
    both = [(1 + i, layout.discs[:, i], 1.0) for i in range(2)]
    add(len(layout.discs), both, layout.radius)
    for normals, rows, mu in layout.frictions:
        is_fixed[rows[mu == 0.0]] = True
        inverse = np.where(mu > 0.0, 1.0 / np.where(mu > 0.0, mu, 1.0), 0.0)
        tangential = [(1 + i, rows[:, i], inverse[:, i]) for i in range(rows.shape[1])]
        add(len(normals), [(0, normals, 1.0), *tangential])
    a = np.concatenate(offset)
    i, j, value = (np.concatenate(parts) for parts in zip(*entries, strict=True))
    return sparse.coo_array((value, (i, j)), shape=(a.size, n)).tocsr(), a, is_fixed


def interior_point(
    problem: Problem, weight: Array, tol: float, steps: int = 60
) -> tuple[Array, int]:
    """Follow the central path until the residual is within tol or rounding ends it.

    Parameters
    ----------
    problem : Problem
        What is to be solved.
    weight : (n,)
        Weights of the residual.
    tol : float [1]
        Residual to stop at.
    steps : int
        Most Newton steps.

    Returns
    -------
    r : (n,)
        Best impulses on the way.
    steps : int
        Newton steps done.
    """
    path = _Path(problem, weight)
    best, least, done = path.impulses(), np.inf, 0
    while done < steps:
        done += 1
        if not path.advance():
            break
        r = path.impulses()
        size = residual(problem, r, weight)
        if size < least:
            best, least = r, size
        if size <= tol:
            break
    return best, done


class _Path:
    """State of the method, in scaled variables: ``r = unit * r̂``, ``G → D G D``, ``|c| = 1``."""

    def __init__(self, problem: Problem, weight: Array) -> None:
        D = 1.0 / np.sqrt(weight)
        size = max(float(np.linalg.norm(D * problem.c)), TINY)
        scale = sparse.diags_array(D)
        self.unit = size * D
        self.G = scale @ problem.G @ scale
        self.c = D * problem.c / size
        E, a, self.is_fixed = cone_map(problem.layout, len(D))
        first = np.abs(E) @ np.where(self.is_fixed, 0.0, self.unit) + np.abs(a.ravel())
        rows = np.repeat(np.maximum(first.reshape(-1, 3).max(axis=1), TINY), 3)
        self.E = sparse.diags_array(1.0 / rows) @ E @ sparse.diags_array(self.unit)
        self.a = a / rows.reshape(-1, 3)
        self.r = np.zeros(len(D))
        self.x = np.tile([1.0, 0.0, 0.0], (len(a), 1))
        self.y = self.x.copy()

    def impulses(self) -> Array:
        """Impulses of the problem as it was given."""
        return self.unit * self.r

    def advance(self) -> bool:
        """Predictor and corrector; tell whether the path goes on."""
        x, y = self.x, self.y
        gap = float((x * y).sum()) / len(x) if len(x) else 0.0
        W, inverse = scaling(x, y)
        lam = _apply(W, x)
        square = times(lam, lam)
        solver = self._factors(W)
        if solver is None:
            return False
        dr, dx, dy = self._direction(solver, W, -square, lam)
        length = min(1.0, longest_step(x, dx), longest_step(y, dy))
        ahead = float(((x + length * dx) * (y + length * dy)).sum()) / max(len(x), 1)
        centre = np.zeros_like(x)
        centre[:, 0] = gap * min(1.0, max(1e-6, (max(ahead, 0.0) / max(gap, TINY)) ** 3))
        second = times(_apply(W, dx), _apply(inverse, dy))
        dr, dx, dy = self._direction(solver, W, centre - square - second, lam)
        length = min(1.0, 0.99 * longest_step(x, dx), 0.99 * longest_step(y, dy))
        self.r, self.x, self.y = self.r + length * dr, x + length * dx, y + length * dy
        inside = (determinant(self.x) > 0.0).all() and (determinant(self.y) > 0.0).all()
        return bool(inside and length > 1e-10 and np.isfinite(self.r).all() and gap > 1e-25)

    def _slopes(self) -> Array:
        """Derivative of ``y - |y_T| n``."""
        N = np.tile(np.eye(3), (len(self.y), 1, 1))
        size = np.hypot(self.y[:, 1], self.y[:, 2])
        N[:, 0, 1:] -= self.y[:, 1:] / np.maximum(size, TINY)[:, None]
        return N

    def _factors(self, W: Array) -> Any:
        """Factors of ``G + Eᵀ N W² E``."""
        n = len(self.r)
        own = self.E.T @ _blocks(self._slopes() @ W @ W) @ self.E
        keep = np.where(self.is_fixed, 0.0, 1.0)
        shift = np.where(self.is_fixed, 1.0, DAMPING)
        if sparse.issparse(self.G):
            A = sparse.diags_array(keep) @ (self.G + own) + sparse.diags_array(shift)
            try:
                return splu(A.tocsc()).solve
            except RuntimeError:  # exactly singular
                return None
        A = keep[:, None] * (self.G + own.toarray())
        A[np.arange(n), np.arange(n)] += shift
        lu, pivots, info = lapack.dgetrf(A, overwrite_a=True)
        return None if info else lambda right: lapack.dgetrs(lu, pivots, right)[0]

    def _direction(self, solver: Any, W: Array, right: Array, lam: Array) -> tuple[Array, ...]:
        """Newton step with ``λ ∘ (W dx + W⁻¹ dy) = right``."""
        d = divide(right, lam)
        N = self._slopes()
        lag = (self.E @ self.r).reshape(-1, 3) + self.a - self.x
        normal = self.y.copy()
        normal[:, 0] -= np.hypot(self.y[:, 1], self.y[:, 2])
        now = self.G @ self.r + self.c - self.E.T @ normal.ravel()
        push = _apply(N, _apply(W, d - _apply(W, lag)))
        force = self.E.T @ push.ravel() - now
        dr = np.asarray(solver(np.where(self.is_fixed, -self.r, force)))
        dx = (self.E @ dr).reshape(-1, 3) + lag
        return dr, dx, _apply(W, d - _apply(W, dx))


def _apply(matrices: Array, vectors: Array) -> Array:
    return np.asarray(np.einsum("nij,nj->ni", matrices, vectors))


def _blocks(matrices: Array) -> Any:
    """Block-diagonal sparse matrix."""
    k = np.arange(3 * len(matrices)).reshape(-1, 3)
    i, j = np.broadcast_arrays(k[:, :, None], k[:, None, :])
    n = 3 * len(matrices)
    return sparse.coo_array((matrices.ravel(), (i.ravel(), j.ravel())), shape=(n, n)).tocsr()
