"""Plane gaps of oil, hydrostatic pads, and friction of full journal bearings (3.F22)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.laws.law import ForceLaw
from jourdain.model.measures.measure import Measure
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset, record
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


@record()
class GapFilm:
    """Flow between two plates, driven by a wall and by pressure (3.F22, 2.210).

    Parameters
    ----------
    height, length, width : float [m]
        Height of the gap, its length along the flow, its width.
    viscosity : float [Pa s]
        Dynamic viscosity.

    Examples
    --------
    >>> from jourdain.library import bearings
    >>> film = bearings.GapFilm(1e-4, 0.1, 0.05, 0.02)
    >>> film.shear(speed=2.0), round(film.flow(drop=1e5), 12)  # [Pa, m^3/s]
    (400.0, 2.08333e-07)
    """

    height: NumberField
    length: NumberField
    width: NumberField
    viscosity: NumberField

    def __post_init__(self) -> None:
        for name in ("height", "length", "width", "viscosity"):
            check.number(getattr(self, name), f"{name} of GapFilm", positive=True)

    def shear(self, speed: Any = 0.0, drop: Any = 0.0) -> Any:
        """Shear stress on the moving wall, η u/h − h Δp/2l, Δp falling along the motion [Pa]."""
        return self.viscosity * speed / self.height - self.height * drop / (2.0 * self.length)

    def flow(self, speed: Any = 0.0, drop: Any = 0.0) -> Any:
        """Flow b (u h/2 + Δp h³/12 η l) along the motion of the wall [m^3/s]."""
        pressed = self.height**3 * drop / (12.0 * self.viscosity * self.length)
        return self.width * (0.5 * speed * self.height + pressed)


def sommerfeld_torque(sizes: tuple[Any, Any, Any, Any], speed: Any, eccentricity: Any = 0.0) -> Any:
    """Friction torque of a journal with a full film (Sommerfeld; 3.F22, 2.212) [N m].

        M = 2 (1 + 2 ε²)/(√(1 − ε²) (1 + ε²/2)) · π r² b η u/a,   u = ω r

    Parameters
    ----------
    sizes : (float, float, float, float)
        Radius, length, radial clearance [m], viscosity [Pa s]: `JournalBearing.sizes`.
    speed : float [rad/s]
        Speed of the journal.
    eccentricity : float
        Over the clearance, ε.

    Examples
    --------
    >>> from jourdain.library import bearings
    >>> f"{bearings.sommerfeld_torque((0.018, 0.02, 20e-6, 0.02), 314.16, 0.5):.4f}"
    '0.3545'
    """
    radius, length, gap, viscosity = sizes
    square = eccentricity * eccentricity
    if not callable(square) and isinstance(square, float | int) and not 0.0 <= square < 1.0:
        raise ModelError(f"eccentricity is {eccentricity:g}: give a part of the gap, 0 to 1.")
    shape = 2.0 * (1.0 + 2.0 * square) / (math.sqrt(1.0 - square) * (1.0 + 0.5 * square))
    return shape * math.pi * radius**3 * length * viscosity * speed / gap


class PadLaw(ForceLaw):
    """Force of a pad whose oil leaves through its gap: 12 η l² V̇/h³ (3.F22, 2.211)."""

    length: Any
    viscosity: Any
    flow: Any
    area: Any

    remedy = "The gap of a pad has closed: give it more flow, or a stop."

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Force that opens the gap; a gap that closes presses out more oil."""
        supply = self.flow - self.area * v
        return 12.0 * self.viscosity * self.length**2 * supply / x**3


class HydrostaticPad(Part):
    """A slideway or pad of the length 2l, fed in the middle by a constant flow (3.F22, 2.211).

        F = 12 η l² V̇/h³,   V̇ the flow that leaves: the supply, less what an opening gap takes up

    Parameters
    ----------
    gap : Measure [m]
        Height of the gap, such as ``jd.Coordinate("guide.position")``.
    length : float [m]
        Half its length, l.
    flow : float [m^3/s]
        Supply.
    viscosity : float [Pa s]
        Dynamic viscosity.
    area : float [m^2]
        Area that an opening gap fills with oil; zero leaves it out.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import bearings
    >>> model = jd.Model("slide")
    >>> table = model.add_body("table", jd.solid.box(mass=50.0, size=(0.2, 0.1, 0.05)))
    >>> guide = jd.Coordinate(model.add_joint("guide", model.world, table, jd.Prismatic("z")))
    >>> pad = model.add("pad", bearings.HydrostaticPad(guide, 0.05, flow=1e-6, viscosity=0.02))
    >>> rest = jd.equilibrium(model, {"guide.position": 1e-4})
    >>> f"{1e6 * rest['guide.position']:.2f} µm"  # (12 η l² V̇/m g)^(1/3)
    '106.95 µm'
    """

    gap: Measure
    length: NumberField
    flow: NumberField
    viscosity: NumberField
    area: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        if not isinstance(self.gap, Measure):
            raise ModelError(
                f"gap of HydrostaticPad is {check.shown(self.gap)}: give the height of the gap, "
                'such as jd.Coordinate("guide.position").'
            )
        for name in ("length", "flow", "viscosity"):
            check.number(getattr(self, name), f"{name} of HydrostaticPad", positive=True)
        check.number(self.area, "area of HydrostaticPad", nonnegative=True, unit="m^2")

    def build(self, group: Group) -> Mapping[str, Any]:
        """One law."""
        group.add_connection(
            "film", self.gap, PadLaw(self.length, self.viscosity, self.flow, self.area)
        )
        return {"gap": self.gap}

    def stiffness(self, height: float) -> float:
        """Stiffness 3 F/h at a height [N/m]."""
        force = 12.0 * nominal(self.viscosity) * nominal(self.length) ** 2 * nominal(self.flow)
        return float(3.0 * force / height**4)

    def results(self, name: str) -> Mapping[str, Result]:
        """Load."""
        return {"load": Result("N", f"load that {name} carries", (f"{name}.film.force",))}
