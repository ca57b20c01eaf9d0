"""Progress of long runs in a notebook: one line of text that is written over and over."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TypeAlias

from jourdain.phases import Watch

Progress: TypeAlias = Callable[[float, float], None]
"""Function of the simulated time [s] and the step [s]."""

_QUIET = 2.0  # [s] a run takes without being shown
_PAUSE = 0.2  # [s] between two lines


def is_notebook() -> bool:
    """Tell whether the program runs in a notebook, whose shell IPython makes."""
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ in ("ZMQInteractiveShell", "Shell")  # Jupyter, Colab


class Line:
    """The line; nothing is written in the first two seconds.

    Parameters
    ----------
    end : float [s]
        Simulated time at the end.
    clock : function
        Time [s] that passes.
    """

    def __init__(self, end: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._end, self._clock = end, clock
        self._first: tuple[float, float] | None = None
        self._last = -_PAUSE
        self._width = 0

    def __enter__(self) -> Line:
        self._watch = Watch(self._show, _QUIET)
        self._watch.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._watch.__exit__()
        self.clear()

    def _show(self, phase: str) -> None:
        """Name a phase that lasts, or take its name away."""
        self.clear()
        if phase:
            self._put(f"{phase} …")

    def __call__(self, t: float, step: float) -> None:
        """Tell where a run is: its time [s] and step [s]."""
        now = self._clock()
        began, first = self._first = self._first or (now, t)
        if now - began < _QUIET or now - self._last < _PAUSE or t <= first:
            return
        speed = (t - first) / (now - began)
        text = f"{t:.4g} s of {self._end:g} s, {speed:.3g} × real time, step {step:.2g} s, "
        text += f"about {max(self._end - t, 0.0) / speed:.0f} s to go"
        self._put(text)
        self._last = now

    def clear(self) -> None:
        """Leave nothing behind."""
        if self._width:
            self._write(f"\r{'':{self._width}}\r")
            self._width = 0

    def _put(self, text: str) -> None:
        self._write(f"\r{text:<{self._width}}")
        self._width = len(text)

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()
