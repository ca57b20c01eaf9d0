"""Events of the user in equal steps: the step in which one passes zero is taken again, shorter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from jourdain.simulation.event import Event
from jourdain.system import System
from jourdain.system.held_inputs import Places
from jourdain.system.state import function_kernel

_EXACT = 1e-10  # part of a step to which an event is located
_MOST = 60  # shorter steps that are tried for one event


class Watch:
    """Event functions of a run, looked at after every step.

    Parameters
    ----------
    system : System
        The compiled machine.
    events : mapping of str to Event
        Events by name.
    held : mapping of str to int
        Places of sampled inputs.
    """

    def __init__(self, system: System, events: Mapping[str, Event], held: Places) -> None:
        self._events, self.names = list(events.values()), list(events)
        functions = {name: event.function for name, event in events.items()}
        self.kernel = function_kernel(system, functions, held, "event") if events else None
        self._values = np.zeros(len(self.names))

    def __bool__(self) -> bool:
        return bool(self.names)

    def values(self, *state: Any) -> Any:
        """Event functions at a state q, v, u, t, p."""
        return self._values if self.kernel is None else self.kernel(*state)[0].copy()

    @property
    def directions(self) -> list[float]:
        """Ways in which events pass zero."""
        return [float(event.direction) for event in self._events]

    @property
    def values_before(self) -> Any:
        """Values from which events pass zero."""
        return self._values

    def begin(self, values: Any) -> None:
        """Take the values from which events pass zero."""
        self._values = values

    def ends(self, passed: list[int]) -> bool:
        """Whether one of some events ends the run."""
        return any(self._events[k].terminal for k in passed)

    def passed(self, values: Any) -> list[int]:
        """Numbers of the events that have passed zero since the last step, in their direction."""
        if not self._events:
            return []
        old, ways = self._values, np.array([event.direction for event in self._events])
        rises, falls = (old < 0.0) & (values >= 0.0), (old > 0.0) & (values <= 0.0)
        return np.flatnonzero((rises & (ways >= 0)) | (falls & (ways <= 0))).tolist()

    def within(
        self, after: Callable[[float], Any], h: float, values: Any
    ) -> Iterator[tuple[float, list[int]]]:
        """Events within a step, one after the other: lengths of the step up to them, and numbers.

        The last call of ``after`` is that of the event; see `first`.
        """
        lo = 0.0
        for _ in range(_MOST):
            if lo == h or not self.passed(values):
                break
            lo = self.first(after, h, values, lo)
            now = after(lo)
            yield lo, self.passed(now)
            self.begin(now)
        self.begin(values)

    def first(self, after: Callable[[float], Any], h: float, values: Any, lo: float = 0.0) -> float:
        """Length of the step [s] at whose end the first event has just passed (Illinois method).

        Parameters
        ----------
        after : function
            Event functions after a step of a length [s].
        h : float [s]
            Step after which events have passed.
        values : (n,)
            Event functions after it.
        lo : float [s]
            Step at whose end the functions have the values from which events pass zero.
        """
        hi, low, high, side = h, self._values, values, 0
        passed = self.passed(values)
        for _ in range(_MOST):
            if hi - lo <= _EXACT * h:
                break
            part = min(low[k] / (low[k] - high[k]) for k in passed)
            x = lo + part * (hi - lo)
            x = x if lo < x < hi else 0.5 * (lo + hi)
            values = after(x)
            now = self.passed(values)
            if now:
                hi, high, passed = x, values, now
                low = 0.5 * low if side > 0 else low
            else:
                lo, low = x, values
                high = 0.5 * high if side < 0 else high
            side = 1 if now else -1
        return float(hi)
