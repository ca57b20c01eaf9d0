"""Directional and servo valves: four control edges on one spool (4.F10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from jourdain import math
from jourdain.errors import ModelError, did_you_mean
from jourdain.library.hydraulics.nodes.node import require_node
from jourdain.library.hydraulics.passage import total_loss
from jourdain.library.hydraulics.symbols import four_way
from jourdain.library.hydraulics.valves.orifice import Orifice
from jourdain.model.laws.source import Source, check_source, source_value
from jourdain.model.parts.part import BuiltPart, Part
from jourdain.model.parts.result import Result
from jourdain.model.parts.symbol import Symbol
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, NumberOrNoneField, preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

Centre = Literal["closed", "open", "float", "tandem", "regenerative"]
_FORWARD, _BACK = ("PA", "BT"), ("PB", "AT")
CENTRES: dict[str, tuple[str, ...]] = {
    "closed": (),
    "open": ("PA", "PB", "AT", "BT"),
    "float": ("AT", "BT"),
    "tandem": ("PT",),
    "regenerative": ("PA", "PB"),
}
"""Edges that are open while the spool stands in the middle."""
_MIDDLE = 0.2  # stroke at which edges that are open in the middle have closed


class FourWay(Part):
    """A valve with four control edges. At positive spool positions P is joined to A and B to T.

    Parameters
    ----------
    P, A, B, T : BuiltPart
        Nodes of the pump, of both sides of the consumer, and of the tank.
    area : float [m^2]
        Area of an edge that is wide open, at the position 1 or −1.
    command : function of time or jd.Formula, optional
        Position that is asked for, −1 to 1; a formula sees coordinates and states, for control.
        Without it the run has an input ``….spool.command``.
    overlap : float
        Part of the stroke after which an edge begins to open, below 1: the dead band. Negative
        where edges are open in the middle.
    centre : {"closed", "open", "float", "tandem", "regenerative"}
        What is joined in the middle: nothing, all, A and B to T, P to T, or P to A and B.
    discharge, reynolds : float
        As those of an `Orifice`.
    length, section : float [m], [m^2], optional
        Of the columns of oil in the edges, which may end at junctions then, and close exactly.
    """

    P: BuiltPart
    A: BuiltPart
    B: BuiltPart
    T: BuiltPart
    area: NumberField
    command: Source = preset(default=None)
    overlap: NumberField = preset(default=0.0)
    centre: Centre = "closed"
    discharge: NumberField = preset(default=0.7)
    reynolds: NumberField = preset(default=100.0)
    length: NumberOrNoneField = preset(default=None)
    section: NumberOrNoneField = preset(default=None)

    def __post_init__(self) -> None:
        word = type(self).__name__
        for node in "PABT":
            require_node(getattr(self, node), f"{node} of {word}")
        check.number(self.area, f"area of {word}", positive=True, unit="m^2")
        check_source(self, "command")
        check.number(1.0 - self.overlap, f"one less the overlap of {word}", positive=True)
        if self.centre not in CENTRES:
            known = ", ".join(map(repr, CENTRES))
            hint = did_you_mean(str(self.centre), CENTRES)
            raise ModelError(f"centre of {word} is {self.centre!r}. Known: {known}.{hint}")

    def symbol(self, name: str) -> Symbol:
        """Look in the drawing of a circuit."""
        nodes = {port: getattr(self, port) for port in "PABT"}
        return four_way(nodes, CENTRES[self.centre], is_servo=isinstance(self, ServoValve))

    def opening(self, edge: str, x: Any) -> Any:
        """How far an edge, ``"PA"``, is open at a spool position: 0 to 1."""
        share: Any = 0.0
        if edge in _FORWARD + _BACK:
            way = x if edge in _FORWARD else -x
            share = math.clip((way - self.overlap) / (1.0 - self.overlap), 0.0, 1.0)
        if edge in CENTRES[self.centre]:
            share = math.maximum(share, 1.0 - math.minimum(math.absolute(x) / _MIDDLE, 1.0))
        return share

    def add_edges(self, group: Group) -> None:
        """Add the control edges, orifices whose areas follow the spool."""
        spool = group.path("spool.position")
        more = (self.discharge, self.reynolds, self.length, self.section)
        for edge in self.edges:
            a, b = (getattr(self, node) for node in edge)
            group.add(edge, Orifice(a, b, self._area(edge, spool), *more))

    def _area(self, edge: str, spool: str) -> Callable[[Any], Any]:
        return lambda at: self.area * self.opening(edge, at.state(spool))

    def asked(self, at: Any) -> Any:
        """Position that is asked for, within the stroke."""
        return math.clip(source_value(self.command, "command", at), -1.0, 1.0)

    @property
    def spool_inputs(self) -> dict[str, str]:
        """The command, unless it is given."""
        return {"command": "1"} if self.command is None else {}

    def results(self, name: str) -> Mapping[str, Result]:
        """Position of the spool, flows at the nodes, and lost power."""
        text = f"position of the spool of {name}"
        found = {"position": Result("1", text, (f"{name}.spool.position",))}
        for node, come, gone in (
            ("P", (), ("PA", "PB", "PT")), ("A", ("PA",), ("AT",)), ("B", ("PB",), ("BT",))
        ):  # fmt: skip
            signs = [(1.0 if node == "P" else -1.0, e) for e in gone if e in self.edges]
            signs += [(1.0, e) for e in come]
            names, factors = tuple(f"{name}.{e}.flow" for _, e in signs), [k for k, _ in signs]
            way = "from P" if node == "P" else f"to {node}"
            found[f"flow_{node.lower()}"] = Result(
                "m^3/s", f"flow of {name} {way}", names, _weighted(factors)
            )
        return found | {"loss": total_loss(name, [f"{name}.{edge}" for edge in self.edges])}

    @property
    def edges(self) -> tuple[str, ...]:
        """Names of its control edges."""
        return tuple(dict.fromkeys((*_FORWARD, *_BACK, *CENTRES[self.centre])))


def _weighted(factors: list[float]) -> Any:
    return lambda *flows: sum(k * flow for k, flow in zip(factors, flows, strict=True))


class DirectionalValve(FourWay):
    """A 4/3 directional valve; its spool follows the command with a first-order lag.

    Its parameters are those of `FourWay`, and

    Parameters
    ----------
    time : float [s]
        Time constant of the spool.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("valve"), hy.Fluid()
    >>> oil = model.group("oil")
    >>> P, T = oil.add("P", hy.PressureSource(fluid, 1e7)), oil.add("T", hy.Tank(fluid))
    >>> A, B = (oil.add(name, hy.Volume(fluid, 1e-4)) for name in "AB")
    >>> valve = hy.DirectionalValve(P, A, B, T, area=1e-5, command=lambda t: 1.0, overlap=0.1)
    >>> _ = oil.add("valve", valve)
    >>> float(jd.simulate(model, 0.5)["oil.A.pressure", "bar"][-1].round(3))
    100.0
    """

    time: NumberField = preset(default=0.02)

    def __post_init__(self) -> None:
        super().__post_init__()
        check.number(self.time, "time of DirectionalValve", positive=True, unit="s")

    def build(self, group: Group) -> Mapping[str, Any]:
        """A spool that lags, and the edges."""

        def rate(at: Any) -> Any:
            return (self.asked(at) - at.state("position")) / self.time

        group.add_states("spool", {"position": "1"}, rate, inputs=self.spool_inputs)
        self.add_edges(group)
        return {}


class ServoValve(FourWay):
    """A servo valve; its spool follows the command with a second-order lag.

    Its parameters are those of `FourWay`, and

    Parameters
    ----------
    frequency : float [Hz]
        Natural frequency of the spool.
    damping : float
        Damping ratio of the spool.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("valve"), hy.Fluid()
    >>> oil = model.group("oil")
    >>> P, T = oil.add("P", hy.PressureSource(fluid, 1e7)), oil.add("T", hy.Tank(fluid))
    >>> A, B = (oil.add(name, hy.Volume(fluid, 1e-4)) for name in "AB")
    >>> valve = oil.add("valve", hy.ServoValve(P, A, B, T, area=1e-5, frequency=80.0))
    >>> sol = jd.simulate(model, 0.5, inputs={"oil.valve.spool.command": lambda t, s: 0.3})
    >>> float(sol["oil.valve.position"][-1].round(6))
    0.3
    """

    frequency: NumberField = preset(default=100.0)
    damping: NumberField = preset(default=0.8)

    def __post_init__(self) -> None:
        super().__post_init__()
        check.number(self.frequency, "frequency of ServoValve", positive=True, unit="Hz")
        check.number(self.damping, "damping of ServoValve", nonnegative=True)

    def build(self, group: Group) -> Mapping[str, Any]:
        """A spool that swings, and the edges."""

        def rates(at: Any) -> Any:
            w, x, v = 2.0 * math.pi * self.frequency, at.state("position"), at.state("speed")
            return v, w**2 * (self.asked(at) - x) - 2.0 * self.damping * w * v

        states = {"position": "1", "speed": "1/s"}
        group.add_states("spool", states, rates, inputs=self.spool_inputs)
        self.add_edges(group)
        return {}

    @staticmethod
    def area_of(flow: float, drop: float, density: float = 860.0, discharge: float = 0.7) -> float:
        """Area of an edge [m^2] from the rated flow [m^3/s] at a pressure drop of one edge [Pa].

        >>> from jourdain.library import hydraulics as hy
        >>> f"{hy.ServoValve.area_of(flow=40 / 60000, drop=35e5):.4g} m^2"
        '1.056e-05 m^2'
        """
        given = (flow, drop, density, discharge)
        Q, p, rho, alpha = (check.number(x, "rated value", positive=True) for x in given)
        return float(Q / (alpha * math.sqrt(2.0 * p / rho)))
