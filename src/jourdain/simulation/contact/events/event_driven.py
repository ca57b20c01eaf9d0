"""Event-driven integration: smooth phases between impacts, detachments, slips and sticks.

Each phase has fixed modes. It ends where an indicator falls through zero: the gap of an open
contact, the normal force of a closed one, the friction reserve of one that sticks, the speed of one
that slides. Then impacts are resolved, all modes are decided anew, and the next phase begins
(Pfeiffer 3.4.4.1). Rebounds slower than ``rest_speed`` count as none: where impacts accumulate
(Zeno), the rest of the sequence, which takes 2 v/(g̈ (1 − e)), is left out.
"""

from __future__ import annotations

import time as clock
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from jourdain.results import Event as Found
from jourdain.simulation.contact.events.crowding import crowdings
from jourdain.simulation.contact.events.deciding import decide_after
from jourdain.simulation.contact.events.limits import TINY, add_noise, give_slack, have_jumped
from jourdain.simulation.contact.events.locks import lock_states, moving_locks, switched
from jourdain.simulation.contact.events.modes import SLACK_N, Modes, held_rows
from jourdain.simulation.contact.events.notes import changes, fresh, impact_details, jamming
from jourdain.simulation.contact.events.phase import Phase
from jourdain.simulation.contact.events.resting import (
    approach,
    leave_their_rows,
    meets,
    parting_now,
    rests,
    shortest_rise,
    stopping,
    touching_now,
    with_freewheels,
)
from jourdain.simulation.contact.events.settling import settled
from jourdain.simulation.contact.events.stiffness import Integrators
from jourdain.simulation.contact.events.user_events import UserEvents
from jourdain.simulation.contact.impact import impact
from jourdain.simulation.contact.redundancy import Redundancy
from jourdain.simulation.contact.rows import Contacts, Rows
from jourdain.simulation.contact.samples import Samples
from jourdain.simulation.contact.sanity import require_apart, require_held, require_seen
from jourdain.simulation.methods import EventDriven
from jourdain.simulation.tolerances import APPROACHES
from jourdain.solvers import REMEDY, Problem, Record, Run, Status
from jourdain.solvers.ode import stepping as at
from jourdain.solvers.switches import LIVE
from jourdain.system.contact.kernels import ContactKernels

_STILL = 0.1  # [s] longest step while something rests, whose limits may fall and rise within it
_COUNTS = ("steps", "rejected", "evaluations", "kinks", "sliding_kinks")
_PASS, _APART = 4e-15, 1e-12  # parts of a time by which a jump is passed, and two are apart


