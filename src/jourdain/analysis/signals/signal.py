"""Signals: one quantity over time, from a solution or from arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.results import Solution
from jourdain.spatial.check import shown


@dataclass(frozen=True, repr=False)
class Signal:
    """A quantity over time.

    Parameters
    ----------
    time : (n,) [s]
        Times, not falling; jumps have their time twice.
    values : (n,)
        Values.
    name, unit : str
        What it is.

    Examples
    --------
    >>> import jourdain as jd
    >>> signal = jd.signals.Signal([0.0, 1.0, 2.0], [0.0, 1.0, 0.0], "x", "m")
    >>> jd.signals.peak(signal)
    1.0
    """

    time: Any
    values: Any
    name: str = ""
    unit: str = ""

    def __post_init__(self) -> None:
        time, values = (np.asarray(x, dtype=float) for x in (self.time, self.values))
        if time.ndim != 1 or time.shape != values.shape or len(time) < 2:
            raise ModelError(
                f"a signal needs as many times as values, at least two; {shown(self.name)} has "
                f"{time.shape} and {values.shape}."
            )
        if not (np.all(np.isfinite(time)) and np.all(np.isfinite(values))):
            raise ModelError(f"the signal {shown(self.name)} has numbers that are not finite.")
        if np.any(np.diff(time) < 0.0) or time[-1] <= time[0]:
            raise ModelError(f"the times of the signal {shown(self.name)} must rise.")
        object.__setattr__(self, "time", time)
        object.__setattr__(self, "values", values)

    def at(self, times: Any) -> Any:
        """Values at times, straight between samples; at jumps the later value."""
        keep = np.append(np.diff(self.time) > 0.0, True)
        return np.interp(times, self.time[keep], self.values[keep])

    def __repr__(self) -> str:
        span = f"{self.time[0]:g} to {self.time[-1]:g} s"
        return f"<signal {self.name!r} [{self.unit}]: {span}, {len(self.time)} samples>"


def signal_of(source: Any, name: Any = None) -> Signal:
    """Signal of a quantity of a solution, or the signal itself.

    Raises
    ------
    ModelError
        If it has components; the text names them.
    """
    if isinstance(source, Signal):
        return source
    if not isinstance(source, Solution):
        raise ModelError(
            f"{shown(source)} is no solution and no jd.signals.Signal(time, values, name, unit)."
        )
    if name is None:
        raise ModelError('name a quantity of the solution, such as "main.angle".')
    channel = source.asked(name)
    if channel.labels or channel.n_elements:
        raise ModelError(
            f"{channel.name!r} has components; name one: {', '.join(channel.columns[:6])}."
        )
    label = name[0] if isinstance(name, tuple) else name
    values = np.asarray(source[name].values, dtype=float)
    return Signal(source.time, values, str(label), channel.unit)


def uniform(source: Any, name: Any, n: int | None = None) -> tuple[Signal, float]:
    """Signal on a uniform grid, and its spacing [s].

    Between samples of a solution its own interpolation counts; at jumps the later value.
    """
    signal = signal_of(source, name)
    steps = np.diff(signal.time)
    count = len(signal.time) if n is None else n
    grid = np.linspace(signal.time[0], signal.time[-1], count)
    spacing = float(grid[1] - grid[0])
    if len(steps) + 1 == count and np.allclose(steps, spacing, rtol=1e-9, atol=0.0):
        return signal, spacing
    values = signal.at(grid)
    if isinstance(source, Solution) and source.has_model:
        values = np.asarray(source.at(grid)[name].values, dtype=float)
    return Signal(grid, values, signal.name, signal.unit), spacing


def difference(a: Any, b: Any, name: Any = None) -> Signal:
    """Difference of a quantity of two runs, b − a, over the time that both have.

    Parameters
    ----------
    a, b : Solution or Signal
        The runs.
    name : str
        Quantity.
    """
    one, other = signal_of(a, name), signal_of(b, name)
    start, end = max(one.time[0], other.time[0]), min(one.time[-1], other.time[-1])
    if end <= start:
        raise ModelError(
            f"the runs have no time in common: {one.time[0]:g} to {one.time[-1]:g} s and "
            f"{other.time[0]:g} to {other.time[-1]:g} s."
        )
    times = one.time[(one.time >= start) & (one.time <= end)]
    if isinstance(b, Solution) and b.has_model:
        values = np.asarray(b.at(times)[name].values, dtype=float)
    else:
        values = other.at(times)
    mine = one.values[(one.time >= start) & (one.time <= end)]
    return Signal(times, values - mine, f"difference of {one.name}", one.unit)
