"""The loop from start to solution, the same for all methods."""

from __future__ import annotations

import time as clock
from typing import Any

import numpy as np

from jourdain.errors import IntegrationError
from jourdain.results import Solution, Statistics
from jourdain.simulation.checkpoint import checkpoint
from jourdain.simulation.interruption import Progress
from jourdain.simulation.saving import Saving
from jourdain.simulation.stepper import Stepper
from jourdain.solvers import REMEDY, Status
from jourdain.system.user_functions import StateView

_RESUMABLE = ("finished", "interrupted")


class Driver:
    """One run: start, samples, sampled inputs, Ctrl-C, checkpoint, saving, failure.

    Parameters
    ----------
    stepper : Stepper
        What moves the system; see its rules.
    saving : Saving, optional
        File to which the run is saved as it goes.
    """

    def __init__(self, stepper: Stepper, saving: Saving | None = None) -> None:
        self.stepper, self.task, self._saving = stepper, stepper.task, saving

    def run(self, y: Any, progress: Progress) -> Solution:
        """Run from the state y, or from the end of the earlier run, and collect the results.

        Raises
        ------
        IntegrationError
            If the run cannot go on; ``error.solution`` holds what has been computed.
        """
        self._began = clock.perf_counter()
        stepper, saving = self.stepper, self._saving
        if saving is not None:
            stepper.look = lambda: saving.look(
                lambda: self._solution(stepper.snapshot(), "interrupted")[0]
            )
        status, stopped, is_under_way = Status.FINISHED, None, False
        try:
            self._begin(y)
            is_under_way = True
            status = self._advance(progress)
        except (Exception, KeyboardInterrupt) as error:
            is_refused = not isinstance(error, IntegrationError | KeyboardInterrupt)
            if not stepper.has_begun or (is_refused and not is_under_way):
                raise
            if is_refused and stepper.t <= self.task.span.now:
                raise
            stopped = error
            stepper.roll_back()
        word = status.name.lower() if stopped is None else "failed"
        word = "interrupted" if isinstance(stopped, KeyboardInterrupt) else word
        solution, fault = self._solution(stepper, word)
        if word == "failed" or status in REMEDY:
            raise self._failure(stepper.explain(status, stopped), solution) from stopped
        if fault:
            raise self._failure(fault, solution)
        return solution

    def _begin(self, y: Any) -> None:
        """Take the start, or the end of the earlier run."""
        task, stepper, sampled = self.task, self.stepper, self.task.sampled
        past, begin = task.past, task.span.begin
        if past.solution is None:
            sampled.call_due(begin, self._view(y))
            stepper.begin(y, begin, sampled.u)
            return
        sampled.resume(past.record, past.t)
        stepper.resume(past.record, sampled.u, past.events)

    def _advance(self, progress: Progress) -> Status:
        """Advance to the end; stop where sampled inputs are due."""
        stepper, sampled, end = self.stepper, self.task.sampled, self.task.span.end
        status = Status.FINISHED
        while stepper.t < end and status == Status.FINISHED:
            sampled.call_due(stepper.t, self._view(stepper.y))
            if not np.array_equal(stepper.held, sampled.u):  # what stays is no reason to stop
                stepper.hold(sampled.u)
            stop = sampled.next_stop(end)
            status = stepper.advance_to(stop, progress, stop == end)
            if stop != end:
                stepper.look()
        return status

    def _view(self, y: Any) -> StateView:
        system, n = self.task.system, self.task.n_q
        return StateView(system.names, y[:n], y[n:], f"model {system.model.name!r}")

    def _solution(self, stepper: Stepper, status: str) -> tuple[Solution, str]:
        """Results so far, and what is wrong with them."""
        task, memory = self.task, {}
        if status in _RESUMABLE:
            if not np.array_equal(stepper.held, task.sampled.u):
                stepper.hold(task.sampled.u)  # interrupted between the call and its effect
            memory = stepper.memory()
        found = stepper.results(status)
        statistics = Statistics(
            method=str(stepper.method),
            reason=stepper.reason,
            status=status,
            is_complete=status in ("finished", "terminal_event"),
            t_end_wanted=task.span.end,
            wall_time=clock.perf_counter() - self._began + task.past.wall_time,
            **found.statistics,
        )
        solution = Solution(
            task.system, *found.columns, events=found.events, statistics=statistics,
            inputs=task.inputs, parameters=task.system.parameters_in_si(task.parameters),
            checkpoint=self._checkpoint(stepper, memory, found.numbers) if memory else None,
        )  # fmt: skip
        return solution, found.fault

    def _checkpoint(self, stepper: Stepper, memory: dict[str, Any], numbers: Any) -> Any:
        """Checkpoint to go on from; ``numbers`` are those of the samples in the new rows."""
        task = self.task
        facts = {
            "begin": task.span.begin,
            "reason": stepper.reason,
            "inputs": list(task.inputs),
            "events": list(task.events),
            "calls": dict(task.sampled.calls),
            "held": task.sampled.u.tolist(),
            "histories": {name: x.memory() for name, x in task.sampled.histories.items()},
            **stepper.facts(),
            "n_samples": task.past.n_samples + int(np.sum(numbers < memory["n_samples"])),
        }
        return checkpoint(stepper.method, facts, memory)

    def _failure(self, reason: str, solution: Solution) -> IntegrationError:
        error = IntegrationError(
            f"model {self.task.system.model.name!r} stopped at t = {self.stepper.t:.9g} s of "
            f"{self.task.span.end:g} s: {reason}\n"
            f"  What was computed is in error.solution ({len(solution.time)} samples)."
        )
        error.solution = solution
        return error
