"""What all time steppings share: the loop over equal steps, samples, the ledger, positions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from jourdain.errors import IntegrationError
from jourdain.results import Event as Found
from jourdain.simulation.contact.events.modes import Modes
from jourdain.simulation.contact.impact import solved
from jourdain.simulation.contact.redundancy import MOST_ROWS, Redundancy
from jourdain.simulation.contact.rows import Contacts, Rows
from jourdain.simulation.contact.samples import Samples, on_grid
from jourdain.simulation.contact.sanity import require_apart
from jourdain.simulation.contact.steps.watch import Watch
from jourdain.solvers import Record, Status
from jourdain.system.contact.kernels import ContactKernels

_SHORTEST = 1e-6  # part of a step; a shorter one is rounding of the time
_SAME = 1e-9  # part of a step by which two times may differ and be one
_AHEAD = 0.1  # part of a step that tells the forces at a start


class SteppedRun(ABC):
    """One simulation in equal steps.

    A subclass gives ``_step(h)``: it moves ``self.y`` and ``self.t`` on and returns the forces of
    all rows over the step, or at its end. What else the next step depends on is its
    ``_own_memory``, which it can ``_recall``.

    Parameters
    ----------
    contacts : Contacts
        The contacts.
    kernels : ContactKernels
        Compiled functions.
    method
        Step and settings.
    quaternions : list of int
        Places of quaternions.
    watch : Watch
        Events to find; they change nothing, unless they end the run.
    """

    has_forces = is_resumable = True
    hits_times = False  # whether samples within steps are at the times that were asked for
    look: Callable[[], None] = staticmethod(lambda: None)  # called where it can be interrupted

    def __init__(
        self, contacts: Contacts, kernels: ContactKernels, method: Any, quaternions: list[int],
        watch: Watch,
    ) -> None:  # fmt: skip
        self.contacts, self.kernels, self.method = contacts, kernels, method
        self.quaternions, self.watch = quaternions, watch
        self.system, self.p = contacts.system, contacts.p
        self.n_q = len(self.system.names.q)
        self.samples, self.ledger = Samples(), []  # type: ignore[var-annotated]
        self.redundancy, self._acted = Redundancy(contacts), set[tuple[int, ...]]()
        self.counts = {"steps": 0, "rejected": 0, "evaluations": 0}
        self.is_over, self.residual = False, 0.0
        self.works = np.zeros(self._n_works)  # [J] of all rows, then of drives
        self.step_residual = 0.0  # of the last contact problem
        self._taken = method.dt  # [s] step that led to the present state
        self.modes = Modes.open(len(contacts.touches))  # never other: contacts act by impulses
        self._forces: list[Any] = []
        self._sampled = np.array([np.nan])  # time and forces of the last sample
        self._may_jam: set[int] = set()
        self.mark: dict[str, Any] = {}  # memory before the step that the end cuts short
        self._safe: dict[str, Any] = {}  # memory before the present step
        self.has_begun = False

    @property
    def _n_works(self) -> int:
        """Numbers of works: of all rows, of groups of contacts, of drives."""
        return self.contacts.n_rows + 1

    @property
    def _n_forces(self) -> int:
        """Numbers of a sample: forces of all rows, and what groups of contacts tell."""
        return self.contacts.n_rows

    @abstractmethod
    def _step(self, h: float) -> Any:
        """One step; returns the forces of all rows."""

    @property
    @abstractmethod
    def _acting(self) -> Any:
        """Forces of all rows in the step that led to the present state."""

    @property
    @abstractmethod
    def _slow(self) -> Any:
        """Velocities of all rows up to which what acted in the last step is at rest."""

    @abstractmethod
    def _own_memory(self) -> dict[str, Any]:
        """What the next step depends on, besides the state: arrays, and what JSON can hold."""

    @abstractmethod
    def _checked(self, record: Record) -> dict[str, Any]:
        """The same from the record of an earlier run, every number within its range."""

    @abstractmethod
    def _recall(self, memory: Mapping[str, Any]) -> None:
        """Take back the own memory."""

    def begin(self, y: Any, t: float, held: Any) -> None:
        """Take the start."""
        self.t, self.y, self.held, self.has_begun = t, np.array(y), np.array(held), True
        self.t_begin = t
        self.y[: self.n_q] = self.contacts.following.found(self.y[: self.n_q], t)
        rows = self._rows(self.y[: self.n_q], self.y[self.n_q :], t)
        require_apart(self.contacts.touches, rows.gaps)
        self._begun(rows)
        self._sample(self._forces_ahead(np.zeros(self._n_forces)))
        self._safe = self._memory()

    def _begun(self, rows: Rows) -> None:  # noqa: B027
        """Take what the rows at the start tell."""

    def _forces_ahead(self, forces: Any) -> Any:
        """Forces of all rows just after now, by a short step that is taken back.

        Those given where it has an impact, or finds no solution.
        """
        memory = self._memory()
        try:
            found = self._step(_AHEAD * self.method.dt)
            if not any(event.kind == "impact" for event in self.ledger[memory["n_events"] :]):
                forces = found
        except IntegrationError:
            pass  # the first step will tell
        self.go_back(memory)
        return forces

    def resume(self, record: Record, held: Any, ledger: Iterable[Any]) -> None:
        """Go on from the memory of an earlier run, with its events."""
        self.held, self.ledger, self.has_begun = np.array(held), list(ledger), True
        n, self.t_begin = self.n_q + len(self.system.names.v), record.number("begin")
        self.go_back({
            "t": record.number("t"), "y": record.array("y", n),
            "works": record.array("works", self._n_works),
            "residual": record.number("residual", 0.0),
            "counts": record.counts("counts", self.counts),
            "may_jam": record.choices("may_jam", len(self.contacts.touches)),
            "n_events": len(self.ledger), "n_samples": 0,
            "sampled": record.array("sampled", 1 + self._n_forces),
            "taken": record.number("taken", 1e-300, 2.0 * self.method.dt),
            **self._checked(record),
        })  # fmt: skip
        self._safe = self._memory()

    def hold(self, held: Any) -> None:
        """Take new sampled inputs; a sample at this time is there twice, before and after."""
        has_jumped = not np.array_equal(self.held, held)
        self.held = np.array(held)
        if self._sampled[0] == self.t:
            before = self._sampled[1:]
            self._sample(self._forces_ahead(before) if has_jumped else before)
        self._safe = self._memory()

    def _memory(self) -> dict[str, Any]:
        """All that the next step depends on, and the counts; arrays in it do not change."""
        return {
            "t": self.t, "y": self.y, "works": self.works, "residual": self.residual,
            "counts": dict(self.counts), "may_jam": sorted(self._may_jam),
            "n_events": len(self.ledger), "n_samples": len(self.samples.times),
            "sampled": self._sampled, "taken": self._taken,
            **self._own_memory(),
        }  # fmt: skip

    def memory(self) -> dict[str, Any]:
        """Memory to go on from: before the step that the end cut short, or that is unfinished."""
        return self.mark or self._safe

    def pause(self) -> None:  # noqa: B027
        """Nothing: between two steps a run is complete."""

    def go_back(self, memory: Mapping[str, Any] | None = None) -> None:
        """Take back an earlier state, by default that before an unfinished step."""
        memory = memory or self._safe
        if not memory:  # it has failed at the start
            return
        self.t, self.y = memory["t"], np.array(memory["y"])
        self.works, self.residual = memory["works"], memory["residual"]
        self.counts, self._may_jam = dict(memory["counts"]), set(memory["may_jam"])
        n = memory["n_samples"]
        del self.ledger[memory["n_events"] :], self._forces[n:]
        self.samples.cut(n)
        self._sampled, self._taken = memory["sampled"], memory["taken"]
        self._recall(memory)

    def advance_to(
        self, t_end: float, times: Any, progress: Callable[..., None] | None, *, is_end: bool = True
    ) -> Status:
        """Advance in equal steps; the last one before a stop is as long as is left."""
        self.watch.begin(self._looked_at())
        while self.t < t_end:
            self._safe = self._memory()
            self.look()
            if self._run_ahead(t_end, times):
                step = self.method.dt
            else:
                self._safe = self._memory()
                status, step = self._advance_one(t_end, times, is_end=is_end)
                if status != Status.FINISHED:
                    return status
            if progress is not None:
                progress(self.t, step)
        if is_end and not self.mark:
            self.mark = self._memory()
        self._safe = self._memory()
        return Status.FINISHED

    def _run_ahead(self, t_end: float, times: Any) -> bool:
        """Take as many steps as can be taken at once; tell whether to go on so."""
        return False

    def _advance_one(self, t_end: float, times: Any, *, is_end: bool) -> tuple[Status, float]:
        """Take one step with all that may happen in it; return its length too."""
        h = self.method.dt
        next_sample = int(np.searchsorted(times, self.t + _SAME * h, side="right"))
        is_last = t_end - self.t <= (1.0 + _SHORTEST) * h
        step = t_end - self.t if is_last else h
        if is_end and step != h:
            self.mark = self._safe
        ahead = np.asarray(times[next_sample:])
        within = ahead[ahead < self.t + step - _SAME * h] if self.hits_times else ()
        sampled = [self._sampled_within(t) for t in within]
        forces = self._stepped(step)
        for sample in sampled:
            if sample[0] < self.t:  # unless an event has ended the run before
                self._keep(*sample)
        if not self.is_over:
            self.t = t_end if is_last else on_grid(self.t, self.t_begin, h)
        if not np.isfinite(self.y).all():
            self.go_back()
            return Status.NOT_FINITE, step
        self.counts["steps"] += 1
        self._look(forces)
        next_sample += len(within)
        is_due = next_sample < len(times) and self.t >= times[next_sample] - _SAME * h
        if is_due or self.is_over:
            self._sample(forces, times[next_sample : next_sample + 1])
        return Status.TERMINAL_EVENT if self.is_over else Status.FINISHED, step

    def _sampled_within(self, t: float) -> tuple[Any, ...]:
        """Sample at a time within the next step, by a shorter step that is taken back."""
        forces = self._moved_on(t - self.t)
        sample = t, self.y, forces, self.works
        self.go_back()
        return sample

    def _moved_on(self, h: float) -> Any:
        """Take a step; return the forces of all rows."""
        forces, self._taken = self._step(h), h
        q, v = self.y[: self.n_q], self.y[self.n_q :]
        self.y[: self.n_q] = self.contacts.following.kept(q, v, self._u, self.t)
        return forces

    def _stepped(self, h: float) -> Any:
        """Take a step, or the part of it up to an event that ends the run; return the forces.

        Events within are looked for by shorter steps, which are taken back.
        """
        forces = self._moved_on(h)
        if not self.watch:
            return forces
        found: list[Found] = []

        def after(x: float) -> Any:
            nonlocal forces
            self.go_back()
            forces = self._moved_on(x)
            return self._looked_at()

        for _, passed in self.watch.within(after, h, self._looked_at()):
            q, v = self.y[: self.n_q], self.y[self.n_q :]
            found += [Found(self.watch.names[k], self.t, q.copy(), v.copy()) for k in passed]
            self.is_over = self.watch.ends(passed)
            if self.is_over:
                break
        if found and not self.is_over:
            after(h)
        self.ledger += found
        return forces

    def _looked_at(self) -> Any:
        """Event functions at the present state."""
        y, n_q = self.y, self.n_q
        return self.watch.values(y[:n_q], y[n_q:], self.held, self.t, self.p)

    def _look(self, forces: Any) -> None:
        """Look whether forces that act together for the first time are unique."""
        acting = tuple(np.flatnonzero(forces[: self.contacts.n_rows]).tolist())
        if acting in self._acted or not 1 < len(acting) <= MOST_ROWS:
            return
        self._acted.add(acting)
        count = self.counts["evaluations"]
        rows = self._rows(self.y[: self.n_q], self.y[self.n_q :], self.t)
        self.counts["evaluations"] = count
        slow = self._slow
        self.redundancy.look(rows, [row for row in acting if abs(rows.u[row]) <= slow[row]])

    def solved(self, *problem: Any, **options: Any) -> Any:
        """Solution of a contact problem; the worst residual of all steps is remembered."""
        found, residual = solved(*problem, **options, is_swept=True)
        self._take_residual(residual)
        return found

    def _take_residual(self, residual: float) -> None:
        self.step_residual, self.residual = residual, max(self.residual, residual)

    # -- at a state -------------------------------------------------------------------------------

    @property
    def _u(self) -> Any:
        return np.concatenate([self.held, self.modes.numbers.ravel()])

    def _rows(self, q: Any, v: Any, t: float) -> Rows:
        self.counts["evaluations"] += 1
        return self.contacts.rows(q, v, self._u, t)

    def _normalised(self, q: Any) -> Any:
        for k in self.quaternions:
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        return q

    def charge_work(self, works: Any, drives: float = 0.0) -> None:
        """Add work [J] of the forces or impulses along all rows, and of drives through them."""
        total = self.works.copy()  # memories hold the old one
        total[:-1] += works
        total[-1] += drives if self.kernels.has_drift else 0.0
        self.works = total

    def charge_held_work(self, work: float) -> float:
        """Add work [J] in an impact of what holds measures that move; a sample now has it too."""
        if work != 0.0:
            self.works = np.append(self.works[:-1], self.works[-1] + work)
            if self.samples.times and self.samples.times[-1] == self.t:
                self.samples.replace_works(self.works)
        return work

    # -- results ----------------------------------------------------------------------------------

    def _log(self, kind: str, name: str, v: Any, details: dict[str, Any] | None = None) -> None:
        q = self.y[: self.n_q].copy()
        self.ledger.append(Found(name, self.t, q, np.array(v), kind, details or {}))

    def _log_impact(
        self, hit: Sequence[int], v: Any, v_after: Any, energy: float,
        impulses: Any, rows: Rows, after: Any, held: float = 0.0,
    ) -> None:  # fmt: skip
        names = tuple(self.contacts.touches[k].name for k in hit)
        parts = {
            word: tuple(self.contacts.parts(k, values) for k in hit)
            for word, values in (("impulses", impulses), ("before", rows.u), ("after", after))
        }
        numbers = {
            "energy": energy,
            "drive_work": rows.drive_work(v, impulses) + held,
            "residual": self.step_residual,
        }
        details = {"contacts": names, "v_after": tuple(v_after.tolist()), **parts, **numbers}
        self._log("impact", ", ".join(names), v, details)

    def _sample(self, forces: Any, wanted: Any = ()) -> None:
        """Keep the present state, at the time that was asked for if they differ by rounding."""
        near = (float(t) for t in wanted if abs(t - self.t) <= _SAME * self.method.dt)
        self._keep(next(near, self.t), self.y, forces, self.works)
        self._sampled = np.concatenate([[self.t], forces])

    def _keep(self, t: float, y: Any, forces: Any, works: Any) -> None:
        self.samples.add(t, y, self.modes, self.held, works)
        self._forces.append(forces)

    def forces(self, order: Any, keep: Any) -> Any:
        """Forces of the contact points at the samples."""
        n = len(self.samples.times)
        found = np.zeros((n, 3 * len(self.contacts.touches)))
        known = self._forces if len(self._forces) == n else [*self._forces, self._acting]
        for i, rows in enumerate(known):  # where a run has stopped, its last state was added
            for k, x in enumerate(self.contacts.touches):
                if x.leans_on is not None:
                    found[i, 3 * k] = rows[x.leans_on]
                for j, row in enumerate(x.tangents):
                    found[i, 3 * k + 1 + j] = rows[row]
        return found[order][keep]
