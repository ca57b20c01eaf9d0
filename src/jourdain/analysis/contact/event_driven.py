"""Event-driven integration: smooth phases between impacts, detachments, slips and sticks.

Each phase has fixed modes. It ends where an indicator falls through zero: the gap of an open
contact, the normal force of a closed one, the friction reserve of one that sticks, the speed of one
that slides. Then impacts are resolved, all modes are decided anew, and the next phase begins
(Pfeiffer 3.4.4.1). Rebounds slower than ``rest_speed`` count as none: where impacts accumulate
(Zeno), the rest of the sequence, which takes 2 v/(g̈ (1 − e)), is left out.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from jourdain.analysis.contact.impact import impact
from jourdain.analysis.contact.modes import Modes, decide, leaves_at_once, not_unique
from jourdain.analysis.contact.phase import Phase
from jourdain.analysis.contact.redundancy import Redundancy
from jourdain.analysis.contact.rows import Contacts, Rows
from jourdain.analysis.contact.samples import Samples
from jourdain.analysis.contact.sanity import OVERLAP, require_apart
from jourdain.equations.touching import SLOW
from jourdain.errors import IntegrationError
from jourdain.results import Event as Found
from jourdain.solvers import REMEDY, Integrator, Problem, Record, Run, Status
from jourdain.solvers import stepping as at
from jourdain.system.contact import ContactKernels

_TOUCHES = 1e-9  # [m] gap that is none
_STILL = 0.5  # [s] longest step while something sticks: rounding moves it by a square of the step
_ROUNDING = 8.0 * float(np.finfo(float).eps)  # part of a position that is lost in rounding
_MANY = 100  # events without a step of time that are too many


class EventDrivenRun:
    """One simulation from event to event.

    Parameters
    ----------
    contacts : Contacts
        The contacts.
    kernels : ContactKernels
        Compiled functions.
    integrator : Integrator
        Method for the smooth phases.
    quaternions : list of int
        Places of quaternions.
    rest_speed : float [m/s]
        Rebounds slower than this count as none.
    user_events : list of (str, int, bool)
        Names, directions and terminality of the user's events.
    """

    def __init__(
        self, contacts: Contacts, kernels: ContactKernels, integrator: Integrator,
        quaternions: list[int], rest_speed: float, user_events: list[tuple[str, float, bool]],
    ) -> None:  # fmt: skip
        self.contacts, self.kernels, self.integrator = contacts, kernels, integrator
        self.quaternions, self.rest_speed, self.user_events = quaternions, rest_speed, user_events
        self.n_q = len(contacts.system.names.q)
        self.samples, self.ledger = Samples(), []  # type: ignore[var-annotated]
        self.redundancy = Redundancy(contacts)
        self.counts = {"steps": 0, "rejected": 0, "evaluations": 0}
        self.is_over = self.has_begun = False
        self._now = Phase()
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
        self._whole(lambda: self._after_event(self._rows(), "event"))

    def go_back(self) -> None:
        """Nothing: a phase that was left stays as far as it came."""

    def memory(self) -> dict[str, Any]:
        """Memory to go on from: before the step that the end cut short, or where the run is."""
        own = {"t": self.t, "y": self.y, "modes": self.modes.numbers.ravel(), **self._numbers()}
        n = self.samples.without(self.t, self.y, self.modes)
        own["n_samples"], own["present"] = n, [x.tolist() for x in self.samples.held[n:]]
        return self._mark or {**own, **self._now.memory()}

    def pause(self) -> None:
        """Take what a phase that lasts has come to."""
        if self._now.run is not None:
            self._take(self._now.run, Status.PAUSED)

    def _numbers(self) -> dict[str, Any]:
        n_events, n_samples = len(self.ledger), len(self.samples.times)
        return {"counts": dict(self.counts), "n_events": n_events, "n_samples": n_samples}

    def resume(self, record: Record, held: Any, ledger: Iterable[Any]) -> None:
        """Go on from the memory of an earlier run, with its events."""
        n = self.n_q + len(self.contacts.system.names.v)
        self.t, self.y, self.held = record.number("t"), record.array("y", n), np.array(held)
        self.modes = Modes.of(record, len(self.contacts.touches))
        self.counts, self.ledger = record.counts("counts", self.counts), list(ledger)
        self.has_begun, self._now = True, Phase(record if "integration" in record else None)
        for sampled in record.table("present", len(self.held)):
            self.samples.add(self.t, self.y, self.modes, sampled)

    # -- start ------------------------------------------------------------------------------------

    def begin(self, y: Any, t: float, held: Any) -> None:
        """Take the start: closed contacts, an impact if there is one, modes."""
        self.t, self.y, self.held, self.has_begun = t, np.array(y), np.array(held), True
        self.y[: self.n_q] = self.contacts.following.found(self.y[: self.n_q], t)
        self.modes = Modes.open(len(self.contacts.touches))
        rows = self._rows()
        require_apart(self.contacts.touches, rows.gaps)
        self._whole(lambda: self._after_event(rows, "start"))

    def _u(self, modes: Modes | None = None) -> Any:
        return np.concatenate([self.held, (modes or self.modes).numbers.ravel()])

    def _rows(self) -> Rows:
        q, v = self.y[: self.n_q], self.y[self.n_q :]
        return self.contacts.rows(q, v, self._u(), self.t)

    # -- phases -----------------------------------------------------------------------------------

    def advance_to(
        self, t_end: float, times: Any, progress: Callable[..., None] | None, *, is_end: bool = True
    ) -> Status:
        """Advance to a time, through as many phases as it takes."""
        stuck, before = 0, self.t
        while self.t < t_end and not self.is_over:
            status = self._phase(t_end, times, progress, is_end)
            if status in REMEDY:
                return status
            stuck = stuck + 1 if self.t - before <= 1e-14 * max(1.0, abs(self.t)) else 0
            before = self.t
            if stuck > _MANY:
                names = ", ".join(sorted({event.name for event in self.ledger[-20:]}))
                raise IntegrationError(
                    f"contacts {names} change {stuck} times at t = {self.t:.9g} s without time "
                    "going on. Likely cause: friction that has no unique answer here. Try "
                    "method=jd.MoreauJean(dt=...)."
                )
        return Status.FINISHED

    def _phase(self, t_end: float, times: Any, progress: Any, is_end: bool) -> Status:
        run = self._started(t_end, times[(times > self.t) & (times <= t_end)])
        run.continue_to(t_end, is_end=is_end and not self._mark)
        self._now, self.is_resumable = Phase(None, run, self._numbers()), run.is_resumable
        status, began, stopped = Status.PAUSED, clock.perf_counter(), None
        try:
            while status == Status.PAUSED:
                self.look()
                status = run.advance(2000)
                if progress is not None and clock.perf_counter() - began > 0.1:
                    progress(run.t, run.step)
        except KeyboardInterrupt as error:  # what has been computed stays
            stopped = error
        self._whole(lambda: self._take(run, status))
        if stopped is not None:
            raise stopped
        return status

    def _take(self, run: Run, status: Status) -> None:
        """Take what a phase has come to, and what its end brings."""
        self._mark = self.memory() if run.mark else self._mark
        for k in range(run.n_samples_done):
            self.samples.add(float(run.times[k]), run.samples[k], self.modes, self.held)
        for name in self.counts:
            self.counts[name] += run.counts[name]
        self.t, self.y = run.t, run.y
        fired = self._user_events(run.events, 2 * len(self.contacts.touches))
        if status in REMEDY:
            self.contacts.explain(self.y[: self.n_q], self.y[self.n_q :], self._u(), self.t)
        else:
            self._require_gaps()
        if status != Status.PAUSED:
            self._now = Phase()
        if status == Status.TERMINAL_EVENT:
            self._event(fired)

    def _whole(self, change: Callable[[], None]) -> None:
        """Make a change; an interruption waits for its end, so that it leaves no half."""
        before, numbers = (self.t, self.y.copy(), self.modes, self._now), self._numbers()
        try:
            change()
        except KeyboardInterrupt:
            self.t, self.y, self.modes, self._now = before
            self.counts = numbers["counts"]
            del self.ledger[numbers["n_events"] :]
            self.samples.cut(numbers["n_samples"])
            change()
            raise

    def _started(self, t_end: float, ahead: Any) -> Run:
        """Integration of a phase with the present modes, or of one that has begun before."""
        n = 2 * len(self.contacts.touches)
        problem = Problem(
            self.kernels.rates, self.kernels.indicators,
            [-1.0] * n + [d for _, d, _ in self.user_events],
            [True] * n + [terminal for _, _, terminal in self.user_events], self.quaternions,
            self._u(), self.contacts.p, lambda: self.kernels.tangent, self.kernels.projection,
            units=self.contacts.system.names.units,
        )  # fmt: skip
        q, v = self.y[: self.n_q], self.y[self.n_q :]
        self.y[: self.n_q] = self.contacts.following.kept(q, v, self._u(), self.t)
        run = self.integrator.start(problem, self.y, self.t, t_end, ahead)
        run.dp[at.H] = min(run.dp[at.H], self._first_step())
        if self.modes.sticking:
            run.dp[at.H_MAX] = min(run.dp[at.H_MAX], _STILL)
        if self._now.begun is not None:
            run.restore(self._now.begun)
        return run

    def _first_step(self) -> float:
        """Step [s] that is short against the flight after a rebound."""
        rows, shortest = self._rows(), np.inf
        q, v = self.y[: self.n_q], self.y[self.n_q :]
        vdot = self.kernels.rates(q, v, self._u(), self.t, self.contacts.p)[1]
        pulls = -(rows.W @ vdot + rows.bias)
        for k, x in enumerate(self.contacts.touches):
            if x.has_gap and self.modes.numbers[k, 0] < 0.5 and rows.gaps[k] < _TOUCHES:
                rate, pull = rows.u[x.normal], pulls[x.normal]
                if rate > 0.0 and pull > 0.0:
                    shortest = min(shortest, 0.5 * rate / pull)
        return shortest

    def _require_gaps(self) -> None:
        """Refuse to go on where an open contact has closed unseen."""
        gaps = self._rows().gaps
        for k, x in enumerate(self.contacts.touches):
            if x.has_gap and self.modes.numbers[k, 0] < 0.5 and gaps[k] < -OVERLAP:
                raise IntegrationError(
                    f"contact {x.name!r} overlaps by {-gaps[k]:.3g} m at t = {self.t:.9g} s: it "
                    "was passed within one step. Take smaller steps, for example with "
                    "method=jd.EventDriven(jd.Dop853(rtol=1e-9, max_step=1e-3))."
                )

    def _user_events(self, found: Any, n: int) -> list[int]:
        """Note the user's events; return the numbers of the others, which ended the phase."""
        fired = []
        for k, t, y in found:
            if k >= n:
                name, _, terminal = self.user_events[k - n]
                self.ledger.append(Found(name, t, y[: self.n_q], y[self.n_q :]))
                self.is_over |= terminal
            elif abs(t - self.t) <= 1e-13 * max(1.0, abs(self.t)):
                fired.append(k)
        return fired

    # -- events -----------------------------------------------------------------------------------

    def _event(self, fired: list[int]) -> None:
        """An indicator has fallen through zero: impact, or new modes."""
        slipping = None
        for k in fired:
            touch, is_friction = divmod(k, 2)
            if is_friction and self.modes.numbers[touch, 1] > 0.5:
                slipping = touch
        self._stop_sliding(fired, self._rows())
        self._after_event(self._rows(), "event", slipping, fired)

    def _stop_sliding(self, fired: list[int], rows: Rows) -> None:
        """Take away the sliding velocity that is left where it passes zero."""
        stopped = [
            row
            for k in fired
            if k % 2 and self.modes.numbers[k // 2, 1] < 0.5
            for row in self.contacts.touches[k // 2].tangents
        ]
        if stopped and np.abs(rows.u[stopped]).max() < 1e-6 * (1.0 + np.abs(rows.u).max()):
            used = [*self._held_rows(), *stopped]
            u = rows.u[used]
            impulses = np.linalg.lstsq(rows.G[np.ix_(used, used)], -u, rcond=1e-12)[0]
            v, dv = self.y[self.n_q :], rows.B[used].T @ impulses
            if np.abs(dv).max() <= 1e-6 * (1.0 + np.abs(v).max()):  # not at a dead point
                self.y[self.n_q :] += dv

    def _held_rows(self) -> list[int]:
        """Rows of closed gaps and of sliding velocities that stick."""
        normals = [self.contacts.touches[k].normal for k in self.modes.closed]
        tangents = [r for k in self.modes.sticking for r in self.contacts.touches[k].tangents]
        return [row for row in (*normals, *tangents) if row is not None]

    def _after_event(
        self, rows: Rows, what: str, slipping: int | None = None, fired: Any = ()
    ) -> None:
        """Impacts until none is left, then new modes and a note of what changed."""
        touching = self._touching(rows)
        approach = [k for k in touching if self._rate(rows, k) < -1e-10]
        if approach:
            self._impact(rows, touching)
            rows = self._rows()
            touching = self._touching(rows)
        elif what != "start":
            self.samples.add(self.t, self.y, self.modes, self.held)
        resting = [k for k in touching if self._rate(rows, k) <= self._slowest(rows, k)]
        new = decide(self.contacts, rows, resting, self.t, slipping)
        self._note_not_unique(rows, resting)
        state = self.y[: self.n_q], self.y[self.n_q :], self._u(new), self.t
        leaving = leaves_at_once(new, self.kernels, *state, self.contacts.p)
        if leaving is not None and leaving != slipping:
            new = decide(self.contacts, rows, resting, self.t, leaving)
        released = {k // 2 for k in fired if k % 2 == 0 and self.modes.numbers[k // 2, 0] > 0.5}
        for k in released & set(new.closed):
            new.numbers[self.contacts.together(k)] = (0.0, 0.0, 1e-10, 0.0)
        self._note_changes(new, rows, fired)
        self.modes = new
        self.redundancy.look(rows, self._held_rows())
        self._settle()
        self.samples.add(self.t, self.y, self.modes, self.held)

    def _touching(self, rows: Rows) -> list[int]:
        """Touchings without a gap, and clutches without slip."""
        found = []
        for k, x in enumerate(self.contacts.touches):
            if x.normal is None:
                continue
            near = rows.gaps[k] <= _TOUCHES if x.has_gap else rows.u[x.normal] <= _TOUCHES
            if near or self.modes.numbers[k, 0] > 0.5:
                found.append(k)
        return found

    def _rate(self, rows: Rows, k: int) -> float:
        return float(rows.u[self.contacts.touches[k].normal])

    def _slowest(self, rows: Rows, k: int) -> float:
        """Rebound [m/s] that counts: not below ``rest_speed``, nor lost in rounding."""
        pull = max(0.0, -float(rows.acceleration[self.contacts.touches[k].normal]))
        height = _ROUNDING * float(np.abs(self.y[: self.n_q]).max(initial=0.0))
        return max(self.rest_speed, float(np.sqrt(2.0 * pull * height)))

    def _impact(self, rows: Rows, touching: list[int]) -> None:
        """Resolve an impact of all that touch; log it; let slow rebounds rest."""
        before = self.y[self.n_q :].copy()
        self.samples.add(self.t, self.y, self.modes, self.held)
        hit = impact(self.contacts, rows, touching, self.t)
        self.y[self.n_q :] += hit.dv
        normals = {k: self.contacts.touches[k].normal for k in touching}
        used = [k for k in touching if hit.impulses[normals[k]] > 0.0] or touching
        names = tuple(self.contacts.touches[k].name for k in used)
        details = {
            "contacts": names,
            "impulses": tuple(self.contacts.parts(k, hit.impulses) for k in used),
            "before": tuple(self.contacts.parts(k, rows.u) for k in used),
            "after": tuple(self.contacts.parts(k, hit.after) for k in used),
            "v_after": tuple(self.y[self.n_q :].tolist()),
            "energy": hit.energy,
            "drive_work": rows.drive_work(before, hit.impulses),
            "residual": hit.residual,
        }
        q = self.y[: self.n_q].copy()
        self.ledger.append(Found(", ".join(names), self.t, q, before, "impact", details))

    def _note_changes(self, new: Modes, rows: Rows, fired: Any) -> None:
        """Log detachments, slips and sticks, and slips of what has stopped and turns round."""
        for k, x in enumerate(self.contacts.touches):
            old, now = self.modes.word(k), new.word(k)
            if x.is_dry:
                old, now = ("slip" if w == "open" else w for w in (old, now))
            stopped = 2 * k + 1 in fired and np.linalg.norm(rows.u[list(x.tangents)]) <= SLOW
            if old == now and not (now == "slip" and stopped):
                continue
            kind = "detachment" if now == "open" else now if x.tangents else "contact"
            self._log(x.name, kind, {})

    def _log(self, name: str, kind: str, details: dict[str, Any]) -> None:
        q, v = self.y[: self.n_q].copy(), self.y[self.n_q :].copy()
        self.ledger.append(Found(name, self.t, q, v, kind, details))

    def _note_not_unique(self, rows: Rows, resting: list[int]) -> None:
        """Log contacts that could as well jam."""
        for k, response in not_unique(self.contacts, rows, resting).items():
            self._log(self.contacts.touches[k].name, "not_unique", {"response": response})

    def _settle(self) -> None:
        """Move the state onto what is closed now."""
        q, v = self.y[: self.n_q], self.y[self.n_q :]
        for _ in range(8):
            dq, dv, errors = self.kernels.projection(q, v, self._u(), self.t, self.contacts.p)
            if errors[0] <= 1e-13:
                break
            q = q + dq
        self.y = np.concatenate([q, v + dv])
        self._give_play()

    def _give_play(self) -> None:
        """Let open contacts that were moved into an overlap be seen where they close further."""
        gaps, numbers = self._rows().gaps, self.modes.numbers
        for k, x in enumerate(self.contacts.touches):
            if x.has_gap and numbers[k, 0] < 0.5 and gaps[k] + numbers[k, 2] < 0.0:
                numbers[k, 2] = -gaps[k]
