"""Leakage: a laminar flow without inertia."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain.library.hydraulics.nodes.node import pressure
from jourdain.library.hydraulics.passage import PASSED, Passage
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class Leakage(Passage):
    """A laminar flow in proportion to the pressure drop, Q = conductance · Δp.

    Parameters
    ----------
    a, b : BuiltPart
        The two nodes, which have a volume or a given pressure.
    conductance : float [m^3/(s Pa)]
        Flow for each Pascal.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("leak"), hy.Fluid()
    >>> oil = model.group("oil")
    >>> S, T = oil.add("S", hy.PressureSource(fluid, 1e7)), oil.add("T", hy.Tank(fluid))
    >>> leak = oil.add("leak", hy.Leakage(S, T, 2e-13))
    >>> float(jd.simulate(model, 1.0)["oil.leak.flow"][-1])
    2e-06
    """

    conductance: NumberField

    def __post_init__(self) -> None:
        super().__post_init__()
        check.number(self.conductance, "conductance of Leakage", nonnegative=True)

    @property
    def has_column(self) -> bool:
        """It has none."""
        return False

    @property
    def glyph(self) -> str:
        """Word for its look."""
        return "leakage"

    def build(self, group: Group) -> Mapping[str, Any]:
        """A flow without inertia."""
        a, b, conductance = self.a, self.b, self.conductance

        def flow(at: Any) -> Any:
            return conductance * (pressure(at, a) - pressure(at, b))

        group.add_states(PASSED, {"volume": "m^3"}, flow)
        return {}
