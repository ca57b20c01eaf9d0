"""Lines of a circuit: each node has a track in its channels, pins are joined to it straight."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from jourdain.model.parts.symbol import Point
from jourdain.viz.circuits.netlist import Netlist
from jourdain.viz.circuits.rows import Cell, Rows

_FEW = 6  # lines in a channel up to which all orders are tried
_TRACK = 0.45  # distance of two tracks
_MARGIN = 0.35  # of a channel above and below its tracks
_SAME = 1e-6
_OVERLAP = 1000  # what a line on another costs, in crossings


@dataclass(frozen=True)
class Wire:
    """A piece of line that belongs to a node.

    Parameters
    ----------
    node : str
        Its node.
    points : tuple of (float, float)
        Both ends.
    is_control : bool
        Whether it is dashed.
    """

    node: str
    points: tuple[Point, Point]
    is_control: bool = False


@dataclass(frozen=True)
class Layout:
    """A circuit on paper.

    Parameters
    ----------
    cells : list of (Cell, float)
        Symbols with the height of their middle.
    wires : list of Wire
        Lines.
    dots : list of (str, float, float)
        Where more than two pieces of a line meet.
    corners : list of (str, float, float)
        Where lines come to their tracks.
    tanks : list of (str, float, float)
        Tanks, each at the end that it belongs to.
    """

    cells: list[tuple[Cell, float]]
    wires: list[Wire]
    dots: list[tuple[str, float, float]]
    corners: list[tuple[str, float, float]]
    tanks: list[tuple[str, float, float]]


@dataclass(frozen=True)
class _Stub:
    """End of a line at a channel: from above (side 1) or below (side 0)."""

    node: str
    x: float
    y: float
    side: int
    is_control: bool


def routed(rows: Rows, circuit: Netlist) -> Layout:
    """Lines and heights of a circuit whose columns are known."""
    layout = Layout([], [], [], [], [])
    y, waiting = 0.0, list[_Stub]()
    for k, row in enumerate(rows.cells):
        height = max((cell.symbol.height for cell in row), default=0.0)
        below = [_stub(pin, cell, 1) for cell in row for pin in cell.pins(is_top=False)]
        lines = [s for s in below if not circuit.is_tank(s.node)]
        has_tank = len(lines) < len(below)
        tracks = _tracks([*waiting, *lines])
        depth = _TRACK * max(len(set(tracks.values())) - 1, 0) + 2 * _MARGIN
        y = y + (depth if k else 0.0) + (0.5 if has_tank and k else 0.0) + 0.5 * height
        first = y - 0.5 * height - (0.5 if has_tank and k else 0.0) - _MARGIN
        heights = {node: first - _TRACK * track for node, track in tracks.items()}
        stubs = [*waiting, *(_raised(s, y) for s in lines)]
        for node, level in heights.items():
            _join([s for s in stubs if s.node == node], node, level, layout)
        for s in (_raised(s, y) for s in below if circuit.is_tank(s.node)):
            layout.wires.append(Wire(s.node, ((s.x, s.y), (s.x, s.y - 0.2)), s.is_control))
            layout.tanks.append((s.node, s.x, s.y - 0.2))
        layout.cells.extend((cell, y) for cell in row)
        for cell in row:
            for pin in cell.symbol.pins:
                x = cell.x + pin.x
                lead = ((x, y + pin.body), (x, y + pin.y))
                layout.wires.append(Wire(pin.node, lead, pin.is_control))
        above = [_raised(_stub(pin, cell, 0), y) for cell in row for pin in cell.pins(is_top=True)]
        layout.tanks.extend((s.node, s.x, s.y) for s in above if circuit.is_tank(s.node))
        waiting = [s for s in above if not circuit.is_tank(s.node)]
        y += 0.5 * height
    tracks = _tracks(waiting)
    for node, track in tracks.items():
        level = y + _MARGIN + _TRACK * (max(tracks.values()) - track)
        _join([s for s in waiting if s.node == node], node, level, layout)
    layout.wires[:] = _merged(layout.wires)
    return layout


def _merged(wires: list[Wire]) -> list[Wire]:
    """Wires of which those in line with each other are one."""
    runs: dict[tuple[str, bool, bool, float], list[tuple[float, float]]] = {}
    for wire in wires:
        (x0, y0), (x1, y1) = wire.points
        upright = abs(x1 - x0) < _SAME
        key = (wire.node, wire.is_control, upright, round(x0 if upright else y0, 4))
        runs.setdefault(key, []).append(
            (min(y0, y1), max(y0, y1)) if upright else (min(x0, x1), max(x0, x1))
        )
    found = []
    for (node, is_control, upright, place), pieces in runs.items():
        joined: list[tuple[float, float]] = []
        for low, high in sorted(pieces):
            if joined and low <= joined[-1][1] + _SAME:
                joined[-1] = joined[-1][0], max(joined[-1][1], high)
            else:
                joined.append((low, high))
        for low, high in joined:
            ends = ((place, low), (place, high)) if upright else ((low, place), (high, place))
            found.append(Wire(node, ends, is_control))
    return found


def _stub(pin: object, cell: Cell, side: int) -> _Stub:
    return _Stub(pin.node, round(cell.x + pin.x, 6), pin.y, side, pin.is_control)  # type: ignore[attr-defined]


def _raised(stub: _Stub, y: float) -> _Stub:
    return _Stub(stub.node, stub.x, stub.y + y, stub.side, stub.is_control)


def _tracks(stubs: list[_Stub]) -> dict[str, int]:
    """Track of each node in a channel, from above, so that few lines cross and none overlap."""
    nodes = list(dict.fromkeys(s.node for s in stubs))
    ends = {node: [s for s in stubs if s.node == node] for node in nodes}
    if len(nodes) <= _FEW:
        orders = list(permutations(nodes))
    else:
        up = {n: sum(s.side for s in ends[n]) / len(ends[n]) for n in nodes}
        orders = [tuple(sorted(nodes, key=lambda n: (-up[n], ends[n][0].x)))]
        for _ in range(3):
            orders += _swapped(orders[-1])
    best = min(orders, key=lambda order: _cost(order, ends))
    return _packed(best, ends)


def _swapped(order: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Orders with two neighbours swapped."""
    return [
        (*order[:k], order[k + 1], order[k], *order[k + 2 :]) for k in range(len(order) - 1)
    ]  # fmt: skip


