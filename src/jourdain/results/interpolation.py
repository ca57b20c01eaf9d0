"""States between the samples of a run, by Hermite interpolation.

Positions and velocities are of fifth degree: values, rates and second rates at both ends. The
generalized forces follow a monotone cubic, and the accelerations follow from all of these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.results.trajectory import Trajectory
from jourdain.system.state import quaternion_starts


def interpolate(run: Trajectory, times: Any) -> Trajectory:
    """Trajectory at other times [s]; at a doubled time, the values after it.

    Raises
    ------
    ModelError
        If a time lies outside the run.
    """
    t = np.asarray(times, dtype=float)
    _require_inside(run.time, t)
    left = np.searchsorted(run.time, t, side="right") - 1
    right = np.minimum(left + 1, len(run.time) - 1)
    h = (run.time[right] - run.time[left])[:, np.newaxis]
    h = np.where(h > 0.0, h, 1.0)  # at the last sample, where nothing is to be moved
    x = (t[:, np.newaxis] - run.time[left][:, np.newaxis]) / h
    ends = left, right
    tau, tau_rates = _forces(run, t)
    second, third = _second_rates(run, tau_rates)
    q = _unit(run, _quintic(x, h, *_at(ends, run.q, run.rates, second)))
    v = _quintic(x, h, *_at(ends, run.v, run.vdot, third))
    q, v = run.system.project(q, v, t, parameters=run.p)
    more = run.extra[left], run.parameters, run.contacts[left]
    between = Trajectory(run.system, t, q, v, v, tau, *more)
    between.vdot = between.accelerations if len(t) else v
    return between


def _require_inside(known: Any, t: Any) -> None:
    if not len(known):
        raise ModelError("this solution has no samples, so there is nothing to interpolate.")
    outside = t[~((t >= known[0]) & (t <= known[-1]))]
    if len(outside):
        raise ModelError(
            f"t = {outside[0]:g} s lies outside the solution, which covers {known[0]:g} s to "
            f"{known[-1]:g} s. Simulate further with jd.simulate(model, t, start=sol.final)."
        )


def _at(ends: tuple[Any, Any], *columns: Any) -> list[Any]:
    """Rows at the left and right ends, one pair after the other."""
    return [column[side] for column in columns for side in ends]


def _quintic(x: Any, h: Any, y0: Any, y1: Any, s0: Any, s1: Any, a0: Any, a1: Any) -> Any:
    c = 1.0 - x
    values = c**3 * (1.0 + 3.0 * x + 6.0 * x**2) * y0 + x**3 * (1.0 + 3.0 * c + 6.0 * c**2) * y1
    slopes = x * c**3 * (1.0 + 3.0 * x) * s0 - c * x**3 * (1.0 + 3.0 * c) * s1
    return values + h * slopes + 0.5 * h**2 * (x**2 * c**3 * a0 + c**2 * x**3 * a1)


def _step(run: Trajectory) -> float:
    """Time step [s] of central differences along the motion."""
    return 1e-4 / max(1.0, float(np.max(np.abs(run.rates), initial=0.0)))


def _second_rates(run: Trajectory, tau_rates: Any) -> tuple[Any, Any]:
    """Rates of dq/dt and of dv/dt along the motion, by central differences."""
    step = _step(run)
    after, before = (run.shifted(dt, tau_rates) for dt in (step, -step))
    pairs = (after.rates, before.rates), (after.accelerations, before.accelerations)
    return tuple((x - y) / (2.0 * step) for x, y in pairs)


def _unit(run: Trajectory, q: Any) -> Any:
    """Coordinates with quaternions brought back to unit length."""
    for start in quaternion_starts(run.system):
        part = q[:, start : start + 4]
        part /= np.linalg.norm(part, axis=-1, keepdims=True)
    return q


def _forces(run: Trajectory, t: Any) -> tuple[Any, Any]:
    """Generalized forces at other times, and their rates at the samples.

    Between discontinuities they are smooth, and do not exceed the neighbouring samples.
    """
    rates = np.zeros_like(run.tau)
    if not np.any(run.tau):
        return np.zeros((len(t), run.tau.shape[1])), rates
    from scipy.interpolate import PchipInterpolator  # noqa: PLC0415

    tau = run.tau[np.searchsorted(run.time, t, side="right") - 1].copy()
    marks = np.flatnonzero(np.diff(run.time) <= 0.0) + 1
    for part in np.split(np.arange(len(run.time)), marks):
        if len(part) > 1:
            inside = (t >= run.time[part[0]]) & (t < run.time[part[-1]])
            curve = PchipInterpolator(run.time[part], run.tau[part])
            tau[inside], rates[part] = curve(t[inside]), curve(run.time[part], 1)
    return tau, rates
