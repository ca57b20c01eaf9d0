"""Joints as rows on the absolute velocities of the bodies, with their coordinates.

With G = A dz/dt the relative velocity of the joint's frames (AG-1),

    v = ψᵀ (A dz/dt − excited),   dv/dt = ψᵀ (A d²z/dt² − γ + a)               (AG-6)
    dq/dt = Y₁ v + Y₂

for joints of the tree and for cut ones alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations.joints.drives import drives_of
from jourdain.equations.joints.motion import Motion, split, traced
from jourdain.equations.recursion.links import driven_indices
from jourdain.formulations.descriptor import Descriptor, Ends
from jourdain.formulations.hinge import Hinge, HingeMotion, hinge
from jourdain.formulations.skeleton import Posture, Skeleton
from jourdain.model.elements import JointElement
from jourdain.spatial.parameter import evaluate


@dataclass(frozen=True)
class CoordinateRow:
    """A coordinate of a joint: value, rate, second rate at d²z/dt² = 0, and dċ/dż (6n,)."""

    value: float
    rate: float
    second: float
    row: Any


@dataclass(frozen=True)
class JointRows:
    """A joint at one state.

    Parameters
    ----------
    element : JointElement
        The joint.
    motion : Motion
        Its kind, traced.
    hinge : Hinge
        Its kind, ready to be differentiated.
    state : tuple
        Parameter values of the kind, q, v, t and drives of the joint.
    moved : HingeMotion
        Motion of its child frame in its parent frame.
    A : (6, 6n)
        Relative velocity from absolute ones.
    bias : (6,)
        γ − a.
    """

    element: JointElement
    motion: Motion
    hinge: Hinge
    state: tuple[Any, ...]
    moved: HingeMotion
    A: Any
    bias: Any

    @cached_property
    def dual(self) -> Any:
        """Duals ψᵀ (n_v, 6) of the free modes."""
        return np.linalg.pinv(self.moved.modes)

    @cached_property
    def locked(self) -> Any:
        """Orthonormal basis (6, 6 − n_v) of what the free modes leave."""
        modes = self.moved.modes
        return np.linalg.qr(modes, mode="complete")[0][:, modes.shape[1] :]

    def coordinates(self) -> Iterator[tuple[str, CoordinateRow]]:
        """Yield all coordinates by name, driven ones too (AG-6)."""
        rates, Y, second = self.hinge.coordinate_rates(*self.state)
        rows, seconds = Y @ self.dual @ self.A, second - Y @ (self.dual @ self.bias)
        _, q, _, _, drives = self.state
        names = [f"{self.element.name}.{name}" for name in self.element.kind.coordinates]
        for k, place in enumerate(self.motion.free):
            yield names[place], CoordinateRow(q[k], rates[k], seconds[k], rows[k])
        for k, place in enumerate(self.motion.driven):
            e, e1, e2 = drives[:, k]
            yield names[place], CoordinateRow(e, e1, e2, np.zeros(self.A.shape[1]))


def tree_rows(
    skeleton: Skeleton, posture: Posture, d: Descriptor, q: Any, v: Any, t: float
) -> Iterator[JointRows]:
    """Yield the joints of the tree, automatic ones too; not those inside of flexible bodies."""
    e, bias = skeleton.drives(t), d.relative_bias[: d.n_twists].reshape(-1, 6)
    for k, s in enumerate(posture.segments):
        element = skeleton.system.topology.tree[k].joint
        if s.is_section or s.solid is not None:
            continue  # elastic coordinates are absolute ones
        motion = traced(element.kind, driven_indices(element), False, False)
        state = s.slots, q[s.q], v[s.v], t, e[:, s.e]
        A = d.A[6 * k : 6 * k + 6]
        yield JointRows(element, motion, s.hinge, state, posture.hinges[k], A, bias[k])


def cut_rows(
    skeleton: Skeleton, posture: Posture, d: Descriptor, q: Any, t: float
) -> Iterator[JointRows]:
    """Yield the cut joints; their velocities follow from those of the bodies (AG-6)."""
    topology, start = skeleton.system.topology, skeleton.system.description.n_q
    for element in topology.cuts:
        driven = driven_indices(element)
        motion = traced(element.kind, driven, False, False)
        kind, own = hinge(motion), q[start : start + len(motion.free)]
        start += len(motion.free)
        slots = np.array([evaluate(x, skeleton.values) for x in split(element.kind, False)[1]])
        e = drives_of(element, motion, skeleton.values, t)
        parent, child = element.parent, element.child
        a, b = topology.number[parent.body], topology.number[child.body]
        ends = Ends.of(skeleton.place(parent), skeleton.place(child), a, b, posture.bodies)
        A, slots = ends.rows(d.size), slots.astype(float)
        still = kind(slots, own, np.zeros(len(motion.free_columns)), t, e)
        v = np.linalg.pinv(still.modes) @ (A @ d.z_dot - still.excited)
        moved = kind(slots, own, v, t, e)
        state = slots, own, v, t, e
        yield JointRows(element, motion, kind, state, moved, A, ends.bias(moved, d.twists))
