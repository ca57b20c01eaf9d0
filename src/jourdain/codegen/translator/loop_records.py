"""Records that Python and translated loops share: ``run.t``, ``contacts.gap[k]``.

A record is a class whose annotations are its fields. Each field takes eight bytes: a number, the
address of an array, or the address of another record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self, get_type_hints

import numpy as np

from jourdain.codegen.kernel import address
from jourdain.codegen.translator.loop_values import DOUBLE, INT, INT_POINTER, POINTER

__all__ = ["Floats", "Integers", "LoopRecord"]

Floats = Annotated[Any, POINTER]
"""Array of doubles, as a field of a record or an argument of a loop."""
Integers = Annotated[Any, INT_POINTER]
"""Array of 64 bit integers."""
_NUMBERS = {POINTER: np.dtype(np.float64), INT_POINTER: np.dtype(np.int64)}


@dataclass(frozen=True)
class Content:
    """What a record held at a moment.

    Parameters
    ----------
    numbers : array of int
        Numbers and addresses as they lie in memory.
    arrays, records : list of tuple
        Name, object and content of each.
    """

    numbers: Any
    arrays: list[tuple[str, Any, Any]]
    records: list[tuple[str, LoopRecord, Content]]


class LoopRecord:
    """Named numbers and arrays in memory that translated loops read and write.

    Fields are ``float``, ``int``, `Floats`, `Integers` or another record. Numbers can be set from
    both sides; arrays and records from Python only. Arrays are not copied: a change of their
    elements is seen by both sides.

    Parameters
    ----------
    **values
        Values of the fields; numbers that are left out are zero.

    Examples
    --------
    >>> class Ball(LoopRecord):
    ...     height: float
    ...     speeds: Floats
    >>> ball = Ball(height=2.0, speeds=np.zeros(3))
    >>> ball.height += 1.0
    >>> ball.height
    3.0
    """

    fields: ClassVar[dict[str, Any]] = {}
    """Kind of each field by name, in the order of memory."""
    places: ClassVar[dict[str, int]] = {}
    """Place of each field in memory."""
    _as_parameter_: int

    def __init__(self, **values: Any) -> None:
        integers = np.zeros(max(len(self.kinds()), 1), dtype=np.int64)
        vars(self).update(
            _integers=integers, _doubles=integers.view(np.float64), _objects={},
            _as_parameter_=address(integers),
        )  # fmt: skip
        for name, value in values.items():
            setattr(self, name, value)

    @classmethod
    def kinds(cls) -> dict[str, Any]:
        """Kind of each field by name: a type of the translator, or the class of a record."""
        if "fields" not in cls.__dict__:
            hints = get_type_hints(cls, include_extras=True)
            cls.fields = {
                name: kind_of(hint) for name, hint in hints.items()
                if name not in LoopRecord.__annotations__
            }  # fmt: skip
            cls.places = {name: place for place, name in enumerate(cls.fields)}
        return cls.fields

    def complete(self) -> Self:
        """Return the record, if no array and no record in it is missing: loops would crash.

        Raises
        ------
        AttributeError
            If one is; the text names it.
        """
        numbers = (DOUBLE, INT)
        missing = [
            name for name, kind in self.kinds().items()
            if kind not in numbers and name not in self._objects
        ]  # fmt: skip
        if missing:
            raise AttributeError(f"{type(self).__name__} has no {', '.join(missing)}.")
        return self

    @property
    def words(self) -> Any:
        """Memory of the record, eight bytes a field; it is not copied."""
        return self._integers

    @property
    def objects(self) -> list[Any]:
        """Arrays and records that it refers to."""
        return list(self._objects.values())

    def content(self) -> Content:
        """All that the record holds now, with the records in it, to `go_back` to."""
        parts = self._objects.items()
        return Content(
            self._integers.copy(),
            [(name, x, x.copy()) for name, x in parts if not isinstance(x, LoopRecord)],
            [(name, x, x.content()) for name, x in parts if isinstance(x, LoopRecord)],
        )

    def go_back(self, content: Content) -> bool:
        """Take back an earlier content; tell whether an array has changed its place."""
        has_moved = False
        for name, array, numbers in content.arrays:
            array[:] = numbers
            if self._objects[name] is not array:
                setattr(self, name, array)
                has_moved = True
        for name, record, own in content.records:
            has_moved = record.go_back(own) or has_moved
            setattr(self, name, record)
        self._integers[:] = content.numbers
        return has_moved

    def has(self, name: str) -> bool:
        """Whether an array or a record of this name was given."""
        return name in self._objects

    def __setattr__(self, name: str, value: Any) -> None:
        kinds = self.kinds()
        if name not in kinds:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}.")
        place, kind = self.places[name], kinds[name]
        if kind == DOUBLE:
            self._doubles[place] = value
        elif kind == INT:
            self._integers[place] = value
        elif kind in _NUMBERS:
            if value.dtype != _NUMBERS[kind] or not value.flags.c_contiguous:
                raise TypeError(
                    f"{type(self).__name__}.{name} takes a contiguous array of "
                    f"{_NUMBERS[kind]}, not one of {value.dtype}."
                )
            self._integers[place] = address(value)
            vars(self)[name] = self._objects[name] = value  # found without a look at the fields
        else:
            if not isinstance(value, kind):
                raise TypeError(f"{type(self).__name__}.{name} takes a {kind.__name__}.")
            self._integers[place] = value._as_parameter_
            vars(self)[name] = self._objects[name] = value

    def __getattr__(self, name: str) -> Any:
        kinds = type(self).kinds()
        if name not in kinds:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}.")
        place, kind = self.places[name], kinds[name]
        if kind == DOUBLE:
            return float(self._doubles[place])
        if kind == INT:
            return int(self._integers[place])
        raise AttributeError(f"{type(self).__name__} was given no {name}.")


def kind_of(hint: Any) -> Any:
    """Kind of a field or argument with this annotation."""
    plain = {float: DOUBLE, int: INT, bool: INT}
    if hint in plain:
        return plain[hint]
    if hint in (Floats, Integers):
        return hint.__metadata__[0]
    if isinstance(hint, type) and issubclass(hint, LoopRecord):
        return hint
    raise TypeError(f"{hint!r} is no type of a compiled loop.")
