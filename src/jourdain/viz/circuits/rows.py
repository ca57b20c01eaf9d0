"""Rows of symbols: who stands above whom, and in which order, so that few lines cross.

Rows and channels alternate from below: row 1, channel 1, row 2, channel 2, … A symbol stands in a
row; the line of a node lies in a channel. A node lies one channel above the nodes that feed it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from jourdain.model.parts.symbol import Pin, Symbol
from jourdain.viz.circuits.netlist import Netlist

_SWEEPS = 12


@dataclass
class Cell:
    """A symbol in a row, or a line that passes through the row.

    Parameters
    ----------
    name : str
        Full name of the part; empty for a line.
    symbol : Symbol
        What stands there.
    row : int
        Its row.
    room : float
        Width with its label.
    x : float
        Place, once it is known.
    """

    name: str
    symbol: Symbol
    row: int
    room: float
    x: float = 0.0

    def pins(self, is_top: bool) -> list[Pin]:
        """Pins whose lines leave upwards, or downwards."""
        return [pin for pin in self.symbol.pins if (pin.y > 0.0) == is_top]


@dataclass
class Rows:
    """Cells by row, and the channels of nodes.

    Parameters
    ----------
    cells : list of list of Cell
        Rows from below, each from left to right.
    channels : dict of str to (int, int)
        Lowest and highest channel of each node.
    """

    cells: list[list[Cell]]
    channels: dict[str, tuple[int, int]] = field(default_factory=dict)


def arranged(circuit: Netlist) -> Rows:
    """Rows of all symbols, in an order with few crossings."""
    levels = _levels(circuit)
    cells = [
        _cell(circuit, name, symbol, levels)
        for name, symbol in circuit.symbols.items()
    ]  # fmt: skip
    cells += [
        _cell(circuit, name, place.symbol, levels)
        for name, place in circuit.places.items() if place.symbol
    ]  # fmt: skip
    ends: dict[str, list[int]] = {}
    for cell in cells:
        for pin in cell.symbol.pins:
            if not circuit.is_tank(pin.node):
                ends.setdefault(pin.node, []).append(cell.row - (pin.y < 0.0))
    found = Rows([], {node: (min(c), max(c)) for node, c in ends.items()})
    n = max([cell.row for cell in cells] + [high for _, high in found.channels.values()])
    found.cells = [[cell for cell in cells if cell.row == row] for row in range(n + 1)]
    for node, (low, high) in found.channels.items():
        for row in range(low + 1, high + 1):
            through = (Pin(node, 0.0, 0.1, 0.0), Pin(node, 0.0, -0.1, 0.0))
            found.cells[row].append(Cell("", Symbol(through, (), 0.4, 0.2), row, 0.4))
    _order(found, circuit)
    return found


def _levels(circuit: Netlist) -> dict[str, int]:
    """Channel of each node: one above the highest that feeds it; circles are cut."""
    feeds: dict[str, list[str]] = {node: [] for node in circuit.places}
    for symbol in circuit.symbols.values():
        lower = [p.node for p in symbol.pins if p.y < 0.0 and not p.is_control]
        upper = [p.node for p in symbol.pins if p.y > 0.0 and not p.is_control]
        for node in upper:
            if not circuit.is_tank(node) and node in feeds:
                feeds[node] += [x for x in lower if not circuit.is_tank(x) and x != node]
    levels: dict[str, int] = {}

    def level(node: str, path: tuple[str, ...]) -> int:
        if node not in levels:
            below = [level(x, (*path, node)) for x in feeds.get(node, []) if x not in (*path, node)]
            found = max(below, default=0) + 1
            if path and any(x in path for x in feeds.get(node, [])):
                return found  # inside of a circle: asked again from outside
            levels[node] = found
        return levels[node]

    for node in circuit.places:
        if not circuit.is_tank(node):
            level(node, ())
    return levels


def _cell(circuit: Netlist, name: str, symbol: Symbol, levels: dict[str, int]) -> Cell:
    """Cell of a symbol; what ends in a tank above is turned upside down."""
    in_tank = [circuit.is_tank(pin.node) for pin in symbol.pins]
    if symbol.can_flip and any(in_tank) and not all(in_tank):
        up = next(pin for pin, tank in zip(symbol.pins, in_tank, strict=True) if tank).y > 0.0
        symbol = symbol.flipped() if up else symbol
    lower, upper = (
        [levels[p.node] for p in symbol.pins if (p.y > 0.0) == is_up and p.node in levels]
        for is_up in (False, True)
    )
    if symbol.can_flip and lower and upper and min(lower) > max(upper):
        symbol, lower, upper = symbol.flipped(), upper, lower
    row = max(lower) + 1 if lower else min(upper, default=1)
    label = 0.17 * len(circuit.label(name)) + 0.35
    return Cell(name, symbol, row, symbol.width + label)


def _order(rows: Rows, circuit: Netlist) -> None:
    """Order cells in their rows by the middle of what they are joined to, up and down in turn."""
    for row in rows.cells:
        _spread(row)
    best, kept = _crossings(rows, circuit), [list(row) for row in rows.cells]
    for sweep in range(_SWEEPS):
        inner = range(len(rows.cells)) if sweep % 2 == 0 else range(len(rows.cells) - 1, -1, -1)
        for k in inner:
            near = [row for j, row in enumerate(rows.cells) if j != k and abs(j - k) <= 2]
            ends = _ends(near, circuit)
            rows.cells[k].sort(key=lambda cell, ends=ends: _wish(cell, ends))  # type: ignore[misc]
            _spread(rows.cells[k])
        crossings = _crossings(rows, circuit)
        if crossings < best:
            best, kept = crossings, [list(row) for row in rows.cells]
    rows.cells = kept
    for row in rows.cells:
        _spread(row)


def _spread(row: list[Cell]) -> None:
    """Place cells of a row side by side around zero."""
    x = -0.5 * sum(cell.room for cell in row)
    for cell in row:
        cell.x = x + 0.5 * cell.room
        x += cell.room


def _ends(rows: list[list[Cell]], circuit: Netlist) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for row in rows:
        for cell in row:
            for pin in cell.symbol.pins:
                if not circuit.is_tank(pin.node):
                    found.setdefault(pin.node, []).append(cell.x + pin.x)
    return found


def _wish(cell: Cell, ends: dict[str, list[float]]) -> float:
    """Where a cell would like to stand: at the middle of what its pins are joined to."""
    wishes = [
        sum(ends[pin.node]) / len(ends[pin.node]) - pin.x
        for pin in cell.symbol.pins if pin.node in ends
    ]  # fmt: skip
    return sum(wishes) / len(wishes) if wishes else cell.x


def _crossings(rows: Rows, circuit: Netlist) -> int:
    """Pairs of lines in a channel whose intervals overlap without one holding the other."""
    total = 0
    for channel in range(len(rows.cells)):
        spans: dict[str, list[tuple[float, int]]] = {}
        for side, row in ((1, channel + 1), (0, channel)):
            if row >= len(rows.cells):
                continue
            for cell in rows.cells[row]:
                for pin in cell.pins(is_top=side == 0):
                    if not circuit.is_tank(pin.node):
                        spans.setdefault(pin.node, []).append((cell.x + pin.x, side))
        nodes = list(spans)
        for i, one in enumerate(nodes):
            total += sum(_between(spans[one], spans[other]) for other in nodes[i + 1 :])
    return total


def _between(one: list[tuple[float, int]], other: list[tuple[float, int]]) -> int:
    """Fewest crossings of two lines in a channel: the one or the other lies above."""

    def count(upper: list[tuple[float, int]], lower: list[tuple[float, int]]) -> int:
        ranges = [(min(x)[0], max(x)[0]) for x in (upper, lower)]
        down = sum(side == 0 and ranges[1][0] < x < ranges[1][1] for x, side in upper)
        up = sum(side == 1 and ranges[0][0] < x < ranges[0][1] for x, side in lower)
        return down + up

    return min(count(one, other), count(other, one))
