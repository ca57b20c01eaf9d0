"""Cut joints: the same kinds as in the tree, as constraints between two bodies.

The coordinates q_c of a cut joint are carried along with those of the tree. With G the velocity of
the child frame relative to the parent frame in child components, S, S_x, c the modes of the kind
(RK-2, RK-3), S⁺ = (SᵀS)⁻¹Sᵀ, and W a basis of what S leaves (WᵀS = 0),

    v_c = S⁺ (G − S_x),   dq_c/dt = Y₁ v_c                                    (CL-1)
    Wᵀ (G − S_x) = 0,     Wᵀ (dG/dt − c) = 0                                  (CL-2)
    e = [2 tan(θ/2) n; R_cᵀ (r − r_c)] = 0                                     (CL-3)

where θ, n turn the child frame as the coordinates say it, (R_c, r_c), to where the tree has it.
The force on the child is W λ. Where S moves with q_c, W is the projector 1 − S S⁺: rows that repeat
others do no harm (CD-4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from jourdain import math
from jourdain.equations.connections.scene import Actual, Quantity, Scene, Traced
from jourdain.equations.joints.drives import driven_values
from jourdain.equations.joints.motion import Motion, split, traced
from jourdain.equations.recursion.links import driven_indices
from jourdain.equations.tracing.open_function import open_function
from jourdain.model.elements import JointElement, with_values
from jourdain.spatial.parameter import evaluate, values_in_force


@dataclass(frozen=True)
class CutJoint:
    """A cut joint as expressions of the state.

    Parameters
    ----------
    element : JointElement
        The joint.
    motion : Motion
        Its kind.
    velocity : Quantity
        G, the relative velocity.
    W : (6, m)
        Constrained directions, child components.
    W_size : (m, 6)
        Squared sizes of the terms that make up Wᵀ, before they cancel.
    error : (6,)
        Position error e (CL-3).
    gap_rate, bias : (6,)
        G − S_x and dG/dt − c at zero accelerations.
    rates, second : casadi.SX
        Rates of the free coordinates, and their second rates at zero accelerations.
    positions, velocities, acceleration : casadi.SX
        All coordinates, driven ones too, and their velocities and accelerations, the latter at
        zero accelerations of the tree.
    spread : matrix
        Takes free velocities to their places among all.
    S_plus : (n_v, 6)
        S⁺.
    back : (n_q, 6)
        Y₁ S⁺: change of the free coordinates by a relative displacement.
    W_place : (6, m)
        Directions in which no change of the free coordinates moves the child: W but for
        nonholonomic kinds, which reach more places than they have velocities.
    fit : (n_q, 6)
        Change of the free coordinates that brings them to where the bodies are.
    """

    element: JointElement
    motion: Motion
    velocity: Quantity
    W: Any
    W_size: Any
    R: Any
    error: Any
    gap_rate: Any
    bias: Any
    rates: Any
    second: Any
    positions: Any
    velocities: Any
    acceleration: Any
    spread: Any
    S_plus: Any
    back: Any
    W_place: Any
    fit: Any


def motion_of(element: JointElement) -> Motion:
    """Kind of a cut joint, traced in the user's direction."""
    return traced(element.kind, driven_indices(element), False, False)


def close(
    element: JointElement, values: Mapping[str, Any], q: Any, actual: Actual, names: Any
) -> CutJoint:
    """Describe a cut joint.

    Parameters
    ----------
    element : JointElement
        The joint.
    values : mapping
        Symbols of the parameters.
    q : casadi.SX
        Its free coordinates.
    actual : Actual
        Motion of the bodies.
    names : collection of str
        Coordinates there are, for errors.
    """
    motion = motion_of(element)
    slots = [evaluate(x, values) for x in split(element.kind, False)[1]]
    with values_in_force(values):
        e = driven_values(element, motion, values, actual.t)
    e0 = ca.vertcat(*e) if e else ca.SX(0, 1)
    e1 = ca.jacobian(e0, actual.t)
    drives = [e0, e1, ca.jacobian(e1, actual.t)]
    velocity = _relative_velocity(with_values(element, values), names).at(actual)

    def moved(v: Any) -> Any:
        return motion.function(ca.vertcat(*slots) if slots else [], q, v, actual.t, *drives)

    _, _, S, S_x, *_ = moved(ca.SX.zeros(len(motion.free_columns)))
    S_plus = _left_inverse(S)
    v = S_plus @ (velocity.rate - S_x)
    R, r, S, S_x, c, rates, _ = moved(v)
    vdot = S_plus @ (velocity.bias - c)
    Y = motion.rates[list(motion.free), list(motion.free_columns)]
    at = [motion.q, motion.drives[0], motion.t, *motion.slots]
    Y_now = ca.Function("Y", at, [Y])(q, e0, actual.t, *slots) if Y.numel() else Y
    second = ca.jtimes(rates, q, rates) if q.numel() else ca.SX(0, 1)
    W, back = _complement(S, S_plus), Y_now @ S_plus
    return CutJoint(
        element, motion, velocity, *W, R,
        _error(with_values(element, values), R, r, actual),
        velocity.rate - S_x, velocity.bias - c,
        rates, second + Y_now @ vdot,
        *_all_coordinates(motion, slots, q, v, vdot, actual.t, drives),
        S_plus, back, *(_places(motion, R, r, q) if _is_nonholonomic(element) else (W[0], back)),
    )  # fmt: skip


