"""What all time steppings share: the loop over equal steps, samples, the ledger, positions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from jourdain.analysis.contact.event_driven import Samples
from jourdain.analysis.contact.impact import solved
from jourdain.analysis.contact.modes import Modes, not_unique
from jourdain.analysis.contact.redundancy import Redundancy
from jourdain.analysis.contact.rows import Contacts, Rows
from jourdain.analysis.contact.sanity import require_apart
from jourdain.results import Event as Found
from jourdain.solvers import Status
from jourdain.system.contact import ContactKernels

_SLOW = 1e-9  # [m/s] velocity that is none
_SHORTEST = 1e-6  # part of a step that is none, but rounding of the time


class SteppedRun(ABC):
    """One simulation in equal steps.

    A subclass gives ``_step(h)``: it moves ``self.y`` and ``self.t`` on and returns the forces of
    all rows over the step, or at its end.

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
    """

    has_forces = True

    def __init__(
        self, contacts: Contacts, kernels: ContactKernels, method: Any, quaternions: list[int]
    ) -> None:
        self.contacts, self.kernels, self.method = contacts, kernels, method
        self.quaternions = quaternions
        self.system, self.p = contacts.system, contacts.p
        self.n_q = len(self.system.names.q)
        self.samples, self.ledger = Samples(), []  # type: ignore[var-annotated]
        self.redundancy, self._acted = Redundancy(contacts), set[tuple[int, ...]]()
        self.counts = {"steps": 0, "rejected": 0, "evaluations": 0}
        self.is_over, self.contact_work, self.residual = False, 0.0, 0.0
        self.modes = Modes.open(len(contacts.touches))  # never other: contacts act by impulses
        self._forces: list[Any] = []
        self._may_jam: set[int] = set()

    @abstractmethod
    def _step(self, h: float) -> Any:
        """One step; returns the forces of all rows."""

    def begin(self, y: Any, t: float, held: Any) -> None:
        """Take the start."""
        self.t, self.y, self.held = t, np.array(y), np.array(held)
        self.y[: self.n_q] = self.contacts.following.found(self.y[: self.n_q], t)
        rows = self._rows(self.y[: self.n_q], self.y[self.n_q :], t)
        require_apart(self.contacts.touches, rows.gaps)
        self._sample(self._begun(rows))

    def _begun(self, rows: Rows) -> Any:
        """Forces of the rows at the start."""
        return np.zeros(len(rows.u))

    def hold(self, held: Any) -> None:
        """Take new sampled inputs; a sample at this time is there twice, before and after."""
        self.held = np.array(held)
        if self.samples.times[-1:] == [self.t]:
            self._sample(self._forces[-1])

    def advance_to(self, t_end: float, times: Any, progress: Callable[..., None] | None) -> Status:
        """Advance in equal steps; the last one before a stop is as long as is left."""
        h = self.method.dt
        next_sample = int(np.searchsorted(times, self.t, side="right"))
        while self.t < t_end:
            before, is_last = (self.t, self.y), t_end - self.t <= (1.0 + _SHORTEST) * h
            step = t_end - self.t if is_last else h
            forces = self._step(step)
            self.t = t_end if is_last else self.t
            if not np.isfinite(self.y).all():
                self.t, self.y = before
                return Status.NOT_FINITE
            q, v = self.y[: self.n_q], self.y[self.n_q :]
            self.y[: self.n_q] = self.contacts.following.kept(q, v, self._u, self.t)
            self.counts["steps"] += 1
            self._look(forces)
            if next_sample < len(times) and self.t >= times[next_sample] - 1e-9 * h:
                self._sample(forces)
                next_sample = int(np.searchsorted(times, self.t + 1e-9 * h, side="right"))
            if progress is not None and self.counts["steps"] % 200 == 0:
                progress(self.t, step)
        return Status.FINISHED

    def _look(self, forces: Any) -> None:
        """Look whether forces that act together for the first time are unique."""
        acting = tuple(np.flatnonzero(forces).tolist())
        if acting in self._acted:
            return
        self._acted.add(acting)
        rows = self._rows(self.y[: self.n_q], self.y[self.n_q :], self.t)
        self.redundancy.look(rows, [row for row in acting if abs(rows.u[row]) <= _SLOW])

    def solved(self, *problem: Any, **options: Any) -> Any:
        """Solution of a contact problem; the worst residual of all steps is remembered."""
        found, residual = solved(*problem, **options, is_swept=True)
        self.residual = max(self.residual, residual)
        return found

    # -- at a state -------------------------------------------------------------------------------

    @property
    def _u(self) -> Any:
        return np.concatenate([self.held, self.modes.numbers.ravel()])

    def _rows(self, q: Any, v: Any, t: float) -> Rows:
        self.counts["evaluations"] += 1
        return self.contacts.rows(q, v, self._u, t)

    def _rates(self, q: Any, v: Any, t: float) -> Any:
        return self.kernels.open_rates(q, v, self._u, t, self.p)[0]

    def _normalised(self, q: Any) -> Any:
        for k in self.quaternions:
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        return q

    def _moved(self, q: Any, v: Any, h: float, t: float) -> Any:
        """Positions after a time at a constant velocity."""
        return self._normalised(q + h * self._rates(q, v, t))

    def _paid(self, rows: Rows, v: Any, shift: Any) -> Any:
        """Velocities v after a shift against forces: its work is taken from the rebound."""
        work = -float(shift @ (rows.W @ rows.vdot))
        self.contact_work += work
        leaving = np.flatnonzero((shift > 0.0) & (rows.u > 0.0))
        if work <= 0.0 or not len(leaving):
            return v
        u = rows.u[leaving]
        impulse = np.linalg.lstsq(rows.G[np.ix_(leaving, leaving)], u, rcond=1e-12)[0]
        rebound = 0.5 * float(u @ impulse)
        part = 1.0 - np.sqrt(max(0.0, 1.0 - work / max(rebound, 1e-300)))
        self.contact_work -= rebound * (2.0 * part - part**2)
        return v - part * (rows.B[leaving].T @ impulse)

    # -- results ----------------------------------------------------------------------------------

    def _log(self, kind: str, name: str, v: Any, details: dict[str, Any] | None = None) -> None:
        q = self.y[: self.n_q].copy()
        self.ledger.append(Found(name, self.t, q, np.array(v), kind, details or {}))

    def _note_not_unique(self, rows: Rows, closed: Iterable[int]) -> None:
        """Log contacts that slide and could as well jam (Painlevé), where that begins."""
        found = not_unique(self.contacts, rows, closed)
        for k in found.keys() - self._may_jam:
            name, details = self.contacts.touches[k].name, {"response": found[k]}
            self._log("not_unique", name, self.y[self.n_q :], details)
        self._may_jam = set(found)

    def _log_impact(
        self, hit: Sequence[int], v: Any, v_after: Any, energy: float,
        impulses: Any, before: Any, after: Any,
    ) -> None:  # fmt: skip
        names = tuple(self.contacts.touches[k].name for k in hit)
        parts = {
            word: tuple(self.contacts.parts(k, values) for k in hit)
            for word, values in (("impulses", impulses), ("before", before), ("after", after))
        }
        details = {"contacts": names, "v_after": tuple(v_after.tolist()), **parts, "energy": energy}
        self._log("impact", ", ".join(names), v, details)

    def _sample(self, forces: Any) -> None:
        self.samples.add(self.t, self.y, self.modes, self.held)
        self._forces.append(forces)

    def forces(self, order: Any, keep: Any) -> Any:
        """Forces of the touchings at the samples."""
        found = np.zeros((len(self.samples.times), 3 * len(self.contacts.touches)))
        for i, rows in enumerate(self._forces):
            for k, x in enumerate(self.contacts.touches):
                if x.leans_on is not None:
                    found[i, 3 * k] = rows[x.leans_on]
                for j, row in enumerate(x.tangents):
                    found[i, 3 * k + 1 + j] = rows[row]
        return found[order][keep]
