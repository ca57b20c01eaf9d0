"""Inverse dynamics in O(n) by recursive Newton–Euler, and the loads in every joint.

    F = I A + [ω × J ω; ω × (ω × h)],   F_in += Xᵀ F,   τ = Sᵀ F + a dv/dt  (RD-5)

F is the total force that the inboard side exerts on a link through its joint. The armatures a take
their share of τ before it reaches the link, and give nothing to F.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain import math
from jourdain.equations.recursion.articulated_body import (
    accelerated_ground,
    drift,
    gyroscopic,
    spin,
    wrench_on_link,
)
from jourdain.equations.recursion.kinematics import attach, place
from jourdain.equations.recursion.links import Link
from jourdain.equations.recursion.spatial_algebra import momentum, to_inboard, to_outboard
from jourdain.equations.recursion.sweeps import Recursion, Sweep, driven_rotors


def _forces(link: Link, own: Any, inboard: Any) -> None:
    spin(own, inboard)
    own.A = to_outboard(own, inboard.A) + own.S @ own.vdot + drift(own, inboard)
    own.F = momentum(own, own.A) + gyroscopic(own)
    if link.block is not None:
        more, along = link.block.bias(own)
        own.F = own.F + own.C @ own.vdot + more
        own.Q = own.C.T @ own.A + link.block.M @ own.vdot + link.block.free(along)
        if link.motion.driven:
            own.Q_d = own.C_d.T @ own.A + link.block.drive_masses @ own.vdot
            own.Q_d = own.Q_d + link.block.driven(along)


def _outward(link: Link, own: Any, inboard: Any) -> None:
    attach(link, own)
    _forces(link, own, inboard)


def _outward_loaded(link: Link, own: Any, inboard: Any) -> None:
    place(link, own, inboard)
    _forces(link, own, inboard)
    own.F = own.F - wrench_on_link(own)


def forces_along(link: Link, own: Any) -> Any:
    """Forces along the free velocities: on the link, and on rotors."""
    if not link.n_v:
        return np.zeros(0)
    if link.block is not None:
        return own.S.T @ own.F + own.Q
    return own.S.T @ own.F + math.vector([own.armature[k] * own.vdot[k] for k in range(link.n_v)])


def _inward(link: Link, own: Any, inboard: Any) -> None:
    own.tau = forces_along(link, own)
    pass_force(link, own, inboard)


def pass_force(link: Link, own: Any, inboard: Any) -> None:
    """Pass the force on a link inboard, and along the coordinates that move a section (F11)."""
    if link.is_section and own.S.shape[1]:
        inboard.Q = inboard.Q + own.S.T @ own.F
    inboard.F = inboard.F + to_inboard(own, own.F)


def _inward_loads(link: Link, own: Any, inboard: Any) -> None:
    """Also the interaction on the user's child, in the parent frame, and its power."""
    _inward(link, own, inboard)
    if link.is_section and own.S_d.shape[1]:
        inboard.Q_d = inboard.Q_d + own.S_d.T @ own.F
    torque, force = own.F[:3], own.F[3:]
    if link.motion.is_reversed:  # F acts on the user's parent at the parent frame: turn it round
        torque, force = math.cross(_child_in_parent(own), force) - torque, -force
    else:
        torque, force = own.R @ torque, own.R @ force
    own.interaction = math.concatenate(torque, force)
    driven = driven_rotors(link, own)
    loads = [own.S_d[:, k].T @ own.F + a * vdot for k, (a, _, vdot) in enumerate(driven)]
    if link.block is not None:
        loads = [load + own.Q_d[k] for k, load in enumerate(loads)]
    own.drive = math.concatenate(*loads[:6], *[0.0] * (6 - len(loads)))
    free = [(own.armature[k], own.v[k], own.vdot[k]) for k in range(link.n_v)]
    own.power = math.dot(own.F, own.G) + sum(a * v * vdot for a, v, vdot in (*free, *driven))
    if link.block is not None:
        along = [own.Q[k] * own.v[k] for k in range(link.n_v)]
        along += [own.Q_d[k] * own.e1[k] for k in range(len(driven))]
        own.power = own.power + sum(along)
    if link.is_section:  # its power is that of the coordinates that move it
        own.power = 0.0 * own.power


def _child_in_parent(own: Any) -> Any:
    """Position of the user's child frame in the parent frame, for a reversed joint."""
    return -own.R.T @ own.r


def _ground(gravity: Any) -> dict[str, Any]:
    motion = accelerated_ground(gravity)
    return {"w": motion["w"], "A": motion["A"], "F": np.zeros(6)}


def _placed_ground(gravity: Any) -> dict[str, Any]:
    return _ground(gravity) | {"R_W": np.eye(3), "p_W": np.zeros(3)}


INVERSE = Recursion(
    "inverse_dynamics",
    (Sweep(_outward), Sweep(_inward, is_outward=False)),
    ("q", "v", "vdot"),
    {"tau": ("v", 1)},
    _ground,
    exchanged=("Q",),
)
INVERSE_LOADED = Recursion(
    "inverse_dynamics_loaded",
    (Sweep(_outward_loaded), Sweep(_inward, is_outward=False)),
    ("q", "v", "vdot", "wrench"),
    {"tau": ("v", 1)},
    _placed_ground,
    exchanged=("Q",),
)
LOADS = Recursion(
    "loads",
    (Sweep(_outward_loaded), Sweep(_inward_loads, is_outward=False)),
    ("q", "v", "vdot", "wrench"),
    {"tau": ("v", 1), "interaction": ("body", 6), "drive": ("body", 6), "power": ("body", 1)},
    _placed_ground,
    exchanged=("Q", "Q_d"),
)


def _inward_weight(link: Link, own: Any, inboard: Any) -> None:
    own.tau = own.S.T @ own.F if link.n_v else np.zeros(0)
    if link.block is not None:
        own.tau = own.tau + own.Q
    pass_force(link, own, inboard)


def _weigh(link: Link, own: Any, inboard: Any) -> None:
    attach(link, own)
    own.A = to_outboard(own, inboard.A)
    own.F = momentum(own, own.A)
    if link.block is not None:
        own.Q = own.C.T @ own.A


GRAVITY = Recursion(
    "gravity_forces",
    (Sweep(_weigh), Sweep(_inward_weight, is_outward=False)),
    ("q",),
    {"tau": ("v", 1)},
    lambda gravity: {k: x for k, x in _ground(gravity).items() if k != "w"},
    exchanged=("Q",),
)
