"""Time stepping of Moreau and Jean on the level of velocities.

    v⁺ = v + h (θ a⁺ + (1 − θ) a) + M_c⁻¹ Wᵀ Λ,   q⁺ = q + h Y (θ v⁺ + (1 − θ) v)     (CT-6)
    0 ≤ u⁺ + e u⁻ ⊥ Λ ≥ 0 for contacts with g + h/2 ġ ≤ 0                       (CT-7)
    q⁺ + Y M_c⁻¹ W_Nᵀ σ,   0 ≤ g + G_NN σ ⊥ σ ≥ 0, if positions are corrected      (CT-8)

with a the accelerations without contact (Pfeiffer 3.173–3.174). Newton's method for a⁺ has the
matrix D = 1 − hθ ∂a/∂v − h²θ² (∂a/∂q) Y, and contacts see the response W D⁻¹ M_c⁻¹ Wᵀ. Friction of
a given capacity acts with impulses up to h times the capacity.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jourdain.analysis.contact.event_driven import Samples
from jourdain.analysis.contact.impact import coulomb_blocks, solved
from jourdain.analysis.contact.methods import MoreauJean
from jourdain.analysis.contact.modes import Modes
from jourdain.analysis.contact.rows import Contacts, Rows
from jourdain.errors import AssemblyError
from jourdain.results import Event as Found
from jourdain.solvers import Status
from jourdain.solvers.nonsmooth import Disc, HalfLine, Segment
from jourdain.system.contact import ContactKernels

_TOUCHES = 1e-12  # [m] gap that is none
_RESTS = 1e-8  # [m] overlap that is left, so that contacts at rest stay closed
_SLOW = 1e-9  # [m/s] approach that is none
_ROUNDS = 4  # corrections of positions
_NEWTON = 8  # steps for implicit forces; one is exact for linear ones


class TimeSteppingRun:
    """One simulation in equal steps.

    Parameters
    ----------
    contacts : Contacts
        The contacts.
    kernels : ContactKernels
        Compiled functions.
    method : MoreauJean
        Step.
    quaternions : list of int
        Places of quaternions.
    """

    has_forces = True

    def __init__(
        self,
        contacts: Contacts,
        kernels: ContactKernels,
        method: MoreauJean,
        quaternions: list[int],
    ) -> None:
        self.contacts, self.kernels, self.method = contacts, kernels, method
        self.quaternions = quaternions
        self.system, self.p = contacts.system, contacts.p
        self.n_q = len(self.system.names.q)
        self.samples, self.ledger = Samples(), []  # type: ignore[var-annotated]
        self.counts = {"steps": 0, "rejected": 0, "evaluations": 0}
        self.is_over, self.contact_work = False, 0.0
        self._impulses: list[Any] = []
        self._last = np.zeros(contacts.n_rows)  # impulses of the step before
        self._open = Modes.open(len(contacts.touches))

    def begin(self, y: Any, t: float, held: Any) -> None:
        """Take the start."""
        self.t, self.y, self.held = t, np.array(y), np.array(held)
        self.begun, self.done = t, 0
        rows = self._rows(self.y[: self.n_q], self.y[self.n_q :], t)
        for x, gap in zip(self.contacts.touches, rows.gaps, strict=True):
            if x.has_gap and gap < -1e-6:
                raise AssemblyError(
                    f"contact {x.name!r} overlaps by {-gap:.3g} m at the start. Move the bodies "
                    "apart, or give start values at which they only touch."
                )
        self._sample(np.zeros(self.contacts.n_rows))

    def hold(self, held: Any) -> None:
        """Take new sampled inputs."""
        self.held = np.array(held)

    def _rows(self, q: Any, v: Any, t: float) -> Rows:
        return self.contacts.rows(q, v, self._u, t)

    @property
    def _u(self) -> Any:
        return np.concatenate([self.held, self._open.numbers.ravel()])

    def advance_to(self, t_end: float, times: Any, progress: Callable[..., None] | None) -> Status:
        """Advance in equal steps; the last one before a stop is as long as is left."""
        h = self.method.dt
        next_sample = int(np.searchsorted(times, self.t, side="right"))
        while self.t < t_end - 1e-12 * h:
            step = min(h, t_end - self.t)
            impulses = self._step(step)
            if next_sample < len(times) and self.t >= times[next_sample] - 1e-9 * h:
                self._sample(impulses / step)
                next_sample = int(np.searchsorted(times, self.t + 1e-9 * h, side="right"))
            if progress is not None and self.counts["steps"] % 200 == 0:
                progress(self.t, step)
        self.t = t_end
        return Status.FINISHED

    def _step(self, h: float) -> Any:
        """One step (CT-6, CT-7); returns the impulses of all rows."""
        q, v, t = self.y[: self.n_q], self.y[self.n_q :], self.t
        q_m = self._moved(q, v, 0.5 * h, t)
        rows = self._rows(q_m, v, t + 0.5 * h)
        active = [
            k for k, x in enumerate(self.contacts.touches)
            if x.normal is not None and (not x.has_gap or rows.gaps[k] <= _TOUCHES)
        ]  # fmt: skip
        v_new, impulses = self._velocities(rows, active, h)
        theta = self.method.theta
        q_new = self._moved(q, theta * v_new + (1.0 - theta) * v, h, t + 0.5 * h)
        self.t += h
        self.contact_work += 0.5 * float(impulses @ (2.0 * rows.u + rows.W @ (v_new - v)))
        hit = v_new
        if self.method.is_corrected:
            q_new, v_new = self._apart(q_new, v_new)
        if self.system.has_constraints:
            q_new, v_new = self.system.project(q_new, v_new, self.t, parameters=self.p)
        self.y = np.concatenate([q_new, v_new])
        self.counts["steps"] += 1
        self._note_impacts(rows, active, impulses, v, hit)
        return impulses

    def _apart(self, q: Any, v: Any) -> tuple[Any, Any]:
        """Positions without overlap, and velocities that pay for the energy of the shift (CT-8).

        Contacts that still approach are left to the impact of the next step.
        """
        for _ in range(_ROUNDS):
            rows = self._rows(q, v, self.t)
            near = [
                (k, x) for k, x in enumerate(self.contacts.touches)
                if x.has_gap and rows.gaps[k] <= _TOUCHES and rows.u[x.normal] >= -_SLOW
            ]  # fmt: skip
            gaps = rows.gaps[[k for k, _ in near]]
            normals = [x.normal for _, x in near if x.normal is not None]
            if not near or gaps.min() >= -2.0 * _RESTS:
                break
            c = np.zeros(len(rows.u))
            c[normals] = gaps + _RESTS
            shift, _ = solved(rows.G, c, [HalfLine(n) for n in normals], near, self.t, "position")
            q = self._moved(q, rows.B.T @ shift, 1.0, self.t)
            v = self._paid(rows, v, shift)
        return q, v

    def _paid(self, rows: Rows, v: Any, shift: Any) -> Any:
        """Velocities after a shift against forces: its work is taken from the rebound."""
        work = -float(shift @ (rows.W @ rows.vdot))
        self.contact_work += work
        leaving = np.flatnonzero((shift > 0.0) & (rows.W @ v > 0.0))
        if work <= 0.0 or not len(leaving):
            return v
        u = (rows.W @ v)[leaving]
        impulse = np.linalg.lstsq(rows.G[np.ix_(leaving, leaving)], u, rcond=1e-12)[0]
        rebound = 0.5 * float(u @ impulse)
        part = 1.0 - np.sqrt(max(0.0, 1.0 - work / max(rebound, 1e-300)))
        self.contact_work -= rebound * (2.0 * part - part**2)
        return v - part * (rows.B[leaving].T @ impulse)

    def _velocities(self, rows: Rows, active: list[int], h: float) -> tuple[Any, Any]:
        """Velocities at the end of a step, and impulses (CT-6, CT-7), by Newton's method."""
        q, v, theta = self.y[: self.n_q], self.y[self.n_q :], self.method.theta
        before = self._accelerations(q, v, self.t)
        new, impulses, error = v + h * before, np.zeros(self.contacts.n_rows), np.inf
        for k in range(_NEWTON):
            q_new = self._moved(q, theta * new + (1.0 - theta) * v, h, self.t + 0.5 * h)
            after = self._accelerations(q_new, new, self.t + h) if theta > 0.0 else before
            rest = new - v - h * (theta * after + (1.0 - theta) * before)
            response = rows.B.T
            error, last = np.abs(rest - response @ impulses).max(initial=0.0), error
            is_exact = error <= 1e-14 * (1.0 + np.abs(new).max(initial=0.0))
            if k and (is_exact or (k > 1 and error >= last)):  # the first error is without impulses
                break
            if theta > 0.0 and self.kernels.has_stiffness:
                D = self._matrix(q_new, new, self.t + h, h)
                rest, response = np.linalg.solve(D, rest), np.linalg.solve(D, response)
            free = new - rest
            impulses = self._impulses_of(rows, free, response, active, h)
            new = free + response @ impulses
        return new, impulses

    def _accelerations(self, q: Any, v: Any, t: float) -> Any:
        self.counts["evaluations"] += 1
        return self.kernels.open_rates(q, v, self._u, t, self.p)[1]

    def _matrix(self, q: Any, v: Any, t: float, h: float) -> Any:
        """D of the implicit part of a step."""
        by_v, by_q = self.kernels.stiffness(q, v, self._u, t, self.p)
        theta = self.method.theta
        return np.eye(len(v)) - h * theta * by_v - (h * theta) ** 2 * by_q

    def _impulses_of(
        self, rows: Rows, free: Any, response: Any, active: list[int], h: float
    ) -> Any:
        touches = [(k, self.contacts.touches[k]) for k in active]
        c = rows.u + rows.W @ (free - self.y[self.n_q :])
        e = self.contacts.restitutions(rows)
        for k, x in touches:
            c[x.normal] += e[k] * min(rows.u[x.normal], 0.0)
        blocks = coulomb_blocks(rows, touches)
        for k, x in enumerate(self.contacts.touches):
            if x.is_dry:
                limit = float(h * rows.capacity[k, 0])
                if len(x.tangents) == 1:
                    blocks.append(Segment(x.tangents[0], -limit, limit))
                else:
                    first, second = x.tangents
                    blocks.append(Disc((first, second), limit))
        if not blocks:
            return np.zeros(len(c))
        every = list(enumerate(self.contacts.touches))
        found = solved(rows.W @ response, c, blocks, every, self.t, "contact", start=self._last)
        self._last = found[0]
        return self._last

    def _moved(self, q: Any, v: Any, h: float, t: float) -> Any:
        rates = self.kernels.open_rates(q, v, self._u, t, self.p)[0]
        moved = q + h * rates
        for k in self.quaternions:
            moved[k : k + 4] /= np.linalg.norm(moved[k : k + 4])
        return moved

    def _note_impacts(self, rows: Rows, active: list[int], impulses: Any, v: Any, new: Any) -> None:
        """Log contacts that were met with a velocity that one step of forces does not explain."""
        h = self.method.dt
        hit = [
            k for k in active
            if self.contacts.touches[k].has_gap
            and impulses[self.contacts.touches[k].normal] > 0.0
            and rows.u[self.contacts.touches[k].normal]
            < -2.0 * h * (1.0 + np.abs(rows.acceleration[self.contacts.touches[k].normal]))
        ]  # fmt: skip
        if not hit:
            return
        names = tuple(self.contacts.touches[k].name for k in hit)
        after = rows.u + rows.W @ (new - v)
        parts = {
            word: tuple(self._parts(k, values) for k in hit)
            for word, values in (("impulses", impulses), ("before", rows.u), ("after", after))
        }
        energy = 0.5 * float(impulses @ (rows.u + after))
        details = {"contacts": names, "v_after": tuple(new.tolist()), **parts, "energy": energy}
        q = self.y[: self.n_q].copy()
        self.ledger.append(Found(", ".join(names), self.t, q, v.copy(), "impact", details))

    def _parts(self, k: int, values: Any) -> tuple[float, ...]:
        x = self.contacts.touches[k]
        return tuple(float(values[row]) for row in (x.normal, *x.tangents))

    def _sample(self, forces: Any) -> None:
        self.samples.add(self.t, self.y, self._open, self.held)
        self._impulses.append(forces)

    def forces(self, order: Any, keep: Any) -> Any:
        """Forces of the touchings at the samples: impulses of the step over its length."""
        found = np.zeros((len(self._impulses), 3 * len(self.contacts.touches)))
        for i, rows in enumerate(self._impulses):
            for k, x in enumerate(self.contacts.touches):
                if x.normal is not None:
                    found[i, 3 * k] = rows[x.normal]
                for j, row in enumerate(x.tangents):
                    found[i, 3 * k + 1 + j] = rows[row]
        return found[order][keep]
