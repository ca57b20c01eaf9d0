"""What a report advises where a run took more work than it need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from jourdain.math import Table

if TYPE_CHECKING:
    from jourdain.results.solution import Solution

_MANY = 20  # steps, or kinks passed, from which on there is something to save


def hints(solution: Solution) -> str:
    """Sentences with the next step; empty where nothing is to be said."""
    return " ".join(filter(None, (_rejected(solution), _tables(solution))))


def _rejected(solution: Solution) -> str:
    run = solution.statistics
    if run.rejected < _MANY or run.rejected <= run.steps:
        return ""
    return (
        f"{run.rejected / (run.steps + run.rejected):.0%} of the steps were rejected. Likely "
        "causes: a law that jumps or is not smooth where no event finds it, or a tolerance near "
        "rounding. Next: laws without jumps, a looser rtol, or a method with a fixed step."
    )


def _tables(solution: Solution) -> str:
    """Tables of straight lines, whose corners are stepped onto one by one."""
    run = solution.statistics
    if run.kinks < _MANY and not run.unwatched_kinks:
        return ""
    names = list(dict.fromkeys(_with_corners(solution)))
    if not names:
        return ""
    listed = ", ".join(map(repr, names[:3])) + (", …" if len(names) > 3 else "")
    return (
        f"The table of {listed} has corners, each of which ends a step: kind='monotone' or 'cubic' "
        "makes it smooth."
    )


def _with_corners(solution: Solution) -> Iterator[str]:
    """Names of elements and inputs that have a table of straight lines."""
    given: list[tuple[str, Any]] = list(solution.inputs.items())
    if solution.has_model:
        model = solution.model
        for c in model.connections.values():
            given += [(c.name, c.law), (c.name, c.measure)]
        for joint in model.joints.values():
            given += [(f"{joint.name}.{x}", drive) for x, drive in joint.driven.items()]
    for name, what in given:
        if any(len(table.x) > 2 and table.kind == "linear" for table in _tables_in(what)):
            yield name


def _tables_in(what: Any) -> Iterator[Table]:
    if isinstance(what, Table):
        yield what
    elif isinstance(what, Mapping):
        for inner in what.values():
            yield from _tables_in(inner)
    elif isinstance(what, tuple | list):
        for inner in what:
            yield from _tables_in(inner)
    elif is_dataclass(what) and not isinstance(what, type):
        for one in fields(what):
            yield from _tables_in(getattr(what, one.name))
