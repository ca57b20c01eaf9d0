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
    driven : tuple of int
        Elastic coordinates that drives prescribe.
    """

    def __init__(
        self, place: Place, is_reversed: bool = False, driven: tuple[int, ...] = ()
    ) -> None:
        self._x, self._is_reversed, self.driven = place.x, is_reversed, driven
        self._A, self._B, self._T, self._T2 = (
            np.where(np.abs(x) > _NOTHING * np.abs(x).max(initial=0.0), x, 0.0)
            for x in (place.A, place.B, place.T, place.T2)
        )
        self.free = self.free_columns = tuple(i for i in range(place.n) if i not in driven)

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
        for k in range(by.shape[1]):
            slope = longer * by[:, k] + (math.dot(theta, by[:, k]) / 6.0) * theta
            spins.append(f * (slope - 0.5 * math.cross(turn, slope)))
        return math.stack(math.columns(*spins), R.T @ moved)

    @cached_property
    def function(self) -> Any:
        """Function (slots, d, ḋ, t, e, e1, e2) → (R, r, Φ, Φ_d e1, rate of Φ ḋ, ḋ, Φ_d)."""
        d, rate = (ca.SX.sym(name, len(self.free)) for name in ("d", "rate"))
        e, e1, e2 = (ca.SX.sym(f"e{k}", len(self.driven)) for k in range(3))
        whole = merged(self.free, d, self.driven, e)
        (R, r), S = self.pose(whole), self.modes(whole)
        if self._is_reversed:
            spin, slide = R @ S[:3, :], R @ S[3:, :]
            S = ca.vertcat(-spin, -slide - math.skew(r) @ spin)
            R, r = R.T, -R.T @ r
        S, S_d = S[:, list(self.free)], S[:, list(self.driven)]
        excited = S_d @ e1 if self.driven else ca.SX.zeros(6)
        moving = ca.vertcat(d, e, e1), ca.vertcat(rate, e1, e2)
        c = ca.jtimes(S @ rate + excited, *moving)
        inputs = [ca.SX(0, 1), d, rate, ca.SX.sym("t"), e, e1, e2]
        return ca.Function("deflection", inputs, [ca.SX(R), ca.SX(r), S, excited, c, rate, S_d])


def merged(free: tuple[int, ...], own: Any, driven: tuple[int, ...], given: Any) -> Any:
    """All elastic coordinates of a body from the free and the driven ones."""
    if not driven:
        return own
    entries = dict(zip(free, (own[k] for k in range(len(free))), strict=True))
    entries |= dict(zip(driven, (given[k] for k in range(len(driven))), strict=True))
    return math.vector([entries[i] for i in range(len(entries))])


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


_Key = tuple[bool, tuple[int, ...]]
_MADE: WeakKeyDictionary[Place, dict[_Key, Deflection]] = WeakKeyDictionary()


def deflection_of(kind: Elastic | Section, driven: tuple[int, ...] = ()) -> Deflection | None:
    """How elastic coordinates move a joint inside of a flexible body, traced once.

    None where a body is fastened at its own frame.
    """
    is_reversed = isinstance(kind, Elastic)
    place = kind.root if isinstance(kind, Elastic) else kind.place
    if place is None:
        return None
    made = _MADE.setdefault(place, {})
    key = is_reversed, driven
    if key not in made:
        made[key] = Deflection(place, is_reversed, driven)
    return made[key]
