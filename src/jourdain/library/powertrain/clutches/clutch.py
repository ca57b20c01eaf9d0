"""Friction clutches and brakes (4.F37)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.library.powertrain.angles import (
    AngleField,
    add_reading,
    difference,
    hold_angles,
)
from jourdain.library.powertrain.clutches.capacity import (
    Capacity,
    CapacityField,
    Plates,
    require_capacity,
)
from jourdain.math.left import Course, end_left
from jourdain.model.laws.unilateral import Interval
from jourdain.model.measures.measure import Measure
from jourdain.model.parts.part import Part, Samples
from jourdain.model.parts.result import Result
from jourdain.spatial.annotations import preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

FRICTION = "friction"
"""Connection of a clutch: ``box.A.friction``."""


def add_friction(group: Group, slip: Measure, given: Any) -> None:
    """Add dry friction of a capacity, and what it holds."""
    capacity = Capacity(given, group.path(FRICTION))
    law = Interval(lambda x, v, at: capacity.sliding(v, at), capacity.inputs, capacity.static)
    group.add_connection(FRICTION, slip, law)
    add_reading(group, "holds", capacity.holding)


def friction_left(name: str, given: Any, values: Samples) -> Iterable[str]:
    """Text about a table of the friction of plates that was left."""
    if not isinstance(given, Plates) or not isinstance(given.friction, math.Table):
        return ()
    slip = f"{name}.{FRICTION}.slip"
    course = Course("slip", "rad/s", values(slip), values.time(slip))
    return end_left(f"friction of the plates of {name!r}", given.friction, course)


def friction_results(name: str) -> dict[str, Result]:
    """Torque, slip, what it holds, and what is lost."""
    own = f"{name}.{FRICTION}"
    return {
        "torque": Result(
            "N m", f"torque from a to b through {name}", (f"{own}.force",), lambda force: -force
        ),
        "slip": Result("rad/s", f"slip of {name}, a less b", (f"{own}.slip",)),
        "capacity": Result("N m", f"largest torque that {name} holds", (f"{name}.holds.force",)),
        "loss": Result("W", f"friction power of {name}", (f"{own}.power",), lambda power: -power),
        "heat": Result("J", f"friction energy of {name}", (f"{own}.work",), lambda work: -work),
    }


class Clutch(Part):
    """A friction clutch between two shafts, which sticks or slips (4.F37).

        slip: M = M_slip(v), against it;   stick: |M| ≤ M_stick

    Parameters
    ----------
    a, b : Measure
        Angles of the two shafts.
    capacity : number, function of time, Signal, or Plates [N m], optional
        Largest torque; `Plates` have it from their pressure. Without it the clutch has an input
        ``capacity``. Below zero counts as zero.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("start")
    >>> one, two = (model.add(n, pt.Shaft(J)) for n, J in (("one", 0.2), ("two", 1.0)))
    >>> clutch = model.add("clutch", pt.Clutch(one.angle, two.angle, 150.0))
    >>> sol = jd.simulate(model, 1.0, start={"one.speed": 300.0, "two.speed": 100.0})
    >>> [round(float(sol[name][-1]), 3) for name in ("one.speed", "two.speed", "clutch.heat")]
    [133.333, 133.333, 3333.333]
    """

    a: AngleField
    b: AngleField
    capacity: CapacityField = preset(default=None)

    def __post_init__(self) -> None:
        hold_angles(self, "a", "b")
        require_capacity(self.capacity, "capacity of Clutch")

    def build(self, group: Group) -> Mapping[str, Any]:
        """Dry friction on the slip."""
        add_friction(group, difference(self.a, self.b), self.capacity)
        return {"a": self.a, "b": self.b}

    def results(self, name: str) -> Mapping[str, Result]:
        """Torque, slip, capacity, lost power and energy."""
        return friction_results(name)

    def doubts(self, name: str, values: Samples) -> Iterable[str]:
        """A table of the friction that was left."""
        return friction_left(name, self.capacity, values)


class Brake(Part):
    """A clutch to the housing.

    Parameters
    ----------
    shaft : Measure
        Angle of the shaft.
    capacity : number, function of time, Signal, or Plates [N m], optional
        Largest torque, as that of `Clutch`.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("stop")
    >>> wheel = model.add("wheel", pt.Shaft(2.0))
    >>> brake = model.add("brake", pt.Brake(wheel.angle, 10.0))
    >>> sol = jd.simulate(model, 3.0, start={"wheel.speed": 10.0})
    >>> round(sol.events[0].time, 9)
    2.0
    """

    shaft: AngleField
    capacity: CapacityField = preset(default=None)

    def __post_init__(self) -> None:
        hold_angles(self, "shaft")
        require_capacity(self.capacity, "capacity of Brake")

    def build(self, group: Group) -> Mapping[str, Any]:
        """Dry friction on the shaft."""
        add_friction(group, self.shaft, self.capacity)
        return {"shaft": self.shaft}

    def results(self, name: str) -> Mapping[str, Result]:
        """Torque, slip, capacity, lost power and energy."""
        return friction_results(name)

    def doubts(self, name: str, values: Samples) -> Iterable[str]:
        """A table of the friction that was left."""
        return friction_left(name, self.capacity, values)
