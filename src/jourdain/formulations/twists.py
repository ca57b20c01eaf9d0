"""Velocity transformation to absolute twists: Sol's matrices of vectors U, W and T.

The reference point of a body is its centre of mass; vectors are in world components. With the
mode vectors of joint k in column k of W and V (rows are velocities), and ∗ the product of
matrices with vectors as entries,

    ω = (W T)ᵀ v + Tᵀ W_o                                                (VT-4; Sol 5.2.7)
    dr/dt = (U T)ᵀ v + Tᵀ U_o,   U = V − (W T) ∗ (B + C)                  (VT-5; 5.2.23)
    dω/dt = (W T)ᵀ dv/dt + Tᵀ W_oo,   d²r/dt² = (U T)ᵀ dv/dt + Tᵀ U_oo      (VT-6; 5.2.11, 5.2.28)
    A = (U T) m (U T)ᵀ + (W T) J (W T)ᵀ                                  (VT-7; 6.2)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.formulations.skeleton import Posture, Skeleton
from jourdain.formulations.transformation import (
    ElasticPart,
    Transformation,
    arms,
    joint_points,
    vector_product,
)


@dataclass(frozen=True)
class TreeVectors:
    """Sol's matrices of vectors at one state, world components.

    Parameters
    ----------
    W, V, U : (n_v, n, 3)
        Mode vectors of the joints, and those of the centres of mass (5.2.23).
    W_o, U_o, W_oo, U_oo : (n, 3)
        Parts due to drives and time, and at ``dv/dt = 0``.
    omega : (n, 3) [rad/s]
        Angular velocities of the bodies.
    """

    W: Any
    V: Any
    U: Any
    W_o: Any
    U_o: Any
    W_oo: Any
    U_oo: Any
    omega: Any


def centres(posture: Posture) -> Any:
    """Centres of mass (n, 3) [m] in the world."""
    R, p = posture.bodies
    com = np.array([s.com for s in posture.segments]).reshape(-1, 3)
    return p[1:] + np.einsum("kij,kj->ki", R[1:], com)


def tree_vectors(skeleton: Skeleton, posture: Posture, v: Any) -> TreeVectors:
    """Assemble Sol's matrices (F42, F43)."""
    n, T = len(posture.segments), skeleton.matrices.T
    W, V = np.zeros((2, skeleton.n_v, n, 3))
    W_o, V_o, w_oo, v_oo, Omega, relative = np.zeros((6, n, 3))
    for k, (s, h) in enumerate(zip(posture.segments, posture.outward, strict=True)):
        base = (posture.bodies[0][s.inboard] @ s.inner.rotation).T
        w, u = h.w @ base, h.dr @ base
        W[s.v, k], V[s.v, k], W_o[k], V_o[k] = w[:-1], u[:-1], w[-1], u[-1]
        Omega[k], relative[k] = (x @ base for x in h.velocity)
        w_oo[k], v_oo[k] = (x @ base for x in h.bias)
    omega = np.einsum("akx,kj,a->jx", W, T, v) + T.T @ W_o  # VT-4
    inboard = np.vstack([np.zeros(3), omega])[[s.inboard for s in posture.segments]]
    W_oo = w_oo + np.cross(inboard, Omega)  # (5.2.10)
    points = centres(posture)
    V_oo = v_oo + _transport(posture, points, omega, inboard, relative)
    BC = arms(posture, points)
    U = V - vector_product(np.einsum("akx,kj->ajx", W, T), BC)  # VT-5
    BC_T = BC.transpose(1, 0, 2)
    U_o = V_o + vector_product(BC_T, (T.T @ W_o)[:, None])[:, 0]
    U_oo = V_oo + vector_product(BC_T, (T.T @ W_oo)[:, None])[:, 0]  # (5.2.28)
    return TreeVectors(W, V, U, W_o, U_o, W_oo, U_oo, omega)


def _transport(posture: Posture, points: Any, omega: Any, inboard: Any, relative: Any) -> Any:
    """V_oo − v_oo = ω_i×[ω_i×(b_i + c) + 2v] − ω_j×(ω_j×b_j) (Sol 5.2.26)."""
    from_world = np.vstack([np.zeros(3), points])[[s.inboard for s in posture.segments]]
    ends = joint_points(posture)
    inner, outer = ends - from_world, ends - points
    return np.cross(inboard, np.cross(inboard, inner) + 2 * relative) - np.cross(
        omega, np.cross(omega, outer)
    )


def transformation(skeleton: Skeleton, posture: Posture, v: Any, wrenches: Any) -> Transformation:
    """Twists [ω; velocity of the centre of mass] of all bodies (Sol F51).

    Parameters
    ----------
    skeleton, posture
        The system at one state.
    v : (n_v,) [m/s, rad/s]
        Velocity coordinates.
    wrenches : (n, 6) [N m, N]
        External loads at the body frames.
    """
    tree, T = tree_vectors(skeleton, posture, v), skeleton.matrices.T
    segments, (rotations, origins) = posture.segments, posture.bodies
    n, points = len(segments), centres(posture)
    mass = np.zeros((n, 6, 6))
    load = np.zeros((n, 6))
    for k, s in enumerate(segments):
        J = rotations[k + 1] @ s.moments @ rotations[k + 1].T
        mass[k, :3, :3], mass[k, 3:, 3:] = J, s.mass * np.eye(3)
        torque, force = wrenches[k, :3], wrenches[k, 3:]
        gyroscopic = np.cross(tree.omega[k], J @ tree.omega[k])
        load[k, :3] = torque + np.cross(origins[k + 1] - points[k], force) - gyroscopic
        load[k, 3:] = force + s.mass * skeleton.gravity
    both = np.concatenate([tree.W, tree.U], axis=-1)
    R = np.einsum("akx,kj->jxa", both, T)
    excited = T.T @ np.hstack([tree.W_o, tree.U_o])
    bias = T.T @ np.hstack([tree.W_oo, tree.U_oo])
    rigid = np.broadcast_to(np.eye(6), (n, 6, 6))
    elastic = []
    speeds = R @ v + excited
    for own in posture.deformed:
        k, s = own.number, segments[own.number]
        turn, arm = rotations[k + 1], origins[k + 1] - points[k]
        w = speeds[k, :3]
        twist = np.concatenate([w, speeds[k, 3:] + np.cross(w, arm)])
        M, gyroscopic = own.twists(turn, twist, arm)
        force = wrenches[k, 3:]
        mass[k] = M[:6, :6]
        load[k, :3] = wrenches[k, :3] + np.cross(arm, force)
        load[k, 3:] = force
        load[k] += M[:6, 3:6] @ skeleton.gravity - gyroscopic[:6]
        along = M[6:, 3:6] @ skeleton.gravity - gyroscopic[6:]
        elastic.append(ElasticPart(k, M[:6, 6:], M[6:, 6:], along, own.E, own.known))
    return Transformation(R, excited, bias, mass, load, rigid, points, tuple(elastic))
