"""Flexible bodies taken apart into what the recursion knows.

A flexible body becomes a frame without mass, where it is fastened to its inboard joint; the body,
whose elastic coordinates are a joint of their own; and a section for every other frame on it that
something uses. All frames of the model are carried over to these sections.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from jourdain.equations.flexible.functions import with_functions
from jourdain.errors import ModelError
from jourdain.model.connection import Connection, connect
from jourdain.model.elements import Body, Frame, JointElement
from jourdain.model.flexible.kinds import Elastic, Section
from jourdain.model.flexible.nodes.nodal import NodalSolid
from jourdain.model.flexible.place import Place
from jourdain.model.flexible.solid import FlexibleSolid
from jourdain.model.laws.damper import Damper
from jourdain.model.laws.spring import Spring
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.model import Model
from jourdain.model.moving_frames import with_frames
from jourdain.spatial.check import shown
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.pose import ORIGIN
from jourdain.spatial.solid import Shape
from jourdain.topology import build as build_topology
from jourdain.topology.flexible import flexible_bodies


@dataclass(frozen=True)
class Expanded:
    """A model of rigid frames, elastic coordinates and sections.

    Parameters
    ----------
    model : Model
        The model as the recursion knows it.
    cut : tuple of str
        Joints that must be cut in it.
    sections : mapping of (str, position) to str
        Bodies that stand for frames of flexible bodies.
    """

    model: Model
    cut: tuple[str, ...]
    sections: Mapping[tuple[str, Any], str]


def expanded(model: Model, cut: Iterable[str]) -> Expanded:
    """Take the flexible bodies of a model apart; one without them stays as it is."""
    flexible = any(body.elastic is not None for body in model.bodies.values())
    if not flexible or any(isinstance(joint.kind, Elastic) for joint in model.joints.values()):
        return Expanded(model, tuple(cut), {})
    topology = build_topology(model, cut)
    taken, inboard = {}, {}
    places: dict[FlexibleSolid, _Places] = {}  # equal bodies keep one, whatever is freed meanwhile
    for name, solid in flexible_bodies(model, topology).items():
        tree = topology.tree[topology.number[name] - 1]
        frame = tree.joint.parent if tree.joint.parent.body == name else tree.joint.child
        made = places.setdefault(solid, _PLACES.setdefault(solid, {}))
        taken[name] = _Taken(name, solid, frame, made)
        if not tree.automatic:
            inboard[tree.name] = name
    new = _Expansion(model, taken, inboard).model()
    cuts = tuple(joint.name for joint in topology.cuts)
    return Expanded(new, cuts, {k: s for own in taken.values() for k, s in own.names().items()})


_Places = dict[Any, Place]
_PLACES: WeakKeyDictionary[FlexibleSolid, _Places] = WeakKeyDictionary()


class _Taken:
    """A flexible body taken apart: its root, itself, and its sections by their positions."""

    def __init__(self, name: str, solid: FlexibleSolid, root: Frame, places: _Places) -> None:
        self.name, self.root, self.solid = name, f"{name}.root", solid
        self._places = places
        self._fastened = self._place(root.position)
        self._sections: dict[Any, str] = {root.position: self.root}
        self.carrier = f"{name}.frame"  # of the body, in which it deforms
        for position in (ORIGIN, root.position):
            place = self._place(position)
            if place.is_still and not place.x.any():
                self.carrier = self._sections[position] = name
        if root.position == ORIGIN and self.carrier != name:
            self.root = self._sections[ORIGIN] = name
        self._sections.setdefault(ORIGIN, name)

    def _place(self, position: Any) -> Place:
        """Place of a frame, the same object for equal bodies, so that their links share code."""
        if position not in self._places:
            self._places[position] = self.solid.elasticity.place(position)
        return self._places[position]

    def names(self) -> dict[tuple[str, Any], str]:
        """Sections by name of the body and position."""
        return {(self.name, position): name for position, name in self._sections.items()}

    def frame(self, frame: Frame) -> Frame:
        """The same frame on a section of its own."""
        if isinstance(self.solid, NodalSolid):
            self.solid.require_material(frame.position)
        new = f"{self.name}.section_{len(self._sections)}"
        return Frame(self._sections.setdefault(frame.position, new), ORIGIN, frame.rotation)

    def bodies(self) -> dict[str, Body]:
        """All bodies that take its place."""
        none, shapes = Inertia(0.0), dict[str, tuple[Any, ...]]()
        for position, shape in self.solid.outline:
            if shape.kind != "point":
                section = self.frame(Frame(self.name, position)).body
                shapes[section] = (*shapes.get(section, ()), shape)
        found = {self.root: Body(self.root, none, piece_of=self.name)}
        whole = self.solid.inertia
        com = tuple((np.array(whole.com) + self.solid.elasticity.place(ORIGIN).x).tolist())
        own = Inertia(whole.mass, com, whole.moments)
        skin = self.solid.skin
        drawn = () if skin is None else (Shape("mesh", (), mesh=skin.surface),)
        found[self.carrier] = Body(self.carrier, own, drawn, self.solid, self.name)
        for name in self._sections.values():
            if name not in found:
                found[name] = Body(name, none, shapes.get(name, ()), piece_of=self.name)
        return found

    def joints(self) -> dict[str, JointElement]:
        """Its elastic coordinates, and its sections."""
        names, units = zip(*self.solid.coordinates.items(), strict=True)
        own, place = Frame(self.carrier), self._fastened
        kind = Elastic(names, units, place if place.x.any() or not place.is_still else None)
        main = JointElement(f"{self.name}.elastic", Frame(self.root), own, kind)
        found = {main.name: main}
        for position, name in self._sections.items():
            if name not in (self.carrier, self.root):
                section = Section(self._place(position))
                joint = JointElement(f"{name}.deflection", own, Frame(name), section)
                found[joint.name] = joint
        return found

    def connections(self, joints: Mapping[str, JointElement]) -> dict[str, Connection]:
        """Its stiffness and damping."""
        found, own = {}, self.solid.elasticity
        for k, name in enumerate(own.coordinates):
            measure = Coordinate(f"{self.name}.elastic.{name}")
            laws: dict[str, Any] = {"stiffness": Spring(float(own.stiffness[k]))}
            if own.damping[k]:
                laws["damping"] = Damper(float(own.damping[k]))
            for word, law in laws.items():
                full = f"{self.name}.{word}.{name}"
                found[full] = connect(full, measure, law, joints, {})
        return found


class _Expansion:
    """A model with some of its bodies taken apart."""

    def __init__(self, model: Model, taken: Mapping[str, _Taken], inboard: dict[str, str]) -> None:
        self._model, self._taken, self._inboard = model, taken, inboard
        self._known: Mapping[tuple[str, Any], str] | None = None  # sections, when all are made

    def model(self) -> Model:
        """The new model."""
        twin = self._model.copy()
        tables = twin.tables()
        for word, table in tables.items():
            if word not in ("body", "group"):
                table.update({name: self._moved(element) for name, element in table.items()})
        for joint, body in self._inboard.items():
            tables["joint"][joint] = self._fastened(self._model.joints[joint], body)
        old = dict(tables["body"])
        tables["body"].clear()
        for name, body in old.items():
            taken = self._taken[name].bodies() if name in self._taken else {name: body}
            look = {"colour": body.colour, "opacity": body.opacity}
            own = {key: replace(piece, **look) for key, piece in taken.items()}
            _add(tables["body"], own, "body")
        for pieces in self._taken.values():
            _add(tables["joint"], pieces.joints(), "joint")
            _add(tables["connection"], pieces.connections(tables["joint"]), "connection")
        self._known = {k: s for own in self._taken.values() for k, s in own.names().items()}
        return twin

    def _fastened(self, joint: JointElement, body: str) -> JointElement:
        """The inboard joint of a flexible body, fastened to its root."""
        parent, child = (
            Frame(self._taken[body].root, ORIGIN, frame.rotation)
            if frame.body == body
            else self._moved(frame)
            for frame in (joint.parent, joint.child)
        )
        return replace(joint, parent=parent, child=child)

    def _moved(self, value: Any) -> Any:
        """Copy of an element with frames of flexible bodies on their sections."""
        return with_frames(value, self._section, self._with_functions)

    def _with_functions(self, value: Any) -> Any:
        return with_functions(value, self._section, self._moved)

    def _section(self, frame: Frame) -> Frame:
        if frame.body not in self._taken:
            return frame
        if self._known is not None and (frame.body, frame.position) not in self._known:
            raise unknown_section(frame)
        return self._taken[frame.body].frame(frame)


def unknown_section(frame: Frame) -> ModelError:
    """Error for a frame on a flexible body that no section stands for."""
    return ModelError(
        f"the frame {frame} moves with the flexible body {frame.body!r}, and was not there "
        "when the model was compiled. Name it before, for example "
        f"model.add_frame('gauge', {frame.body}.at{shown(frame.position)})."
    )


def _add(table: dict[str, Any], more: Mapping[str, Any], word: str) -> None:
    for name in more:
        if name in table:
            raise ModelError(
                f"the {word} {name!r} has a name that a flexible body needs for itself. Give it "
                "another one."
            )
    table.update(more)
