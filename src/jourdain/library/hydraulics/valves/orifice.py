"""The orifice, of fixed or variable area, which closes exactly (4.F6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.hydraulics.fluid import Fluid
from jourdain.library.hydraulics.nodes.node import pressure
from jourdain.library.hydraulics.passage import PASSED, Passage, add_column, lost
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.locked import Locked
from jourdain.model.laws.spring import is_function
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import AmountField, NumberField, NumberOrNoneField, preset, record

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

_NOTHING = 1e-60  # [m^4] so that the slope of a root at a closed opening is a number
_LEAST = 1.0  # [Pa] pressure drop below which flow is linear in any fluid: no slope without end
CLOSED = 1e-3  # part of the section of a column up to which an area counts as closed


@record()
class Throttle:
    """Flow through an opening: Δp = ρ/2 (Q/(α A))² (4.F6), linear below a Reynolds number.

        Q = α A √(2/ρ) Δp / (Δp² + p_c²)^(1/4),   p_c² = (ρ/2 (Re_c ν/(α d))²)² + (1 Pa)²

    Parameters
    ----------
    fluid : Fluid
        What flows.
    discharge : float
        Discharge coefficient α.
    reynolds : float
        Reynolds number Re_c below which it is laminar.
    """

    fluid: Fluid
    discharge: NumberField = preset(default=0.7)
    reynolds: NumberField = preset(default=100.0)

    @property
    def _slow(self) -> Any:
        """Critical pressure times the area [N], so that a closed opening divides by nothing."""
        nu = self.fluid.viscosity / self.fluid.density
        ratio = self.reynolds * nu / self.discharge
        return 0.5 * self.fluid.density * ratio**2 * math.pi / 4.0

    def flow(self, drop: Any, area: Any) -> Any:
        """Flow [m^3/s] at a pressure drop [Pa] through an area [m^2]."""
        k = self.discharge * area * math.sqrt(2.0 / self.fluid.density)
        bent = area**2 * (drop**2 + _LEAST**2) + self._slow**2
        scale = math.sqrt(math.sqrt(bent + 1e-30))
        root = math.sqrt(math.sqrt(area**2 + _NOTHING))  # a number for areas just below zero too
        return k * drop * root / scale

    def drop(self, flow: Any, area: Any) -> Any:
        """Pressure drop [Pa] of a flow [m^3/s]: the inverse of `flow`."""
        k2 = (self.discharge * area) ** 2 * 2.0 / self.fluid.density
        bend = 2.0 * k2 * math.sqrt((self._slow / area) ** 2 + _LEAST**2)
        root = math.sqrt(flow**4 + bend**2 + 1e-60)
        return flow / k2 * math.sqrt(0.5 * (flow**2 + root))


class ThrottleLoss(ForceLaw):
    """Pressure that an opening takes from a column of oil."""

    throttle: Throttle
    area: AmountField
    least: NumberField = preset(default=0.0)

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Against the flow."""
        return -self.throttle.drop(v, math.maximum(area_now(self.area, at), self.least))

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Power that is lost [W]."""
        return -self.force(x, v, at) * v


def area_now(area: Any, at: Any) -> Any:
    """Area of an opening, a number or a function of ``at`` [m^2]."""
    return area(at) if is_function(area) else area


class Orifice(Passage):
    """An orifice, throttle or control edge (4.F6).

    Without ``length`` its flow is a function of the pressures, and both nodes have a volume or a
    given pressure. With ``length`` its oil is a column, which may end at junctions; where a
    variable area falls below a thousandth of the section, the column is locked exactly, with an
    impulse where it still moved.

    Parameters
    ----------
    a, b : BuiltPart
        The two nodes; the flow counts from a to b.
    area : float or function of ``at`` [m^2]
        Area of the opening: ``lambda at: 0.02 * jd.maximum(0.0, at.coordinate("spool"))``.
    discharge : float
        Discharge coefficient.
    reynolds : float
        Reynolds number below which the flow is laminar.
    length : float [m], optional
        Length of its column of oil.
    section : float [m^2], optional
        Section of the column; by default the area, where that is a number.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("jet"), hy.Fluid(density=800.0)
    >>> oil = model.group("oil")
    >>> S, T = oil.add("S", hy.PressureSource(fluid, 1e7)), oil.add("T", hy.Tank(fluid))
    >>> jet = oil.add("jet", hy.Orifice(S, T, area=1e-6, reynolds=0.0))
    >>> float(jd.simulate(model, 1.0)["oil.jet.flow"][-1])  # 0.7e-6 √(2e7/800)
    0.000110...
    """

    area: AmountField
    discharge: NumberField = preset(default=0.7)
    reynolds: NumberField = preset(default=100.0)
    length: NumberOrNoneField = preset(default=None)
    section: NumberOrNoneField = preset(default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_function(self.area):
            check.number(self.area, "area of Orifice", positive=True, unit="m^2")
        check.number(self.discharge, "discharge of Orifice", positive=True)
        check.number(self.reynolds, "reynolds of Orifice", nonnegative=True)
        if self.length is None:
            return
        check.number(self.length, "length of Orifice", positive=True, unit="m")
        if is_function(self.area) and self.section is None:
            raise ModelError(
                "Orifice has a length and a variable area: give the section of its column too, "
                "such as section=2e-5 [m^2], as its inertia is density · length / section."
            )

    @property
    def has_column(self) -> bool:
        """Whether it has a length."""
        return self.length is not None

    @property
    def _throttle(self) -> Throttle:
        return Throttle(self.fluid, self.discharge, self.reynolds)

    @property
    def glyph(self) -> str:
        """Word for its look."""
        return "adjustable throttle" if is_function(self.area) else "throttle"

    def build(self, group: Group) -> Mapping[str, Any]:
        """A column with a throttle, or a flow without inertia."""
        throttle, area = self._throttle, self.area
        if not self.has_column:
            a, b = self.a, self.b

            def flow(at: Any) -> Any:
                return throttle.flow(pressure(at, a) - pressure(at, b), area_now(area, at))

            group.add_states(PASSED, {"volume": "m^3"}, flow)
            return {}
        section = self.area if self.section is None else self.section
        column = add_column(group, self.fluid.density * self.length / section)
        least = CLOSED * section if is_function(area) else 0.0
        group.add_connection("edge", column, ThrottleLoss(throttle, area, least))
        if is_function(area):
            lock = Locked(lambda x, v, at: 1.0 - area(at) / least)
            group.add_connection("closed", column, lock)
        return {"volume": column}

    def results(self, name: str) -> Mapping[str, Result]:
        """Flow, pressure drop and lost power."""
        found = dict(super().results(name))
        return found | ({"loss": lost(name, ("edge",))} if self.has_column else {})
