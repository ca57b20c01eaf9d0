"""Time stepping of Moreau and Jean on the level of velocities.

    v⁺ = v + h (θ a⁺ + (1 − θ) a) + M_c⁻¹ Wᵀ Λ,   q⁺ = q + h Y (θ v⁺ + (1 − θ) v)     (CT-6)
    0 ≤ u⁺ + e u⁻ ⊥ Λ ≥ 0 for contacts with g + h/2 ġ ≤ 0                       (CT-7)
    q⁺ + Y M_c⁻¹ W_Nᵀ σ,   0 ≤ g + G_NN σ ⊥ σ ≥ 0, if positions are corrected      (CT-8)

with a the accelerations without contact (Pfeiffer 3.173–3.174). Newton's method for a⁺ has the
matrix D = 1 − hθ ∂a/∂v − h²θ² (∂a/∂q) Y, and contacts see the response W D⁻¹ M_c⁻¹ Wᵀ. Friction of
a given capacity acts with impulses up to h times the capacity. Where contacts that approach follow
Poisson's law, the impact (CT-5) comes first, and its velocities take the place of −e u⁻ in (CT-7).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jourdain.model.laws import Poisson
from jourdain.simulation.contact.compiled_step import CompiledStep
from jourdain.simulation.contact.impact import coulomb_blocks, impact
from jourdain.simulation.contact.rows import Contacts, Rows
from jourdain.simulation.contact.stepped import SteppedRun
from jourdain.simulation.contact.watch import Watch
from jourdain.simulation.methods import MoreauJean
from jourdain.solvers import Record
from jourdain.solvers.moreau_jean import APPROACH_SPEED, RESTS
from jourdain.solvers.nonsmooth import Disc, HalfLine, Segment
from jourdain.solvers.touchings import TOUCHES
from jourdain.system.contact import ContactKernels

_ROUNDS = 4  # corrections of positions
_NEWTON = 8  # steps for implicit forces; one is exact for linear ones


class TimeSteppingRun(SteppedRun):
    """One simulation in equal steps, by Moreau and Jean.

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
    watch : Watch
        Events to find.
    """

    def __init__(
        self,
        contacts: Contacts,
        kernels: ContactKernels,
        method: MoreauJean,
        quaternions: list[int],
        watch: Watch,
    ) -> None:
        super().__init__(contacts, kernels, method, quaternions, watch)
        self._last = np.zeros(contacts.n_rows)  # impulses of the step before
        self._compiled = (
            None if contacts.following else CompiledStep(contacts, kernels, quaternions, method)
        )

    @property
    def _acting(self) -> Any:
        return self._last / self._taken

    def _own_memory(self) -> dict[str, Any]:
        return {"last": self._last}

    def _checked(self, record: Record) -> dict[str, Any]:
        return {"last": record.array("last", self.contacts.n_rows)}

    def _recall(self, memory: Mapping[str, Any]) -> None:
        self._last = memory["last"]

    def _step(self, h: float) -> Any:
        """One step (CT-6, CT-7); returns the mean forces of all rows."""
        quick = self._compiled
        if quick is None or not self._advanced(quick, h):
            return self._general_step(h)
        self.t += h
        self._may_jam = set()
        self._take_residual(quick.residual)
        works = quick.works[:-1]
        self.charge_work(works, quick.works[-1])
        self._last = quick.impulses[:-1].copy()
        v = self.y[self.n_q :]
        self._end(quick.y[: self.n_q], quick.y[self.n_q :], is_apart=not quick.has_overlap)
        if quick.has_impact:
            rows, struck = quick.rows, quick.new[:-1].copy()
            self._note_impacts(rows, self._closed(rows), self._last, v, struck, works)
        return self._last / h

    def _advanced(self, quick: CompiledStep, h: float) -> bool:
        """Try a step in machine code."""
        quick.y[:], quick.last[:-1] = self.y, self._last
        quick.hold(self._u)
        is_done = quick.advance(self.t, h)
        self.counts["evaluations"] += quick.taken_evaluations()
        return is_done

    def _closed(self, rows: Rows) -> list[int]:
        """Contacts that take part in a step."""
        return [
            k for k, x in enumerate(self.contacts.touches)
            if x.normal is not None and (not x.has_gap or rows.gaps[k] <= TOUCHES)
        ]  # fmt: skip

    def _end(self, q: Any, v: Any, *, is_apart: bool = False) -> None:
        """Take a state at the end of a step, moved apart and onto constraints."""
        if self.method.corrects_positions and not is_apart:
            q, v = self._apart(q, v)
        if self.system.has_constraints:
            q, v = self.system.project(q, v, self.t, parameters=self.p)
        self.y = np.concatenate([q, v])

    def _general_step(self, h: float) -> Any:
        """As `_step`, for all laws."""
        q, v, t = self.y[: self.n_q], self.y[self.n_q :], self.t
        q_m = self._moved(q, v, 0.5 * h, t)
        rows = self._rows(q_m, v, t + 0.5 * h)
        active = self._closed(rows)
        self._note_not_unique(rows, [k for k in active if not self._hits(rows, k)])
        hit, dv, works, wanted = self._rebound(rows, active)
        if self.kernels.is_moved:
            wanted += rows.u - self._rows(q_m, v, t + h).u
        v_new, impulses = self._velocities(rows, active, h, dv, wanted)
        u = rows.u + rows.W @ dv
        works += 0.5 * impulses * (u + rows.u + rows.W @ (v_new - v))
        theta = self.method.theta
        q_new = self._moved(q, theta * v_new + (1.0 - theta) * v, h, t + 0.5 * h)
        self.t += h
        impulses, struck = impulses + hit, v_new
        self.charge_work(works, rows.drive_work(v, impulses))
        self._end(q_new, v_new)
        self._note_impacts(rows, active, impulses, v, struck, works)
        return impulses / h

    def _rebound(self, rows: Rows, active: list[int]) -> tuple[Any, Any, Any, Any]:
        """Impulses, change of velocities and work of impacts, and the velocities wanted after.

        Newton's law only wants velocities; Poisson's (CT-5) begins with its impulses.
        """
        touches = [self.contacts.touches[k] for k in active]
        wanted = np.zeros(len(rows.u))
        approach = [
            rows.u[x.normal] < -APPROACH_SPEED and isinstance(x.impact, Poisson) for x in touches
        ]
        if not any(approach):
            e = self.contacts.restitutions(rows)
            for k, x in zip(active, touches, strict=True):
                wanted[x.normal] = -e[k] * min(rows.u[x.normal], 0.0)
            none = np.zeros(len(rows.u))
            return none, np.zeros(rows.W.shape[1]), none.copy(), wanted
        hit = impact(self.contacts, rows, active, self.t)
        for x in touches:
            if hit.impulses[x.normal] > 0.0:
                wanted[x.normal] = max(0.0, hit.after[x.normal])
        return hit.impulses, hit.dv, hit.works, wanted

    def _apart(self, q: Any, v: Any) -> tuple[Any, Any]:
        """Positions without overlap, and velocities that pay for the energy of the shift (CT-8).

        Contacts that still approach are left to the impact of the next step.
        """
        for _ in range(_ROUNDS):
            rows = self._rows(q, v, self.t)
            near = [
                (k, x) for k, x in enumerate(self.contacts.touches)
                if x.has_gap and rows.gaps[k] <= TOUCHES and rows.u[x.normal] >= -APPROACH_SPEED
            ]  # fmt: skip
            gaps = rows.gaps[[k for k, _ in near]]
            normals = [x.normal for _, x in near if x.normal is not None]
            if not near or gaps.min() >= -2.0 * RESTS:
                break
            c = np.zeros(len(rows.u))
            c[normals] = gaps + RESTS
            blocks = [HalfLine(n) for n in normals]
            shift = self.solved(rows.G, c, blocks, near, self.t, "position")
            q = self._moved(q, rows.B.T @ shift, 1.0, self.t)
            v = self._paid(rows, v, shift)
        return q, v

    def _velocities(
        self, rows: Rows, active: list[int], h: float, dv: Any, wanted: Any
    ) -> tuple[Any, Any]:
        """Velocities at the end of a step, and impulses (CT-6, CT-7), by Newton's method.

        ``dv`` is what impacts have changed before; ``wanted`` are velocities of rebound.
        """
        q, v, theta = self.y[: self.n_q], self.y[self.n_q :], self.method.theta
        before = self._accelerations(q, v, self.t)
        new, impulses, error = v + dv + h * before, np.zeros(self.contacts.n_rows), np.inf
        for k in range(_NEWTON):
            q_new = self._moved(q, theta * new + (1.0 - theta) * v, h, self.t + 0.5 * h)
            after = self._accelerations(q_new, new, self.t + h) if theta > 0.0 else before
            rest = new - v - dv - h * (theta * after + (1.0 - theta) * before)
            response = rows.B.T
            error, last = np.abs(rest - response @ impulses).max(initial=0.0), error
            is_exact = error <= 1e-14 * (1.0 + np.abs(new).max(initial=0.0))
            if k and (is_exact or (k > 1 and error >= last)):  # the first error is without impulses
                break
            if theta > 0.0 and self.kernels.has_stiffness:
                D = self._matrix(q_new, new, self.t + h, h)
                rest, response = np.linalg.solve(D, rest), np.linalg.solve(D, response)
            free = new - rest
            impulses = self._impulses_of(rows, free, response, active, h, wanted)
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
        self, rows: Rows, free: Any, response: Any, active: list[int], h: float, wanted: Any
    ) -> Any:
        touches = [(k, self.contacts.touches[k]) for k in active]
        c = rows.u + rows.W @ (free - self.y[self.n_q :]) - wanted
        blocks = coulomb_blocks(self.contacts, rows, touches)
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
        G = rows.W @ response
        self._last = self.solved(G, c, blocks, every, self.t, "contact", start=self._last)
        return self._last

    def _note_impacts(
        self, rows: Rows, active: list[int], impulses: Any, v: Any, new: Any, works: Any
    ) -> None:
        """Log contacts that were met."""
        touches = self.contacts.touches
        hit = [k for k in active if impulses[touches[k].normal] > 0.0 and self._hits(rows, k)]
        if hit:
            after = rows.u + rows.W @ (new - v)
            self._log_impact(hit, v, new, float(works.sum()), impulses, rows, after)

    def _hits(self, rows: Rows, k: int) -> bool:
        """Tell whether a contact comes with a velocity that one step does not explain.

        Forces and the curvature of what it touches do so even where they cancel: where it lets go.
        """
        x = self.contacts.touches[k]
        change = abs(rows.W[x.normal] @ rows.vdot) + abs(rows.bias[x.normal])
        return x.has_gap and bool(
            rows.u[x.normal] < -2.0 * self.method.dt * change - APPROACH_SPEED
        )
