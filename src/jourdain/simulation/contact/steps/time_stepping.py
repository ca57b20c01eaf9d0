"""Time stepping by Moreau and Jean, or by nonsmooth generalised-α (TS-1 to TS-10).

A step is machine code (`solvers.timestep`). It comes back for what is rare: impacts by Poisson's
law, equations that its solvers leave unsolved, forces that do not settle.
"""

from __future__ import annotations

import time as clock
from collections.abc import Mapping
from typing import Any

import numpy as np

from jourdain.errors import IntegrationError, SingularSystemError
from jourdain.results import Event as Found
from jourdain.results.statistics import Overlap
from jourdain.simulation.contact.events.modes import not_unique
from jourdain.simulation.contact.impact import impact
from jourdain.simulation.contact.rows import Contacts, Rows
from jourdain.simulation.contact.samples import largest_overlap, on_grid
from jourdain.simulation.contact.sanity import require_restitution
from jourdain.simulation.contact.steps.group_notes import group_impacts, unsettled, unsolved
from jourdain.simulation.contact.steps.held_work import closing_locks, held_work
from jourdain.simulation.contact.steps.lease import leased
from jourdain.simulation.contact.steps.lost_rows import (
    not_held,
    require_responses,
    without_inertia,
)
from jourdain.simulation.contact.steps.many_steps import ManySteps
from jourdain.simulation.contact.steps.responses import at_impact, contact_matrix, island_blocks
from jourdain.simulation.contact.steps.state_update import Stepping
from jourdain.simulation.contact.steps.stepped import SteppedRun
from jourdain.simulation.contact.steps.watch import Watch
from jourdain.solvers import REMEDY, Record, Status
from jourdain.solvers.timestep import loop, results
from jourdain.solvers.timestep.friction import REST
from jourdain.solvers.timestep.records import SLIDES
from jourdain.system.contact.kernels import ContactKernels
from jourdain.system.contact.step_kernels import StepKernels

_MOST_NUMBERS = 1_000_000  # in the ledger
_CHUNK = 0.02  # [s] of steps between two looks at the outside
_MOST_STEPS = 100_000  # between them
_SAME = 1e-9  # part of a step by which two times may differ and be one
_WORDS = ("detachment", "stick", "slip")  # that begins with each mode
_LOCK_WORDS = {"detachment": "release", "slip": "release", "stick": "lock"}
_GOES_ON = (results.NEEDS_IMPACT, results.UNSOLVED, results.NEEDS_ROOM, results.NEEDS_POINTS)
_HALVINGS = 8  # of a step that finds no solution
_OF_ROWS, _OF_MOTION = ("last", "anchor", "mean"), ("a", "phi")
_OF_POINTS = ("band", "start_gaps", "mode", "noted", "jams")
"""What the next step depends on."""


