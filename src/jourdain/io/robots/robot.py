"""The robot that a file describes, as a part of models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from jourdain.errors import ModelError, unknown_name
from jourdain.io.robots.description import (
    GROUND,
    Coupling,
    Forces,
    Link,
    Outline,
    Place,
    RobotJoint,
)
from jourdain.model.adding import Adding
from jourdain.model.contours import Box, Capsule, Contour, Cylinder, HalfSpace, Polyhedron, Sphere
from jourdain.model.elements import Body, Frame, JointElement
from jourdain.model.joints import Free
from jourdain.model.laws import Damper, Equal, Interval, Spring, Unilateral
from jourdain.model.measures import Coordinate
from jourdain.model.model import Model
from jourdain.model.parts.part import Part
from jourdain.spatial import check
from jourdain.spatial.annotations import Triple
from jourdain.spatial.pose import moved_point, product
from jourdain.spatial.solid import Solid

_STOPS, _FRICTION, _DAMPING, _SPRINGS, _COUPLINGS = (
    "stops",
    "friction",
    "damping",
    "springs",
    "mimic",
)


class Robot(Part):
    """A robot of links and joints. Made by `read_urdf` and `read_mjcf`.

    Ports: ``links`` and ``joints`` (bodies and joints by the names of the file), ``contours``
    (what may touch, by links; for ``model.add_contacts``), ``start`` (start values by full names).

    Parameters
    ----------
    name : str
        Its name in the file.
    links : tuple of Link
        Rigid bodies.
    joints : tuple of RobotJoint
        Joints; they may close loops.
    couplings : tuple of Coupling
        Coordinates that follow others.
    place : Frame or Body, optional
        What it stands on; the world by default.
    gravity : (3,) [m/s^2]
        Gravity that the file gives, for `model`.
    stops : bool
        Whether the limits of joints are stops.
    friction : bool
        Whether joints have the dry friction that the file gives.
    start : mapping of str to number or sequence
        Start values that the file gives, by names of coordinates, without the name of the part.
    notes : tuple of str
        What was approximated, repaired or left out, one sentence each.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[RobotJoint, ...]
    couplings: tuple[Coupling, ...] = ()
    place: Frame | Body | None = None
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    stops: bool = True
    friction: bool = True
    start: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def on(self, place: Frame | Body) -> Robot:
        """Robot that stands on a frame: ``robot.on(cart.at(0, 0, 0.4))``."""
        if not isinstance(place, Frame | Body):
            raise ModelError(
                f"robot {self.name!r} cannot stand on {check.shown(place)}: give a body or a frame."
            )
        return replace(self, place=place)

    def model(self, name: str | None = None, gravity: Triple | None = None) -> Model:
        """Model of the robot alone, in which links and joints have the names of the file."""
        made = Model(name or self.name, self.gravity if gravity is None else gravity)
        self.build(made)
        return made

    def build(self, group: Adding) -> Mapping[str, Any]:
        """Add links, joints and what acts along them."""
        bodies = {x.name: group.add_body(x.name, Solid(x.inertia, x.shapes)) for x in self.links}
        joints = {x.name: self._add_joint(group, bodies, x) for x in self.joints}
        for joint in self.joints:
            self._add_forces(group, joints[joint.name], joint.name, joint.forces)
        if self.couplings:
            mimic = _inner(group, _COUPLINGS, bodies, joints)
            for k in self.couplings:
                measure: Any = Coordinate(_only(joints[k.joint]))
                if k.other is not None:
                    measure = measure - k.ratio * Coordinate(_only(joints[k.other]))
                mimic.add_connection(k.joint, measure, Equal(k.offset))
        start = {group.path(name): value for name, value in self.start.items()}
        contours = Contours(bodies, self.links)
        return {"links": bodies, "joints": joints, "contours": contours, "start": start}

    def __str__(self) -> str:
        counts = (("link", len(self.links)), ("joint", len(self.joints)))
        counted = ", ".join(f"{n} {word}{'s' * (n != 1)}" for word, n in counts)
        rows = [f"robot {self.name!r}: {counted}"]
        return "\n".join([*rows, *(f"  - {note}" for note in self.notes)])

    def _add_joint(
        self, group: Adding, bodies: Mapping[str, Body], joint: RobotJoint
    ) -> JointElement:
        if joint.parent == GROUND:
            parent = _moved(self._ground(), joint.parent_place)
        else:
            parent = _frame(bodies[joint.parent], joint.parent_place)
        child = _frame(bodies[joint.child], joint.child_place)
        rotor = joint.forces.armature
        armature = dict.fromkeys(joint.kind.velocities, rotor) if rotor else None
        return group.add_joint(joint.name, parent, child, joint.kind, armature=armature)

    def _ground(self) -> Frame:
        if self.place is None:
            return Frame("world")
        return self.place.at() if isinstance(self.place, Body) else self.place

    def _add_forces(self, group: Adding, joint: JointElement, name: str, forces: Forces) -> None:
        def coordinate() -> Coordinate:
            return Coordinate(_only(joint))

        around = {x.name for x in self.links} | {x.name for x in self.joints}
        if self.stops:
            stops = _inner(group, _STOPS, around)
            for side, limit in (("lower", forces.lower), ("upper", forces.upper)):
                if limit is not None:
                    law = Unilateral(limit, side="above" if side == "lower" else "below")
                    stops.add_connection(f"{name}_{side}", coordinate(), law)
        if forces.friction and self.friction:
            law_of_friction = Interval(forces.friction)
            _inner(group, _FRICTION, around).add_connection(name, coordinate(), law_of_friction)
        if forces.damping:
            law_of_damping = Damper(forces.damping)
            _inner(group, _DAMPING, around).add_connection(name, coordinate(), law_of_damping)
        if forces.stiffness:
            spring = Spring(forces.stiffness, free=forces.rest)
            _inner(group, _SPRINGS, around).add_connection(name, coordinate(), spring)


