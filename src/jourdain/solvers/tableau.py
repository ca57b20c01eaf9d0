"""Coefficients of explicit Runge–Kutta methods.

A tableau has stages k_i = f(t + c_i h, y + h Σ a_ij k_j), the step y + h Σ b_i k_i, an error
estimate, and a continuous extension y(t + θh) = y + h Σ_i Σ_j p_ij θ^(j+1) k_i.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Tableau:
    """One method.

    Parameters
    ----------
    A, b, c : arrays
        Stages; rows beyond ``n_step`` serve the continuous extension only.
    errors : (k, n_stages) array
        Error estimates; two of them are combined as in DOP853.
    P : (n_stages, degree) array
        Continuous extension.
    order : int
        Order of the step.
    error_order : int
        Order of the error estimate; 0 for methods without.
    n_step : int
        Stages of a step.
    is_fsal : bool
        Whether the last of them is the first of the next step.
    """

    A: Any
    b: Any
    c: Any
    errors: Any
    P: Any
    order: int
    error_order: int
    n_step: int
    is_fsal: bool


@cache
def dormand_prince_5() -> Tableau:
    """Dormand & Prince (1980), order 5 with an embedded order 4, extension of order 4."""
    from scipy.integrate import RK45  # noqa: PLC0415

    n = RK45.n_stages
    A = np.zeros((n + 1, n + 1))
    A[:n, :n] = np.pad(RK45.A, ((0, 0), (0, n - RK45.A.shape[1])))
    A[n, :n] = RK45.B
    b = np.append(RK45.B, 0.0)
    c = np.append(RK45.C, 1.0)
    return Tableau(A, b, c, RK45.E[np.newaxis, :], RK45.P, 5, 4, n + 1, True)


@cache
def dormand_prince_853() -> Tableau:
    """Hairer, Nørsett & Wanner's DOP853: order 8, estimates of orders 5 and 3, extension 7."""
    from scipy.integrate import DOP853  # noqa: PLC0415

    n, total = DOP853.n_stages, 16
    A = np.zeros((total, total))
    A[:n, :n] = DOP853.A
    A[n, :n] = DOP853.B
    A[n + 1 :, :] = DOP853.A_EXTRA
    b = np.zeros(total)
    b[:n] = DOP853.B
    c = np.concatenate([DOP853.C, [1.0], DOP853.C_EXTRA])
    errors = np.zeros((2, total))
    errors[0, : n + 1], errors[1, : n + 1] = DOP853.E5, DOP853.E3
    return Tableau(A, b, c, errors, _extension_853(b, DOP853.D, n), 8, 7, n + 1, True)


def _extension_853(b: Any, D: Any, n: int) -> Any:
    """Continuous extension of DOP853 as polynomials in θ for every stage."""
    total = len(b)
    F = np.zeros((7, total))
    first, last = np.eye(total)[0], np.eye(total)[n]
    F[0] = b
    F[1] = first - b
    F[2] = 2.0 * b - (first + last)
    F[3:] = D
    P = np.zeros((total, 8))
    for stage in range(total):
        y = np.polynomial.Polynomial([0.0])
        for i, f in enumerate(F[::-1, stage]):
            y = (y + f) * np.polynomial.Polynomial([0.0, 1.0] if i % 2 == 0 else [1.0, -1.0])
        P[stage, : len(y.coef)] = y.coef
    return P[:, 1:]


@cache
def runge_kutta_4() -> Tableau:
    """Classical method of order 4 with its extension of order 3."""
    A = np.zeros((4, 4))
    A[1, 0], A[2, 1], A[3, 2] = 0.5, 0.5, 1.0
    b = np.array([1.0, 2.0, 2.0, 1.0]) / 6.0
    P = np.array(
        [[1.0, -1.5, 2 / 3], [0.0, 1.0, -2 / 3], [0.0, 1.0, -2 / 3], [0.0, -0.5, 2 / 3]]
    )
    return Tableau(A, b, np.array([0, 0.5, 0.5, 1.0]), np.zeros((0, 4)), P, 4, 0, 4, False)
