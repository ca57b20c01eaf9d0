"""The elements that a model holds, by kind and by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar

from jourdain.errors import ModelError, unknown_name
from jourdain.model.composites.composite import CompositeElement
from jourdain.model.connection import Connection
from jourdain.model.connection_array import ConnectionArray
from jourdain.model.contact_group import ContactGroup
from jourdain.model.elements import WORLD, Body, CoordinateElement, Frame, JointElement
from jourdain.model.flexible.kinds import Elastic
from jourdain.model.measures.gap import Gap
from jourdain.model.names import groups_of, is_inside
from jourdain.model.parts.part import BuiltPart, Part, checked_ports
from jourdain.spatial.inertia import Inertia

Element = TypeVar("Element")

GROUND = Body(WORLD, Inertia(0.0))
"""The world, which every model has."""
_TOGETHER = {"body", "joint"}  # of one name: results tell them apart


@dataclass(frozen=True)
class GroupElement:
    """A group of elements whose names begin with its own. Made by `Model.group`.

    Parameters
    ----------
    name : str
        Full name.
    built : BuiltPart or None
        The part that made it; None for a group by hand.
    begin : mapping of str to int
        Sizes of the tables before it was built.
    """

    name: str
    built: BuiltPart | None = field(default=None, compare=False)
    begin: Mapping[str, int] = field(default_factory=dict, compare=False)


class Elements:
    """Tables of elements that all have different names.

    Parameters
    ----------
    name : str
        Name of the model.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._bodies: dict[str, Body] = {}
        self._joints: dict[str, JointElement] = {}
        self._coordinates: dict[str, CoordinateElement] = {}
        self._connections: dict[str, Connection] = {}
        self._composites: dict[str, CompositeElement] = {}
        self._states: dict[str, Connection] = {}
        self._arrays: dict[str, ConnectionArray] = {}
        self._contacts: dict[str, ContactGroup] = {}
        self._frames: dict[str, Frame] = {}
        self._groups: dict[str, GroupElement] = {}
        self._building: list[str] = []

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._name

    @property
    def bodies(self) -> Mapping[str, Body]:
        """Bodies by name, in the order of adding; without the world."""
        return MappingProxyType(self._bodies)

    @property
    def joints(self) -> Mapping[str, JointElement]:
        """Joints by name, in the order of adding."""
        return MappingProxyType(self._joints)

    @property
    def movable(self) -> Mapping[str, JointElement]:
        """Joints by name, and ``body.elastic`` for the elastic coordinates of flexible bodies."""
        flexible = [body for body in self._bodies.values() if body.elastic is not None]
        if not flexible:
            return self._joints
        return {**self._joints, **{joint.name: joint for joint in map(_elastic, flexible)}}

    @property
    def coordinates(self) -> Mapping[str, CoordinateElement]:
        """Scalar coordinates by name, in the order of adding."""
        return MappingProxyType(self._coordinates)

    @property
    def connections(self) -> Mapping[str, Connection]:
        """Connections by name, in the order of adding.

        Members of composites and arrays are called ``name.member``.
        """
        return MappingProxyType(self._connections)

    @property
    def composites(self) -> Mapping[str, CompositeElement]:
        """Composite connections by name, in the order of adding."""
        return MappingProxyType(self._composites)

    @property
    def states(self) -> Mapping[str, Connection]:
        """First-order states of their own by element name, in the order of adding."""
        return MappingProxyType(self._states)

    @property
    def arrays(self) -> Mapping[str, ConnectionArray]:
        """Arrays of connections by name, in the order of adding."""
        return MappingProxyType(self._arrays)

    @property
    def wholes(self) -> Mapping[str, CompositeElement | ConnectionArray]:
        """Composites and arrays by the names of their members among the connections."""
        both: list[CompositeElement | ConnectionArray] = [*self._composites.values()]
        both += self._arrays.values()
        return {member: whole for whole in both for member in whole.member_names}

    @property
    def contacts(self) -> Mapping[str, Connection | ContactGroup]:
        """Contacts of contours by name: single ones, which are connections too, then groups."""
        single = {name: c for name, c in self._connections.items() if isinstance(c.measure, Gap)}
        return MappingProxyType({**single, **self._contacts})

    @property
    def contact_groups(self) -> Mapping[str, ContactGroup]:
        """Groups of contacts by name, in the order of adding."""
        return MappingProxyType(self._contacts)

    @property
    def frames(self) -> Mapping[str, Frame]:
        """Named frames, in the order of adding."""
        return MappingProxyType(self._frames)

    @property
    def groups(self) -> Mapping[str, GroupElement]:
        """Groups by full name, in the order of making; those of parts too."""
        return MappingProxyType(self._groups)

    @property
    def parts(self) -> Mapping[str, BuiltPart]:
        """Parts by full name, in the order of adding; those inside others too."""
        groups = [group for group in self._groups.values() if group.built is not None]
        groups.sort(key=lambda group: group.begin["group"])
        return MappingProxyType({g.name: g.built for g in groups if g.built is not None})

    @property
    def element_names(self) -> frozenset[str]:
        """Full names of all elements; of composites their own and those of their members."""
        tables = (table for word, table in self.tables().items() if word != "group")
        return frozenset(name for table in tables for name in table)

    def sort_groups(self, first: Iterable[str]) -> None:
        """Put groups in an order: those named first, then the others as they are."""
        self._groups = {name: self._groups[name] for name in (*first, *self._groups)}

    def tables(self) -> dict[str, dict[str, Any]]:
        """Tables of the elements by their kind, as they are held; changing one is trusted."""
        return {
            "body": self._bodies,
            "joint": self._joints,
            "coordinate": self._coordinates,
            "connection": self._connections,
            "composite": self._composites,
            "state element": self._states,
            "connection array": self._arrays,
            "contact group": self._contacts,
            "frame": self._frames,
            "group": self._groups,
        }

    def _content(self) -> tuple[Any, ...]:
        ordered = (list(t.items()) for word, t in self.tables().items() if word != "group")
        return self._name, frozenset(self._groups), *ordered

    def _find(self, word: str, table: Mapping[str, Element], name: str) -> Element:
        if not isinstance(name, str) or name not in table:
            raise unknown_name(word, str(name), table, f"model {self._name!r}")
        return table[name]

    def _build(self, name: str, part: Part) -> BuiltPart:
        """Build a part into its group, whole or not at all."""
        from jourdain.model.parts.group import Group  # noqa: PLC0415

        begin = self._sizes()
        with self._whole():
            self._open_group(name)
            self._building.append(name)
            try:
                ports = checked_ports(name, part.build(Group(self, name)))
            finally:
                self._building.pop()
            self._require_inside(name, begin)
        built = BuiltPart(name, part, ports)
        self._groups[name] = GroupElement(name, built, begin)
        return built

    def _build_array(self, name: str, parts: Sequence[Part]) -> tuple[BuiltPart, ...]:
        """Build parts into one group, whole or not at all."""
        with self._whole():
            self._open_group(name)
            return tuple(self._build(f"{name}.{k}", part) for k, part in enumerate(parts))

    def _sizes(self) -> dict[str, int]:
        return {word: len(table) for word, table in self.tables().items()}

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Take away what a block has added, if it fails."""
        begin = self._sizes()
        try:
            yield
        except BaseException:
            for word, table in self.tables().items():
                while len(table) > begin[word]:
                    table.popitem()
            raise

    def _require_inside(self, name: str, begin: Mapping[str, int]) -> None:
        """Refuse elements that a part has added elsewhere."""
        for word, table in self.tables().items():
            for added in list(table)[begin[word] :]:
                if added != name and not is_inside(added, name):
                    raise ModelError(
                        f"part {name!r} has added the {word} {added!r}, which does not lie in it. "
                        "Add elements through the group that build(self, group) is given."
                    )

    def _open_group(self, name: str) -> None:
        """Make a group, and those it lies in, unless they are there."""
        for each in (*groups_of(name), name):
            if each not in self._groups:
                self._require_free(each, "group")
                self._groups[each] = GroupElement(each)

    def _require_free(self, name: str, word: str) -> None:
        """Check that a name can be given to a new element."""
        tables = self.tables()
        for group in groups_of(name):
            is_part = group in self._groups and self._groups[group].built is not None
            if is_part and group not in self._building:
                raise ModelError(
                    f"the {word} {name!r} cannot be added: {group!r} is a part, and what it holds "
                    "is made by its build(...). Add it outside, and connect it to a port."
                )
        taken = [kind for kind, table in tables.items() if name in table]
        if not taken or (word not in taken and {word, *taken} == _TOGETHER):
            return
        known = {known for table in tables.values() for known in table}
        stem = f"{name}_{word.replace(' ', '_')}" if word != taken[0] else name
        free = next(
            x for k in range(1, len(known) + 2) if (x := stem + f"_{k}" * (k > 1)) not in known
        )
        raise ModelError(
            f"model {self._name!r} already has a {taken[0]} {name!r}. Elements and groups have "
            "different names, because results are addressed as 'element.quantity'; only a body and "
            f"a joint may share one. Call the new {word} {free.rpartition('.')[2]!r}."
        )


def _elastic(body: Body) -> JointElement:
    """Elastic coordinates of a flexible body, as the joint that they will be."""
    named = {} if body.elastic is None else body.elastic.coordinates
    kind = Elastic(tuple(named), tuple(named.values()))
    return JointElement(f"{body.name}.elastic", Frame(WORLD), Frame(body.name), kind)