def _range(stubs: list[_Stub]) -> tuple[float, float]:
    return min(s.x for s in stubs), max(s.x for s in stubs)


def _cost(order: tuple[str, ...], ends: dict[str, list[_Stub]]) -> int:
    """Crossings of an order, and overlaps that count for many."""
    total = 0
    for i, upper in enumerate(order):
        for lower in order[i + 1 :]:
            (a, b), (c, d) = _range(ends[upper]), _range(ends[lower])
            down = [s.x for s in ends[upper] if s.side == 0]
            up = [s.x for s in ends[lower] if s.side == 1]
            total += sum(c + _SAME < x < d - _SAME for x in down)
            total += sum(a + _SAME < x < b - _SAME for x in up)
            total += _OVERLAP * sum(abs(x - y) < _SAME for x in down for y in up)
            total += _OVERLAP * sum(abs(x - y) < _SAME for x in down for y in (c, d))
            total += _OVERLAP * sum(abs(x - y) < _SAME for x in up for y in (a, b))
    return total


def _packed(order: tuple[str, ...], ends: dict[str, list[_Stub]]) -> dict[str, int]:
    """Tracks of an order; lines beside each other share one."""
    tracks: dict[str, int] = {}
    for node in order:
        low, high = _range(ends[node])
        met = [
            tracks[other] + 1 for other in tracks
            if _range(ends[other])[0] < high + 0.5 and low < _range(ends[other])[1] + 0.5
        ]  # fmt: skip
        tracks[node] = max(met, default=0)
    return tracks


def _join(stubs: list[_Stub], node: str, level: float, layout: Layout) -> None:
    """Draw the line of a node in a channel."""
    for s in stubs:
        layout.wires.append(Wire(node, ((s.x, s.y), (s.x, level)), s.is_control))
    low, high = _range(stubs)
    if high - low > _SAME:
        layout.wires.append(Wire(node, ((low, level), (high, level))))
    for x in sorted({s.x for s in stubs}):
        count = sum(abs(s.x - x) < _SAME for s in stubs) + (x > low + _SAME) + (x < high - _SAME)
        layout.corners.append((node, x, level))
        if count > 2:
            layout.dots.append((node, x, level))
