"""Inputs by plain Python, called at a fixed rate and held between the calls."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.simulation.delayed import NODES, Delayed, History
from jourdain.simulation.tolerances import SAME_TIME
from jourdain.solvers.record import Record, refused
from jourdain.spatial import check
from jourdain.system.held_inputs import HeldPolynomial
from jourdain.system.user_functions import takes_state


@dataclass(frozen=True)
class Sampled:
    """An input by plain Python, called at a fixed rate and held between the calls.

    One controller may serve many inputs, ``{("hip.angle", "knee.angle"): jd.Sampled(f, 1e-3)}``: it
    is called once at a time and returns as many numbers as there are names.

    Parameters
    ----------
    function : function of (t, s)
        Any Python; gets numbers and returns a number, or one for each of several inputs.
    period : float [s]
        Time between two calls.
    """

    function: Callable[..., Any]
    period: float

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ModelError(f"Sampled has {self.function!r:.60}; give a function of (t, s).")
        check.number(self.period, "period of Sampled", positive=True, unit="s")


@dataclass(frozen=True)
class _Share(Sampled):
    """One of several inputs that a function serves."""

    source: Sampled
    place: int
    names: tuple[str, ...]


Called = Sampled | Delayed
"""Inputs by plain Python that is called at fixed times."""


def taken_apart(inputs: Any, full_name: Callable[[Any], Any]) -> Any:
    """Inputs by single full names, those that are served together as shares of one function.

    Raises
    ------
    ModelError
        If several names have something else than `Sampled`, or a name is there twice.
    """
    if not isinstance(inputs, Mapping):
        return inputs
    found: dict[str, Any] = {}
    for key, x in inputs.items():
        names = key if isinstance(key, tuple) else (key,)
        if isinstance(key, tuple) and (not isinstance(x, Sampled) or not key):
            raise ModelError(
                f"inputs {key!r:.60} have {x!r:.60}: several inputs are served by jd.Sampled("
                "function, period) together; give others one by one."
            )
        for k, name in enumerate(map(full_name, names)):
            if name in found:
                raise ModelError(f"input {name!r} is given twice: leave one of them out.")
            whole = not isinstance(key, tuple)
            found[name] = x if whole else _Share(x.function, x.period, x, k, names)
    return found


class Held:
    """The sampled and delayed inputs of one run, and when they are called next.

    Parameters
    ----------
    inputs : mapping
        All inputs by name; those that are `Sampled` or `Delayed` count.
    begin : float [s]
        Time of the first calls.
    """

    def __init__(self, inputs: Mapping[str, Any], begin: float) -> None:
        self.sampled = {name: x for name, x in inputs.items() if isinstance(x, Called)}
        self.places: dict[str, int | HeldPolynomial] = {}
        for name, x in self.sampled.items():
            start = len(self.places)
            self.places[name] = start
            if isinstance(x, Delayed):
                self.places[name] = HeldPolynomial(start, NODES, x.period)
                self.places |= {f"{name} {k}": start + k for k in range(1, NODES + 1)}
        self.u = np.zeros(len(self.places))
        late = {name: x for name, x in self.sampled.items() if isinstance(x, Delayed)}
        self.histories = {name: History(x, begin) for name, x in late.items()}
        self.calls = dict.fromkeys(self.sampled, 0)
        self._takes_state = {n: takes_state(x.function) for n, x in self.sampled.items()}
        self._begin = begin

    def _next(self, name: str) -> float:
        return self._begin + self.calls[name] * self.sampled[name].period

    def due(self, t: float) -> list[str]:
        """Names of the functions to be called at a time [s]."""
        return [n for n, x in self.sampled.items() if self._next(n) <= t + SAME_TIME * x.period]

    def call_due(self, t: float, state: Any) -> bool:
        """Call the functions whose time has come; tell whether there were any.

        Raises
        ------
        ModelError
            If a function fails, or returns no finite number.
        """
        due = self.due(t)
        shared: dict[int, list[float]] = {}  # answers to several inputs, of one call each
        for name in due:
            x, given = self.sampled[name], (t, state) if self._takes_state[name] else (t,)
            if isinstance(x, _Share):
                if id(x.source) not in shared:
                    shared[id(x.source)] = _values(x, given)
                value = shared[id(x.source)][x.place]
            else:
                value = _value(name, x.function, given)
            place = self.places[name]
            if isinstance(place, HeldPolynomial):
                own = [self._next(name), *self.histories[name].add(value)]
                self.u[place.start : place.start + len(own)] = own
            else:
                self.u[place] = value
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
        for name, history in self.histories.items():
            history.resume(record.record("histories").record(name), self.calls[name])
        for name, x in self.sampled.items():
            if not -SAME_TIME <= (self._next(name) - t) / x.period <= 1.0 + SAME_TIME:
                raise refused(f"input {name!r} was called {self.calls[name]} times until {t:g} s")

    def has_call_between(self, t: float, end: float) -> bool:
        """Whether a function is called after one time [s] and before another."""
        for x in self.sampled.values():
            first, last = ((time - self._begin) / x.period for time in (t, end))
            if math.ceil(last - SAME_TIME) - 1 > math.floor(first + SAME_TIME):
                return True
        return False

    def aligned(self, times: Any) -> Any:
        """Times [s] with those that are a call but for rounding moved onto it; the last stays."""
        moved = np.full(len(times), np.inf)
        for x in self.sampled.values():
            calls = self._begin + np.rint((times - self._begin) / x.period) * x.period
            same = np.abs(times - calls) <= SAME_TIME * x.period
            moved = np.minimum(moved, np.where(same, calls, np.inf))
        moved[-1:] = np.inf
        return np.where(np.isfinite(moved), moved, times)

    def next_stop(self, end: float) -> float:
        """Next time [s] at which a function is called, or the end."""
        marks = [(self._next(n), SAME_TIME * x.period) for n, x in self.sampled.items()]
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


def _values(share: _Share, given: tuple[Any, ...]) -> list[float]:
    """Numbers that one call gives to several inputs."""
    names, t = share.names, given[0]
    try:
        found = np.reshape(np.asarray(share.function(*given), dtype=float), -1)
    except Exception as error:
        raise ModelError(
            f"sampled inputs {', '.join(names)} failed at t = {t:.9g} s: {type(error).__name__}: "
            f"{error}."
        ) from error
    if len(found) != len(names) or not np.isfinite(found).all():
        raise ModelError(
            f"sampled inputs {', '.join(names)} gave {found.tolist()} at t = {t:.9g} s: return "
            f"{len(names)} finite numbers, one for each."
        )
    return [float(x) for x in found]


def checked_input(name: str, value: Any) -> Any:
    """Input that is a finite number, or something to call."""
    if callable(value) or isinstance(value, Called):
        return value
    try:
        number = np.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = np.nan
    if not np.isfinite(number):
        raise ModelError(
            f"input {name!r} is {value!r:.60}; give a number, a function of t or of (t, s), a "
            "jd.Table, jd.Sampled or jd.Delayed."
        )
    return number
