"""Freewheels (4.F36) and dog clutches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from jourdain.errors import ModelError
from jourdain.library.powertrain.angles import (
    AngleField,
    AngleOrNoneField,
    difference,
    hold_angles,
)
from jourdain.model.laws.locked import Locked, WhenField
from jourdain.model.laws.unilateral import Unilateral
from jourdain.model.measures.rate import Rate
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial.annotations import preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class OneWayClutch(Part):
    """A freewheel: a takes b along, and b may run ahead (4.F36).

        forward:   0 ≤ ω_b − ω_a ⊥ M ≥ 0,   M acts on b with + and on a with −
        backward:  0 ≤ ω_a − ω_b ⊥ −M ≥ 0

    To the housing: ``OneWayClutch(None, stator)`` holds the stator against turning backward,
    ``OneWayClutch(shaft, None)`` holds a shaft against turning forward.

    Parameters
    ----------
    a, b : Measure or None
        Angles of the two shafts; None is the housing.
    direction : {"forward", "backward"}
        Sense in which a takes b along.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("bicycle")
    >>> crank, wheel = (model.add(n, pt.Shaft(1.0)) for n in ("crank", "wheel"))
    >>> hub = model.add("hub", pt.OneWayClutch(crank.angle, wheel.angle))
    >>> law = jd.Force(lambda t: jd.where(t < 1, 4.0, -4.0))
    >>> push = model.add_connection("push", crank.angle, law)
    >>> sol = jd.simulate(model, 2.0)
    >>> [round(float(sol[name][-1]), 6) for name in ("crank.speed", "wheel.speed")]
    [-2.0, 2.0]
    """

    a: AngleOrNoneField = preset(default=None)
    b: AngleOrNoneField = preset(default=None)
    direction: Literal["forward", "backward"] = "forward"

    def __post_init__(self) -> None:
        hold_angles(self, housing=("a", "b"))
        if self.direction not in ("forward", "backward"):
            raise ModelError(
                f"direction of OneWayClutch is {self.direction!r}: give 'forward' or 'backward'."
            )
        difference(self.a, self.b)

    def build(self, group: Group) -> Mapping[str, Any]:
        """A one-sided law on the difference of the speeds."""
        ends = (self.b, self.a) if self.direction == "forward" else (self.a, self.b)
        group.add_connection("catch", Rate(difference(*ends)), Unilateral())
        return {"a": self.a, "b": self.b}

    def results(self, name: str) -> Mapping[str, Result]:
        """Torque from a to b, and the speed by which it runs free, not below zero."""
        sign = 1.0 if self.direction == "forward" else -1.0
        catch = f"{name}.catch"
        return {
            "torque": Result(
                "N m",
                f"torque from a to b through {name}",
                (f"{catch}.normal_force",),
                lambda x: sign * x,
            ),
            "slip": Result("rad/s", f"speed by which {name} runs free", (f"{catch}.gap_rate",)),
        }


class DogClutch(Part):
    """Claws: two shafts turn as one while ``when`` is above zero.

    Where it closes with a difference of speeds, an impulse of the whole train takes it away, and
    energy with it.

    Parameters
    ----------
    a : Measure
        Angle of a shaft.
    b : Measure or None
        Angle of the other; None is the housing: a parking lock.
    when : function of (x, v, at), Signal, or name of an input
        Closed while it is above zero, see `jourdain.Locked`; by default the input ``closed``.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("dogs")
    >>> one, two = (model.add(n, pt.Shaft(J)) for n, J in (("one", 3.0), ("two", 1.0)))
    >>> dogs = model.add("dogs", pt.DogClutch(one.angle, two.angle, lambda x, v, at: at.t - 0.5))
    >>> round(float(jd.simulate(model, 1.0, start={"one.speed": 8.0})["two.speed"][-1]), 9)
    6.0
    """

    a: AngleField
    b: AngleOrNoneField = preset(default=None)
    when: WhenField = preset(default="closed")

    def __post_init__(self) -> None:
        hold_angles(self, "a", housing=("b",))
        Locked(self.when)

    def build(self, group: Group) -> Mapping[str, Any]:
        """A constraint that comes and goes."""
        group.add_connection("dogs", difference(self.a, self.b), Locked(self.when))
        return {"a": self.a, "b": self.b}

    def results(self, name: str) -> Mapping[str, Result]:
        """Torque and slip."""
        return {
            "torque": Result(
                "N m",
                f"torque from a to b through {name}",
                (f"{name}.dogs.force",),
                lambda force: -force,
            ),
            "slip": Result("rad/s", f"slip of {name}", (f"{name}.dogs.slip",)),
        }
