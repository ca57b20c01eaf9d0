"""Size of the first step of a method with error control."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.solvers.ode.problem import Control, Problem
from jourdain.solvers.sizes import AT_REST, FRACTION, MATES, NOISE, kinds

_SMALL = 1e-6  # part of the largest of its kind below which a coordinate tells no time scale
_AHEAD = 1e-6  # [s] over which rates tell a time scale


def first_step(problem: Problem, y: Any, t: float, order: int, control: Control) -> float:
    """Starting step [s] after Hairer, Nørsett & Wanner (II.4); the same for any end of the run."""
    if not len(y):
        return 1e-6
    f0, rtol = _rates(problem, t, y), control.rtol or 0.0
    if control.atol is None:
        scale = rtol * first_sizes(problem, y, t, f0)
    else:
        scale = control.atol + rtol * np.abs(y)
    d0, d1 = _norm(y / scale), _norm(f0 / scale)
    h0 = 1e-6 if min(d0, d1) < 1e-5 else 0.01 * d0 / d1
    d2 = _norm((_rates(problem, t + h0, y + h0 * f0) - f0) / scale) / h0
    top = max(d1, d2)
    h1 = max(1e-6, h0 * 1e-3) if top <= 1e-15 else (0.01 / top) ** (1.0 / (order + 1))
    return float(min(100 * h0, h1)) if np.isfinite(h1) else 1e-6


def _rates(problem: Problem, t: float, y: Any) -> Any:
    q, v = y[: problem.n_q], y[problem.n_q :]
    return np.concatenate(problem.rates(q, v, problem.u, t, problem.p))


def _norm(x: Any) -> float:
    return float(np.sqrt(np.mean(x**2)))


@np.errstate(invalid="ignore", over="ignore")
def first_sizes(problem: Problem, y: Any, t: float, f0: Any = None) -> Any:
    """Sizes of coordinates: what they are, or what they become in the time scale of their rates."""
    f0 = _rates(problem, t, y) if f0 is None else f0
    n, n_q = len(y), problem.n_q
    listed, n_kinds = kinds(tuple(problem.units) or ("",) * n, n_q)
    own, moved = listed[:n], listed[n:]
    largest, fastest = np.zeros(n_kinds), np.zeros(n_kinds)
    np.fmax.at(largest, own, np.abs(y))
    np.fmax.at(fastest, moved[n_q:], np.abs(f0[n_q:]))
    counts = np.abs(y) > _SMALL * largest[own]
    first = np.abs(f0[counts]) / np.abs(y[counts])
    second = np.sqrt(fastest[largest > 0.0] / largest[largest > 0.0])  # of what starts at rest
    rate = max([*first, *second], default=0.0)
    if rate == 0.0:  # of what starts at full speed
        ahead = (_rates(problem, t + _AHEAD, y + _AHEAD * f0) - f0) / _AHEAD
        rate = max(np.sqrt(np.abs(ahead[counts]) / np.abs(y[counts])), default=0.0)
    grown = np.maximum(np.abs(y), np.abs(f0) / (rate if 0.0 < rate < np.inf else 1.0))
    np.fmax.at(largest, own, grown)
    floor = np.maximum(MATES * largest, NOISE / FRACTION * AT_REST)
    found = np.maximum(grown, floor[own])
    return found if problem.sizes is None else np.maximum(found, problem.sizes)
