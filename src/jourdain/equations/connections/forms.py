"""Forms of measures and laws: what connections of one kind have in common.

The form of an element is what is left when its numbers and the names of its bodies and coordinates
are taken out. Connections of one form are traced once, on symbols in the place of the numbers and
with names of their own; `Given` says what belongs in their place.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import casadi as ca

from jourdain.equations.connections.scene import Actual
from jourdain.model.elements import WORLD, Frame
from jourdain.model.measures.coordinate import Coordinate
from jourdain.spatial.parameter import Expression, evaluate

OWN = "#own"
"""Name of a connection that stands for all of its form."""
_MARK = "#"  # begins names that stand for others
_PLAIN = (0.0, 1.0, -1.0)  # belong to the form: axes and signs are made of them
_NUMBER, _NAME = "number", "name"


@dataclass(frozen=True)
class Form:
    """An element taken apart.

    Parameters
    ----------
    key : hashable
        Equal for elements of one form.
    numbers : tuple
        Its numbers, or expressions of parameters.
    names : tuple of str
        Bodies and coordinates it refers to, each once.
    """

    key: Hashable
    numbers: tuple[Any, ...]
    names: tuple[str, ...]

    def given(self, owner: str, values: Mapping[str, Any]) -> Given:
        """What belongs in the place of the symbols and names of its form."""
        numbers = tuple(evaluate(x, values) for x in self.numbers)
        return Given({f"{_MARK}{k}": name for k, name in enumerate(self.names)}, numbers, owner)


@dataclass(frozen=True)
class Given:
    """Names and numbers of one connection, for what was traced for all of its form.

    Parameters
    ----------
    names : mapping of str to str
        Name in the form → name of a body or a coordinate.
    numbers : tuple
        Numbers or expressions of parameters.
    owner : str
        Name of the connection.
    """

    names: Mapping[str, str]
    numbers: tuple[Any, ...]
    owner: str

    def actual(self, actual: Actual) -> Actual:
        """Motion, states and inputs by the names of the form."""
        tables = {name: getattr(actual, name) for name in _TABLES}
        return replace(actual, **{name: _Renamed(table, self) for name, table in tables.items()})

    def name(self, name: str) -> str:
        """Name that a name of the form stands for; others are as they are."""
        if name.startswith(f"{OWN}."):
            return f"{self.owner}{name.removeprefix(OWN)}"
        return self.names.get(name, name)

    def by_name(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """Derivatives by the names they stand for; those of one thing add up."""
        found: dict[str, Any] = {}
        for name, x in table.items():
            own = self.name(name)
            found[own] = found[own] + x if own in found else x
        return found


_TABLES = ("bodies", "coordinates", "states", "inputs", "state_rates", "input_rates")


class _Renamed(Mapping[str, Any]):
    """Table by the names of a form."""

    def __init__(self, table: Mapping[str, Any], given: Given) -> None:
        self._table, self._given = table, given

    def __getitem__(self, name: str) -> Any:
        return self._table[self._given.name(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)


class FormNames:
    """Names that measures may ask for: those there are, and those that stand for others."""

    def __init__(self, names: Any) -> None:
        self._names = names

    def __contains__(self, name: object) -> bool:
        return name in self._names or (isinstance(name, str) and name.startswith(_MARK))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def form_of(*elements: Any) -> Form:
    """Take elements apart; measures and laws of users are left whole."""
    taken = _Taken()
    key = tuple(taken.key(element) for element in elements)
    return Form(key, tuple(taken.numbers), tuple(taken.names))


def twins_of(*elements: Any) -> tuple[list[Any], list[Any]]:
    """Elements with symbols for numbers and names that stand for others, and the symbols."""
    filling = _Filling()
    return [filling.twin(element) for element in elements], filling.symbols


def _is_open(value: Any) -> bool:
    """Whether an element is one of ours, whose fields are all that it depends on."""
    is_record = is_dataclass(value) and not isinstance(value, type)
    return is_record and type(value).__module__.startswith("jourdain.model.")


def _is_number(value: Any) -> bool:
    if isinstance(value, Expression):
        return True
    return isinstance(value, float) and value not in _PLAIN


class _Taken:
    """Numbers and names in the order in which they are found."""

    def __init__(self) -> None:
        self.numbers: list[Any] = []
        self.names: dict[str, int] = {}

    def key(self, value: Any) -> Hashable:
        if _is_number(value):
            self.numbers.append(value)
            return _NUMBER
        if isinstance(value, tuple):
            return tuple(self.key(item) for item in value)
        if isinstance(value, Frame):
            return self._name(value.body), self.key(value.position), value.rotation
        if isinstance(value, Coordinate):
            return Coordinate, self._name(value.name), value.unit
        if _is_open(value):
            return type(value), *(self.key(getattr(value, f.name)) for f in fields(value))
        try:
            hash(value)
        except TypeError:
            return id(value)
        return type(value), value

    def _name(self, name: str) -> Hashable:
        if name == WORLD:
            return WORLD
        return _NAME, self.names.setdefault(name, len(self.names))


class _Filling:
    """Symbols and names in the order of `_Taken`."""

    def __init__(self) -> None:
        self.symbols: list[Any] = []
        self._names: dict[str, str] = {}

    def twin(self, value: Any) -> Any:
        if _is_number(value):
            self.symbols.append(ca.SX.sym("number"))
            return self.symbols[-1]
        if isinstance(value, tuple):
            return tuple(self.twin(item) for item in value)
        if isinstance(value, Frame):
            own = {"body": self._name(value.body), "position": self.twin(value.position)}
            return _changed(value, own)
        if isinstance(value, Coordinate):
            return _changed(value, {"name": self._name(value.name)})
        if _is_open(value):
            return _changed(
                value, {f.name: self.twin(getattr(value, f.name)) for f in fields(value)}
            )
        return value

    def _name(self, name: str) -> str:
        if name == WORLD:
            return WORLD
        return self._names.setdefault(name, f"{_MARK}{len(self._names)}")


def _changed(value: Any, changes: Mapping[str, Any]) -> Any:
    """Copy with other fields, which are not checked again."""
    twin = copy.copy(value)
    for name, x in changes.items():
        object.__setattr__(twin, name, x)
    return twin
