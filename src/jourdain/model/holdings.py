"""The elements that a model holds, by kind and by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from jourdain.errors import ModelError, unknown_name
from jourdain.model.composite import CompositeElement
from jourdain.model.connection import Connection
from jourdain.model.contact_group import ContactGroup
from jourdain.model.elements import Body, CoordinateElement, Frame, JointElement
from jourdain.model.measures.gap import Gap
from jourdain.spatial import check

Element = TypeVar("Element")


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
        self._contacts: dict[str, ContactGroup] = {}
        self._frames: dict[str, Frame] = {}

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
    def coordinates(self) -> Mapping[str, CoordinateElement]:
        """Scalar coordinates by name, in the order of adding."""
        return MappingProxyType(self._coordinates)

    @property
    def connections(self) -> Mapping[str, Connection]:
        """Connections by name, in the order of adding; parts of composites as ``name.part``."""
        return MappingProxyType(self._connections)

    @property
    def composites(self) -> Mapping[str, CompositeElement]:
        """Composite connections by name, in the order of adding."""
        return MappingProxyType(self._composites)

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

    def _tables(self) -> dict[str, dict[str, Any]]:
        return {
            "body": self._bodies,
            "joint": self._joints,
            "coordinate": self._coordinates,
            "connection": self._connections,
            "composite": self._composites,
            "contact group": self._contacts,
            "frame": self._frames,
        }

    def _content(self) -> tuple[Any, ...]:
        return self._name, *(list(t.items()) for t in self._tables().values())

    def _find(self, word: str, table: Mapping[str, Element], name: str) -> Element:
        if not isinstance(name, str) or name not in table:
            raise unknown_name(word, str(name), table, f"model {self._name!r}")
        return table[name]

    def _take(self, name: str, word: str) -> None:
        """Check that a name can be given to a new element."""
        check.name(name, word)
        tables = self._tables()
        taken = next((kind for kind, table in tables.items() if name in table), None)
        if taken is None:
            return
        known = {known for table in tables.values() for known in table}
        stem = f"{name}_{word.replace(' ', '_')}" if word != taken else name
        free = next(
            x for k in range(1, len(known) + 2) if (x := stem + f"_{k}" * (k > 1)) not in known
        )
        raise ModelError(
            f"model {self._name!r} already has a {taken} {name!r}. Bodies, joints, coordinates, "
            "connections and frames have different names, because results are addressed as "
            f"'element.quantity'. Call the new {word} {free!r}."
        )
