"""Velocity transformation to natural coordinates: basic points and unit vectors.

Each body has a basic point r (the origin of its outer joint frame) and three unit vectors u (the
axes of that frame): twelve numbers z = [r; u₁; u₂; u₃], a constant mass matrix, and no gyroscopic
terms. R is assembled from π*: where entry (i, j) is negative, joint j moves body i, and a mode
vector (Ω, V) of joint j in world components gives with d = r_i − r_j the column

    R_ij = [Ω × d + V; Ω × u₁; Ω × u₂; Ω × u₃]                            (NC-1)
    dR_ij/dt = [Ω' × d + Ω × d' + V'; Ω' × u + Ω × u']                     (NC-2)
    M = ∫ρ [1; x] [1; x]ᵀ ⊗ E₃                                            (NC-3)

The table of Issa & Arczewski is NC-1 for hinges, slides, universal joints and floating bases.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.equations.flexible.lagrange import deforming
from jourdain.formulations.skeleton import Posture, Segment, Skeleton
from jourdain.formulations.transformation import ElasticPart, Transformation, joint_points


def mass_matrix(segment: Segment) -> Any:
    """Constant mass matrix (12, 12) of a body in natural coordinates (NC-3)."""
    B, b = segment.outer.rotation, segment.outer.position
    x = B.T @ (segment.com - b)
    J = B.T @ segment.moments @ B
    second = 0.5 * np.trace(J) * np.eye(3) - J + segment.mass * np.outer(x, x)
    first = segment.mass * x[None]
    return np.kron(np.block([[np.full((1, 1), segment.mass), first], [first.T, second]]), np.eye(3))


def unit_vectors(posture: Posture) -> Any:
    """Unit vectors (n, 3, 3) of all bodies in the world, one per row."""
    R = posture.bodies[0]
    axes = [(R[k + 1] @ s.outer.rotation).T for k, s in enumerate(posture.segments)]
    return np.array(axes).reshape(-1, 3, 3)


def block(Omega: Any, V: Any, d: Any, u: Any) -> Any:
    """Columns R_ij (m, 12) of m mode vectors of joint j for body i (NC-1)."""
    turned = np.cross(Omega[:, None], u[None])
    return np.hstack([np.cross(Omega, d) + V, turned.reshape(len(Omega), 9)])


def columns(posture: Posture) -> list[tuple[Any, Any]]:
    """Mode vectors (Ω, V) of every joint in world components, those of time last."""
    found = []
    for s, h in zip(posture.segments, posture.outward, strict=True):
        base = (posture.bodies[0][s.inboard] @ s.inner.rotation).T
        found.append((h.w @ base, h.dr @ base))
    return found


def column_rates(posture: Posture, modes: list[tuple[Any, Any]], omega: Any) -> list[Any]:
    """Rates of the mode vectors, which turn with the inboard body: x' = ω × x + E x°."""
    rates = []
    around = np.vstack([np.zeros(3), omega])
    for s, h, (Omega, V) in zip(posture.segments, posture.outward, modes, strict=True):
        base = (posture.bodies[0][s.inboard] @ s.inner.rotation).T
        w = around[s.inboard]
        rates.append((np.cross(w, Omega) + h.w_rate @ base, np.cross(w, V) + h.dr_rate @ base))
    return rates


def transformation(skeleton: Skeleton, posture: Posture, v: Any, wrenches: Any) -> Transformation:
    """Natural velocities [dr/dt; du/dt] of all bodies (Issa & Arczewski 3.4–3.7).

    Parameters
    ----------
    skeleton, posture
        The system at one state.
    v : (n_v,) [m/s, rad/s]
        Velocity coordinates.
    wrenches : (n, 6) [N m, N]
        External loads at the body frames.
    """
    n, points, u = len(posture.segments), joint_points(posture), unit_vectors(posture)
    modes = columns(posture)
    R, R_o = _assemble(skeleton, lambda i, j: block(*modes[j], points[i] - points[j], u[i]))
    z_dot = (R @ v + R_o).reshape(n, 4, 3)
    r_dot, u_dot = z_dot[:, 0], z_dot[:, 1:]
    omega = 0.5 * np.cross(u, u_dot).sum(axis=1)
    rates = column_rates(posture, modes, omega)

    def rate(i: int, j: int) -> Any:  # NC-2
        (Omega, V), (Omega_rate, V_rate) = modes[j], rates[j]
        turning = block(Omega_rate, V_rate, points[i] - points[j], u[i])
        return turning + block(Omega, np.zeros_like(V), r_dot[i] - r_dot[j], u_dot[i])

    R_rate, R_o_rate = _assemble(skeleton, rate)
    rigid = np.array([_rigid(x) for x in u]).reshape(n, 12, 6)
    mass = np.array([mass_matrix(s) for s in posture.segments]).reshape(n, 12, 12)
    elastic, gyroscopic = [], np.zeros((n, 12))
    for own in posture.deformed:
        k = own.number
        M, needed = deforming(own.solid).natural(u[k], z_dot[k].reshape(-1), own.d, own.rate)
        mass[k], gyroscopic[k] = M[:12, :12], needed[:12]
        along = M[12:, :3] @ skeleton.gravity - needed[12:]
        elastic.append(ElasticPart(k, M[:12, 12:], M[12:, 12:], along, own.E, own.known))
    load = _load(skeleton, posture, points, rigid, mass, wrenches) - gyroscopic
    bias = R_rate @ v + R_o_rate
    return Transformation(R, R_o, bias, mass, load, rigid, points, tuple(elastic))


def _assemble(skeleton: Skeleton, entry: Any) -> tuple[Any, Any]:
    """Put blocks in the place of the negative entries of π*: (n, 12, n_v), and (n, 12) of time."""
    segments, path = skeleton.segments, skeleton.matrices.pi_star
    R, R_o = np.zeros((len(segments), 12, skeleton.n_v)), np.zeros((len(segments), 12))
    for i, j in zip(*np.nonzero(path < 0), strict=True):
        columns_of_joint = entry(i, j).T
        R[i][:, segments[j].v] += columns_of_joint[:, :-1]
        R_o[i] += columns_of_joint[:, -1]
    return R, R_o


def _rigid(u: Any) -> Any:
    """Natural velocities (12, 6) of a body with the twist [ω; dr/dt]: du/dt = ω × u."""
    turning, moving = np.eye(6)[:, :3], np.eye(6)[:, 3:]
    return block(turning, moving, np.zeros(3), u).T


def _load(
    skeleton: Skeleton, posture: Posture, points: Any, rigid: Any, mass: Any, wrenches: Any
) -> Any:
    """Weights and external loads (n, 12) with the power they have: Q = P (PᵀP)⁻¹ F."""
    arm = posture.bodies[1][1:] - points
    torque = wrenches[:, :3] + np.cross(arm, wrenches[:, 3:])
    F = np.hstack([torque, wrenches[:, 3:]])
    spread = np.einsum("kij,kj->ki", rigid, F / np.array([2.0] * 3 + [1.0] * 3))
    return spread + mass[:, :, :3] @ skeleton.gravity
