"""Symbols of a circuit: strokes on a grid, with pins that belong to nodes.

One unit of the grid is the distance of two lines side by side; x points right, y up, and the origin
is the middle of the symbol.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Point = tuple[float, float]


@dataclass(frozen=True)
class Stroke:
    """A line of a symbol.

    Parameters
    ----------
    points : sequence of (float, float)
        Corners of a line; of a circle its middle and a point on it.
    kind : {"line", "circle"}
        What is drawn.
    is_filled : bool
        Whether it is filled with its own colour.
    is_dashed : bool
        Whether it is a control line.
    node : str
        Node whose pressure fills what the stroke encloses.
    """

    points: tuple[Point, ...]
    kind: Literal["line", "circle"] = "line"
    is_filled: bool = False
    is_dashed: bool = False
    node: str = ""

    def moved(self, x: float, y: float) -> Stroke:
        """The same elsewhere."""
        return replace(self, points=tuple((a + x, b + y) for a, b in self.points))

    def flipped(self) -> Stroke:
        """The same upside down."""
        return replace(self, points=tuple((a, -b) for a, b in self.points))


@dataclass(frozen=True)
class Pin:
    """Where a line meets a symbol.

    Parameters
    ----------
    node : str
        Full name of its node.
    x, y : float
        Place on the symbol; lines leave upwards from y > 0, downwards from y < 0.
    body : float
        Height at which the symbol itself begins: from there to y its line is drawn.
    is_control : bool
        Whether its line only carries pressure, and is dashed.
    """

    node: str
    x: float
    y: float
    body: float
    is_control: bool = False


@dataclass(frozen=True)
class Symbol:
    """Look of a part in a circuit.

    Parameters
    ----------
    pins : tuple of Pin
        Where lines meet it.
    strokes : tuple of Stroke
        What is drawn.
    width, height : float
        Room that it takes.
    can_flip : bool
        Whether it may stand upside down, as what has two ends may.
    right : float, optional
        Where it ends on the right and its name begins; by default half its width.
    """

    pins: tuple[Pin, ...]
    strokes: tuple[Stroke, ...]
    width: float = 1.0
    height: float = 2.0
    can_flip: bool = False
    right: float | None = None

    @property
    def label_at(self) -> float:
        """Where its name begins."""
        return (0.5 * self.width if self.right is None else self.right) + 0.12

    def flipped(self) -> Symbol:
        """The same upside down."""
        pins = tuple(replace(pin, y=-pin.y, body=-pin.body) for pin in self.pins)
        return replace(self, pins=pins, strokes=tuple(s.flipped() for s in self.strokes))


@dataclass(frozen=True)
class Place:
    """Look of a node.

    Parameters
    ----------
    kind : {"tank", "volume", "junction"}
        A tank is drawn wherever something ends there; the others are lines with a mark.
    symbol : Symbol, optional
        What is drawn on its line: a source of pressure, an accumulator.
    """

    kind: Literal["tank", "volume", "junction"]
    symbol: Symbol | None = None


def line(*points: Point, filled: bool = False, dashed: bool = False, node: str = "") -> Stroke:
    """Line through points."""
    return Stroke(points, "line", filled, dashed, node)


def box(left: float, low: float, right: float, high: float, node: str = "") -> Stroke:
    """Rectangle."""
    corners = ((left, low), (right, low), (right, high), (left, high), (left, low))
    return Stroke(corners, node=node)


def circle(x: float, y: float, radius: float, *, filled: bool = False) -> Stroke:
    """Circle."""
    return Stroke(((x, y), (x + radius, y)), "circle", filled)


def zigzag(start: Point, end: Point, size: float = 0.14, turns: int = 5) -> Stroke:
    """Spring between two points that lie above or beside each other."""
    (x0, y0), (x1, y1) = start, end
    upright = abs(y1 - y0) > abs(x1 - x0)
    points = [start]
    for k in range(turns):
        part, side = (k + 0.5) / turns, size if k % 2 else -size
        x, y = x0 + part * (x1 - x0), y0 + part * (y1 - y0)
        points.append((x + side, y) if upright else (x, y + side))
    return Stroke((*points, end))


def arrow(start: Point, end: Point, size: float = 0.22) -> tuple[Stroke, Stroke]:
    """Line with a filled head at its end."""
    (x0, y0), (x1, y1) = start, end
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    bx, by = x1 - size * ux, y1 - size * uy
    wide = 0.4 * size
    head = ((x1, y1), (bx - wide * uy, by + wide * ux), (bx + wide * uy, by - wide * ux), (x1, y1))
    return line(start, (bx, by)), Stroke(head, is_filled=True)
