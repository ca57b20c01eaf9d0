"""The junction in which oil may tear: a void opens and collapses (4.F5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain.library.hydraulics.nodes.node import PORT, Node, Outflow
from jourdain.library.hydraulics.nodes.tank import GivenPressure
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.unilateral import Unilateral
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.measures.rate import Rate
from jourdain.model.parts.result import Result

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

VOID, VAPOUR = "void", "vapour"


class CavitatingJunction(Node):
    """A junction whose pressure does not fall below that of the vapour (4.F5).

        dV/dt = Σ Q_out − Σ Q_in,   0 ≤ V ⊥ p − p_min ≥ 0

    The void V is a coordinate ``void`` [m^3] without inertia: zero while the junction is filled;
    while it is open the pressure is that of the vapour; where it collapses with speed, the columns
    hit each other, and the impulse goes through the whole machine. What ends here has inertia.

    Parameters
    ----------
    fluid : Fluid
        What is in it; its vapour pressure is the limit.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("syringe"), hy.Fluid(viscosity=0.0)
    >>> oil = model.group("oil")
    >>> T, a = oil.add("T", hy.Tank(fluid)), oil.add("a", hy.CavitatingJunction(fluid))
    >>> hose = oil.add("hose", hy.Line(T, a, length=1.0, diameter=0.01))
    >>> pull = oil.add("pull", hy.FlowSource(a, T, lambda t: 1e-2 * t))
    >>> sol = jd.simulate(model, 0.02)
    >>> float(sol["oil.a.void"][-1].round(9)), float(sol["oil.a.pressure"].min())
    (1.49e-07, -101325.0)
    """

    @property
    def is_rigid(self) -> bool:
        """It has no volume."""
        return True

    def build(self, group: Group) -> Mapping[str, Any]:
        """A void without inertia, held by the sum of the flows."""
        void = Coordinate(group.add_coordinate(VOID, 0.0, unit="m^3"))
        outflow = Outflow(node=group.name, is_rigid=True)
        group.add_connection(
            PORT, Rate(Outflow(node=group.name, is_rigid=True, void=void)), Equal()
        )
        group.add_connection(VAPOUR, outflow, GivenPressure(self.fluid.lowest_pressure))
        group.add_connection("filled", void, Unilateral())
        return {"void": void}

    def results(self, name: str) -> Mapping[str, Result]:
        """The pressure, with that of the vapour."""
        names = (f"{name}.{PORT}.force", f"{name}.{VAPOUR}.force")
        return {"pressure": Result("Pa", f"pressure of {name}", names, lambda p, low: p + low)}
