"""Coefficients of explicit Runge–Kutta methods.

A tableau has stages k_i = f(t + c_i h, y + h Σ a_ij k_j), the step y + h Σ b_i k_i, an error
estimate, and a continuous extension y(t + θh) = y + h Σ_i Σ_j p_ij θ^(j+1) k_i.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from jourdain.solvers.integration import ExplicitMethod
from jourdain.solvers.ode import dop853


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

    @cached_property
    def record(self) -> ExplicitMethod:
        """The coefficients as loops read them."""
        arrays = {"A": self.A, "b": self.b, "c": self.c, "errors": self.errors}
        made = {name: np.ascontiguousarray(x, dtype=float) for name, x in arrays.items()}
        return ExplicitMethod(**made).complete()


@cache
def dormand_prince_5() -> Tableau:
    """Dormand & Prince (1980), order 5 with an embedded order 4, extension of order 4.

    The extension is that of Shampine, Some practical Runge–Kutta formulas, 1986, with the midpoint
    of smallest error.
    """
    A = np.zeros((7, 7))
    A[1, :1] = 1 / 5
    A[2, :2] = 3 / 40, 9 / 40
    A[3, :3] = 44 / 45, -56 / 15, 32 / 9
    A[4, :4] = 19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729
    A[5, :5] = 9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656
    A[6, :6] = 35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84
    c = np.array([0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1])
    error = [-71 / 57600, 0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40]
    P = np.zeros((7, 4))
    P[0] = 1, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432
    P[2, 1:] = 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799
    P[3, 1:] = -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072
    P[4, 1:] = 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632
    P[5, 1:] = -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844
    P[6, 1:] = 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423
    return Tableau(A, A[6].copy(), c, np.array([error]), P, 5, 4, 7, True)


@cache
def tsitouras_5() -> Tableau:
    """Tsitouras (2011), order 5 with an embedded order 4, extension of order 4."""
    A = np.zeros((7, 7))
    A[1, :1] = 0.161
    A[2, :2] = -0.008480655492356989, 0.335480655492357
    A[3, :3] = 2.8971530571054935, -6.359448489975075, 4.3622954328695815
    A[4, :4] = 5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525
    A[5, :3] = 5.86145544294642, -12.92096931784711, 8.159367898576159
    A[5, 3:5] = -0.071584973281401, -0.028269050394068383
    A[6, :3] = 0.09646076681806523, 0.01, 0.4798896504144996
    A[6, 3:6] = 1.379008574103742, -3.290069515436081, 2.324710524099774
    c = np.array([0, 0.161, 0.327, 0.9, 0.9800255409045097, 1, 1])
    error = [0.00178001105222577714, 0.0008164344596567469, -0.007880878010261995]
    error += [0.1447110071732629, -0.5823571654525552, 0.45808210592918697, -1 / 66]
    P = np.zeros((7, 4))
    P[0] = 1.0, -2.763706197274826, 2.9132554618219126, -1.0530884977290216
    P[1, 1:] = 0.13169999999999998, -0.2234, 0.1017
    P[2, 1:] = 3.9302962368947516, -5.941033872131505, 2.490627285651253
    P[3, 1:] = -12.411077166933676, 30.33818863028232, -16.548102889244902
    P[4, 1:] = 37.50931341651104, -88.1789048947664, 47.37952196281928
    P[5, 1:] = -27.896526289197286, 65.09189467479366, -34.87065786149661
    P[6, 1:] = 1.5, -4.0, 2.5
    return Tableau(A, A[6].copy(), c, np.array([error]), P, 5, 4, 7, True)


@cache
def dormand_prince_853() -> Tableau:
    """Hairer, Nørsett & Wanner's DOP853: order 8, estimates of orders 5 and 3, extension 7."""
    n, total = dop853.N_STEP, dop853.N_STAGES
    A = _dense(dop853.A, total)
    errors = _dense({0: dop853.ERROR_5, 1: dop853.ERROR_3}, total)[:2]
    P = _extension_853(A[n], _dense(dop853.DENSE, total)[:4], n)
    return Tableau(A, A[n].copy(), np.array(dop853.C), errors, P, 8, 7, n + 1, True)


def _dense(rows: Mapping[int, Mapping[int, float]], n: int) -> Any:
    """Square matrix of n rows from its entries."""
    matrix = np.zeros((n, n))
    for i, row in rows.items():
        matrix[i, list(row)] = list(row.values())
    return matrix


def _extension_853(b: Any, D: Any, n: int) -> Any:
    """Continuous extension of DOP853 as polynomials in θ for every stage.

    It is nested, y = (F₀ + (F₁ + (F₂ + …) θ) (1 − θ)) θ, with F₃ to F₆ the rows of D.
    """
    first, last = np.eye(len(b))[[0, n]]
    P = np.zeros((len(b), 8))
    for i, f in enumerate((*D[::-1], 2.0 * b - (first + last), first - b, b)):
        P[:, 0] += f
        raised = np.roll(P, 1, axis=1)
        P = raised if i % 2 == 0 else P - raised
    return P[:, 1:]


@cache
def runge_kutta_4() -> Tableau:
    """Classical method of order 4 with its extension of order 3."""
    A = np.zeros((4, 4))
    A[1, 0], A[2, 1], A[3, 2] = 0.5, 0.5, 1.0
    b = np.array([1.0, 2.0, 2.0, 1.0]) / 6.0
    P = np.array([[1.0, -1.5, 2 / 3], [0.0, 1.0, -2 / 3], [0.0, 1.0, -2 / 3], [0.0, -0.5, 2 / 3]])
    return Tableau(A, b, np.array([0, 0.5, 0.5, 1.0]), np.zeros((0, 4)), P, 4, 0, 4, False)
