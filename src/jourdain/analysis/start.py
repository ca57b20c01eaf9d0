"""Where a simulation starts and ends, and when it is sampled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.analysis.assemble import assemble
from jourdain.analysis.checkpoint import Past
from jourdain.analysis.open_loops import open_loops
from jourdain.analysis.settle import settled
from jourdain.analysis.shaky import require_firm
from jourdain.errors import ModelError
from jourdain.system import System

_DEFAULT_SAMPLES = 1000
_MOST_SAMPLES = 2e7
_SAME = 1e-9  # part of a spacing by which two times may differ and be one
_CLOSED = 1e-9  # error of a position [m, rad] that a run may start with
_UNIT = 1e-6  # by which the length of a given quaternion may differ from one


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
    count = int(np.floor(length / step + _SAME))
    first = max(0, int(np.floor((span.now - span.begin) / step - 1.0)))  # none long past
    times = span.begin + step * np.arange(first, count + 1)
    if abs(times[-1] - span.end) <= _SAME * min(step, length):
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


def start_state(
    system: System, start: Any, quaternions: list[int], t: float = 0.0, parameters: Any = None
) -> Any:
    """State at the start from names or arrays; quaternions get unit length.

    Raises
    ------
    ModelError
        If the numbers are too many, too few, not finite, or no orientation.
    """
    names = system.names
    given: Any = start
    if not (start is None or isinstance(start, Mapping | tuple)):
        raise ModelError(
            f"start is {start!r:.60}; give a dictionary of names and values, such as "
            '{"main.angle": 0.5}, or sol.final to go on from the end of a run.'
        )
    if isinstance(start, tuple) and len(start) == 2:
        q, v = start
    elif system.has_constraints:
        found = assemble(system, given, t=t, parameters=parameters)
        q, v = found.q, found.v
    else:
        q, v = system.state(given)
    try:
        q, v = np.array(q, dtype=float), np.array(v, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"start is {start!r:.60}, which is no pair of arrays (q, v).") from error
    if q.shape != (len(names.q),) or v.shape != (len(names.v),):
        raise ModelError(
            f"start has arrays of shapes {q.shape} and {v.shape}; model {system.model.name!r} "
            f"needs q ({len(names.q)},): {', '.join(names.q)}; and v ({len(names.v)},): "
            f"{', '.join(names.v)}."
        )
    if not np.all(np.isfinite(np.concatenate([q, v]))):
        raise ModelError("the start values are not all finite numbers.")
    for k in quaternions:
        length = float(np.linalg.norm(q[k : k + 4]))
        if abs(length - 1.0) > _UNIT:
            name = names.q[k].removesuffix(".w")
            raise ModelError(
                f"start value of {name!r} is a quaternion of length {length:.6g}; give one of unit "
                "length, scalar first, such as (1, 0, 0, 0)."
            )
        q[k : k + 4] /= length
    q = settled(system, q, t, parameters)
    is_assembled = not isinstance(start, tuple)  # what is held stays as it is, to the bit
    if system.has_constraints and not (is_assembled and _is_closed(system, q, v, t, parameters)):
        q, v = _on_constraints(system, q, v, t, parameters)
    require_firm(system, q, t, system.parameter_array(parameters))
    return np.concatenate([q, v])


def _is_closed(system: System, q: Any, v: Any, t: float, parameters: Any) -> bool:
    return bool(system.largest_error(q, v, t, parameters=parameters) < _CLOSED)


def _on_constraints(system: System, q: Any, v: Any, t: float, parameters: Any) -> tuple[Any, Any]:
    """State moved onto the constraints; it must be near."""
    q, v = system.project(q, v, t, parameters=parameters)
    if _is_closed(system, q, v, t, parameters):
        return q, v
    errors = system.answers("position_errors", q, v, t=t, parameters=parameters)
    raise open_loops(system, errors, t, ())
