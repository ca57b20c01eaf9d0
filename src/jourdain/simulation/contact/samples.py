"""Samples of a run with contacts."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

_SAME = 1e-9  # part of a step by which two times may differ and be one


@dataclass
class Samples:
    """What has been computed: rows of states and modes, and work along the rows of contacts."""

    times: list[float] = field(default_factory=list)
    states: list[Any] = field(default_factory=list)
    modes: list[Any] = field(default_factory=list)
    held: list[Any] = field(default_factory=list)
    works: list[Any] = field(default_factory=list)

    def add(self, t: float, y: Any, modes: Any, held: Any, works: Any) -> None:
        """Add one sample."""
        self.times.append(t)
        self.states.append(np.array(y))
        self.modes.append(modes.numbers.ravel().copy())
        self.held.append(np.array(held))
        self.works.append(np.array(works))

    def extend(self, times: Any, states: Any, modes: Any, held: Any, works: Any) -> None:
        """Add the samples of a phase, whose modes and sampled inputs last."""
        n = len(times)
        self.times += times.tolist()
        self.states += list(np.array(states))
        self.modes += [modes.numbers.ravel().copy()] * n
        self.held += [np.array(held)] * n
        self.works += list(np.array(works))

    def copy(self) -> Samples:
        """The same, to be added to."""
        return Samples(*(list(column) for column in self._columns))

    def cut(self, n: int) -> None:
        """Keep the first n samples only."""
        for column in self._columns:
            del column[n:]

    @property
    def _columns(self) -> tuple[list[Any], ...]:
        return self.times, self.states, self.modes, self.held, self.works

    def without(self, t: float, y: Any, modes: Any) -> int:
        """Number of samples before those at the end that are of a given moment."""
        n, now = len(self.times), (y, modes.numbers.ravel())
        while n and self.times[n - 1] == t:
            last = self.states[n - 1], self.modes[n - 1]
            if not all(np.array_equal(a, b) for a, b in zip(last, now, strict=True)):
                break
            n -= 1
        return n


def paused(run: Any) -> Any:
    """A copy of a run, as if it were interrupted now; the run itself stays as it is."""
    twin = copy.copy(run)
    twin.samples, twin.ledger, twin.counts = run.samples.copy(), list(run.ledger), dict(run.counts)
    twin.pause()
    return twin


def on_grid(t: float, begin: float, h: float) -> float:
    """Time t [s], or the time of whole steps of h after the begin that it is but for rounding."""
    whole = begin + round((t - begin) / h) * h
    return whole if abs(whole - t) <= _SAME * h else t
