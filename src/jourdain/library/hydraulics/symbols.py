"""Symbols of hydraulic elements for drawings of circuits, in the manner of ISO 1219."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jourdain.model.parts.symbol import Pin, Place, Stroke, Symbol, arrow, box, circle, line, zigzag

Strokes = tuple[Stroke, ...]


def _pipe() -> Strokes:
    return (box(-0.1, -0.6, 0.1, 0.6),)


def _elastic_pipe() -> Strokes:
    wave = [(0.1 * (-1) ** k * (0 < k < 6), -0.6 + 0.2 * k) for k in range(7)]
    return (*_pipe(), line(*wave))


def _throttle() -> Strokes:
    bow = [(0.34, 0.42), (0.2, 0.24), (0.14, 0.0), (0.2, -0.24), (0.34, -0.42)]
    return line(*bow), line(*((-x, y) for x, y in bow))


def _adjustable_throttle() -> Strokes:
    return (*_throttle(), *arrow((-0.5, -0.45), (0.5, 0.45)))


def _check_valve() -> Strokes:
    return line((-0.34, 0.12), (0.0, -0.26), (0.34, 0.12)), circle(0.0, 0.05, 0.2)


def _preloaded_check_valve() -> Strokes:
    return (*_check_valve(), zigzag((0.0, 0.25), (0.0, 0.75), 0.12))


def _relief_valve() -> Strokes:
    return (
        box(-0.5, -0.5, 0.5, 0.5), *arrow((-0.22, -0.5), (-0.22, 0.5)),
        zigzag((0.5, 0.0), (1.05, 0.0)),
        line((0, -0.75), (-0.75, -0.75), (-0.75, 0), (-0.5, 0), dashed=True),
    )  # fmt: skip


def _leakage() -> Strokes:
    return line((-0.14, -0.5), (-0.14, 0.5)), line((0.14, -0.5), (0.14, 0.5))


def _circle(outer: Strokes) -> Strokes:
    return (circle(0, 0, 0.6), *outer)


_SHAFT = (
    line((-1.05, 0.06), (-0.6, 0.06)), line((-1.05, -0.06), (-0.6, -0.06)),
)  # fmt: skip


def _triangle(tip: float, base: float) -> Stroke:
    return line((0, tip), (-0.26, base), (0.26, base), (0, tip), filled=True)


def _pump() -> Strokes:
    return (*_circle((_triangle(0.6, 0.16),)), *_SHAFT)


def _motor() -> Strokes:
    return (*_circle((_triangle(-0.16, -0.6),)), *_SHAFT)


def _variable_pump() -> Strokes:
    return (*_pump(), *arrow((-0.7, -0.7), (0.75, 0.75)))


def _variable_motor() -> Strokes:
    return (*_motor(), *arrow((-0.7, -0.7), (0.75, 0.75)))


def _flow_source() -> Strokes:
    return _circle(arrow((0, -0.4), (0, 0.4)))


TWO_ENDS: dict[str, tuple[Callable[[], Strokes], float, tuple[float, float]]] = {
    "line": (_pipe, 0.4, (-0.6, 0.6)),
    "elastic line": (_elastic_pipe, 0.4, (-0.6, 0.6)),
    "throttle": (_throttle, 0.8, (0.0, 0.0)),
    "adjustable throttle": (_adjustable_throttle, 1.0, (0.0, 0.0)),
    "check valve": (_check_valve, 0.8, (-0.26, 0.25)),
    "preloaded check valve": (_preloaded_check_valve, 0.8, (-0.26, 0.75)),
    "relief valve": (_relief_valve, 2.1, (-0.5, 0.5)),
    "leakage": (_leakage, 0.5, (0.0, 0.0)),
    "pump": (_pump, 2.1, (-0.6, 0.6)),
    "motor": (_motor, 2.1, (-0.6, 0.6)),
    "variable pump": (_variable_pump, 2.1, (-0.6, 0.6)),
    "variable motor": (_variable_motor, 2.1, (-0.6, 0.6)),
    "flow source": (_flow_source, 1.2, (-0.6, 0.6)),
}
"""Strokes, widths, low and high ends of symbols from a below to b above, by the word for them."""


def two_ends(glyph: str, a: Any, b: Any) -> Symbol:
    """Symbol of an element between two nodes."""
    strokes, width, (low, high) = TWO_ENDS[glyph]
    pins = (Pin(a.name, 0.0, -1.0, low), Pin(b.name, 0.0, 1.0, high))
    right = 0.7 if glyph.endswith(("pump", "motor")) else None
    return Symbol(pins, strokes(), width, 2.0, can_flip=True, right=right)


def block(nodes: Sequence[str]) -> Symbol:
    """Box with a pin for each node: an element without a symbol of its own."""
    n = len(nodes)
    xs = [0.6 * (k - 0.5 * (n - 1)) for k in range(n)]
    half = 0.3 * n + 0.15
    pins = tuple(Pin(node, x, -0.8, -0.4) for node, x in zip(nodes, xs, strict=True))
    return Symbol(pins, (box(-half, -0.4, half, 0.4),), 2.0 * half, 1.6)


def cylinder(a: Any, b: Any) -> Symbol:
    """Symbol of a cylinder with its chambers, as far as they have nodes."""
    pins, strokes = [], [box(-1.3, -0.4, 1.3, 0.4), line((-0.2, -0.4), (-0.2, 0.4))]
    strokes += [line((-0.05, -0.4), (-0.05, 0.4)), line((-0.05, 0.07), (1.8, 0.07))]
    strokes += [line((-0.05, -0.07), (1.8, -0.07)), line((1.8, -0.2), (1.8, 0.2))]
    for node, x, left, right in ((a, -1.05, -1.3, -0.2), (b, 1.05, -0.05, 1.3)):
        if node is not None:
            pins.append(Pin(node.name, x, -0.8, -0.4))
            strokes.append(box(left, -0.4, right, 0.4, node.name))
    return Symbol(tuple(pins), tuple(strokes), 3.8, 1.6)


def _valve_box(x: float, pairs: Sequence[str]) -> Strokes:
    """One position of a valve: arrows between its ports, and stops where nothing is joined."""
    ports = {"P": (x - 0.3, -0.5), "T": (x + 0.3, -0.5), "A": (x - 0.3, 0.5), "B": (x + 0.3, 0.5)}
    strokes = [box(x - 0.6, -0.5, x + 0.6, 0.5)]
    for pair in pairs:
        strokes += arrow(ports[pair[0]], ports[pair[1]], 0.18)
    for port in set(ports) - {p for pair in pairs for p in pair}:
        px, py = ports[port]
        inner = py * 0.56
        strokes += [line((px, py), (px, inner)), line((px - 0.12, inner), (px + 0.12, inner))]
    return tuple(strokes)


def _solenoid(side: float) -> Strokes:
    left, right = sorted((side * 1.8, side * 2.15))
    return (box(left, -0.5, right, -0.1), line((left, -0.5), (right, -0.1)))


def four_way(nodes: dict[str, Any], centre: Sequence[str], is_servo: bool) -> Symbol:
    """Symbol of a 4/3 valve; its middle position is joined to the lines."""
    strokes = [*_valve_box(-1.2, ("PA", "BT")), *_valve_box(0.0, centre)]
    strokes += [*_valve_box(1.2, ("PB", "AT")), *_solenoid(-1.0), *_solenoid(1.0)]
    strokes += [zigzag((s * 1.8, 0.2), (s * 2.25, 0.2), 0.12, 4) for s in (-1.0, 1.0)]
    if is_servo:
        strokes += [line((-1.8, y), (1.8, y)) for y in (-0.6, 0.6)]
    pins, places = [], {"P": (-0.3, -1), "T": (0.3, -1), "A": (-0.3, 1), "B": (0.3, 1)}
    for port, (x, y) in places.items():
        pins.append(Pin(nodes[port].name, x, y, 0.5 * y))
    return Symbol(tuple(pins), tuple(strokes), 4.5, 2.0)


def reducing_valve(P: Any, A: Any, T: Any) -> Symbol:
    """Symbol of a three-way reducing valve: open, closed by the pressure behind it."""
    strokes = (
        box(-0.5, -0.5, 0.5, 0.5), *arrow((-0.3, -0.5), (-0.3, 0.5)),
        line((0.3, -0.5), (0.3, -0.25)), line((0.18, -0.25), (0.42, -0.25)),
        zigzag((0.5, 0.0), (1.05, 0.0)),
        line((-0.3, 0.75), (-0.8, 0.75), (-0.8, 0), (-0.5, 0), dashed=True),
    )  # fmt: skip
    ports = ((P, -0.3, -1.0), (A, -0.3, 1.0), (T, 0.3, -1.0))
    pins = tuple(Pin(node.name, x, y, 0.5 * y) for node, x, y in ports)
    return Symbol(pins, strokes, 2.1, 2.0)


def spool_valve(edges: Sequence[tuple[Any, Any]], faces: Sequence[tuple[str, float]]) -> Symbol:
    """Symbol of a spool with control edges, pressure faces and a spring."""
    half, strokes, pins = 0.3 * len(edges) + 0.3, list[Stroke](), list[Pin]()
    for k, (a, b) in enumerate(edges):
        x = 0.6 * (k - 0.5 * (len(edges) - 1))
        way = -1.0 if b.symbol(b.name).kind == "tank" else 1.0  # tanks are below
        strokes += arrow((x, -0.45 * way), (x, 0.45 * way), 0.18)
        pins += [Pin(a.name, x, -way, -0.45 * way), Pin(b.name, x, way, 0.45 * way)]
    counts = {1.0: 0, -1.0: 0}
    for node, area in faces:
        side = -1.0 if area > 0.0 else 1.0
        x = side * (half + 0.35 + 0.3 * counts[side])
        y = 0.25 - 0.25 * counts[side]
        strokes.append(line((side * half, y), (x, y), dashed=True))
        pins.append(Pin(node, x, -1.0, y, is_control=True))
        counts[side] += 1
    wide = half + 0.35 + 0.3 * max(*counts.values(), 1)
    strokes += [box(-half, -0.45, half, 0.45), zigzag((half, 0.25), (half + 0.5, 0.25), 0.12, 4)]
    return Symbol(tuple(pins), tuple(strokes), 2.0 * wide, 2.0)


def source(node: str) -> Place:
    """Node with a given pressure: a filled triangle at the begin of its line."""
    pin = Pin(node, 0.0, 0.6, 0.3)
    return Place("volume", Symbol((pin,), (_triangle(0.3, -0.2),), 0.8, 1.2))


def accumulator(node: str) -> Place:
    """Node with gas behind a bladder."""
    top = [(-0.35, 0.2), (-0.35, 0.45), (-0.2, 0.68), (0, 0.75), (0.2, 0.68), (0.35, 0.45)]
    low = [(0.35, 0.2), (0.35, -0.05), (0.2, -0.28), (0, -0.35), (-0.2, -0.28), (-0.35, -0.05)]
    gas = line((0, 0.3), (-0.16, 0.58), (0.16, 0.58), (0, 0.3))
    strokes = (line(*top, *low, (-0.35, 0.2)), line((-0.35, 0.2), (0.35, 0.2)), gas)
    return Place("volume", Symbol((Pin(node, 0.0, -0.8, -0.35),), strokes, 0.8, 1.6))
