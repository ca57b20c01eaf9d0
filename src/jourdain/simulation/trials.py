"""Runs with shorter and shorter steps, until they change positions no more.

Of time stepping that is chosen by itself: no tolerance is given, and time scales at the start do
not tell what comes later.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeGuard

import numpy as np

from jourdain.results import Solution
from jourdain.simulation.methods import MoreauJean, NonsmoothAlpha
from jourdain.simulation.plan import (
    CHANGES,
    SMALL,
    STILL_ANGLE,
    parts_of_step,
    step_time,
    whole_part,
)
from jourdain.simulation.sampled import Sampled
from jourdain.simulation.stepper import Stepper, Task
from jourdain.solvers import Method

_TURN = 1.0  # [rad] to which a longer travel of an angle does not count
_UNDER_WAY = ("finished", "terminal_event")


def is_refined(method: Method, task: Task) -> TypeGuard[MoreauJean | NonsmoothAlpha]:
    """Whether shorter steps are tried: not where functions of the user may count their calls."""
    is_sampled = any(isinstance(x, Sampled) for x in task.inputs.values())
    return isinstance(method, MoreauJean | NonsmoothAlpha) and not is_sampled


def refined(stepper: Stepper, first: Solution, run: Callable[[Any, str], Solution]) -> Solution:
    """Result of the last run with shorter steps; the first one where they are not asked for.

    Parameters
    ----------
    stepper : Stepper
        What made the first run.
    first : Solution
        The first run.
    run : function of (method, reason)
        Makes another one.
    """
    task, method = stepper.task, stepper.method
    if not is_refined(method, task):
        return first
    from jourdain.simulation.contact.scales import passage  # noqa: PLC0415  heavy

    solution, changes, time = first, list[float](), 0.0
    each = step_time(task.system.model, len(task.system.names.v))
    while solution.statistics.status in _UNDER_WAY:
        time += each * solution.statistics.steps
        passes = passage(task.system, solution.v) / method.dt
        parts = parts_of_step(changes, passes, each * solution.statistics.steps, time)
        if parts == 1:
            break
        method = replace(method, dt=whole_part(method.dt, method.dt / parts))
        before, solution = solution, run(method, stepper.reason)
        changes.append(_tell_change(before, solution, parts))
    return solution


def _tell_change(coarse: Solution, fine: Solution, parts: int) -> float:
    """Largest change of positions from one run to the next, which the latter then tells."""
    times, i, j = np.intersect1d(coarse.time, fine.time, return_indices=True)
    q, names = fine.q[j], fine.system.names
    travel = np.ptp(q, axis=0)
    scale = np.empty(len(travel))
    for unit in set(names.q_units):
        own = np.array([x == unit for x in names.q_units])
        scale[own] = np.maximum(travel[own], SMALL * travel[own].max())
        scale[own] = np.clip(scale[own], STILL_ANGLE, _TURN) if unit == "rad" else scale[own]
    offs = np.abs(coarse.q[i] - q)
    shares = np.max(offs / np.where(scale > 0.0, scale, np.inf), axis=1, initial=0.0)
    largest = float(shares.max(initial=0.0))
    late = np.flatnonzero(shares > CHANGES)
    fine.statistics = replace(
        fine.statistics,
        step_change=largest,
        step_ratio=parts,
        step_holds_until=float(times[late[0]]) if late.size else float("nan"),
    )
    return largest