class TimeSteppingRun(SteppedRun):
    """One simulation in equal steps.

    Parameters
    ----------
    contacts : Contacts
        The contacts.
    kernels : ContactKernels
        Compiled functions.
    method : MoreauJean or NonsmoothAlpha
        Step.
    quaternions : list of int
        Places of quaternions.
    watch : Watch
        Events to find.
    step_kernels : StepKernels
        Compiled functions of a step.
    """

    def __init__(
        self, contacts: Contacts, kernels: ContactKernels, method: Stepping,
        quaternions: list[int], watch: Watch, step_kernels: StepKernels,
    ) -> None:  # fmt: skip
        self._lease = leased(contacts, step_kernels, quaternions, method)
        self._one = self._lease.one
        super().__init__(contacts, kernels, method, quaternions, watch)
        self._machine, self._native = self._one.machine, self._one.step
        self.groups = self._one.groups
        self._loop, self._budget = ManySteps(self._one, watch), 64

    @property
    def _own(self) -> dict[str, Any]:
        """What the next step depends on of the contacts that are always there."""
        m, s = self._machine, self._native
        sizes = (m.fixed_rows, _OF_ROWS), (m.n_v, _OF_MOTION), (m.fixed_points, _OF_POINTS)
        return {name: getattr(s, name)[:n] for n, names in sizes for name in names}

    @property
    def _n_works(self) -> int:
        return self.contacts.n_rows + len(self._one.groups.groups) + 1

    @property
    def _n_forces(self) -> int:
        return self._one.n_forces

    @property
    def budget(self) -> int:
        """Steps that may be taken before the next look at the outside."""
        return self._budget

    @property
    def overlap(self) -> Overlap | None:
        """Largest overlap of a contact at the end of a step, if it is one."""
        return largest_overlap(self._native, self.contacts, self.groups.names)

    @property
    def _acting(self) -> Any:
        found = np.zeros(self._n_forces)
        found[: self.contacts.n_rows] = self._own["last"] / self._taken
        if self.groups:
            found[self.contacts.n_rows :] = self._group_numbers()
        return found

    def _group_numbers(self) -> Any:
        """What groups tell of the last step."""
        self._loop.step(results.SAMPLE)
        return self._loop.run.sample_forces[: self.groups.n_numbers].copy()

    def group_numbers(self, order: Any, keep: Any) -> Any:
        """What groups tell at the samples."""
        n, first = len(self.samples.times), self.contacts.n_rows
        known = self._forces if len(self._forces) == n else [*self._forces, self._acting]
        return np.array([x[first:] for x in known])[order][keep]

    @property
    def _slow(self) -> Any:
        s, n = self._native, self.contacts.n_rows
        return REST * np.sqrt(np.maximum(s.own[:n] * s.all_energy, 0.0))

    def _own_memory(self) -> dict[str, Any]:
        own = {name: array.copy() for name, array in self._own.items()}
        return own | self.groups.memory() | self._one.resting.rest.told if self.groups else own

    def _checked(self, record: Record) -> dict[str, Any]:
        n = {name: len(array) for name, array in self._own.items()}
        plain = ("last", "anchor", "mean", "start_gaps", "a", "phi")
        found = {name: record.array(name, n[name]) for name in plain}
        found["band"] = record.array("band", n["band"], 0.0)
        for name in ("mode", "noted"):
            found[name] = record.whole(name, n[name], 0, SLIDES)
        found["jams"] = record.whole("jams", n["jams"], 0, 1)
        if self.groups:
            found |= self.groups.checked(record) | self._one.resting.rest.checked(record)
        return found

    def _recall(self, memory: Mapping[str, Any]) -> None:
        for name, array in self._own.items():
            array[:] = memory[name]
        if self.groups:
            self._one.make_room(max(len(memory["features"]), self.groups.record.room))
            self.groups.recall(memory)
            self._one.resting.rest.recall(Record(memory))

    def _begun(self, rows: Rows) -> None:
        self._own["start_gaps"][:] = rows.gaps
        require_responses(self.system, self._machine)
        if self.groups:
            self._loop.look_at_start(self.method.dt)
            self.groups.require_apart()
        self._take_accelerations()
        self._own["a"][:] = self._own["phi"]

    def hold(self, held: Any) -> None:
        """Take new sampled inputs; accelerations jump with them."""
        before, self.held = self.held, np.array(held)
        self._take_accelerations()
        self._own["mean"][:] = 0.0
        self.held = before
        super().hold(held)

    def _take_accelerations(self) -> None:
        """Accelerations of the state, where the method remembers them."""
        s = self._native
        if not s.is_alpha:
            return
        s.y[:-1], s.now = self.y, self.t
        self._one.u[: len(self.held)] = self.held
        result = self._loop.step(results.START)
        if result != results.DONE:
            self._explain(result, self.method.dt)

    def _run_ahead(self, t_end: float, times: Any) -> bool:
        """Take steps in machine code, until one has something to note or needs more."""
        run = self._loop.run
        began = clock.perf_counter()
        why = self._loop.advance(self, t_end, times)
        spent = clock.perf_counter() - began
        if run.steps:
            self._budget = max(1, min(_MOST_STEPS, int(run.steps * _CHUNK / max(spent, 1e-9))))
        if why == loop.NOTE:
            self._note_step(run.before[:-1].copy())
        return why in (loop.SPENT, loop.NOTE)

    def take_steps(self, t: float, y: Any, works: Any, samples: Any, run: Any) -> None:
        """Take over the state, the samples and the sums of steps in machine code."""
        self.t, self.y, self.works = t, y, works
        for time, state, forces, own in samples:
            self._keep(time, state, forces, own)
            is_now = abs(time - t) <= _SAME * self.method.dt
            self._sampled = np.concatenate([[t if is_now else time], forces])
        self.counts["steps"] += run.steps
        self.counts["evaluations"] += run.evaluations
        self._take_residual(run.residual)
        self.step_residual = self._native.residual
        self._taken = self.method.dt if run.steps else self._taken

    def _note_step(self, y: Any) -> None:
        """Note what the last step has told; y is the state before it."""
        s, h = self._native, self.method.dt
        if s.has_jam:
            self._note_jams(y, on_grid(self.t - h, self.t_begin, h), h)
        self._may_jam = set(np.flatnonzero(self._own["jams"]).tolist())
        self._note_impacts(y)
        self._note_modes(y, on_grid(self.t - h, self.t_begin, h))
        self._look(s.impulses[: self.contacts.n_rows] / h)

    def _step(self, h: float) -> Any:
        """One step; returns the forces of all rows: means, or those at its end where known."""
        mean = self._impulses(h, 0) / h
        n = self.contacts.n_rows
        return self._native.at_end[:n].copy() if self._native.is_alpha else mean

    def _impulses(self, h: float, depth: int) -> Any:
        """Impulses of a step; where no solution is found, of two shorter ones."""
        before = self.y, self.t, self._own_memory(), self.works, self.residual
        self._native.is_last = int(depth >= _HALVINGS)
        try:
            return self._whole_step(h)
        except IntegrationError:
            if depth >= _HALVINGS:
                raise
        finally:
            self._native.is_last = 0
        self.y, self.t, memory, self.works, self.residual = before
        self._recall(memory)
        self.counts["rejected"] += 1
        return sum(self._impulses(0.5 * h, depth + 1) for _ in range(2))

    def _whole_step(self, h: float) -> Any:
        """Impulses of a step of the whole length.

        Raises
        ------
        IntegrationError
            If no solution is found.
        """
        s, n = self._native, self.contacts.n_rows
        s.y[:-1], s.h, s.now, s.evaluations = self.y, h, self.t, 0
        self._one.u[: len(self.held)] = self.held
        result = self._loop.step()
        while result in _GOES_ON:
            result = self._loop.step(self._phase_after(result, h))
        self.counts["evaluations"] += s.evaluations
        if result != results.DONE:
            self._explain(result, h)
        self._take_residual(s.residual)
        self.charge_work(s.sums[:-1], s.sums[-1])
        old, self.y = self.y, s.y[:-1].copy()
        if s.has_jam:
            self._note_jams(old, self.t, h)
        began, self.t = self.t, on_grid(self.t + h, self.t_begin, self.method.dt)
        self._may_jam = set(np.flatnonzero(self._own["jams"]).tolist())
        self._note_impacts(old)
        self._note_modes(old, began)
        impulses = np.zeros(self._n_forces)
        impulses[:n] = s.impulses[:n]
        if self.groups:
            impulses[n:] = h * self._group_numbers()
        return impulses

    def _phase_after(self, result: int, h: float) -> int:
        """Give a step what it needs to go on; return from where it does."""
        if result == results.NEEDS_IMPACT:
            self._hit(h)
            return results.WITH_IMPACT
        if result == results.UNSOLVED:
            self._solve_island()
            return results.WITH_IMPULSES
        if result == results.NEEDS_POINTS and self.groups.find_others():
            return results.WITH_POINTS
        self._one.make_room(self.groups.wanted_room)
        self._native.y[:-1] = self.y
        return results.BEGIN

    def _rows(self, q: Any, v: Any, t: float) -> Rows:
        """Rows at a state, for what is rare; not counted, for it belongs to no step."""
        found, n = self._loop.rows(q, v, self.held, t), len(self.contacts.touches)
        return self.contacts.checked(found, self._machine.static[: 2 * n].reshape(n, 2).copy(), t)

    def _middle(self, h: float, y: Any, t: float) -> Rows:
        """Rows in the middle of a step of h from the state y at t."""
        q = self._native.q_middle[: self.n_q].copy()
        return self._rows(q, y[self.n_q :], t + 0.5 * h)

    def _hit(self, h: float) -> None:
        """Impact that comes before the forces of a step, by Poisson's law (CT-5)."""
        s, n, contacts = self._native, self._machine.n_rows, self._one.all_contacts(self.contacts)
        rows = self._middle(h, self.y, self.t)
        if self.groups:
            rows = self._one.all_rows()
        own = [k for k, x in enumerate(contacts.touches) if s.active[k] and x.normal is not None]
        closed = [k for k in own if not (s.is_ahead[k] or s.is_hit[s.island_of[k]])]
        rise, rows = at_impact(s, rows, closed)
        hit = impact(contacts, rows, closed, self.t)
        for k in closed:
            row = contacts.touches[k].normal
            s.wanted[[row, *contacts.touches[k].tangents]] = 0.0
            s.gives_back[k] = 0
            if hit.impulses[row] > 0.0:
                s.rebounds[k] = not s.is_alpha
                s.wanted[row] = max(0.0, hit.after[row] + rise[row])
        s.has_hit = 1
        s.hit[:n] += hit.impulses

    def _solve_island(self) -> None:
        """Solve an island whose equations the solvers of a step have left."""
        s, n_rows = self._native, self._machine.n_rows
        used = s.used[: s.size].copy()
        G, c, start = np.zeros((n_rows, n_rows)), np.zeros(n_rows), np.zeros(n_rows)
        G[np.ix_(used, used)] = s.G[: s.size**2].reshape(s.size, s.size)
        c[used], start[used] = s.c[: s.size], s.r[: s.size]
        touches = list(enumerate(self._one.all_contacts(self.contacts).touches))
        blocks = island_blocks(s, used)
        found = self.solved(G, c, blocks, touches, self.t, "contact", start=start)
        s.r[: s.size] = found[used]
        s.residual = max(s.residual, self.step_residual)

    def _explain(self, result: int, h: float) -> None:
        """Say why a step cannot be made."""
        s = self._native
        if self.groups and result in (results.BAD_RESTITUTION, results.NOT_FINITE):
            text = self.groups.law_fault(self._machine)
            if text:
                raise IntegrationError(text)
        if result == results.BAD_RESTITUTION:
            x = self.contacts.touches[s.at_fault]
            e, speed = self._machine.e[s.at_fault], self._machine.speeds[s.at_fault]
            require_restitution(x, float(e), float(speed))
        if result in (results.SINGULAR, results.NOT_HELD):
            tell = not_held if result == results.NOT_HELD else without_inertia
            raise SingularSystemError(tell(self.system, self._machine, s.at_fault, self.t))
        if result == results.NO_SOLUTION:
            raise IntegrationError(unsolved(self.groups, self._machine, s, self.method))
        if result == results.NOT_FINITE:
            self._middle(h, self.y, self.t)  # names the contact at fault
            raise IntegrationError(f"{REMEDY[Status.NOT_FINITE]}")
        raise IntegrationError(unsettled(s, h))

    def _note_jams(self, y: Any, t: float, h: float) -> None:
        """Log contacts that slide and could as well jam (Painlevé), where that begins."""
        jams = np.flatnonzero(self._own["jams"]).tolist()
        q, v = np.split(y, [self.n_q])
        found = not_unique(self.contacts, self._middle(h, y, t), jams)
        found |= not_unique(self.contacts, self._rows(q, v, t), jams)
        for k in found.keys() - self._may_jam:
            name, details = self.contacts.touches[k].name, {"response": found[k]}
            self.ledger.append(Found(name, t, q.copy(), v.copy(), "not_unique", details))

    def _note_modes(self, y: Any, t: float) -> None:
        """Log what has begun to stick or slide, closed or opened; y and t before the step."""
        s = self._native
        if s.has_change:
            n, touches = len(self.contacts.touches), self.contacts.touches
            for k in np.flatnonzero(s.noted[:n] != s.was_noted[:n]):
                x, word = touches[k], _WORDS[s.noted[k]]
                word = "contact" if word == "slip" and not x.tangents else word
                word = _LOCK_WORDS[word] if x.is_lock else word
                if s.is_late[k] or s.struck[k]:
                    self._log(word, x.name, self.y[self.n_q :])
                else:  # it is so from the start of the step on
                    q, v = np.split(y, [self.n_q])
                    self.ledger.append(Found(x.name, t, q.copy(), v.copy(), word, {}))

    def _note_impacts(self, y: Any) -> None:
        """Log contacts that were met."""
        s, m, n = self._native, self._machine, self.contacts.n_rows
        v = y[self.n_q :]
        s.struck[closing_locks(self.contacts, m, s, v)] = 1
        if not s.struck[: m.n_points].any():
            return
        held = self.charge_held_work(held_work(m, s, v))
        if self.groups and len(self.ledger) * len(y) <= _MOST_NUMBERS:
            for name, details in group_impacts(self.groups, m, s, v):
                self._log("impact", name, v, details | {"residual": s.error})
        hit = np.flatnonzero(s.struck[: m.fixed_points]).tolist()
        if not hit:
            return
        W, delta, none = contact_matrix(m)[:n], s.delta[: m.n_v], np.zeros(0)
        rows = Rows(m.gaps, m.u[:n].copy(), m.bias, m.capacity, W, none, none)
        energy, impulses = float(s.works[:n].sum()), s.impulses[:n].copy()
        self._log_impact(hit, v, v + delta, energy, impulses, rows, rows.u + W @ delta, held)
