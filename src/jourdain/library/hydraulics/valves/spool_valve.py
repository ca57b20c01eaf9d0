"""The spool valve with a body of its own: stops, stick–slip, pressure faces, edges (4.F11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.hydraulics.nodes.node import Element, End, require_node
from jourdain.library.hydraulics.passage import total_loss
from jourdain.library.hydraulics.symbols import spool_valve
from jourdain.library.hydraulics.valves.orifice import Orifice
from jourdain.model.laws.damper import Damper
from jourdain.model.laws.force import Force
from jourdain.model.laws.spring import Spring
from jourdain.model.laws.unilateral import Interval, Unilateral
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.parts.part import BuiltPart
from jourdain.model.parts.result import Result
from jourdain.model.parts.symbol import Symbol
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, NumberOrNoneField, Takes, preset, record
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


@record()
class Edge:
    """A control edge: its area grows with the way of the spool beyond the place where it opens.

        A(x) = min(width · max(0, ±(x − opens)), area)

    Parameters
    ----------
    a, b : BuiltPart
        Nodes before and behind it.
    width : float [m]
        Area for each metre of the way.
    opens : float [m]
        Position of the spool at which it begins to open.
    side : {1, -1}
        Whether it opens while the spool moves forward or back.
    area : float [m^2], optional
        Area that it does not exceed.
    """

    a: BuiltPart
    b: BuiltPart
    width: NumberField
    opens: NumberField = preset(default=0.0)
    side: int = 1
    area: NumberOrNoneField = preset(default=None)

    def __post_init__(self) -> None:
        for end in ("a", "b"):
            require_node(getattr(self, end), f"{end} of Edge")
        check.number(self.width, "width of Edge", positive=True, unit="m")
        check.number(self.opens, "opens of Edge")
        if self.side not in (1, -1):
            raise ModelError(f"side of Edge is {check.shown(self.side)}: give 1 or -1.")

    def at(self, x: Any) -> Any:
        """Area at a position of the spool [m^2]."""
        area = self.width * math.maximum(self.side * (x - self.opens), 0.0)
        return area if self.area is None else math.minimum(area, self.area)


class SpoolValve(Element):
    """A valve whose spool is a body: mass, spring, stops, dry friction, pressure faces, edges.

    The position of the spool is the coordinate ``spool`` [m].

    Parameters
    ----------
    mass : float [kg]
        Mass of the spool.
    edges : mapping of str to Edge
        Control edges by name.
    faces : sequence of (BuiltPart, float [m^2])
        Nodes whose pressure pushes the spool forward, with the area; back with a negative area.
    limits : (float, float) [m]
        Positions of the stops.
    stiffness, preload : float [N/m], [N]
        Of the spring, which pushes back: preload at the position zero.
    friction, static : float [N]
        Dry friction while it slides, and while it sticks; static is as large by default.
    damping : float [N s/m]
        Viscous friction.
    discharge, reynolds : float
        Of the edges, as those of an `Orifice`.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("pilot", gravity=(0, 0, 0)), hy.Fluid()
    >>> oil = model.group("oil")
    >>> P, T = oil.add("P", hy.PressureSource(fluid, 20e5)), oil.add("T", hy.Tank(fluid))
    >>> A = oil.add("A", hy.Volume(fluid, 1e-4))
    >>> edges = {"inlet": hy.Edge(P, A, 1e-3, side=-1), "outlet": hy.Edge(A, T, 1e-3)}
    >>> valve = hy.SpoolValve(
    ...     0.05, edges, [(A, 1e-4)], (-1e-3, 1e-3), stiffness=2e3, preload=80.0, damping=100.0
    ... )
    >>> _ = oil.add("valve", valve)
    >>> float(jd.simulate(model, 0.5)["oil.A.pressure", "bar"][-1].round(3))  # 80 N/1e-4 m²
    8.0
    """

    mass: NumberField
    edges: Mapping[str, Edge]
    faces: Takes[Sequence[Any], tuple[Any, ...]]
    limits: Takes[Sequence[Any], tuple[Any, Any]]
    stiffness: NumberField = preset(default=0.0)
    preload: NumberField = preset(default=0.0)
    friction: NumberField = preset(default=0.0)
    static: NumberOrNoneField = preset(default=None)
    damping: NumberField = preset(default=0.0)
    discharge: NumberField = preset(default=0.7)
    reynolds: NumberField = preset(default=100.0)

    def __post_init__(self) -> None:
        check.number(self.mass, "mass of SpoolValve", positive=True, unit="kg")
        object.__setattr__(self, "edges", dict(self.edges))
        object.__setattr__(self, "faces", tuple(map(tuple, self.faces)))
        object.__setattr__(self, "limits", tuple(self.limits))
        for name, edge in self.edges.items():
            if not isinstance(edge, Edge):
                raise ModelError(
                    f"edge {name!r} of SpoolValve is {check.shown(edge)}: give hy.Edge."
                )
        for node, area in self.faces:
            require_node(node, "a face of SpoolValve")
            check.number(area, "area of a face of SpoolValve", unit="m^2")
        low, high = self.limits
        check.number(high - low, "stroke of SpoolValve", positive=True, unit="m")
        for name in ("stiffness", "friction", "damping"):
            check.number(getattr(self, name), f"{name} of SpoolValve", nonnegative=True)

    @property
    def _rubs(self) -> bool:
        return not (isinstance(self.friction, float | int) and self.friction == 0.0)

    def ends(self, name: str) -> tuple[End, ...]:
        """The faces displace oil; the edges are parts with ends of their own."""
        spool, (low, high) = Coordinate(f"{name}.spool"), self.limits
        return tuple(
            End(node, area, spool, chamber=-area * (low if nominal(area) > 0.0 else high))
            for node, area in self.faces
        )

    def symbol(self, name: str) -> Symbol:
        """Look in the drawing of a circuit."""
        edges = [(edge.a, edge.b) for edge in self.edges.values()]
        return spool_valve(edges, [(node.name, float(nominal(area))) for node, area in self.faces])

    def build(self, group: Group) -> Mapping[str, Any]:
        """A spool, and orifices whose areas follow it."""
        spool = Coordinate(group.add_coordinate("spool", self.mass, unit="m"))
        group.add_connection("spring", spool, Spring(self.stiffness) + Force(-self.preload))
        group.add_connection("film", spool, Damper(self.damping))
        low, high = self.limits
        group.add_connection("stop_low", spool, Unilateral(low))
        group.add_connection("stop_high", spool, Unilateral(high, "below"))
        if self._rubs:
            law = Interval(self.friction, static=self.static)
            group.add_connection("friction", spool, law)
        for name, edge in self.edges.items():
            area = self._area(edge, spool.name)
            group.add(name, Orifice(edge.a, edge.b, area, self.discharge, self.reynolds))
        return {"spool": spool}

    def results(self, name: str) -> Mapping[str, Result]:
        """Position of the spool, and the power that edges, damping and friction take."""
        edges = total_loss(
            name, [f"{name}.{edge}" for edge in self.edges], [f"{name}.friction"] * self._rubs
        )
        film = (f"{name}.film.force", f"{name}.film.rate")

        def loss(force: Any, rate: Any, *columns: Any) -> Any:
            return edges.function(*columns) - force * rate

        return {
            "position": Result("m", f"position of the spool of {name}", (f"{name}.spool",)),
            "loss": Result("W", edges.text, (*film, *edges.names), loss),
        }

    @staticmethod
    def _area(edge: Edge, spool: str) -> Any:
        return lambda at: edge.at(at.coordinate(spool))
