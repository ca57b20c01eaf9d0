"""Progress of long runs on the terminal."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from rich.console import Console

from jourdain.phases import Watch

_QUIET = 2.0  # [s] a run, or a phase of it, takes without being shown


class Bar:
    """Simulated time, speed and step size; before, what is compiled. Only on a terminal.

    As a context it gives a function of (time, step) for `jourdain.simulate`, or None where
    nobody looks.

    Parameters
    ----------
    end : float [s]
        Simulated time at the end.
    console : rich.console.Console, optional
        Where to draw; standard error by default.
    quiet : float [s]
        Time to wait before drawing.
    """

    def __init__(self, end: float, console: Console | None = None, quiet: float = _QUIET) -> None:
        self._end, self._quiet = end, quiet
        self._console = console or Console(stderr=True)
        self._began = time.monotonic()
        self._first: float | None = None
        self._display: Any = None
        self._status: Any = None
        self._watch = Watch(self._show, quiet)

    def __enter__(self) -> Callable[[float, float], None] | None:
        if not self._console.is_terminal:
            return None
        self._watch.__enter__()
        return self._update

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._console.is_terminal:
            self._watch.__exit__()
        if self._display is not None:
            self._display.stop()

    def _show(self, phase: str) -> None:
        """Name a phase that lasts, or take its name away."""
        if self._status is not None:
            self._status.stop()
            self._status = None
        if phase and self._display is None:  # rich has one live display at a time
            self._status = self._console.status(f"{phase} …")
            self._status.start()

    def _update(self, t: float, step: float) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first, self._began = t, now
            return
        if now - self._began < self._quiet:
            return
        if self._display is None:
            self._show("")
            self._display = self._start()
        speed = (t - self._first) / (now - self._began)
        self._display.update(
            self._display.task_ids[0],
            completed=t - self._first,
            now=f"{t:.4g} s of {self._end:g} s",
            speed=f"{speed:.3g} × real time",
            step=f"step {step:.2g} s",
        )

    def _start(self) -> Any:
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

        columns = [TextColumn("{task.fields[" + name + "]}") for name in ("now", "speed", "step")]
        display = Progress(
            columns[0], BarColumn(), *columns[1:], TimeRemainingColumn(),
            console=self._console, transient=True,
        )  # fmt: skip
        display.start()
        total = self._end - (self._first or 0.0)
        display.add_task("run", total=total, now="", speed="", step="")
        return display
