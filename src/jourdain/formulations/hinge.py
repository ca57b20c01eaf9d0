"""Motion of one joint by differentiating its pose along the coordinates and along time.

The formulations of this package take from a joint kind only ``pose`` and ``rates``, in the
direction the user wrote, and never its ``modes``: what the compiled recursion uses is thereby
checked. With the velocities extended by a one for what drives and time do, v₊ = [v; 1],

    d(R, r)/dt = Σ (∂R_a, ∂r_a) v₊_a,      ∂ along the columns of dx/dt = X(x) v₊, x = (q, t, e)
    Ω = Σ w_a v₊_a,  w_a = axial(∂R_a Rᵀ);      V = Σ v_a v₊_a,  v_a = ∂r_a      (Sol F21)

Vectors are in components of the frame that the motion is relative to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.equations.flexible.deflection import Deflection
from jourdain.equations.joints.motion import Motion


@dataclass(frozen=True)
class HingeMotion:
    """Pose of one joint frame in the other, its partial derivatives and their rates.

    Parameters
    ----------
    R, r : (3, 3), (3,) [1, m]
        Pose.
    dR, dr : (n_v + 1, 3, 3), (n_v + 1, 3)
        Partial derivatives along the free velocities; the last along drives and time.
    dR_rate, dr_rate
        Rates of the partial derivatives.
    v : (n_v + 1,) [rad/s, m/s]
        Free velocities and a one.
    """

    R: Any
    r: Any
    dR: Any  # noqa: N815
    dr: Any
    dR_rate: Any  # noqa: N815
    dr_rate: Any
    v: Any

    def inverse(self) -> HingeMotion:
        """Motion of the other frame: Rᵀ, −Rᵀr and their derivatives by the product rule."""
        R_T, dR_T, dR_rate_T = (np.swapaxes(x, -1, -2) for x in (self.R, self.dR, self.dR_rate))
        R_dot, r_dot = self._sum(self.dR), self._sum(self.dr)
        dr = -dR_T @ self.r - self.dr @ self.R
        dr_rate = -dR_rate_T @ self.r - dR_T @ r_dot - self.dr @ R_dot - self.dr_rate @ self.R
        return HingeMotion(R_T, -R_T @ self.r, dR_T, dr, dR_rate_T, dr_rate, self.v)

    def _sum(self, columns: Any) -> Any:
        return np.tensordot(self.v, columns, axes=1)

    @property
    def w(self) -> Any:
        """Axial vectors w_a (n_v + 1, 3) of the partial derivatives (Sol F21)."""
        return _axial(self.dR @ self.R.T)

    @property
    def w_rate(self) -> Any:
        """Rates of the axial vectors."""
        return _axial(self.dR_rate @ self.R.T + self.dR @ self._sum(self.dR).T)

    @property
    def modes(self) -> Any:
        """Columns [w_a; v_a] (6, n_v): free modes φ of Schwertassek & Senger (3.10)."""
        return np.hstack([self.w, self.dr])[:-1].T

    @property
    def excited(self) -> Any:
        """Velocity (6,) caused by drives and time."""
        return np.concatenate([self.w[-1], self.dr[-1]])

    @property
    def velocity(self) -> tuple[Any, Any]:
        """Relative angular velocity Ω and velocity V of the origin."""
        return _axial(self._sum(self.dR) @ self.R.T), self._sum(self.dr)

    @property
    def bias(self) -> tuple[Any, Any]:
        """Sol's w_oo and v_oo (F21): rates of Ω and V while the free velocities are constant."""
        return _axial(self._sum(self.dR_rate) @ self.R.T), self._sum(self.dr_rate)


def _axial(A: Any) -> Any:
    """Axial vectors of the skew parts of matrices (..., 3, 3)."""
    S = 0.5 * (A - np.swapaxes(A, -1, -2))
    return np.stack([S[..., 2, 1], S[..., 0, 2], S[..., 1, 0]], axis=-1)


