"""Types of what users give: numbers, vectors and fields that hold another form than they take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import NDArray

from jourdain.spatial.parameter import Expression

_Class = TypeVar("_Class")
_Taken_contra = TypeVar("_Taken_contra", contravariant=True)
_Held_co = TypeVar("_Held_co", covariant=True)

Number: TypeAlias = float | np.floating[Any] | np.integer[Any] | Expression
"""A number, or a `Parameter` or arithmetic of parameters."""
Numbers: TypeAlias = Number | Sequence[Number] | NDArray[Any]
"""A number, or one for each component of a measure."""
Triple: TypeAlias = Sequence[Number] | NDArray[Any]
"""Three numbers: a position, a direction, lengths along x, y, z."""
Rows: TypeAlias = Sequence[Sequence[Number]] | NDArray[Any]
"""A matrix, such as a rotation."""
Coefficients: TypeAlias = Numbers | Rows
"""A number, one for each component of a measure, or a square matrix."""
Axis: TypeAlias = str | Sequence[float] | NDArray[Any]
"""A letter, ``"x"`` or ``"-x"``, or a unit vector."""
Function: TypeAlias = Callable[..., Any]
"""A function written with `jourdain.math`; the text beside the field says of what."""


class Takes(Generic[_Taken_contra, _Held_co]):
    """Type of a field that takes more than it holds: a body where it holds a frame.

    Type checkers read it as a descriptor: what is given to the constructor, and what comes back.
    ``__post_init__`` changes one into the other; nothing of this class runs.
    """

    def __get__(self, instance: object, owner: Any) -> _Held_co:
        raise NotImplementedError

    def __set__(self, instance: object, value: _Taken_contra) -> None:
        raise NotImplementedError


NumberField: TypeAlias = Takes[Number, Any]
NumbersField: TypeAlias = Takes[Numbers, Any]
NumberOrNoneField: TypeAlias = Takes[Number | None, Any]
TripleField: TypeAlias = Takes[Triple, Any]
SpanField: TypeAlias = Takes[Sequence[Number], Any]
RowsField: TypeAlias = Takes[Rows, Any]
AmountField: TypeAlias = Takes[Number | Function, Any]
AmountsField: TypeAlias = Takes[Numbers | Function, Any]
AmountOrNoneField: TypeAlias = Takes[Number | Function | None, Any]
AmountsOrNoneField: TypeAlias = Takes[Numbers | Function | None, Any]
AxisField: TypeAlias = Takes[Axis, str | tuple[float, float, float]]
AxisOrNoneField: TypeAlias = Takes[Axis | None, Any]


def preset(*, default: Any) -> Any:
    """Field of type `Takes` with a default."""
    return field(default=default)


@dataclass_transform(frozen_default=True, field_specifiers=(field, preset))
def record(*, slots: bool = False) -> Callable[[type[_Class]], type[_Class]]:
    """Frozen dataclass whose fields may be of type `Takes`."""
    return dataclass(frozen=True, slots=slots)
