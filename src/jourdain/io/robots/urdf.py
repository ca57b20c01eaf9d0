"""URDF files: robots as trees of links and joints, read into a part of models."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np

from jourdain.errors import FormatError, did_you_mean
from jourdain.io.robots.choices import check_choice
from jourdain.io.robots.description import (
    GROUND,
    Coupling,
    Forces,
    Link,
    Outline,
    Place,
    RobotJoint,
)
from jourdain.io.robots.inertias import REPAIR, STRICT, inertia_of
from jourdain.io.robots.limits import start_within, with_common_limits
from jourdain.io.robots.meshes import Meshes
from jourdain.io.robots.names import Names
from jourdain.io.robots.places import axis_word, origin, place_of
from jourdain.io.robots.robot import Robot
from jourdain.io.robots.xml import Node, read_xml
from jourdain.model.joints import Fixed, Free, Planar, Prismatic, Revolute, Spherical
from jourdain.model.joints.joint import Joint
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.pose import product, transpose
from jourdain.spatial.solid import Shape

_MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_BASES = ("fixed", "free")
_KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
_TURNING, _SLIDING = ("revolute", "continuous"), ("prismatic",)


def read_urdf(
    path: str | os.PathLike[str],
    base: Literal["fixed", "free"] = "fixed",
    *,
    inertia: Literal["strict", "repair"] = "strict",
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
    stops: bool = True,
    friction: bool = True,
) -> Robot:
    """Read a robot from a URDF file.

    Parameters
    ----------
    path : str or path
        The file.
    base : {"fixed", "free"}
        Whether the root link stands on the ground (or on what ``robot.on(...)`` names) or moves
        freely. A root link called ``world`` is the ground itself.
    inertia : {"strict", "repair"}
        Whether moments of inertia that no body can have are refused, or replaced by the nearest
        possible ones, with a note in ``robot.notes``.
    packages : mapping of str to path, optional
        Folders of packages, for meshes by ``package://name/path``. Folders above the file are
        found by themselves.
    stops, friction : bool
        Whether limits of joints are stops, and whether dry friction acts.

    Returns
    -------
    Robot
        A part: ``model.add("arm", robot)``; or ``robot.model()`` for the robot alone.

    Raises
    ------
    FormatError
        If the file cannot be read or does not describe a robot.

    Notes
    -----
    Damping, friction, limits, mimic joints, meshes and colours are read. Limits of effort and
    speed, transmissions, sensors, calibration and what simulators add are passed over. Loops are
    closed by an extension, ``<loop_joint name type><link1 link xyz rpy/><link2 link xyz rpy/>
    <axis/></loop_joint>``, whose types are those of joints and ``ball``.
    """
    check_choice("base", base, _BASES)
    check_choice("inertia", inertia, (STRICT, REPAIR))
    top = read_xml(path, "robot")
    folders = {name: Path(folder) for name, folder in (packages or {}).items()}
    return _Reader(top, Path(path), inertia, folders).robot(base, stops, friction)


class _Reader:
    """Reads one file."""

    def __init__(self, top: Node, path: Path, how: str, packages: Mapping[str, Path]) -> None:
        self.top, self.how, self.notes = top, how, list[str]()
        self.meshes = Meshes(path, packages, self.notes)
        self.colours = {
            node.get("name"): _colour(node) for node in top.all("material") if _colour(node)
        }
        self.links = _by_name(top, "link")
        self.joints = _by_name(top, "joint")
        self.names = {word: Names(self.notes, word) for word in ("link", "joint")}
        if not self.links:
            raise top.wrong("has no links")

    def robot(self, base: str, stops: bool, friction: bool) -> Robot:
        root = self._root()
        is_ground = root == "world" and not self.links[root].first("inertial")
        if is_ground:
            self.names["link"].take(root, GROUND)
        links = [self._link(x) for n, x in self.links.items() if not (is_ground and n == root)]
        joints = [self._joint(node) for node in self.joints.values()]
        joints += [self._loop(node) for node in self.top.all("loop_joint")]
        if is_ground:
            joints = [_on_ground(joint) for joint in joints]
            if base == "free":
                raise self.top.wrong(
                    "has the root link 'world', which is the ground: it cannot move freely. "
                    'Next: base="fixed", and a joint of type "floating" in the file'
                )
        else:
            kind: Joint = Fixed() if base == "fixed" else Free()
            name = self.names["joint"].of("base")
            joints.insert(0, RobotJoint(name, kind, GROUND, self.names["link"].of(root)))
        couplings = self._couplings()
        joints = with_common_limits(joints, couplings)
        name = self.top.get("name") or self.meshes.file.stem
        return Robot(
            Names.cleaned(name),
            tuple(links),
            tuple(joints),
            tuple(couplings),
            stops=stops,
            friction=friction,
            start=start_within(joints, couplings) if stops else {},
            notes=tuple(self.notes),
        )

    def _root(self) -> str:
        """Name of the link that is nobody's child."""
        parents: dict[str, str] = {}
        for name, node in self.joints.items():
            ends = [self._end(node, word) for word in ("parent", "child")]
            if ends[1] in parents:
                raise node.wrong(
                    f"has the child {ends[1]!r}, which joint {parents[ends[1]]!r} has too: links "
                    "and joints make a tree. Next: close the loop by a <loop_joint>"
                )
            parents[ends[1]] = name
        roots = [name for name in self.links if name not in parents]
        if not roots:
            raise self.top.wrong("has no root: every link is the child of a joint")
        if len(roots) > 1:
            listed = ", ".join(map(repr, roots[:6]))
            raise self.top.wrong(
                f"has {len(roots)} links that are no joint's child ({listed}): a robot has one root"
            )
        return roots[0]

    def _end(self, node: Node, word: str) -> str:
        end = node.first(word)
        if end is None:
            raise node.wrong(f"lacks its <{word} link=…/>")
        link = end.needs("link")
        if link not in self.links:
            hint = did_you_mean(link, self.links).rstrip(".")
            raise node.wrong(f"has the {word} {link!r}, which is no link.{hint}")
        return link

    def _link(self, node: Node) -> Link:
        shapes = [s for x in node.all("visual") for s in self._visual(x)]
        outlines = [o for x in node.all("collision") for o in self._outline(x)]
        inertia = self._inertia(node)
        name = self.names["link"].of(node.get("name"))
        return Link(name, inertia, tuple(shapes), tuple(outlines))

    def _inertia(self, node: Node) -> Inertia:
        given = node.first("inertial")
        if given is None:
            return Inertia(0.0)
        mass, moments = given.first("mass"), given.first("inertia")
        self._note_missing(node.get("name"), mass, moments)
        m = 0.0 if mass is None else mass.number("value")
        J = np.zeros((3, 3))
        for key in _MOMENTS if moments is not None else ():
            i, k = "xyz".index(key[1]), "xyz".index(key[2])
            J[i, k] = J[k, i] = moments.number(key, 0.0)  # type: ignore[union-attr]
        place = origin(given.first("origin"))
        J = np.array(
            product(
                product(place.rotation, tuple(map(tuple, J.tolist()))), transpose(place.rotation)
            )
        )
        made, note = inertia_of(node, m, place.position, J, self.how)
        self.notes += [note] if note else []
        return made

    def _note_missing(self, name: str, mass: Node | None, moments: Node | None) -> None:
        """Say what an inertial should have and has not; products of inertia may be left out."""
        missing = [] if mass is not None else ["mass"]
        given = moments.attributes if moments is not None else ("ixx", "iyy", "izz")
        missing += [key for key in ("ixx", "iyy", "izz") if key not in given]
        if missing:
            self.notes.append(f"link {name!r}: its <inertial> lacks {', '.join(missing)}: zero")

    def _visual(self, node: Node) -> list[Shape]:
        found = self._geometry(node)
        if found is None:
            return []
        kind, size, place, mesh = found
        material = node.first("material")
        colour = None
        if material is not None:
            colour = _colour(material) or self.colours.get(material.get("name"))
        if kind == "capsule":
            radius, length = size
            ends = [
                Shape("ball", (radius,), moved, place.rotation, colour=colour)
                for moved in _ends(place, length)
            ]
            return [Shape("cylinder", size, place.position, place.rotation, colour=colour), *ends]
        return [Shape(kind, size, place.position, place.rotation, mesh, colour)]

    def _outline(self, node: Node) -> list[Outline]:
        found = self._geometry(node)
        return [] if found is None else [Outline(*found)]

    def _geometry(self, node: Node) -> tuple[str, tuple[float, ...], Place, Any] | None:
        geometry, place = node.first("geometry"), origin(node.first("origin"))
        if geometry is None or not geometry.children:
            raise node.wrong("lacks its <geometry> with a box, cylinder, sphere, capsule or mesh")
        shape = geometry.children[0]
        if shape.tag == "box":
            return "box", _positive(shape, shape.numbers("size", 3)), place, None
        if shape.tag == "sphere":
            return "ball", _positive(shape, (shape.number("radius"),)), place, None
        if shape.tag in ("cylinder", "capsule"):
            size = shape.number("radius"), shape.number("length")
            return shape.tag, _positive(shape, size), place, None
        if shape.tag == "mesh":
            scale = shape.numbers("scale", 3, (1.0, 1.0, 1.0))
            mesh = self.meshes.surface(shape.needs("filename"), scale)
            return None if mesh is None else ("mesh", (), place, mesh)
        self.notes.append(f"a <{shape.tag}> of line {shape.line} is passed over")
        return None

    def _kind(self, node: Node, types: tuple[str, ...]) -> Joint:
        word = node.needs("type")
        if word not in types:
            raise node.wrong(
                f"has the type {word[:40]!r}: known are {', '.join(types)}."
                f"{did_you_mean(word, types)}".rstrip(".")
            )
        if word == "fixed":
            return Fixed()
        if word == "floating":
            return Free()
        if word == "ball":
            return Spherical()
        axis = _axis(node)
        if word == "planar":
            return Planar(axis)
        return Revolute(axis) if word in _TURNING else Prismatic(axis)

    def _joint(self, node: Node) -> RobotJoint:
        kind = self._kind(node, _KINDS)
        of = self.names["link"].of
        parent, child = (of(self._end(node, word)) for word in ("parent", "child"))
        name = self.names["joint"].of(node.get("name"))
        forces = self._forces(node, kind)
        return RobotJoint(name, kind, parent, child, origin(node.first("origin")), Place(), forces)

    def _forces(self, node: Node, kind: Joint) -> Forces:
        if not isinstance(kind, Revolute | Prismatic):
            return Forces()
        dynamics, limit = node.first("dynamics"), node.first("limit")
        lower = upper = None
        if node.get("type") != "continuous" and limit is not None:
            lower, upper = limit.number("lower", 0.0), limit.number("upper", 0.0)
            if lower >= upper:
                self.notes.append(
                    f"joint {node.get('name')!r}: its limits {lower:g} and {upper:g} leave no room "
                    "and are left out"
                )
                lower = upper = None
        damping, friction = (
            0.0 if dynamics is None else dynamics.number(word, 0.0)
            for word in ("damping", "friction")
        )
        if min(damping, friction) < 0.0:
            raise node.wrong(f"has damping {damping:g} and friction {friction:g}: none is below 0")
        return Forces(lower, upper, damping, friction)

    def _loop(self, node: Node) -> RobotJoint:
        kind = self._kind(node, (*_KINDS, "ball"))
        ends = []
        for word in ("link1", "link2"):
            end = node.first(word)
            if end is None or end.get("link") not in self.links:
                raise node.wrong(f"needs <{word} link=…/> with the name of a link")
            ends.append(end)
        parent, child = (self.names["link"].of(end.get("link")) for end in ends)
        name = self.names["joint"].of(node.needs("name"))
        return RobotJoint(name, kind, parent, child, origin(ends[0]), origin(ends[1]))

    def _couplings(self) -> list[Coupling]:
        found = []
        for node in self.joints.values():
            mimic = node.first("mimic")
            if mimic is None:
                continue
            other = mimic.needs("joint")
            leader = self.joints.get(other)
            if leader is None:
                hint = did_you_mean(other, self.joints).rstrip(".")
                raise node.wrong(f"mimics {other!r}, which is no joint.{hint}")
            self._require_leader(node)
            factor, offset = mimic.number("multiplier", 1.0), mimic.number("offset", 0.0)
            followed = self._moving(leader)
            if self._moving(node):
                found.append(Coupling(self._moving(node), followed or None, factor, offset))
            else:
                self.notes.append(f"joint {node.get('name')!r} has no coordinate that could mimic")
        return found

    def _require_leader(self, node: Node) -> None:
        """Refuse a joint that follows itself, by way of others or not."""
        seen, other = [node.get("name")], node
        while (mimic := other.first("mimic")) is not None and mimic.get("joint") in self.joints:
            other = self.joints[mimic.get("joint")]
            if other.get("name") in seen:
                chain = " - ".join([*seen, other.get("name")])
                raise node.wrong(f"follows itself: {chain}. One of them has to lead")
            seen.append(other.get("name"))

    def _moving(self, node: Node) -> str:
        """Name of a joint of one coordinate; empty for others."""
        has_one = node.get("type") in (*_TURNING, *_SLIDING)
        return self.names["joint"].of(node.get("name")) if has_one else ""


