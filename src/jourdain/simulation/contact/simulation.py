"""Simulation of systems with contact, impact and dry friction."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from jourdain.equations.parts import lead_of
from jourdain.errors import IntegrationError, ModelError
from jourdain.results import Solution, Statistics
from jourdain.results.audit import contact_work
from jourdain.simulation.blame import fault_ahead
from jourdain.simulation.checkpoint import Past, checkpoint
from jourdain.simulation.contact.event_driven import EventDrivenRun
from jourdain.simulation.contact.limits import unlawful
from jourdain.simulation.contact.methods import EventDriven, MoreauJean, NonsmoothAlpha
from jourdain.simulation.contact.nonsmooth_alpha import NonsmoothAlphaRun
from jourdain.simulation.contact.rows import Contacts
from jourdain.simulation.contact.samples import paused
from jourdain.simulation.contact.sanity import require_known_forces
from jourdain.simulation.contact.time_stepping import TimeSteppingRun
from jourdain.simulation.contact.watch import Watch
from jourdain.simulation.sampled import Held
from jourdain.simulation.saving import Saving
from jourdain.simulation.times import Span, sample_times
from jourdain.solvers import REMEDY, Integrator, Method, Status, advice
from jourdain.system import System
from jourdain.system.modal import contact_kernels
from jourdain.system.state import StateView, quaternion_starts

_STEPPED = {MoreauJean: TimeSteppingRun, NonsmoothAlpha: NonsmoothAlphaRun}
_FEW = 4  # touchings up to which events are followed by default


def choose_method(system: System, given: Any, span: Span) -> tuple[Method, str]:
    """Method for a system with contacts, and the reason for it."""
    n = sum(lead_of(name) is None for name in system._description.parts.touch_names)
    if given is None and n <= _FEW:
        return (
            EventDriven(),
            f"{n} place{'s' * (n > 1)} of contact or friction: from event to event",
        )
    if given is None:
        dt = min(1e-3, (span.end - span.begin) / 100)
        return MoreauJean(dt), f"{n} places of contact or friction: time stepping"
    if isinstance(given, Integrator):
        return EventDriven(given), "chosen by the user, from event to event"
    if isinstance(given, Method):
        return given, "chosen by the user"
    raise ModelError(
        f"method is {given!r:.60}; a model with contacts takes jd.EventDriven(...), "
        "jd.MoreauJean(dt=1e-3), jd.NonsmoothAlpha(dt=1e-3), or an integrator for the phases "
        "between events."
    )


class ContactSimulation:
    """One run of a system with contacts.

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
        self.events = events
        self.parameters = system.parameters_in_si(parameters)
        self.p = system.one_parameter_set(parameters)
        self.n_q = len(system.names.q)
        self._unlawful: str | None = None  # sentence about a force that its law does not allow

    def _started(self, given: Any, quaternions: list[int]) -> tuple[Any, Method, str]:
        """Run that has not begun, its method and the reason for it."""
        if self.past.solution is None:
            method, reason = choose_method(self.system, given, self.span)
        else:
            given = EventDriven(given) if isinstance(given, Integrator) else given
            method = self.past.method(given, EventDriven, *_STEPPED)
            reason = self.past.reason
        is_stepped = not isinstance(method, EventDriven)
        functions = {} if is_stepped else {k: event.function for k, event in self.events.items()}
        self.kernels = contact_kernels(self.system, self.inputs, self.held.places, functions)
        contacts = Contacts(self.system, self.kernels, self.p)
        if isinstance(method, EventDriven):
            user = [(name, float(e.direction), e.terminal) for name, e in self.events.items()]
            settings = method.integrator, quaternions, method.rest_speed, user
            return EventDrivenRun(contacts, self.kernels, *settings), method, reason
        feeling = self.system._graph[1].feels_contacts
        require_known_forces(feeling, type(method).__name__)
        watch = Watch(self.system, self.events, self.held.places)
        stepped: Any = _STEPPED[type(method)]
        return stepped(contacts, self.kernels, method, quaternions, watch), method, reason

    def _begin(self, run: Any, start: Any, quaternions: list[int]) -> None:
        """Take the start, or the end of the earlier run."""
        if self.past.solution is not None:
            self.past.require("contacts", run.contacts.names)
            self.past.resume(run, self.held)
            run.redundancy.recall(self.past.solution.statistics.not_unique)
            return
        y = start
        self.system._check_inertia(y[: self.n_q], self.span.begin, self.p)
        self.held.call_due(self.span.begin, self._view(y))
        run.begin(y, self.span.begin, self.held.u)

    def run(
        self, start: Any, given: Any, sample: Any, progress: Callable[[float, float], None] | None
    ) -> Solution:
        """Run to the end, and collect the results."""
        self._began = clock.perf_counter()
        quaternions = quaternion_starts(self.system)
        run, method, self.reason = self._started(given, quaternions)
        run.hits_times = sample is not None
        times = sample_times(self.span, sample)
        self._asked = times if np.ndim(sample) else None
        if self.saving is not None:
            look = self.saving.look
            run.look = lambda: look(lambda: self._solution(paused(run), method, "interrupted"))
        status, stopped = Status.FINISHED, None
        try:
            self._begin(run, start, quaternions)
            status = self._advance(run, times, progress)
        except (IntegrationError, KeyboardInterrupt) as error:
            if not run.has_begun:
                raise
            stopped = error
            run.go_back()
        word = "finished" if stopped is None and status not in REMEDY else "failed"
        word = "interrupted" if isinstance(stopped, KeyboardInterrupt) else word
        solution = self._solution(run, method, "terminal_event" if run.is_over else word)
        if isinstance(stopped, IntegrationError) or status in REMEDY:
            raise self._failure(run, (status, method), stopped, solution) from stopped
        if self._unlawful is not None:
            raise self._failure(run, (status, method), self._unlawful, solution)
        return solution

    def _statistics(self, run: Any, method: Method, status: str) -> Statistics:
        return Statistics(
            method=str(method),
            reason=self.reason,
            wall_time=clock.perf_counter() - self._began + self.past.wall_time,
            status=status,
            is_complete=status in ("finished", "terminal_event"),
            t_end_wanted=self.span.end,
            not_unique=run.redundancy.names,
            residual=run.residual,
            **run.counts,
        )

    def _view(self, y: Any) -> StateView:
        where = f"model {self.system.model.name!r}"
        return StateView(self.system.names, y[: self.n_q], y[self.n_q :], where)

    def _advance(self, run: Any, times: Any, progress: Any) -> Status:
        status = Status.FINISHED
        while run.t < self.span.end and not run.is_over:
            if self.held.call_due(run.t, self._view(run.y)):
                run.hold(self.held.u)
            stop = self.held.next_stop(self.span.end)
            status = Status(run.advance_to(stop, times, progress, is_end=stop == self.span.end))
            if status in REMEDY:
                return status
        return status

    def _memory(self, run: Any, statistics: Statistics) -> dict[str, Any]:
        """Memory to go on from; nothing if that cannot be."""
        if statistics.status not in ("finished", "interrupted") or not run.is_resumable:
            return {}
        if not np.array_equal(run.held, self.held.u):
            run.hold(self.held.u)  # interrupted between the call and its effect
        found: dict[str, Any] = run.memory()
        return found

    def _checkpoint(self, run: Any, method: Method, reason: str, memory: Any, kept: Any) -> Any:
        """Checkpoint of a memory; ``kept`` are the numbers of the samples in the results."""
        if not memory:
            return None
        facts = {
            "begin": self.span.begin,
            "reason": reason,
            "inputs": list(self.inputs),
            "events": list(self.events),
            "calls": dict(self.held.calls),
            "held": self.held.u.tolist(),
            "contacts": list(run.contacts.names),
            "n_samples": self.past.n_samples + int(np.count_nonzero(kept < memory["n_samples"])),
        }
        return checkpoint(method, facts, memory)

    def _solution(self, run: Any, method: Method, status: str) -> Solution:
        """Results so far."""
        statistics = self._statistics(run, method, status)
        samples, memory = run.samples, self._memory(run, statistics)
        if statistics.status != "finished":
            self._add_last(run)
        is_empty = not samples.times
        if is_empty:
            samples.add(run.t, run.y, run.modes, run.held)
        order = np.argsort(np.array(samples.times), kind="stable")
        times = np.array(samples.times)[order]
        states = np.array(samples.states).reshape(len(times), -1)[order]
        modes = np.array(samples.modes).reshape(len(times), -1)[order]
        held = np.array(samples.held).reshape(len(times), -1)[order]
        keep = _not_repeated(times, np.hstack([states, modes, held]))
        times, states, modes, held = (x[keep] for x in (times, states, modes, held))
        q, v = states[:, : self.n_q], states[:, self.n_q :]
        u = np.hstack([held, modes])
        p = np.broadcast_to(self.p, (len(times), len(self.p)))
        tau, extra = self.kernels.inputs.run(q, v, u, times, p)
        if run.has_forces:
            touching = run.forces(order, keep)
        else:
            (touching,) = self.kernels.touching_forces.run(q, v, u, times, p)
            _, rates, _, capacity, *_ = self.kernels.rows.run(q, v, u, times, p)
            feeling = self.system._graph[1].feels_contacts  # limits that no rows know
            self._unlawful = unlawful(run.contacts, times, touching, rates, capacity, feeling)
        extra = extra.copy()
        extra[:, extra.shape[1] - touching.shape[1] :] = touching + 0.0  # no −0.0
        state = q, v, tau, times
        vdot = self.system.answers("vdot", *state, extra=extra, parameters=self.p)
        if run.has_forces:
            vdot = _mean_where_unknown(times, v, vdot)
        ledger = sorted(run.ledger, key=lambda event: event.time)
        work = run.works(order, keep) if run.has_forces else np.zeros(len(times))
        work = work[:, np.newaxis] if self.system.has_contacts else np.zeros((len(times), 0))
        new = [x[is_empty:] for x in (times, q, v, vdot, tau, extra, work)]
        *columns, work = self.past.joined(new)
        if not run.has_forces:
            work, error = self._work(ledger, *columns)
            statistics = replace(statistics, contact_work_error=error)
        if work.size:
            statistics = replace(statistics, contact_work=float(work[-1, 0]))
        chosen = np.arange(len(new[0]))
        if self._asked is not None:
            chosen = _chosen(new[0], self._asked, keeps_last=statistics.status != "finished")
        n = len(work) - len(new[0])
        rows = np.concatenate([np.arange(n), n + chosen])
        kept = order[keep][is_empty:][chosen]
        return Solution(
            self.system, *(x[rows] for x in (*columns, work)), events=ledger,
            statistics=statistics, inputs=self.inputs, parameters=self.parameters,
            checkpoint=self._checkpoint(run, method, statistics.reason, memory, kept),
        )  # fmt: skip

    def _work(self, ledger: Any, *columns: Any) -> tuple[Any, float]:
        """Work of the contacts [J] at all samples, from their power and impacts; its error."""
        t, q, v, _, tau, extra = columns
        state = q, v, tau, t
        powers = self.system.answers("powers", *state, extra=extra, parameters=self.p)
        work, error = contact_work(t, v, powers[:, 4], ledger)
        return work[:, np.newaxis], error

    def _add_last(self, run: Any) -> None:
        """Add the last good state to the samples, if it is not there."""
        kept, earlier = self.past.n_samples, self.past.solution
        last = earlier.time[kept - 1] if earlier is not None and kept else -np.inf
        if max([last, *run.samples.times[-1:]]) < run.t:
            run.samples.add(run.t, run.y, run.modes, run.held)

    def _failure(
        self, run: Any, by: tuple[Status, Method], stopped: Any, solution: Solution
    ) -> IntegrationError:
        status, method = by
        own = method.integrator if isinstance(method, EventDriven) else method
        reason = str(stopped) if stopped is not None else advice(status, own)
        if stopped is None or reason in REMEDY.values():
            given = self.inputs, run.y, np.zeros(len(run.y)), run.t, self.p
            reason = str(fault_ahead(self.system, *given) or reason)
        error = IntegrationError(
            f"model {self.system.model.name!r} stopped at t = {run.t:.9g} s of "
            f"{self.span.end:g} s: {reason}\n"
            f"  What was computed is in error.solution ({len(solution.time)} samples)."
        )
        error.solution = solution
        return error


