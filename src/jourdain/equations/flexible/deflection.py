"""Motion of a frame by the elastic coordinates of its body (FB-1, FB-2).

Position r and rotation vector θ are polynomials of second order. The rotation is Cayley's, which
is exactly orthogonal and needs no trigonometry, of a vector ψ that makes it the exponential of θ
up to |θ|⁵/120, so that errors do not add up along many bodies in a row:

    R = E + f (ψ̃ + ½ ψ̃²),   Φ_ω = f (ψ' − ½ ψ × ψ'),   f = 4 / (4 + ψ²)              (FB-2)
    ψ = θ (1 + θ²/12)
"""

from __future__ import annotations

from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import casadi as ca
import numpy as np

from jourdain import math
from jourdain.model.flexible.kinds import Elastic, Section
from jourdain.model.flexible.place import Place
from jourdain.model.joints.joint import Joint

_NOTHING = 1e-13  # part of the largest entry that counts as zero


class Deflection:
    """What a section contributes to the recursion, as `Motion` does for a joint.

    Parameters
    ----------
    place : Place
        The frame.
    is_reversed : bool
        Whether the frame of the body moves relative to the section, because that is nearer to the
        world, and not the section relative to the body (FB-8).
    """

    def __init__(self, place: Place, is_reversed: bool = False) -> None:
        self._x, self._is_reversed = place.x, is_reversed
        self._A, self._B, self._T, self._T2 = (
            np.where(np.abs(x) > _NOTHING * np.abs(x).max(initial=0.0), x, 0.0)
            for x in (place.A, place.B, place.T, place.T2)
        )
        self.free = self.free_columns = tuple(range(place.n))

    def pose(self, d: Any) -> tuple[Any, Any]:
        """Rotation and position of the frame."""
        turn = _lengthened(_value(self._T, self._T2, d))
        K = math.skew(turn)
        return np.eye(3) + _cayley(turn) * (K + 0.5 * K @ K), self._x + _value(self._A, self._B, d)

    def modes(self, d: Any) -> Any:
        """Its modes Φ (6, n), in its own axes."""
        theta, R = _value(self._T, self._T2, d), self.pose(d)[0]
        by, moved = _slopes(self._T, self._T2, d), _slopes(self._A, self._B, d)
        turn, longer = _lengthened(theta), 1.0 + math.dot(theta, theta) / 12.0
        f, spins = _cayley(turn), []
        for k in self.free:
            slope = longer * by[:, k] + (math.dot(theta, by[:, k]) / 6.0) * theta
            spins.append(f * (slope - 0.5 * math.cross(turn, slope)))
        return math.stack(math.columns(*spins), R.T @ moved)

    @cached_property
    def function(self) -> Any:
        """Function (slots, d, ḋ, t, e, e1, e2) → (R, r, Φ, 0, Φ̇ ḋ, ḋ, –)."""
        d, rate = (ca.SX.sym(name, len(self.free)) for name in ("d", "rate"))
        (R, r), S = self.pose(d), self.modes(d)
        if self._is_reversed:
            spin, slide = R @ S[:3, :], R @ S[3:, :]
            S = ca.vertcat(-spin, -slide - math.skew(r) @ spin)
            R, r = R.T, -R.T @ r
        c = ca.jtimes(S @ rate, d, rate)
        inputs = [ca.SX(0, 1), d, rate, ca.SX.sym("t"), *[ca.SX(0, 1)] * 3]
        outputs = [ca.SX(R), ca.SX(r), S, ca.SX.zeros(6), c, rate, ca.SX(6, 0)]
        return ca.Function("deflection", inputs, outputs)


def _lengthened(theta: Any) -> Any:
    """Vector ψ whose Cayley rotation is that of the rotation vector θ."""
    return (1.0 + math.dot(theta, theta) / 12.0) * theta


def _cayley(turn: Any) -> Any:
    return 4.0 / (4.0 + math.dot(turn, turn))


def _value(first: Any, second: Any, d: Any) -> Any:
    """Three components ``first`` d + ½ d ``second`` d."""
    n, total = first.shape[1], [0.0] * 3
    for a in range(3):
        for i in range(n):
            slope: Any = first[a, i] or 0.0
            for j in range(i, n):
                if second[a, i, j]:
                    slope = slope + (0.5 if i == j else 1.0) * float(second[a, i, j]) * d[j]
            if not (isinstance(slope, float) and slope == 0.0):
                total[a] = total[a] + slope * d[i]
    return math.vector(total)


def _slopes(first: Any, second: Any, d: Any) -> Any:
    """Derivatives (3, n) of `_value` by the coordinates."""
    n = first.shape[1]
    rows = []
    for a in range(3):
        row = []
        for i in range(n):
            entry: Any = float(first[a, i])
            for j in range(n):
                if second[a, i, j]:
                    entry = entry + float(second[a, i, j]) * d[j]
            row.append(entry)
        rows.append(row)
    return math.matrix(rows)


_MADE: WeakKeyDictionary[Place, dict[bool, Deflection]] = WeakKeyDictionary()


def deflection_of(kind: Joint) -> Deflection | None:
    """How elastic coordinates move a joint inside of a flexible body, traced once; else None."""
    place = kind.root if isinstance(kind, Elastic) else getattr(kind, "place", None)
    if not isinstance(kind, Elastic | Section) or place is None:
        return None
    made = _MADE.setdefault(place, {})
    return made.setdefault(isinstance(kind, Elastic), Deflection(place, isinstance(kind, Elastic)))
