"""Capacities of clutches and brakes: what they hold, from torque or pressure (4.F37)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any, TypeAlias

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.hydraulics.nodes.node import PORT, Node
from jourdain.model.laws.signal import Signal
from jourdain.model.laws.spring import is_function
from jourdain.model.parts.part import BuiltPart
from jourdain.spatial import check
from jourdain.spatial.annotations import (
    AmountField,
    Function,
    Number,
    NumberField,
    NumberOrNoneField,
    Takes,
    preset,
    record,
)

SourceField: TypeAlias = Takes[Number | Function | Signal | BuiltPart | None, Any]
"""A number, a function of time, a signal, a hydraulic node, or None for an input."""


def require_source(value: Any, what: str, unit: str) -> Any:
    """Check what a pressure or torque comes from."""
    if value is None or isinstance(value, Signal) or is_function(value):
        return value
    if isinstance(value, BuiltPart):
        if isinstance(value.part, Node) and unit == "Pa":
            return value
        raise ModelError(
            f"{what} is the part {value.name!r} ({type(value.part).__name__}): give a node of a "
            "hydraulic circuit, a number, a function of time, a jd.Signal, or nothing for an input."
        )
    if isinstance(value, str):
        node = ", a node of a hydraulic circuit as `add` returned it" if unit == "Pa" else ""
        raise ModelError(
            f"{what} is {check.shown(value)}: give a number, a function of time, a "
            f"jd.Signal{node}, or nothing for an input."
        )
    return check.number(value, what, nonnegative=True, unit=unit)


def source_now(value: Any, at: Any, own: str) -> Any:
    """Value of a source now; ``own`` is the full name of the input."""
    if value is None:
        return at.input(own)
    if isinstance(value, BuiltPart):
        return at.force(f"{value.name}.{PORT}")
    if isinstance(value, Signal):
        return value.line(at)
    return value(at.t) if is_function(value) else value


@record()
class Stribeck:
    """Friction that falls with the slip: μ = high + (low − high) exp(−|v|/speed).

    Parameters
    ----------
    low : float
        Coefficient at slow slip.
    high : float
        Coefficient at fast slip.
    speed : float [rad/s]
        Slip over which it falls.

    Examples
    --------
    >>> from jourdain.library import powertrain as pt
    >>> round(float(pt.Stribeck(0.14, 0.1, speed=5.0)(5.0)), 6)
    0.114715
    """

    low: NumberField
    high: NumberField
    speed: NumberField

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            check.number(getattr(self, name), f"{name} of Stribeck", nonnegative=True)
        check.number(self.speed, "speed of Stribeck", positive=True, unit="rad/s")

    def __call__(self, slip: Any) -> Any:
        """Coefficient at a slip [rad/s]."""
        return self.high + (self.low - self.high) * math.exp(-math.absolute(slip) / self.speed)


@record()
class Plates:
    """Wet plates that a piston presses (4.F37).

        F = max(0, p A − F_spring),   slip: μ(v) F r n,   stick: up to μ_static F r n

    Parameters
    ----------
    area : float [m^2]
        Area A of the piston.
    radius : float [m]
        Mean radius r of the plates.
    surfaces : int
        Number n of friction surfaces.
    friction : float or function of the slip [rad/s]
        Coefficient μ while it slips, such as `Stribeck`.
    static : float, optional
        Coefficient while it sticks, not below μ(0); by default that.
    spring : float [N]
        Force of the return spring.
    pressure : number, function of time, Signal or hydraulic node [Pa], optional
        Pressure p of the piston; without it the clutch has an input ``pressure``.

    Examples
    --------
    >>> from jourdain.library import powertrain as pt
    >>> plates = pt.Plates(0.01, 0.08, 8, friction=0.12, spring=1000.0, pressure=5e5)
    >>> [round(float(plates.torque(p, 0.0)), 6) for p in (0.5e5, 5e5)]
    [0.0, 307.2]
    """

    area: NumberField
    radius: NumberField
    surfaces: int
    friction: AmountField
    static: NumberOrNoneField = preset(default=None)
    spring: NumberField = preset(default=0.0)
    pressure: SourceField = preset(default=None)

    def __post_init__(self) -> None:
        check.number(self.area, "area of Plates", positive=True, unit="m^2")
        check.number(self.radius, "radius of Plates", positive=True, unit="m")
        if not isinstance(self.surfaces, Integral) or self.surfaces < 1:
            raise ModelError(
                f"surfaces of Plates is {check.shown(self.surfaces)}: give their number, two for "
                "each plate with linings on both sides."
            )
        if not is_function(self.friction):
            check.number(self.friction, "friction of Plates", nonnegative=True)
        if self.static is not None:
            static = check.number(self.static, "static of Plates", nonnegative=True)
            least = self.friction(0.0) if is_function(self.friction) else self.friction
            if isinstance(static, float) and isinstance(least, float | int) and static < least:
                raise ModelError(
                    f"Plates have static={static:g}, less than their friction {least:g} at rest: "
                    "plates that stick hold at least as much as plates that slip."
                )
        check.number(self.spring, "spring of Plates", nonnegative=True, unit="N")
        require_source(self.pressure, "pressure of Plates", "Pa")

    def _arm(self, pressure: Any) -> Any:
        """Normal force times radius and surfaces [N m]."""
        force = math.maximum(0.0, pressure * self.area - self.spring)
        return force * self.radius * self.surfaces

    def torque(self, pressure: Any, slip: Any) -> Any:
        """Torque while they slip [N m]."""
        mu = self.friction(slip) if is_function(self.friction) else self.friction
        return mu * self._arm(pressure)

    def holding(self, pressure: Any) -> Any:
        """Largest torque while they stick [N m]."""
        return (
            self.torque(pressure, 0.0) if self.static is None else self.static * self._arm(pressure)
        )


CapacityField: TypeAlias = Takes[Number | Function | Signal | Plates | None, Any]
"""A torque: number, function of time, signal, or None for an input; or plates."""


@dataclass(frozen=True)
class Capacity:
    """What a friction element of a given full name holds.

    Parameters
    ----------
    given : number, function of time, Signal, Plates or None
        As the user gave it.
    element : str
        Full name of the connection.
    """

    given: Any
    element: str

    @property
    def inputs(self) -> Mapping[str, str]:
        """Names and units of its inputs."""
        if isinstance(self.given, Plates):
            return {"pressure": "Pa"} if self.given.pressure is None else {}
        return {"capacity": "N m"} if self.given is None else {}

    def _pressure(self, at: Any) -> Any:
        return source_now(self.given.pressure, at, f"{self.element}.pressure")

    def sliding(self, v: Any, at: Any) -> Any:
        """Torque at a slip [N m]."""
        if isinstance(self.given, Plates):
            return self.given.torque(self._pressure(at), v)
        return math.maximum(0.0, source_now(self.given, at, f"{self.element}.capacity"))

    @property
    def static(self) -> Callable[..., Any] | None:
        """Largest torque while it sticks; None where that is the torque at no slip."""
        if not isinstance(self.given, Plates) or self.given.static is None:
            return None
        return lambda x, v, at: self.given.holding(self._pressure(at))

    def holding(self, at: Any) -> Any:
        """Largest torque while it sticks [N m]."""
        static = self.static
        return self.sliding(0.0, at) if static is None else static(0.0, 0.0, at)


def require_capacity(value: Any, what: str) -> None:
    """Refuse what is no capacity."""
    if not isinstance(value, Plates):
        require_source(value, what, "N m")
