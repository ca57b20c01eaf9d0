"""Energy, momentum and centre of mass, body by body.

T = ½ Vᵀ I V + ½ Σ a v²,   U = −g · (m p_W + R_W h),   [L; P] about the world's origin   (RD-8)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain import math
from jourdain.equations.recursion.kinematics import place, twist
from jourdain.equations.recursion.links import Link
from jourdain.equations.recursion.spatial_algebra import momentum
from jourdain.equations.recursion.sweeps import Recursion, Sweep, driven_rotors


def _balance(link: Link, own: Any, inboard: Any) -> None:
    place(link, own, inboard)
    twist(own, inboard)
    own.gravity = inboard.gravity
    moment = own.m * own.p_W + own.R_W @ own.h
    B = momentum(own, own.V)
    kinetic = 0.5 * math.dot(own.V, B) + _of_rotors(link, own)
    if link.block is not None:
        own_momentum, own_energy = link.block.momentum(own)
        kinetic = kinetic + math.dot(own.V, own_momentum) + own_energy
        B = B + own_momentum
    own.energy = math.concatenate(kinetic, -math.dot(own.gravity, moment))
    linear = own.R_W @ B[3:]
    own.momentum = math.concatenate(own.R_W @ B[:3] + math.cross(own.p_W, linear), linear)
    own.moment = math.concatenate(own.m, moment)


def _of_rotors(link: Link, own: Any) -> Any:
    """Kinetic energy of the armatures, those of driven velocities too."""
    free = [(own.armature[k], own.v[k]) for k in range(link.n_v)]
    driven = [(a, v) for a, v, _ in driven_rotors(link, own)]
    return 0.5 * sum(a * v * v for a, v in (*free, *driven))


def _ground(gravity: Any) -> dict[str, Any]:
    return {
        "R_W": np.eye(3), "p_W": np.zeros(3), "V": np.zeros(6), "gravity": math.vector(gravity),
    }  # fmt: skip


BALANCE = Recursion(
    "balance",
    (Sweep(_balance),),
    ("q", "v"),
    {"energy": ("body", 2), "momentum": ("body", 6), "moment": ("body", 4)},
    _ground,
)


def _outward(link: Link, own: Any, inboard: Any) -> None:
    place(link, own, inboard)
    own.outboard = math.concatenate(own.m, own.m * own.p_W + own.R_W @ own.h)
    if link.block is not None and link.n_v:
        own.shifted = math.concatenate(*(own.R_W @ own.C[3:, k] for k in range(link.n_v)))


def _inward(link: Link, own: Any, inboard: Any) -> None:
    """What a joint rate moves: everything outboard of it."""
    inboard.outboard = inboard.outboard + own.outboard
    mass, moment = own.outboard[0], own.outboard[1:]
    columns = []
    for k in range(own.S.shape[1]):
        w, v = own.R_W @ own.S[:3, k], own.R_W @ own.S[3:, k]
        columns.append(mass * v + math.cross(w, moment - mass * own.p_W))
    own.columns = math.concatenate(*columns) if columns else np.zeros(0)
    if link.block is not None and link.n_v:
        own.columns = own.columns + own.shifted
    if link.is_section and own.S.shape[1]:
        inboard.shifted, own.columns = inboard.shifted + own.columns, np.zeros(0)


MOMENT_COLUMNS = Recursion(
    "moment_columns",
    (Sweep(_outward), Sweep(_inward, is_outward=False)),
    ("q",),
    {"columns": ("v", 3)},
    lambda _: {"R_W": np.eye(3), "p_W": np.zeros(3), "outboard": np.zeros(4)},
    exchanged=("shifted",),
)
