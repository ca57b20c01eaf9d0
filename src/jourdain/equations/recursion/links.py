"""The tree as the recursion sees it: links with constant data.

The frame of a link is the outboard frame of its joint, so that one constant placement per joint
is enough: the inboard joint frame in the frame of the inboard link.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import casadi as ca
import numpy as np

from jourdain import math
from jourdain.equations.flexible.block import Block, block_of
from jourdain.equations.flexible.deflection import Deflection, deflection_of
from jourdain.equations.joints.motion import Motion, accepts_symbols, split, traced
from jourdain.model.elements import IDENTITY, WORLD, Frame, JointElement
from jourdain.model.flexible.kinds import Elastic, Section
from jourdain.model.joints.joint import Joint
from jourdain.model.model import Model
from jourdain.spatial.parameter import evaluate
from jourdain.topology.tree import Topology, TreeJoint

Pose = tuple[Any, Any]


@dataclass(frozen=True)
class Link:
    """A body with its inboard joint, in regular numbering.

    Parameters
    ----------
    name : str
        Name of the body.
    joint : TreeJoint
        Its inboard joint.
    motion : Motion
        What the joint contributes.
    structure : hashable
        Equal for links that can share compiled code.
    constants : dict
        ``R0, p0`` placement of the inboard joint frame in the inboard link; ``Rb, pb`` pose of the
        body frame in the link frame; ``m, h, J`` mass, first moment and rotational inertia about
        the link's origin; ``armature`` inertias of rotors along its free and then its driven
        velocities; ``slots`` numbers of the joint kind. Numbers, or expressions of
        the parameters.
    block : Block, optional
        How the body deforms along the coordinates of its joint; None for a rigid body.
    deflection : Deflection, optional
        Motion by elastic coordinates, of a section by those of the body inboard; else None.
    """

    name: str
    joint: TreeJoint
    motion: Motion
    structure: Hashable
    constants: Mapping[str, Any]
    block: Block | None = None
    deflection: Deflection | None = None

    @property
    def inboard(self) -> int:
        """Number of the inboard link, 0 for the world."""
        return self.joint.inboard

    @property
    def n_q(self) -> int:
        """Number of free position coordinates."""
        return len(self.motion.free)

    @property
    def n_v(self) -> int:
        """Number of free velocity coordinates."""
        return len(self.motion.free_columns)

    @property
    def is_section(self) -> bool:
        """Whether it is a frame that moves with the elastic coordinates of the body inboard."""
        return self.deflection is not None and self.block is None

    @property
    def is_in_order(self) -> bool:
        """Whether joints inside of a flexible body are where its recursion needs them."""
        is_inside = isinstance(self.joint.joint.kind, Elastic | Section)
        is_free = self.block is not None and not isinstance(self.joint.joint.kind, Elastic)
        return not is_free and not (is_inside and self.joint.reversed)

    @property
    def moved_by(self) -> Motion | Deflection:
        """What moves it relative to the inboard link."""
        return self.motion if self.deflection is None else self.deflection

    @property
    def pattern(self) -> tuple[Any, ...]:
        """Entries 0 and ±1 of `FOLDED` constants, None for all others: they can be folded in."""
        entries = []
        for name in FOLDED:
            value, shape = self.constants[name], self.constant_shapes[name]
            flat_value = [None] * shape[0] * shape[1]
            if isinstance(value, np.ndarray):
                numbers = value.ravel("F").tolist()
                flat_value = [x if x in (0.0, 1.0, -1.0) else None for x in numbers]
            entries.append(tuple(flat_value))
        return tuple(entries)

    @property
    def constant_shapes(self) -> dict[str, tuple[int, int]]:
        """Shapes of all constants, in the order in which they lie one after the other."""
        n = len(self.motion.free_columns) + len(self.motion.driven_columns)
        return {**_SHAPES, "armature": (n, 1), "slots": (len(self.motion.slots), 1)}

    def count(self, listed: str) -> int:
        """Number of its items of ``"q"``, ``"v"``, ``"e"`` (driven) or ``"body"``."""
        return {"q": self.n_q, "v": self.n_v, "e": len(self.motion.driven), "body": 1}[listed]

    def reads(self, listed: str) -> int:
        """Number of items that its step takes; a section takes those of its flexible body."""
        if not self.is_section:
            return self.count(listed)
        own = self.moved_by
        lent = {"q": own.free, "v": own.free_columns, "e": own.driven}
        return len(lent[listed]) if listed in lent else self.count(listed)

    def exchanged_shape(self, name: str) -> tuple[int, int] | None:
        """Shape of what a flexible body and its sections exchange; None for other links."""
        if self.block is None and not self.is_section:
            return None
        n, n_e = self.reads("v"), self.reads("e")
        shapes = {
            "C": (6, n),
            "M": (n, n),
            "Q_d": (n_e, 1),
            "moved": (6 * n, 1),
            "shifted": (3 * n, 1),
        }
        return shapes.get(name, shapes.get(name.partition("_")[0], (n, 1)))


def driven_indices(joint: Any) -> tuple[int, ...]:
    """Indices of the position coordinates of a joint that its drives prescribe."""
    names = list(joint.kind.coordinates)
    return tuple(
        i
        for i, name in enumerate(names)
        if any(name == d or name.startswith(d + ".") for d in joint.driven)
    )


def build_links(
    model: Model, topology: Topology, values: Mapping[str, Any], *, share: bool
) -> tuple[Link, ...]:
    """Describe every tree joint and its outboard body.

    Parameters
    ----------
    model, topology
        What to describe.
    values : mapping
        Parameter values: numbers or symbols.
    share : bool
        True to move numbers of joint kinds and their axes into constants, so that joints of one
        kind share code (looped); False to keep them in the structure (unrolled).
    """
    link_poses: list[Pose] = [(np.eye(3), np.zeros(3))]
    links: list[Link] = []
    for joint in (*topology.tree, *_wheels(model, len(topology.tree))):
        element = joint.joint
        kind, turn = shared_kind(element.kind) if share else (element.kind, None)
        ends = (element.parent, element.child)
        inner, outer = ends[::-1] if joint.reversed else ends
        base = link_poses[joint.inboard]
        R0, p0 = _relative(base, _frame_pose(inner, turn, values))
        own = _frame_pose(outer, turn, values)
        link_poses.append(own)
        driven = driven_indices(element)
        numbers = share and accepts_symbols(kind)
        motion = traced(kind, driven, joint.reversed, numbers)
        slots = [evaluate(x, values) for x in split(kind, numbers)[1]]
        inertia = _inertia_of(model, joint.outboard)
        constants = {"R0": R0, "p0": p0, "slots": math.vector(slots) if slots else np.zeros(0)}
        constants |= dict(zip(("Rb", "pb"), _relative(own, _IDENTITY_POSE), strict=True))
        constants |= _inertia(inertia, constants["Rb"], constants["pb"], values)
        constants["armature"] = _armature(element, motion, values)
        elastic = _elastic_of(model, joint.outboard)
        structure = (split(kind, numbers)[0], driven, joint.reversed, elastic)
        block = None if elastic is None else block_of(elastic, driven)
        deflection = None
        if isinstance(kind, Section):  # moved by the coordinates of the body inboard
            deflection = deflection_of(kind, links[joint.inboard - 1].motion.driven)
        elif isinstance(kind, Elastic):
            deflection = deflection_of(kind, driven)
        links.append(Link(joint.outboard, joint, motion, structure, constants, block, deflection))
    return tuple(links)


def shared_kind(kind: Joint) -> tuple[Joint, Any]:
    """Kind about z for a general axis; kinds about a coordinate axis have plain code already."""
    plain, turn = kind.canonical()
    is_aligned = turn is None or bool(np.all(np.isin(turn, (0.0, 1.0, -1.0))))
    return (kind, None) if is_aligned else (plain, turn)


class Wheel(Joint):
    """How a scalar coordinate enters the recursion: a wheel without mass about a fixed axis.

    Gravity does not see it, and its kinetic energy is half its inertia times the rate squared,
    whatever the unit of the coordinate is.
    """

    unit: str

    @property
    def coordinates(self) -> Mapping[str, str]:
        """The coordinate itself."""
        return {"value": self.unit}

    @property
    def velocities(self) -> Mapping[str, str]:
        """Its rate."""
        return {"rate": f"{self.unit}/s"}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Turn about z."""
        return math.rotation_z(q[0]), (0.0, 0.0, 0.0)


