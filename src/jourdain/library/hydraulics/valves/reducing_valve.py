"""The pressure-reducing valve (4.F11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.library.hydraulics.nodes.node import pressure, require_node
from jourdain.library.hydraulics.passage import total_loss
from jourdain.library.hydraulics.symbols import reducing_valve
from jourdain.library.hydraulics.valves.orifice import Orifice
from jourdain.model.laws.source import Source, check_source, source_value
from jourdain.model.laws.spring import is_function
from jourdain.model.parts.part import BuiltPart, Part
from jourdain.model.parts.result import Result
from jourdain.model.parts.symbol import Symbol
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class ReducingValve(Part):
    """A three-way reducing valve: keeps the pressure of A at its setting, below that of P.

    The edge from P to A closes over a band of pressure below the setting, that from A to T opens
    over the same band above. The spool has no inertia; `SpoolValve` is one with a body.

    Parameters
    ----------
    P, A, T : BuiltPart
        Supply, reduced pressure, tank.
    setting : float or function of time [Pa]
        Pressure of A at which both edges are closed, relative to T.
    area : float [m^2]
        Area of an edge that is wide open.
    band : float [Pa]
        Change of pressure that opens an edge wide.
    discharge, reynolds : float
        As those of an `Orifice`.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("reduced"), hy.Fluid()
    >>> oil = model.group("oil")
    >>> P, T = oil.add("P", hy.PressureSource(fluid, 20e5)), oil.add("T", hy.Tank(fluid))
    >>> A = oil.add("A", hy.Volume(fluid, 1e-4))
    >>> valve = oil.add("valve", hy.ReducingValve(P, A, T, setting=8e5, area=1e-5))
    >>> float(jd.simulate(model, 1.0)["oil.A.pressure", "bar"][-1].round(2))
    8.0
    """

    P: BuiltPart
    A: BuiltPart
    T: BuiltPart
    setting: Source
    area: NumberField
    band: NumberField = preset(default=1e5)
    discharge: NumberField = preset(default=0.7)
    reynolds: NumberField = preset(default=100.0)

    def __post_init__(self) -> None:
        for node in "PAT":
            require_node(getattr(self, node), f"{node} of ReducingValve")
        check_source(self, "setting")
        if not is_function(self.setting):
            check.number(self.setting, "setting of ReducingValve", positive=True, unit="Pa")
        check.number(self.area, "area of ReducingValve", positive=True, unit="m^2")
        check.number(self.band, "band of ReducingValve", positive=True, unit="Pa")

    def excess(self, at: Any) -> Any:
        """How far the pressure of A is above the setting, in bands: −1 to 1 within the stroke."""
        above = pressure(at, self.A) - pressure(at, self.T)
        return (above - source_value(self.setting, "setting", at)) / self.band

    def symbol(self, name: str) -> Symbol:
        """Look in the drawing of a circuit."""
        return reducing_valve(self.P, self.A, self.T)

    def build(self, group: Group) -> Mapping[str, Any]:
        """Two edges."""
        more = (self.discharge, self.reynolds)
        inlet, outlet = (self._area(sign) for sign in (-1.0, 1.0))
        group.add("PA", Orifice(self.P, self.A, inlet, *more))
        group.add("AT", Orifice(self.A, self.T, outlet, *more))
        return {}

    def results(self, name: str) -> Mapping[str, Result]:
        """Flow to A, and lost power."""
        edges = (f"{name}.PA", f"{name}.AT")
        flows = tuple(f"{edge}.flow" for edge in edges)
        flow = Result("m^3/s", f"flow of {name} to A", flows, lambda come, gone: come - gone)
        return {"flow": flow, "loss": total_loss(name, edges)}

    def _area(self, sign: float) -> Any:
        return lambda at: self.area * math.clip(sign * self.excess(at), 0.0, 1.0)
