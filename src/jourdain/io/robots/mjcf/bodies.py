"""Bodies of MJCF files with their joints, as links and joints of a robot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from jourdain.io.robots.description import GROUND, Forces, Link, Place, RobotJoint
from jourdain.io.robots.inertias import inertia_of
from jourdain.io.robots.mjcf.geoms import Geom, Geoms
from jourdain.io.robots.mjcf.settings import Settings
from jourdain.io.robots.names import Names
from jourdain.io.robots.places import axis_word, inside, rows
from jourdain.io.robots.xml import Node
from jourdain.model.joints import Fixed, Free, Prismatic, Revolute, Spherical
from jourdain.model.joints.joint import Joint
from jourdain.spatial.inertia import Inertia, combined

_REFUSED = ("replicate", "composite", "flexcomp", "attach")
_ALONG = ("stiffness", "damping", "frictionloss", "armature")
_GROUND_LINK = "ground"


@dataclass
class Bodies:
    """Reader of the tree of bodies.

    Parameters
    ----------
    settings : Settings
        What holds for the file.
    geoms : Geoms
        Reader of geoms.
    how : str
        What to do with impossible moments of inertia.
    notes : list of str
        What was approximated or left out.
    """

    settings: Settings
    geoms: Geoms
    how: str
    notes: list[str]
    links: list[Link] = field(default_factory=list)
    joints: list[RobotJoint] = field(default_factory=list)
    names: dict[str, Names] = field(default_factory=dict)
    frames: dict[str, tuple[str, Place]] = field(default_factory=dict)
    """Sites and bodies by tag and name, as links and places on them."""
    world: dict[str, Place] = field(default_factory=dict)
    """Places of links in the world where all coordinates are zero."""
    references: dict[str, float] = field(default_factory=dict)
    """Coordinates of joints in the initial configuration."""

    def __post_init__(self) -> None:
        self.names = {word: Names(self.notes, word) for word in ("body", "joint")}

    def read(self, worldbody: Node) -> None:
        """Read everything below the world."""
        self.world[GROUND] = Place()
        found = [x for x in self._geoms(worldbody, None)]
        if found:
            link = self._link(_GROUND_LINK, Inertia(0.0), found)
            self.links.append(link)
            self.joints.append(
                RobotJoint(self._joint_name("", "ground"), Fixed(), GROUND, link.name)
            )
        self._sites(worldbody, GROUND)
        self._children(worldbody, GROUND, None, Place())

    def _children(self, node: Node, parent: str, inherited: str | None, around: Place) -> None:
        for child in node.children:
            if child.tag in _REFUSED:
                raise child.wrong(
                    "is not read: write out what it makes, as MuJoCo's mj_saveLastXML does"
                )
            if child.tag == "frame":
                place = inside(around, self.settings.place(child))
                self._children(child, parent, child.get("childclass") or inherited, place)
            elif child.tag == "body":
                self._body(child, parent, inherited, around)

    def _body(self, node: Node, parent: str, inherited: str | None, around: Place) -> None:
        inherited = node.get("childclass") or inherited
        own = node.get("name") or f"body_{len(self.links) + 1}"
        name = self.names["body"].of(own)
        place = inside(around, self.settings.place(node))
        self.world[name] = inside(self.world[parent], place)
        self.frames[f"body {own}"] = name, Place()
        geoms = list(self._geoms(node, inherited))
        self._join(node, parent, name, inherited, place)
        self.links.append(self._link(name, self._inertia(node, own, geoms), geoms))
        if node.get("gravcomp", "0").strip() not in ("0", "0.0"):
            self.notes.append(f"body {own!r}: its compensation of gravity is left out")
        if node.get("mocap") == "true":
            self.notes.append(f"body {own!r} is moved by hand in MuJoCo; here it stands still")
        self._sites(node, name)
        self._children(node, name, inherited, Place())

    def _geoms(
        self, node: Node, inherited: str | None, around: Place | None = None
    ) -> Iterator[Geom]:
        around = around or Place()
        for child in node.children:
            if child.tag == "geom":
                made = self.geoms.read(self.settings.filled(child, inherited), around)
                if made is not None:
                    yield made
            elif child.tag == "frame":
                place = inside(around, self.settings.place(child))
                yield from self._geoms(child, child.get("childclass") or inherited, place)

    def _sites(self, node: Node, link: str) -> None:
        for site in node.all("site"):
            if site.get("name"):
                place = self.settings.place(site) if "fromto" not in site.attributes else Place()
                self.frames[f"site {site.get('name')}"] = link, place

    def _link(self, name: str, inertia: Inertia, geoms: list[Geom]) -> Link:
        shapes = tuple(shape for geom in geoms for shape in geom.shapes)
        outlines = tuple(outline for geom in geoms for outline in geom.outlines)
        return Link(name, inertia, shapes, outlines)

    def _inertia(self, node: Node, own: str, geoms: list[Geom]) -> Inertia:
        from_geoms = self.settings.options.get("inertiafromgeom", "auto")
        given = node.first("inertial")
        if from_geoms == "true" or (from_geoms == "auto" and given is None):
            low, high = (
                float(x) for x in self.settings.options.get("inertiagrouprange", "0 5").split()
            )
            counted = [geom for geom in geoms if low <= geom.group <= high]
            if (fault := next((geom.fault for geom in counted if geom.fault), None)) is not None:
                raise fault
            made = combined([geom.inertia for geom in counted]) if counted else Inertia(0.0)
            return self._bounded(made)
        if given is None:
            return self._bounded(Inertia(0.0))
        place = self.settings.place(given)
        if "fullinertia" in given.attributes:
            xx, yy, zz, xy, xz, yz = given.numbers("fullinertia", 6)
            J = np.array(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
        else:
            J = np.diag(given.numbers("diaginertia", 3))
        R: Any = np.array(place.rotation)
        if self.settings.is_on("balanceinertia", "false") and 2.0 * J.max() > np.trace(J):
            J = np.eye(3) * np.trace(J) / 3.0
        named = Node("body", {"name": own}, given.file, given.line)
        made, note = inertia_of(named, given.number("mass"), place.position, R @ J @ R.T, self.how)
        self.notes += [note] if note else []
        return self._bounded(made)

    def _bounded(self, made: Inertia) -> Inertia:
        least = [
            float(self.settings.options.get(key, "0")) for key in ("boundmass", "boundinertia")
        ]
        if not any(least):
            return made
        values, axes = np.linalg.eigh(np.array(made.moments))
        moments = axes * np.maximum(values, least[1]) @ axes.T
        return Inertia(max(made.mass, least[0]), made.com, (0.5 * (moments + moments.T)).tolist())

    def _join(
        self, node: Node, parent: str, name: str, inherited: str | None, place: Place
    ) -> None:
        """Joints between a body and the one around: one after the other, without mass between."""
        given = [x for x in node.children if x.tag in ("joint", "freejoint")]
        if not given:
            weld = self._joint_name("", f"{name}_weld")
            self.joints.append(RobotJoint(weld, Fixed(), parent, name, place))
            return
        inboard = parent
        for k, child in enumerate(given):
            is_last = k == len(given) - 1
            joint = self.settings.filled(child, inherited)
            own = self._joint_name(joint.get("name"), f"{name}_joint_{k + 1}")
            outboard = name if is_last else self.names["body"].of(f"{name} after {own}")
            if not is_last:
                self.links.append(Link(outboard, Inertia(0.0)))
                self.world[outboard] = self.world[name]
            kind = self._kind(joint)
            if isinstance(kind, Free) and (parent != GROUND or len(given) > 1):
                raise joint.wrong("is free, which only a body of the world without other joints is")
            made = self._joint(joint, kind, own)
            at = inside(place, made.parent_place)
            self.joints.append(replace(made, parent=inboard, child=outboard, parent_place=at))
            inboard, place = outboard, Place()

    def _joint_name(self, given: str, instead: str) -> str:
        return self.names["joint"].of(given or instead)

    def _kind(self, joint: Node) -> Joint:
        word = "free" if joint.tag == "freejoint" else joint.get("type", "hinge")
        if word == "free":
            return Free()
        if word == "ball":
            return Spherical()
        if word not in ("hinge", "slide"):
            raise joint.wrong(f"has the type {word[:40]!r}: known are hinge, slide, ball, free")
        axis = np.array(joint.numbers("axis", 3, (0.0, 0.0, 1.0)))
        length = float(np.linalg.norm(axis))
        if length < 1e-9:
            raise joint.wrong("has an axis of length zero")
        return (Revolute if word == "hinge" else Prismatic)(axis_word(axis / length))

    def _joint(self, joint: Node, kind: Joint, name: str) -> RobotJoint:
        """Joint between two links that lie on each other; its ends are filled in."""
        if isinstance(kind, Free):
            if any(any(joint.row(word)) for word in _ALONG):
                self.notes.append(
                    f"joint {name!r}: spring, damping, friction and armature of free bodies are "
                    "left out"
                )
            return RobotJoint(name, kind, "", "")
        x, y, z = joint.numbers("pos", 3, (0.0, 0.0, 0.0))
        at = Place((x, y, z))
        if isinstance(kind, Spherical):
            words = ("range", "stiffness", "damping", "frictionloss")
            if any(any(joint.row(word)) for word in words):
                self.notes.append(
                    f"joint {name!r}: range, spring, damping and friction of balls are left out"
                )
            armature = Forces(armature=joint.number("armature", 0.0))
            return RobotJoint(name, kind, "", "", at, at, armature)
        unit = self.settings.angle if isinstance(kind, Revolute) else 1.0
        ref = joint.number("ref", 0.0) * unit
        self.references[name] = ref
        return RobotJoint(name, kind, "", "", _behind(at, kind, ref), at, self._forces(joint, unit))

    def _forces(self, joint: Node, unit: float) -> Forces:
        lower = upper = None
        limited = joint.get("limited", "auto")
        is_auto = limited == "auto" and self.settings.is_on("autolimits", "true")
        if limited == "true" or (is_auto and "range" in joint.attributes):
            lower, upper = (x * unit for x in joint.numbers("range", 2))
            if lower >= upper:
                lower = upper = None
                self.notes.append(
                    f"joint {joint.get('name')!r}: its range leaves no room and is left out"
                )
        if all(x > 0.0 for x in joint.row("springdamper") or (0.0,)):
            self.notes.append(
                f"joint {joint.get('name')!r}: springdamper is left out. Give stiffness and damping"
            )
        words = ("damping", "frictionloss", "stiffness")
        for word in words:
            if len(joint.row(word)) > 1:
                self.notes.append(
                    f"joint {joint.get('name')!r}: of {word} the first number is read"
                )
        damping, friction, stiffness = ((joint.row(word) or (0.0,))[0] for word in words)
        if min(damping, friction, stiffness) < 0.0:
            raise joint.wrong("has damping, frictionloss or stiffness below zero")
        rest = joint.number("springref", 0.0) * unit
        armature = joint.number("armature", 0.0)
        return Forces(lower, upper, damping, friction, stiffness, rest, armature)


def _behind(at: Place, kind: Joint, ref: float) -> Place:
    """Place from which a coordinate that is ``ref`` leads to where things lie in the file."""
    if ref == 0.0:
        return at
    R, p = (np.asarray(x, dtype=float) for x in kind.pose([-ref], 0.0))
    x, y, z = (np.array(at.position) + p).tolist()
    return Place((x, y, z), rows(R))


def scaled(links: list[Link], total: float) -> list[Link]:
    """Links whose masses add up to a total [kg]."""
    factor = total / sum(link.inertia.mass for link in links)

    def heavier(link: Link) -> Link:
        own = link.inertia
        moments = tuple(tuple(factor * x for x in row) for row in own.moments)
        return replace(link, inertia=Inertia(factor * own.mass, own.com, moments))

    return [heavier(link) for link in links]
