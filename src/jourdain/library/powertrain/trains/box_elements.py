"""What a `Transmission` is made of, by the names of its shafts: sets, pairs, shift elements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from jourdain.library.powertrain.clutches.capacity import CapacityField
from jourdain.library.powertrain.clutches.clutch import Brake, Clutch
from jourdain.library.powertrain.clutches.freewheel import DogClutch, OneWayClutch
from jourdain.library.powertrain.trains.gear import Gear, require_ratio
from jourdain.library.powertrain.trains.planetary_set import PlanetarySet, set_teeth
from jourdain.model.laws.locked import WhenField
from jourdain.model.parts.part import Part
from jourdain.spatial.annotations import Number, NumberField, Takes, preset, record
from jourdain.spatial.parameter import nominal

Angles: TypeAlias = Mapping[str, Any]
"""Angles of shafts by their names."""


@record()
class GearSet:
    """A planetary set of a `Transmission`, by the names of its shafts.

    Parameters
    ----------
    sun, ring, carrier : str
        Names of shafts.
    teeth : (float, float)
        Teeth of sun and ring, as those of `PlanetarySet`.
    planets : int
        Number of planets.
    spin, mass, radius : float [kg m^2, kg, m]
        Of a planet, as those of `PlanetarySet`.
    """

    sun: str
    ring: str
    carrier: str
    teeth: Takes[tuple[Number, Number], Any]
    planets: int = 3
    spin: NumberField = preset(default=0.0)
    mass: NumberField = preset(default=0.0)
    radius: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "teeth", set_teeth(self.teeth, self.planets, "GearSet"))

    def relation(self) -> dict[str, float]:
        """Factors of the speeds of its shafts, whose sum is zero."""
        s, r = (float(nominal(z)) for z in self.teeth)
        return {self.sun: s / (s + r), self.ring: r / (s + r), self.carrier: -1.0}

    def part(self, at: Angles) -> Part:
        """What it is in the box."""
        planets = self.planets, self.spin, self.mass, self.radius
        return PlanetarySet(at[self.sun], at[self.ring], at[self.carrier], self.teeth, *planets)


@record()
class GearPair:
    """Two wheels of a `Transmission` that mesh, by the names of their shafts: ω_a = i ω_b.

    Parameters
    ----------
    a, b : str
        Names of shafts.
    ratio : float
        Ratio i, as that of `Gear`: −z_b/z_a for two outer wheels.
    """

    a: str
    b: str
    ratio: NumberField

    def __post_init__(self) -> None:
        require_ratio(self.ratio, "ratio of GearPair")

    def relation(self) -> dict[str, float]:
        """Factors of the speeds of its shafts, whose sum is zero."""
        return {self.a: 1.0, self.b: -float(nominal(self.ratio))}

    def part(self, at: Angles) -> Part:
        """What it is in the box."""
        return Gear(at[self.a], at[self.b], self.ratio)


@record()
class ShiftElement:
    """A clutch or brake of a `Transmission`, by the names of its shafts.

    Parameters
    ----------
    a : str
        Name of a shaft.
    b : str, optional
        Name of the other; without it the housing: a brake.
    capacity : number, function of time, Signal, Plates or None
        As that of `Clutch`.
    """

    a: str
    b: str | None = None
    capacity: CapacityField = preset(default=None)

    def relation(self) -> dict[str, float]:
        """Factors of the speeds of its shafts, whose sum is zero where it is closed."""
        return _together(self.a, self.b)

    def part(self, at: Angles) -> Part:
        """What it is in the box."""
        if self.b is None:
            return Brake(at[self.a], self.capacity)
        return Clutch(at[self.a], at[self.b], self.capacity)


@record()
class DogElement:
    """Claws of a `Transmission`, by the names of its shafts.

    Parameters
    ----------
    a : str
        Name of a shaft.
    b : str, optional
        Name of the other; without it the housing.
    when : function of (x, v, at), Signal, or name of an input
        Closed while it is above zero, as that of `DogClutch`; by default the input ``closed``.
    """

    a: str
    b: str | None = None
    when: WhenField = preset(default="closed")

    def relation(self) -> dict[str, float]:
        """Factors of the speeds of its shafts, whose sum is zero where it is closed."""
        return _together(self.a, self.b)

    def part(self, at: Angles) -> Part:
        """What it is in the box."""
        return DogClutch(at[self.a], None if self.b is None else at[self.b], self.when)


@record()
class FreewheelElement:
    """A freewheel of a `Transmission`: a takes b forward along; None is the housing.

    Parameters
    ----------
    a, b : str or None
        Names of shafts, as those of `OneWayClutch`.
    """

    a: str | None = None
    b: str | None = None

    def relation(self) -> dict[str, float]:
        """Factors of the speeds of its shafts, whose sum is zero where it locks."""
        return _together(self.a, self.b)

    def part(self, at: Angles) -> Part:
        """What it is in the box."""
        a, b = (None if x is None else at[x] for x in (self.a, self.b))
        return OneWayClutch(a, b)


def _together(a: str | None, b: str | None) -> dict[str, float]:
    return {name: factor for name, factor in ((a, 1.0), (b, -1.0)) if name is not None}
