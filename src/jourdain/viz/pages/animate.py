"""Animations of solutions and views of models, as pages."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jourdain.analysis.assemble import assemble
from jourdain.analysis.vibration.large_modes import LargeMode
from jourdain.analysis.vibration.modes import Mode
from jourdain.errors import AssemblyError, ModelError, did_you_mean
from jourdain.model.model import Model
from jourdain.model.parts.group import Group
from jourdain.results import Solution
from jourdain.spatial import check
from jourdain.system import System, compile
from jourdain.viz.circuits.drawing import Drawing, draw
from jourdain.viz.circuits.netlist import is_circuit
from jourdain.viz.mode_picture import arrow_lines, skeleton
from jourdain.viz.pages.content import Wishes, content
from jourdain.viz.pages.page import Page, filled
from jourdain.viz.pages.stand_ins import stand_in_content
from jourdain.viz.pages.wheels import has_wheels
from jourdain.viz.shapes.drawables import Drawable
from jourdain.viz.shapes.framing import eye

LAYERS = ("frames", "forces", "torques", "weights", "glass", "follow", "labels")
THEMES = ("auto", "light", "dark")


def animate(  # noqa: PLR0913
    solution: Solution | Mode | LargeMode | Mapping[str, Solution],
    path: str | os.PathLike[str] | None = None,
    *,
    plots: Sequence[Any] | None = None,
    traces: Sequence[Any] = (),
    ghost: Solution | None = None,
    show: Sequence[str] = (),
    colours: Mapping[str, str] | None = None,
    title: str = "",
    speed: float | None = None,
    view: Any = None,
    theme: str = "auto",
    extras: Sequence[Drawable] = (),
    bend: float = 1.0,
) -> Page:
    """Show a solution in three dimensions: one HTML file that opens in any browser, offline.

    A solution without bodies is shown as its circuit, with pressures as colours over time; scalar
    coordinates as wheels on shafts and slides, slower or farther than they move, as the page tells.

    The page has the machine to turn and to zoom, its motion to play, step and scrub, values of
    what is selected, curves with a cursor, and the events; press ``?`` there for the keys.

    Parameters
    ----------
    solution : Solution, Mode or mapping of str to Solution
        The run, or a mode of `eigenmodes`, drawn large enough to be seen, with arrows to where
        its bodies swing; they are seen through. With several runs,
        ``{"soft": a, "stiff": b}``, the first is in colour and the others are ghosts.
    path : str or path, optional
        HTML file to write. Without, the returned page shows itself in a notebook.
    plots : sequence of str, optional
        Quantities to plot; those in a sequence of their own have panels of their own. By default
        some coordinates and the energy; an empty one for none.
    traces : sequence of str, Body or Frame
        Points whose ways are drawn: names of bodies and frames, or ``body.at(x, y, z)``.
    ghost : Solution, optional
        Another run, drawn transparent for comparison; its curves are dashed.

    show : sequence of str
        What to switch on from the start: ``"frames"``, ``"forces"`` and ``"torques"`` of joints,
        ``"weights"``, ``"glass"`` for bodies that are seen through, ``"follow"`` for a camera
        that goes along with the first body, or with the one that is selected, ``"labels"`` for
        names of bodies.
    colours : mapping of str to str, optional
        Colours ``"#rrggbb"`` by body; the others take turns.
    title : str
        Title; by default the name of the model.
    speed : float [1], optional
        Seconds of the run in a second on the screen; by default one, or what suits the run.
    view : (2,) [rad], optional
        Height of the eye above the horizon, and its direction about the vertical from x; in
        degrees ``((25, -60), "deg")``.
    theme : str
        ``"light"``, ``"dark"``, or ``"auto"`` for that of the reader.
    extras : sequence of drawables
        Records of `jourdain.viz.shapes.drawables` to draw besides.
    bend : float [1]
        How much larger deformations of flexible bodies with a surface are drawn than they are.

    Returns
    -------
    Page
        The page, with its ``path`` if it was written.

    Raises
    ------
    ModelError
        If there is nothing to show, or a wish has no meaning.
    UnknownNameError
        If a quantity, a body or a frame is not there.

    Examples
    --------
    ``jd.animate(sol, "crane.html", plots=["rail.position", "pivot.force"], traces=["load"])``
    """
    if isinstance(solution, Mode | LargeMode):
        title = title or f"{solution.system.model.name}, {repr(solution).strip('<>'):.80}"
        show = show or ("glass",)
        drawn = skeleton(solution)
        extras = (*extras, *arrow_lines(drawn))
        solution, plots = drawn.solution, () if plots is None else plots
    if isinstance(solution, Solution) and is_circuit(solution.model):
        page = draw(solution.model, run=solution, title=title).page
        return page if path is None else page.save(path)
    runs = dict(solution) if isinstance(solution, Mapping) else {"": solution}
    if ghost is not None:
        runs = {label or "this run": own for label, own in runs.items()}
        runs["other run" if "other run" not in runs else "ghost"] = ghost
    larger = float(check.number(bend, "bend", positive=True))
    wishes = Wishes(
        plots, traces, colours, extras, show, title, theme, eye(view), speed, bend=larger
    )
    require(runs, wishes)
    return _made(runs, wishes, path)


def show(
    model: Model | System | Group,
    path: str | os.PathLike[str] | None = None,
    *,
    start: Mapping[str, Any] | None = None,
    near: Mapping[str, Any] | None = None,
    colours: Mapping[str, str] | None = None,
    title: str = "",
    view: Any = None,
    theme: str = "auto",
    run: Solution | None = None,
    at: float | None = None,
) -> Page | Drawing:
    """Show a model in one position, to see whether it is put together as meant, or a circuit.

    Loops are closed if they can be; if not, the page tells so and shows them open. A group, or a
    model without bodies, is shown as the circuit of its parts: symbols in the manner of ISO 1219.

    Parameters
    ----------
    model : Model, System or Group
        The machine, or a group with a circuit.
    path : str or path, optional
        HTML file to write; a circuit may be a picture too, .svg, .png or .pdf. Without, what is
        returned shows itself in a notebook.
    start : mapping of str to float, optional
        Coordinates by name, ``{"main.angle": 0.4}``; by default the reference position.
    near : mapping of str to float, optional
        Rough values of others, which choose between ways of assembling, as in `assemble`.

    colours, title, view, theme
        As in `animate`.
    run : Solution, optional
        Of a circuit: run whose pressures are colours, over time in a page.
    at : float [s], optional
        Of a circuit: time of the pressures in a picture; by default the end of the run.

    Returns
    -------
    Page or Drawing
        The page or the drawing of a circuit, with its ``path`` if it was written.

    Examples
    --------
    ``jd.show(oil, "circuit.svg")``, ``jd.show(oil, "circuit.html", run=sol)``
    """
    if isinstance(model, Group) or is_circuit(_described(model)):
        return _circuit(model, path, title, run, at)
    system = model if isinstance(model, System) else compile(model)
    note = ""
    try:
        position = still(system, start, near)
    except AssemblyError as error:
        position, note = _open(system, {**(near or {}), **(start or {})}), _told(error)
    wishes = Wishes(colours=colours, title=title, theme=theme, view=eye(view), note=note)
    require({"": position}, wishes)
    return _made({"": position}, wishes, path)


def _described(model: Model | System) -> Model:
    return model.model if isinstance(model, System) else model


def _circuit(
    model: Model | System | Group,
    path: str | os.PathLike[str] | None,
    title: str,
    run: Solution | None,
    at: float | None,
) -> Drawing:
    """Drawing of the circuit of a model or of a group."""
    name = model.name if isinstance(model, Group) else ""
    whole: Any = model.model if isinstance(model, Group) else _described(model)
    drawing = draw(whole, name, run, at, title)
    return drawing if path is None else drawing.save(path)


def still(
    model: Model | System,
    start: Mapping[str, Any] | None = None,
    near: Mapping[str, Any] | None = None,
) -> Solution:
    """Solution of one moment: an assembled system, without accelerations.

    Raises
    ------
    AssemblyError
        If loops cannot be closed.
    """
    system = model if isinstance(model, System) else compile(model)
    found = assemble(system, start, near=near)
    return _moment(system, found.q, found.v)


def _open(system: System, start: Mapping[str, Any]) -> Solution:
    """Solution of one moment with loops as they are; what only cut joints have is left out."""
    known = {name: x for name, x in start.items() if name in system.names.q}
    return _moment(system, *system.state(known))


def _moment(system: System, q: Any, v: Any) -> Solution:
    return Solution(system, [0.0], [q], [v], vdot=[np.zeros_like(v)])


def _told(error: AssemblyError) -> str:
    """What an error names: its first line below the headline."""
    lines = str(error).splitlines()
    return f"NOT ASSEMBLED: {lines[min(1, len(lines) - 1)].strip()}"


def _made(
    runs: Mapping[str, Solution], wishes: Wishes, path: str | os.PathLike[str] | None
) -> Page:
    first = next(iter(runs.values()))
    make = stand_in_content if has_wheels(first.model) else content
    data = make(runs, wishes)
    page = Page(filled("page.html", data), data["title"])
    return page if path is None else page.save(path)


def require(runs: Mapping[str, Solution], wishes: Wishes) -> None:
    """Raise if there is nothing to show, or if a wish has no meaning."""
    if not runs:
        raise ModelError("there is no solution to show. Give one, or a mapping of some.")
    for label, solution in runs.items():
        if not len(solution.time):
            which = f" {label!r}" if label else ""
            raise ModelError(
                f"the solution{which} of model {solution.model_name!r} has no samples to show."
            )
    for word in wishes.show:
        if word not in LAYERS:
            raise ModelError(
                f"show has no {word!r}; there are {', '.join(LAYERS)}.{did_you_mean(word, LAYERS)}"
            )
    if wishes.theme not in THEMES:
        raise ModelError(f"the theme is {wishes.theme!r}: give one of {', '.join(THEMES)}.")
    if wishes.speed is not None and not wishes.speed > 0.0:
        raise ModelError(f"the speed is {wishes.speed!r}: give a number above zero, such as 0.5.")
