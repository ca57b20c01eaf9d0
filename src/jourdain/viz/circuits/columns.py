"""Columns of symbols: places from left to right, so that lines are short and straight."""

from __future__ import annotations

from itertools import pairwise

from jourdain.model.parts.symbol import Pin
from jourdain.viz.circuits.netlist import Netlist
from jourdain.viz.circuits.rows import Cell, Rows

Ends = dict[str, list[tuple[Cell, Pin]]]
"""Pins of each node, with their cells."""
_SWEEPS = 60
_GRID = 0.1  # places are multiples of it
_APART = 0.3  # distance of two lines of different nodes that leave into the same channel
_SHIFTS = 40
_STRAIGHTENINGS = 4
_SAME = 1e-6


def place_columns(rows: Rows, circuit: Netlist) -> None:
    """Set ``x`` of all cells; the order in the rows stays."""
    cells = [cell for row in rows.cells for cell in row]
    ends: Ends = {}
    for cell in cells:
        for pin in cell.symbol.pins:
            if not circuit.is_tank(pin.node):
                ends.setdefault(pin.node, []).append((cell, pin))
    for sweep in range(_SWEEPS):
        order = rows.cells if sweep % 2 == 0 else rows.cells[::-1]
        for row in order:
            if row:
                _place(row, [_wish(cell, ends) for cell in row])
    for cell in cells:
        cell.x = _GRID * round(cell.x / _GRID)
    _straighten_all(rows, cells, ends)
    for k in range(1, len(rows.cells)):
        for _ in range(_SHIFTS):
            if not _shifted(rows.cells[k], rows.cells[k - 1], circuit):
                break


def _straighten_all(rows: Rows, cells: list[Cell], ends: Ends) -> None:
    """Straighten lines from below to above, or the other way, whichever leaves fewer bends."""
    first, found = [cell.x for cell in cells], []
    for order in (rows.cells, rows.cells[::-1]):
        for cell, x in zip(cells, first, strict=True):
            cell.x = x
        ahead = 1.0 if order is rows.cells else -1.0
        for _ in range(_STRAIGHTENINGS):
            for row in order:
                for k in range(len(row)):
                    _straighten(row, k, ends, ahead)
        bends = sum(
            abs(x - cell.x - pin.x) > _SAME for cell in cells for x, pin in _opposite(cell, ends)
        )
        found.append((bends, [cell.x for cell in cells]))
    for cell, x in zip(cells, min(found)[1], strict=True):
        cell.x = x


def _wish(cell: Cell, ends: Ends) -> float:
    """Where the lines of a cell are straight, as far as they agree."""
    wishes = []
    for pin in cell.symbol.pins:
        others = [
            other.x + x.x
            for other, x in ends.get(pin.node, ())
            if other is not cell and abs(other.row - cell.row) <= 1
        ]
        if others:
            wishes.append(min(others, key=lambda x: abs(x - cell.x - pin.x)) - pin.x)
            wishes.append(sum(others) / len(others) - pin.x)
    return sum(wishes) / len(wishes) if wishes else cell.x


def _opposite(cell: Cell, ends: Ends) -> list[tuple[float, Pin]]:
    """Places of pins across the channels, with the pins of a cell that they are joined to."""
    return [
        (other.x + x.x, pin)
        for pin in cell.symbol.pins
        for other, x in ends.get(pin.node, ())
        if other.row - cell.row == (1 if pin.y > 0.0 else -1) and (x.y > 0.0) != (pin.y > 0.0)
    ]


def _straighten(row: list[Cell], k: int, ends: Ends, ahead: float) -> None:
    """Move a cell to where most of its lines are straight, as far as its neighbours allow.

    Lines to the rows before, which have moved already, count twice.
    """
    cell = row[k]
    low = row[k - 1].x + _distance(row[k - 1], cell) if k else -1e9
    high = row[k + 1].x - _distance(cell, row[k + 1]) if k + 1 < len(row) else 1e9
    opposite = _opposite(cell, ends)
    if not opposite:
        return

    def straight(at: float) -> int:
        return sum(
            (2 if pin.y * ahead < 0.0 else 1) for x, pin in opposite if abs(x - at - pin.x) < _SAME
        )

    wished = {round(x - pin.x, 6) for x, pin in opposite} | {cell.x}
    allowed = [at for at in wished if low - _SAME <= at <= high + _SAME] or [cell.x]
    cell.x = max(allowed, key=lambda at: (straight(at), -abs(at - cell.x)))


def _place(row: list[Cell], wishes: list[float]) -> None:
    """Places nearest to the wishes, by least squares, that keep order and room (isotonic)."""
    gaps = [0.0]
    for left, right in pairwise(row):
        gaps.append(gaps[-1] + _distance(left, right))
    blocks: list[tuple[float, int]] = []
    for wish, gap in zip(wishes, gaps, strict=True):
        mean, count = wish - gap, 1
        while blocks and blocks[-1][0] > mean:
            other, n = blocks.pop()
            mean, count = (mean * count + other * n) / (count + n), count + n
        blocks.append((mean, count))
    values = [mean for mean, count in blocks for _ in range(count)]
    for cell, value, gap in zip(row, values, gaps, strict=True):
        cell.x = value + gap


def _distance(left: Cell, right: Cell) -> float:
    """Least distance of two cells side by side: labels stand to the right of symbols."""
    return left.room - 0.5 * left.symbol.width + 0.5 * right.symbol.width + 0.3


def _shifted(row: list[Cell], below: list[Cell], circuit: Netlist) -> bool:
    """Shift the first cell whose line would lie on that of another node, and all to its right."""
    taken = [
        (cell.x + pin.x, pin.node)
        for cell in below for pin in cell.pins(is_top=True) if not circuit.is_tank(pin.node)
    ]  # fmt: skip
    for k, cell in enumerate(row):
        for pin in cell.pins(is_top=False):
            x = cell.x + pin.x
            if any(abs(x - other) < _APART and node != pin.node for other, node in taken):
                for moved in row[k:]:
                    moved.x += _GRID
                return True
    return False
