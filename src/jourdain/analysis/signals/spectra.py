"""`spectrum`: which frequencies a result of a run has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.analysis.signals.signal import uniform
from jourdain.errors import ModelError

_WINDOWS = ("hann", "none")


@dataclass(frozen=True, repr=False)
class Spectrum:
    """Amplitudes, or a density, over frequency. Made by `jd.spectrum`.

    Parameters
    ----------
    frequencies : (n,) [Hz]
        Frequencies.
    values : (n,)
        Amplitudes, or power per frequency.
    name, unit : str
        Quantity, and unit of the values.
    kind : str
        ``"amplitude"`` or ``"density"``.
    phases : (n,) [rad]
        Phases against a cosine at the begin.
    """

    frequencies: Any
    values: Any
    name: str
    unit: str
    kind: str
    phases: Any

    def peaks(self, count: int = 5) -> list[tuple[float, float]]:
        """Largest local maxima: frequency [Hz] and value, largest first."""
        v = self.values
        inner = np.flatnonzero((v[1:-1] > v[:-2]) & (v[1:-1] >= v[2:])) + 1
        order = inner[np.argsort(-v[inner], kind="stable")][:count]
        return [(float(self.frequencies[k]), float(v[k])) for k in order]

    def __repr__(self) -> str:
        return f"<{self.kind} spectrum of {self.name!r} to {self.frequencies[-1]:.4g} Hz>"

    def __str__(self) -> str:
        rows = [f"  {f:12.6g} Hz  {x:.6g} {self.unit}" for f, x in self.peaks()]
        return "\n".join([f"{self.kind} spectrum of {self.name!r}", *rows])


def spectrum(
    solution: Any,
    name: Any = None,
    *,
    t: tuple[float, float] | None = None,
    window: str = "hann",
    density: bool = False,
    mean: bool = False,
) -> Spectrum:
    """Amplitudes of a result over frequency.

    A sine of amplitude 1 has the value 1 where its frequency is one of the grid. The resolution is
    one over the duration; with Hann's window a peak is four lines wide.

    Parameters
    ----------
    solution : Solution or Signal
        The run.
    name : str
        Quantity without components, ``"main.angle"`` or ``"wrist.force.x"``.
    t : (float, float) [s]
        Part of the run; default all of it.
    window : str
        ``"hann"``, or ``"none"`` for whole periods.
    density : bool
        Whether to give the power per Hz instead, whose integral is the mean square.
    mean : bool
        Whether the mean value stays; by default it is taken away.

    Returns
    -------
    Spectrum
        Frequencies and values.
    """
    signal, dt = uniform(solution, name)
    values, time = signal.values, signal.time
    if window not in _WINDOWS:
        raise ModelError(f"window is {window!r}; there are {' and '.join(_WINDOWS)}.")
    if t is not None:
        inside = (time >= t[0]) & (time <= t[1])
        values, time = values[inside], time[inside]
    if len(values) < 4:
        raise ModelError(f"a spectrum of {signal.name!r} needs at least 4 samples.")
    n = len(values)
    values = values if mean else values - values.mean()
    w = np.ones(n) if window == "none" else 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n) / n)
    X = np.fft.rfft(values * w)
    twice = np.full(len(X), 2.0)
    twice[0] = 1.0
    if n % 2 == 0:
        twice[-1] = 1.0
    frequencies = np.fft.rfftfreq(n, dt)
    if density:
        found = twice * np.abs(X) ** 2 * dt / np.sum(w**2)
        unit = f"({signal.unit})^2/Hz"
    else:
        found, unit = twice * np.abs(X) / np.sum(w), signal.unit
    kind = "density" if density else "amplitude"
    return Spectrum(frequencies, found, signal.name, unit, kind, np.angle(X))