def is_free(robot: Robot) -> bool:
    """Whether a robot is not mounted to anything."""
    return any(isinstance(joint.kind, Free) for joint in robot.joints)


def _inner(group: Adding, word: str, *taken: Any) -> Adding:
    """Group inside for what acts along joints, by a name that no link and no joint has."""
    while any(word in names for names in taken):
        word += "_"
    return group.group(word)


def _only(joint: JointElement) -> str:
    (coordinate,) = joint.kind.coordinates
    return f"{joint.name}.{coordinate}"


def _frame(body: Body, place: Place) -> Frame:
    return Frame(body.name, place.position, place.rotation)


def _moved(frame: Frame, place: Place) -> Frame:
    position = moved_point(place.position, frame.position, frame.rotation)
    return Frame(frame.body, position, product(frame.rotation, place.rotation))


class Contours(Mapping[str, tuple[Contour, ...]]):
    """Contours of links, made when they are asked for.

    Parameters
    ----------
    bodies : mapping of str to Body
        Bodies of the model by the names of links.
    links : tuple of Link
        Links with their outlines.
    """

    def __init__(self, bodies: Mapping[str, Body], links: tuple[Link, ...]) -> None:
        self._bodies = bodies
        self._outlines = {x.name: x.outlines for x in links if x.outlines}

    def __getitem__(self, name: str) -> tuple[Contour, ...]:
        """Contours of a link."""
        if name not in self._bodies:
            raise unknown_name("link", name, self._bodies, "the robot")
        found = self._outlines.get(name, ())
        return tuple(_contour(self._bodies[name], outline) for outline in found)

    def __iter__(self) -> Iterator[str]:
        """Names of links that have some."""
        return iter(self._outlines)

    def __len__(self) -> int:
        """Count of links that have some."""
        return len(self._outlines)

    @property
    def all(self) -> list[Contour]:
        """Contours of all links."""
        return [contour for name in self for contour in self[name]]


def _contour(body: Body, outline: Outline) -> Contour:
    frame = _frame(body, outline.place)
    if outline.mesh is not None:
        return Polyhedron(frame, _corners(outline.mesh.points))
    made: Contour = _CONTOURS[outline.kind](frame, outline.size)
    return made


def _corners(points: Any) -> Any:
    """Corners of the convex hull."""
    from scipy.spatial import ConvexHull  # noqa: PLC0415

    return points[ConvexHull(points).vertices]


_CONTOURS: dict[str, Any] = {
    "box": Box,
    "ball": lambda frame, size: Sphere(frame, *size),
    "cylinder": lambda frame, size: Cylinder(frame, *size),
    "capsule": lambda frame, size: Capsule(frame, *size),
    "half_space": lambda frame, size: HalfSpace(frame),
}
