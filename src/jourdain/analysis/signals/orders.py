"""`order_map`: amplitudes over orders of a shaft during a run-up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import cumulative_simpson
from scipy.interpolate import CubicHermiteSpline, CubicSpline

from jourdain.analysis.signals.signal import Signal, signal_of, uniform
from jourdain.errors import ModelError
from jourdain.results import Solution

_FINE = 8  # points of the grid for a sample of the run, for the angle of the shaft


@dataclass(frozen=True, repr=False)
class OrderMap:
    """Amplitudes over speed and order, or over speed and frequency. Made by `jd.order_map`.

    Parameters
    ----------
    times : (n_blocks,) [s]
        Middle of each block.
    speeds : (n_blocks,) [rad/s]
        Mean speed of the shaft in each block.
    orders : (n_orders,)
        Cycles per revolution.
    amplitudes : (n_blocks, n_orders)
        Amplitudes.
    name, unit, by : str
        Quantity, its unit, and the shaft's speed.
    """

    times: Any
    speeds: Any
    orders: Any
    amplitudes: Any
    name: str
    unit: str
    by: str

    def order(self, order: float) -> Any:
        """Amplitude (n_blocks,) of the order that is nearest."""
        return self.amplitudes[:, int(np.argmin(np.abs(self.orders - order)))]

    @property
    def frequencies(self) -> Any:
        """Frequencies (n_blocks, n_orders) [Hz] of all amplitudes, for a waterfall."""
        return np.outer(self.speeds / (2.0 * np.pi), self.orders)

    def __repr__(self) -> str:
        low, high = self.speeds.min(), self.speeds.max()
        return f"<order map of {self.name!r}: {low:.4g} to {high:.4g} rad/s>"


def order_map(
    solution: Any,
    name: Any = None,
    *,
    by: Any,
    revolutions: int = 16,
    overlap: float = 0.5,
    highest: float = 10.0,
    window: str = "none",
) -> OrderMap:
    """Amplitudes of a result over the orders of a shaft: Campbell diagram of a run-up.

    The result is sampled at equal angles of the shaft, and each block of whole revolutions is
    transformed, so that orders stay sharp while the speed changes.

    Parameters
    ----------
    solution : Solution or Signal
        The run.
    name : str
        Quantity.
    by : str or Signal
        Speed of the shaft [rad/s], such as ``"main.rate"``.
    revolutions : int
        Revolutions of a block; the resolution is one over it.
    overlap : float
        Part of a block that the next one has in common with it, below 1.
    highest : float
        Highest order.
    window : str
        ``"none"`` for orders that are multiples of the resolution, or ``"hann"``.

    Returns
    -------
    OrderMap
        Amplitudes by block and order.

    Raises
    ------
    ModelError
        If the shaft stops or turns back, or makes too few revolutions.
    """
    _require(revolutions, overlap, highest, window)
    signal = signal_of(solution, name)
    fine = _FINE * len(signal.time) + 1
    speed, dt = uniform(by if isinstance(by, Signal) else solution, by, fine)
    low, high = speed.values.min(), speed.values.max()
    if low * high <= 0.0:
        raise ModelError(
            f"the shaft {speed.name!r} stops or turns back in this run ({low:.4g} to {high:.4g} "
            f"{speed.unit}), so there are no orders. Give a part of the run where it turns one way."
        )
    angle = np.abs(cumulative_simpson(speed.values, dx=dt, initial=0.0)) / (2.0 * np.pi)
    per_turn = 2 ** int(np.ceil(np.log2(max(8.0, 2.56 * highest))))
    block = revolutions * per_turn
    turns = np.arange(0.0, np.floor(angle[-1] * per_turn + 1e-9) + 0.5) / per_turn
    if len(turns) < block:
        raise ModelError(
            f"the shaft {speed.name!r} makes {angle[-1]:.3g} revolutions, fewer than a block of "
            f"{revolutions}. Give revolutions={max(1, int(angle[-1]))}."
        )
    times = _inverse(turns, angle, speed)
    values = _sampled(solution, name, signal, times)
    starts = np.arange(0, len(values) - block + 1, max(1, round(block * (1.0 - overlap))))
    orders = np.fft.rfftfreq(block, 1.0 / per_turn)
    kept = orders <= highest + 1e-9
    w = _weights(block, window)
    sizes = np.array([np.abs(np.fft.rfft(w * values[k : k + block])) for k in starts]) / w.sum()
    sizes[:, 1:] *= 2.0
    ends = np.minimum(starts + block, len(times) - 1)
    spans = times[ends] - times[starts]
    speeds = 2.0 * np.pi * (turns[ends] - turns[starts]) / spans
    middle = times[starts] + 0.5 * spans
    found = middle, speeds, orders[kept], sizes[:, kept]
    return OrderMap(*found, signal.name, signal.unit, speed.name)


def _require(revolutions: int, overlap: float, highest: float, window: str) -> None:
    if revolutions < 1 or not 0.0 <= overlap < 1.0 or highest <= 0.0:
        raise ModelError(
            f"order map: {revolutions} revolutions, overlap {overlap:g}, highest order "
            f"{highest:g}; give at least 1 revolution, an overlap from 0 to below 1, and a "
            "positive order."
        )
    if window not in ("none", "hann"):
        raise ModelError(f"window is {window!r}; there are none and hann.")


def _weights(n: int, window: str) -> Any:
    return np.ones(n) if window == "none" else 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n) / n)


def _inverse(turns: Any, angle: Any, speed: Signal) -> Any:
    """Times at which the shaft has made given revolutions, by Newton on a linear start."""
    times = np.interp(turns, angle, speed.time)
    rate = np.abs(np.interp(times, speed.time, speed.values)) / (2.0 * np.pi)
    slopes = np.abs(speed.values) / (2.0 * np.pi)
    exact = CubicHermiteSpline(speed.time, angle, slopes)
    for _ in range(3):
        times = np.clip(times - (exact(times) - turns) / rate, speed.time[0], speed.time[-1])
    return times


def _sampled(solution: Any, name: Any, signal: Signal, times: Any) -> Any:
    if isinstance(solution, Solution) and solution.has_model:
        return np.asarray(solution.at(times)[name].values, dtype=float)
    keep = np.append(np.diff(signal.time) > 0.0, True)
    return CubicSpline(signal.time[keep], signal.values[keep])(times)
