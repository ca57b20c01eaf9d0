"""Second order of a body of finite elements, by the stresses that loads leave in it (F19).

A load with the stress σ stiffens the modes φ by K_ij = ∫ σ_kl ∂_k φ_i · ∂_l φ_j dV. What the
position of an interface, or an integral over the mass, has of second order is minus what stiffens
the body against the load that works on it. Nodes of an interface turn with it, u = (θ̃ + ½ θ̃²) r,
which adds the work of their forces f: Σ f · θ̃_i θ̃_j r.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from jourdain.model.flexible.fem.reduction import Reduction
from jourdain.model.flexible.integrals import Integrals
from jourdain.model.flexible.place import Place


class Stiffening:
    """Stiffness of modes by loads on a body whose first interface is held.

    Parameters
    ----------
    reduction : Reduction
        The body.
    modes : (N, 3, n)
        Displacements by its coordinates.
    turns : sequence of (3, n)
        Turns of the interfaces by the coordinates.
    """

    def __init__(self, reduction: Reduction, modes: Any, turns: Any) -> None:
        self._r, self._turns = reduction, turns
        elements = reduction.elements
        slopes = elements.at_points(modes).transpose(0, 1, 3, 2)
        self._slopes = np.ascontiguousarray(slopes)  # point, component, direction, mode
        self._weights = elements.weights

    def by(self, loads: Any) -> Any:
        """Stiffness (k, n, n) by nodal loads (3N, k)."""
        u = self._r.at_rest(loads)
        forces = self._r.K @ u - loads
        return np.array([self._one(u[:, k], forces[:, k]) for k in range(loads.shape[1])])

    def by_interface(self, number: int) -> Any:
        """Stiffness (6, n, n) by unit torques and forces on an interface but the first."""
        B = self._r.static[:, 6:]
        own = 6 * (number - 1) + np.arange(6)
        unit = np.eye(B.shape[1])[:, own]
        u = B @ np.linalg.solve(B.T @ (self._r.K @ B), unit)
        forces = self._r.K @ u
        return np.array([self._one(u[:, k], forces[:, k]) for k in range(6)])

    def _one(self, u: Any, forces: Any) -> Any:
        elements, n = self._r.elements, self._slopes.shape[-1]
        slopes = elements.at_points(u.reshape(-1, 3, 1))[:, :, 0]
        stress = elements.stress(slopes) * self._weights[:, None, None]
        pulled = stress[:, None] @ self._slopes
        found = self._slopes.reshape(-1, n).T @ pulled.reshape(-1, n)
        f = forces.reshape(-1, 3)
        for own, T in zip(self._r.interfaces, self._turns, strict=True):
            W = (self._r.x[own.nodes] - own.position).T @ f[own.nodes]
            found = found + T.T @ (W - np.trace(W) * np.eye(3)) @ T
        return 0.5 * (found + found.T)


def with_second_order(
    reduction: Reduction, modes: Any, own: Integrals, places: list[Place]
) -> tuple[Integrals, list[Place]]:
    """Integrals and interfaces with their terms of second order."""
    made = Stiffening(reduction, modes, [place.T for place in places])
    x, n = reduction.x, own.n
    ones, E = np.ones_like(x), np.eye(3)
    pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)]

    def centrifugal(w: Any) -> Any:
        return -np.cross(w, np.cross(w, x))

    fields = [-ones * e for e in E] + [-np.cross(e, x) for e in E]
    fields += [centrifugal(E[i] if i == j else E[i] + E[j]) for i, j in pairs]
    loads = reduction.M @ np.column_stack([f.ravel() for f in fields])
    found = made.by(loads)
    h2, spin = found[:3], found[3:6]
    Y = np.zeros((3, 3, n, n))
    for (i, j), K in zip(pairs, found[6:], strict=True):
        Y[i, j] = Y[j, i] = K if i == j else 0.5 * (K - Y[i, i] - Y[j, j])
    S = Y - 0.5 * np.einsum("aaij->ij", Y) * E[:, :, None, None]
    for a, b, c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        S[b, c] = S[b, c] + 0.5 * spin[a]
        S[c, b] = S[c, b] - 0.5 * spin[a]
    integrals = replace(own, h2=h2, Q02=S.transpose(2, 3, 0, 1))
    bent = [places[0]]
    for k, place in enumerate(places[1:], 1):
        K = made.by_interface(k)
        bent.append(replace(place, T2=-K[:3], B=-K[3:]))
    return integrals, bent
