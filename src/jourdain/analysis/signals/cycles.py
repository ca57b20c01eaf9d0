"""Load spectra: level crossings and rainflow cycles, as ASTM E1049 counts them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from jourdain.analysis.signals.signal import Signal, signal_of
from jourdain.errors import ModelError


@dataclass(frozen=True, repr=False)
class Rainflow:
    """Cycles of a load. Made by `jd.signals.rainflow`.

    Parameters
    ----------
    cycles : (n, 3)
        Range, mean and count (1 or ½) of each, in the order in which they are found.
    residue : (m,)
        Reversals that close no cycle; their ranges are the last half cycles.
    name, unit : str
        The load.
    """

    cycles: Any
    residue: Any
    name: str
    unit: str

    def counts(self) -> dict[float, float]:
        """Number of cycles by range, small ranges first."""
        found: dict[float, float] = {}
        for size, _, count in self.cycles.tolist():
            found[size] = found.get(size, 0.0) + count
        return dict(sorted(found.items()))

    def matrix(self, ranges: Any, means: Any) -> Any:
        """Number of cycles (n_ranges, n_means) between given borders of range and mean."""
        sizes, middles, counts = self.cycles.T
        return np.histogram2d(sizes, middles, bins=[ranges, means], weights=counts)[0]

    def damage(self, exponent: float, strength: float) -> float:
        """Miner's sum Σ n (range/strength)^exponent: 1 where the life is used up.

        Parameters
        ----------
        exponent : float
            Slope of Wöhler's line.
        strength : float
            Range that is endured once.
        """
        return float(np.sum(self.cycles[:, 2] * (self.cycles[:, 0] / strength) ** exponent))

    def __repr__(self) -> str:
        total = self.cycles[:, 2].sum()
        return (
            f"<rainflow of {self.name!r}: {total:g} cycles, largest {self.largest:.4g} {self.unit}>"
        )

    @property
    def largest(self) -> float:
        """Largest range."""
        return float(self.cycles[:, 0].max(initial=0.0))


def reversals(values: Any) -> Any:
    """First and last value, and those between where the slope changes its sign."""
    x = np.asarray(values, dtype=float)
    x = x[np.append(True, np.diff(x) != 0.0)]
    if len(x) < 3:
        return x
    slope = np.diff(x)
    turns = np.flatnonzero(slope[:-1] * slope[1:] < 0.0) + 1
    return x[np.concatenate([[0], turns, [len(x) - 1]])]


def rainflow(solution: Any, name: Any = None) -> Rainflow:
    """Cycles of a load by the rainflow method (three points, ASTM E1049).

    Parameters
    ----------
    solution : Solution or Signal
        The run.
    name : str
        Quantity.

    Returns
    -------
    Rainflow
        Ranges, means and counts, and the residue.

    Examples
    --------
    >>> import jourdain as jd
    >>> load = jd.signals.Signal(range(9), [-2, 1, -3, 5, -1, 3, -4, 4, -2], "load", "N")
    >>> jd.signals.rainflow(load).counts()
    {3.0: 0.5, 4.0: 1.5, 6.0: 0.5, 8.0: 1.0, 9.0: 0.5}
    """
    signal = signal_of(solution, name)
    stack: list[float] = []
    found: list[tuple[float, float, float]] = []
    for point in reversals(signal.values).tolist():
        stack.append(point)
        while len(stack) >= 3:
            newest, before = abs(stack[-1] - stack[-2]), abs(stack[-2] - stack[-3])
            if newest < before:
                break
            mean = 0.5 * (stack[-2] + stack[-3])
            if len(stack) == 3:
                found.append((before, mean, 0.5))
                del stack[0]
            else:
                found.append((before, mean, 1.0))
                del stack[-3:-1]
    for a, b in pairwise(stack):
        found.append((abs(b - a), 0.5 * (a + b), 0.5))
    cycles = np.array(found).reshape(-1, 3)
    return Rainflow(cycles, np.array(stack), signal.name, signal.unit)


def level_crossings(
    solution: Any, name: Any = None, *, levels: Iterable[float], reference: float = 0.0
) -> dict[float, int]:
    """How often a load crosses levels: upward at or above the reference, downward below it.

    Parameters
    ----------
    solution : Solution or Signal
        The run.
    name : str
        Quantity.
    levels : iterable of float
        Levels.
    reference : float
        Level at which the counting changes its direction.

    Returns
    -------
    dict of float to int
        Crossings by level.
    """
    signal: Signal = signal_of(solution, name)
    x = signal.values
    found = {}
    for level in levels:
        if not np.isfinite(level):
            raise ModelError("levels must be finite numbers.")
        up, down = (x[:-1] < level) & (x[1:] >= level), (x[:-1] > level) & (x[1:] <= level)
        found[float(level)] = int(np.sum(up if level >= reference else down))
    return found
