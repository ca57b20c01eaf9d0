"""Reports of runs: one HTML file with the motion, the curves, the numbers and the audit."""

from __future__ import annotations

import base64
import html
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from jourdain import __version__
from jourdain.analysis.structure import structure
from jourdain.model.model import Model
from jourdain.results import Solution
from jourdain.results.audit import energy_balance, quaternion_error
from jourdain.spatial.parameter import evaluate
from jourdain.viz import key_loads
from jourdain.viz.pages.animate import require
from jourdain.viz.pages.content import Wishes, content
from jourdain.viz.pages.page import Page, filled
from jourdain.viz.pictures.film import render
from jourdain.viz.shapes.glyphs import word

_MOST_ROWS = 200
_EXTREMES = ("quantity", "least", "at [s]", "largest", "at [s]", "at the end", "unit")
_SIZE = (720, 340)  # of the picture [points]
_NOISE = 1e-12  # of the largest number of a unit: rounding


def report(
    solution: Solution,
    path: str | os.PathLike[str] | None = None,
    *,
    plots: Sequence[Any] | None = None,
    traces: Sequence[Any] = (),
    ghost: Solution | None = None,
    colours: Mapping[str, str] | None = None,
    title: str = "",
    text: str = "",
    author: str = "",
    theme: str = "auto",
) -> Page:
    """Tell all about a run in one HTML file: model, motion, curves, events, audit.

    Parameters
    ----------
    solution : Solution
        The run.
    path : str or path, optional
        HTML file to write. Without, the returned page shows itself in a notebook.
    plots, traces, ghost, colours, theme
        As in `jourdain.animate`.
    title : str
        Title; by default the name of the model.
    text : str
        Words to begin with; blank lines part paragraphs.
    author : str
        Who made it; told beside the date.

    Returns
    -------
    Page
        The page, with its ``path`` if it was written.

    Examples
    --------
    ``jd.report(sol, "crane.html", text="Ten seconds after the push.")``
    """
    runs = {"": solution} if ghost is None else {"this run": solution, "other run": ghost}
    wishes = Wishes(plots, traces, colours, title=title, theme=theme)
    require(runs, wishes)
    data = content(runs, wishes) | {"autoplay": False}
    parts = {
        "BYLINE": html.escape(" · ".join(filter(None, (author, f"{date.today():%d %B %Y}")))),
        "INTRODUCTION": _paragraphs(text),
        "PICTURE": _picture(solution, traces, colours),
        "LOADS": _table("Key loads", key_loads.HEADS, key_loads.rows(solution), numeric=1),
        "SUMMARY": _summary(solution),
        "EXTREMES": _table("Extremes", _EXTREMES, *_extremes(solution)),
        "TABLES": "\n".join(_tables(solution)),
        "STRUCTURE": html.escape(str(structure(solution.system.source))),
        "FOOT": html.escape(f"jourdain {__version__}"),
    }
    page = Page(filled("report.html", data, **parts), data["title"], height=800)
    return page if path is None else page.save(path)


def _paragraphs(text: str) -> str:
    parts = (part.strip() for part in text.split("\n\n"))
    return "".join(f"<p>{html.escape(part)}</p>" for part in parts if part)


