"""Which progress is shown: the user's, a line in a notebook, a bar in a terminal, or none."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from jourdain.analysis.progress.line import Line, Progress, is_notebook

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")
_open: list[Any] = []  # displays at work: analyses call each other


@contextmanager
def shown_progress(given: Progress | None, end: float) -> Iterator[Progress | None]:
    """Progress of a run up to a time [s]: the one that is given, or one that suits the place.

    It also names phases that take long, such as compiling.
    """
    display = None if given is not None or _open else _display(end)
    if display is None:
        yield given
        return
    _open.append(display)
    try:
        with display as told:
            yield told
    finally:
        _open.remove(display)


def tells_phases(function: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
    """Let an analysis name its phases that take long."""

    @wraps(function)
    def told(*given: _Given.args, **named: _Given.kwargs) -> _Made:
        with shown_progress(None, 0.0):
            return function(*given, **named)

    return told


def _display(end: float) -> Any:
    if is_notebook():
        return Line(end)
    try:
        is_seen = sys.stderr.isatty()
    except (AttributeError, ValueError):  # no such stream, or a closed one
        return None
    if not is_seen:
        return None
    from jourdain.analysis.progress.bar import Bar  # noqa: PLC0415

    return Bar(end)
