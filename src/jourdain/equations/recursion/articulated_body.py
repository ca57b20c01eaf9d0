"""Forward dynamics in O(n) by articulated bodies, and M⁻¹ x from its factorisation.

Solves M(q) dv/dt + h(q, v) = τ in three sweeps (Slaats 3.57–3.60 with the signs corrected,
Featherstone Table 7.1). Driven coordinates have no column in S; they enter the bias (Slaats 4.1).

    p = [ω × J ω; ω × (ω × h)],
    c' = c + [ω × G_ω; Rᵀ (ω_in × (ω_in × p_in)) + (2 ω − G_ω) × G_v]        (RD-1)
    U = I_A S,   D = Sᵀ U + a,   K = D⁻¹ Uᵀ,   d = D⁻¹ (τ − Sᵀ p_A)        (RD-2)
    I_A,in += Xᵀ (I_A − U K) X,   p_A,in += Xᵀ (p_A + (I_A − U K) c' + U d)  (RD-3)
    A' = X A_in + c',   dv/dt = d − K A',   A = A' + S dv/dt               (RD-4)

G = S v + S_x is the velocity relative to the inboard link. A is the acceleration of the link's
origin itself, not the spatial one: that saves all linear velocities. The world accelerates with −g
instead of gravity acting on every body. a is the diagonal matrix of the armatures.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from jourdain import math
from jourdain.equations.recursion.kinematics import attach, place
from jourdain.equations.recursion.links import Link
from jourdain.equations.recursion.spatial_algebra import (
    inertia_to_inboard,
    invert,
    multiply,
    reduced,
    rigid,
    symmetric,
    to_inboard,
    to_outboard,
    unpack,
    with_armature,
)
from jourdain.equations.recursion.sweeps import Recursion, Sweep


def _move(link: Link, own: Any, inboard: Any) -> None:
    """Velocities and body forces (RD-1)."""
    attach(link, own)
    _bias(own, inboard)
    begin(link, own)


def _bias(own: Any, inboard: Any) -> None:
    spin(own, inboard)
    own.bias = drift(own, inboard)


def _move_loaded(link: Link, own: Any, inboard: Any) -> None:
    """As `_move`, with external loads given in world components at the body frame."""
    place(link, own, inboard)
    _bias(own, inboard)
    begin(link, own)
    own.p_A = own.p_A - wrench_on_link(own)


def begin(link: Link, own: Any) -> None:
    """Inertia and forces of the body itself, those along its elastic coordinates too (FB-9)."""
    own.p_A, own.I_A = gyroscopic(own), rigid(own)
    if link.block is not None:
        more, along = link.block.bias(own)
        own.p_e = link.block.free(along)
        own.p_A, own.C_A, own.M_A = own.p_A + more, own.C, link.block.M


def spin(own: Any, inboard: Any) -> None:
    """Angular velocity, in link components."""
    own.G = own.S @ own.v + own.S_x
    own.w = own.R_in.T @ inboard.w + own.G[:3]


def drift(own: Any, inboard: Any) -> Any:
    """Acceleration [alpha; a] of the link's origin that velocities cause, inboard at rest."""
    w_in, turn, slide = inboard.w, own.G[:3], own.G[3:]
    towards = own.R_in.T @ math.cross(w_in, math.cross(w_in, own.p_in))
    return own.c + math.concatenate(
        math.cross(own.w, turn), towards + math.cross(2.0 * own.w - turn, slide)
    )


def gyroscopic(own: Any) -> Any:
    """Force of a body that turns steadily about its origin."""
    w = own.w
    return math.concatenate(math.cross(w, own.J @ w), math.cross(w, math.cross(w, own.h)))


def wrench_on_link(own: Any) -> Any:
    """External load [torque; force] of the body, carried to the link."""
    torque, force = own.R_W.T @ own.wrench[:3], own.R_W.T @ own.wrench[3:]
    return math.concatenate(torque + math.cross(own.pb, force), force)


def _factor(link: Link, own: Any) -> tuple[Any, Any]:
    """Gain K and remaining inertia I_A − U K (RD-2, FB-9)."""
    blocks = unpack(own.I_A)
    U, D = resistance(link, own, blocks)
    own.D_inv = invert(D)
    own.K = own.D_inv @ U.T
    return U, reduced(blocks, U, own.K)


def resistance(link: Link, own: Any, blocks: Any) -> tuple[Any, Any]:
    """Forces U on a link and D along its coordinates that accelerate these (RD-2, FB-9)."""
    U = multiply(blocks, own.S)
    D = with_armature(own.S.T @ U, own)
    if link.block is None:
        return U, D
    across = own.S.T @ own.C_A
    return U + own.C_A, symmetric(D + across + across.T + own.M_A)