def _picture(solution: Solution, traces: Sequence[Any], colours: Mapping[str, str] | None) -> str:
    """The machine in the middle of the run, for paper and for readers without scripts."""
    if not solution.model.bodies:
        return ""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "picture.png"
        middle = float(solution.time[len(solution.time) // 2])
        render(solution, file, t=middle, size=_SIZE, traces=traces, colours=colours)
        data = base64.b64encode(file.read_bytes()).decode("ascii")
    words = html.escape(f"{solution.model_name} at {middle:.4g} s")
    return (
        f'<figure class="still"><img src="data:image/png;base64,{data}" alt="{words}">'
        f"<figcaption>{words}</figcaption></figure>"
    )


def _summary(solution: Solution) -> str:
    """Facts about the run, as pairs."""
    run, time = solution.statistics, solution.time
    facts = [
        ("time", f"{time[0]:g} s to {time[-1]:g} s, {len(time)} samples"),
        (
            "status",
            run.status.replace("_", " ") if run.is_complete else f"INCOMPLETE: {run.status}",
        ),
        ("method", f"{run.method}{f', {run.reason}' if run.reason else ''}"),
        ("effort", _effort(solution)),
        ("energy balance", _energy(solution)),
        ("quaternions", _quaternions(solution)),
        ("inputs", ", ".join(solution.inputs)),
    ]
    rows = (f"<dt>{html.escape(k)}</dt><dd>{html.escape(x)}</dd>" for k, x in facts if x)
    return f"<dl>{''.join(rows)}</dl>"


def _effort(solution: Solution) -> str:
    run = solution.statistics
    if not run.steps:
        return ""
    counts = f"{run.steps} steps, {run.rejected} rejected, {run.evaluations} evaluations"
    return f"{counts}, {run.wall_time:.3g} s" if run.wall_time > 0.0 else counts


def _energy(solution: Solution) -> str:
    if len(solution.time) < 2:
        return ""
    balance = energy_balance(solution)
    return (
        f"off by at most {balance.largest:.2g} J (at {balance.at:.4g} s), of "
        f"{balance.exchanged:.3g} J exchanged (change to the end {balance.change:.4g} J, work "
        f"{balance.work:.4g} J)"
    )


def _quaternions(solution: Solution) -> str:
    error = quaternion_error(solution)
    return "" if error is None else f"off unit length by at most {error:.1g}"


def _ledger(solution: Solution) -> Iterator[str]:
    """Contacts from begin to end, impacts, stick and slip."""
    rows = [
        (
            x.kind, x.name, f"{x.begin:.6g}", f"{x.end:.6g}",
            "" if x.kind == "impact" else _short(x.largest_force), _short(x.impulse),
            _short(x.work), "" if x.is_unique else "not unique",
        )
        for x in solution.ledger
    ]  # fmt: skip
    heads = "kind", "name", "begin [s]", "end [s]", "largest force [N]", "impulse [N s]"
    if rows:
        yield _table("Contacts", (*heads, "work [J]", "forces"), rows, numeric=2)


def _tables(solution: Solution) -> Iterator[str]:
    model = solution.model
    names, p = (
        solution.system.names.parameters,
        solution.system.parameter_array(solution.parameters),
    )
    values = dict(zip(names, p.tolist(), strict=True))
    events = [(e.name, f"{e.time:.6g}") for e in solution.events if e.kind == "event"]
    if events:
        yield _table("Events", ("event", "time [s]"), events, numeric=1)
    yield from _ledger(solution)
    if values:
        yield _table(
            "Parameters", ("parameter", "value", "unit"), _parameters(model, values), numeric=1
        )
    masses = [
        (name, _short(evaluate(body.inertia.mass, values)), _vector(body.inertia.com, values))
        for name, body in model.bodies.items()
    ]
    yield _table("Bodies", ("body", "mass [kg]", "centre of mass [m]"), masses, numeric=1)
    links = [(c.name, str(c.measure), str(c.law)) for c in model.connections.values()]
    joints = [(j.name, word(j.kind), str(j.parent), str(j.child)) for j in model.joints.values()]
    yield _table("Joints", ("joint", "kind", "parent", "child"), joints, numeric=99)
    yield _table("Connections", ("connection", "measure", "law"), links, numeric=99)


def _parameters(model: Model, values: Mapping[str, float]) -> list[tuple[str, str, str]]:
    units = {name: parameter.unit for name, parameter in model.parameters.items()}
    return [(name, _short(x), units.get(name, "1")) for name, x in values.items()]


def _extremes(solution: Solution) -> tuple[list[tuple[str, ...]], str]:
    """Quantities without components and lengths of loads: least, largest and last value.

    Those that stay zero are told together in a note.
    """
    rows: list[tuple[str, str, Any, list[str]]] = []
    time = solution.time
    for channel in solution.channels.values():
        is_load = channel.name.endswith((".force", ".torque"))
        if "acceleration" in channel.name or (channel.labels and not is_load):
            continue
        x, name = solution.values(channel.name), channel.name
        if channel.labels:
            x, name = np.linalg.norm(x, axis=-1), f"|{name}|"
        if not x.size or not np.all(np.isfinite(x)):
            continue
        low, high, last = x, x, x[-1]
        if channel.n_elements:  # the largest of all members at the end
            low, high, last = x.min(axis=-1), x.max(axis=-1), np.abs(x[-1]).max()
        when = [f"{time[int(k)]:.4g}" for k in (low.argmin(), high.argmax())]
        rows.append((name, channel.unit, np.array((low.min(), high.max(), last)), when))
    largest = {
        unit: max(np.abs(x).max() for _, own, x, _ in rows if own == unit) for _, unit, _, _ in rows
    }
    largest["N m"] = max(largest.get("N m", 0.0), largest.get("N", 0.0))
    span = float(np.ptp(solution.time)) or 1.0
    largest["W"] = max(largest.get("W", 0.0), largest.get("J", 0.0) / span)
    told: list[tuple[str, ...]] = []
    for name, unit, x, (first, second) in rows:
        rounded = np.where(np.abs(x) < _NOISE * largest[unit], 0.0, x)
        if rounded.any():
            least, most, end = (_short(part) for part in rounded)
            told.append((name, least, first, most, second, end, unit))
    zeros = len(rows) - len(told)
    return told, f"{zeros} that stay zero are left out" if zeros else ""


def _short(x: Any) -> str:
    return f"{float(x) + 0.0:.5g}".replace("-", "−")


def _vector(x: Any, values: Mapping[str, float]) -> str:
    return ", ".join(_short(part) for part in evaluate(x, values))


def _table(
    title: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    note: str = "",
    numeric: int = 1,
) -> str:
    """Table in a section; columns from ``numeric`` on are set to the right."""
    given = list(rows)
    if not given:
        return ""

    def row(tag: str, cells: Sequence[str]) -> str:
        sides = (' class="n"' if k >= numeric else "" for k in range(len(cells)))
        pairs = zip(cells, sides, strict=True)
        return "".join(f"<{tag}{side}>{html.escape(c)}</{tag}>" for c, side in pairs)

    body = "".join(f"<tr>{row('td', cells)}</tr>" for cells in given[:_MOST_ROWS])
    more = len(given) - _MOST_ROWS
    notes = "; ".join(filter(None, (f"and {more} more" if more > 0 else "", note)))
    note = f"<p>{html.escape(notes)}</p>" if notes else ""
    head = f"<thead><tr>{row('th', heads)}</tr></thead>"
    scroll = f'<div class="scroll"><table>{head}<tbody>{body}</tbody></table></div>'
    return f"<section><h2>{html.escape(title)}</h2>{scroll}{note}</section>"