class EventDrivenRun:
    """One simulation from event to event.

    Parameters
    ----------
    contacts : Contacts
        The contacts.
    kernels : ContactKernels
        Compiled functions.
    method : EventDriven
        Integrators of the smooth phases, and what counts as rest.
    quaternions : list of int
        Places of quaternions.
    user_events : list of (str, float, bool)
        Names, directions and terminality of the user's events.
    """

    def __init__(
        self, contacts: Contacts, kernels: ContactKernels, method: EventDriven,
        quaternions: list[int], user_events: list[tuple[str, float, bool]],
    ) -> None:  # fmt: skip
        self.contacts, self.kernels, self.integrators = contacts, kernels, Integrators(method)
        self.quaternions, self.rest_speed = quaternions, method.rest_speed
        self.n_q = len(contacts.system.names.q)
        n = 2 * len(contacts.touches)
        indicators = kernels.indicators
        self.user = UserEvents(user_events, lambda *x: indicators(*x, contacts.p)[0][n:].copy())
        self.samples, self.ledger, self.redundancy = Samples(), [], Redundancy(contacts)  # type: ignore[var-annotated]
        unwatched = kernels.watched.n_found - kernels.watched.n
        self.counts = Counter({**dict.fromkeys(_COUNTS, 0), "unwatched_kinks": unwatched})
        self.is_over = self.has_begun = False
        self.works = np.zeros(contacts.n_rows + 1 + kernels.integrates_laws)  # rows, drives, laws
        self._jump, self._way = -np.inf, _PASS  # [s], [1] last jump that was passed, and how far
        self._crowdings, self._causes = crowdings(), set[str]()
        self._sizes = np.zeros(self.n_q + len(contacts.system.names.v))  # largest values so far
        self._now = Phase()
        self._known_rows: tuple[Any, Any] = None, None
        self._mark: dict[str, Any] = {}  # memory before the first step that the end cut short

    has_forces = False  # they follow from state and mode
    is_resumable = True  # unless the integrator of the phases cannot tell its memory
    look: Callable[[], None] = staticmethod(lambda: None)  # called where it can be interrupted

    @property
    def residual(self) -> float | None:
        """Largest error of the impact equations; modes are solved to rounding or refused."""
        found = [x.details["residual"] for x in self.ledger if "residual" in x.details]
        return max(found, default=None)

    def hold(self, held: Any) -> None:
        """Take new sampled inputs; what slides and sticks is decided anew."""
        self.held, self._now = np.array(held), Phase()
        self._whole(lambda: self._after_event(self._rows()))

    def go_back(self) -> None:
        """Nothing: a phase that was left stays as far as it came."""

    def memory(self) -> dict[str, Any]:
        """Memory to go on from: before the step that the end cut short, or where the run is."""
        own = {"t": self.t, "y": self.y, "modes": self.modes.numbers.ravel(),
               "largest": self._sizes, "integrals": self.works, **self._numbers()}  # fmt: skip
        n = self.samples.without(self.t, self.y, self.modes)
        own["n_samples"], own["present"] = n, [x.tolist() for x in self.samples.held[n:]]
        return self._mark or {**own, **self._now.memory()}

    def pause(self) -> None:
        """Take what a phase that lasts has come to."""
        if self._now.run is not None:
            self._take(self._now.run, Status.PAUSED)

    def _numbers(self) -> dict[str, Any]:
        return {"counts": dict(self.counts), "n_events": len(self.ledger),
                "n_samples": len(self.samples.times),
                "is_stiff": int(self.integrators.is_stiff)}  # fmt: skip

    def resume(self, record: Record, held: Any, ledger: Iterable[Any]) -> None:
        """Go on from the memory of an earlier run, with its events."""
        n = self.n_q + len(self.contacts.system.names.v)
        self.t, self.y, self.held = record.number("t"), record.array("y", n), np.array(held)
        self.modes = Modes.of(record, len(self.contacts.touches))
        self._sizes = record.array("largest", n, 0.0)
        self.integrators.is_stiff = record.flag("is_stiff")
        self.works = record.array("integrals", len(self.works))
        self.counts, self.ledger = Counter(record.counts("counts", self.counts)), list(ledger)
        self.has_begun, self._now = True, Phase(record if "integration" in record else None)
        for sampled in record.table("present", len(self.held)):
            self.samples.add(self.t, self.y, self.modes, sampled, self.works)

    # -- start ------------------------------------------------------------------------------------

    def begin(self, y: Any, t: float, held: Any) -> None:
        """Take the start: closed contacts, an impact if there is one, modes."""
        self.t, self.y, self.held, self.has_begun = t, np.array(y), np.array(held), True
        self.y[: self.n_q] = self.contacts.following.found(self.y[: self.n_q], t)
        self.modes = Modes.open(len(self.contacts.touches))
        rows = self._rows()
        require_apart(self.contacts.touches, rows.gaps)
        self._whole(lambda: self._after_event(rows))

    def _u(self) -> Any:
        return np.concatenate([self.held, self.modes.numbers.ravel()])

    @property
    def _place(self) -> tuple[Any, Any, Any, float]:
        return self.y[: self.n_q], self.y[self.n_q :], self.held, self.t

    @property
    def _state(self) -> tuple[Any, Any, Any, float]:
        return self.y[: self.n_q], self.y[self.n_q :], self._u(), self.t

    def _rows(self) -> Rows:
        """Rows at the state, which many ask for; modes do not change them."""
        key = self.t, self.y.tobytes(), self.held.tobytes()
        if self._known_rows[0] != key:
            self._known_rows = key, self.contacts.rows(*self._state)
        found: Rows = self._known_rows[1]
        return found

    # -- phases -----------------------------------------------------------------------------------

    def advance_to(
        self, t_end: float, times: Any, progress: Callable[..., None] | None, *, is_end: bool = True
    ) -> Status:
        """Advance to a time, through as many phases as it takes."""
        while self.t < t_end and not self.is_over:
            before = self._moment()
            status = self._phase(t_end, times, progress, is_end)
            if self._passes(status) or (status not in REMEDY and self._moment() == before):
                self._whole(lambda: self._pass_jump(t_end, times))
            elif status in REMEDY:
                return status
            for crowding in self._crowdings if self.t < t_end else ():
                crowding.add(self.t, max(abs(self.t), abs(t_end)), self._causes)
        return Status.FINISHED

    def _moment(self) -> tuple[Any, ...]:
        """Time, state and modes: a phase that ends in those in which it began will do so again."""
        return self.t, self.y.tobytes(), self.modes.numbers[:, :SLACK_N].tobytes()

    def _passes(self, status: Status) -> bool:
        """Whether steps got too small where a force has jumped, which only time can pass."""
        is_new = self.t - self._jump > _APART * max(1.0, abs(self.t))
        return status == Status.STEP_TOO_SMALL and is_new

    def _pass_jump(self, t_end: float, times: Any) -> None:
        """Go on behind a jump of a force, in front of which steps end by rounding."""
        scale = max(abs(self.t), abs(t_end))
        is_new = self.t - self._jump > _APART * scale
        self._jump = self.t
        self._way = _PASS if is_new else min(2.0 * self._way, _APART)
        qdot, vdot = self.kernels.rates(*self._state, self.contacts.p)
        before, h = self.t, min(self._way * scale, t_end - self.t)
        self.t, self.y = self.t + h, self.y + h * np.concatenate([qdot, vdot])
        self._after_event(self._rows())
        for t in times[(times > before) & (times <= self.t)]:
            self.samples.add(float(t), self.y, self.modes, self.held, self.works)

    def _phase(self, t_end: float, times: Any, progress: Any, is_end: bool) -> Status:
        run = self._started(t_end, times[(times > self.t) & (times <= t_end)])
        run.continue_to(t_end, is_end=is_end and not self._mark)
        self._now, self.is_resumable = Phase(None, run, self._numbers()), run.is_resumable
        status, began, stopped = Status.PAUSED, clock.perf_counter(), None
        u, n, turns_stiff = self._u(), self.n_q, self.integrators.turns_stiff

        def rates(y: Any) -> Any:
            return np.concatenate(self.kernels.rates(y[:n], y[n:], u, run.t, self.contacts.p))

        try:
            while status == Status.PAUSED:
                self.look()
                status = run.advance(self.integrators.steps_to_look(run))
                if status == Status.PAUSED and turns_stiff(run, self.counts["steps"], rates):
                    break
                if progress is not None and clock.perf_counter() - began > 0.1:
                    progress(run.t, run.step)
        except KeyboardInterrupt as error:  # what has been computed stays
            stopped = error
        self._whole(lambda: self._take(run, status))
        if stopped is not None:
            raise stopped
        self.integrators.is_stiff |= status == Status.PAUSED
        run.close()
        return status

    def _take(self, run: Run, status: Status) -> None:
        """Take what a phase has come to, and what its end brings."""
        self._mark = self.memory() if run.mark else self._mark
        self.t, self.y, self._sizes = run.t, run.y, np.fmax(self._sizes, run.sizes)
        self.works = run.integrals.now.copy()
        late = self._take_samples(run)
        self.counts.update(run.counts)
        fired = self._user_events(run.events, 2 * len(self.contacts.touches))
        if status in REMEDY and not self._passes(status):
            self.contacts.explain(*self._state)
        else:
            require_seen(self.contacts, self._rows().gaps, self.modes.is_closed, self._state)
        self._now = self._now if status == Status.PAUSED else Phase()
        if status == Status.TERMINAL_EVENT:
            self._event(fired)
        for t in late:
            self.samples.add(t, self.y, self.modes, self.held, self.works)

    def _take_samples(self, run: Run) -> list[float]:
        """Take samples; return times [s] of those at the end at which limits have jumped."""
        times, works = run.times[: run.n_samples_done], run.integrals.samples
        at_end = np.flatnonzero(times >= self.t - 1e-13 * max(self.contacts.brevity, abs(self.t)))
        first = times[at_end[0]] if len(at_end) else self.t
        late = at_end if len(at_end) and not self._is_lawful(first) else at_end[:0]
        n = len(times) - len(late)
        self.samples.extend(times[:n], run.samples[:n], self.modes, self.held, works[:n])
        return [float(t) for t in times[late]]

    def _whole(self, change: Callable[[], None]) -> None:
        """Make a change; an interruption waits for its end, so that it leaves no half."""
        before = self.t, self.y.copy(), self.modes, self._now, self.works
        numbers = self._numbers()
        try:
            change()
        except KeyboardInterrupt:
            self.t, self.y, self.modes, self._now, self.works = before
            self.counts = Counter(numbers["counts"])
            del self.ledger[numbers["n_events"] :]
            self.samples.cut(numbers["n_samples"])
            change()
            raise

    def _started(self, t_end: float, ahead: Any) -> Run:
        """Integration of a phase with the present modes, or of one that has begun before."""
        n, watched = 2 * len(self.contacts.touches), self.kernels.watched
        problem = Problem(
            watched.rates, watched.events, [-1.0] * n + [d for _, d, _ in self.user.listed],
            [True] * n + [terminal for _, _, terminal in self.user.listed], self.quaternions,
            np.append(self._u(), np.full(watched.n, LIVE)), self.contacts.p, watched.tangent,
            self.kernels.projection, units=self.contacts.system.names.units, modes=watched.modes,
            sizes=self._sizes, integrands=self.kernels.contact_forces, integrals=self.works,
        )  # fmt: skip
        self.y[: self.n_q] = self.contacts.following.kept(*self._state)
        run = self.integrators.now.start(problem, self.y, self.t, t_end, ahead)
        values = run.event_values
        np.maximum(values[:n], TINY, out=values[:n])
        self.user.begin(values[n : n + len(self.user.listed)], run.event_sides[n:])
        parting = parting_now(self.contacts, rows := self._rows(), self.modes)
        vdot = self.kernels.rates(*self._state, self.contacts.p)[1]
        flight = shortest_rise(rows, parting, vdot)  # after a rebound
        run.dp[at.H] = min(run.dp[at.H], 0.5 * flight)
        if self.modes.sticking or self.modes.closed:
            run.dp[at.H_MAX] = min(run.dp[at.H_MAX], _STILL)
        if self._now.begun is not None:
            run.restore(self._now.begun)
        return run

    def _user_events(self, found: Any, n: int) -> list[int]:
        """Note the user's events; return the numbers of the others, which ended the phase."""
        fired, noted = [], {}
        for k, t, y in found:
            if k >= n:
                name, _, terminal = self.user.listed[k - n]
                self.ledger.append(Found(name, t, y[: self.n_q], y[self.n_q :]))
                self.is_over |= terminal
                noted[k - n] = t
            elif abs(t - self.t) <= 1e-13 * max(self.contacts.brevity, abs(self.t)):
                fired.append(k)
        if fired and self.user.listed:
            self.user.end(self._state, self.kernels.rates(*self._state, self.contacts.p), noted)
        return fired

    # -- events -----------------------------------------------------------------------------------

    def _event(self, fired: list[int]) -> None:
        """An indicator has fallen through zero: impact, or new modes."""
        self._causes = {self.contacts.touches[k // 2].name for k in fired}
        if self._is_lawful():
            self._sample()
        v = self.y[self.n_q :]
        self.y[self.n_q :] = v + stopping(self.contacts, self._rows(), self.modes, fired, v)
        self._after_event(self._rows(), fired)

    def _is_lawful(self, t: float | None = None) -> bool:
        """Whether forces are within their limits still: no limit, load or row has jumped.

        At the present time, or at that of a sample, which may lie in front of the jump by rounding.
        """
        *place, now = self._state
        state = *place, now if t is None else float(t), self.contacts.p
        values, forces = self.kernels.indicators(*state)[0], self.kernels.contact_forces(*state)[0]
        lifts = t is None and leave_their_rows(self.contacts, self._rows(), self.modes, self.y)
        return not lifts and not have_jumped(self.modes.numbers, values, forces)

    def _after_event(self, rows: Rows, fired: Any = ()) -> None:
        """Impacts until none is left, then new modes and a note of what changed."""
        locks = lock_states(self.contacts, self.modes, self._state, self._sizes, fired)
        rows = switched(rows, locks)
        touching = touching_now(self.contacts, rows, self.modes)
        closing = any(meets(self.contacts, rows, k, self.y[self.n_q :]) for k in touching)
        if closing or moving_locks(self.contacts, rows, self.y[self.n_q :]):
            self._impact(rows, with_freewheels(self.contacts, touching))
            rows = switched(self._rows(), locks)
            touching = touching_now(self.contacts, rows, self.modes)
        given = self.y[: self.n_q], self.rest_speed
        resting = [k for k in touching if rests(self.contacts, rows, k, *given)]
        found = decide_after(self.contacts, rows, resting, self._place)
        for name, response in jamming(self.contacts, rows := found.rows, resting):
            self._log(name, "not_unique", {"response": response})
        changed = changes(self.contacts, self.modes, found.modes, rows, fired)
        for name, kind in fresh(changed, self.ledger, self.t):
            self._log(name, kind, {})
        self.modes = found.modes
        self.redundancy.look(rows, held_rows(self.contacts, self.modes))
        self.y = settled(self.kernels.projection, self._state, self.contacts.p)
        require_held(self.contacts, self._rows(), self.modes, self._state)
        values = self.kernels.indicators(*self._state, self.contacts.p)[0]
        error = self.integrators.now.start_error
        give_slack(self.contacts, rows, found, values, *self._state[:2], error * self._sizes)
        add_noise(self.contacts, self.modes, self._state, self._sizes, self._crowdings[0].count)
        self._sample()

    def _impact(self, rows: Rows, touching: list[int]) -> None:
        """Resolve an impact of all that touch; log it; let slow rebounds rest."""
        if self.t not in self.samples.times[-1:]:
            self._sample_before(rows, touching)
        self.user.forget()
        hit = impact(self.contacts, rows, touching, self.t)
        details = impact_details(self.contacts, rows, hit, touching, self._place)
        self._log(", ".join(details["contacts"]), "impact", details)
        self.y[self.n_q :] += hit.dv
        done = np.append(hit.works, details["drive_work"])
        self.works = self.works + np.pad(done, (0, len(self.works) - len(done)))

    def _sample_before(self, rows: Rows, touching: list[int]) -> None:
        """Take a sample before an impact, with the modes of that moment: limits may have jumped."""
        modes = self.modes
        if not self._is_lawful():
            resting = [k for k in touching if abs(approach(self.contacts, rows, k)) <= APPROACHES]
            modes = decide_after(self.contacts, rows, resting, self._place).modes
        self.samples.add(self.t, self.y, modes, self.held, self.works)

    def _sample(self) -> None:
        self.samples.add(self.t, self.y, self.modes, self.held, self.works)

    def _log(self, name: str, kind: str, details: dict[str, Any]) -> None:
        q, v = self.y[: self.n_q].copy(), self.y[self.n_q :].copy()
        self.ledger.append(Found(name, self.t, q, v, kind, details))
