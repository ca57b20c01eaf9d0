"""Hammering: force pulses, their statistics, and load spectra over a run (5.F50)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.analysis.signals.signal import Signal, signal_of
from jourdain.errors import ModelError
from jourdain.spatial.check import shown

_FITTED = (1e-3, 0.999)  # of the pulses: those beyond are too few to be fitted


@dataclass(frozen=True)
class Gamma:
    """Gamma distribution with the mean and the variance of a sample (5.F50).

    Parameters
    ----------
    shape, scale : float
        Shape k = t²/σ² and scale θ = σ²/t of a sample with the mean t.
    """

    shape: float
    scale: float

    @classmethod
    def of(cls, sample: Any) -> Gamma:
        """Fit to a sample, by its moments."""
        x = np.asarray(sample, dtype=float)
        if len(x) < 2 or not x.mean() > 0.0 or not x.var() > 0.0:
            raise ModelError(
                f"a Gamma distribution needs two or more different numbers above zero, not {len(x)}"
                " like these: take a longer run."
            )
        return cls(float(x.mean() ** 2 / x.var()), float(x.var() / x.mean()))

    def density(self, x: Any) -> Any:
        """Probability density at x > 0."""
        from scipy.special import gammaln  # noqa: PLC0415

        x = np.asarray(x, dtype=float)
        log = (self.shape - 1.0) * np.log(x) - x / self.scale
        return np.exp(log - gammaln(self.shape) - self.shape * np.log(self.scale))


@dataclass(frozen=True, repr=False)
class Pulses:
    """Pulses of a load: spans in which it lies above a level. Made by `jd.signals.pulses`.

    Parameters
    ----------
    start : (n,) [s]
        Times at which they begin.
    duration : (n,) [s]
        How long they last.
    peak : (n,)
        Largest value of each.
    name, unit : str
        The load.
    """

    start: Any
    duration: Any
    peak: Any
    name: str
    unit: str

    @property
    def period(self) -> Any:
        """Times from the start of one pulse to that of the next [s]."""
        return np.diff(self.start)

    def spectrum(self) -> LoadSpectrum:
        """Load spectrum of the peaks."""
        return load_spectrum(self.peak, self.unit)

    def load(self, probability: float = 0.99) -> float:
        """Load that this part of the pulses stays below, counted: no spectrum is fitted."""
        _require_probability(probability)
        if not len(self):
            raise ModelError(f"{self.name!r} has no pulse: take a longer run, or a lower level.")
        return float(np.quantile(self.peak, probability))

    def __len__(self) -> int:
        return len(self.start)

    def __repr__(self) -> str:
        top = f", largest {self.peak.max():.4g} {self.unit}" if len(self) else ""
        return f"<{len(self)} pulses of {self.name!r}{top}>"


@dataclass(frozen=True)
class LoadSpectrum:
    """How often loads are exceeded, H(x) = H₀ exp(−a xⁿ) (5.F50).

    Parameters
    ----------
    count : int
        Number of pulses H₀.
    a, exponent : float
        Coefficient a and exponent n.
    unit : str
        Unit of the load.
    misfit : float
        Largest difference to the part of the pulses that exceeds a load, 0 to 1: above 0.1 or so
        the pulses follow another law, and loads beyond the largest one are no more than a guess.
    """

    count: int
    a: float
    exponent: float
    unit: str = ""
    misfit: float = 0.0

    def exceeded(self, load: Any) -> Any:
        """Number of pulses above a load."""
        return self.count * np.exp(-self.a * np.asarray(load, dtype=float) ** self.exponent)

    def load(self, probability: float = 0.99) -> float:
        """Load that a pulse stays below with a probability; at 0.99 the dynamic maximum load."""
        _require_probability(probability)
        return float((-np.log1p(-probability) / self.a) ** (1.0 / self.exponent))


def _require_probability(probability: float) -> None:
    if not 0.0 < probability < 1.0:
        raise ModelError(f"probability is {probability:g}: give a number between 0 and 1.")


def pulses(solution: Any, name: Any = None, *, level: float = 0.0) -> Pulses:
    """Pulses of a load, the hammering of gears: spans above a level, from crossing to crossing.

    Parameters
    ----------
    solution : Solution or Signal
        The run.
    name : str
        Quantity.
    level : float
        Level; zero for contact forces. Pulses that are cut by the ends of the run do not count.

    Examples
    --------
    >>> import jourdain as jd
    >>> load = jd.signals.Signal(range(9), [0, 2, 0, 0, 4, 4, 0, 1, 0], "load", "N")
    >>> found = jd.signals.pulses(load)
    >>> found.peak.tolist(), found.duration.tolist(), found.period.tolist()
    ([2.0, 4.0, 1.0], [2.0, 3.0, 2.0], [3.0, 3.0])
    """
    signal: Signal = signal_of(solution, name)
    x, t = signal.values - level, signal.time
    above = np.concatenate([[False], x > 0.0, [False]])
    starts, ends = (
        np.flatnonzero(above[1:] & ~above[:-1]),
        np.flatnonzero(above[:-1] & ~above[1:]),
    )
    whole = (starts > 0) & (ends < len(x))
    starts, ends = starts[whole], ends[whole]
    begin, end = _crossing(t, x, starts), _crossing(t, x, ends)
    peaks = np.array([x[i:j].max() for i, j in zip(starts, ends, strict=True)]) + level
    return Pulses(begin, end - begin, peaks, signal.name, signal.unit)


def _crossing(t: Any, x: Any, k: Any) -> Any:
    """Time at which a straight line from sample k − 1 to sample k is zero."""
    return t[k - 1] + (t[k] - t[k - 1]) * x[k - 1] / (x[k - 1] - x[k])


def load_spectrum(loads: Any, unit: str = "") -> LoadSpectrum:
    """Fit a load spectrum to peaks of pulses: a line through ln(−ln(H/H₀)) over ln x (5.F50).

    Parameters
    ----------
    loads : (n,)
        Peaks; those above zero count.
    unit : str
        Their unit.

    Raises
    ------
    ModelError
        If there are fewer than three different ones, or they are too much alike.

    Examples
    --------
    >>> import jourdain as jd, numpy as np
    >>> loads = (np.log(1000.0 / np.arange(1, 1000)) / 0.02) ** (1 / 1.2)
    >>> found = jd.signals.load_spectrum(loads, "N")
    >>> round(found.exponent, 2), round(found.load(0.99), 1)  # (ln 100/0.02)^(1/1.2)
    (1.2, 93.0)
    """
    try:
        x = np.asarray(loads, dtype=float).ravel()
    except (TypeError, ValueError):
        raise ModelError(f"loads of load_spectrum is {shown(loads)}: give their peaks.") from None
    x = np.sort(x[x > 0.0])
    n = len(x)
    if len(np.unique(x)) < 3:
        raise ModelError(
            f"a load spectrum needs three or more different pulses, not {len(np.unique(x))}: take "
            "a longer run."
        )
    part = 1.0 - np.arange(1, n + 1) / (n + 1.0)  # of the pulses that exceed each
    fitted = (part > _FITTED[0]) & (part < _FITTED[1])
    slope, height = np.polyfit(np.log(x[fitted]), np.log(-np.log(part[fitted])), 1)
    a = float(np.exp(height))
    if not 1e-300 < a < np.inf:
        raise ModelError(
            f"{n} pulses from {x[0]:g} to {x[-1]:g} are too much alike for a load spectrum: take "
            "load(0.99) of the pulses."
        )
    misfit = float(np.abs(np.exp(-a * x**slope) - part).max())
    return LoadSpectrum(n, a, float(slope), unit, misfit)
