"""Times of a run: its span and its samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.simulation.checkpoint import Past
from jourdain.simulation.tolerances import SAME_TIME

_DEFAULT_SAMPLES = 1000
_MOST_SAMPLES = 2e7


@dataclass(frozen=True)
class Span:
    """Times [s] of a run: its begin, the moment it goes on from, and its end."""

    begin: float
    now: float
    end: float
    is_resumed: bool = False

    @staticmethod
    def of(t: Any, past: Past) -> Span:
        """Span from what the user gave: an end, or begin and end."""
        try:
            times = np.asarray(t if t is not None else "", dtype=float)
        except (TypeError, ValueError, OverflowError):
            times = np.zeros(0)
        if times.shape not in ((), (2,)):
            raise ModelError(
                f"t is {t!r:.60}; give a duration in seconds, or (start, end), such as (2.0, 5.0). "
                "Times at which results are wanted are sample=[...]."
            )
        earlier = past.begin
        begin, end = (earlier, float(times)) if times.shape == () else map(float, times)
        if past.solution is not None:
            return _resumed(begin, end, past)
        if not (np.isfinite(begin) and np.isfinite(end) and end > begin):
            raise ModelError(
                f"cannot simulate from {begin:g} s to {end:g} s: the end must lie after the start."
            )
        return Span(begin, begin, end)


def _resumed(begin: float, end: float, past: Past) -> Span:
    reached = past.solution.time[-1] if past.solution and len(past.solution.time) else past.t
    reached = max(reached, past.t)
    if begin != past.begin or not (np.isfinite(end) and end > reached):
        raise ModelError(
            f"cannot resume to {end:g} s: the run began at {past.begin:g} s and has "
            f"reached {reached:g} s. Give a later end, as one run would have from its begin."
        )
    return Span(begin, past.t, end, is_resumed=True)


def sample_times(span: Span, sample: Any) -> Any:
    """Times of the samples that lie ahead.

    Raises
    ------
    ModelError
        If ``sample`` is neither a spacing nor times of the run in rising order.
    """
    times = _times(span, sample)
    return times[times > span.now] if span.is_resumed else times


def wanted_times(span: Span, sample: Any) -> tuple[float, float]:
    """First and last time [s] of a run from its begin."""
    times = _times(span, sample)
    return float(times[0]), float(times[-1])


def _times(span: Span, sample: Any) -> Any:
    if sample is None:
        return np.linspace(span.begin, span.end, _DEFAULT_SAMPLES + 1)
    try:
        given = np.asarray(np.nan if isinstance(sample, bool) else sample, dtype=float)
    except (TypeError, ValueError, OverflowError):
        given = np.array(np.nan)
    return _grid(span, given, sample) if given.ndim == 0 else _listed(span, given)


def _grid(span: Span, spacing: Any, sample: Any) -> Any:
    if not 0.0 < spacing < np.inf:
        raise ModelError(
            f"sample is {sample!r:.60}; give a spacing in seconds, or an array of times."
        )
    step, length = float(spacing), span.end - span.begin
    if not length / step <= _MOST_SAMPLES:
        raise ModelError(
            f"sample is {step:g} s: a run of {length:g} s has {length / step:.2g} samples then. "
            f"Give {length / _MOST_SAMPLES:.2g} s or more."
        )
    count = int(np.floor(length / step + SAME_TIME))
    first = max(0, int(np.floor((span.now - span.begin) / step - 1.0)))  # none long past
    times = span.begin + step * np.arange(first, count + 1)
    if abs(times[-1] - span.end) <= SAME_TIME * min(step, length):
        times[-1] = span.end
        return times
    return np.append(times, span.end)


def _listed(span: Span, times: Any) -> Any:
    is_row = times.ndim == 1 and len(times) > 0 and np.all(np.isfinite(times))
    if not is_row or np.any(np.diff(times) < 0) or times[0] < span.begin or times[-1] > span.end:
        raise ModelError(
            f"sample times must rise and lie between {span.begin:g} s and {span.end:g} s."
        )
    return times
