"""Replacing a part by another one with the same ports: what was connected to it is connected again.

A frame G on a body of the old part lies at its port F as before: F_new F_old⁻¹ G.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.element_tables import GroupElement
from jourdain.model.elements import Body, Frame
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.measures.measure import Measure
from jourdain.model.names import groups_of, is_inside, owned
from jourdain.model.parts.part import BuiltPart, Part, require_part
from jourdain.spatial.parameter import Expression

if TYPE_CHECKING:
    from jourdain.model.model import Model


def replace_part(model: Model, name: str, part: Part) -> BuiltPart:
    """Put another part in the place of one; see `Model.replace`."""
    old = model.part(name)
    require_part(name, part)
    around = next((g for g in groups_of(name) if g in model.parts), None)
    if around is not None:
        raise ModelError(
            f"part {name!r} is built by part {around!r}: replace that one, with other fields."
        )
    twin, begin = model.copy(), model.groups[name].begin
    for table in twin.tables().values():
        for own in [x for x in table if x == name or is_inside(x, name)]:
            del table[own]
    fresh = twin._build(name, part)
    _require_same_ports(old, fresh)
    change = Change(old, fresh, twin)
    added = {word: len(table) for word, table in twin.tables().items()}
    for word, table in twin.tables().items():
        inside = {x: e for x, e in table.items() if x == name or is_inside(x, name)}
        others = [(x, change.of(e, f"{word} {x!r}")) for x, e in table.items() if x not in inside]
        place = begin[word]
        table.clear()
        table.update([*others[:place], *inside.items(), *others[place:]])
    grown = {word: added[word] - len(table) for word, table in model.tables().items()}
    for x, group in twin._groups.items():
        twin._groups[x] = _moved(group, name, begin, grown)
    for own, table in model.tables().items():
        table.clear()
        table.update(twin.tables()[own])
    return model.part(name)


def _moved(
    group: GroupElement, name: str, begin: Mapping[str, int], grown: Mapping[str, int]
) -> GroupElement:
    """Group with the sizes of the tables before it, as they are now."""
    if group.name == name:
        return dataclasses.replace(group, begin=begin)
    if not group.begin or group.begin["group"] <= begin["group"] or is_inside(group.name, name):
        return group
    return dataclasses.replace(group, begin={w: n + grown[w] for w, n in group.begin.items()})


def _require_same_ports(old: BuiltPart, new: BuiltPart) -> None:
    kinds = [{port: _kind(x) for port, x in built.ports.items()} for built in (old, new)]
    if kinds[0] != kinds[1]:
        words = [", ".join(f"{p} ({kind})" for p, kind in each.items()) or "none" for each in kinds]
        raise ModelError(
            f"part {old.name!r} has the ports {words[0]}; the new one, "
            f"{type(new.part).__name__}, has {words[1]}. A part is replaced by one with the same."
        )


def _kind(port: Any) -> str:
    known = {Frame: "frame", Body: "frame", Coordinate: "coordinate", Measure: "measure"}
    return next((word for base, word in known.items() if isinstance(port, base)), "other")


@dataclass(frozen=True)
class Change:
    """What stands for the old part in elements outside of it.

    Parameters
    ----------
    old, new : BuiltPart
        The two parts.
    model : Model
        The model with the new part.
    """

    old: BuiltPart
    new: BuiltPart
    model: Model

    def of(self, value: Any, what: str) -> Any:
        """Value that is connected to the ports of the new part; itself if nothing changes."""
        if isinstance(value, BuiltPart):
            return self._handle(value, what)
        if isinstance(value, Frame | Body):
            return self._frame(value, what)
        if isinstance(value, Coordinate):
            return self._coordinate(value, what)
        if isinstance(value, Measure):
            same = (p for p, x in self.old.ports.items() if isinstance(x, Measure) and x == value)
            port = next(same, None)
            if port is not None:
                return self.new.ports[port]
        if isinstance(value, tuple | list):
            items = [self.of(x, what) for x in value]
            return value if all(map(_is_same, items, value)) else type(value)(items)
        if isinstance(value, Mapping):
            pairs = {key: self.of(x, what) for key, x in value.items()}
            is_same = all(pairs[key] is x for key, x in value.items())
            return value if is_same else type(value)(pairs)  # type: ignore[call-arg]
        if not dataclasses.is_dataclass(value) or isinstance(value, Expression | type):
            return value
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if f.init}
        changed = {key: self.of(x, what) for key, x in fields.items()}
        different = {key: x for key, x in changed.items() if x is not fields[key]}
        return dataclasses.replace(value, **different) if different else value

    def _handle(self, built: BuiltPart, what: str) -> BuiltPart:
        if built.name == self.old.name:
            return self.new
        ports = {port: self.of(x, what) for port, x in built.ports.items()}
        part = self.of(built.part, what)
        is_same = part is built.part and all(x is built.ports[p] for p, x in ports.items())
        return built if is_same else BuiltPart(built.name, part, ports)

    def _frame(self, place: Any, what: str) -> Any:
        frame = place if isinstance(place, Frame) else place.at()
        if not is_inside(frame.body, self.old.name) or place in self.model.bodies.values():
            return place
        found = list(dict.fromkeys(self._frames(frame)))
        exact = [new for old, new in self._pairs() if old == frame]
        if len(found) != 1 and not exact:
            why = "is no port of it" if not found else "could be connected to several ports"
            raise ModelError(
                f"{what} is connected to {frame} of part {self.old.name!r}, which {why}: give the "
                "part a port there, or remove the connection."
            )
        return (exact or found)[0]

    def _pairs(self) -> Iterator[tuple[Frame, Frame]]:
        for port, old in self.old.ports.items():
            if isinstance(old, Frame | Body):
                ends = (x if isinstance(x, Frame) else x.at() for x in (old, self.new.ports[port]))
                yield tuple(ends)  # type: ignore[misc]

    def _frames(self, frame: Frame) -> Iterator[Frame]:
        return (_at(new, old, frame) for old, new in self._pairs() if old.body == frame.body)

    def _coordinate(self, measure: Coordinate, what: str) -> Any:
        if not is_inside(measure.name, self.old.name):
            return measure
        for port, old in self.old.ports.items():
            if isinstance(old, Coordinate) and old.name == measure.name:
                return dataclasses.replace(self.new.ports[port], unit=measure.unit)
        element, own = owned(measure.name, {*self.model.joints, *self.model.coordinates})
        joint = self.model.joints.get(element)
        if element and (not own or (joint is not None and own in joint.kind.coordinates)):
            return measure
        raise ModelError(
            f"{what} measures {measure.name!r} of part {self.old.name!r}, which is no port of it "
            "and which the new one does not have: give the part such a port."
        )


def _at(new: Frame, old: Frame, frame: Frame) -> Frame:
    """Frame that lies at the new port as another lies at the old one."""
    if old.rotation == new.rotation:
        if old.position == new.position:
            return dataclasses.replace(frame, body=new.body)
        triples = zip(frame.position, old.position, new.position, strict=True)
        return Frame(new.body, tuple(x - a + b for x, a, b in triples), frame.rotation)
    turn: Any = np.array(new.rotation) @ np.array(old.rotation).T
    arm = [x - a for x, a in zip(frame.position, old.position, strict=True)]
    position = [
        b + sum(float(row[i]) * arm[i] for i in range(3))
        for b, row in zip(new.position, turn, strict=True)
    ]
    rotation = turn @ np.array(frame.rotation)
    return Frame(new.body, tuple(position), tuple(map(tuple, rotation.tolist())))


def _is_same(a: Any, b: Any) -> bool:
    return a is b