def _held(link: Link, own: Any) -> Any:
    """Forces along the coordinates of a link that hold it still."""
    along = own.S.T @ own.p_A
    return along if link.block is None else along + own.p_e


def carry(link: Link, own: Any, inboard: Any, rest: Any) -> None:
    """Pass inertia inboard, from a section to the coordinates that move it, too (RD-3, FB-10)."""
    if link.is_section and own.S.shape[1]:
        U = multiply(rest, own.S)
        carried = [to_inboard(own, U[:, k]) for k in range(U.shape[1])]
        inboard.C_A = inboard.C_A + math.columns(*carried)
        inboard.M_A = inboard.M_A + symmetric(own.S.T @ U)
    inboard.I_A = inboard.I_A + inertia_to_inboard(own, rest)


def _pass(link: Link, own: Any, inboard: Any, p: Any) -> None:
    """Pass a force inboard."""
    if link.is_section and own.S.shape[1]:
        inboard.p_e = inboard.p_e + own.S.T @ p
    inboard.p_A = inboard.p_A + to_inboard(own, p)


def _articulate(link: Link, own: Any, inboard: Any) -> None:
    """Eliminate the joint and pass inertia and force inboard (RD-2, RD-3)."""
    if link.n_v:
        U, rest = _factor(link, own)
        own.d = own.D_inv @ (own.tau - _held(link, own))
        p = own.p_A + multiply(rest, own.bias) + U @ own.d
    else:
        rest = unpack(own.I_A)
        p = own.p_A + multiply(rest, own.bias)
    carry(link, own, inboard, rest)
    _pass(link, own, inboard, p)


def _accelerate(link: Link, own: Any, inboard: Any) -> None:
    """Accelerations outward (RD-4, FB-11)."""
    A = to_outboard(own, inboard.A) + own.bias
    if link.is_section and own.S.shape[1]:
        A = A + own.S @ inboard.vdot
    if link.n_v:
        own.vdot = own.d - own.K @ A
        own.A = A + own.S @ own.vdot
    else:
        own.vdot, own.A = np.zeros(0), A


def accelerated_ground(gravity: Any) -> dict[str, Any]:
    """World at rest in a field of gravity: it accelerates with −g."""
    zeros = np.zeros(6)
    falling = math.concatenate(np.zeros(3), -gravity)
    return {"w": np.zeros(3), "A": falling, "p_A": zeros, "I_A": np.zeros(21)}


def _loaded_ground(gravity: Any) -> dict[str, Any]:
    return accelerated_ground(gravity) | {"R_W": np.eye(3), "p_W": np.zeros(3)}


_LATER = (Sweep(_articulate, is_outward=False), Sweep(_accelerate))

FORWARD = Recursion(
    "forward_dynamics",
    (Sweep(_move), *_LATER),
    ("q", "v", "tau"),
    {"vdot": ("v", 1)},
    accelerated_ground,
    exchanged=("C_A", "M_A", "p_e", "vdot"),
)
STATE = dataclasses.replace(FORWARD, name="state", outputs={"qdot": ("q", 1), "vdot": ("v", 1)})
FORWARD_LOADED = Recursion(
    "forward_dynamics_loaded",
    (Sweep(_move_loaded), *_LATER),
    ("q", "v", "tau", "wrench"),
    {"vdot": ("v", 1)},
    _loaded_ground,
    exchanged=FORWARD.exchanged,
)

STATE_LOADED = dataclasses.replace(FORWARD_LOADED, name="state_loaded", outputs=STATE.outputs)


def _rest(link: Link, own: Any, inboard: Any) -> None:
    attach(link, own)
    own.I_A = rigid(own)
    if link.block is not None:
        own.C_A, own.M_A = own.C, link.block.M


def _eliminate(link: Link, own: Any, inboard: Any) -> None:
    rest = _factor(link, own)[1] if link.n_v else unpack(own.I_A)
    carry(link, own, inboard, rest)


def _clear(link: Link, own: Any, inboard: Any) -> None:
    own.p_A = np.zeros(6)
    if link.block is not None:
        own.p_e = np.zeros(link.n_v)


def _pull(link: Link, own: Any, inboard: Any) -> None:
    """Forces inward: p = p_A + U D⁻¹ (x − Sᵀ p_A) with U D⁻¹ = Kᵀ."""
    p = own.p_A
    if link.n_v:
        rest = own.tau - _held(link, own)
        own.d = own.D_inv @ rest
        p = p + own.K.T @ rest
    _pass(link, own, inboard, p)


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
    exchanged=FORWARD.exchanged,
)
