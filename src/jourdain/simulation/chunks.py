"""A run in chunks so short that Ctrl-C and the progress are looked at."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from typing import Any

from jourdain.solvers import Run, Status
from jourdain.solvers.projection import OPEN

_FIRST_CHUNK = 500  # steps until the first look at the keyboard and the progress
_LOOK_EVERY = 0.1  # [s] of computing
_MOST = 10**9  # steps in one chunk


def advance_in_chunks(run: Run, progress: Any, look: Callable[[], None]) -> Status:
    """Advance to the stop, or to where the constraints open; ``look`` is called now and then."""
    steps, status = _FIRST_CHUNK, Status.PAUSED
    while status == Status.PAUSED:
        began = clock.perf_counter()
        status = run.advance(steps)
        taken = clock.perf_counter() - began
        steps = max(1, int(min(_MOST, steps * min(10.0, _LOOK_EVERY / max(taken, 1e-9)))))
        if progress is not None:
            progress(run.t, run.step)
        if not run.constraint_error <= OPEN:
            return Status.NOT_CONVERGED
        if status == Status.PAUSED:
            look()
    return status
