"""The relief valve: what keeps a pressure below a limit (4.F8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.library.hydraulics.nodes.node import pressure
from jourdain.library.hydraulics.passage import PASSED, Passage, add_column, lost
from jourdain.library.hydraulics.valves.check_valve import Preload
from jourdain.model.laws.damper import Damper
from jourdain.model.laws.unilateral import Unilateral
from jourdain.model.measures.rate import Rate
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, NumberOrNoneField, preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class ReliefValve(Passage):
    """A relief valve: from ``cracking`` on it lets pass Q = slope · (Δp − cracking).

    Parameters
    ----------
    a, b : BuiltPart
        Node that it guards, and where the oil goes.
    cracking : float [Pa]
        Pressure difference from which it opens.
    slope : float [m^3/(s Pa)]
        Flow for each Pascal above.
    length, section : float [m], [m^2], optional
        Of its column of oil; both or none. A junction takes a valve with a column only.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("guarded"), hy.Fluid()
    >>> oil = model.group("oil")
    >>> T, P = oil.add("T", hy.Tank(fluid)), oil.add("P", hy.Volume(fluid, 1e-3))
    >>> pump = oil.add("pump", hy.FlowSource(T, P, 4e-4))
    >>> relief = oil.add("relief", hy.ReliefValve(P, T, cracking=1e7, slope=4e-10))
    >>> float(jd.simulate(model, 1.0)["oil.P.pressure", "bar"][-1].round(3))
    110.0
    """

    cracking: NumberField
    slope: NumberField
    length: NumberOrNoneField = preset(default=None)
    section: NumberOrNoneField = preset(default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        check.number(self.cracking, "cracking of ReliefValve", nonnegative=True, unit="Pa")
        check.number(self.slope, "slope of ReliefValve", positive=True)
        if self.has_column:
            for name in ("length", "section"):
                value = 0.0 if getattr(self, name) is None else getattr(self, name)
                check.number(value, f"{name} of ReliefValve", positive=True)

    @property
    def has_column(self) -> bool:
        """Whether it has a length."""
        return self.length is not None or self.section is not None

    @property
    def glyph(self) -> str:
        """Word for its look."""
        return "relief valve"

    def build(self, group: Group) -> Mapping[str, Any]:
        """A column behind a preloaded seat, or a flow without inertia."""
        if not self.has_column:
            a, b, slope, cracking = self.a, self.b, self.slope, self.cracking

            def flow(at: Any) -> Any:
                return slope * math.maximum(pressure(at, a) - pressure(at, b) - cracking, 0.0)

            group.add_states(PASSED, {"volume": "m^3"}, flow)
            return {}
        column = add_column(group, self.fluid.density * self.length / self.section)
        group.add_connection("spring", column, Preload(self.cracking))
        group.add_connection("edge", column, Damper(1.0 / self.slope))
        group.add_connection("seat", Rate(column), Unilateral())
        return {"volume": column}

    def results(self, name: str) -> Mapping[str, Result]:
        """Flow, pressure drop and lost power."""
        found = dict(super().results(name))
        return found | ({"loss": lost(name, ("spring", "edge"))} if self.has_column else {})
