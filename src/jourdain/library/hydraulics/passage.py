"""Passages: elements between two nodes through which oil flows, with inertia or without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jourdain.library.hydraulics.nodes.node import PORT, Element, End, require_node
from jourdain.library.hydraulics.symbols import two_ends
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.parts.part import BuiltPart
from jourdain.model.parts.result import Result
from jourdain.model.parts.symbol import Symbol
from jourdain.spatial.parameter import Expression

if TYPE_CHECKING:
    from jourdain.library.hydraulics.fluid import Fluid
    from jourdain.model.parts.group import Group

COLUMN, PASSED = "volume", "passed"


class Passage(Element):
    """An element from node a to node b; its flow counts from a to b.

    A passage with a *column* of oil has a coordinate ``volume`` [m^3], what has passed, with the
    inertia ρ L/A (4.F12). One without has a state ``passed.volume``, whose rate is a function of
    the pressures; it ends at nodes with a volume or a given pressure only.

    Parameters
    ----------
    a, b : BuiltPart
        The two nodes.
    """

    a: BuiltPart
    b: BuiltPart

    def __post_init__(self) -> None:
        for end in ("a", "b"):
            require_node(getattr(self, end), f"{end} of {type(self).__name__}")

    @property
    def fluid(self) -> Fluid:
        """What flows: the fluid of node a."""
        found: Fluid = self.a.fluid
        return found

    @property
    def has_column(self) -> bool:
        """Whether its oil has inertia."""
        return True

    @property
    def glyph(self) -> str:
        """Word of `symbols` for its look in the drawing of a circuit; a box without."""
        return ""

    def symbol(self, name: str) -> Symbol:
        """Look in the drawing of a circuit."""
        return two_ends(self.glyph, self.a, self.b) if self.glyph else super().symbol(name)

    def ends(self, name: str) -> tuple[End, ...]:
        """What leaves a enters b."""
        both = ((self.a, 1.0), (self.b, -1.0))
        if self.has_column:
            column = Coordinate(f"{name}.{COLUMN}")
            return tuple(End(node, k, column) for node, k in both)
        return tuple(End(node, k, flow=f"{name}.{PASSED}.volume") for node, k in both)

    def results(self, name: str) -> Mapping[str, Result]:
        """Flow, pressure drop, and the power that is lost on the way."""
        rate = f"{name}.{COLUMN}.rate" if self.has_column else f"{name}.{PASSED}.volume_rate"
        pressures = tuple(f"{node.name}.{PORT}.force" for node in (self.a, self.b))
        found = {
            "flow": Result("m^3/s", f"flow through {name}", (rate,)),
            "pressure_drop": Result(
                "Pa", f"pressure before {name} less that behind", pressures, lambda a, b: a - b
            ),
        }
        if not self.has_column:
            text = f"power that {name} loses"
            names = (rate, *pressures)
            found["loss"] = Result("W", text, names, lambda flow, a, b: flow * (a - b))
        return found


def add_column(group: Group, inertia: Any) -> Coordinate:
    """Add the column of oil of a passage; return its measure."""
    return Coordinate(group.add_coordinate(COLUMN, inertia, unit="m^3"))


def total_loss(name: str, losses: Sequence[str], frictions: Sequence[str] = ()) -> Result:
    """Power that smaller parts and dry frictions of a part lose together.

    Parameters
    ----------
    name : str
        Full name of the part.
    losses, frictions : sequences of str
        Full names of parts that have a loss, and of connections with dry friction.
    """
    names = (*(f"{part}.loss" for part in losses), *(f"{law}.power" for law in frictions))
    n = len(losses)
    return Result("W", f"power that {name} loses", names, lambda *x: sum(x[:n]) - sum(x[n:]))


def kinetic_energy(name: str, inertia: Any) -> dict[str, Result]:
    """Energy of a moving column; none where its inertia is a parameter: results see none."""
    if isinstance(inertia, Expression):
        return {}
    text, rate = f"energy of the moving oil in {name}", f"{name}.{COLUMN}.rate"
    return {"energy": Result("J", text, (rate,), lambda flow: 0.5 * inertia * flow**2)}


def lost(name: str, forces: tuple[str, ...]) -> Result:
    """Power that laws of a column lose: flow times what they take of the pressure."""
    names = (f"{name}.{COLUMN}.rate", *(f"{name}.{law}.force" for law in forces))
    return Result("W", f"power that {name} loses", names, lambda flow, *f: -flow * sum(f))
