"""Check valves: ideal and preloaded (4.F7, 4.F8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.library.hydraulics.nodes.node import pressure
from jourdain.library.hydraulics.passage import PASSED, Passage, add_column, lost
from jourdain.library.hydraulics.valves.orifice import Throttle, ThrottleLoss
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.unilateral import Unilateral
from jourdain.model.measures.rate import Rate
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, NumberOrNoneField, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class Preload(ForceLaw):
    """Pressure that a spring takes while the valve is open: its power is lost (4.F8)."""

    cracking: NumberField

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Against the only direction that oil can flow in."""
        return -self.cracking + 0.0 * v

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Power that is lost [W]."""
        return self.cracking * v


class CheckValve(Passage):
    """A check valve: oil flows from a to b only (4.F7).

    With ``length`` its oil is a column and the law is exact: 0 ≤ Q ⊥ Δp ≥ 0, closed without
    leakage, open with the loss of its area and ``cracking``. Without, the flow is a function of
    the pressures, and both nodes have a volume or a given pressure.

    Parameters
    ----------
    a, b : BuiltPart
        Nodes before and behind it.
    area : float [m^2], optional
        Area of the open valve. Without one an open valve loses nothing, which takes a ``length``.
    cracking : float [Pa]
        Pressure difference from which it opens.
    discharge, reynolds : float
        As those of an `Orifice`.
    length : float [m], optional
        Length of its column of oil.
    section : float [m^2], optional
        Section of the column; by default the area.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("rectifier"), hy.Fluid()
    >>> oil = model.group("oil")
    >>> S = oil.add("S", hy.PressureSource(fluid, lambda t: 1e5 * jd.sin(100.0 * t)))
    >>> T = oil.add("T", hy.Tank(fluid))
    >>> valve = oil.add("valve", hy.CheckValve(S, T, length=0.1, section=1e-4, area=5e-5))
    >>> float(jd.simulate(model, 0.2)["oil.valve.flow"].min()) > -1e-15
    True
    """

    area: NumberOrNoneField = preset(default=None)
    cracking: NumberField = preset(default=0.0)
    discharge: NumberField = preset(default=0.7)
    reynolds: NumberField = preset(default=100.0)
    length: NumberOrNoneField = preset(default=None)
    section: NumberOrNoneField = preset(default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        positive = {"area": self.area, "length": self.length, "section": self.section}
        if self.length is None or self.section is None:
            positive["area"] = 0.0 if self.area is None else self.area  # there must be one
        for name, value in positive.items():
            if value is not None:
                check.number(value, f"{name} of CheckValve", positive=True)
        check.number(self.cracking, "cracking of CheckValve", nonnegative=True, unit="Pa")

    @property
    def has_column(self) -> bool:
        """Whether it has a length."""
        return self.length is not None

    @property
    def _losses(self) -> tuple[str, ...]:
        return ("edge", "spring") if self.area is not None else ("spring",)

    @property
    def glyph(self) -> str:
        """Word for its look."""
        return "preloaded check valve" if nominal(self.cracking) else "check valve"

    def build(self, group: Group) -> Mapping[str, Any]:
        """A column that does not flow back, or a flow without inertia."""
        throttle = Throttle(self.fluid, self.discharge, self.reynolds)
        a, b, area, cracking = self.a, self.b, self.area, self.cracking
        if not self.has_column:

            def flow(at: Any) -> Any:
                drop = pressure(at, a) - pressure(at, b) - cracking
                return throttle.flow(math.maximum(drop, 0.0), area)

            group.add_states(PASSED, {"volume": "m^3"}, flow)
            return {}
        section = area if self.section is None else self.section
        column = add_column(group, self.fluid.density * self.length / section)
        if area is not None:
            group.add_connection("edge", column, ThrottleLoss(throttle, area))
        group.add_connection("spring", column, Preload(cracking))
        group.add_connection("seat", Rate(column), Unilateral())
        return {"volume": column}

    def results(self, name: str) -> Mapping[str, Result]:
        """Flow, pressure drop and lost power."""
        found = dict(super().results(name))
        return found | ({"loss": lost(name, self._losses)} if self.has_column else {})
