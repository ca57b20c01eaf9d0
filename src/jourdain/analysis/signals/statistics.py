"""Sizes of signals: peak, root mean square, envelope."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.analysis.signals.signal import Signal, signal_of, uniform
from jourdain.errors import ModelError


def peak(solution: Any, name: Any = None) -> float:
    """Largest absolute value."""
    return float(np.abs(signal_of(solution, name).values).max())


def peaks(solution: Any, name: Any = None) -> Signal:
    """Local maxima: their times and values."""
    signal = signal_of(solution, name)
    x = signal.values
    inner = np.flatnonzero((x[1:-1] > x[:-2]) & (x[1:-1] >= x[2:])) + 1
    if len(inner) < 2:
        raise ModelError(f"{signal.name!r} has {len(inner)} maxima in this run, fewer than two.")
    return Signal(signal.time[inner], x[inner], f"maxima of {signal.name}", signal.unit)


def rms(solution: Any, name: Any = None) -> float:
    """Root mean square over the whole time; between samples straight."""
    signal = signal_of(solution, name)
    dt, x = np.diff(signal.time), signal.values
    squares = dt * (x[:-1] ** 2 + x[:-1] * x[1:] + x[1:] ** 2) / 3.0
    return float(np.sqrt(squares.sum() / (signal.time[-1] - signal.time[0])))


def moving_rms(solution: Any, name: Any = None, *, duration: float) -> Signal:
    """Root mean square of a moving window, told at its middle.

    Parameters
    ----------
    solution : Solution or Signal
        The run.
    name : str
        Quantity.
    duration : float [s]
        Length of the window; take whole periods.
    """
    signal, dt = uniform(solution, name)
    n = round(duration / dt)
    if not 1 <= n < len(signal.values):
        whole = signal.time[-1] - signal.time[0]
        raise ModelError(
            f"a window of {duration:g} s does not fit into {whole:g} s with samples of {dt:.3g} s."
        )
    x = signal.values
    squares = dt * (x[:-1] ** 2 + x[:-1] * x[1:] + x[1:] ** 2) / 3.0
    total = np.concatenate([[0.0], np.cumsum(squares)])
    found = np.sqrt(np.maximum(total[n:] - total[:-n], 0.0) / (n * dt))
    times = signal.time[: len(found)] + 0.5 * n * dt
    return Signal(times, found, f"RMS of {signal.name}", signal.unit)


def envelope(solution: Any, name: Any = None) -> Signal:
    """Envelope: size of the analytic signal about the mean; poor at both ends."""
    from scipy.signal import hilbert  # noqa: PLC0415

    signal, _ = uniform(solution, name)
    mean = signal.values.mean()
    found = np.abs(hilbert(signal.values - mean))
    return Signal(signal.time, found, f"envelope of {signal.name}", signal.unit)