def _wheels(model: Model, n: int) -> Iterator[TreeJoint]:
    for k, c in enumerate(model.coordinates.values(), 1):
        driven = {} if c.driven is None else {"value": c.driven}
        element = JointElement(c.name, Frame(WORLD), Frame(c.name), Wheel(c.unit), driven)
        yield TreeJoint(n + k, c.name, element, 0, c.name, False, False)


def _elastic_of(model: Model, name: str) -> Any:
    return model.bodies[name].elastic if name in model.bodies else None


def _inertia_of(model: Model, name: str) -> Any:
    if name in model.bodies:
        return model.bodies[name].inertia
    rotor = model.coordinates[name].inertia
    moments = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, rotor))
    return SimpleNamespace(mass=0.0, com=(0.0, 0.0, 0.0), moments=moments)


_DUST = 1e-16  # cos(pi/2) and the like; exact zeros fold away
_IDENTITY_POSE: Pose = (np.eye(3), np.zeros(3))


def _frame_pose(frame: Frame, turn: Any, values: Mapping[str, Any]) -> Pose:
    R = np.eye(3) if frame.rotation == IDENTITY else np.array(frame.rotation)
    R = R if turn is None else R @ turn
    p = math.vector(evaluate(frame.position, values))
    return np.where(np.abs(R) < _DUST, 0.0, R), p


