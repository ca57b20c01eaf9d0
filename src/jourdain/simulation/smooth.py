"""Simulation of systems without contacts: one run of an integrator."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any

import numpy as np

from jourdain.errors import IntegrationError, JourdainError, ModelError
from jourdain.results import Event as FoundEvent
from jourdain.results import Solution, Statistics
from jourdain.simulation.blame import fault_ahead
from jourdain.simulation.checkpoint import Past, take
from jourdain.simulation.choice import choose_integrator
from jourdain.simulation.chunks import advance_in_chunks
from jourdain.simulation.limits import require_accelerations
from jourdain.simulation.sampled import Held
from jourdain.simulation.saving import Saving
from jourdain.simulation.times import Span, sample_times
from jourdain.simulation.trust import require_balance
from jourdain.solvers import REMEDY, Integrator, Partition, Problem, Run, Status
from jourdain.solvers.projection import OPEN
from jourdain.solvers.switches import LIVE
from jourdain.system import System
from jourdain.system.faults import lost_balance
from jourdain.system.state import (
    StateView,
    forces_kernel,
    projection_kernel,
    quaternion_starts,
)
from jourdain.system.switching import Switching, switching

_LOOSE = 1e-3  # ratio of stiffnesses of a node next to which it is about to snap


class SmoothSimulation:
    """One run: kernels of the inputs and events, and the loop over chunks."""

    partition: Partition | None = None
    saving: Saving | None = None
    explain: Callable[..., str]  # why a run stopped and what to do, from run, status, system, …

    def __init__(
        self,
        system: System,
        span: Span,
        inputs: Mapping[str, Any],
        events: Mapping[str, Any],
        parameters: Any,
        past: Past,
    ) -> None:
        self.system, self.span, self.past = system, span, past
        self.inputs = inputs
        self.held = Held(inputs, span.begin)
        self.events = events
        self.parameters = system.parameters_in_si(parameters)
        self.p = system.one_parameter_set(parameters)
        self.n_q = len(system.names.q)

    def run(self, start: Any, method: Any, sample: Any, progress: Any) -> Solution:
        """Run to the end, and collect the results."""
        self._began = clock.perf_counter()
        if method is not None and not isinstance(method, Integrator):
            raise ModelError(
                f"method is {method!r:.60}; give an object such as jd.Dop853(rtol=1e-9)."
            )
        quaternions = quaternion_starts(self.system)
        y = start if self.past.solution is None else self.past.state(self.system, self.held)
        problem = self._problem(quaternions)
        times = sample_times(self.span, sample)
        self._doubles = np.ndim(sample) == 0
        if self._doubles:
            times = self.held.aligned(times)
            if self.past.ends_in_sample and self.held.due(self.span.now):
                times = np.append(self.span.now, times)  # stopped there, before the jump
        if self.past.solution is None:
            self._check_start(problem, y)
            self.held.call_due(self.span.begin, self._view(y))
            problem.u[: len(self.held.u)] = self.held.u
            reason = "chosen by the user"
            if method is None:
                method, reason = choose_integrator(problem, y, (self.span.begin, self.span.end))
        else:
            method, reason = self.past.method(method), self.past.reason
        run = method.start(problem, y, self.span.now, self.span.end, times)
        if self.past.solution is not None:
            run.restore(self.past.record)
        self._u_of_samples = np.zeros((len(times), len(self.held.u)))
        self._u_before: dict[int, Any] = {}  # held inputs before a jump, by the number of a sample
        self._settings = problem, method, reason
        status, stopped = self._advance(run, progress)
        interrupted = isinstance(stopped, KeyboardInterrupt)
        word = status.name.lower() if stopped is None else ("failed", "interrupted")[interrupted]
        solution = self._solution(run, word)
        is_open = stopped is None and not run.constraint_error <= OPEN
        if status in REMEDY or (stopped is not None and not interrupted) or is_open:
            raise self._failure(run, problem, status, stopped, solution, method) from stopped
        if self.system.has_constraints and word == "finished":
            require_balance(solution, method)
        return solution

    def _facts(self, reason: str) -> dict[str, Any]:
        return {
            "begin": self.span.begin,
            "reason": reason,
            "inputs": list(self.inputs),
            "events": list(self.events),
            "calls": dict(self.held.calls),
            "held": self.held.u.tolist(),
            "constraints": "projection" if self.partition is None else "partition",
            "keep": self.partition and self.partition.keep,
        }

    def _problem(self, quaternions: list[int]) -> Problem:
        functions = {name: event.function for name, event in self.events.items()}
        equation = self.equation
        return Problem(
            equation.rates.with_parameters(self.p),
            equation.watched(functions, self.p),
            [float(e.direction) for e in self.events.values()],
            [e.terminal for e in self.events.values()],
            quaternions,
            self._with_modes(self.held.u),
            self.p,
            lambda: equation.tangent.with_parameters(self.p),
            *self._closure(self.held.places),
            self.system.names.units,
            equation.modes(self.p),
        )

    @cached_property
    def equation(self) -> Switching:
        """State equation with given inputs."""
        return switching(self.system, self.inputs, self.held.places)

    def _with_modes(self, u: Any) -> Any:
        """Held inputs with modes of kinks behind them that let laws decide by themselves."""
        u = np.asarray(u)
        return np.concatenate([u, np.full((*u.shape[:-1], self.equation.n), LIVE)], axis=-1)

    def _closure(self, places: Mapping[str, int]) -> tuple[Any, Partition | None]:
        """Kernel that keeps the constraints, and the partition it serves."""
        if not self.system.is_corrected:
            return None, None
        if self.partition is None:
            kernel = projection_kernel(self.system, self.inputs, places)
            return kernel.with_parameters(self.p), None
        return self.system.partition_kernel(len(places)), self.partition

    def _view(self, y: Any) -> StateView:
        where = f"model {self.system.model.name!r}"
        return StateView(self.system.names, y[: self.n_q], y[self.n_q :], where)

    def _check_start(self, problem: Problem, y: Any) -> None:
        """Let a coordinate without inertia raise its own error before anything runs."""
        q, v, t = y[: self.n_q], y[self.n_q :], self.span.begin
        self.system._check_inertia(q, t, self.p)
        _, vdot = problem.rates.run(q, v, problem.u, t, self.p)
        if not np.all(np.isfinite(vdot)):
            self.system.forward_dynamics(q, v, t=t, parameters=self.p)
        require_accelerations(self.system.names.v, vdot)

    def _advance(self, run: Run, progress: Any) -> tuple[Status, BaseException | None]:
        """Advance to the end; return the status, and what has stopped it from outside."""
        status, since = Status.PAUSED, run.t
        try:
            while True:
                since = run.t
                if self.held.call_due(since, self._view(run.y)):
                    run.hold(self.held.u)
                stop = self.held.next_stop(self.span.end)
                run.continue_to(stop, is_end=stop == self.span.end)
                status = advance_in_chunks(run, progress, partial(self._look, run, since))
                self._note_held(run, since)
                if status != Status.FINISHED or stop == self.span.end:
                    return status, None
                self._look(run, since)
        except (Exception, KeyboardInterrupt) as error:
            self._note_held(run, since)
            return Status.PAUSED, error

    def _look(self, run: Run, since: float) -> None:
        """Save what has been computed, if it is time."""
        if self.saving is not None:
            self._note_held(run, since)
            self.saving.look(lambda: self._solution(run, "interrupted"))

    def _note_held(self, run: Run, since: float) -> None:
        """Keep the held inputs of the samples from a time on; at a call, before and after it."""
        first, u = int(np.searchsorted(run.times, since)), self.held.u
        is_call = self._doubles and since > self.span.now
        if is_call and first < run.n_samples_done and run.times[first] == since:
            before = self._u_of_samples[first]
            if not np.array_equal(before, u):
                self._u_before[first] = before.copy()
        self._u_of_samples[first : run.n_samples_done] = u

    def _solution(self, run: Run, status: str) -> Solution:
        """Results so far."""
        problem, method, reason = self._settings
        statistics = Statistics(
            method=str(method), reason=reason, status=status, t_end_wanted=self.span.end,
            wall_time=clock.perf_counter() - self._began + self.past.wall_time,
            is_complete=status in ("finished", "terminal_event"),
            partition_changes=run.partition_changes,
            unwatched_kinks=self.equation.n_found - self.equation.n, **run.counts,
        )  # fmt: skip
        checkpoint, can_go_on = None, status in ("finished", "interrupted")
        if can_go_on and run.is_resumable:
            if not np.array_equal(run.u[: len(self.held.u)], self.held.u):
                run.hold(self.held.u)  # interrupted between the call and its effect
            checkpoint = take(run, self.past, method, self._facts(reason), doubled=self._u_before)
        n, earlier, kept = run.n_samples_done, self.past.solution, self.past.n_samples
        twice = list(self._u_before)
        times, samples = (np.insert(x[:n], twice, x[twice], 0) for x in (run.times, run.samples))
        u = np.insert(self._u_of_samples[:n], twice, [*self._u_before.values()] or 0.0, 0)
        last = times[-1] if n else earlier.time[kept - 1] if earlier and kept else -np.inf
        if statistics.status != "finished" and last < run.t:  # the last good state
            times, samples = np.append(times, run.t), np.vstack([samples, run.y])
            u = np.vstack([u, self.held.u])
        q, v = samples[:, : self.n_q], samples[:, self.n_q :]
        columns = self.past.joined((times, q, v, *self._forces(problem, times, q, v, u)))
        names = list(self.events)
        found = [
            FoundEvent(names[k], t, y[: self.n_q], y[self.n_q :])
            for k, t, y in sorted(run.events, key=lambda item: item[1])
        ]
        return Solution(
            self.system, *columns,
            events=(*self.past.events, *found), statistics=statistics, inputs=self.inputs,
            parameters=self.parameters, checkpoint=checkpoint,
        )  # fmt: skip

    def _forces(self, problem: Problem, times: Any, q: Any, v: Any, u: Any) -> tuple[Any, ...]:
        """Accelerations, generalized forces and extra inputs of the samples."""
        if not len(times):
            return v, v, np.zeros((0, len(self.system.extra_names)))
        p = np.broadcast_to(self.p, (len(times), len(self.p)))
        _, vdot = problem.rates.run(q, v, self._with_modes(u), times, p)
        if not self.inputs:
            return vdot, np.zeros_like(v), np.zeros((len(v), len(self.system.extra_names)))
        tau, extra = forces_kernel(self.system, self.inputs, self.held.places).run(
            q, v, u, times, p
        )
        return vdot, tau, extra

    def _fault(self, y: Any, rates: Any, t: float) -> JourdainError | None:
        """What gives no numbers at the last state, or a little ahead of it."""
        if self.system.has_connections and np.all(np.isfinite(y)):
            lost = lost_balance(self.system, y[: self.n_q], t, self.p, _LOOSE)
            if lost is not None:
                return lost
        return fault_ahead(self.system, self.inputs, y, rates, t, self.p)

    def _failure(
        self,
        run: Run,
        problem: Problem,
        status: Status,
        stopped: Any,
        solution: Solution,
        method: Any,
    ) -> IntegrationError:
        y, names = run.y, (*self.system.names.q, *self.system.names.v)
        u = self._with_modes(self.held.u)
        rates = np.concatenate(problem.rates.run(y[: self.n_q], y[self.n_q :], u, run.t, self.p))
        worst = [int(np.argmax(np.nan_to_num(np.abs(x), nan=np.inf))) for x in (y, rates)]
        told, more = stopped if str(stopped or "") else None, (status, self.system, method, self.p)
        reason = told or self._fault(y, rates, run.t) or self.explain(run, *more)
        error = IntegrationError(
            f"model {self.system.model.name!r} stopped at t = {run.t:.9g} s of "
            f"{self.span.end:g} s: {reason}\n"
            f"  Last good state: largest is {names[worst[0]]} = {y[worst[0]]:.6g}, fastest is "
            f"{names[worst[1]]}, which changes by {rates[worst[1]]:.6g} per second.\n"
            f"  What was computed is in error.solution ({len(solution.time)} samples)."
        )
        error.solution = solution
        return error
