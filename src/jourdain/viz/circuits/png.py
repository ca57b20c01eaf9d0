"""Circuits as pictures of pixels or as PDF, by matplotlib."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from jourdain.errors import MissingExtraError
from jourdain.viz.circuits.labels import labels
from jourdain.viz.circuits.netlist import Netlist
from jourdain.viz.circuits.pressures import colour
from jourdain.viz.circuits.svg import SCALE, TANK, Sheet
from jourdain.viz.circuits.wires import Layout

_DOTS_PER_INCH = 144
_POINTS = 96.0  # of the screen in an inch
_INK = "#1b1f24"


def save_picture(
    path: str | os.PathLike[str],
    layout: Layout,
    circuit: Netlist,
    colours: Mapping[str, str],
    limits: tuple[float, float] | None = None,
    kind: str = "png",
) -> None:
    """Write a picture of a kind, png or pdf; with limits [bar] it has a scale of the colours.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError(
            "pictures of circuits need matplotlib. Install it with: pip install jourdain[plot], "
            "or write an .svg file, which needs nothing."
        ) from error
    sheet = Sheet(layout, limits is not None)
    size = (sheet.width / _POINTS, sheet.height / _POINTS)
    figure = Figure(figsize=size, facecolor="white")
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.set(xlim=(sheet.left, sheet.right), ylim=(sheet.low, sheet.high))
    ax.axis("off")
    _draw(ax, layout, circuit, colours)
    if limits is not None:
        _draw_scale(ax, sheet, limits)
    figure.savefig(path, dpi=_DOTS_PER_INCH, format=kind)


def _draw(ax: Any, layout: Layout, circuit: Netlist, colours: Mapping[str, str]) -> None:
    for cell, y in layout.cells:
        for stroke in cell.symbol.strokes:
            if stroke.node in colours:
                xs, ys = zip(*stroke.moved(cell.x, y).points, strict=True)
                ax.fill(xs, ys, color=colours[stroke.node], alpha=0.35, linewidth=0, zorder=1)
    for wire in layout.wires:
        xs, ys = zip(*wire.points, strict=True)
        style = {"linestyle": (0, (3.5, 2.5)), "linewidth": 1.0} if wire.is_control else {}
        colour = colours.get(wire.node, _INK)
        ax.plot(xs, ys, **({"linewidth": 1.5} | style), color=colour, zorder=2)
    for node, x, y in layout.dots:
        ax.plot([x], [y], "o", markersize=5, color=colours.get(node, _INK), zorder=3)
    for _, x, y in layout.tanks:
        ax.plot([x + a for a, _ in TANK], [y + b for _, b in TANK], color=_INK, linewidth=1.2)
    size = 12.0 * 72.0 / _POINTS
    for cell, y in layout.cells:
        for stroke in (s.moved(cell.x, y) for s in cell.symbol.strokes):
            _draw_stroke(ax, stroke)
        if cell.name and cell.name not in circuit.places:
            text = circuit.label(cell.name)
            ax.text(cell.x + cell.symbol.label_at, y, text, size=size, va="center", color=_INK)
    for node, label in labels(layout, circuit).items():
        side = "right" if label.is_end else "left"
        place = label.x, label.y, circuit.label(node)
        ax.text(*place, size=size, weight="bold", color=_INK, ha=side)


def _draw_scale(ax: Any, sheet: Sheet, limits: tuple[float, float]) -> None:
    """Scale of the colours with both its pressures."""
    (x, y), (_, length, height) = sheet.scale, SCALE
    n = 100
    for k in range(n):
        own = colour(limits[0] + (k + 0.5) / n * (limits[1] - limits[0]), limits)
        ends = x + k * length / n, x + (k + 1) * length / n
        ax.fill_between(ends, y - 0.5 * height, y + 0.5 * height, color=own, linewidth=0)
    look = {"size": 12.0 * 72.0 / _POINTS, "va": "center", "color": _INK}
    ax.text(x - 0.16, y, f"{limits[0]:g}", ha="right", **look)
    ax.text(x + length + 0.16, y, f"{limits[1]:g} bar", **look)


def _draw_stroke(ax: Any, stroke: Any) -> None:
    from matplotlib.patches import Circle  # noqa: PLC0415

    xs, ys = zip(*stroke.points, strict=True)
    if stroke.kind == "circle":
        look = {"facecolor": _INK if stroke.is_filled else "none", "edgecolor": _INK}
        ax.add_patch(Circle((xs[0], ys[0]), xs[1] - xs[0], linewidth=1.2, zorder=4, **look))
    elif stroke.is_filled:
        ax.fill(xs, ys, color=_INK, linewidth=0.8, zorder=4)
    else:
        style = (0, (3.5, 2.5)) if stroke.is_dashed else "-"
        ax.plot(xs, ys, color=_INK, linewidth=1.2, linestyle=style, zorder=4)
