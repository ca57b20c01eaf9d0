"""Rates of states that model files can hold: lags, dead times by Padé, sums of signals."""

from __future__ import annotations

from math import factorial
from typing import Any

from jourdain.model.laws.signal import Signal
from jourdain.spatial import check
from jourdain.spatial.annotations import record


def seen(signal: Any, at: Any) -> Any:
    """What a signal or a function of ``at`` gives; a signal with its sign."""
    return signal.signed(at) if isinstance(signal, Signal) else signal(at)


@record()
class Lag:
    """Rate of a first-order lag, ẏ = (u − y)/T. Made by `Model.add_lag`.

    Parameters
    ----------
    signal : Signal or function of ``at``
        What it follows, u.
    time : float [s]
        Time constant T.
    """

    signal: Any
    time: Any

    def __post_init__(self) -> None:
        check.number(self.time, "time of the lag", positive=True)

    def __call__(self, at: Any) -> Any:
        """Rate of the state ``value``."""
        return ((seen(self.signal, at) - at.state("value")) / self.time,)


@record()
class PadeDelay:
    """Rates of a dead time by Padé's approximation. Made by `Model.add_pade_delay`.

    Parameters
    ----------
    signal : Signal or function of ``at``
        What is delayed.
    time : float [s]
        Dead time.
    order : int
        Number of states.
    """

    signal: Any
    time: Any
    order: int

    def __post_init__(self) -> None:
        check.number(self.time, "time of the delay", positive=True)

    @property
    def names(self) -> list[str]:
        """Names of the states."""
        return ["value", *(f"inner_{k}" for k in range(1, self.order))]

    def __call__(self, at: Any) -> Any:
        """Rates of the states."""
        u, x = seen(self.signal, at), [at.state(n) for n in self.names]
        (a, b), after = pade(self.order), [*x[1:], 0.0]
        return tuple((after[k] + b[k] * u - a[k] * x[0]) / self.time for k in range(self.order))


@record()
class SignalRates:
    """Rates that are sums of signals, one sum for each state.

    Parameters
    ----------
    sums : tuple of tuple of Signal
        Terms of the sums.
    """

    sums: tuple[tuple[Signal, ...], ...]

    def __call__(self, at: Any) -> Any:
        """Rates of the states."""
        return tuple(sum((term.signed(at) for term in terms), 0.0) for terms in self.sums)


def rates_of(given: Any) -> Any:
    """Rates from a function of ``at``, from a signal, or from signals or sums of them in a list."""
    if isinstance(given, Signal):
        given = [given]
    if not isinstance(given, list | tuple):
        return given
    sums = [tuple(x) if isinstance(x, list | tuple) else (x,) for x in given]
    is_signals = all(isinstance(term, Signal) for terms in sums for term in terms)
    return SignalRates(tuple(sums)) if is_signals else given


def pade(n: int) -> tuple[list[float], list[float]]:
    """Coefficients of Padé's quotient of exp(−s), highest powers first.

    exp(−s) ≈ (b₁ sⁿ⁻¹ + … + bₙ) / (sⁿ + a₁ sⁿ⁻¹ + … + aₙ)
    """
    m = n - 1

    def part(of: int, k: int) -> float:
        up = factorial(m + n - k) * factorial(of)
        return up / (factorial(m + n) * factorial(k) * factorial(of - k))

    lead = part(n, n)
    a = [part(n, k) / lead for k in range(n - 1, -1, -1)]
    b = [(-1.0) ** k * part(m, k) / lead for k in range(n - 1, -1, -1)]
    return a, b
