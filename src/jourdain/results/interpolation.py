"""States between the samples of a run, by Hermite interpolation.

Positions and velocities are of fifth degree: values, rates and second rates at both ends. The
generalized forces follow a monotone cubic, and the accelerations follow from all of these.

With contacts, their forces follow a monotone cubic too, cut to what their laws allow. Accelerations
are interpolated, so that what sticks at both ends does not move between.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.equations.mechanism import Mechanism
from jourdain.errors import ModelError
from jourdain.results.channels.contact_groups import count_columns, working_elements
from jourdain.results.trajectory import Trajectory

_NONE = 1e-140  # capacity whose quotients, and their squares, are finite


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
    forces = _Forces(run, t)
    second, third = _second_rates(run, forces)
    q = _unit(run, _quintic(x, h, *_at(ends, run.q, run.rates, second)))
    v = _quintic(x, h, *_at(ends, run.v, run.vdot, third))
    if _has_contacts(run):  # steps know mean forces only, which do not quite hold what sticks
        is_still = (run.v[left] == 0.0) & (run.v[right] == 0.0)
        v = np.where(is_still, 0.0, v)
    q, v = run.system.project(q, v, t, parameters=run.p)
    more = forces.extra, run.parameters, forces.contacts
    between = Trajectory(run.system, t, q, v, v, forces.tau, *more)
    if run.system.has_contacts:
        between.extra = _allowed(between, is_between=run.time[left] != t)
    if not len(t):
        between.vdot = v
    elif _has_contacts(run):
        between.vdot = _monotone(run.time, run.vdot, t)[0]
    else:
        between.vdot = between.accelerations
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


def _second_rates(run: Trajectory, forces: _Forces) -> tuple[Any, Any]:
    """Rates of dq/dt and of dv/dt along the motion, by central differences.

    Those of dv/dt follow from the samples where contacts act: what sticks has none.
    """
    step = _step(run)
    after, before = (run.shifted(dt, forces.tau_rates) for dt in (step, -step))
    second = (after.rates - before.rates) / (2.0 * step)
    if _has_contacts(run):
        return second, _slopes(run.time, run.vdot)
    return second, (after.accelerations - before.accelerations) / (2.0 * step)


def _unit(run: Trajectory, q: Any) -> Any:
    """Coordinates with quaternions brought back to unit length."""
    for start in run.system.names.quaternions:
        part = q[:, start : start + 4]
        part /= np.linalg.norm(part, axis=-1, keepdims=True)
    return q


class _Forces:
    """Generalized forces and what contacts do at other times, and rates of the former at samples.

    Between discontinuities they are smooth, and do not exceed the neighbouring samples.
    """

    def __init__(self, run: Trajectory, t: Any) -> None:
        self.tau, self.tau_rates = _monotone(run.time, run.tau, t)
        self.extra = _monotone(run.time, run.extra, t)[0]
        self.contacts = np.full((len(t), run.contacts.shape[1]), np.nan)
        is_known = np.isfinite(run.contacts).all(axis=0)  # works that steps do not tell are not
        self.contacts[:, is_known] = _monotone(run.time, run.contacts[:, is_known], t)[0]
        counts = count_columns(run.system.model)
        self.contacts[:, counts] = run.contacts[:, counts][_left(run.time, t)]


def _has_contacts(run: Trajectory) -> bool:
    return bool(working_elements(run.system.model))


def _left(known: Any, t: Any) -> Any:
    return np.searchsorted(known, t, side="right") - 1


def _parts(time: Any) -> list[Any]:
    """Samples between discontinuities."""
    return np.split(np.arange(len(time)), np.flatnonzero(np.diff(time) <= 0.0) + 1)


def _monotone(known: Any, columns: Any, t: Any) -> tuple[Any, Any]:
    """Values at other times and rates at samples: monotone cubics between discontinuities."""
    values, rates = columns[_left(known, t)].copy(), np.zeros_like(columns)
    if not np.any(columns):
        return values, rates
    from scipy.interpolate import PchipInterpolator  # noqa: PLC0415

    for part in _parts(known):
        if len(part) > 1:
            inside = (t >= known[part[0]]) & (t < known[part[-1]])
            curve = PchipInterpolator(known[part], columns[part])
            values[inside], rates[part] = curve(t[inside]), curve(known[part], 1)
    return values, rates


def _slopes(known: Any, columns: Any) -> Any:
    """Rates at the samples, by cubic splines between discontinuities."""
    from scipy.interpolate import CubicSpline  # noqa: PLC0415

    rates = np.zeros_like(columns)
    for part in _parts(known):
        if len(part) > 1:
            rates[part] = CubicSpline(known[part], columns[part])(known[part], 1)
    return rates


def _allowed(between: Trajectory, is_between: Any) -> Any:
    """Extra columns with contact forces cut to what the laws allow, between the samples."""
    extra = between.extra.copy()
    points = between.system.graph[1].contact_points
    first = extra.shape[1] - 3 * len(points)
    limits = between.answers(Mechanism.static_capacities)
    for k, x in enumerate(points):
        place = first + 3 * k
        normal, force = extra[:, place], extra[:, place + 1 : place + 3]
        extra[:, place] = normal = np.maximum(normal, 0.0)
        limit = limits[:, 2 * k : 2 * k + 2]
        limit = limit if x.leans_on is None else limit * normal[:, np.newaxis]
        part = np.linalg.norm(force / np.maximum(limit, _NONE), axis=1)
        is_more = is_between & (part > 1.0)
        force[is_more] /= part[is_more, np.newaxis]
    return extra
