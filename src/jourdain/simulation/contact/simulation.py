"""Stepper of systems with single contacts, impact and dry friction."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np

from jourdain.equations.mechanism import Mechanism
from jourdain.errors import ModelError
from jourdain.results import Event
from jourdain.results.channels.contact_groups import working_elements
from jourdain.simulation.checks.blame import fault_ahead
from jourdain.simulation.contact.events.event_driven import EventDrivenRun
from jourdain.simulation.contact.events.limits import loads_of_rows, unlawful
from jourdain.simulation.contact.flat_discs import (
    flat_events,
    require_no_flat_disc,
    require_tilted,
)
from jourdain.simulation.contact.parallel import parallel_rows, share_parallel
from jourdain.simulation.contact.rows import Contacts
from jourdain.simulation.contact.samples import paused
from jourdain.simulation.contact.scales import time_scales
from jourdain.simulation.contact.steps.time_stepping import TimeSteppingRun
from jourdain.simulation.contact.steps.watch import Watch
from jourdain.simulation.interruption import Progress
from jourdain.simulation.methods import EventDriven, MoreauJean, NonsmoothAlpha
from jourdain.simulation.plan import TimeScales, follows_events, method_for
from jourdain.simulation.stepper import Results, Stepper, Task
from jourdain.simulation.tolerances import SHORT
from jourdain.solvers import REMEDY, Integrator, Method, Record, Status, advice
from jourdain.system.contact.modal import contact_kernels
from jourdain.system.contact.step_kernels import step_kernels

_STEPPED = (MoreauJean, NonsmoothAlpha)


class ContactStepper(Stepper):
    """A method for single contacts at work: from event to event, or in time steps.

    Parameters
    ----------
    task : Task
        The simulation.
    method : Method or None
        How to move; None chooses by the number of contacts.
    """

    def __init__(self, task: Task, method: Any) -> None:
        self._flat = flat_events(task.system)
        self._events = {**task.events, **self._flat}  # resumed runs know those of the user
        super().__init__(task)
        if task.past.solution is not None:
            method = EventDriven(method) if isinstance(method, Integrator) else method
            self.method = task.past.method(method, EventDriven, *_STEPPED)
            self.reason = task.past.reason
            self._prepare()
        elif method is not None and task.system.model.contact_groups:
            self.method, self.reason = stepped_method(method), "chosen by the user"
            self._prepare()
        elif method is None and follows_events(task.system.model):
            self.method, self.reason = self._chosen(TimeScales())
            self._prepare()
        elif method is not None:
            self.method, self.reason = given_method(method)
            self._prepare()

    def _chosen(self, scales: TimeScales) -> tuple[Method, str]:
        span = self.task.span
        return method_for(self.task.system.model, span.end - span.begin, scales)

    def _prepare(self) -> None:
        """Make the run of the method, which has not begun."""
        task = self.task
        is_stepped = not isinstance(self.method, EventDriven)
        functions = {} if is_stepped else {k: event.function for k, event in self._events.items()}
        given = task.system, task.inputs, task.sampled.places, functions
        self.kernels = contact_kernels(*given, with_modes=not is_stepped)
        contacts = Contacts(task.system, self.kernels, task.p)
        contacts.brevity = min(1.0, (task.span.end - task.span.begin) / SHORT)
        self.run = self._made(contacts)
        self.run.hits_times = task.hits_times

    def _made(self, contacts: Contacts) -> Any:
        """Run that has not begun."""
        task, method, quaternions = self.task, self.method, self.task.system.names.quaternions
        if isinstance(method, EventDriven):
            user = [(name, float(e.direction), e.terminal) for name, e in self._events.items()]
            return EventDrivenRun(contacts, self.kernels, method, quaternions, user)
        watch = Watch(task.system, self._events, task.sampled.places)
        own = step_kernels(task.system, task.inputs, task.sampled.places)
        stepping: Any = method
        return TimeSteppingRun(contacts, self.kernels, stepping, quaternions, watch, own)

    @property
    def has_begun(self) -> bool:
        """Whether there is something to keep."""
        return hasattr(self, "run") and bool(self.run.has_begun)

    @property
    def t(self) -> float:
        """Time reached [s]."""
        return float(self.run.t)

    @property
    def y(self) -> Any:
        """State reached."""
        return self.run.y

    @property
    def held(self) -> Any:
        """Values of sampled inputs in use."""
        return self.run.held

    def begin(self, y: Any, t: float, sampled: Any) -> None:
        """Take the start."""
        self.task.system.check_inertia(y[: self.task.n_q], t, self.task.p)
        if not hasattr(self, "run"):
            self.method, self.reason = self._chosen(time_scales(self.task, y, t, sampled))
            self._prepare()
        self.run.look = self.look
        require_tilted(self.task.system, self._flat, y, t, self.task.p)
        self.run.begin(y, t, sampled)

    def resume(self, record: Record, sampled: Any, events: Iterable[Event]) -> None:
        """Go on from the memory of an earlier run, with its events."""
        past: Any = self.task.past
        past.require("contacts", self.run.contacts.names)
        self.run.look = self.look
        self.run.resume(record, sampled, events)
        self.run.redundancy.recall(past.solution.statistics.not_unique)

    def hold(self, sampled: Any) -> None:
        """Take new values of sampled inputs."""
        self.run.hold(sampled)

    def advance_to(self, t: float, progress: Progress, is_end: bool) -> Status:
        """Advance through steps and events."""
        status = Status(self.run.advance_to(t, self.task.times, progress, is_end=is_end))
        if self._flat and self.run.is_over:
            require_no_flat_disc(self._flat, self.run.ledger, self.run.t)
        return Status.TERMINAL_EVENT if self.run.is_over else status

    def roll_back(self) -> None:
        """Leave an unfinished step."""
        self.run.go_back()

    def snapshot(self) -> ContactStepper:
        """A stepper as this one would be after an interruption now."""
        twin = copy.copy(self)
        twin.run = paused(self.run)
        return twin

    def memory(self) -> dict[str, Any]:
        """Memory to go on from, or nothing."""
        found: dict[str, Any] = self.run.memory() if self.run.is_resumable else {}
        return found

    def facts(self) -> dict[str, Any]:
        """Names of the contacts."""
        return {"contacts": list(self.run.contacts.names)}

    def results(self, status: str) -> Results:
        """Samples with forces and work of the contacts."""
        run, task, system = self.run, self.task, self.task.system
        samples = run.samples
        if status != "finished":
            self._add_last()
        is_empty = not samples.times
        if is_empty:
            samples.add(run.t, run.y, run.modes, run.held, run.works)
        unsorted = np.array(samples.times)
        order = np.argsort(unsorted, kind="stable")
        times, (states, modes, held, works) = unsorted[order], samples.tables(order)
        keep = _not_repeated(times, np.hstack([states, modes, held]))
        times, states, modes, held = (x[keep] for x in (times, states, modes, held))
        q, v, u = states[:, : task.n_q], states[:, task.n_q :], np.hstack([held, modes])
        forces = run.forces(order, keep) if run.has_forces else None
        vdot, tau, extra, fault = self._loads(times, q, v, u, forces)
        ledger = sorted(run.ledger, key=lambda event: event.time)
        work = self._by_element(works[keep])
        if system.model.contact_groups:
            work = np.hstack([run.group_numbers(order, keep), work])
        given: tuple[Any, ...] = times, q, v, vdot, tau, extra, work
        new = [None if x is None else x[is_empty:] for x in given]
        *columns, work = task.past.joined(new)
        statistics = {
            "not_unique": run.redundancy.names, "residual": run.residual, **run.counts,
        }  # fmt: skip
        past: Any = task.past.solution
        deepest = [run.has_forces and run.overlap, past and past.statistics.overlap]
        statistics["overlap"] = max(filter(None, deepest), key=lambda x: x.depth, default=None)
        if work.size:
            n = len(working_elements(system.model))
            end = work.shape[1] - self.kernels.integrates_laws
            statistics["contact_work"] = float(work[-1, end - n - 1 : end - 1].sum())
        chosen = np.arange(len(times) - is_empty)
        if not task.is_spaced:
            chosen = _chosen(times[is_empty:], task.times, keeps_last=status != "finished")
        n = len(work) - len(times) + is_empty
        rows = np.concatenate([np.arange(n), n + chosen])
        numbers = order[keep][is_empty:][chosen]
        kept = [None if x is None else x[rows] for x in (*columns, work)]
        return Results(kept, numbers, ledger, statistics, fault)

    def _loads(self, times: Any, q: Any, v: Any, u: Any, forces: Any) -> tuple[Any, ...]:
        """Accelerations, forces of inputs and contacts at samples, and a law that is broken.

        ``forces`` are those of the contacts, where the run has them. Accelerations are None where
        loads of groups are known at samples only.
        """
        run, system, p, fault = self.run, self.task.system, self.task.p, ""
        all_p = np.broadcast_to(p, (len(times), len(p)))
        tau, extra = self.kernels.inputs.run(q, v, u, times, all_p)
        if forces is None:
            forces, _ = self.kernels.contact_forces.run(q, v, u, times, all_p)
            _, rates, bias, capacity, *response = self.kernels.rows.run(q, v, u, times, all_p)
            feeling = system.graph[1].feels_contacts  # limits that no rows know
            static = capacity
            if run.contacts.has_static:
                (static,) = self.kernels.static_capacities.run(q, v, u, times, all_p)
            W = np.abs(response[0].reshape(len(times), rates.shape[1], -1))
            terms = np.abs(rates) + np.einsum("sij,sj->si", W, np.abs(v))
            given = times, forces, rates, capacity, static
            fastest = terms.max(axis=0, initial=0.0)
            more = {"fastest": fastest, "loads": lambda: loads_of_rows(bias, *response)}
            fault = unlawful(run.contacts, *given, **more, feeling=feeling) or ""
        forces = self._shared(forces, q, v, u, times, all_p)
        extra = extra.copy()
        extra[:, extra.shape[1] - forces.shape[1] :] = forces + 0.0  # no −0.0
        if system.model.contact_groups:
            return None, tau, extra, fault
        vdot = system.answers(Mechanism.vdot, q, v, tau, times, extra=extra, parameters=p)
        if run.has_forces:
            vdot = _mean_where_unknown(times, v, vdot)
        return vdot, tau, extra, fault

    def _shared(self, forces: Any, *state: Any) -> Any:
        """Forces of contacts at samples, those of parallel dry friction by one rule."""
        run = self.run
        rows = parallel_rows(run.contacts, run.redundancy.names)
        if len(rows) < 2:
            return forces
        found = self.kernels.rows.run(*state)
        static = found[3]
        if run.contacts.has_static:
            (static,) = self.kernels.static_capacities.run(*state)
        return share_parallel(rows, forces, found, static)

    def _by_element(self, works: Any) -> Any:
        """Work of each element with contact or friction, of drives, and of laws [J], from rows.

        Time steps do not know that of laws.
        """
        contacts, names = self.run.contacts, working_elements(self.task.system.model)
        groups, n = self.task.system.model.contact_groups, contacts.n_rows
        places = [contacts.connections.index(name) for name in names if name not in groups]
        found = contacts.by_connection(works[:, :n])[:, places]
        end = n + len(groups) + 1
        columns = [found, works[:, n:end]] if names else [found]
        if self.kernels.integrates_laws:
            columns.append(
                works[:, end:] if works.shape[1] > end else np.full((len(works), 1), np.nan)
            )
        return np.hstack(columns)

    def _add_last(self) -> None:
        """Add the last good state to the samples, if it is not there."""
        run, kept, earlier = self.run, self.task.past.n_samples, self.task.past.solution
        last = earlier.time[kept - 1] if earlier is not None and kept else -np.inf
        if max([last, *run.samples.times[-1:]]) < run.t:
            run.samples.add(run.t, run.y, run.modes, run.held, run.works)

    def explain(self, status: Status, stopped: BaseException | None) -> str:
        """What gives NaN ahead, or the reason of the run itself."""
        run, method = self.run, self.method
        own = method.integrator if isinstance(method, EventDriven) else method
        reason = str(stopped) if stopped is not None else advice(status, own)
        if stopped is None or reason in REMEDY.values():
            system, p, (q, v) = self.task.system, self.task.p, np.split(run.y, [run.n_q])
            moving = system.coordinate_rates(q, v, run.t, parameters=p)
            rates = np.concatenate([moving, np.zeros(len(v))])
            reason = str(fault_ahead(system, self.task.inputs, run.y, rates, run.t, p) or reason)
        return reason


def stepped_method(method: Any) -> MoreauJean:
    """Method for groups of contacts that the user has chosen.

    Raises
    ------
    ModelError
        If it is another one than time stepping.
    """
    if isinstance(method, MoreauJean):
        return method
    raise ModelError(
        f"method is {method!r:.60}; a model with groups of contacts is stepped over in time: "
        "use jd.MoreauJean(dt=1e-3)."
    )


def given_method(method: Any) -> tuple[Method, str]:
    """Method for a system with contacts that the user has chosen, and the reason for it."""
    if isinstance(method, Integrator):
        return EventDriven(method), "chosen by the user, from event to event"
    if isinstance(method, Method):
        return method, "chosen by the user"
    raise ModelError(
        f"method is {method!r:.60}; a model with contacts takes jd.EventDriven(...), "
        "jd.MoreauJean(dt=1e-3), jd.NonsmoothAlpha(dt=1e-3), or an integrator for the phases "
        "between events."
    )


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
