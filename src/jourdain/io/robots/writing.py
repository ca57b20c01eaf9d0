"""Models as URDF files, where the format has words for them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from jourdain import math
from jourdain.errors import FormatError
from jourdain.files import replacing
from jourdain.io.robots.description import Place
from jourdain.io.robots.places import angles_of, inside, place_of, seen_from, turn_to
from jourdain.model.connection import Connection
from jourdain.model.elements import WORLD, Body, Frame, JointElement, with_values
from jourdain.model.joints import Fixed, Free, Planar, Prismatic, Revolute
from jourdain.model.laws import Damper, Equal, Interval, Unilateral
from jourdain.model.measures import Coordinate, Sum
from jourdain.model.model import Model
from jourdain.spatial.pose import product, transpose
from jourdain.spatial.solid import Shape

_TYPES = {Fixed: "fixed", Free: "floating", Planar: "planar", Prismatic: "prismatic"}
_MANY = 1e16  # limit of a joint that has one stop only


def write_urdf(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a tree of rigid bodies as a URDF file, which other programs read.

    Parameters
    ----------
    model : Model
        Bodies joined by `Revolute`, `Prismatic`, `Fixed`, `Planar` and `Free` joints without
        loops; stops, damping and dry friction along their coordinates, and `Equal` between two
        of them. Parameters have their nominal values.
    path : str or path
        The file; an older one is replaced.

    Raises
    ------
    FormatError
        If the model has what the format has no words for: everything is named.
    """
    text = _Writer(model).text()
    file = Path(path)
    try:
        with replacing(file) as other:
            other.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise FormatError(
            f"cannot write model {model.name!r} to {str(file)!r}: {why}. Check that the folder "
            "exists and may be written to."
        ) from error


