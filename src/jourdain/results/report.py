"""What ``print(sol)`` shows."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from jourdain.model.texts import notebook
from jourdain.results.audit import energy_balance, quaternion_error
from jourdain.results.deformation import ROUGH, largest_turns
from jourdain.results.hints import hints

if TYPE_CHECKING:
    from jourdain.results.solution import Solution

_MOST_EVENTS = 4
_STEP = re.compile(r"(MoreauJean|NonsmoothAlpha)\(dt=(?:np\.float64\()?([\d.e+-]+)")
_THETA, _SECOND_ORDER = re.compile(r"theta=([\d.e+-]+)"), 0.5
_MOST_ELEMENTS = 8
_PLURALS = {
    "impact": "impacts",
    "detachment": "detachments",
    "slip": "slips",
    "stick": "sticks",
    "contact": "contacts",
    "lock": "locks",
    "release": "releases",
}


def report(solution: Solution) -> str:
    """About ten lines: span, method, effort, audit, events and names."""
    lines = (f"  {name:<12} {text}" for name, text in _entries(solution))
    return "\n".join([_headline(solution), *lines])


def html(solution: Solution) -> str:
    """The same as HTML, for notebooks."""
    return notebook.card(_headline(solution), [notebook.grid(_entries(solution))])


def _entries(solution: Solution) -> list[tuple[str, str]]:
    entries = [
        ("samples", _samples(solution)),
        ("method", _method(solution)),
        ("error", _error(solution)),
        ("effort", _effort(solution)),
        ("kinks", _kinks(solution)),
        ("hint", hints(solution)),
        ("energy", _energy(solution)),
        ("constraints", _constraints(solution)),
        ("deformation", _deformation(solution)),
        ("inputs", ", ".join(solution.inputs)),
        ("parameters", ", ".join(f"{n} = {x:g}" for n, x in solution.parameters.items())),
        ("events", _events(solution)),
        ("contacts", _contacts(solution)),
        ("residual", _residual(solution)),
        ("overlap", _overlap(solution)),
        ("redundant", _redundant(solution)),
        ("names", _names(solution)),
    ]
    return [(name, text) for name, text in entries if text]


def _headline(solution: Solution) -> str:
    time, run = solution.time, solution.statistics
    span = f"{time[0]:g} s to {time[-1]:g} s" if len(time) else "no samples"
    if run.is_complete:
        ending = " (ended by an event)" if run.status == "terminal_event" else ""
        return f"Solution of {solution.model_name!r}, {span}{ending}"
    return f"INCOMPLETE solution of {solution.model_name!r}: {shortfall(solution)}"


def shortfall(solution: Solution) -> str:
    """Where a run stopped short of its end, and why; empty if it is complete."""
    time, run = solution.time, solution.statistics
    if run.is_complete:
        return ""
    wanted = f" of {run.t_end_wanted:g} s" if math.isfinite(run.t_end_wanted) else ""
    reached = f"stopped at {time[-1]:g} s{wanted}" if len(time) else f"nothing reached{wanted}"
    why = "interrupted" if run.reason == "interrupted" else run.status.replace("_", " ")
    return f"{reached} ({why})"


def _samples(solution: Solution) -> str:
    time = solution.time
    if len(time) < 2:
        return str(len(time))
    doubled = int((time[1:] == time[:-1]).sum())
    also = f", {doubled} discontinuities" if doubled else ""
    return f"{len(time)}, about every {(time[-1] - time[0]) / (len(time) - 1):.3g} s{also}"


def _method(solution: Solution) -> str:
    run = solution.statistics
    return f"{run.method} ({run.reason})" if run.reason else run.method


def _error(solution: Solution) -> str:
    """Error to expect of time steps, for which no tolerance is given."""
    found = _STEP.match(solution.statistics.method)
    if found is None:
        return ""
    run = solution.statistics
    if run.step_change is not None:
        return _change(run.step_change, run.step_ratio, run.step_holds_until)
    dt, is_alpha = float(found[2]), found[1] == "NonsmoothAlpha"
    hits = [e.details for e in solution.events if e.kind == "impact" and "before" in e.details]
    speeds = [
        abs(a[0]) + abs(b[0])
        for x in hits for a, b in zip(x["before"], x["after"], strict=False) if len(a) and len(b)
    ]  # fmt: skip
    theta = _THETA.search(solution.statistics.method)
    power = "" if theta is not None and float(theta[1]) != _SECOND_ORDER else "the square of "
    smooth = f"falls with {power}the step"
    if not speeds or is_alpha:
        return smooth + (
            ", where impacts interact or contours turn with the step" if speeds else ""
        )
    return (
        f"of impacts up to {0.5 * dt:.2g} s, each moves its contact by up to "
        f"{0.5 * dt * max(speeds):.2g} m or rad; else {smooth}"
    )


def _change(change: float, ratio: int, until: float) -> str:
    """Sentence about how much a run differs from one with longer steps."""
    longer = "twice" if ratio == 2 else f"{ratio} times"
    text = f"positions differ by {change:.1g} of their travel from steps {longer} as long"
    return text if math.isnan(until) else f"{text}, by more than a thousandth from {until:.3g} s on"


def _effort(solution: Solution) -> str:
    run, time = solution.statistics, solution.time
    if not run.evaluations:
        return ""
    steps = f"{run.steps} steps, {run.rejected} rejected, " if run.steps else ""  # or not known
    text = f"{steps}{run.evaluations} evaluations"
    if run.wall_time > 0.0 and len(time):
        speed = (time[-1] - time[0]) / run.wall_time
        text += f", {run.wall_time:.3g} s ({speed:.3g} × real time)"
    return text


def _kinks(solution: Solution) -> str:
    """How often kinks of laws were passed, and those that could not be stepped onto."""
    run = solution.statistics
    parts = [f"{run.kinks} passed"] if run.kinks else []
    if run.sliding_kinks:
        parts.append(
            f"{run.sliding_kinks} held from both sides, to the size of a step only: for dry "
            "friction use jd.Interval"
        )
    if run.unwatched_kinks:
        parts.append(f"not watched: {run.unwatched_kinks} places are too many")
    return "; ".join(parts)


def _energy(solution: Solution) -> str:
    if not len(solution.time):
        return ""
    balance = energy_balance(solution)
    text = f"balance off by at most {balance.largest:.2g} J"
    if balance.largest > 0.0:
        text += f" (at {balance.at:.4g} s)"
    if balance.exchanged > 0.0:
        part = balance.largest / balance.exchanged
        text += f", {part:.1g} of the {balance.exchanged:.3g} J exchanged"
    if balance.work_error > balance.largest:
        text += f" (work known to {balance.work_error:.1g} J only)"
    return text


def _constraints(solution: Solution) -> str:
    error = quaternion_error(solution)
    if error is None:
        return ""
    return f"quaternions off unit length by at most {error:.1g}"


def _deformation(solution: Solution) -> str:
    turns = largest_turns(solution)
    if not turns:
        return ""
    name = max(turns, key=lambda body: turns[body])
    text = f"sections turn by up to {turns[name]:.2g} rad, in {name!r}"
    if turns[name] <= ROUGH:
        return text
    return text + "; shapes are for small deformations: take several beams in a row"


def _events(solution: Solution) -> str:
    events = [event for event in solution.events if event.kind == "event"]
    if not events:
        return ""
    first = ", ".join(f"{e.name} at {e.time:.6g} s" for e in events[:_MOST_EVENTS])
    return f"{len(events)}: {first}{', …' if len(events) > _MOST_EVENTS else ''}"


def _contacts(solution: Solution) -> str:
    """How often contacts met, parted, slipped and stuck, and the energy of impacts."""
    events = [event for event in solution.events if event.kind != "event"]
    if not events:
        return ""
    counts = Counter(event.kind for event in events)
    parts = [f"{n} {_PLURALS.get(kind, kind) if n > 1 else kind}" for kind, n in counts.items()]
    text = f"{', '.join(parts)}; first: {events[0].kind} of {events[0].name}"
    text += f" at {events[0].time:.6g} s"
    lasting = [x for x in solution.ledger if x.kind == "contact"]
    if lasting:
        longest = max(lasting, key=lambda x: x.end - x.begin)
        text += f"; {longest.name} lasts from {longest.begin:.6g} to {longest.end:.6g} s"
        text += f", up to {longest.largest_force:.3g} N"
    energy = sum(event.details.get("energy", 0.0) for event in events)
    return f"{text}; impacts took {-energy:.3g} J" if counts["impact"] else text


def _residual(solution: Solution) -> str:
    """How well the contact equations were solved."""
    worst = solution.statistics.residual
    columns = solution.columns.get("contacts", ())
    unit = " m/s" if any(name.endswith(".residual") for name in columns) else ""  # of groups
    return "" if worst is None else f"contact equations solved to {worst:.1g}{unit} in every step"


def _overlap(solution: Solution) -> str:
    """How deep contacts overlap where impacts follow each other within a step."""
    found = solution.statistics.overlap
    if found is None:
        return ""
    return (
        f"{found.name} by up to {found.depth:.2g} {found.unit} (at {found.time:.6g} s): a rebound "
        "waits for the end of its step; falls with the step, none in EventDriven"
    )


def _redundant(solution: Solution) -> str:
    """Contacts of which fewer would do."""
    names = solution.statistics.not_unique
    more = ", …" if len(names) > _MOST_ELEMENTS else ""
    listed = ", ".join(names[:_MOST_ELEMENTS])
    return f"forces that are not unique: {listed}{more}" if names else ""


def _names(solution: Solution) -> str:
    names = solution.names()
    elements = list(dict.fromkeys(name.partition(".")[0] for name in names))
    more = ", …" if len(elements) > _MOST_ELEMENTS else ""
    return f"{len(names)} in sol.names(), of {', '.join(elements[:_MOST_ELEMENTS])}{more}"
