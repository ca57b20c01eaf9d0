"""Stepper of systems without contacts: one run of an integrator."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.errors import JourdainError, ModelError
from jourdain.results import Event
from jourdain.results.channels.contact_groups import columns_of_contacts
from jourdain.simulation.checks.blame import fault_ahead
from jourdain.simulation.checks.limits import require_accelerations
from jourdain.simulation.choice import choose_integrator
from jourdain.simulation.chunks import advance_in_chunks
from jourdain.simulation.interruption import Progress
from jourdain.simulation.stepper import Results, Stepper, Task
from jourdain.solvers import Integrator, Partition, Problem, Record, Run, Status
from jourdain.solvers.switches import LIVE
from jourdain.system.checks.faults import lost_balance
from jourdain.system.contact.switching import Switching, switching
from jourdain.system.held_inputs import Places
from jourdain.system.state import forces_kernel, lasting_power_kernel, projection_kernel

_LOOSE = 1e-3  # ratio of stiffnesses of a node next to which it is about to snap


class SmoothStepper(Stepper):
    """An integrator at work.

    Parameters
    ----------
    task : Task
        The simulation.
    method : Integrator or None
        How to integrate; None chooses by the eigenvalues at the start.
    partition : Partition or None
        How constraints are kept, if not by projection.
    advice : function of (run, status, system, method, p)
        Sentence that says why a run stopped and what to do.
    """

    def __init__(
        self, task: Task, method: Any, partition: Partition | None, advice: Callable[..., str]
    ) -> None:
        super().__init__(task)
        if method is not None and not isinstance(method, Integrator):
            raise ModelError(
                f"method is {method!r:.60}; give an object such as jd.Dop853(rtol=1e-9)."
            )
        self._given, self._partition, self._advice = method, partition, advice
        self._quaternions = task.system.names.quaternions
        self._before: dict[int, Any] = {}  # sampled inputs before a jump, by number of the sample

    run: Run

    @property
    def has_begun(self) -> bool:
        """Whether there is something to keep."""
        return hasattr(self, "run")

    @property
    def t(self) -> float:
        """Time reached [s]."""
        return self.run.t

    @property
    def y(self) -> Any:
        """State reached."""
        return self.run.y

    @property
    def held(self) -> Any:
        """Values of sampled inputs in use."""
        return self.run.u[: len(self.task.sampled.u)]

    def begin(self, y: Any, t: float, sampled: Any) -> None:
        """Take the start."""
        problem = self._problem
        self._check_start(problem, y, t)
        problem.u[: len(sampled)] = sampled
        if self._given is None:
            self.method, self.reason = choose_integrator(problem, y, (t, self.task.span.end))
        else:
            self.method = self._given
        self._start(y)

    def resume(self, record: Record, sampled: Any, events: Iterable[Event]) -> None:
        """Go on from the memory of an earlier run."""
        past, names = self.task.past, self.task.system.names
        self.method, self.reason = past.method(self._given), past.reason
        self._start(record.array("y", len(names.q) + len(names.v)))
        self.run.restore(record)

    def _start(self, y: Any) -> None:
        task, times = self.task, self.task.times
        span, sampled, past = task.span, task.sampled, task.past
        if task.is_spaced:
            times = sampled.aligned(times)
            if past.ends_in_sample and sampled.due(span.now):
                times = np.append(span.now, times)  # stopped there, before the jump
        method: Any = self.method
        self.run = method.start(self._problem, y, span.now, span.end, times)
        self._since = span.now  # since when the present values of sampled inputs hold
        self._u_of_samples = np.zeros((len(times), len(sampled.u)))

    def hold(self, sampled: Any) -> None:
        """Take new values of sampled inputs."""
        self._note_inputs()
        self._since = self.run.t
        self.run.hold(sampled)

    def advance_to(self, t: float, progress: Progress, is_end: bool) -> Status:
        """Advance in chunks of steps."""
        self.run.continue_to(t, is_end=is_end)
        return advance_in_chunks(self.run, progress, self.look)

    def roll_back(self) -> None:
        """Nothing: steps are whole or not taken."""

    def memory(self) -> dict[str, Any]:
        """Memory before the step that the end cut short, or where the run is."""
        if not self.run.is_resumable:
            return {}
        memory = self.run.mark or self.run.memory()
        counts = {
            "n_samples": memory.n_samples,
            "n_events": len(self.task.past.events) + memory.n_events,
        }
        return {**memory.contents, **counts}

    def facts(self) -> dict[str, Any]:
        """How constraints are kept."""
        partition = self._partition
        return {
            "constraints": "projection" if partition is None else "partition",
            "keep": partition and partition.keep,
        }

    def results(self, status: str) -> Results:
        """Samples, accelerations and forces."""
        run, task = self.run, self.task
        self._note_inputs()
        n, earlier, kept = run.n_samples_done, task.past.solution, task.past.n_samples
        numbers, u = np.arange(n), self._u_of_samples[:n]
        times, samples, works = run.times[:n], run.samples[:n], run.integrals.samples[:n]
        if twice := list(self._before):
            numbers = np.insert(numbers, twice, twice)
            times, samples, works = times[numbers], samples[numbers], works[numbers]
            u = np.insert(u, twice, list(self._before.values()), 0)
        last = times[-1] if n else earlier.time[kept - 1] if earlier and kept else -np.inf
        if status != "finished" and last < run.t:  # the last good state
            times, samples = np.append(times, run.t), np.vstack([samples, run.y])
            u, numbers = np.vstack([u, self.held]), np.append(numbers, n)
            works = np.vstack([works, run.integrals.now])
        q, v = map(np.ascontiguousarray, np.split(samples, [task.n_q], axis=1))
        works = self._columns_of_work(works)
        columns = task.past.joined((times, q, v, *self._forces(times, q, v, u), works))
        names = list(task.events)
        found = [
            Event(names[k], t, y[: task.n_q], y[task.n_q :])
            for k, t, y in sorted(run.events, key=lambda item: item[1])
        ]
        statistics = {
            "partition_changes": run.partition_changes,
            "unwatched_kinks": self._equation.n_found - self._equation.n, **run.counts,
        }  # fmt: skip
        return Results(columns, numbers, (*task.past.events, *found), statistics)

    def explain(self, status: Status, stopped: BaseException | None) -> str:
        """Reason, and the last good state."""
        run, task, p = self.run, self.task, self.task.p
        y, names = run.y, (*task.system.names.q, *task.system.names.v)
        q, v, u = y[: task.n_q], y[task.n_q :], self._with_modes(task.sampled.u)
        rates = np.concatenate(self._problem.rates.run(q, v, u, run.t, p))
        worst = [int(np.argmax(np.nan_to_num(np.abs(x), nan=np.inf))) for x in (y, rates)]
        more = status, task.system, self.method, p
        reason = str(stopped or "") or self._fault(y, rates) or self._advice(run, *more)
        return (
            f"{reason}\n"
            f"  Last good state: largest is {names[worst[0]]} = {y[worst[0]]:.6g}, fastest is "
            f"{names[worst[1]]}, which changes by {rates[worst[1]]:.6g} per second."
        )

    # -- equations --------------------------------------------------------------------------------

    @cached_property
    def _problem(self) -> Problem:
        task, equation = self.task, self._equation
        kernel = lasting_power_kernel(task.system, task.inputs, task.sampled.places)
        functions = {name: event.function for name, event in task.events.items()}
        return Problem(
            equation.rates.with_parameters(task.p),
            equation.watched(functions, task.p),
            [float(e.direction) for e in task.events.values()],
            [e.terminal for e in task.events.values()],
            self._quaternions,
            self._with_modes(task.sampled.u),
            task.p,
            lambda: equation.tangent.with_parameters(task.p),
            *self._closure(task.sampled.places),
            task.system.names.units,
            equation.modes(task.p),
            integrands=None if kernel is None else kernel.with_parameters(task.p),
            integrals=np.zeros(int(kernel is not None)),
        )

    @cached_property
    def _equation(self) -> Switching:
        """State equation with given inputs."""
        return switching(self.task.system, self.task.inputs, self.task.sampled.places)

    def _with_modes(self, u: Any) -> Any:
        """Sampled inputs with modes of kinks behind them that let laws decide by themselves."""
        u = np.asarray(u)
        return np.concatenate([u, np.full((*u.shape[:-1], self._equation.n), LIVE)], axis=-1)

    def _closure(self, places: Places) -> tuple[Any, Partition | None]:
        """Kernel that keeps the constraints, and the partition it serves."""
        system = self.task.system
        if not system.is_corrected:
            return None, None
        if self._partition is None:
            kernel = projection_kernel(system, self.task.inputs, places)
            return kernel.with_parameters(self.task.p), None
        return system.partition_kernel(len(places)), self._partition

    def _check_start(self, problem: Problem, y: Any, t: float) -> None:
        """Let a coordinate without inertia raise its own error before anything runs."""
        system, p, n = self.task.system, self.task.p, self.task.n_q
        system.check_inertia(y[:n], t, p)
        _, vdot = problem.rates.run(y[:n], y[n:], problem.u, t, p)
        if not np.all(np.isfinite(vdot)):
            system.forward_dynamics(y[:n], y[n:], t=t, parameters=p)
        require_accelerations(system.names.v, vdot)

    def _columns_of_work(self, works: Any) -> Any:
        """Work of laws at samples, where the model wants it, in the place of contacts."""
        given = works if works.shape[1] else None
        return columns_of_contacts(given, self.task.system, len(works))

    def _note_inputs(self) -> None:
        """Keep the sampled inputs of the samples since they hold; at a call, before and after."""
        run, since, u = self.run, self._since, self.held
        first = int(np.searchsorted(run.times, since))
        is_call = self.task.is_spaced and since > self.task.span.now
        if is_call and first < run.n_samples_done and run.times[first] == since:
            before = self._u_of_samples[first]
            if not np.array_equal(before, u):
                self._before[first] = before.copy()
        self._u_of_samples[first : run.n_samples_done] = u

    def _forces(self, times: Any, q: Any, v: Any, u: Any) -> tuple[Any, ...]:
        """Accelerations, generalized forces and extra inputs of the samples."""
        system, inputs = self.task.system, self.task.inputs
        if not len(times):
            return v, v, np.zeros((0, len(system.extra_names)))
        p = np.broadcast_to(self.task.p, (len(times), len(self.task.p)))
        _, vdot = self._problem.rates.run(q, v, self._with_modes(u), times, p)
        if not inputs:
            return vdot, np.zeros(v.shape), np.zeros((len(v), len(system.extra_names)))
        kernel = forces_kernel(system, inputs, self.task.sampled.places)
        tau, extra = kernel.run(q, v, u, times, p)
        return vdot, tau, extra

    def _fault(self, y: Any, rates: Any) -> JourdainError | None:
        """What gives NaN at the last state, or a little ahead of it."""
        system, t, p = self.task.system, self.run.t, self.task.p
        if system.has_connections and np.all(np.isfinite(y)):
            lost = lost_balance(system.mechanism, y[: self.task.n_q], t, p, _LOOSE)
            if lost is not None:
                return lost
        return fault_ahead(system, self.task.inputs, y, rates, t, p)
