"""Nodes: where oil meets, and the sum of all flows that elements join to them.

A node is a *measure* and a *law* like every connection. The measure is the volume that has left it,
Σ out − Σ in [m³], over all columns, pistons and pumps that end there; the force that belongs to it
is the pressure, which so acts on everything that is joined, with the right sign and area and with
the power p Q. The law tells what kind of node it is:

=====================  ====================================================  ======
tank, pressure source  the pressure is given                                 4.F21
volume                 the pressure is a state, compressible oil             4.F1
accumulator            the same with gas behind a bladder
junction               the sum of the flows is zero, p is the multiplier     4.F4
cavitating junction    0 ≤ void ⊥ p − p_min ≥ 0                              4.F5
=====================  ====================================================  ======

Elements are added after the nodes they join, so the sum is taken when the model is compiled: the
measure holds the name of its node, and asks the elements of the complete model for their ends
(`Measure.completed`). Nothing is kept beside the model. So it can be copied, saved, loaded and
changed; a part that is replaced or built inside of others needs no care, and the order in which
elements are added does not matter.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jourdain.errors import ModelError
from jourdain.library.hydraulics.fluid import Fluid
from jourdain.library.hydraulics.symbols import block
from jourdain.model.measures.measure import Measure
from jourdain.model.measures.sum import Sum
from jourdain.model.parts.part import BuiltPart, Part
from jourdain.model.parts.result import Result
from jourdain.model.parts.symbol import Place, Symbol
from jourdain.spatial import check
from jourdain.spatial.annotations import record
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.model import Model
    from jourdain.model.parts.group import Group

PORT = "node"
"""Connection of a node: ``oil.a.node``."""


@record()
class End:
    """What an element does at one of its nodes.

    Parameters
    ----------
    node : BuiltPart
        The node.
    factor : float [m^2, …]
        Volume that leaves the node for each unit of the measure, or of the flow; negative where it
        enters.
    measure : Measure, optional
        Column of oil with inertia, piston or shaft.
    flow : str
        State whose rate is a flow without inertia, ``"oil.orifice.passed.volume"``. Nodes with a
        volume take this where both are given, junctions the measure.
    chamber : float [m^3], optional
        For a piston, whose chamber belongs to the node: volume of the chamber where the measure is
        zero.
    """

    node: BuiltPart
    factor: Any
    measure: Measure | None = None
    flow: str = ""
    chamber: Any = None


class Element(Part):
    """A piece of circuit that is joined to nodes. Subclass it to make your own.

    Besides `Part.build` it has ``ends(name)``, which tells what it does at its nodes.
    """

    @abstractmethod
    def ends(self, name: str) -> tuple[End, ...]:
        """Ends of the element that has this full name."""

    def symbol(self, name: str) -> Symbol:
        """Look in the drawing of a circuit: a box with an end for each node."""
        return block(list(dict.fromkeys(end.node.name for end in self.ends(name))))


class Node(Part):
    """A place where oil meets.

    Parameters
    ----------
    fluid : Fluid
        What is in it; elements that are joined take it from here.
    """

    fluid: Fluid

    def __post_init__(self) -> None:
        if not isinstance(self.fluid, Fluid):
            word = type(self).__name__
            raise ModelError(
                f"fluid of {word} is {check.shown(self.fluid)}: give hy.Fluid(...) or "
                'hy.standard_oil("HLP 46").'
            )

    @property
    def is_rigid(self) -> bool:
        """Whether it has no volume, so that its pressure is the multiplier of its flows."""
        return False

    @property
    def has_quick_power(self) -> bool:
        """Pressures rise in microseconds."""
        return True

    def symbol(self, name: str) -> Place:
        """Look in the drawing of a circuit."""
        return Place("junction" if self.is_rigid else "volume")

    def results(self, name: str) -> Mapping[str, Result]:
        """The pressure."""
        return {"pressure": Result("Pa", f"pressure of {name}", (f"{name}.{PORT}.force",))}


TORN = 1e3
"""Pressure below that of the vapour that counts as oil which is torn [Pa]."""


def torn(node: Node, name: str, pressures: Any, remedy: str) -> Iterator[str]:
    """Text about pressures of a node at which oil would be torn, with a remedy; or none."""
    lowest, least = nominal(node.fluid.lowest_pressure), float(np.min(pressures, initial=0.0))
    if least < lowest - TORN:
        yield (
            f"the pressure of {name!r} falls to {least / 1e5:.4g} bar, below that of the vapour, "
            f"{lowest / 1e5:.4g} bar (above the atmosphere): there oil is torn and a void opens, "
            f"which this node does not know. {remedy}"
        )


def is_rigid(part: Part) -> bool:
    """Whether a part is a node without volume."""
    return isinstance(part, Node) and part.is_rigid


def ends_at(model: Model, node: str) -> Iterator[tuple[str, End]]:
    """Yield all ends at a node, with the names of their elements."""
    yield from model.gathered(_all_ends).get(node, ())


def _all_ends(model: Model) -> dict[str, list[tuple[str, End]]]:
    """Ends of all elements, with their names, by the names of the nodes."""
    found: dict[str, list[tuple[str, End]]] = {}
    for name, built in model.parts.items():
        if isinstance(built.part, Element):
            for end in built.part.ends(name):
                found.setdefault(end.node.name, []).append((name, end))
    return found


def require_node(node: Any, what: str) -> None:
    """Refuse what is no node of a circuit."""
    if isinstance(node, BuiltPart) and isinstance(node.part, Node):
        return
    raise ModelError(
        f"{what} is {check.shown(node)}: give a node, which is what oil.add(name, hy.Volume(...)), "
        "hy.Junction(...) or hy.Tank(...) returns."
    )


def pressure(at: Any, node: BuiltPart) -> Any:
    """Pressure of a node [Pa], for laws and rates."""
    return at.force(f"{node.name}.{PORT}")


class Swept(Sum):
    """Sum of measures with factors that is a volume [m^3]: what pistons and pumps displace."""

    @property
    def unit(self) -> str:  # type: ignore[override]
        """Volume."""
        return "m^3"

    @property
    def component_units(self) -> tuple[str, ...]:
        """Volume."""
        return ("m^3",)


class Outflow(Swept):
    """Volume that has left a node [m^3]: Σ out − Σ in of all that is joined to it.

    Parameters
    ----------
    terms : tuple of (factor, Measure)
        What is joined; found when the model is complete.
    node : str
        Full name of the node.
    is_rigid : bool
        Whether the node has no volume, so that flows without inertia cannot end there.
    void : Measure, optional
        Volume without oil in the node, which grows by what has left it: it is taken off.
    """

    terms: Any = field(default=(), compare=False)
    node: str = ""
    is_rigid: bool = False
    void: Measure | None = None

    def __post_init__(self) -> None:
        if self.terms:
            super().__post_init__()

    @property
    def size(self) -> int:  # type: ignore[override]
        """One."""
        return 1

    @property
    def labels(self) -> tuple[str, ...]:
        """None."""
        return ()

    def completed(self, model: Model) -> Outflow:
        """Measure of all that the model joins to the node."""
        ends = list(ends_at(model, self.node))
        if self.is_rigid:
            _require_inertia(self.node, ends)
            _require_hold(model, self.node, ends)
        joined = [end for _, end in ends if end.measure is not None and not self._flows(end)]
        terms = tuple((end.factor, end.measure) for end in joined)
        return replace(self, terms=(*terms, *(((-1.0, self.void),) if self.void else ())))

    def _flows(self, end: End) -> bool:
        """Whether the law of the node takes this end as a flow, because it has a volume."""
        return bool(end.flow) and not self.is_rigid

    def value(self, at: Any) -> Any:
        """Sum of the values; None if a term has only a rate."""
        return super().value(at) if self.terms else 0.0

    def __str__(self) -> str:
        return f"Outflow({self.node})"


def _require_inertia(node: str, ends: list[tuple[str, End]]) -> None:
    """Refuse a junction without ends, and flows without inertia at a junction."""
    if not ends:
        raise ModelError(
            f"junction {node!r} hangs in the air: nothing is joined to it. Join two elements or "
            "more, or leave it out."
        )
    for name, end in ends:
        if end.measure is None:
            raise ModelError(
                f"{name!r} has no inertia, and junction {node!r} has no volume: the pressure "
                "between them would be an algebraic equation. Give the element the length of its "
                "oil column (length=0.05), or the junction a volume: hy.Volume(fluid, 1e-5)."
            )


def _require_hold(model: Model, node: str, ends: list[tuple[str, End]]) -> None:
    """Refuse an element whose ends are all at junctions to which nothing else is joined."""
    names = {name for name, _ in ends}
    if len(names) != 1:
        return
    (element,) = names
    part = cast(Element, model.parts[element].part)
    nodes = list(dict.fromkeys(end.node.name for end in part.ends(element)))
    alone = [n for n in nodes if {name for name, _ in ends_at(model, n)} == names]
    rigid = [n for n in nodes if is_rigid(model.parts[n].part)]
    if len(nodes) > 1 and len(alone) == len(rigid) == len(nodes):
        listed = " and ".join(map(repr, nodes))
        raise ModelError(
            f"{element!r} hangs in the air between the junctions {listed}: nothing else is joined "
            "to them, so nothing sets their pressure. Join a hy.Tank, a hy.Volume, a source or a "
            "piston, or leave the element out."
        )


def add_node(group: Group, law: Any, measure: Measure | None = None) -> dict[str, Any]:
    """Add the connection of a node; return its ports."""
    outflow = Outflow(node=group.name) if measure is None else measure
    group.add_connection(PORT, outflow, law)
    return {}
