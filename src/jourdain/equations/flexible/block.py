"""Inertia of a deformed body, and the forces that its motion needs (FB-6, FB-7).

The forces on a flexible body, in its own frame with acceleration A = [α; a] of its origin, are

    [F; Q] = [I C; Cᵀ M] [A; d̈] + [p; p_e]

F acts at its frame, Q along its elastic coordinates d. Everything follows from integrals over the
mass that are summed once. Terms in ḋ² look negligible; with them the body conserves energy exactly.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from jourdain import math
from jourdain.equations.flexible.deflection import merged
from jourdain.model.flexible.integrals import Integrals
from jourdain.model.flexible.solid import FlexibleSolid

_NOTHING = 1e-13  # part of the largest entry that counts as zero


class Block:
    """Integrals of one body, ready for sums over its coordinates.

    Parameters
    ----------
    own : Integrals
        Integrals of the body.
    driven : tuple of int
        Coordinates that drives prescribe. Their columns are not among those of C and M (F12).
    """

    def __init__(self, own: Integrals, driven: tuple[int, ...] = ()) -> None:
        self.n, self._driven = own.n, driven
        self._free = tuple(i for i in range(own.n) if i not in driven)
        whole = _clean(own.mass_matrix)
        self.M = whole[np.ix_(self._free, self._free)]
        self._whole, self._M_d = whole, whole[:, list(driven)]
        self.drive_masses = whole[np.ix_(driven, self._free)]
        self._h0, self._Q0 = own.h0, own.Q0
        self._h1, self._h2 = _clean(own.h1), _clean(own.h2)
        self._P0 = _clean(own.P0)
        Q11, Q02 = _clean(own.Q11), _clean(own.Q02)
        self._P1 = _clean(Q11.transpose(1, 0, 2, 3) + Q02)
        self._turning = np.stack([Q11[:, :, i, j] - Q11[:, :, j, i] for i, j in _PAIRS])
        self._swinging = np.stack([Q02[:, :, i, j] - Q02[:, :, j, i] for i, j in _PAIRS])

    def deform(self, own: Any) -> None:
        """Set first moment h, rotational inertia J and coupling C = [C_r; C_t] (FB-6)."""
        d, n = merged(self._free, own.q, self._driven, own.e), range(self.n)
        P = [_sum(self._P0[i], [(self._P1[i, j], d[j]) for j in n]) for i in n]
        C_t = [_sum(self._h1[:, i], [(self._h2[:, i, j], d[j]) for j in n]) for i in n]
        own.h = math.vector(self._h0)
        Q = math.matrix(self._Q0)
        for i in n:
            own.h = own.h + 0.5 * d[i] * (self._h1[:, i] + C_t[i])
            both = d[i] * (self._P0[i] + P[i])
            Q = Q + 0.5 * (both + both.T)
        own.J = (Q[0, 0] + Q[1, 1] + Q[2, 2]) * np.eye(3) - Q
        columns = [math.concatenate(_vex(P[i]), C_t[i]) for i in n]
        own.C = math.columns(*(columns[i] for i in self._free)) if self._free else np.zeros((6, 0))
        if self._driven:
            own.C_d = math.columns(*(columns[i] for i in self._driven))
        own.P = math.columns(*(P[i][:, k] for i in n for k in range(3)))

    def bias(self, own: Any) -> tuple[Any, Any]:
        """Forces p beyond those of a rigid body, and p_e, at the angular velocity own.w (FB-7).

        Those that drives of coordinates need are among them; p_e is listed by all coordinates.
        """
        w, n = own.w, range(self.n)
        rate = merged(self._free, own.v, self._driven, own.e1)
        Ps = [own.P[:, 3 * i : 3 * i + 3] for i in n]
        Pi = sum((rate[i] * Ps[i] for i in n), np.zeros((3, 3)))
        trace = Pi[0, 0] + Pi[1, 1] + Pi[2, 2]
        torque = 2.0 * (trace * w - Pi.T @ w) + self._quadratic(self._swinging, rate)
        slide = own.C[3:, :] @ own.v if self._free else np.zeros(3)
        slide = slide + own.C_d[3:, :] @ own.e1 if self._driven else slide
        force = 2.0 * math.cross(w, slide) + self._quadratic(self._h2, rate)
        along = []
        for i in n:
            P = Ps[i]
            spin = math.dot(w, P @ w) - math.dot(w, w) * (P[0, 0] + P[1, 1] + P[2, 2])
            turning = _sum(np.zeros(3), [(self._turning[:, j, i], rate[j]) for j in n])
            along.append(spin + 2.0 * math.dot(w, turning))
        p, p_e = math.concatenate(torque, force), math.vector(along)
        if self._driven:
            p, p_e = p + own.C_d @ own.e2, p_e + self._M_d @ own.e2
        return p, p_e

    def momentum(self, own: Any) -> tuple[Any, Any]:
        """Momentum C ḋ at the frame and kinetic energy ½ ḋᵀMḋ of the rates by themselves."""
        rate = merged(self._free, own.v, self._driven, own.e1)
        found = own.C @ own.v if self._free else np.zeros(6)
        found = found + own.C_d @ own.e1 if self._driven else found
        return found, 0.5 * math.dot(rate, self._whole @ rate)

    def free(self, along: Any) -> Any:
        """Entries of the free coordinates."""
        return math.vector([along[i] for i in self._free]) if self._driven else along

    def driven(self, along: Any) -> Any:
        """Entries of the driven coordinates."""
        return math.vector([along[i] for i in self._driven])

    def _quadratic(self, table: Any, rate: Any) -> Any:
        """Σ table_ij ḋ_i ḋ_j, of symmetric tables."""
        pairs = [(i, j) for i in range(self.n) for j in range(i, self.n)]
        terms = [((1.0 if i == j else 2.0) * table[:, i, j], rate[i] * rate[j]) for i, j in pairs]
        return _sum(np.zeros(3), terms)


_PAIRS = ((1, 2), (2, 0), (0, 1))
_BLOCKS: WeakKeyDictionary[FlexibleSolid, dict[tuple[int, ...], Block]] = WeakKeyDictionary()


def block_of(solid: FlexibleSolid, driven: tuple[int, ...] = ()) -> Block:
    """Block of a flexible body with some coordinates driven, made once."""
    made = _BLOCKS.setdefault(solid, {})
    if driven not in made:
        made[driven] = Block(solid.elasticity.integrals, driven)
    return made[driven]


def _vex(P: Any) -> Any:
    """Axial vector (P₂₃ − P₃₂, …) of a matrix: r × s of r sᵀ."""
    return math.concatenate(*(P[i, j] - P[j, i] for i, j in _PAIRS))


def _sum(first: Any, terms: list[tuple[Any, Any]]) -> Any:
    """Array plus arrays times factors, without those that are zero."""
    for table, factor in terms:
        if np.any(table):
            first = first + table * factor
    return first


def _clean(x: Any) -> Any:
    """Array whose entries that are rounding are zero."""
    return np.where(np.abs(x) > _NOTHING * np.abs(x).max(initial=0.0), x, 0.0)
