"""Simulation of systems with contact, impact and dry friction."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jourdain.analysis.contact.event_driven import EventDrivenRun
from jourdain.analysis.contact.methods import EventDriven, MoreauJean, NonsmoothAlpha
from jourdain.analysis.contact.nonsmooth_alpha import NonsmoothAlphaRun
from jourdain.analysis.contact.rows import Contacts
from jourdain.analysis.contact.sanity import require_known_forces
from jourdain.analysis.contact.time_stepping import TimeSteppingRun
from jourdain.analysis.sampled import Held
from jourdain.analysis.start import Span, sample_times, start_state
from jourdain.equations.parts import lead_of
from jourdain.errors import IntegrationError, ModelError
from jourdain.results import Solution, Statistics
from jourdain.solvers import REMEDY, Integrator, Status
from jourdain.system import System
from jourdain.system.modal import contact_kernels
from jourdain.system.state import StateView, quaternion_starts

Method = EventDriven | MoreauJean | NonsmoothAlpha
_STEPPED = {MoreauJean: TimeSteppingRun, NonsmoothAlpha: NonsmoothAlphaRun}
_FEW = 4  # touchings up to which events are followed by default


def choose_method(
    system: System, given: Any, span: Span, *, has_events: bool = False
) -> tuple[Method, str]:
    """Method for a system with contacts, and the reason for it."""
    n = sum(lead_of(name) is None for name in system._description.parts.touch_names)
    if given is None and n <= _FEW:
        return (
            EventDriven(),
            f"{n} place{'s' * (n > 1)} of contact or friction: from event to event",
        )
    if given is None and has_events:
        return EventDriven(), "events are to be found: from event to event"
    if given is None:
        dt = min(1e-3, (span.end - span.begin) / 100)
        return MoreauJean(
            dt, is_corrected=True
        ), f"{n} places of contact or friction: time stepping"
    if isinstance(given, Method):
        return given, "chosen by the user"
    if isinstance(given, Integrator):
        return EventDriven(given), "chosen by the user, from event to event"
    raise ModelError(
        f"integrator is {given!r:.60}; a model with contacts takes jd.EventDriven(...), "
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
    """

    def __init__(
        self,
        system: System,
        span: Span,
        inputs: Mapping[str, Any],
        events: Mapping[str, Any],
        parameters: Mapping[str, float] | None,
    ) -> None:
        self.system, self.span, self.inputs = system, span, inputs
        self.held = Held(inputs, span.begin)
        self.events = events
        self.parameters = dict(parameters or {})
        self.p = system.parameter_array(parameters)
        self.n_q = len(system.names.q)
        functions = {name: event.function for name, event in events.items()}
        self.kernels = contact_kernels(system, inputs, self.held.places, functions)
        self.contacts = Contacts(system, self.kernels, self.p)

    def _require_events_are_seen(self, method: Method) -> None:
        if self.events and not isinstance(method, EventDriven):
            names = ", ".join(repr(name) for name in self.events)
            raise ModelError(
                f"events {names}: {type(method).__name__} steps over events and does not look for "
                "them. Use integrator=jd.EventDriven(), or look through the samples."
            )

    def run(
        self, start: Any, given: Any, sample: Any, progress: Callable[[float, float], None] | None
    ) -> Solution:
        """Run to the end, and collect the results."""
        began = clock.perf_counter()
        method, reason = choose_method(self.system, given, self.span, has_events=bool(self.events))
        self._require_events_are_seen(method)
        if not isinstance(method, EventDriven):
            feeling = self.system._graph[1].feels_contacts
            require_known_forces(feeling, type(method).__name__)
        quaternions = quaternion_starts(self.system)
        y = start_state(self.system, start, quaternions, self.span.begin, self.p)
        self.system._check_inertia(y[: self.n_q], self.span.begin, self.p)
        times = sample_times(self.span, sample)
        user = [(name, float(e.direction), e.terminal) for name, e in self.events.items()]
        run: Any
        if isinstance(method, EventDriven):
            run = EventDrivenRun(
                self.contacts, self.kernels, method.integrator, quaternions, method.rest_speed, user
            )
        else:
            stepped: Any = _STEPPED[type(method)]
            run = stepped(self.contacts, self.kernels, method, quaternions)
        status, stopped = Status.FINISHED, None
        try:
            self.held.call_due(self.span.begin, self._view(y))
            run.begin(y, self.span.begin, self.held.u)
            status = self._advance(run, times, progress)
        except (IntegrationError, KeyboardInterrupt) as error:
            stopped = error
            if not run.samples.times:  # it failed at the start
                run.samples.add(run.t, run.y, run.modes, run.held)
        word = "finished" if stopped is None else "failed"
        word = "interrupted" if isinstance(stopped, KeyboardInterrupt) else word
        statistics = Statistics(
            integrator=str(method),
            reason=reason,
            wall_time=clock.perf_counter() - began,
            status="terminal_event" if run.is_over else word,
            is_complete=stopped is None and status not in REMEDY,
            t_end_wanted=self.span.end,
            contact_work=run.contact_work,
            not_unique=run.redundancy.names,
            residual=run.residual,
            **run.counts,
        )
        solution = self._solution(run, statistics)
        if isinstance(stopped, IntegrationError) or status in REMEDY:
            raise self._failure(run, status, stopped, solution) from stopped
        return solution

    def _view(self, y: Any) -> StateView:
        where = f"model {self.system.model.name!r}"
        return StateView(self.system.names, y[: self.n_q], y[self.n_q :], where)

    def _advance(self, run: Any, times: Any, progress: Any) -> Status:
        status = Status.FINISHED
        while run.t < self.span.end and not run.is_over:
            stop = self.held.next_stop(self.span.end)
            status = Status(run.advance_to(stop, times, progress))
            if status in REMEDY:
                return status
            if stop < self.span.end and self.held.call_due(run.t, self._view(run.y)):
                run.hold(self.held.u)
        return status

    def _solution(self, run: Any, statistics: Statistics) -> Solution:
        samples = run.samples
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
        extra = extra.copy()
        extra[:, extra.shape[1] - touching.shape[1] :] = touching
        state = q, v, tau, times
        vdot = self.system.answers("vdot", *state, extra=extra, parameters=self.p)
        return Solution(
            self.system, times, q, v, vdot, tau, extra,
            events=sorted(run.ledger, key=lambda event: event.time), statistics=statistics,
            inputs=self.inputs, parameters=self.parameters,
        )  # fmt: skip

    def _failure(self, run: Any, status: Any, stopped: Any, solution: Solution) -> IntegrationError:
        error = IntegrationError(
            f"model {self.system.model.name!r} stopped at t = {run.t:.9g} s of "
            f"{self.span.end:g} s: {stopped if stopped is not None else REMEDY[status]}\n"
            f"  What was computed is in error.solution ({len(solution.time)} samples)."
        )
        error.solution = solution
        return error


def _not_repeated(times: Any, rows: Any) -> Any:
    """Samples that differ from the one before in time, in state or in what is held."""
    if not len(times):
        return np.zeros(0, dtype=bool)
    same = (np.diff(times) == 0.0) & np.all(np.diff(rows, axis=0) == 0.0, axis=1)
    return np.concatenate([[True], ~same])
