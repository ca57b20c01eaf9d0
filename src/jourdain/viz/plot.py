"""Curves of solutions: labelled by themselves from names and units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jourdain.errors import MissingExtraError, ModelError
from jourdain.results import Solution
from jourdain.results.channels.channel import Channel
from jourdain.results.ledger import markers
from jourdain.results.report import shortfall
from jourdain.viz.charts import chart
from jourdain.viz.panels import COLOURS, Panel, by_unit, coordinates, numbers_in, with_unit

_STYLES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 2, 1, 2)))
_MOST_EVENT_NAMES = 12
_MOST_ROWS = 10  # of a legend
_WRONG = "#c1272d"


def plot(
    solution: Any,
    *names: Any,
    against: str | tuple[str, str] = "time",
    labels: Mapping[str, str] | None = None,
    title: str = "",
    axes: Sequence[Any] | None = None,
) -> list[Any]:
    """Draw quantities over time, or one against another. Nothing is shown or saved.

    Quantities of one unit share a panel; vectors give one curve per component. Events are thin
    vertical lines. Runs that stopped short are marked INCOMPLETE, with a dashed line at their end.

    Parameters
    ----------
    solution : Solution or mapping of str to Solution
        What to draw; several solutions, ``{"soft": a, "stiff": b}``, are laid over each other. Or
        a frequency response (Bode; names are outputs), spectrum, order map, Campbell diagram
        (names are orders), equilibria over a parameter, modes (eigenvalues in the plane), one mode
        (bodies with arrows; names are two axes), rainflow or signal.
    *names : str or (str, str)
        Quantities, ``"main.angle"``, ``"wrist.force"``, ``"wrist.force.x"``, or with the unit to
        draw them in, ``("main.angle", "deg")``; by default all position coordinates.
    against : str or (str, str)
        ``"time"``, or the name of a quantity without components, also with a unit.
    labels : mapping of str to str
        Words for the legend in the place of names.
    title : str
        Title of the figure.
    axes : sequence of matplotlib axes
        Where to draw, one for each unit; by default a new figure.

    Returns
    -------
    list of matplotlib axes
        One for each panel, from top to bottom.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    UnknownNameError
        If a quantity is not there.

    Examples
    --------
    ``jd.plot(sol, "guide.position", "main.torque")[0].figure.savefig("run.png")``
    """
    drawn = chart(solution, names, lambda n: _axes(n, axes), title)
    if drawn is not None:
        return drawn
    solutions = solution if isinstance(solution, Mapping) else {"": solution}
    if not solutions:
        raise ModelError("there is no solution to plot. Give one, or a mapping of some.")
    first = next(iter(solutions.values()))
    channels = [first.asked(name) for name in names or coordinates(first)]
    across = None if against == "time" else first.asked(against)
    if across is not None and across.labels:
        raise ModelError(
            f"cannot plot against {against!r}, which has the components "
            f"{', '.join(across.labels)}. Choose one, for example {across.columns[0]!r}."
        )
    panels = by_unit(channels)
    drawn = _axes(len(panels), axes)
    for panel, own in zip(panels, drawn, strict=True):
        _draw(own, panel, solutions, across, labels or {})
        if across is not None and across.unit == panel.unit == "m":
            own.set_aspect("equal", adjustable="datalim")
    _finish(drawn, solutions, across, title)
    return drawn


def _axes(n: int, given: Sequence[Any] | None) -> list[Any]:
    """Axes to draw in: those given, or a new figure with panels below each other."""
    try:
        from matplotlib import pyplot  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError(
            "plots need matplotlib, which is not installed. Next: pip install 'jourdain[plot]'"
        ) from error
    if given is None:
        size = 8.0, 0.8 + 2.3 * max(n, 1)
        figure, made = pyplot.subplots(
            n, 1, sharex=True, squeeze=False, figsize=size, layout="constrained"
        )
        figure.align_ylabels(made[:, 0])
        return list(made[:, 0])
    drawn = list(np.ravel(np.asarray(given, dtype=object)))
    if len(drawn) != n:
        raise ModelError(
            f"the quantities have {n} units and need as many axes, but {len(drawn)} are given."
        )
    return drawn


def _draw(
    own: Any,
    panel: Panel,
    solutions: Mapping[str, Solution],
    against: Channel | None,
    labels: Mapping[str, str],
) -> None:
    curves = panel.curves
    for k, (word, solution) in enumerate(solutions.items()):
        across = (
            solution.time if against is None else numbers_in(solution, against.name, against.unit)
        )
        for i, (name, short) in enumerate(curves):
            parts = (labels.get(name, short) if len(curves) > 1 or name in labels else "", word)
            own.plot(
                across,
                numbers_in(solution, name, panel.unit),
                color=COLOURS[(k if len(curves) == 1 else i) % len(COLOURS)],
                linestyle=_STYLES[k % len(_STYLES)],
                linewidth=1.4,
                label=", ".join(part for part in parts if part),
            )
    own.set_ylabel(panel.label)
    if any(line.get_label()[:1] not in ("", "_") for line in own.get_lines()):
        own.legend(
            loc="upper left",
            bbox_to_anchor=(1.0, 1.0),
            frameon=False,
            fontsize="small",
            ncols=1 + (len(own.get_lines()) - 1) // _MOST_ROWS,
        )


def _finish(
    drawn: Sequence[Any],
    solutions: Mapping[str, Solution],
    across: Channel | None,
    title: str,
) -> None:
    for own in drawn:
        own.grid(visible=True, color="0.9", linewidth=0.6)
        own.set_axisbelow(True)
        own.spines[["top", "right"]].set_visible(False)
        own.margins(x=0.01 if across is None else 0.05)
    if not drawn:
        return
    if across is None:
        drawn[-1].set_xlabel("time [s]")
        _mark_events(drawn, [mark for s in solutions.values() for mark in markers(s)])
    else:
        drawn[-1].set_xlabel(with_unit(across.name, across.unit))
    if title:
        drawn[0].set_title(title, loc="left", fontsize="medium")
    _mark_shortfalls(drawn, solutions, across is None)


def _mark_shortfalls(
    drawn: Sequence[Any], solutions: Mapping[str, Solution], is_over_time: bool
) -> None:
    """Say in the picture which runs stopped short, and where."""
    short = {word: x for word, x in solutions.items() if not x.is_complete}
    if not short:
        return
    told = [f"{f'{word}: ' * bool(word)}{shortfall(x)}" for word, x in short.items()]
    text = f"INCOMPLETE: {'; '.join(told)}"
    drawn[0].set_title(text, loc="right", fontsize="small", color=_WRONG)
    for own in drawn if is_over_time else ():
        for x in short.values():
            if len(x.time):
                own.axvline(x.time[-1], color=_WRONG, linewidth=1.0, linestyle=(0, (4, 2)))


def _mark_events(drawn: Sequence[Any], marks: Sequence[tuple[str, float]]) -> None:
    for own in drawn:
        for _, time in marks:
            own.axvline(time, color="0.6", linewidth=0.6, zorder=0.5)
    if len(marks) <= _MOST_EVENT_NAMES:
        for text, time in marks:
            drawn[0].annotate(
                text,
                (time, 1.0),
                xycoords=drawn[0].get_xaxis_transform(),
                xytext=(2, -2),
                textcoords="offset points",
                rotation=90,
                va="top",
                fontsize="x-small",
                color="0.45",
            )
