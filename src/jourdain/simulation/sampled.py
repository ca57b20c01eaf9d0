"""Inputs by plain Python, called at a fixed rate and held between the calls."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.solvers.record import Record, refused
from jourdain.spatial import check
from jourdain.system.user_functions import takes_state

_SAME = 1e-9  # part of a period by which two moments may differ and be one


@dataclass(frozen=True)
class Sampled:
    """An input by plain Python, called at a fixed rate and held between the calls.

    Parameters
    ----------
    function : function of (t, s)
        Any Python; gets numbers and returns a number.
    period : float [s]
        Time between two calls.
    """

    function: Callable[..., Any]
    period: float

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ModelError(f"Sampled has {self.function!r:.60}; give a function of (t, s).")
        check.number(self.period, "period of Sampled", positive=True, unit="s")


class Held:
    """The sampled inputs of one run, and when they are called next.

    Parameters
    ----------
    inputs : mapping
        All inputs by name; those that are `Sampled` count.
    begin : float [s]
        Time of the first calls.
    """

    def __init__(self, inputs: Mapping[str, Any], begin: float) -> None:
        self.sampled = {name: x for name, x in inputs.items() if isinstance(x, Sampled)}
        self.places = {name: k for k, name in enumerate(self.sampled)}
        self.u = np.zeros(len(self.sampled))
        self.calls = dict.fromkeys(self.sampled, 0)
        self._takes_state = {n: takes_state(x.function) for n, x in self.sampled.items()}
        self._begin = begin

    def _next(self, name: str) -> float:
        return self._begin + self.calls[name] * self.sampled[name].period

    def due(self, t: float) -> list[str]:
        """Names of the functions to be called at a time [s]."""
        return [n for n, x in self.sampled.items() if self._next(n) <= t + _SAME * x.period]

    def call_due(self, t: float, state: Any) -> bool:
        """Call the functions whose time has come; tell whether there were any.

        Raises
        ------
        ModelError
            If a function fails, or returns no finite number.
        """
        due = self.due(t)
        for name in due:
            given = (t, state) if self._takes_state[name] else (t,)
            self.u[self.places[name]] = _value(name, self.sampled[name].function, given)
            self.calls[name] += 1
        return bool(due)

    def resume(self, record: Record, t: float) -> None:
        """Take the held values and the numbers of calls of an earlier run that came to a time [s].

        Raises
        ------
        ModelError
            If so many calls do not lead to that time.
        """
        self.u[:] = record.array("held", len(self.u))
        self.calls = record.counts("calls", self.calls)
        for name, x in self.sampled.items():
            if not -_SAME <= (self._next(name) - t) / x.period <= 1.0 + _SAME:
                raise refused(f"input {name!r} was called {self.calls[name]} times until {t:g} s")

    def has_call_between(self, t: float, end: float) -> bool:
        """Whether a function is called after one time [s] and before another."""
        for x in self.sampled.values():
            first, last = ((time - self._begin) / x.period for time in (t, end))
            if math.ceil(last - _SAME) - 1 > math.floor(first + _SAME):
                return True
        return False

    def aligned(self, times: Any) -> Any:
        """Times [s] with those that are a call but for rounding moved onto it; the last stays."""
        moved = np.full(len(times), np.inf)
        for x in self.sampled.values():
            calls = self._begin + np.rint((times - self._begin) / x.period) * x.period
            same = np.abs(times - calls) <= _SAME * x.period
            moved = np.minimum(moved, np.where(same, calls, np.inf))
        moved[-1:] = np.inf
        return np.where(np.isfinite(moved), moved, times)

    def next_stop(self, end: float) -> float:
        """Next time [s] at which a function is called, or the end."""
        marks = [(self._next(n), _SAME * x.period) for n, x in self.sampled.items()]
        return min((mark for mark, same in marks if mark < end - same), default=end)


def _value(name: str, function: Callable[..., Any], given: tuple[Any, ...]) -> float:
    t = given[0]
    try:
        value = float(function(*given))
    except Exception as error:
        raise ModelError(
            f"sampled input {name!r} failed at t = {t:.9g} s: {type(error).__name__}: {error}."
        ) from error
    if not math.isfinite(value):
        raise ModelError(f"sampled input {name!r} gave {value!r} at t = {t:.9g} s.")
    return value


def checked_input(name: str, value: Any) -> Any:
    """Input that is a finite number, or something to call."""
    if callable(value) or isinstance(value, Sampled):
        return value
    try:
        number = np.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = np.nan
    if not np.isfinite(number):
        raise ModelError(
            f"input {name!r} is {value!r:.60}; give a number, a function of t or of (t, s), a "
            "jd.Table or jd.Sampled."
        )
    return number
