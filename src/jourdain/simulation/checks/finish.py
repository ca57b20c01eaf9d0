"""Checks that every run has to pass before it is called finished."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from jourdain.equations.mechanism import Mechanism
from jourdain.errors import IntegrationError, JourdainError
from jourdain.model.measures import Formula
from jourdain.results import Solution
from jourdain.simulation.checks.blame import drive_fault, fault_at, function_fault
from jourdain.simulation.tolerances import SAME_TIME
from jourdain.system import System
from jourdain.system.checks.faults import no_numbers


def finished(
    solution: Solution, wanted: tuple[float, float], events: Mapping[str, Any]
) -> Solution:
    """Return a solution as it is, if all its numbers are finite and no times are missing.

    Parameters
    ----------
    solution : Solution
        What a run has found.
    wanted : (float, float) [s]
        First and last time that were asked for.
    events : mapping
        Functions of the events by name.

    Raises
    ------
    IntegrationError
        If not; the text names the element and the time, ``error.solution`` ends before it.
    """
    found = _first_fault(solution, events)
    if found is not None:
        raise _stopped(solution, *found)
    if solution.statistics.status == "finished":
        allowed = SAME_TIME * (wanted[1] - wanted[0])
        ends = (solution.time[0], solution.time[-1]) if len(solution.time) else (np.nan, np.nan)
        if not max(abs(a - b) for a, b in zip(ends, wanted, strict=True)) <= allowed:
            raise _stopped(solution, len(solution.time), IntegrationError(
                f"its samples reach from {ends[0]:g} s to {ends[1]:g} s instead of {wanted[0]:g} s "
                f"to {wanted[1]:g} s. Take a smaller step."
            ))  # fmt: skip
    return solution


@np.errstate(all="ignore")
def _first_fault(solution: Solution, events: Mapping[str, Any]) -> tuple[int, JourdainError] | None:
    """Number of the first sample that has something that is not finite, and the reason."""
    system, time = solution.system, solution.time
    p = system.parameter_array(solution.parameters)
    faults: list[tuple[int, JourdainError] | None] = [
        drive_fault(system, time, p),
        function_fault(system, events, "event", solution.q, solution.v, time, p),
    ]
    columns = [solution.q, solution.v, solution.tau, solution.extra]
    columns += [solution.vdot] if "vdot" in vars(solution) else []  # else nobody asks for it yet
    columns += [_measured(solution)] if _has_formulas(system) else []
    wrong = [~are.all(axis=1) for are in map(np.isfinite, columns) if not are.all()]
    if wrong:
        k = min(int(np.argmax(rows)) for rows in wrong)
        q, v, t = solution.q[k], solution.v[k], float(time[k])
        reason = fault_at(system, solution.inputs, q, v, t, p) or no_numbers(
            system.mechanism, q, v, t, p
        )
        faults.append((k, reason))
    told = [fault for fault in faults if fault is not None]
    return min(told, key=lambda fault: fault[0]) if told else None


def _has_formulas(system: System) -> bool:
    return any(isinstance(c.measure, Formula) for c in system.model.connections.values())


def _measured(solution: Solution) -> Any:
    return solution.trajectory.answers(Mechanism.measured)


def _stopped(solution: Solution, n: int, reason: JourdainError) -> IntegrationError:
    """Error of a run that is good for its first n samples only."""
    system, before = solution.system, cut_off(solution, n)
    reached = before.time[-1] if len(before.time) else solution.time[0]
    error = IntegrationError(
        f"model {system.model.name!r} stopped at t = {reached:.9g} s of "
        f"{solution.statistics.t_end_wanted:g} s: {reason}\n"
        f"  What was computed is in error.solution ({len(before.time)} samples)."
    )
    error.solution = before
    return error


def cut_off(solution: Solution, n: int) -> Solution:
    """Solution of the first n samples, marked as failed."""
    x = solution
    columns = (x.time, x.q, x.v, x.vdot, x.tau, x.extra, x.contacts)
    end = x.time[n - 1] if n else -np.inf
    return Solution(
        x.system, *(column[:n] for column in columns),
        events=[event for event in x.events if event.time <= end],
        statistics=replace(x.statistics, status="failed", is_complete=False),
        inputs=x.inputs, parameters=x.parameters,
    )  # fmt: skip
