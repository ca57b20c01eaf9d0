"""Forward kinematics of a tree: poses, twists, accelerations and mode columns of all bodies.

With R, p the orientation and position of a link in its inboard link and V = [ω; v] its twist in
its own components (theory page, RK):

    R = R₀ R_J,   p = p₀ + R₀ r_J                                        (RK-5)
    R_W = R_W,in R,   p_W = p_W,in + R_W,in p                            (RK-6)
    ω = Rᵀ ω_in + G_ω,   v = Rᵀ (v_in + ω_in × p) + G_v                   (RK-7)
    A = X A_in + S dv/dt + c + V × (S v + S_x)                           (RK-8)

A is the spatial acceleration; the acceleration of the link's origin is A_v + ω × v.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain import math
from jourdain.equations.recursion.links import Link
from jourdain.equations.recursion.spatial_algebra import cross_twist, to_outboard
from jourdain.equations.recursion.sweeps import Recursion, Sweep, move


def attach(link: Link, own: Any) -> None:
    """Pose relative to the inboard link (RK-5)."""
    move(link, own)
    own.R_in, own.p_in = own.R0 @ own.R, own.p0 + own.R0 @ own.r
    if link.block is not None:
        link.block.deform(own)


def place(link: Link, own: Any, inboard: Any) -> None:
    """Pose relative to the inboard link and in the world (RK-5, RK-6)."""
    attach(link, own)
    own.R_W = inboard.R_W @ own.R_in
    own.p_W = inboard.p_W + inboard.R_W @ own.p_in


def twist(own: Any, inboard: Any) -> None:
    """Twist in link components (RK-7)."""
    own.G = own.S @ own.v + own.S_x
    own.V = to_outboard(own, inboard.V) + own.G


def acceleration(own: Any, inboard: Any) -> None:
    """Spatial acceleration in link components (RK-8)."""
    own.A = to_outboard(own, inboard.A) + own.S @ own.vdot + own.c + cross_twist(own.V, own.G)


def world_pose(own: Any) -> Any:
    """Pose of the body in the world, as the 16 numbers of a matrix, row by row."""
    R, p = own.R_W @ own.Rb, own.p_W + own.R_W @ own.pb
    rows = [math.concatenate(R[i, 0], R[i, 1], R[i, 2], p[i]) for i in range(3)]
    return math.concatenate(*rows, 0.0, 0.0, 0.0, 1.0)


def world_twist(own: Any) -> Any:
    """Twist of the body in world components."""
    w, v = own.V[:3], own.V[3:]
    return math.concatenate(own.R_W @ w, own.R_W @ (v + math.cross(w, own.pb)))


def world_acceleration(own: Any, at: Any) -> Any:
    """Rate of the twist of a place ``at`` on the link in world components."""
    w, v = own.V[:3], own.V[3:]
    alpha = own.A[:3]
    velocity = v + math.cross(w, at)
    a = own.A[3:] + math.cross(alpha, at) + math.cross(w, velocity)
    return math.concatenate(own.R_W @ alpha, own.R_W @ a)


def _pose_step(link: Link, own: Any, inboard: Any) -> None:
    place(link, own, inboard)
    own.pose = world_pose(own)


def _twist_step(link: Link, own: Any, inboard: Any) -> None:
    place(link, own, inboard)
    twist(own, inboard)
    own.twist = world_twist(own)


def _motion_step(link: Link, own: Any, inboard: Any) -> None:
    place(link, own, inboard)
    twist(own, inboard)
    own.pose, own.twist = world_pose(own), world_twist(own)


def _acceleration_step(link: Link, own: Any, inboard: Any) -> None:
    place(link, own, inboard)
    twist(own, inboard)
    acceleration(own, inboard)
    own.pose, own.twist = world_pose(own), world_twist(own)
    own.acceleration = world_acceleration(own, own.pb)


def _column_step(link: Link, own: Any, inboard: Any) -> None:
    place(link, own, inboard)
    own.pose = world_pose(own)
    own.columns = world_columns(link, own)


def world_columns(link: Link, own: Any) -> Any:
    """Mode vectors in world components at the link's origin, and that origin, one by one."""
    parts = [
        math.concatenate(own.R_W @ own.S[:3, k], own.R_W @ own.S[3:, k], own.p_W)
        for k in range(own.S.shape[1])
    ]
    return math.concatenate(*parts) if parts else np.zeros(0)


