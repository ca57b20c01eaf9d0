"""Inputs with a dead time: what a function gave a fixed time ago.

The function is called N times per dead time T, at t₀ + k T/N, and what it gave is kept. From one
call to the next the input is the polynomial of degree 7 through eight of the kept numbers around
the interval that lies T back, so every method sees a smooth function of time. At multiples of T
after the start the delayed signal may have kinks or jumps (the start itself, T later, 2 T later):
no polynomial reaches over them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.solvers.record import Record, refused
from jourdain.spatial import check

NODES = 8
"""Kept numbers that a polynomial goes through."""


@dataclass(frozen=True)
class Delayed:
    """An input with a dead time: ``function(t, s)`` as it was a fixed time ago.

    Smooth signals pass with an error of (ω T/N)⁸/75, for the angular frequency ω; polynomials up to
    degree 7 exactly. Signals that jump elsewhere than at multiples of the dead time after the start
    are rounded within 4 T/N.

    Parameters
    ----------
    function : function of (t, s)
        What is delayed: any Python; gets numbers and returns a number.
    time : float [s]
        Dead time T.
    before : float or function of t
        What the function would have given before the start.
    points : int
        Number N of calls per dead time, 8 or more.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("late")
    >>> tank = model.add_states("x", {"y": "1"}, lambda at: at.input("u"), start=1.0,
    ...                         inputs={"u": "1"})
    >>> late = jd.Delayed(lambda t, s: -s["x.y"], time=1.0, before=-1.0)
    >>> f"{jd.simulate(model, 2.0, inputs={'x.u': late}).final['x.y']:.9f}"  # 1 - 2 + 1/2
    '-0.500000000'
    """

    function: Callable[..., Any]
    time: float
    before: Any = 0.0
    points: int = 32

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ModelError(f"Delayed has {self.function!r:.60}; give a function of (t, s).")
        check.number(self.time, "time of Delayed", positive=True, unit="s")
        if not callable(self.before):
            check.number(self.before, "before of Delayed")
        is_whole = isinstance(self.points, int) and not isinstance(self.points, bool)
        if not is_whole or self.points < NODES:
            raise ModelError(
                f"Delayed has points={self.points!r}: give a whole number of calls per dead time, "
                f"{NODES} or more."
            )

    @property
    def period(self) -> float:
        """Time between two calls [s]."""
        return self.time / self.points


class History:
    """What a delayed function gave at its calls, counted from 0 at the start.

    Parameters
    ----------
    delayed : Delayed
        The input.
    begin : float [s]
        Time of the first call.
    """

    def __init__(self, delayed: Delayed, begin: float) -> None:
        self._delayed, self._begin = delayed, begin
        self._first, self._values = 0, list[float]()

    def add(self, value: float) -> list[float]:
        """Take what a call gave; coefficients of the input until the next one."""
        self._values.append(value)
        surplus = len(self._values) - 2 * self._delayed.points - 1
        if surplus > 0:
            del self._values[:surplus]
            self._first += surplus
        n, last = self._delayed.points, self._first + len(self._values) - 1
        back = last - n  # the interval from here to the next call is needed
        segment = back // n * n
        start = min(max(back - NODES // 2 + 1, segment), segment + n - NODES + 1)
        numbers = [self._at(start + k, segment < 0) for k in range(NODES)]
        found: list[float] = (_coefficients(start - back) @ np.array(numbers)).tolist()
        return found

    def _at(self, k: int, is_before: bool) -> float:
        if not is_before:
            return self._values[k - self._first]
        before, t = self._delayed.before, self._begin + k * self._delayed.period
        return float(before(t) if callable(before) else before)

    def memory(self) -> dict[str, Any]:
        """Numbers to go on from."""
        return {"first": self._first, "values": list(self._values)}

    def resume(self, record: Record, calls: int) -> None:
        """Take the numbers of an earlier run after so many calls.

        Raises
        ------
        ModelError
            If they are not as many.
        """
        self._first, self._values = record.count("first"), record.array("values", None).tolist()
        if self._first + len(self._values) != calls or len(self._values) < min(
            calls, 2 * self._delayed.points + 1
        ):
            raise refused(f"{calls} calls have left {len(self._values)} numbers of a dead time")


@cache
def _coefficients(start: int) -> Any:
    """Matrix from numbers at ``start``, ``start + 1``, … to coefficients of the polynomial.

    Its columns are Lagrange's polynomials, which have whole coefficients but for one factor.
    """
    nodes = range(start, start + NODES)
    columns = []
    for node in nodes:
        others = [x for x in nodes if x != node]
        whole = [1]
        for x in others:  # times (τ − x)
            whole = [a - x * b for a, b in zip([0, *whole], [*whole, 0], strict=True)]
        factor = prod(node - x for x in others)
        columns.append([a / factor for a in whole])
    return np.array(columns).T
