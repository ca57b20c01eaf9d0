"""The Ravigneaux set with rigid teeth (4.F28)."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any

from jourdain.errors import ModelError
from jourdain.library.powertrain.angles import AngleField, add_tied, hold_angles
from jourdain.model.laws.equal import Equal
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, SpanField, preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class Ravigneaux(Part):
    """Two suns, one carrier with long and short planets, one ring (4.F28).

    The large sun meshes with the long planets, which mesh with the ring and with the short planets;
    the small sun meshes with the short ones::

        (ω_R − ω_C) z_R = −(ω_large − ω_C) z_large = (ω_small − ω_C) z_small

    The inertias of suns, ring and carrier are those of their shafts; planets add theirs here.

    Parameters
    ----------
    large, small, ring, carrier : Measure
        Angles of the shafts: sun of the long planets, sun of the short planets, ring, carrier.
    teeth : (float, float, float)
        Teeth of large sun, small sun and ring.
    planet_teeth : (float, float)
        Teeth of a long and of a short planet.
    planets : int
        Number of pairs of planets.
    spin : (float, float) [kg m^2]
        Moments of inertia of a long and of a short planet about their pins.
    orbit : float [kg m^2]
        Moment of inertia of the masses of all planets about the axis, Σ m r².

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("set")
    >>> names = ("large", "small", "ring", "carrier")
    >>> shafts = [model.add(n, pt.Shaft(0.01)).angle for n in names]
    >>> box = model.add("box", pt.Ravigneaux(*shafts, teeth=(34, 28, 78), planet_teeth=(22, 20)))
    >>> stop = model.add_connection("stop", shafts[3], jd.Equal())
    >>> start = {"small.speed": 78.0, "ring.speed": 28.0, "large.speed": -28.0 * 78.0 / 34.0}
    >>> float(jd.simulate(model, 0.1, start=start)["ring.speed"][-1].round(9))
    28.0
    """

    large: AngleField
    small: AngleField
    ring: AngleField
    carrier: AngleField
    teeth: SpanField
    planet_teeth: SpanField
    planets: int = 3
    spin: SpanField = preset(default=(0.0, 0.0))
    orbit: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        hold_angles(self, "large", "small", "ring", "carrier")
        for name, n, positive in (
            ("teeth", 3, True),
            ("planet_teeth", 2, True),
            ("spin", 2, False),
        ):
            value, what = getattr(self, name), f"{name} of Ravigneaux"
            if not isinstance(value, tuple | list) or len(value) != n:
                raise ModelError(f"{what} is {check.shown(value)}: give {n} numbers.")
            checked = tuple(
                check.number(x, what, positive=positive, nonnegative=True) for x in value
            )
            object.__setattr__(self, name, checked)
        check.number(self.orbit, "orbit of Ravigneaux", nonnegative=True, unit="kg m^2")
        if not isinstance(self.planets, Integral) or self.planets < 1:
            raise ModelError(f"planets of Ravigneaux is {check.shown(self.planets)}: give 1, 2, …")

    def build(self, group: Group) -> Mapping[str, Any]:
        """Two constraints, and the planets."""
        c, first = self.carrier, self.large - self.carrier
        (s1, s2, h), (p1, p2) = self.teeth, self.planet_teeth
        group.add_connection("ring_mesh", (self.ring - c) + first * (s1 / h), Equal())
        group.add_connection("sun_mesh", (self.small - c) + first * (s1 / s2), Equal())
        long, short = c - first * (s1 / p1), c + first * (s1 / p2)
        for name, spin, angle in zip(("long", "short"), self.spin, (long, short), strict=True):
            add_tied(group, name, self.planets * spin, angle)
        add_tied(group, "orbit", self.orbit, c)
        return {"large": self.large, "small": self.small, "ring": self.ring, "carrier": c}

    def results(self, name: str) -> Mapping[str, Result]:
        """Torques of the set on ring and small sun, without the inertia of the planets."""
        return {
            f"torque_{port}": Result(
                "N m", f"torque of {name} on its {port}", (f"{name}.{mesh}.force",)
            )
            for port, mesh in (("ring", "ring_mesh"), ("small", "sun_mesh"))
        }
