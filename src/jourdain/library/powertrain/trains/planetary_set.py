"""The simple planetary set (4.F27)."""

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
from jourdain.spatial.annotations import Number, NumberField, Takes, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class PlanetarySet(Part):
    """Sun, ring and carrier with planets between them (4.F27).

        z_S ω_S + z_R ω_R = (z_S + z_R) ω_C,   absolute spin of a planet
        ω_P = (z_R ω_R − z_S ω_S)/(z_R − z_S)

    The inertias of sun, ring and carrier are those of their shafts; planets add theirs here.

    Parameters
    ----------
    sun, ring, carrier : Measure
        Angles of the three shafts.
    teeth : (float, float)
        Teeth of sun and ring, z_S < z_R. Whole numbers are checked for assembly with the planets;
        numbers such as ``(1.0, 2.584)`` give the ratio z_R/z_S only.
    planets : int
        Number of planets n, spaced evenly.
    spin : float [kg m^2]
        Moment of inertia of one planet about its pin.
    mass : float [kg]
        Mass of one planet.
    radius : float [m]
        Distance of the pins from the axis.

    Raises
    ------
    ModelError
        If planets cannot be assembled: (z_S + z_R)/n, or z_P = (z_R − z_S)/2, is no whole number.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("set")
    >>> names = ("sun", "ring", "carrier")
    >>> sun, ring, carrier = (model.add(n, pt.Shaft(0.01)).angle for n in names)
    >>> gears = model.add("gears", pt.PlanetarySet(sun, ring, carrier, teeth=(30, 60)))
    >>> stop = model.add_connection("stop", ring, jd.Equal())
    >>> sol = jd.simulate(model, 1.0, start={"sun.speed": 9.0})
    >>> float(sol["carrier.speed"][-1].round(9))
    3.0
    """

    sun: AngleField
    ring: AngleField
    carrier: AngleField
    teeth: Takes[tuple[Number, Number], Any]
    planets: int = 3
    spin: NumberField = preset(default=0.0)
    mass: NumberField = preset(default=0.0)
    radius: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        hold_angles(self, "sun", "ring", "carrier")
        object.__setattr__(self, "teeth", set_teeth(self.teeth, self.planets, "PlanetarySet"))
        for name in ("spin", "mass", "radius"):
            check.number(getattr(self, name), f"{name} of PlanetarySet", nonnegative=True)

    def build(self, group: Group) -> Mapping[str, Any]:
        """The constraint of the set, and its planets."""
        s, r = self.teeth
        mesh = self.sun * (s / (s + r)) + self.ring * (r / (s + r)) - self.carrier
        group.add_connection("mesh", mesh, Equal())
        turning = self.ring * (r / (r - s)) - self.sun * (s / (r - s))
        add_tied(group, "spin", self.planets * self.spin, turning)
        add_tied(group, "orbit", self.planets * self.mass * self.radius**2, self.carrier)
        return {"sun": self.sun, "ring": self.ring, "carrier": self.carrier}

    def results(self, name: str) -> Mapping[str, Result]:
        """Torques of the set on its shafts, without the inertia of the planets."""
        s, r = map(nominal, self.teeth)
        parts = {"sun": s / (s + r), "ring": r / (s + r), "carrier": -1.0}
        mesh = (f"{name}.mesh.force",)
        return {
            f"torque_{port}": Result(
                "N m", f"torque of {name} on its {port}", mesh, lambda x, part=part: part * x
            )
            for port, part in parts.items()
        }


def set_teeth(teeth: Any, planets: Any, what: str) -> tuple[Any, Any]:
    """Check the teeth of sun and ring, and that the planets fit between them.

    Raises
    ------
    ModelError
        If they do not.
    """
    if not isinstance(teeth, tuple | list) or len(teeth) != 2:
        raise ModelError(
            f"teeth of {what} is {check.shown(teeth)}: give those of sun and ring, (34, 78)."
        )
    s, r = (check.number(z, f"teeth of {what}", positive=True) for z in teeth)
    if not nominal(s) < nominal(r):
        raise ModelError(f"{what} has {s} teeth on its sun and {r} on its ring: the ring has more.")
    if not isinstance(planets, Integral) or planets < 1:
        raise ModelError(f"planets of {what} is {check.shown(planets)}: give 1, 2, 3, …")
    if all(isinstance(z, Integral) for z in teeth):
        require_assembly(int(teeth[0]), int(teeth[1]), int(planets), what)
    return s, r


def require_assembly(sun: int, ring: int, planets: int, what: str) -> None:
    """Refuse planets that cannot be put between sun and ring, evenly spaced."""
    if (ring - sun) % 2:
        raise ModelError(
            f"{what}: planets between {sun} and {ring} teeth would have {(ring - sun) / 2} teeth. "
            "Change one of them by one tooth."
        )
    if (sun + ring) % planets:
        whole = [n for n in range(2, 9) if (sun + ring) % n == 0]
        raise ModelError(
            f"{what}: {planets} planets, evenly spaced, cannot be assembled: {sun} + {ring} = "
            f"{sun + ring} teeth are no multiple of {planets}. Of up to eight planets "
            f"{', '.join(map(str, whole)) or 'none'} can be."
        )
