"""Samples of a run with contacts."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from jourdain.results.statistics import Overlap
from jourdain.simulation.tolerances import OVERLAP, SAME_TIME


class Samples:
    """What has been computed: rows of states and modes, and work along the rows of contacts.

    Attributes
    ----------
    times : list of float [s]
        Times.
    """

    def __init__(self) -> None:
        self.times: list[float] = []
        self._tables: list[Any] = [np.empty((0, 0))] * 4  # states, modes, sampled inputs, works

    def add(self, t: float, y: Any, modes: Any, held: Any, works: Any) -> None:
        """Add one sample."""
        self.extend(np.array([t]), y, modes, held, works)

    def extend(self, times: Any, states: Any, modes: Any, held: Any, works: Any) -> None:
        """Add the samples of a phase, whose modes and sampled inputs last."""
        first = len(self.times)
        self.times += times.tolist()
        for k, rows in enumerate((states, modes.numbers.ravel(), held, works)):
            self._with_room(k, first, np.shape(rows)[-1])[first : len(self.times)] = rows

    def replace_works(self, works: Any) -> None:
        """Give the last sample other works."""
        self._tables[-1][len(self.times) - 1] = works

    def _with_room(self, k: int, used: int, width: int) -> Any:
        """Table k, which is doubled where the samples do not fit."""
        own, n = self._tables[k], len(self.times)
        if len(own) < n or own.shape[1] != width:
            self._tables[k] = np.empty((max(n, 2 * len(own)), width))
            if used:
                self._tables[k][:used] = own[:used]
        return self._tables[k]

    @property
    def held(self) -> Any:
        """Sampled inputs (n, n_sampled)."""
        return self._tables[2][: len(self.times)]

    def copy(self) -> Samples:
        """The same, to be added to."""
        twin = Samples()
        twin.times, twin._tables = list(self.times), [x.copy() for x in self._tables]
        return twin

    def tables(self, order: Any) -> list[Any]:
        """States, modes, sampled inputs and works, a row for each sample, in an order."""
        return [x[: len(self.times)][order] for x in self._tables]

    def cut(self, n: int) -> None:
        """Keep the first n samples only."""
        del self.times[n:]

    def without(self, t: float, y: Any, modes: Any) -> int:
        """Number of samples before those at the end that are of a given moment."""
        n, now = len(self.times), (y, modes.numbers.ravel())
        while n and self.times[n - 1] == t:
            last = (x[n - 1] for x in self._tables[:2])
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
    return whole if abs(whole - t) <= SAME_TIME * h else t


def largest_overlap(step: Any, contacts: Any, groups: Sequence[str]) -> Overlap | None:
    """Largest overlap of a contact, or within a group, at the end of a step; None: there is none.

    ``step`` is the record of the steps of a run.
    """
    names, k = [*contacts.names, *groups], step.deepest_of
    if not step.deepest < -OVERLAP:
        return None
    unit = "m"
    if k < len(contacts.names):
        unit = contacts.system.model.connections[contacts.owners[k]].measure.unit
    return Overlap(-step.deepest, unit, names[k], step.deepest_at)