def _chosen(times: Any, asked: Any, *, keeps_last: bool) -> Any:
    """Numbers of the samples at the times that were asked for; of two at a time, the later one."""
    chosen = np.searchsorted(times, asked, side="right") - 1
    is_pair = np.append(np.diff(asked) == 0.0, False)  # asked for twice: before and after
    chosen[is_pair] = np.searchsorted(times, asked[is_pair])
    chosen = chosen[times[chosen] == asked]
    last = len(times) - 1
    return np.append(chosen, last) if keeps_last and last not in chosen else chosen


def _mean_where_unknown(times: Any, v: Any, vdot: Any) -> Any:
    """Accelerations, by differences where slack contacts have no direction to push in."""
    wrong = ~np.isfinite(vdot).all(axis=1)
    if not wrong.any() or len(times) < 2 or not np.isfinite(v).all():
        return vdot
    return np.where(wrong[:, np.newaxis], np.gradient(v, times, axis=0), vdot)


def _not_repeated(times: Any, rows: Any) -> Any:
    """Samples that differ from the one before in time, in state or in what is held."""
    if not len(times):
        return np.zeros(0, dtype=bool)
    same = (np.diff(times) == 0.0) & np.all(np.diff(rows, axis=0) == 0.0, axis=1)
    return np.concatenate([[True], ~same])
