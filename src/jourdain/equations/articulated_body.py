"""Forward dynamics in O(n) by articulated bodies, and M⁻¹ x from its factorisation.

Solves M(q) dv/dt + h(q, v) = τ in three sweeps (Slaats 3.57–3.60 with the signs corrected,
Featherstone Table 7.1). Driven coordinates have no column in S; they enter the bias (Slaats 4.1).

    p = V ×* I V,   c' = c + V × (S v + S_x)                             (RD-1)
    U = I_A S,   D = Sᵀ U,   K = D⁻¹ Uᵀ,   d = D⁻¹ (τ − Sᵀ p_A)            (RD-2)
    I_A,in += Xᵀ (I_A − U K) X,   p_A,in += Xᵀ (p_A + (I_A − U K) c' + U d)  (RD-3)
    A' = X A_in + c',   dv/dt = d − K A',   A = A' + S dv/dt               (RD-4)

The world accelerates with −g instead of gravity acting on every body.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from jourdain import math
from jourdain.equations.kinematics import attach, place, twist
from jourdain.equations.links import Link
from jourdain.equations.recursion import Recursion, Sweep
from jourdain.equations.spatial_algebra import (
    cross_force,
    cross_twist,
    inertia_to_inboard,
    invert,
    momentum,
    multiply,
    reduced,
    rigid,
    to_inboard,
    to_outboard,
    unpack,
)


def _move(link: Link, own: Any, inboard: Any) -> None:
    """Velocities and body forces (RD-1)."""
    attach(link, own)
    twist(own, inboard)
    own.bias = own.c + cross_twist(own.V, own.G)
    own.p_A = cross_force(own.V, momentum(own, own.V))
    own.I_A = rigid(own)


def _move_loaded(link: Link, own: Any, inboard: Any) -> None:
    """As `_move`, with external loads given in world components at the body frame."""
    place(link, own, inboard)
    twist(own, inboard)
    own.bias = own.c + cross_twist(own.V, own.G)
    own.p_A = cross_force(own.V, momentum(own, own.V)) - wrench_on_link(own)
    own.I_A = rigid(own)


def wrench_on_link(own: Any) -> Any:
    """External load [torque; force] of the body, carried to the link."""
    torque, force = own.R_W.T @ own.wrench[:3], own.R_W.T @ own.wrench[3:]
    return math.concatenate(torque + math.cross(own.pb, force), force)


def _factor(own: Any) -> tuple[Any, Any]:
    """Gain K and remaining inertia I_A − U K (RD-2)."""
    blocks = unpack(own.I_A)
    U = multiply(blocks, own.S)
    own.D_inv = invert(own.S.T @ U)
    own.K = own.D_inv @ U.T
    return U, reduced(blocks, U, own.K)


def _articulate(link: Link, own: Any, inboard: Any) -> None:
    """Eliminate the joint and pass inertia and force inboard (RD-2, RD-3)."""
    if link.n_v:
        U, rest = _factor(own)
        own.d = own.D_inv @ (own.tau - own.S.T @ own.p_A)
        p = own.p_A + multiply(rest, own.bias) + U @ own.d
    else:
        rest = unpack(own.I_A)
        p = own.p_A + multiply(rest, own.bias)
    inboard.I_A = inboard.I_A + inertia_to_inboard(own, rest)
    inboard.p_A = inboard.p_A + to_inboard(own, p)


def _accelerate(link: Link, own: Any, inboard: Any) -> None:
    """Accelerations outward (RD-4)."""
    A = to_outboard(own, inboard.A) + own.bias
    if link.n_v:
        own.vdot = own.d - own.K @ A
        own.A = A + own.S @ own.vdot
    else:
        own.vdot, own.A = np.zeros(0), A


def accelerated_ground(gravity: Any) -> dict[str, Any]:
    """World at rest in a field of gravity: it accelerates with −g."""
    zeros = np.zeros(6)
    falling = math.concatenate(np.zeros(3), -gravity)
    return {"V": zeros, "A": falling, "p_A": zeros, "I_A": np.zeros(21)}


def _loaded_ground(gravity: Any) -> dict[str, Any]:
    return accelerated_ground(gravity) | {"R_W": np.eye(3), "p_W": np.zeros(3)}


_LATER = (Sweep(_articulate, is_outward=False), Sweep(_accelerate))

FORWARD = Recursion(
    "forward_dynamics",
    (Sweep(_move), *_LATER),
    ("q", "v", "tau"),
    {"vdot": ("v", 1)},
    accelerated_ground,
)
STATE = dataclasses.replace(FORWARD, name="state", outputs={"qdot": ("q", 1), "vdot": ("v", 1)})
FORWARD_LOADED = Recursion(
    "forward_dynamics_loaded",
    (Sweep(_move_loaded), *_LATER),
    ("q", "v", "tau", "wrench"),
    {"vdot": ("v", 1)},
    _loaded_ground,
)


def _rest(link: Link, own: Any, inboard: Any) -> None:
    attach(link, own)
    own.I_A = rigid(own)


def _eliminate(link: Link, own: Any, inboard: Any) -> None:
    rest = _factor(own)[1] if link.n_v else unpack(own.I_A)
    inboard.I_A = inboard.I_A + inertia_to_inboard(own, rest)


def _clear(link: Link, own: Any, inboard: Any) -> None:
    own.p_A = np.zeros(6)


def _pull(link: Link, own: Any, inboard: Any) -> None:
    """Forces inward: p = p_A + U D⁻¹ (x − Sᵀ p_A) with U D⁻¹ = Kᵀ."""
    p = own.p_A
    if link.n_v:
        rest = own.tau - own.S.T @ own.p_A
        own.d = own.D_inv @ rest
        p = p + own.K.T @ rest
    inboard.p_A = inboard.p_A + to_inboard(own, p)


def _push(link: Link, own: Any, inboard: Any) -> None:
    own.bias = np.zeros(6)
    _accelerate(link, own, inboard)


def _still_ground(gravity: Any) -> dict[str, Any]:
    zeros = np.zeros(6)
    return {"A": zeros, "p_A": zeros, "I_A": np.zeros(21)}


SOLVE = Recursion(
    "solve_mass_matrix",
    (
        Sweep(_rest),
        Sweep(_eliminate, is_outward=False),
        Sweep(_clear),
        Sweep(_pull, is_outward=False),
        Sweep(_push),
    ),
    ("q", "tau"),
    {"vdot": ("v", 1)},
    _still_ground,
    n_setup=2,
)
