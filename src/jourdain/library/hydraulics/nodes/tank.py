"""Nodes with a given pressure: tank and pressure source (4.F21)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain.errors import ModelError
from jourdain.library.hydraulics.nodes.node import Node, add_node
from jourdain.library.hydraulics.symbols import source
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.source import Source, check_source, source_value
from jourdain.model.parts.symbol import Place
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class GivenPressure(ForceLaw):
    """Pressure that is a number, a function of time, or an input ``pressure``."""

    pressure: Source = preset(default=None)

    @property
    def inputs(self) -> Mapping[str, str]:  # type: ignore[override]
        """The pressure, unless it is given."""
        return {"pressure": "Pa"} if self.pressure is None else {}

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Pressure now."""
        return source_value(self.pressure, "pressure", at) + 0.0 * v


class Tank(Node):
    """A tank: its pressure stays, whatever flows in and out.

    Parameters
    ----------
    fluid : Fluid
        What is in it.
    pressure : float [Pa]
        Pressure above the atmosphere, zero for an open tank.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> oil = jd.Model("machine").group("oil")
    >>> oil.add("T", hy.Tank(hy.Fluid()))
    <part 'oil.T': Tank, ports: none>
    """

    pressure: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pressure is None or callable(self.pressure):
            raise ModelError(
                f"pressure of Tank is {check.shown(self.pressure)}: give a number, 0.0 [Pa] for an "
                "open tank. A pressure that is a function of time or an input is "
                "hy.PressureSource(fluid, ...)."
            )
        check.number(self.pressure, "pressure of Tank")

    def symbol(self, name: str) -> Place:
        """Look in the drawing of a circuit."""
        return Place("tank")

    def build(self, group: Group) -> Mapping[str, Any]:
        """A given pressure."""
        return add_node(group, GivenPressure(self.pressure))


class PressureSource(Node):
    """A source of pressure: a number, a function of time, or an input.

    Parameters
    ----------
    fluid : Fluid
        What is in it.
    pressure : float, function of time or jd.Formula [Pa], optional
        Pressure above the atmosphere; without it the run has an input ``….node.pressure``.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> oil = jd.Model("machine").group("oil")
    >>> S = oil.add("S", hy.PressureSource(hy.Fluid(), lambda t: 1e5 * jd.sin(10.0 * t)))
    """

    pressure: Source = preset(default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_source(self, "pressure")

    def symbol(self, name: str) -> Place:
        """Look in the drawing of a circuit."""
        return source(name)

    def build(self, group: Group) -> Mapping[str, Any]:
        """A given pressure."""
        return add_node(group, GivenPressure(self.pressure))
