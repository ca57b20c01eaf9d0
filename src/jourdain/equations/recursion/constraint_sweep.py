"""What constraint rows ask of a tree, in one recursion that can run as a loop.

At zero accelerations: motion of the bodies and the forces h that keep it so. Besides, for every
velocity coordinate k the mode vector [w; u] at the origin p of its link, and the momentum
[n; f] about p that it gives to all that it carries, in world components, so that

    M_ki = w_i · n_k + (u_i + w_i × (p_k − p_i)) · f_k + a_k δ_ki                 (CD-5)

The armature a_k follows the momentum.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain import math
from jourdain.equations.recursion.articulated_body import gyroscopic, wrench_on_link
from jourdain.equations.recursion.composite_body import (
    begin_composite,
    composite,
    gather,
    weightless,
)
from jourdain.equations.recursion.kinematics import (
    place,
    twist,
    world_acceleration,
    world_columns,
    world_pose,
    world_twist,
)
from jourdain.equations.recursion.links import Link
from jourdain.equations.recursion.spatial_algebra import (
    cross_twist,
    momentum,
    to_inboard,
    to_outboard,
)
from jourdain.equations.recursion.sweeps import Recursion, Sweep


def _place(link: Link, own: Any, inboard: Any) -> None:
    place(link, own, inboard)
    twist(own, inboard)
    own.pose, own.twist = world_pose(own), world_twist(own)
    own.columns = world_columns(link, own)
    begin_composite(link, own)


def _outward(link: Link, own: Any, inboard: Any) -> None:
    _place(link, own, inboard)
    own.A = to_outboard(own, inboard.A) + own.c + cross_twist(own.V, own.G)
    own.acceleration = world_acceleration(own, own.pb)
    own.gravity = inboard.gravity
    own.w = own.V[:3]
    a = own.A[3:] + math.cross(own.w, own.V[3:]) - own.R_W.T @ own.gravity
    own.F = momentum(own, math.concatenate(own.A[:3], a)) + gyroscopic(own)


def _outward_loaded(link: Link, own: Any, inboard: Any) -> None:
    _outward(link, own, inboard)
    own.F = own.F - wrench_on_link(own)


def _inward(link: Link, own: Any, inboard: Any) -> None:
    own.bias = own.S.T @ own.F if link.n_v else np.zeros(0)
    inboard.F = inboard.F + to_inboard(own, own.F)
    _gather(link, own, inboard)


def _gather(link: Link, own: Any, inboard: Any) -> None:
    momenta = []
    for k in range(link.n_v):
        F = momentum(composite(own), own.S[:, k])
        momenta.append(math.concatenate(own.R_W @ F[:3], own.R_W @ F[3:], own.armature[k]))
    own.momenta = math.concatenate(*momenta) if momenta else np.zeros(0)
    gather(link, own, inboard)


def _placed_ground(gravity: Any) -> dict[str, Any]:
    return {"R_W": np.eye(3), "p_W": np.zeros(3), "V": np.zeros(6)} | weightless()


def _ground(gravity: Any) -> dict[str, Any]:
    forces = {"A": np.zeros(6), "F": np.zeros(6), "gravity": math.vector(gravity)}
    return _placed_ground(gravity) | forces


_PLACED: dict[str, tuple[str, int | str]] = {
    "pose": ("body", 16), "twist": ("body", 6), "columns": ("v", 9), "momenta": ("v", 7),
}  # fmt: skip
_OUTPUTS = _PLACED | {"qdot": ("q", 1), "acceleration": ("body", 6), "bias": ("v", 1)}

PLACED = Recursion(  # as `CONSTRAINT_SWEEP`, without accelerations and forces
    "placed",
    (Sweep(_place), Sweep(_gather, is_outward=False)),
    ("q", "v"),
    _PLACED,
    _placed_ground,
)
CONSTRAINT_SWEEP = Recursion(
    "carried", (Sweep(_outward), Sweep(_inward, is_outward=False)), ("q", "v"), _OUTPUTS, _ground
)
LOADED_CONSTRAINT_SWEEP = Recursion(
    "carried_loaded",
    (Sweep(_outward_loaded), Sweep(_inward, is_outward=False)),
    ("q", "v", "wrench"),
    _OUTPUTS,
    _ground,
)
