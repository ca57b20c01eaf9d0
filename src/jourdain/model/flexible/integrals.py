"""Integrals over the mass of a flexible body, from which its inertia follows (FB-5).

A body is a number of point masses whose positions are known to second order in the elastic
coordinates: r = x + A d + ½ dᵀ B d. All that the equations of motion ask for are sums over them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.model.flexible.place import Place

_NO_MOMENT = 1e-14  # part of the largest second moment that counts as zero


@dataclass(frozen=True, eq=False)
class Integrals:
    """Sums over all points of a body with n elastic coordinates.

    Parameters
    ----------
    mass : float [kg]
        Σ m.
    h0 : (3,)
        Σ m x.
    h1 : (3, n)
        Σ m A.
    h2 : (3, n, n)
        Σ m B.
    Q0 : (3, 3)
        Σ m x xᵀ.
    P0 : (n, 3, 3)
        Σ m x Aᵢᵀ.
    Q11 : (n, n, 3, 3)
        Σ m Aᵢ Aⱼᵀ.
    Q02 : (n, n, 3, 3)
        Σ m x Bᵢⱼᵀ.
    """

    mass: float
    h0: Any
    h1: Any
    h2: Any
    Q0: Any
    P0: Any
    Q11: Any
    Q02: Any

    @property
    def n(self) -> int:
        """Number of elastic coordinates."""
        return int(self.h1.shape[1])

    @property
    def mass_matrix(self) -> Any:
        """Mass matrix (n, n) of the elastic coordinates."""
        return np.einsum("ijaa->ij", self.Q11)

    @property
    def moments(self) -> Any:
        """Rotational inertia (3, 3) [kg m²] about the origin, without deformation."""
        return np.trace(self.Q0) * np.eye(3) - self.Q0


def integrals(points: Iterable[tuple[float, Place]]) -> Integrals:
    """Sum over point masses [kg] at places."""
    pairs = list(points)
    m = np.array([mass for mass, _ in pairs])
    x, A, B = (np.array([getattr(place, name) for _, place in pairs]) for name in ("x", "A", "B"))
    return Integrals(
        float(m.sum()),
        np.einsum("k,ka->a", m, x),
        np.einsum("k,kai->ai", m, A),
        np.einsum("k,kaij->aij", m, B),
        np.einsum("k,ka,kb->ab", m, x, x),
        np.einsum("k,ka,kbi->iab", m, x, A),
        np.einsum("k,kai,kbj->ijab", m, A, A, optimize=True),
        np.einsum("k,ka,kbij->ijab", m, x, B, optimize=True),
    )


def points_of(mass: float, moments: Any, place: Place) -> list[tuple[float, Place]]:
    """Points that have the mass and the rotational inertia of a rigid slice (F5).

    Parameters
    ----------
    mass : float [kg]
        Mass of the slice, whose centre is at the place.
    moments : (3,) [kg m^2]
        Its moments about the axes of the place.
    place : Place
        Where it is.
    """
    seconds = 0.5 * np.sum(moments) - np.asarray(moments, dtype=float)
    axes = np.flatnonzero(seconds > _NO_MOMENT * max(seconds.max(), 0.0))
    if not axes.size:
        return [(mass, place)]
    share = mass / (2.0 * axes.size)
    found = []
    for axis in axes:
        offset = np.zeros(3)
        offset[axis] = np.sqrt(axes.size * seconds[axis] / mass)
        found += [(share, place.beside(offset)), (share, place.beside(-offset))]
    return found