class _Writer:
    """Writes one model."""

    def __init__(self, model: Model) -> None:
        self.model, self.problems = model, list[str]()
        self.values = {name: p.value for name, p in model.parameters.items()}
        self.frames: dict[str, Place] = {WORLD: Place()}  # of links in the axes of bodies
        self.limits: dict[str, dict[str, float]] = {}
        self.mimics: dict[str, tuple[str, float, float]] = {}

    def text(self) -> str:
        model = self.model
        for name in (*model.coordinates, *model.states, *model.contacts):
            self.problems.append(f"{name!r} is neither a body nor a joint")
        for connection in model.connections.values():
            if not self._is_taken(connection):
                self.problems.append(f"connection {connection.name!r} has no place in the format")
        joints = list(self._joints())
        links = [self._link(body) for body in model.bodies.values()]
        if self.problems:
            rows = "".join(f"\n  {k}. {text}." for k, text in enumerate(self.problems, 1))
            raise FormatError(
                f"model {model.name!r} cannot be written as URDF:{rows}\n"
                "  Next: jd.write_model(model, path) writes all of it."
            )
        lines = [line for part in (*links, *joints) for line in part]
        return "\n".join(
            [
                '<?xml version="1.0"?>',
                f"<robot name={quoteattr(model.name)}>",
                f'  <link name="{WORLD}"/>',
                *lines,
                "</robot>\n",
            ]
        )

    def _joints(self) -> Iterator[list[str]]:
        """Texts of joints from the world outwards."""
        left = dict(self.model.joints)
        while True:
            chosen = [j for j in left.values() if self._inboard(j) is not None]
            if not chosen:
                break
            for joint in chosen:
                del left[joint.name]
                text = self._joint(joint)
                if text:
                    yield text
        for name in left:
            self.problems.append(f"joint {name!r} is not joined to the world")
        for name in self.model.bodies:
            if name not in self.frames and not left:
                self.problems.append(f"body {name!r} is not joined to the world")

    def _inboard(self, joint: JointElement) -> Frame | None:
        """End of a joint whose body is placed already."""
        return next((x for x in (joint.parent, joint.child) if x.body in self.frames), None)

    def _joint(self, joint: JointElement) -> list[str]:
        inner, outer = joint.parent, joint.child
        is_turned = inner.body not in self.frames
        if is_turned:
            inner, outer = outer, inner
        what = f"joint {joint.name!r}"
        kind = with_values(joint.kind, self.values)
        if outer.body in self.frames:
            self.problems.append(f"{what} closes a loop")
            return []
        self.frames[outer.body] = self._place(outer)
        if joint.driven or joint.armature:
            self.problems.append(f"{what} is driven or has an armature")
        word = "revolute" if isinstance(kind, Revolute) else _TYPES.get(type(kind))
        if word is None or (is_turned and word in ("floating", "planar")):
            self.problems.append(f"{what} is of the kind {type(kind).__name__}")
            return []
        at = seen_from(self.frames[inner.body], self._place(inner))
        limits = self.limits.get(joint.name, {})
        if word == "revolute" and not {"lower", "upper"} & set(limits):
            word = "continuous"
        lines = [
            f'  <joint name={quoteattr(joint.name)} type="{word}">',
            f"    {_origin(at)}",
            f"    <parent link={quoteattr(inner.body)}/>",
            f"    <child link={quoteattr(outer.body)}/>",
        ]
        axis = _axis(kind)
        if axis is not None:
            lines.append(f'    <axis xyz="{_row(-axis if is_turned else axis)}"/>')
        return [*lines, *self._along(joint.name, word, limits), "  </joint>"]

    def _along(self, name: str, word: str, limits: dict[str, float]) -> Iterator[str]:
        """Limits, friction and mimicry of a joint."""
        if word in ("revolute", "prismatic"):
            lower, upper = limits.get("lower", -_MANY), limits.get("upper", _MANY)
            row = f'lower="{lower!r}" upper="{upper!r}"'
            yield f'    <limit {row} effort="{_MANY!r}" velocity="{_MANY!r}"/>'
        if {"damping", "friction"} & set(limits):
            words = (f'{k}="{limits.get(k, 0.0)!r}"' for k in ("damping", "friction"))
            yield f"    <dynamics {' '.join(words)}/>"
        if name in self.mimics:
            other, factor, offset = self.mimics[name]
            row = f'multiplier="{factor!r}" offset="{offset!r}"'
            yield f"    <mimic joint={quoteattr(other)} {row}/>"

    def _is_taken(self, connection: Connection) -> bool:
        """Note what acts along one coordinate; False for anything else."""
        law = with_values(connection.law, self.values)
        measure = with_values(connection.measure, self.values)
        if isinstance(measure, Sum) and isinstance(law, Equal):
            return self._is_mimicry(measure, law)
        joint = self._joint_of(measure)
        if joint is None:
            return False
        limits = self.limits.setdefault(joint, {})
        found: dict[str, Any] = {}
        if isinstance(law, Unilateral) and not law.restitution:
            found["lower" if law.side == "above" else "upper"] = law.limit
        elif isinstance(law, Interval) and not law.has_static:
            found["friction"] = law.capacity
        elif isinstance(law, Damper):
            found["damping"] = law.damping
        if not found or set(found) & set(limits) or not _are_numbers(found):
            return False
        limits |= {key: float(x) for key, x in found.items()}
        return True

    def _is_mimicry(self, measure: Sum, law: Equal) -> bool:
        joints = [self._joint_of(m) for _, m in measure.terms]
        if len(joints) != 2 or None in joints or not _are_numbers({"value": law.value}):
            return False
        (a, _), (b, _) = measure.terms
        one, other = str(joints[0]), str(joints[1])
        if one in self.mimics or a == 0.0:
            return False
        self.mimics[one] = other, float(-b / a), float(law.value / a)
        return True

    def _joint_of(self, measure: Any) -> str | None:
        """Name of the joint of one coordinate that is measured."""
        if not isinstance(measure, Coordinate):
            return None
        for name, joint in self.model.joints.items():
            if len(joint.kind.coordinates) == 1:
                (word,) = joint.kind.coordinates
                if measure.name in (f"{name}.{word}", name):
                    return name
        return None

    def _link(self, body: Body) -> list[str]:
        own = self.frames.get(body.name)
        if own is None:
            return []
        if body.elastic is not None:
            self.problems.append(f"body {body.name!r} is flexible")
            return []
        inertia = with_values(body.inertia, self.values)
        lines = [f"  <link name={quoteattr(body.name)}>"]
        if inertia.mass or any(any(row) for row in inertia.moments):
            com = seen_from(own, Place(inertia.com)).position
            back = transpose(own.rotation)
            J = product(product(back, inertia.moments), own.rotation)
            pairs = ((i, k) for i in range(3) for k in range(i, 3))
            words = (f'i{"xyz"[i]}{"xyz"[k]}="{float(J[i][k])!r}"' for i, k in pairs)
            lines += [
                "    <inertial>",
                f'      <origin xyz="{_row(com)}"/>',
                f'      <mass value="{float(inertia.mass)!r}"/>',
                f"      <inertia {' '.join(words)}/>",
                "    </inertial>",
            ]
        lines += [
            line for s in body.shapes for line in self._visual(own, with_values(s, self.values))
        ]
        return [*lines, "  </link>"]

    def _visual(self, own: Place, shape: Shape) -> list[str]:
        at, size = Place(shape.position, shape.rotation), shape.size
        if shape.kind == "rod":
            end = np.array(size, dtype=float)
            length = float(np.linalg.norm(end))
            at = inside(at, place_of((0.5 * end).tolist(), turn_to(end)))
            inner = f'<cylinder radius="{0.02 * length!r}" length="{length!r}"/>'
        elif shape.kind == "box":
            inner = f'<box size="{_row(size)}"/>'
        elif shape.kind == "ball":
            inner = f'<sphere radius="{float(size[0])!r}"/>'
        elif shape.kind in ("cylinder", "tube"):
            radius, length = size[-2:]
            inner = f'<cylinder radius="{float(radius)!r}" length="{float(length)!r}"/>'
        else:
            return []
        placed = seen_from(own, at)
        colour = ""
        if shape.colour is not None:
            colour = f'<material name=""><color rgba="{_row(shape.colour)}"/></material>'
        return [
            f"    <visual>{_origin(placed)}<geometry>{inner}</geometry>{colour}</visual>",
        ]

    def _place(self, frame: Frame) -> Place:
        made = with_values(frame, self.values)
        return Place(made.position, made.rotation)


def _axis(kind: Any) -> Any:
    if isinstance(kind, Planar):
        return np.array(math.axis_vector(kind.normal), dtype=float)
    if isinstance(kind, Revolute | Prismatic):
        return np.array(math.axis_vector(kind.axis), dtype=float)
    return None


def _origin(place: Place) -> str:
    return f'<origin xyz="{_row(place.position)}" rpy="{_row(angles_of(place.rotation))}"/>'


def _row(numbers: Any) -> str:
    return " ".join(repr(float(x) + 0.0) for x in numbers)


def _are_numbers(found: dict[str, Any]) -> bool:
    return all(isinstance(x, int | float) for x in found.values())
