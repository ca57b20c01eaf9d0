"""Circuits as SVG: text that every browser and every text program shows."""

from __future__ import annotations

import html
from collections.abc import Mapping

from jourdain.model.parts.symbol import Stroke
from jourdain.viz.circuits.labels import labels
from jourdain.viz.circuits.netlist import Netlist
from jourdain.viz.circuits.pressures import STOPS
from jourdain.viz.circuits.wires import Layout

UNIT = 36.0  # points of the screen for one unit of the grid
_EDGE = 0.9
SCALE = (0.7, 3.2, 0.18)  # room below, length and height of the scale of the colours
TANK = ((-0.22, 0.12), (-0.22, -0.1), (0.22, -0.1), (0.22, 0.12))
_STYLE = (
    ".c-wire{fill:none;stroke-width:2;stroke-linecap:round}"
    ".c-line{fill:none;stroke:currentColor;stroke-width:1.6;stroke-linejoin:round}"
    ".c-full{fill:currentColor;stroke:currentColor;stroke-width:1}"
    ".c-dash{stroke-dasharray:5 3.5;stroke-width:1.2}"
    ".c-text{fill:currentColor;font:12px system-ui,sans-serif}"
    ".c-node{font-weight:600}"
)


class Sheet:
    """Size of a drawing, and the way from the grid to the screen.

    Parameters
    ----------
    layout : Layout
        Where everything is.
    has_scale : bool
        Whether the scale of the colours has room below.
    """

    def __init__(self, layout: Layout, has_scale: bool = False) -> None:
        xs = [x for wire in layout.wires for x, _ in wire.points]
        ys = [y for wire in layout.wires for _, y in wire.points]
        for cell, y in layout.cells:
            xs += [cell.x - 0.5 * cell.symbol.width, cell.x - 0.5 * cell.symbol.width + cell.room]
            ys += [y - 0.5 * cell.symbol.height, y + 0.5 * cell.symbol.height]
        self.left, self.right = min(xs) - _EDGE, max(xs) + _EDGE
        self.low, self.high = min(ys) - _EDGE, max(ys) + _EDGE
        if has_scale:
            self.low -= SCALE[0]
            self.right = max(self.right, self.left + SCALE[1] + 4.0 * _EDGE)

    @property
    def scale(self) -> tuple[float, float]:
        """Place of the scale of the colours, at its left end."""
        return self.left + 1.2 * _EDGE, self.low + 0.6 * _EDGE

    @property
    def width(self) -> float:
        """Width on the screen."""
        return UNIT * (self.right - self.left)

    @property
    def height(self) -> float:
        """Height on the screen."""
        return UNIT * (self.high - self.low)

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        """Place on the screen."""
        return round(UNIT * (x - self.left), 1), round(UNIT * (self.high - y), 1)


