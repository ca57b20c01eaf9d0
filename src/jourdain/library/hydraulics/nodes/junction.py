"""The incompressible junction (4.F4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from jourdain.library.hydraulics.nodes.node import PORT, Node, Outflow, add_node, torn
from jourdain.model.laws.equal import Equal
from jourdain.model.measures.rate import Rate

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class Junction(Node):
    """A place without volume: what flows in flows out, Σ Q = 0 (4.F4).

    Its pressure is the multiplier of that constraint. It takes any value, tension too: runs warn
    of it, and a `CavitatingJunction` knows better. What ends here has inertia: lines, pistons,
    pumps; elements without get one by their ``length``.

    Parameters
    ----------
    fluid : Fluid
        What is in it.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("two lines", gravity=(0, 0, 0)), hy.Fluid(viscosity=0.0)
    >>> oil = model.group("oil")
    >>> S, T = oil.add("S", hy.PressureSource(fluid, 3e5)), oil.add("T", hy.Tank(fluid))
    >>> a = oil.add("a", hy.Junction(fluid))
    >>> first = oil.add("first", hy.Line(S, a, length=1.0, diameter=0.01))
    >>> second = oil.add("second", hy.Line(a, T, length=2.0, diameter=0.01))
    >>> float(jd.simulate(model, 0.01)["oil.a.pressure", "bar"][-1].round(9))
    2.0
    """

    @property
    def is_rigid(self) -> bool:
        """It has no volume."""
        return True

    def doubts(self, name: str, values: Callable[[str], Any]) -> Iterable[str]:
        """Oil that is torn."""
        remedy = "Take hy.CavitatingJunction(fluid)."
        return torn(self, name, values(f"{name}.{PORT}.force"), remedy)

    def build(self, group: Group) -> Mapping[str, Any]:
        """A held sum of flows."""
        return add_node(group, Equal(), Rate(Outflow(node=group.name, is_rigid=True)))
