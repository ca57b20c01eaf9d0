"""Names of nodes: where they stand beside their lines, clear of all else."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from jourdain.viz.circuits.netlist import Netlist
from jourdain.viz.circuits.wires import Layout

LETTER = 0.21  # width of a letter
_VALUE = 1.95  # width of a pressure behind a name
_OFF = 0.13  # distance from the line
_HEIGHT = 0.32
_FAR = 0.02  # cost of a place that is not the first one
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Label:
    """Name of a node.

    Parameters
    ----------
    x, y : float
        Place of its begin, or of its end, on the base line.
    is_end : bool
        Whether the place is that of its end.
    """

    x: float
    y: float
    is_end: bool


def labels(layout: Layout, circuit: Netlist) -> dict[str, Label]:
    """Places of the names of all nodes that have lines."""
    taken = [
        (c.x - 0.5 * c.symbol.width, y - 0.4 * c.symbol.height, c.x - 0.5 * c.symbol.width + c.room,
         y + 0.4 * c.symbol.height)
        for c, y in layout.cells if c.name
    ]  # fmt: skip
    lines = [
        (min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))
        for a, b in (wire.points for wire in layout.wires)
    ]
    found: dict[str, Label] = {}
    for node in circuit.places:
        ends = [(x, y) for name, x, y in layout.corners if name == node]
        if circuit.is_tank(node) or not ends:
            continue
        width = LETTER * len(circuit.label(node)) + _VALUE
        best = min(_candidates(ends, width), key=lambda c: c[0] + _hits(c[2], [*taken, *lines]))
        found[node] = best[1]
        taken.append(best[2])
    return found


def _candidates(ends: list[tuple[float, float]], width: float) -> list[tuple[float, Label, Box]]:
    """Places around the ends of lines, with a cost that tells the first ones from the others."""
    found = []
    places = sorted(set(ends), key=lambda p: (-p[1], p[0]))
    sides = product(range(len(places)), (False, True), (True, False))
    for rank, (k, is_end, above) in enumerate(sides):
        x, y = places[k]
        left = x - _OFF - width if is_end else x + _OFF
        low = y + _OFF if above else y - _OFF - _HEIGHT
        label = Label(x - _OFF if is_end else x + _OFF, low, is_end)
        found.append((_FAR * rank, label, (left, low, left + width, low + _HEIGHT)))
    return found


def _hits(box: Box, others: list[Box]) -> int:
    """How many others a box overlaps."""
    left, low, right, high = box
    return sum(a < right and left < c and b < high and low < d for a, b, c, d in others)
