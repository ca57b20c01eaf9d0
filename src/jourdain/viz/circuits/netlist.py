"""The circuit of a model: symbols of its parts, and the nodes between them."""

from __future__ import annotations

from dataclasses import dataclass, field

from jourdain.errors import ModelError
from jourdain.model.model import Model
from jourdain.model.names import is_inside
from jourdain.model.parts.symbol import Place, Symbol


@dataclass
class Netlist:
    """What is drawn of a circuit.

    Parameters
    ----------
    symbols : dict of str to Symbol
        Symbols by the full names of their parts.
    places : dict of str to Place
        Nodes by full name.
    prefix : str
        What all names begin with, which is left out.
    """

    symbols: dict[str, Symbol] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    prefix: str = ""

    def label(self, name: str) -> str:
        """Short name."""
        return name.removeprefix(self.prefix)

    def is_tank(self, node: str) -> bool:
        """Whether a node is a tank, which is drawn at every end by itself."""
        return node in self.places and self.places[node].kind == "tank"


def is_circuit(model: Model) -> bool:
    """Whether a model has nodes to draw, and no bodies."""
    return not model.bodies and any(
        isinstance(b.part.symbol(name), Place) for name, b in model.parts.items()
    )


def netlist(model: Model, group: str = "") -> Netlist:
    """Circuit of a model, or of one of its groups.

    Raises
    ------
    ModelError
        If there is none.
    """
    found = Netlist()
    drawn: list[str] = []  # what has a symbol: what is inside of it is not drawn
    for name, built in sorted(model.parts.items(), key=lambda item: item[0].count(".")):
        looks = built.part.symbol(name)
        if looks is None or any(is_inside(name, other) and name != other for other in drawn):
            continue
        drawn.append(name)
        if isinstance(looks, Place):
            found.places[name] = looks
        elif not group or is_inside(name, group):
            found.symbols[name] = looks
    order = {name: k for k, name in enumerate(model.parts)}
    found.symbols = dict(sorted(found.symbols.items(), key=lambda item: order[item[0]]))
    used = {pin.node for symbol in found.symbols.values() for pin in symbol.pins}
    found.places = {
        name: place
        for name, place in sorted(found.places.items(), key=lambda item: order[item[0]])
        if name in used
    }
    if not found.places:
        what = f"group {group!r}" if group else f"model {model.name!r}"
        raise ModelError(
            f"{what} has no circuit to draw: there are no nodes that something ends at. Give a "
            "group with nodes and elements of jourdain.library.hydraulics."
        )
    found.prefix = _common(list(found.symbols) + list(found.places))
    return found


def _common(names: list[str]) -> str:
    """Groups that all names are in, with a dot behind."""
    first = names[0].split(".")[:-1]
    while first and not all(name.startswith(".".join(first) + ".") for name in names):
        first.pop()
    return ".".join(first) + "." if first else ""
