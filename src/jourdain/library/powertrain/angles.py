"""Angles of shafts: what parts of a drive train are joined to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeAlias

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.elements import CoordinateElement, JointElement
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.law import ForceLaw
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.measures.formula import Formula
from jourdain.model.measures.measure import Measure
from jourdain.model.parts.part import BuiltPart
from jourdain.spatial import check
from jourdain.spatial.annotations import Takes

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

AngleField: TypeAlias = Takes[Measure | CoordinateElement | JointElement, Measure]
"""Field that takes an angle, a coordinate or a joint with one coordinate, and holds a measure."""
AngleOrNoneField: TypeAlias = Takes[
    Measure | CoordinateElement | JointElement | None, Measure | None
]
"""The same, or None for the housing."""
ANGLE_UNIT = "rad"


def hold_angles(part: Any, *names: str, housing: Sequence[str] = ()) -> None:
    """Make measures of the angles in fields of a part; those in ``housing`` may be None.

    Raises
    ------
    ModelError
        If a field holds something else, or two hold the angle of the same shaft.
    """
    held: dict[str, str] = {}
    for name in (*names, *housing):
        value = getattr(part, name)
        if isinstance(value, CoordinateElement | JointElement):
            value = Coordinate(value)
        if not isinstance(value, Measure) and not (value is None and name in housing):
            ground = ", or None for the housing" if name in housing else ""
            raise ModelError(
                f"{name} of {type(part).__name__} is {check.shown(value)}: give the angle of a "
                f"shaft, such as {_angle_of(value)}{ground}."
            )
        if isinstance(value, Coordinate) and held.setdefault(value.name, name) != name:
            raise ModelError(
                f"{held[value.name]} and {name} of {type(part).__name__} are both the angle "
                f"{value.name!r}: give those of two shafts."
            )
        object.__setattr__(part, name, value)


def _angle_of(value: Any) -> str:
    """What may be meant: a port of the part that was given, or an example."""
    if isinstance(value, BuiltPart):
        angles = [port for port, x in value.ports.items() if isinstance(x, Measure)]
        if angles:
            return " or ".join(f"{value.name}.{port}" for port in angles)
    return 'box.input or jd.Coordinate("main.angle")'


def difference(a: Measure | None, b: Measure | None) -> Measure:
    """Angle a − b; None is the housing."""
    if b is not None:
        return -1.0 * b if a is None else a - b
    if a is None:
        raise ModelError("both ends are the housing (None): give the angle of a shaft for one.")
    return a


class Angles(Measure):
    """Several coordinates at once, for laws whose torques on them differ.

    Parameters
    ----------
    members : tuple of Measure
        The angles, and volumes that flow.
    names : tuple of str
        Names of the components.
    """

    members: tuple[Measure, ...]
    names: tuple[str, ...]

    @property
    def unit(self) -> str:  # type: ignore[override]
        """Unit of the first."""
        return self.members[0].unit

    @property
    def size(self) -> int:  # type: ignore[override]
        """Number of them."""
        return len(self.members)

    @property
    def labels(self) -> tuple[str, ...]:
        """Their names."""
        return self.names

    @property
    def component_units(self) -> tuple[str, ...]:
        """Their units."""
        return tuple(member.unit for member in self.members)

    def value(self, at: Any) -> Any:
        """All values."""
        return math.vector(*(member.value(at) for member in self.members))


def still() -> Measure:
    """Measure that never changes: its force acts on nothing, and is a number for the results."""
    return Formula(lambda at: 0.0 * at.t, unit=ANGLE_UNIT)


class Reading(ForceLaw):
    """A number for the results, on a measure that never changes: it acts on nothing.

    Parameters
    ----------
    quantity : function of ``at``
        The number.
    inputs : mapping of str to str
        Inputs that it has, with units.
    """

    quantity: Callable[[Any], Any]
    inputs: Mapping[str, str] = field(default_factory=dict, hash=False)

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """The number."""
        return self.quantity(at) + 0.0 * v


def add_reading(
    group: Group, name: str, quantity: Callable[[Any], Any], inputs: Mapping[str, str] | None = None
) -> None:
    """Add a number for the results, ``name.force``, and inputs if any."""
    group.add_connection(name, still(), Reading(quantity, inputs or {}))


def add_tied(group: Group, name: str, inertia: Any, angle: Measure, *, unit: str = "rad") -> None:
    """Add an inertia that moves with a measure; nothing where it is zero."""
    if isinstance(inertia, float | int) and inertia == 0.0:
        return
    own = Coordinate(group.add_coordinate(name, inertia, unit=unit))
    group.add_connection(f"{name}_tie", own - angle, Equal())
