"""From joint velocities to absolute velocities, body by body, whatever these are.

With z the absolute coordinates of all bodies,

    dz/dt = R v + R_o,      d²z/dt² = R dv/dt + b                        (VT-1)
    (Rᵀ M R) dv/dt = Rᵀ (Q − M b) + τ                                    (VT-2)
    M += Rᵀ C E + Eᵀ Cᵀ R + Eᵀ M_e E        with elastic coordinates ḋ = E v + …  (VT-9)
    F = P_kᵀ (Q − M d²z/dt²)    resultant [torque; force] per body         (VT-3)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.formulations.skeleton import Posture


@dataclass(frozen=True)
class ElasticPart:
    """Elastic coordinates of one body, beside its absolute velocities.

    Parameters
    ----------
    number : int
        Index of the body.
    C, M : (k, n), (n, n)
        Masses: of both kinds of velocities, and of the elastic ones.
    load : (n,)
        Applied forces less gyroscopic ones.
    E : (n, n_v)
        Rates by the joint velocities.
    known : (n,)
        Second rates that drives give.
    """

    number: int
    C: Any
    M: Any
    load: Any
    E: Any
    known: Any

    def accelerations(self, vdot: Any) -> Any:
        """Second rates of the elastic coordinates."""
        return self.E @ vdot + self.known


@dataclass(frozen=True)
class Transformation:
    """Absolute velocities of n bodies, k numbers each, as functions of the joint velocities.

    Parameters
    ----------
    R : (n, k, n_v)
        Velocity transformation.
    excited : (n, k)
        R_o: velocity caused by drives and time.
    bias : (n, k)
        b: acceleration at ``dv/dt = 0``.
    mass : (n, k, k)
        Mass matrix of each body.
    load : (n, k)
        Q: applied forces less gyroscopic ones.
    rigid : (n, k, 6)
        P: absolute velocities of a body that moves with the twist [ω; v of its point].
    points : (n, 3) [m]
        Reference points of the bodies.
    elastic : tuple of ElasticPart
        Elastic coordinates of flexible bodies.
    """

    R: Any
    excited: Any
    bias: Any
    mass: Any
    load: Any
    rigid: Any
    points: Any
    elastic: tuple[ElasticPart, ...] = ()

    def mass_matrix(self) -> Any:
        """Mass matrix RᵀMR of the joint velocities (VT-2; Sol F51, Issa & Arczewski 3.7)."""
        M = np.einsum("kia,kij,kjb->ab", self.R, self.mass, self.R, optimize=True)
        for part in self.elastic:
            across = self.R[part.number].T @ part.C @ part.E
            M = M + across + across.T + part.E.T @ part.M @ part.E
        return M

    def residual(self, vdot: Any) -> Any:
        """What the joints must add to the applied forces, Q − M(R dv/dt + b), sign reversed."""
        found = np.einsum("kij,kj->ki", self.mass, self._accelerations(vdot)) - self.load
        for part in self.elastic:
            found[part.number] += part.C @ part.accelerations(vdot)
        return found

    def _accelerations(self, vdot: Any) -> Any:
        return self.R @ vdot + self.bias

    def forces(self, vdot: Any) -> Any:
        """Generalized forces τ = Rᵀ(M d²z/dt² − Q) of given accelerations (VT-2)."""
        tau = np.einsum("kia,ki->a", self.R, self.residual(vdot))
        for part in self.elastic:
            along = part.C.T @ self._accelerations(vdot)[part.number] - part.load
            tau = tau + part.E.T @ (along + part.M @ part.accelerations(vdot))
        return tau

    def resultants(self, vdot: Any) -> tuple[Any, Any]:
        """Torque and force (n, 3) that applied and inertial forces leave to the joints (VT-3)."""
        both = -np.einsum("kij,ki->kj", self.rigid, self.residual(vdot))
        return both[:, :3], both[:, 3:]


def vector_product(A: Any, B: Any) -> Any:
    """Sol's product ``A * B`` of matrices with vectors as entries: Σ_k A_ik × B_kj (A.12)."""
    return np.einsum("xyz,iky,kjz->ijx", _EPSILON, A, B, optimize=True)


_EPSILON = np.cross(np.eye(3)[:, None], np.eye(3)[None]).transpose(2, 0, 1)


def joint_points(posture: Posture) -> Any:
    """Origins (n, 3) [m] of the outer joint frames in the world: Sol's endpoints N²."""
    R, p = posture.bodies
    arms = np.array([s.outer.position for s in posture.segments]).reshape(-1, 3)
    return p[1:] + np.einsum("kij,kj->ki", R[1:], arms)


def arms(posture: Posture, points: Any) -> Any:
    """Sol's matrix B + C (n, n) of vectors (F43) for given reference points of the bodies.

    From the point of body k to its joint on the diagonal, from that joint to the point of its
    inboard body above it; world has no row.
    """
    n = len(posture.segments)
    ends = joint_points(posture)
    BC = np.zeros((n, n, 3))
    for k, s in enumerate(posture.segments):
        BC[k, k] = ends[k] - points[k]
        if s.inboard:
            BC[s.inboard - 1, k] = points[s.inboard - 1] - ends[k]
    return BC


def joint_loads(posture: Posture, points: Any, T: Any, torques: Any, forces: Any) -> Any:
    """Loads [torque; force] (n, 6) on the user's children from the resultants on the bodies.

    F_h = −T F,  M_h = −T [M + (B + C) * F_h]  act on body k at its joint     (Sol F69, VT-8)
    """
    F = -T @ forces
    M = -T @ (torques + vector_product(arms(posture, points), F[:, None, :])[:, 0])
    R = posture.bodies[0]
    loads = np.zeros((len(F), 6))
    for k, (s, h) in enumerate(zip(posture.segments, posture.outward, strict=True)):
        base = R[s.inboard] @ s.inner.rotation
        if not s.is_reversed:
            loads[k] = np.concatenate([M[k] @ base, F[k] @ base])
            continue
        turned = M[k] + np.cross(base @ h.r, F[k])  # at the user's child, on the inboard body
        axes = base @ h.R
        loads[k] = np.concatenate([-turned @ axes, -F[k] @ axes])
    return loads