def _relative(base: Pose, other: Pose) -> Pose:
    """Pose of ``other`` seen from ``base``."""
    R, p = base
    return R.T @ other[0], R.T @ (other[1] - p)


def _inertia(inertia: Any, Rb: Any, pb: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    mass, com = evaluate(inertia.mass, values), math.vector(evaluate(inertia.com, values))
    J_com = math.matrix(evaluate(inertia.moments, values))
    c = pb + Rb @ com
    h = mass * c
    J = Rb @ J_com @ Rb.T - mass * math.skew(c) @ math.skew(c)
    return {"m": mass, "h": h, "J": J}


def _armature(element: JointElement, motion: Motion, values: Mapping[str, Any]) -> Any:
    """Inertias of rotors along the free velocities, then along the driven ones."""
    names = list(element.kind.velocities)
    places = (*motion.free_columns, *motion.driven_columns)
    found = [evaluate(element.armature.get(names[k], 0.0), values) for k in places]
    return math.vector(found) if found else np.zeros(0)


def flat(constants: Mapping[str, Any]) -> Any:
    """Constants of a link as one column, matrices column by column, in fixed order."""
    parts = [constants[name] for name in (*_SHAPES, "armature", "slots")]
    if any(math.is_symbolic(x) for x in parts):
        return ca.vertcat(*(ca.vec(ca.densify(ca.SX(x))) for x in parts))
    return np.concatenate([np.ravel(x, order="F") for x in parts])


_SHAPES = {
    "R0": (3, 3), "p0": (3, 1), "Rb": (3, 3), "pb": (3, 1), "m": (1, 1), "h": (3, 1), "J": (3, 3),
}  # fmt: skip
FOLDED = ("R0", "p0", "Rb", "pb", "armature")
