"""Ideal gears between two shafts (4.F33), and the differential (4.F35)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain.errors import ModelError
from jourdain.library.powertrain.angles import AngleField, hold_angles
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.unilateral import Interval
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class Gear(Part):
    """An ideal gear: ω_a = i ω_b (4.F33). Seen from a, an inertia at b counts J/i².

    Parameters
    ----------
    a, b : Measure
        Angles of the two shafts.
    ratio : float
        Ratio i, not zero: z_b/z_a for an inner wheel, −z_b/z_a for two outer wheels.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("gear")
    >>> a, b = (model.add(n, pt.Shaft(J)) for n, J in (("a", 0.1), ("b", 0.9)))
    >>> gear = model.add("gear", pt.Gear(a.angle, b.angle, ratio=-3.0))
    >>> push = model.add_connection("push", a.angle, jd.Force(2.0))
    >>> sol = jd.simulate(model, 1.0)  # 2/(0.1 + 0.9/9)
    >>> [float(sol[n][-1].round(6)) for n in ("a.speed", "b.speed", "gear.torque_b")]
    [10.0, -3.333333, -3.0]
    """

    a: AngleField
    b: AngleField
    ratio: NumberField

    def __post_init__(self) -> None:
        hold_angles(self, "a", "b")
        require_ratio(self.ratio, "ratio of Gear")

    def build(self, group: Group) -> Mapping[str, Any]:
        """A constraint."""
        group.add_connection("mesh", self.a - self.ratio * self.b, Equal())
        return {"a": self.a, "b": self.b}

    def results(self, name: str) -> Mapping[str, Result]:
        """Torques that it gives to its shafts."""
        torque, i = (f"{name}.mesh.force",), nominal(self.ratio)
        return {
            "torque_a": Result("N m", f"torque of {name} on a", torque),
            "torque_b": Result("N m", f"torque of {name} on b", torque, lambda x: -i * x),
        }


def require_ratio(value: Any, what: str) -> None:
    """Refuse a ratio that is zero."""
    if nominal(check.number(value, what)) == 0.0:
        raise ModelError(f"{what} is 0: the input would stand still. Give ω_in/ω_out.")


class Differential(Part):
    """Final drive and differential: ω_in = i (ω_left + ω_right)/2 (4.F35).

    Both sides get the same torque, i/2 of that of the input, but for the friction between them.

    Parameters
    ----------
    input, left, right : Measure
        Angles of the three shafts.
    ratio : float
        Ratio i of the final drive.
    friction : float [N m]
        Torque of dry friction between left and right: a limited-slip differential.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("axle")
    >>> shaft, left, right = (model.add(n, pt.Shaft(1.0)) for n in ("shaft", "left", "right"))
    >>> axle = model.add("axle", pt.Differential(shaft.angle, left.angle, right.angle, ratio=4.0))
    >>> brake = model.add_connection("brake", left.angle, jd.Equal())
    >>> sol = jd.simulate(model, 1.0, start={"shaft.speed": 8.0, "right.speed": 4.0})
    >>> float(sol["right.speed"][-1].round(9))
    4.0
    """

    input: AngleField
    left: AngleField
    right: AngleField
    ratio: NumberField = preset(default=1.0)
    friction: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        hold_angles(self, "input", "left", "right")
        require_ratio(self.ratio, "ratio of Differential")
        check.number(self.friction, "friction of Differential", nonnegative=True, unit="N m")

    def build(self, group: Group) -> Mapping[str, Any]:
        """A constraint, and friction."""
        mean = 0.5 * self.ratio * (self.left + self.right)
        group.add_connection("mesh", self.input - mean, Equal())
        if not isinstance(self.friction, float | int) or self.friction > 0.0:
            group.add_connection("lock", self.left - self.right, Interval(self.friction))
        return {"input": self.input, "left": self.left, "right": self.right}

    def results(self, name: str) -> Mapping[str, Result]:
        """Torque that the input gives to each side without friction, and with it."""
        half, mesh, lock = 0.5 * nominal(self.ratio), f"{name}.mesh.force", f"{name}.lock.force"
        text = f"torque of {name} on each side"
        made = {"torque": Result("N m", text, (mesh,), lambda x: -half * x)}
        if not isinstance(self.friction, float | int) or self.friction > 0.0:
            for side, sign in (("left", 1.0), ("right", -1.0)):
                text = f"torque of {name} on {side}, with the friction"
                made[f"torque_{side}"] = Result(
                    "N m", text, (mesh, lock), lambda x, y, sign=sign: sign * y - half * x
                )
        return made
