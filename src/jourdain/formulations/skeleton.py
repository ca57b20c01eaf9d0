"""A system as bodies, joint frames and hinges in plain numbers, straight from its model.

Nothing here comes from the links of the recursion: frames, inertias and directions are read from
the elements as the user wrote them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations.flexible.deflection import Deflection, deflection_of
from jourdain.equations.joints.motion import Motion, split, traced
from jourdain.equations.recursion.links import driven_indices
from jourdain.errors import ModelError
from jourdain.formulations.deforming import Deformed
from jourdain.formulations.hinge import Hinge, HingeMotion, hinge
from jourdain.model.elements import Frame
from jourdain.model.flexible.kinds import Elastic, Section
from jourdain.model.flexible.solid import FlexibleSolid
from jourdain.spatial.parameter import evaluate
from jourdain.system.system import System
from jourdain.topology.matrices import TreeMatrices


@dataclass(frozen=True)
class Place:
    """Frame on a body: orientation (3, 3) and position (3,) [m] in the frame of the body."""

    rotation: Any
    position: Any


@dataclass(frozen=True)
class Segment:
    """A body with the joint that carries it.

    Parameters
    ----------
    name : str
        Name of the body.
    inboard : int
        Number of the inboard body; 0 is world.
    is_reversed : bool
        Whether the user's child is the inboard body.
    parent, child : Place
        The user's joint frames on their bodies.
    mass : float [kg]
        Mass.
    com : (3,) [m]
        Centre of mass in the body frame.
    moments : (3, 3) [kg m^2]
        Inertia about the centre of mass in body axes.
    hinge : Hinge
        The joint kind.
    slots : (n,)
        Parameter values in the fields of the kind.
    q, e : slice
        Places of its free and driven coordinates.
    v : (n_v,) of int
        Places of its free velocities; of a section those of the flexible body that it is on.
    solid : FlexibleSolid, optional
        What it is made of, if it is flexible.
    is_section : bool
        Whether it is a frame on the flexible body inboard.
    """

    name: str
    inboard: int
    is_reversed: bool
    parent: Place
    child: Place
    mass: float
    com: Any
    moments: Any
    hinge: Hinge
    slots: Any
    q: slice
    e: slice
    v: Any
    solid: FlexibleSolid | None = None
    is_section: bool = False

    @property
    def inner(self) -> Place:
        """Joint frame on the inboard body."""
        return self.child if self.is_reversed else self.parent

    @property
    def outer(self) -> Place:
        """Joint frame on the body itself."""
        return self.parent if self.is_reversed else self.child


class Skeleton:
    """All segments of a system for given parameters.

    Parameters
    ----------
    system : System
        The compiled system.
    parameters : mapping or (n_p,), optional
        Parameter values that differ from the nominal ones.
    """

    def __init__(self, system: System, parameters: Any = None) -> None:
        p = system.parameter_array(parameters)
        self.values = dict(zip(system.names.parameters, p.tolist(), strict=True))
        self.system, self.p = system, p
        self.description = system.description

    @cached_property
    def matrices(self) -> TreeMatrices:
        """Path, location and tree matrices."""
        return self.system.topology.matrices

    @cached_property
    def gravity(self) -> Any:
        """Gravity (3,) [m/s^2]."""
        return np.array(evaluate(self.system.model.gravity, self.values), dtype=float)

    @property
    def n_v(self) -> int:
        """Number of velocity coordinates."""
        return self.description.n_v

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """Bodies in regular numbering."""
        return tuple(self._segment(k) for k in range(len(self.system.topology.tree)))

    def _segment(self, k: int) -> Segment:
        joint, layout = self.system.topology.tree[k], self.description.layout
        element, driven = joint.joint, driven_indices(joint.joint)
        motion = traced(element.kind, driven, False, False)
        body = self.system.model.bodies[joint.outboard]
        inertia, owner = body.inertia, k
        slots = [evaluate(x, self.values) for x in split(element.kind, False)[1]]
        moved: Motion | Deflection = motion
        if isinstance(element.kind, Section):  # moved by the coordinates of the body inboard
            owner = joint.inboard - 1
            driven = driven_indices(self.system.topology.tree[owner].joint)
        if isinstance(element.kind, Elastic | Section):
            moved = deflection_of(element.kind, driven) or motion
        q, e, v = layout.q_start[owner], layout.e_start[owner], layout.v_start[owner]
        return Segment(
            joint.outboard,
            joint.inboard,
            joint.reversed,
            self.place(element.parent),
            self.place(element.child),
            float(evaluate(inertia.mass, self.values)),
            np.array(evaluate(inertia.com, self.values), dtype=float),
            np.array(evaluate(inertia.moments, self.values), dtype=float),
            hinge(moved),
            np.array(slots, dtype=float),
            slice(q, q + len(moved.free)),
            slice(e, e + len(driven)),
            np.arange(v, v + len(moved.free_columns)),
            body.elastic,
            isinstance(element.kind, Section),
        )

    def place(self, frame: Frame) -> Place:
        """Frame for the given parameters."""
        position = np.array(evaluate(frame.position, self.values), dtype=float)
        return Place(np.array(frame.rotation, dtype=float), position)

    @cached_property
    def rotors(self) -> Any:
        """Inertia (n_v,) beside that of bodies: of scalar coordinates, and armatures of joints."""
        return self.scalar_inertias + self.armatures

    @cached_property
    def armatures(self) -> Any:
        """Armature (n_v,) of the free velocities of joints; zero for scalar coordinates."""
        armatures = np.zeros(self.n_v)
        for s, joint in zip(self.segments, self.system.topology.tree, strict=True):
            element = joint.joint
            if isinstance(element.kind, Section):
                continue
            motion = traced(element.kind, driven_indices(element), False, False)
            names = list(element.kind.velocities)
            given = [element.armature.get(names[k], 0.0) for k in motion.free_columns]
            armatures[s.v] = [float(evaluate(x, self.values)) for x in given]
        return armatures

    @cached_property
    def scalar_inertias(self) -> Any:
        """Inertia (n_v,) of scalar coordinates; zero for the velocities of joints."""
        rotors = np.zeros(self.n_v)
        scalars = self.system.model.coordinates.values()
        starts = self.description.layout.v_start[len(self.segments) :]
        for scalar, start in zip(scalars, starts, strict=True):
            if scalar.driven is None:
                rotors[start] = evaluate(scalar.inertia, self.values)
        return rotors

    @cached_property
    def rows(self) -> list[int]:
        """Indices of the segments in the order in which joints are listed in loads."""
        return [i for i in self.description.order if i < len(self.segments)]

    def wrenches(self, wrenches: Any) -> Any:
        """External loads [torque; force] (n, 6) at the body frames by segment, world components."""
        n = len(self.segments)
        if wrenches is None:
            return np.zeros((n, 6))
        bodies = self.system.names.bodies
        loads = self._checked("wrenches", wrenches, (n, 6))
        return loads[[bodies.index(segment.name) for segment in self.segments]]

    def move(self, q: Any, v: Any, t: float) -> Posture:
        """Evaluate all hinges and chain the poses of all bodies."""
        d = self.description
        q = self._checked("q", q, (len(d.names.q),))
        v = self._checked("v", v, (d.n_v,))
        e = self.drives(t)
        hinges = tuple(s.hinge(s.slots, q[s.q], v[s.v], float(t), e[:, s.e]) for s in self.segments)
        return Posture(self.segments, hinges, tuple(self.deformed(q, v, t)))

    def deformed(self, q: Any, v: Any, t: float) -> Iterator[Deformed]:
        """Flexible bodies at a state."""
        e = self.drives(t)
        for k, s in enumerate(self.segments):
            if s.solid is None:
                continue
            driven = list(driven_indices(self.system.topology.tree[k].joint))
            free = [i for i in range(s.solid.n) if i not in driven]
            E = np.zeros((s.solid.n, self.n_v))
            E[free, s.v] = 1.0
            d, rate, known = np.zeros((3, s.solid.n))
            d[free], rate[free] = q[s.q], v[s.v]
            d[driven], rate[driven], known[driven] = e[:, s.e]
            yield Deformed(k, s.name, s.solid, d, rate, known, E)

    def drives(self, t: float) -> Any:
        """Driven coordinates with first and second rates (3, n_e)."""
        d = self.description
        drives = d.drives(t, self.p) if d.drives else (np.zeros(0),) * 3
        return np.array([np.array(x).reshape(-1) for x in drives])

    def velocities(self, name: str, value: Any) -> Any:
        """Check an array of velocities, accelerations or forces of one state."""
        return self._checked(name, value, (self.n_v,))

    def _checked(self, name: str, value: Any, shape: tuple[int, ...]) -> Any:
        array = np.asarray(value, dtype=float)
        if array.shape != shape:
            raise ModelError(
                f"{name} has the shape {array.shape}, but formulations other than Recursive take "
                f"one state at a time: give {shape}. Loop over batches."
            )
        return array


class Posture:
    """Hinges at one state and the poses of all bodies.

    Parameters
    ----------
    segments : tuple of Segment
        The tree.
    hinges : tuple of HingeMotion
        Motion of the user's child frames in their parent frames.
    deformed : tuple of Deformed
        Flexible bodies.
    """

    def __init__(
        self,
        segments: tuple[Segment, ...],
        hinges: tuple[HingeMotion, ...],
        deformed: tuple[Deformed, ...],
    ) -> None:
        self.segments, self.hinges, self.deformed = segments, hinges, deformed

    @cached_property
    def outward(self) -> tuple[HingeMotion, ...]:
        """Motion of the outer joint frames in the inner ones."""
        return tuple(
            h.inverse() if s.is_reversed else h
            for s, h in zip(self.segments, self.hinges, strict=True)
        )

    @cached_property
    def bodies(self) -> tuple[Any, Any]:
        """Orientations (n + 1, 3, 3) and positions (n + 1, 3) of the body frames, world first.

        R = R_in B C Bᵀ,  p = p_in + b_in + c − b   (Sol F42, F43)
        """
        n = len(self.segments)
        R, p = np.zeros((n + 1, 3, 3)), np.zeros((n + 1, 3))
        R[0] = np.eye(3)
        for k, (s, h) in enumerate(zip(self.segments, self.outward, strict=True), 1):
            base = R[s.inboard] @ s.inner.rotation
            R[k] = base @ h.R @ s.outer.rotation.T
            arm = R[s.inboard] @ s.inner.position + base @ h.r
            p[k] = p[s.inboard] + arm - R[k] @ s.outer.position
        return R, p
