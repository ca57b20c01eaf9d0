"""The rigid line: a column of oil with friction at the wall (4.F12, 4.F14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.library.hydraulics.fluid import Fluid
from jourdain.library.hydraulics.passage import Passage, add_column, kinetic_energy, lost
from jourdain.model.laws.law import ForceLaw
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

GRAVITY = 9.81  # [m/s^2]


def friction_number(reynolds: Any, roughness: Any = 0.0) -> Any:
    """Friction coefficient λ times the Reynolds number, by Churchill's formula (5.F40).

    64 in laminar flow; one smooth function for laminar, turbulent and what lies between.

    Parameters
    ----------
    reynolds : float
        Reynolds number, zero or more.
    roughness : float
        Height of the roughness over the diameter.

    Examples
    --------
    >>> from jourdain.library.hydraulics.lines.line import friction_number
    >>> [round(float(friction_number(re)) / re, 7) for re in (1000.0, 2300.0, 1e5)]
    [0.064, 0.0308401, 0.0178748]
    """
    re = math.maximum(reynolds, 1.0)  # below, the turbulent part is nothing
    A = (2.457 * math.log((7.0 / re) ** 0.9 + 0.27 * roughness)) ** 16
    B = (37530.0 / re) ** 16
    return 8.0 * (8.0**12 + re**12 * (A + B) ** -1.5) ** (1.0 / 12.0)


class PipeLoss(ForceLaw):
    """Pressure that friction and height take from a column of oil.

    Laminar 128 μ L Q/(π d⁴) (4.F14), turbulent λ (L/d) ρ/2 v² with Churchill's λ (5.F40), which
    has both. Bends and fittings add ζ ρ/2 v².
    """

    fluid: Fluid
    length: NumberField
    diameter: NumberField
    fittings: NumberField
    rise: NumberField
    turbulent: bool = True
    roughness: NumberField = preset(default=0.0)

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Pressure along the flow: against it, and against the rise."""
        return -self.drop(v) - self._weight

    def energy(self, x: Any, at: Any) -> Any:
        """Energy of what has been lifted [J]."""
        return self._weight * x

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Power that friction takes [W]."""
        return self.drop(v) * v

    @property
    def _weight(self) -> Any:
        return self.fluid.density * GRAVITY * self.rise

    def drop(self, flow: Any) -> Any:
        """Pressure drop of a flow [m^3/s] by friction and fittings [Pa]."""
        rho, mu, d = self.fluid.density, self.fluid.viscosity, self.diameter
        area = math.pi * d**2 / 4.0
        head = rho / (2.0 * area**2) * flow * math.absolute(flow)
        smooth = 128.0 * mu * self.length / (math.pi * d**4) * flow
        if isinstance(mu, float | int) and mu == 0.0:
            return self.fittings * head
        if not self.turbulent:
            return smooth + self.fittings * head
        re = rho * math.absolute(flow) * d / (area * mu)
        share = friction_number(re, self.roughness / d) / 64.0
        return share * smooth + self.fittings * head


class Line(Passage):
    """A rigid line: its oil moves as one column (4.F12).

    Parameters
    ----------
    a, b : BuiltPart
        Nodes at its ends; the flow counts from a to b.
    length, diameter : float [m]
        Of the bore.
    fittings : float
        Sum of the loss coefficients ζ of bends and fittings.
    rise : float [m]
        Height of b above a.
    turbulent : bool
        Whether the flow becomes turbulent at high speed; without, it stays laminar.
    roughness : float [m]
        Height of the roughness of the wall, zero for a smooth one.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("hose"), hy.Fluid(density=850.0, viscosity=0.03)
    >>> oil = model.group("oil")
    >>> S, T = oil.add("S", hy.PressureSource(fluid, 2e4)), oil.add("T", hy.Tank(fluid))
    >>> hose = oil.add("hose", hy.Line(S, T, length=2.0, diameter=0.012))
    >>> sol = jd.simulate(model, 3.0)
    >>> float(sol["oil.hose.flow", "l/min"][-1].round(3))  # π d⁴ Δp/(128 μ L)
    10.179
    """

    length: NumberField
    diameter: NumberField
    fittings: NumberField = preset(default=0.0)
    rise: NumberField = preset(default=0.0)
    turbulent: bool = True
    roughness: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("length", "diameter"):
            check.number(getattr(self, name), f"{name} of Line", positive=True, unit="m")
        check.number(self.fittings, "fittings of Line", nonnegative=True)
        check.number(self.rise, "rise of Line")
        check.number(self.roughness, "roughness of Line", nonnegative=True, unit="m")

    @property
    def glyph(self) -> str:
        """Word for its look."""
        return "line"

    @property
    def inertia(self) -> Any:
        """Inertia ρ L/A of its column [kg/m^4]."""
        return self.fluid.density * self.length * 4.0 / (math.pi * self.diameter**2)

    def build(self, group: Group) -> Mapping[str, Any]:
        """A column of oil with losses."""
        column = add_column(group, self.inertia)
        sizes = (self.length, self.diameter, self.fittings, self.rise)
        form = (self.turbulent, self.roughness)
        group.add_connection("wall", column, PipeLoss(self.fluid, *sizes, *form))
        return {"volume": column}

    def results(self, name: str) -> Mapping[str, Result]:
        """Besides those of passages, the power that friction takes, and kinetic energy."""
        energy = kinetic_energy(name, self.inertia)
        return {**super().results(name), "loss": lost(name, ("wall",)), **energy}
