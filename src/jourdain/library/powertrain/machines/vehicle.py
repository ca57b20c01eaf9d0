"""The vehicle on the road, in one dimension (4.F29)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.powertrain.angles import AngleField, hold_angles
from jourdain.library.powertrain.clutches.capacity import CapacityField, require_capacity
from jourdain.library.powertrain.clutches.clutch import Brake
from jourdain.math.left import Course, end_left, left
from jourdain.model.laws.damper import Damper
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.spring import Spring, is_function
from jourdain.model.laws.unilateral import Interval
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.parts.part import Part, Samples
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import AmountField, NumberField, NumberOrNoneField, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

AIR = 1.2
"""Density of air [kg/m^3]."""
GRAVITY = 9.81


class RoadLoad(ForceLaw):
    """Slope and drag: −m g sin α − ½ ρ c A v |v| (4.F29).

    Parameters
    ----------
    mass : float [kg]
        Of the vehicle.
    drag : float [m^2]
        Drag coefficient times area.
    slope : float or function of the way [rad]
        Angle α of the road, upward.
    """

    mass: NumberField
    drag: NumberField
    slope: AmountField

    def angle(self, x: Any) -> Any:
        """Slope at a place [rad]."""
        return self.slope(x) if is_function(self.slope) else self.slope

    def _drag(self, v: Any) -> Any:
        return 0.5 * AIR * self.drag * v * math.absolute(v)

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Force forward."""
        return -self.mass * GRAVITY * math.sin(self.angle(x)) - self._drag(v)

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """What the air takes."""
        return self._drag(v) * v


class Vehicle(Part):
    """A vehicle that a wheel drives: tyre, rolling resistance, drag, slope and brake (4.F29).

        m ẍ = M_tyre/r − F_roll − m g sin α − ½ ρ c A ẋ |ẋ|,   M_tyre = k (φ − x/r) + d (φ̇ − ẋ/r)

    Rolling resistance and brake are dry friction: a vehicle that stands, stands. Its port is the
    ``position``.

    Parameters
    ----------
    wheel : Measure
        Angle of the wheels.
    mass : float [kg]
        Mass of the vehicle.
    radius : float [m]
        Radius of the tyres.
    stiffness : float [N m/rad], optional
        Torsional stiffness of all tyres that drive; rigid without it.
    damping : float [N m s/rad]
        Their damping.
    rolling : float or function of the speed [m/s]
        Coefficient of rolling resistance, on m g cos α less the lift.
    drag, lift : float [m^2]
        Coefficients of drag and lift times the area.
    slope : float or function of the way [rad]
        Angle of the road, upward.
    brake : number, function of time, Signal, Plates or None [N m]
        Capacity of the brake on the wheel, as that of `Brake`; 0 for none, None for an input.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("car")
    >>> wheel = model.add("wheel", pt.Shaft(2.0))
    >>> car = model.add("car", pt.Vehicle(wheel.angle, 1500.0, 0.3, rolling=0.01))
    >>> push = model.add_connection("push", wheel.angle, jd.Force(300.0))
    >>> sol = jd.simulate(model, 10.0)  # (1000 − 147.15)/(1500 + 2/0.09) · 10
    >>> float(sol["car.speed"][-1].round(6))
    5.602664
    """

    wheel: AngleField
    mass: NumberField
    radius: NumberField
    stiffness: NumberOrNoneField = preset(default=None)
    damping: NumberField = preset(default=0.0)
    rolling: AmountField = preset(default=0.0)
    drag: NumberField = preset(default=0.0)
    lift: NumberField = preset(default=0.0)
    slope: AmountField = preset(default=0.0)
    brake: CapacityField = preset(default=0.0)

    def __post_init__(self) -> None:
        hold_angles(self, "wheel")
        for name, unit in (("mass", "kg"), ("radius", "m")):
            check.number(getattr(self, name), f"{name} of Vehicle", positive=True, unit=unit)
        if self.stiffness is not None:
            check.number(self.stiffness, "stiffness of Vehicle", positive=True, unit="N m/rad")
        for name in ("damping", "drag", "lift"):
            check.number(getattr(self, name), f"{name} of Vehicle", nonnegative=True)
        if not is_function(self.rolling):
            check.number(self.rolling, "rolling of Vehicle", nonnegative=True)
        if not is_function(self.slope):
            slope = nominal(check.number(self.slope, "slope of Vehicle", unit="rad"))
            if abs(slope) >= 0.5 * math.pi:
                raise ModelError(
                    f"slope of Vehicle is {slope:g} rad, steeper than a wall: give radians. A road "
                    "of 5 % has 0.05 rad, one of 5 degrees 0.087 rad."
                )
        require_capacity(self.brake, "brake of Vehicle")

    def build(self, group: Group) -> Mapping[str, Any]:
        """The vehicle, its tyre and what resists it."""
        position = Coordinate(group.add_coordinate("position", self.mass, unit="m"))
        turn = self.wheel - (1.0 / self.radius) * position
        tyre = Equal() if self.stiffness is None else Spring(self.stiffness) + Damper(self.damping)
        group.add_connection("tyre", turn, tyre)
        load = RoadLoad(self.mass, self.drag, self.slope)
        group.add_connection("road", position, load)
        if is_function(self.rolling) or _is_there(self.rolling):
            rolling, lift = self.rolling, 0.5 * AIR * self.lift

            def resists(x: Any, v: Any, at: Any) -> Any:
                weight = self.mass * GRAVITY * math.cos(load.angle(x)) - lift * v * v
                mu = rolling(math.absolute(v)) if is_function(rolling) else rolling
                return mu * math.maximum(0.0, weight)

            group.add_connection("rolling", position, Interval(resists))
        if _is_there(self.brake):
            group.add("brake", Brake(self.wheel, self.brake))
        return {"wheel": self.wheel, "position": position}

    def results(self, name: str) -> Mapping[str, Result]:
        """Speed, acceleration, and the torque of the wheel on the tyre."""
        tyre, where = f"{name}.tyre.force", f"{name}.position"
        return {
            "speed": Result("m/s", f"speed of {name}", (f"{where}.rate",)),
            "acceleration": Result("m/s^2", f"acceleration of {name}", (f"{where}.acceleration",)),
            "torque": Result("N m", f"torque that drives {name}", (tyre,), lambda x: -x),
        }

    def doubts(self, name: str, values: Samples) -> Iterable[str]:
        """Tables of the rolling resistance and of the road that were left."""
        rate, way = f"{name}.road.rate", f"{name}.position"
        speed = Course("speed", "m/s", abs(values(rate)), values.time(rate))
        yield from left(f"rolling resistance of {name!r}", self.rolling, speed)
        if isinstance(self.slope, math.Table):
            place = Course("position", "m", values(way), values.time(way))
            yield from end_left(f"slope of {name!r}", self.slope, place)


def _is_there(value: Any) -> bool:
    """Whether a field is not the number zero."""
    return not isinstance(value, float | int) or value > 0.0
