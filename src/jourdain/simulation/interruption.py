"""Ctrl-C: the first one ends a run with what it has, a second one soon after ends the program."""

from __future__ import annotations

import time as clock
import warnings
from collections.abc import Callable

from jourdain.errors import IncompleteWarning
from jourdain.results import Solution

SOON = 1.0
"""Time [s] within which a second Ctrl-C is meant for the program."""
_last = {"time": -SOON}


class Progress:
    """The user's progress function, and whether it has ended the run itself."""

    def __init__(self, function: Callable[[float, float], None] | None) -> None:
        self._function, self.has_ended = function, False

    def __call__(self, t: float, step: float) -> None:
        """Tell the time reached and the step size [s]."""
        if self._function is None:
            return
        try:
            self._function(t, step)
        except KeyboardInterrupt:
            self.has_ended = True
            raise


def note_interruption(solution: Solution) -> None:
    """Warn that a solution ends where Ctrl-C was pressed.

    Raises
    ------
    KeyboardInterrupt
        If another run was interrupted less than a second ago: the user wants out of the loop.
    """
    before, _last["time"] = _last["time"], clock.monotonic()
    if _last["time"] - before < SOON:
        raise KeyboardInterrupt
    reached = f"{solution.time[-1]:g} s" if len(solution.time) else "its start"
    warnings.warn(
        f"the run of {solution.model_name!r} was interrupted at {reached} of "
        f"{solution.statistics.t_end_wanted:g} s: sol.is_complete is False. Press Ctrl-C twice "
        "within a second to stop the program.",
        IncompleteWarning,
        stacklevel=4,
    )
