"""Integrals over the mass of a flexible body, from which its inertia follows (FB-5).

A body is a number of point masses whose positions are known to second order in the elastic
coordinates: r = x + A d + ½ dᵀ B d. All that the equations of motion ask for are sums over them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
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

    @property
    def mean_frame(self) -> Place:
        """Frame at the centre of mass that moves with the body in the mean (F9)."""
        n, c = self.n, self.h0 / self.mass
        J = self.moments - self.mass * (c @ c * np.eye(3) - np.outer(c, c))
        spins = np.array([_axial(P) for P in self.P0]).T - np.cross(c, self.h1.T).T
        zeros = np.zeros((3, n, n))
        turns = np.linalg.pinv(J, rcond=1e-12) @ spins
        return Place(c, self.h1 / self.mass, zeros, turns, zeros)

    def in_terms_of(self, Z: Any) -> Integrals:
        """The same body with other coordinates: d = Z d'."""
        P0 = np.einsum("iab,ik->kab", self.P0, Z)
        Q11, Q02 = (np.einsum("ijab,ik,jl->klab", Q, Z, Z) for Q in (self.Q11, self.Q02))
        h2 = np.einsum("aij,ik,jl->akl", self.h2, Z, Z)
        return replace(self, h1=self.h1 @ Z, h2=h2, P0=P0, Q11=Q11, Q02=Q02)

    def seen_from(self, root: Place) -> Integrals:
        """The same body as seen from one of its frames: `Place.seen_from` of all its points."""
        m, x0, A0 = self.mass, root.x, root.A
        K, K2 = _skew(root.T.T), _skew(root.T2.transpose(1, 2, 0))
        back = K.transpose(0, 2, 1)
        h0, moved = self.h0 - m * x0, self.h1 - m * A0
        S = self.Q0 - np.outer(self.h0, x0) - np.outer(x0, h0)
        G = self.P0 - np.einsum("a,bi->iab", self.h0, A0) - np.einsum("a,bi->iab", x0, moved)
        Q11 = self.Q11 - np.einsum("ai,bj->ijab", self.h1, A0) - np.einsum("ai,bj->ijab", A0, moved)
        Q11 = Q11 - np.einsum("ica,jcb->ijab", G, back) - np.einsum("iac,jcb->ijab", K, G)
        Q11 = Q11 + np.einsum("iac,cd,jdb->ijab", K, S, back)
        bent = self.h2 - m * root.B
        h2 = bent - np.einsum("ijab,b->aij", K2, h0)
        h2 = h2 - 2.0 * _symmetric(np.einsum("iab,bj->aij", K, moved), 1)
        h2 = h2 + _symmetric(np.einsum("iab,jbc,c->aij", K, K, h0), 1)
        Q02 = self.Q02 - np.einsum("a,bij->ijab", self.h0, root.B)
        Q02 = Q02 - np.einsum("a,bij->ijab", x0, bent) + np.einsum("ac,ijcb->ijab", S, K2)
        Q02 = Q02 - 2.0 * _symmetric(np.einsum("jac,icb->ijab", G, back), 0)
        Q02 = Q02 + _symmetric(np.einsum("ac,jcd,idb->ijab", S, back, back), 0)
        turned = np.einsum("iab,b->ai", K, h0)
        P0 = G - np.einsum("ac,icb->iab", S, back)
        return Integrals(m, h0, moved - turned, h2, S, P0, Q11, Q02)


def _axial(P: Any) -> Any:
    return np.array([P[1, 2] - P[2, 1], P[2, 0] - P[0, 2], P[0, 1] - P[1, 0]])


def integrals(points: Iterable[tuple[float, Place]]) -> Integrals:
    """Sum over point masses [kg] at places."""
    pairs = list(points)
    mass = np.array([mass for mass, _ in pairs])
    return integrals_of(
        mass, *(np.array([getattr(place, name) for _, place in pairs]) for name in ("x", "A", "B"))
    )


def integrals_of(mass: Any, x: Any, A: Any, B: Any = None) -> Integrals:
    """Sum over points, or integrate fields that are known at nodes (F19).

    Parameters
    ----------
    mass : (N,) or (N, N) [kg]
        Mass of each point, or the consistent mass matrix of one component, dense or sparse.
    x : (N, 3) [m]
        Points without deformation.
    A : (N, 3, n)
        Their displacements by the coordinates.
    B : (N, 3, n, n), optional
        Second derivatives of their positions; zero if left out.
    """
    (N, _, n), whole = A.shape, np.ones(len(x))

    def weighted(field: Any) -> Any:
        flat = field.reshape(N, -1)
        found = mass[:, None] * flat if mass.ndim == 1 else mass @ flat
        return found.reshape(field.shape)

    m, mx = weighted(whole), weighted(x)
    by = A.transpose(2, 1, 0).reshape(n * 3, N)
    Q11 = (by @ weighted(A).reshape(N, 3 * n)).reshape(n, 3, 3, n).transpose(0, 3, 1, 2)
    h2, Q02 = np.zeros((3, n, n)), np.zeros((n, n, 3, 3))
    if B is not None:
        h2 = np.einsum("k,kaij->aij", m, B)
        Q02 = np.einsum("ka,kbij->ijab", mx, B, optimize=True)
    return Integrals(
        float(m.sum()),
        mx.sum(axis=0),
        np.einsum("k,kai->ai", m, A),
        h2,
        mx.T @ x,
        np.einsum("ka,kbi->iab", mx, A),
        Q11,
        Q02,
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


def _skew(vectors: Any) -> Any:
    """Matrices (..., 3, 3) of the cross products by vectors (..., 3)."""
    return np.cross(np.eye(3), np.asarray(vectors)[..., None, :])


def _symmetric(X: Any, axis: int) -> Any:
    """Symmetric part in two neighbouring axes."""
    return 0.5 * (X + np.swapaxes(X, axis, axis + 1))
