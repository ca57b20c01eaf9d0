"""What holds for a whole MJCF file: compiler options, classes of defaults, orientations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from jourdain.io.robots.description import Place
from jourdain.io.robots.places import place_of, turn_to
from jourdain.io.robots.xml import Node, read_xml

_MOST_FILES = 50  # that include each other
_MAIN = "main"
Attributes = dict[str, str]


def with_included(top: Node, path: Path, _depth: int = 0) -> Node:
    """Elements with those of included files in their places; they lie in the same folder."""
    if _depth > _MOST_FILES:
        raise top.wrong("includes files without end")
    children = []
    for child in top.children:
        if child.tag != "include":
            children.append(with_included(child, path, _depth))
            continue
        file = (path.parent / child.needs("file")).resolve()
        if not file.is_relative_to(path.parent.resolve()):
            raise child.wrong(f"names {child.get('file')!r}, which leads out of the folder")
        outer = "mujocoinclude" if _root_of(file) == "mujocoinclude" else "mujoco"
        children += with_included(read_xml(file, outer), path, _depth + 1).children
    top.children = children
    return top


def _root_of(file: Path) -> str:
    try:
        return "mujocoinclude" if b"<mujocoinclude" in file.read_bytes() else "mujoco"
    except OSError:
        return "mujoco"  # reading it tells what is wrong


@dataclass
class Settings:
    """Options of the compiler and classes of defaults.

    Parameters
    ----------
    options : mapping of str to str
        Attributes of all ``<compiler>`` elements.
    classes : mapping of str to mapping
        For each class the attributes of each element.
    """

    options: Attributes = field(default_factory=dict)
    classes: dict[str, dict[str, Attributes]] = field(default_factory=lambda: {_MAIN: {}})

    @classmethod
    def of(cls, top: Node) -> Settings:
        """Read the settings of a file."""
        made = cls()
        for node in top.all("compiler"):
            made.options |= node.attributes
        for node in top.all("default"):
            made._read(node, made.classes[_MAIN], _MAIN)
        if made.options.get("coordinate", "local") != "local":
            raise top.wrong("has coordinate='global', which MuJoCo gave up: make it local")
        return made

    def _read(self, node: Node, around: Mapping[str, Attributes], default: str = "") -> None:
        name = node.get("class", default)
        if not name:
            raise node.wrong("lacks its class")
        own = {tag: dict(found) for tag, found in around.items()}
        for child in node.children:
            if child.tag != "default":
                own[child.tag] = own.get(child.tag, {}) | child.attributes
        self.classes[name] = own
        for child in node.all("default"):
            self._read(child, own)

    def filled(self, node: Node, inherited: str | None) -> Node:
        """Element with the defaults of its class."""
        name = node.get("class") or inherited or _MAIN
        if name not in self.classes:
            raise node.wrong(f"has the class {name!r}, which no <default> describes")
        own = self.classes[name].get(node.tag, {})
        if node.tag == "geom" and any(key in node.attributes for key in _TURNS):
            own = {key: x for key, x in own.items() if key not in _TURNS}
        return Node(node.tag, own | node.attributes, node.file, node.line, node.children)

    @property
    def angle(self) -> float:
        """Unit of angles [rad]."""
        return 1.0 if self.options.get("angle", "degree") == "radian" else np.pi / 180.0

    def is_on(self, key: str, default: str) -> bool:
        """Tell whether an option is true."""
        return self.options.get(key, default) == "true"

    def place(self, node: Node) -> Place:
        """Read the pose of an element in the axes of the one around."""
        return place_of(node.numbers("pos", 3, (0.0, 0.0, 0.0)), self.rotation(node))

    def rotation(self, node: Node) -> Any:
        """Read the orientation of an element; at most one of five ways."""
        from scipy.spatial.transform import Rotation  # noqa: PLC0415

        found = [key for key in _TURNS if key in node.attributes]
        if not found:
            return np.eye(3)
        if len(found) > 1:
            raise node.wrong(f"has {' and '.join(found)}: one orientation is enough")
        key = found[0]
        numbers = np.array(node.numbers(key, _TURNS[key]))
        if key in ("quat", "zaxis", "axisangle") and not np.any(
            numbers[:3] if key != "quat" else numbers
        ):
            raise node.wrong(f"has {key} of length zero")
        if key == "quat":
            return _clean(Rotation.from_quat(np.roll(numbers, -1)).as_matrix())
        if key == "zaxis":
            return np.array(turn_to(numbers))
        if key == "axisangle":
            axis = numbers[:3] / np.linalg.norm(numbers[:3])
            return _clean(Rotation.from_rotvec(axis * numbers[3] * self.angle).as_matrix())
        if key == "euler":
            return _clean(_turned(node, self.options.get("eulerseq", "xyz"), numbers * self.angle))
        x = numbers[:3] / np.linalg.norm(numbers[:3])
        y = numbers[3:] - x * (x @ numbers[3:])
        y /= np.linalg.norm(y)
        return np.array((x, y, np.cross(x, y))).T


_TURNS = {"quat": 4, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}


def _turned(node: Node, sequence: str, angles: Any) -> Any:
    """Rotation by three angles: small letters are axes that turn along, large ones that stand."""
    from scipy.spatial.transform import Rotation  # noqa: PLC0415

    if len(sequence) != 3 or set(sequence.lower()) - set("xyz"):
        raise node.wrong(f"is read with eulerseq={sequence[:20]!r}: give three of x, y, z")
    R = np.eye(3)
    for letter, angle in zip(sequence, angles, strict=True):
        one = Rotation.from_euler(letter.lower(), angle).as_matrix()
        R = R @ one if letter.islower() else one @ R
    return R


def _clean(R: Any) -> Any:
    """Rotation whose entries are exact where they are 0 or ±1 but for rounding."""
    near = np.round(R)
    return np.where(np.abs(R - near) < 4e-16, near, R)
