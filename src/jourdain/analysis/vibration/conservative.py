"""Vibrations without losses: squares of frequencies and real shapes by symmetric eigensolvers.

    K φ = ω² M φ,   φᵀ M φ = 1,   λ = ±iω                                       (LI-15)

Rows of masses on springs have three diagonals, with which the whole costs n² operations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import eigh, lapack

from jourdain.analysis.linear.linearization import Linearization
from jourdain.analysis.vibration.modes import Mode
from jourdain.system.linear.rest_form import RestForm

_NO_FORCE = 1e-6  # acceleration [m/s^2, rad/s^2] that counts as none
_SYMMETRIC = 1e-9  # part of the stiffness that may be skew
_ROUNDING = 50.0 * np.finfo(float).eps  # times n and the largest square: counts as zero


@dataclass(frozen=True)
class Vibrations:
    """Real modes of masses and stiffnesses.

    Parameters
    ----------
    squares : (n,) [1/s^2]
        Squares of the frequencies, rising; negative ones fall over.
    shapes : (n, n)
        Columns, of length one in the measure of M.
    M : (n,) or (n, n)
        Masses, or the diagonal of their matrix.
    """

    squares: Any
    shapes: Any
    M: Any

    def values(self, *, both: bool) -> tuple[Any, Any]:
        """Eigenvalues λ with Im λ ≥ 0, free motions first, then by size; and their columns.

        Parameters
        ----------
        both : bool
            Whether what falls over has both its eigenvalues ±|λ|.
        """
        squares = self.squares
        n = len(squares)
        zero = _ROUNDING * n * max(abs(squares[0]), abs(squares[-1])) if n else 0.0
        if n and squares[0] > zero:
            found = np.zeros(n, dtype=complex)
            np.sqrt(squares, out=found.imag)
            return found, np.arange(n)
        sizes = np.sqrt(np.abs(squares))
        values, columns = np.where(squares > 0.0, 1j * sizes, sizes), np.arange(n)
        values[np.abs(squares) <= zero] = 0.0
        falls = np.flatnonzero(squares < -zero)
        if both:
            values = np.concatenate([values, -sizes[falls]])
            columns = np.concatenate([columns, falls])
        order = np.argsort(np.abs(values), kind="stable")
        return values[order], columns[order]

    def modes(self, lin: Linearization, *, both: bool) -> tuple[Mode, ...]:
        """The modes with right and left vectors of the equations of first order."""
        values, columns = self.values(both=both)
        none = values == 0.0
        null = self.shapes[:, columns[none]]
        free = free_motions(np.vstack([null, np.zeros_like(null)]), len(self.squares))
        modes = [Mode(lin, k, 0.0, x, None) for k, x in enumerate(free)]
        for value, column in zip(values[~none], columns[~none], strict=True):
            x = self.shapes[:, column]
            y = self.M * x if self.M.ndim == 1 else self.M @ x
            x = x / x[int(np.argmax(np.abs(x)))]
            whole = np.concatenate([x, value * x]).astype(complex)
            left = np.concatenate([y * np.conj(value), y]).astype(complex)
            left = left / np.conj(np.vdot(left, whole))
            modes.append(Mode(lin, len(modes), complex(value), whole, left))
        return tuple(modes)


def free_motions(null: Any, n: int) -> list[Any]:
    """Null vectors that move the first n states, in a reduced form with single leading ones."""
    rows = null.T.copy()
    lead = []
    for k in range(len(rows)):
        rest = np.abs(rows[k:, :n])
        if not rest.size or rest.max() < 1e-12:
            break
        row, column = np.unravel_index(int(np.argmax(rest)), rest.shape)
        rows[[k, k + row]] = rows[[k + row, k]]
        rows[k] /= rows[k, column]
        for i in range(len(rows)):
            if i != k:
                rows[i] -= rows[i, column] * rows[k]
        lead.append(rows[k])
    return [np.where(np.abs(x) > 1e-12, x, 0.0) for x in lead]


def of_form(form: RestForm, *, damped: bool) -> Vibrations | None:
    """Vibrations of a plain tree where it stands; None if it accelerates, or has losses."""
    vdot, n = form.vdot, form.n
    if not n or (vdot.any() and not np.abs(vdot).max() <= _NO_FORCE):
        return None
    if damped and form.losses.any():
        return None
    if not form.mass_pattern.is_diagonal:
        M = form.mass_pattern.dense(form.masses)
        return of_matrices(M, -M @ form.pattern.dense(form.slopes))
    masses = form.masses.copy()
    if not masses.min() > 0.0:
        return None
    pattern, scale = form.pattern, np.sqrt(masses)
    scaled = -form.slopes * (scale[pattern.rows] / scale[pattern.columns])
    mirror = form.mirror
    if mirror is None or not np.isfinite(scaled).all():
        return None
    other = scaled[mirror]
    if not np.array_equal(scaled, other):
        skew = np.abs(scaled - other).max(initial=0.0)
        if skew > _SYMMETRIC * np.abs(scaled).max(initial=0.0):
            return None
        scaled = 0.5 * (scaled + other)
    path = pattern.path
    if path is None:
        squares, shapes, info = lapack.dsyevd(pattern.dense(scaled))
    else:
        squares, shapes, info = lapack.dstevd(*_three(pattern, scaled), 1)
        if info == 0 and not np.array_equal(path, np.arange(n)):
            shapes = shapes[np.argsort(path)]
    return None if info else Vibrations(squares, shapes / scale[:, None], masses)


def _three(pattern: Any, values: Any) -> tuple[Any, Any]:
    diagonal, below = pattern.three_diagonals(values)
    return diagonal, below if len(below) else np.zeros(1)


def of_matrices(M: Any, K: Any) -> Vibrations | None:
    """Vibrations of matrices; None if the stiffness is not symmetric."""
    if K.shape[0] != K.shape[1] or not np.isfinite(K).all():
        return None
    if np.abs(K - K.T).max(initial=0.0) > _SYMMETRIC * np.abs(K).max(initial=0.0):
        return None
    if not len(K):
        return Vibrations(np.zeros(0), K, M)
    try:
        squares, shapes = eigh(0.5 * (K + K.T), M)
    except np.linalg.LinAlgError:  # masses that are not positive
        return None
    return Vibrations(squares, shapes, M)


def is_conservative(lin: Linearization) -> bool:
    """Whether velocities are the rates of the coordinates and cause no forces, exactly."""
    n = len(lin.tangent.positions)
    A = lin.A
    if len(A) != 2 * n or A[:n, :n].any() or A[n:, n:].any():
        return False
    return bool(np.array_equal(A[:n, n:], np.eye(n)))
