"""MJCF files, the format of MuJoCo, read into a part of models."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np

from jourdain.errors import did_you_mean
from jourdain.io.robots.choices import check_choice
from jourdain.io.robots.description import GROUND, Coupling, Place, RobotJoint
from jourdain.io.robots.inertias import REPAIR, STRICT
from jourdain.io.robots.meshes import Meshes
from jourdain.io.robots.mjcf.bodies import Bodies, scaled
from jourdain.io.robots.mjcf.geoms import Geoms
from jourdain.io.robots.mjcf.settings import Settings, with_included
from jourdain.io.robots.names import Names
from jourdain.io.robots.places import inside, seen_from
from jourdain.io.robots.robot import Robot
from jourdain.io.robots.xml import Node, read_xml
from jourdain.model.joints import Fixed, Free, Prismatic, Revolute, Spherical

_FLAGS = ("passive", "spring", "damper", "frictionloss", "limit", "equality", "constraint")
_PASSED = ("actuator", "tendon", "deformable", "flex", "skin")


def read_mjcf(
    path: str | os.PathLike[str],
    *,
    inertia: Literal["strict", "repair"] = "strict",
    stops: bool = True,
    friction: bool = True,
) -> Robot:
    """Read a machine from an MJCF file, the format of MuJoCo.

    Parameters
    ----------
    path : str or path
        The file.
    inertia : {"strict", "repair"}
        Whether moments of inertia that no body can have are refused, or replaced by the nearest
        possible ones, with a note in ``robot.notes``.
    stops, friction : bool
        Whether ranges of joints are stops, and whether dry friction acts.

    Returns
    -------
    Robot
        A part: ``model.add("arm", robot)``; or ``robot.model()`` for the machine alone, with the
        gravity of the file.

    Raises
    ------
    FormatError
        If the file cannot be read or does not describe a machine.

    Notes
    -----
    Stops, friction and equalities are exact, where MuJoCo softens them. Coordinates of free
    bodies count from their places in the file. Actuators, tendons, sensors and contact pairs are
    passed over, with a note where that changes the motion.
    """
    check_choice("inertia", inertia, (STRICT, REPAIR))
    file = Path(path)
    top = with_included(read_xml(file, "mujoco"), file)
    return _Reader(top, file, inertia).robot(stops, friction)


class _Reader:
    """Reads one file."""

    def __init__(self, top: Node, path: Path, how: str) -> None:
        self.top, self.notes = top, list[str]()
        settings = Settings.of(top)
        meshes = Meshes(path, {}, self.notes)
        assets = [x for node in top.all("asset") for x in node.children]
        filled = [settings.filled(x, None) for x in assets]
        surfaces = {_mesh_name(x): x for x in filled if x.tag == "mesh"}
        colours = {
            x.get("name"): x.numbers("rgba", 4) if "rgba" in x.attributes else None
            for x in filled
            if x.tag == "material"
        }
        self.geoms = Geoms(settings, surfaces, colours, meshes)
        self.bodies = Bodies(settings, self.geoms, how, self.notes)
        self.path = path

    def robot(self, stops: bool, friction: bool) -> Robot:
        for worldbody in self.top.all("worldbody"):
            self.bodies.read(worldbody)
        if not self.bodies.joints:
            raise self.top.wrong("has no bodies")
        loops = list(self._loops())
        couplings = list(self._couplings())
        self._note_what_is_passed()
        links, options = self.bodies.links, self.bodies.settings.options
        if float(options.get("settotalmass", "-1")) > 0.0:
            links = scaled(links, float(options["settotalmass"]))
        gravity = (0.0, 0.0, -9.81)
        for option in self.top.all("option"):
            x, y, z = option.numbers("gravity", 3, gravity)
            gravity = (x, y, z)
        if self._has_flag("gravity"):
            gravity = (0.0, 0.0, 0.0)
        return Robot(
            Names.cleaned(self.top.get("model") or self.path.stem),
            tuple(links),
            (*self.bodies.joints, *loops),
            tuple(couplings),
            gravity=gravity,
            stops=stops,
            friction=friction,
            start=self._start({k.joint for k in couplings}),
            notes=tuple(self.notes),
        )

    def _has_flag(self, word: str) -> bool:
        """Whether a part of the motion is switched off."""
        flags = [x for option in self.top.all("option") for x in option.all("flag")]
        return any(flag.get(word) == "disable" for flag in flags)

    def _note_what_is_passed(self) -> None:
        for word in _FLAGS:
            if self._has_flag(word):
                self.notes.append(f"the flag {word}='disable' is passed over: it acts here")
        for word in _PASSED:
            found = [x for node in self.top.all(word) for x in node.children]
            if found:
                kinds = ", ".join(sorted({x.tag for x in found}))
                self.notes.append(f"{len(found)} of <{word}> ({kinds}) are passed over")
        for option in self.top.all("option"):
            if any(option.number(key, 0.0) for key in ("density", "viscosity")):
                self.notes.append("forces of the air or water around are passed over")

    def _equalities(self, *tags: str) -> Iterator[Node]:
        for section in self.top.all("equality"):
            for node in section.children:
                filled = self.bodies.settings.filled(_as_equality(node), None)
                filled.tag = node.tag
                if filled.tag in tags and filled.get("active", "true") == "true":
                    yield filled

    def _loops(self) -> Iterator[RobotJoint]:
        for k, node in enumerate(self._equalities("connect", "weld")):
            word = "body" if "body1" in node.attributes else "site"
            ends = [self._frame(node, word, number) for number in (1, 2)]
            (one, at_one), (two, at_two) = ends
            if word == "body" and node.tag == "connect":
                x, y, z = node.numbers("anchor", 3)
                at_one = Place((x, y, z))
            if word == "body" and node.tag == "connect":
                at_two = self._same_place(one, at_one, two)
                at_two = Place(at_two.position)
            elif word == "body":
                at_one, at_two = self._welded(node, one, two)
            name = self.bodies.names["joint"].of(node.get("name") or f"{node.tag}_{k + 1}")
            kind = Spherical() if node.tag == "connect" else Fixed()
            yield RobotJoint(name, kind, one, two, at_one, at_two)

    def _frame(self, node: Node, word: str, number: int) -> tuple[str, Place]:
        name = node.get(f"{word}{number}")
        if not name and number == 2 and word == "body":
            return GROUND, Place()
        if word == "body" and name == "world":
            return GROUND, Place()
        found = self.bodies.frames.get(f"{word} {name}")
        if found is None:
            known = [x.partition(" ")[2] for x in self.bodies.frames if x.startswith(word)]
            hint = did_you_mean(name, known).rstrip(".")
            raise node.wrong(f"names the {word} {name!r}, which is not there.{hint}")
        return found

    def _same_place(self, one: str, at_one: Place, two: str) -> Place:
        """Place on another link that lies on one where all coordinates are as in the file."""
        return seen_from(self.bodies.world[two], inside(self.bodies.world[one], at_one))

    def _welded(self, node: Node, one: str, two: str) -> tuple[Place, Place]:
        from scipy.spatial.transform import Rotation  # noqa: PLC0415

        given = node.numbers("relpose", 7, (0, 0, 0, 0, 0, 0, 0))
        if not any(given[3:]):  # as it lies in the file
            return Place(), self._same_place(one, Place(), two)
        x, y, z = given[:3]
        R = Rotation.from_quat(np.roll(given[3:], -1)).as_matrix()
        ax, ay, az = node.numbers("anchor", 3, (0.0, 0.0, 0.0))  # of the second body, goes there
        return Place((x, y, z), tuple(map(tuple, R.tolist()))), Place((ax, ay, az))

    def _couplings(self) -> Iterator[Coupling]:
        kinds = {joint.name: joint.kind for joint in self.bodies.joints}
        for node in self._equalities("joint"):
            names = [self.bodies.names["joint"].of(node.get(f"joint{k}")) for k in (1, 2)]
            own, other = names[0], names[1] if "joint2" in node.attributes else None
            for name in (own, other):
                if name is not None and not isinstance(kinds.get(name), Revolute | Prismatic):
                    raise node.wrong(f"names {name!r}, which is no hinge and no slide")
            factors = (*node.row("polycoef"), 0.0, 0.0, 0.0, 0.0, 0.0)[:5]
            if "polycoef" not in node.attributes:
                factors = (0.0, 1.0, 0.0, 0.0, 0.0)
            if any(factors[2:]):
                self.notes.append(f"equality of {own!r}: it is not linear and is left out")
                continue
            # MuJoCo: y - y0 = a0 + a1 (x - x0), counted from the initial configuration
            y0, x0 = (self.bodies.references.get(n or "", 0.0) for n in (own, other))
            offset = factors[0] + y0 - (factors[1] * x0 if other else 0.0)
            yield Coupling(own, other, factors[1], offset)
        for node in self._equalities("tendon", "flex", "flexvert", "flexstrain"):
            self.notes.append(f"an equality of kind {node.tag!r} in line {node.line} is left out")

    def _start(self, followers: Collection[str]) -> dict[str, Any]:
        """Start values: those of the key 'home' or of the first one, else of the file.

        In the file followers may lie elsewhere than where they belong: they are left free.
        """
        keys = [x for section in self.top.all("keyframe") for x in section.all("key")]
        home = [key for key in keys if key.get("name") == "home"] or keys
        if not home or "qpos" not in home[0].attributes:
            found = {}
            for joint in self.bodies.joints:
                ref = self.bodies.references.get(joint.name, 0.0)
                if ref and joint.name not in followers:
                    found[f"{joint.name}.{next(iter(joint.kind.coordinates))}"] = ref
            return found
        return self._of_key(home[0])

    def _of_key(self, key: Node) -> dict[str, Any]:
        from scipy.spatial.transform import Rotation  # noqa: PLC0415

        left, found = list(key.row("qpos")), dict[str, Any]()
        n = sum(_n_positions(joint) for joint in self.bodies.joints)
        if len(left) != n:
            raise key.wrong(f"has {len(left)} numbers in qpos, but the joints have {n}")
        for joint in self.bodies.joints:
            own, left = left[: _n_positions(joint)], left[_n_positions(joint) :]
            if isinstance(joint.kind, Free):
                R = Rotation.from_quat(np.roll(own[3:], -1)).as_matrix()
                x, y, z = own[:3]
                at = Place((x, y, z), tuple(map(tuple, R.tolist())))
                relative = seen_from(joint.parent_place, at)
                q = np.roll(Rotation.from_matrix(np.array(relative.rotation)).as_quat(), 1)
                found[f"{joint.name}.position"] = relative.position
                found[f"{joint.name}.orientation"] = tuple(q.tolist())
            elif isinstance(joint.kind, Spherical):
                found[f"{joint.name}.orientation"] = tuple(own)
            elif own:
                (word,) = joint.kind.coordinates
                found[f"{joint.name}.{word}"] = own[0]
        return found


def _n_positions(joint: RobotJoint) -> int:
    return len(joint.kind.coordinates)


def _mesh_name(node: Node) -> str:
    return node.get("name") or Path(node.get("file")).stem


def _as_equality(node: Node) -> Node:
    """Element under the name that its defaults have."""
    return Node("equality", node.attributes, node.file, node.line, node.children)
