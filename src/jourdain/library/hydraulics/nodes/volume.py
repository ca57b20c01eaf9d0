"""The compressible volume (4.F1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from math import nan
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.hydraulics.fluid import Fluid
from jourdain.library.hydraulics.nodes.node import PORT, Node, add_node, ends_at, torn
from jourdain.model.laws.law import ForceLaw
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.model import Model
    from jourdain.model.parts.group import Group


class Compressible(ForceLaw):
    """Pressure of a volume as a state: dp/dt = E(p)/V · (Σ Q − Σ A ẋ)  (4.F1).

    Parameters
    ----------
    fluid : Fluid
        What is in it.
    volume : float [m^3]
        Volume without chambers of cylinders.
    begin : float [Pa]
        Pressure at the start.
    node : str
        Full name of the node.
    flows : tuple of (float, str)
        Flows without inertia that leave it; found when the model is complete.
    chambers : tuple of (float, Measure, float)
        Area, stroke and dead volume of the cylinders that are joined; likewise.
    """

    fluid: Fluid
    volume: NumberField
    begin: NumberField
    node: str
    flows: tuple[Any, ...] = field(default=(), compare=False)
    chambers: tuple[Any, ...] = field(default=(), compare=False)

    @property
    def states(self) -> Mapping[str, str]:  # type: ignore[override]
        """The pressure."""
        return {"pressure": "Pa"}

    def completed(self, model: Model) -> Compressible:
        """Law that knows all flows and chambers."""
        ends = [end for _, end in ends_at(model, self.node)]
        flows = tuple((end.factor, end.flow) for end in ends if end.flow)
        chambers = tuple(
            (end.factor, end.measure, end.chamber) for end in ends if end.chamber is not None
        )
        return replace(self, flows=flows, chambers=chambers)

    def size(self, at: Any) -> Any:
        """Volume now [m^3]."""
        return self.volume + sum(dead + k * m.value(at) for k, m, dead in self.chambers)

    def inflow(self, v: Any, at: Any) -> Any:
        """Flow into it less what pistons make room for [m^3/s]."""
        return -v - sum(k * at.rate(flow) for k, flow in self.flows)

    def start(self) -> tuple[Any, ...]:
        """Pressure at the start."""
        return (self.begin,)

    @property
    def remedy(self) -> str:  # type: ignore[override]
        """What to do where a chamber has vanished."""
        return (
            f"the volume {self.node!r} has come down to zero: a piston has left its cylinder.\n"
            "  Give the cylinder the limits of its stroke, such as limits=(0.0, 0.4) [m], where it "
            "stops, or the volume more dead space."
        )

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """The pressure; not a number where pistons leave no room."""
        p = at.state("pressure") + 0.0 * v
        return math.where(self.size(at) > 0.0, p, nan) if self.chambers else p

    def rates(self, x: Any, v: Any, at: Any) -> Any:
        """Rate of the pressure (4.F1)."""
        E = self.fluid.stiffness(at.state("pressure"))
        return (E / self.size(at) * self.inflow(v, at),)

    def energy(self, x: Any, at: Any) -> Any:
        """Energy of the compressed oil [J]."""
        return self.size(at) * self.fluid.energy(at.state("pressure"))

    def energy_rate(self, x: Any, v: Any, at: Any) -> Any:
        """What flows in with its pressure; chambers grow by oil that is compressed already."""
        p = at.state("pressure")
        if not self.chambers:
            return p * self.inflow(v, at)
        growth = sum(k * at.rate_of(m) for k, m, _ in self.chambers)
        return p * self.inflow(v, at) + growth * self.fluid.energy(p)


def stored(name: str) -> Result:
    """Energy that a node stores."""
    return Result("J", f"energy that {name} stores", (f"{name}.{PORT}.energy",))


def torn_without_air(node: Node, name: str, values: Callable[[str], Any]) -> Iterable[str]:
    """Text about oil that is torn in a node with a volume; with air it expands instead."""
    if node.fluid.has_air:
        return ()
    remedy = "Give the fluid some air, such as hy.Fluid(air=0.005)."
    return torn(node, name, values(f"{name}.{PORT}.pressure"), remedy)


class Volume(Node):
    """A volume of compressible oil, its pressure is a state (4.F1).

    Chambers of cylinders that are joined add to it, so give the rest: block, hoses, dead space. It
    must not be zero; where it is so small that its oscillation does not matter, take a `Junction`
    (`hydraulic_frequencies` tells).

    Parameters
    ----------
    fluid : Fluid
        What is in it, with its air (4.F2).
    volume : float [m^3]
        Its size, above zero.
    start : float [Pa]
        Pressure at the start, above the atmosphere.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("filled"), hy.Fluid(air=0.0, bulk_modulus=1e9)
    >>> oil = model.group("oil")
    >>> T, A = oil.add("T", hy.Tank(fluid)), oil.add("A", hy.Volume(fluid, 1e-3))
    >>> pump = oil.add("pump", hy.FlowSource(T, A, 1e-5))
    >>> float(jd.simulate(model, 1.0)["oil.A.pressure", "bar"][-1].round(6))
    100.0
    """

    volume: NumberField
    start: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if nominal(check.number(self.volume, "volume of Volume")) <= 0.0:
            raise ModelError(
                f"volume of Volume is {nominal(self.volume):g} m^3: it must be positive, as the "
                "pressure changes by flow over volume. A node without volume is "
                "hy.Junction(fluid)."
            )
        check.number(self.start, "start of Volume")

    def results(self, name: str) -> Mapping[str, Result]:
        """Pressure, and energy of the compressed oil."""
        return {**super().results(name), "energy": stored(name)}

    def doubts(self, name: str, values: Callable[[str], Any]) -> Iterable[str]:
        """Oil without air that is torn."""
        return torn_without_air(self, name, values)

    def build(self, group: Group) -> Mapping[str, Any]:
        """A pressure state."""
        return add_node(group, Compressible(self.fluid, self.volume, self.start, group.name))
