"""A given flow: the ideal pump (4.F21)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jourdain.library.hydraulics.nodes.node import End
from jourdain.library.hydraulics.passage import PASSED, Passage
from jourdain.model.laws.spring import is_function
from jourdain.model.measures.formula import Formula
from jourdain.model.measures.measure import Measure
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import AmountField

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class FlowSource(Passage):
    """A flow from a to b that is given, whatever the pressures.

    Parameters
    ----------
    a, b : BuiltPart
        The two nodes.
    flow : float or function of time [m^3/s]
        The flow. At a junction it must not jump, as rigid columns cannot follow.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("stroke"), hy.Fluid(viscosity=0.0, density=850.0)
    >>> oil = model.group("oil")
    >>> T, a = oil.add("T", hy.Tank(fluid)), oil.add("a", hy.Junction(fluid))
    >>> source = oil.add("source", hy.FlowSource(T, a, lambda t: 1e-3 * t))
    >>> hose = oil.add("hose", hy.Line(a, T, length=1.0, diameter=0.01))
    >>> float(jd.simulate(model, 0.1)["oil.a.pressure"][-1].round(3))  # ρ L/A · 1e-3
    10822.536
    """

    flow: AmountField

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_function(self.flow):
            check.number(self.flow, "flow of FlowSource")

    @property
    def has_column(self) -> bool:
        """It has none."""
        return False

    @property
    def _measure(self) -> Measure:
        flow = self.flow
        if is_function(flow):
            return Formula(speed=lambda at: flow(at.t), unit="m^3")
        return Formula(lambda at: flow * at.t, unit="m^3")

    def ends(self, name: str) -> tuple[End, ...]:
        """The same flow for nodes with a volume and for junctions."""
        return tuple(replace(end, measure=self._measure) for end in super().ends(name))

    @property
    def glyph(self) -> str:
        """Word for its look."""
        return "flow source"

    def results(self, name: str) -> Mapping[str, Result]:
        """Flow, pressure drop, and the power that it gives to the oil."""
        found = dict(super().results(name))
        own = found.pop("loss")
        text = f"power that {name} gives to the oil"
        power = Result("W", text, own.names, lambda *x: -own.function(*x))
        return found | {"power": power}

    def build(self, group: Group) -> Mapping[str, Any]:
        """A state whose rate is the flow."""
        flow = self.flow
        group.add_states(
            PASSED, {"volume": "m^3"}, lambda at: flow(at.t) if is_function(flow) else flow
        )
        return {}
