"""Runs that are saved as they go."""

from __future__ import annotations

import math
import os
import time as clock
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jourdain.errors import FormatError, IntegrationError, JourdainWarning, ModelError
from jourdain.files import require_writable
from jourdain.results import Solution

EVERY = 10.0
"""Time [s] of computing between two files, if nothing else is said."""
_SHARE = 10.0  # so many times as long as the last file took, at least, it goes on without one


class Saving:
    """Writes an unfinished run to a file now and then, and the finished one at its end.

    Every time the whole file is written, under another name, and takes the place of the last one.
    The next one is written after ``every`` seconds, but not before ten times as long as the last
    one took to write: then files take less than a tenth of the time, however long the run gets.

    Parameters
    ----------
    path : str or path
        The file.
    every : float [s]
        Time of computing between two files.

    Raises
    ------
    ModelError
        If ``every`` is no positive number.
    FormatError
        If there cannot be such a file.
    """

    def __init__(self, path: str | os.PathLike[str], every: float | None = None) -> None:
        try:
            self._every = EVERY if every is None else float(every)
        except (TypeError, ValueError):
            self._every = math.nan
        if not 0.0 < self._every < math.inf:
            raise ModelError(f"every is {every!r:.60}; give seconds of computing, such as 10.0.")
        try:
            self._path = Path(path)
            require_writable(self._path)
        except (OSError, TypeError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise FormatError(
                f"cannot save to {path!r:.300}: {why}. Give a file in a folder that exists."
            ) from error
        self._next = clock.perf_counter() + self._every
        self._has_failed = False

    def look(self, present: Callable[[], Solution]) -> None:
        """Write what has been computed, if it is time; ``present`` gives it as it is now."""
        began = clock.perf_counter()
        if began < self._next:
            return
        try:
            present().save(self._path)
        except IntegrationError:  # a run that is about to fail tells so by itself
            pass
        except FormatError as error:
            self._tell(error)
        now = clock.perf_counter()
        self._next = now + max(self._every, _SHARE * (now - began))

    def finish(self, solution: Any) -> None:
        """Write what has been computed at the end of a run."""
        try:
            solution.save(self._path)
        except FormatError as error:
            error.solution = solution
            raise

    def _tell(self, error: FormatError) -> None:
        if not self._has_failed:
            self._has_failed = True
            warnings.warn(f"the run goes on, but {error}", JourdainWarning, stacklevel=2)


def saving_of(path: Any, every: Any) -> Saving | None:
    """Saving that is asked for, or none.

    Raises
    ------
    ModelError
        If it is said how often, but not where.
    """
    if path is None and every is not None:
        raise ModelError(f'every is {every!r:.60} without a file: give save="run.nc", too.')
    return None if path is None else Saving(path, every)


def saved(saving: Saving | None, run: Callable[[], Solution]) -> Solution:
    """Result of a run, which is written at its end, also if it fails."""
    try:
        solution = run()
    except IntegrationError as error:
        if saving is not None and error.solution is not None:
            try:
                saving.finish(error.solution)
            except FormatError as trouble:
                error.add_note(str(trouble))
        raise
    if saving is not None:
        saving.finish(solution)
    return solution