def _spot_step(link: Link, own: Any, inboard: Any) -> None:
    """Place that is asked for, in the world; zeros for all other bodies."""
    place(link, own, inboard)
    is_asked, at = own.spot[0], own.pb + own.Rb @ own.spot[1:]
    own.asked = math.concatenate(is_asked, is_asked * (own.p_W + own.R_W @ at))
    if link.block is not None:
        own.moved = np.zeros(6 * link.n_v)


def _jacobian_step(link: Link, own: Any, inboard: Any) -> None:
    """Mode vectors at that place, of all joints between it and the world."""
    is_between, point = own.asked[0], own.asked[1:]
    arm = point - is_between * own.p_W
    columns = []
    for k in range(own.S.shape[1]):
        w = own.R_W @ own.S[:3, k]
        linear = is_between * (own.R_W @ own.S[3:, k]) + math.cross(w, arm)
        columns.append(math.concatenate(is_between * w, linear))
    own.columns = math.concatenate(*columns) if columns else np.zeros(0)
    if link.block is not None:
        own.columns = own.columns + own.moved
    if link.is_section:
        inboard.moved, own.columns = inboard.moved + own.columns, np.zeros(0)
    inboard.asked = inboard.asked + own.asked


def _spot_acceleration_step(link: Link, own: Any, inboard: Any) -> None:
    """Rate of the twist of a place on the body in world components, at dv/dt = 0."""
    place(link, own, inboard)
    twist(own, inboard)
    own.A = to_outboard(own, inboard.A) + own.c + cross_twist(own.V, own.G)
    own.spot_rate = world_acceleration(own, own.pb + own.Rb @ own.spot[1:])


def _shift_step(link: Link, own: Any, inboard: Any) -> None:
    """Change of the coordinates and of the places of bodies by small displacements along v."""
    place(link, own, inboard)
    if link.is_section:
        own.shift = own.qdot
    else:
        at_rest = [0.0] * link.n_v
        still = link.motion.function(own.slots, own.q, at_rest, own.t, own.e, own.e1, own.e2)
        own.shift = own.qdot - still[5]
    own.V = to_outboard(own, inboard.V) + own.S @ own.v
    own.moved = world_twist(own)


def _rate_step(link: Link, own: Any, inboard: Any) -> None:
    move(link, own)


def _at_rest(gravity: Any) -> dict[str, Any]:
    zeros = np.zeros(6)
    return {"R_W": np.eye(3), "p_W": np.zeros(3), "V": zeros, "A": zeros}


def _outward(name: str, step: Any, inputs: tuple[str, ...], outputs: dict[str, Any]) -> Recursion:
    return Recursion(name, (Sweep(step),), inputs, outputs, _at_rest)


POSES = _outward("poses", _pose_step, ("q",), {"pose": ("body", 16)})
TWISTS = _outward("twists", _twist_step, ("q", "v"), {"twist": ("body", 6)})
MOTION = _outward("motion", _motion_step, ("q", "v"), {"pose": ("body", 16), "twist": ("body", 6)})
KINEMATICS = _outward(
    "kinematics",
    _acceleration_step,
    ("q", "v", "vdot"),
    {"pose": ("body", 16), "twist": ("body", 6), "acceleration": ("body", 6)},
)
COLUMNS = _outward("columns", _column_step, ("q",), {"pose": ("body", 16), "columns": ("v", 9)})
RATES = _outward("rates", _rate_step, ("q", "v"), {"qdot": ("q", 1)})
JACOBIAN = Recursion(
    "jacobian",
    (Sweep(_spot_step), Sweep(_jacobian_step, is_outward=False)),
    ("q", "spot"),
    {"columns": ("v", 6)},
    lambda _: {"R_W": np.eye(3), "p_W": np.zeros(3), "asked": np.zeros(4)},
    exchanged=("moved",),
)
JACOBIAN_RATE = _outward(
    "jacobian_rate", _spot_acceleration_step, ("q", "v", "spot"), {"spot_rate": ("body", 6)}
)
SHIFTS = _outward("shifts", _shift_step, ("q", "v"), {"shift": ("q", 1), "moved": ("body", 6)})