def svg(
    layout: Layout, circuit: Netlist, colours: Mapping[str, str] | None = None, title: str = "",
    limits: tuple[float, float] | None = None,
) -> str:  # fmt: skip
    """Drawing of a circuit; lines in the colours of their nodes.

    Parameters
    ----------
    layout : Layout
        Where everything is.
    circuit : Netlist
        What is drawn.
    colours : mapping of str to str, optional
        Colours of nodes by name.
    title : str
        Title for those who cannot see it.
    limits : (float, float) [bar], optional
        Pressures of the first and the last colour, for a scale below the drawing.
    """
    sheet = Sheet(layout, limits is not None)
    w, h = round(sheet.width), round(sheet.height)
    numbers = {node: k for k, node in enumerate(circuit.places)}
    paint = dict(colours or {})
    pieces = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" '
        'color="#1b1f24" role="img" class="circuit">',
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style>",
    ]
    for cell, y in layout.cells:
        pieces += [_filled(s.moved(cell.x, y), sheet, numbers, paint) for s in cell.symbol.strokes]
    for wire in layout.wires:
        kind = " c-dash" if wire.is_control else ""
        colour = paint.get(wire.node, "currentColor")
        pieces.append(
            f'<polyline class="c-wire n{numbers[wire.node]}{kind}" stroke="{colour}" '
            f'points="{_points(wire.points, sheet)}"/>'
        )
    for node, x, y in layout.dots:
        a, b = sheet(x, y)
        colour = paint.get(node, "currentColor")
        pieces.append(
            f'<circle class="n{numbers[node]}" cx="{a}" cy="{b}" r="3.6" fill="{colour}" '
            f'stroke="{colour}"/>'
        )
    for _, x, y in layout.tanks:
        points = [(x + a, y + b) for a, b in TANK]
        pieces.append(f'<polyline class="c-line" points="{_points(points, sheet)}"/>')
    for cell, y in layout.cells:
        pieces += _drawn(cell, y, sheet, circuit)
    for node, label in labels(layout, circuit).items():
        a, b = sheet(label.x, label.y)
        text, anchor = html.escape(circuit.label(node)), "end" if label.is_end else "start"
        pieces.append(
            f'<text class="c-text" x="{a}" y="{b}" text-anchor="{anchor}">'
            f'<tspan class="c-node">{text}</tspan>'
            f'<tspan class="v{numbers[node]}" dx="5"></tspan></text>'
        )
    if limits is not None:
        pieces += _scale(sheet, limits)
    return "".join([*filter(None, pieces), "</svg>"])


def _scale(sheet: Sheet, limits: tuple[float, float]) -> list[str]:
    """Scale of the colours with both its pressures."""
    (a, b), length, height = sheet(*sheet.scale), UNIT * SCALE[1], UNIT * SCALE[2]
    stops = "".join(
        f'<stop offset="{k / (len(STOPS) - 1)}" stop-color="{stop}"/>'
        for k, stop in enumerate(STOPS)
    )
    low, high = (f"{x:g}" for x in limits)
    text = f'<text class="c-text" y="{b + 4}"'
    return [
        f'<linearGradient id="c-scale">{stops}</linearGradient>',
        f'<rect x="{a}" y="{b - 0.5 * height}" width="{length}" height="{height}" '
        'fill="url(#c-scale)"/>',
        f'{text} x="{a - 6}" text-anchor="end">{low}</text>',
        f'{text} x="{a + length + 6}">{high} bar</text>',
    ]


def _points(points: object, sheet: Sheet) -> str:
    return " ".join("{},{}".format(*sheet(x, y)) for x, y in points)  # type: ignore[attr-defined]


def _filled(stroke: Stroke, sheet: Sheet, numbers: Mapping[str, int], paint: dict[str, str]) -> str:
    """Area that is filled with oil, below all lines."""
    if not stroke.node:
        return ""
    colour = paint.get(stroke.node, "none")
    number = numbers.get(stroke.node, -1)
    return (
        f'<polygon class="area n{number}" fill="{colour}" fill-opacity="0.35" '
        f'points="{_points(stroke.points, sheet)}"/>'
    )


def _drawn(cell: object, y: float, sheet: Sheet, circuit: Netlist) -> list[str]:
    """Strokes and label of a symbol."""
    name, symbol, x = cell.name, cell.symbol, cell.x  # type: ignore[attr-defined]
    if not name:
        return []
    found = [f'<g data-part="{html.escape(name)}"><title>{html.escape(name)}</title>']
    for stroke in (s.moved(x, y) for s in symbol.strokes):
        look = "c-full" if stroke.is_filled else "c-line" + " c-dash" * stroke.is_dashed
        if stroke.kind == "circle":
            (cx, cy), (px, _) = (sheet(*p) for p in stroke.points)
            found.append(f'<circle class="{look}" cx="{cx}" cy="{cy}" r="{round(px - cx, 1)}"/>')
        else:
            found.append(f'<polyline class="{look}" points="{_points(stroke.points, sheet)}"/>')
    if name in circuit.places:  # its line has a name
        return [*found, "</g>"]
    a, b = sheet(x + symbol.label_at, y)
    text = html.escape(circuit.label(name))
    return [*found, f'<text class="c-text" x="{a}" y="{b + 4}">{text}</text></g>']
