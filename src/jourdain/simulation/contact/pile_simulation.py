"""Simulation of many bodies in contact: groups of contacts, stepped over."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jourdain.errors import IntegrationError, ModelError
from jourdain.results import Solution, Statistics
from jourdain.simulation.blame import fault_ahead
from jourdain.simulation.checkpoint import Past, checkpoint
from jourdain.simulation.contact.methods import MoreauJean
from jourdain.simulation.contact.pile_run import PileRun
from jourdain.simulation.contact.watch import Watch
from jourdain.simulation.sampled import Held
from jourdain.simulation.saving import Saving
from jourdain.simulation.times import Span, sample_times
from jourdain.system import System
from jourdain.system.state import StateView, forces_kernel


def pile_method(given: Any, span: Span) -> tuple[MoreauJean, str]:
    """Method for groups of contacts, and the reason for it.

    Raises
    ------
    ModelError
        If another one is asked for.
    """
    if given is None:
        dt = min(1e-3, (span.end - span.begin) / 100)
        return MoreauJean(dt), "groups of contacts: time stepping"
    if isinstance(given, MoreauJean):
        return given, "chosen by the user"
    raise ModelError(
        f"method is {given!r:.60}; a model with groups of contacts is stepped over in time: "
        "use jd.MoreauJean(dt=1e-3)."
    )


class PileSimulation:
    """One run of a system with groups of contacts.

    Parameters
    ----------
    system : System
        The compiled machine.
    span : Span
        Times.
    inputs, events, parameters
        As in `simulate`.
    past : Past
        What lies behind.
    """

    saving: Saving | None = None

    def __init__(
        self,
        system: System,
        span: Span,
        inputs: Mapping[str, Any],
        events: Mapping[str, Any],
        parameters: Mapping[str, float] | None,
        past: Past,
    ) -> None:
        self.system, self.span, self.inputs, self.past = system, span, inputs, past
        self.held = Held(inputs, span.begin)
        self.parameters = system.parameters_in_si(parameters)
        self.p = system.one_parameter_set(parameters)
        self.n_q = len(system.names.q)
        self.watch = Watch(system, events, self.held.places)

    def run(
        self, start: Any, given: Any, sample: Any, progress: Callable[[float, float], None] | None
    ) -> Solution:
        """Run to the end, and collect the results."""
        self._began = clock.perf_counter()
        method, self.reason = self._method(given)
        run = PileRun(self.system, method, self.inputs, self.held.places, self.p, self.watch)
        run.hits_times = sample is not None
        self._begin(run, start)
        times, stopped = sample_times(self.span, sample), None
        if self.saving is not None:
            look = self.saving.look
            run.look = lambda: look(lambda: self._solution(run, method, "interrupted"))
        try:
            while run.t < self.span.end and not run.is_over:
                if self.held.call_due(run.t, self._view(run)):
                    run.hold(self.held.u)
                stop = self.held.next_stop(self.span.end)
                run.advance_to(stop, times, progress, is_end=stop == self.span.end)
        except (IntegrationError, KeyboardInterrupt) as error:
            stopped = error
            run.go_back()
        word = "interrupted" if isinstance(stopped, KeyboardInterrupt) else "failed"
        over = "terminal_event" if run.is_over else "finished"
        solution = self._solution(run, method, over if stopped is None else word)
        if isinstance(stopped, IntegrationError):
            raise self._failure(run, stopped, solution) from stopped
        return solution

    def _statistics(self, run: PileRun, method: MoreauJean, status: str) -> Statistics:
        return Statistics(
            method=str(method),
            reason=self.reason,
            wall_time=clock.perf_counter() - self._began + self.past.wall_time,
            status=status,
            is_complete=status in ("finished", "terminal_event"),
            t_end_wanted=self.span.end,
            contact_work=run.work,
            residual=run.residual,
            steps=run.steps,
            evaluations=run.steps,
        )

    def _method(self, given: Any) -> tuple[MoreauJean, str]:
        if self.past.solution is None:
            return pile_method(given, self.span)
        return self.past.method(given, MoreauJean), self.past.reason

    def _begin(self, run: PileRun, start: Any) -> None:
        """Take the start, or the end of the earlier run."""
        if self.past.solution is not None:
            self.past.require("contacts", self._contacts(run))
            self.past.resume(run, self.held)
            return
        run.begin(start, self.span.begin)
        self.held.call_due(self.span.begin, self._view(run))
        run.hold(self.held.u)

    def _contacts(self, run: PileRun) -> list[str]:
        return [*self.system.model.contact_groups, *run.singles]

    def _checkpoint(self, run: PileRun, method: MoreauJean, statistics: Statistics) -> Any:
        memory = run.memory()
        if statistics.status not in ("finished", "interrupted") or not memory:
            return None
        facts = {
            "begin": self.span.begin,
            "reason": statistics.reason,
            "inputs": list(self.inputs),
            "events": self.watch.names,
            "calls": dict(self.held.calls),
            "held": self.held.u.tolist(),
            "contacts": self._contacts(run),
            "n_samples": self.past.n_samples + memory["n_samples"],
        }
        return checkpoint(method, facts, memory)

    def _view(self, run: PileRun) -> StateView:
        where = f"model {self.system.model.name!r}"
        return StateView(self.system.names, run.q, run.v, where)

    def _solution(self, run: PileRun, method: MoreauJean, status: str) -> Solution:
        """Results so far."""
        statistics = self._statistics(run, method, status)
        times, q, v, u, contacts, forces = run.samples()
        tau, extra = np.zeros_like(v), np.zeros((len(times), len(self.system.extra_names)))
        if self.inputs:
            p = np.broadcast_to(self.p, (len(times), len(self.p)))
            kernel = forces_kernel(self.system, self.inputs, self.held.places)
            tau, extra = kernel.run(q, v, u, times, p)
        extra = np.hstack([extra[:, : extra.shape[1] - forces.shape[1]], forces])
        return Solution(
            self.system, *self.past.joined((times, q, v, None, tau, extra, contacts)),
            events=run.ledger, statistics=statistics, inputs=self.inputs,
            parameters=self.parameters, checkpoint=self._checkpoint(run, method, statistics),
        )  # fmt: skip

    def _failure(
        self, run: PileRun, stopped: IntegrationError, solution: Solution
    ) -> IntegrationError:
        y = np.concatenate([run.q, run.v])
        fault = fault_ahead(self.system, self.inputs, y, np.zeros(len(y)), run.t, self.p)
        error = IntegrationError(
            f"model {self.system.model.name!r} stopped at t = {run.t:.9g} s of "
            f"{self.span.end:g} s: {fault or stopped}\n"
            f"  What was computed is in error.solution ({len(solution.time)} samples)."
        )
        error.solution = solution
        return error