def _by_name(top: Node, tag: str) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for node in top.all(tag):
        name = node.needs("name")
        if name in found:
            raise node.wrong(f"stands in line {found[name].line} already: names are different")
        found[name] = node
    return found


def _colour(material: Node) -> tuple[float, ...] | None:
    colour = material.first("color")
    if colour is None:
        return None
    return tuple(min(max(x, 0.0), 1.0) for x in colour.numbers("rgba", 4))


def _axis(node: Node) -> Any:
    given = node.first("axis")
    xyz = np.array((1.0, 0.0, 0.0) if given is None else given.numbers("xyz", 3, (1, 0, 0)))
    length = float(np.linalg.norm(xyz))
    if length < 1e-9:
        raise node.wrong("has an axis of length zero. Give a direction, such as xyz='0 0 1'")
    return axis_word(xyz / length)


def _positive(node: Node, sizes: tuple[float, ...]) -> tuple[float, ...]:
    if min(sizes) < 0.0 or (node.tag != "box" and sizes[0] == 0.0):
        raise node.wrong(f"has the sizes {', '.join(f'{x:g}' for x in sizes)}: lengths are above 0")
    return sizes


def _ends(place: Place, length: float) -> list[Any]:
    axis = np.array(place.rotation, dtype=float)[:, 2]
    middle = np.array(place.position)
    places = (middle + s * 0.5 * length * axis for s in (-1.0, 1.0))
    return [place_of(p.tolist(), np.eye(3)).position for p in places]


def _on_ground(joint: RobotJoint) -> RobotJoint:
    """Joint whose ground is its parent."""
    if joint.child != GROUND:
        return joint
    if joint.parent == GROUND or joint.kind not in (Fixed(), Spherical()):
        raise FormatError(f"joint {joint.name!r}: its second link is the ground; exchange the two.")
    places = joint.child_place, joint.parent_place
    return RobotJoint(joint.name, joint.kind, GROUND, joint.parent, *places, joint.forces)