def _is_nonholonomic(element: JointElement) -> bool:
    """Whether a kind has fewer velocities than places it can be in have dimensions."""
    kind = element.kind
    n_quaternions = sum(name.endswith(".w") for name in kind.coordinates)
    return bool(len(kind.coordinates) - n_quaternions > len(kind.velocities))


def _places(motion: Motion, R: Any, r: Any, q: Any) -> tuple[Any, Any]:
    """W_place and fit of a joint from the derivatives of its pose by its coordinates.

    The length of a quaternion turns nothing; its direction fills the gap in the normal equations.
    """
    names = [list(motion.kind.coordinates)[k] for k in motion.free]
    lengths = ca.SX.zeros(q.numel(), q.numel())
    for k, name in enumerate(names):
        if name.endswith(".w"):
            lengths[k : k + 4, k : k + 4] = q[k : k + 4] @ q[k : k + 4].T
    columns = []
    for k in range(q.numel()):
        dR = ca.reshape(ca.jacobian(ca.vec(R), q[k]), 3, 3)
        turned = math.axial(R.T @ dR)
        columns.append(ca.vertcat(turned, R.T @ ca.jacobian(r, q[k])))
    S = ca.horzcat(*columns)
    fit = ca.solve(S.T @ S + lengths, S.T)
    return ca.SX.eye(6) - S @ fit, fit


def _all_coordinates(
    motion: Motion, slots: Any, q: Any, v: Any, vdot: Any, t: Any, drives: Any
) -> tuple[Any, Any, Any, Any]:
    """Positions, velocities and accelerations of all coordinates, and where free ones lie."""
    n = motion.rates.shape[1]
    spread, held = ca.SX(n, v.numel()), ca.SX.zeros(n)
    for k, column in enumerate(motion.free_columns):
        spread[column, k] = 1.0
    given = [*motion.slots, motion.q, *motion.drives, motion.t]
    if motion.driven:
        driven = motion.driven_velocity
        second = ca.jtimes(driven, ca.vertcat(*motion.drives[:2]), ca.vertcat(*motion.drives[1:]))
        f = ca.Function("driven", given, [motion.full, driven, second])
        positions, first, second = f(*slots, q, *drives, t)
        accelerations = ca.SX.zeros(n)
        for k, column in enumerate(motion.driven_columns):
            held[column], accelerations[column] = first[k], second[k]
        return positions, held + spread @ v, accelerations + spread @ vdot, spread
    return q, spread @ v, spread @ vdot, spread


def _relative_velocity(element: JointElement, names: Any) -> Traced:
    """G = [Ω; V] of the child frame relative to the parent frame, child components."""
    scene = Scene(names, f"joint {element.name!r}")
    (_, r_a), (R, r_b) = scene.pose(element.parent), scene.pose(element.child)
    (w_a, u_a), (w_b, u_b) = scene.twist(element.parent), scene.twist(element.child)
    V = u_b - u_a - math.cross(w_a, r_b - r_a)
    return Traced(scene, None, ca.vertcat(R.T @ (w_b - w_a), R.T @ V))


def _error(element: JointElement, R: Any, r: Any, actual: Actual) -> Any:
    """Position error e (CL-3), child components."""
    scene = Scene((), element.name)
    R_now, r_now = scene.relative(element.child, element.parent)
    symbols = [part for body in scene.moving.values() for part in (body.R, body.p)]
    f = open_function("relative", symbols, [R_now, r_now])
    R_now, r_now = f(*(part for name in scene.moving for part in actual.bodies[name][:2]))
    turn = R.T @ R_now
    half = 4.0 * math.axial(turn) / (1.0 + ca.trace(turn))
    return ca.vertcat(half, R.T @ (r_now - r))


def _left_inverse(S: Any) -> Any:
    if S.shape[1] == 0:
        return ca.SX(0, 6)
    if S.is_constant():
        return ca.SX(np.linalg.pinv(np.array(ca.DM(S))))
    return ca.solve(ca.simplify(S.T @ S), S.T)


def _complement(S: Any, S_plus: Any) -> tuple[Any, Any]:
    """Basis of the directions that S leaves, sparse where S is constant, and its squared size."""
    if S.shape[1] in (0, 6):
        W = ca.SX.eye(6)[:, S.shape[1] :]
        return W, W.T
    if not S.is_constant():
        return ca.SX.eye(6) - S @ S_plus, ca.SX.eye(6) + (S_plus**2).T @ (S**2).T
    W = ca.sparsify(ca.SX(null_space(np.array(ca.DM(S)).T)))
    return W, (W**2).T


def null_space(A: Any) -> Any:
    """Columns x with A x = 0, one for each entry that is not a pivot of the elimination."""
    A = np.array(A, dtype=float)
    n, pivots = A.shape[1], []
    for row in range(A.shape[0]):
        i, j = np.unravel_index(np.argmax(np.abs(A[row:])), A[row:].shape)
        if abs(A[row + i, j]) < 1e-12:
            break
        A[[row, row + i]] = A[[row + i, row]]
        A[row] /= A[row, j]
        for other in range(A.shape[0]):
            if other != row:
                A[other] -= A[other, j] * A[row]
        pivots.append(int(j))
    free = [j for j in range(n) if j not in pivots]
    basis = np.zeros((n, len(free)))
    for k, own in enumerate(free):
        basis[own, k] = 1.0
        for row, pivot in enumerate(pivots):
            basis[pivot, k] = -A[row, own]
    return basis