class Hinge:
    """A joint kind ready to be differentiated.

    Parameters
    ----------
    motion : Motion or Deflection
        The kind traced in the user's direction, or how elastic coordinates move it.
    """

    def __init__(self, motion: Motion | Deflection) -> None:
        every, f = [f"i{k}" for k in range(6)], motion.function
        pose = f.factory("pose", [every[k] for k in (0, 1, 3, 4)], ["o0", "o1"])
        rates = f.factory("rates", every, ["o5"])
        self._n_v = len(motion.free_columns)
        self._pose, self._rates = pose, rates
        self._rates_forward = rates.forward(1)
        self._first = pose.forward(1)
        self._second = self._first.forward(1)

    def __call__(self, slots: Any, q: Any, v: Any, t: float, drives: Any) -> HingeMotion:
        """Evaluate at a state.

        Parameters
        ----------
        slots : sequence of float
            Values of the parameters in the fields of the kind.
        q, v : (n_q,), (n_v,)
            Its free coordinates.
        t : float [s]
            Time.
        drives : (3, n_e)
            Driven coordinates with first and second rates.
        """
        at = slots, q, t, drives[0]
        q_dot = _flat(self._rates(slots, q, v, *at[2:], drives[1]))
        moving = np.zeros_like(slots), q_dot, 1.0, drives[1]
        pose = self._pose(*at)
        columns, rates = [], []
        for k in range(len(v) + 1):
            y, y_rate = self._direction(k, at, moving, drives)
            columns.append(self._first(*at, *pose, *y))
            seeds = *moving, *_ZERO_POSE, *y_rate
            rates.append(self._second(*at, *pose, *y, *columns[-1], *seeds))
        dR, dr = _arrays(columns)
        dR_rate, dr_rate = _arrays(rates)
        R, r = np.array(pose[0]), _flat(pose[1])
        return HingeMotion(R, r, dR, dr, dR_rate, dr_rate, np.append(v, 1.0))

    def coordinate_rates(
        self, slots: Any, q: Any, v: Any, t: float, drives: Any
    ) -> tuple[Any, Any, Any]:
        """Rates dq/dt = Y₁ v + Y₂ of the free coordinates, Y₁, and d²q/dt² at dv/dt = 0."""
        x = slots, q, v, t, drives[0], drives[1]
        rates = self._rates(*x)
        seeds = np.zeros_like(slots), _flat(rates), np.zeros_like(v), 1.0, drives[1], drives[2]
        second = self._rates_forward(*x, rates, *seeds)
        still = *x[3:5], np.zeros_like(drives[1])
        columns = [_flat(self._rates(slots, q, unit, *still)) for unit in np.eye(len(v))]
        Y = np.array(columns).reshape(len(v), len(q)).T
        return _flat(rates), Y, _flat(second)

    def _direction(self, k: int, at: Any, moving: Any, drives: Any) -> tuple[Any, Any]:
        """Column k of X and its rate, as (slots, q, t, e); behind the free ones, that of time."""
        slots, q, t, e = at
        still = np.zeros_like(slots)
        is_time = float(k == self._n_v)
        e1, e2 = is_time * drives[1], is_time * drives[2]
        x = slots, q, np.eye(1, self._n_v, k)[0], t, e, e1
        column = self._rates(*x)
        rate = self._rates_forward(*x, column, *moving[:2], np.zeros(self._n_v), *moving[2:], e2)
        return (still, _flat(column), is_time, e1), (still, _flat(rate), 0.0, e2)


_ZERO_POSE = (np.zeros((3, 3)), np.zeros(3))
_HINGES: dict[int, tuple[Motion | Deflection, Hinge]] = {}


def hinge(motion: Motion | Deflection) -> Hinge:
    """Hinge of a traced kind, made once; traced kinds live as long as the program."""
    if id(motion) not in _HINGES:
        _HINGES[id(motion)] = motion, Hinge(motion)
    return _HINGES[id(motion)][1]


def _flat(x: Any) -> Any:
    return np.array(x).reshape(-1)


def _arrays(pairs: list[Any]) -> tuple[Any, Any]:
    return np.array([np.array(R) for R, _ in pairs]), np.array([_flat(r) for _, r in pairs])
