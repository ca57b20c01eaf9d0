"""Nonsmooth generalised-α: order two while contacts last, order one over impacts.

    (1 − α_m) a⁺ + α_m a = (1 − α_f) f⁺ + α_f f,   f = dv/dt|₀ + M_c⁻¹ Wᵀ λ             (CT-9)
    ṽ = v + h ((1 − γ) a + γ a⁺),   q̃ = q + h Y (v + h (½ − β) a + h β a⁺)          (CT-10)
    q⁺ = q̃ + Y M_c⁻¹ W_Nᵀ σ,   0 ≤ g⁺ ⊥ h² λ_N + σ ≥ 0                          (CT-11)
    v⁺ = ṽ + M_c⁻¹ Wᵀ Λ,   0 ≤ u_N⁺ ⊥ h λ_N + Λ_N ≥ 0,   friction likewise              (CT-12)

Forces λ of contacts that last are found on the level of accelerations, positions and velocities are
set right on their own levels, and contacts that close within a step meet in the impact equations
(CT-4, CT-5). After an impact, and where a mode changes, a begins anew from f (Chen, Acary, Virlez,
Brüls 2013; Brüls, Acary, Cardona 2014; level after level as Cosimo et al. 2020).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from jourdain.simulation.contact.holding import Holding
from jourdain.simulation.contact.impact import impact
from jourdain.simulation.contact.rows import Rows, Touch
from jourdain.simulation.contact.steps.smooth_alpha import SmoothAlpha
from jourdain.simulation.contact.steps.stepped import SteppedRun
from jourdain.solvers import Record
from jourdain.solvers.nonsmooth import HalfLine

_CLOSED = 1e-9  # [m] gap at the start that is none
_SLOW = 1e-10  # part of the largest velocity of a row that is none
_SHORT = 0.1  # part of a step in which a velocity that is none is taken back
_ROUNDS = 4  # corrections of positions
_EXACT = 1e-12  # [m] overlap that is left


class NonsmoothAlphaRun(SteppedRun):
    """One simulation in equal steps, by the nonsmooth generalised-α method.

    Parameters
    ----------
    contacts, kernels, method, quaternions, watch
        As of `SteppedRun`; the method is a `NonsmoothAlpha`.
    """

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.holding, self.smooth = Holding(), SmoothAlpha(self)

    @property
    def _acting(self) -> Any:
        return self.smooth.force

    def _own_memory(self) -> dict[str, Any]:
        return {**self.holding.memory(), **self.smooth.memory()}

    def _checked(self, record: Record) -> dict[str, Any]:
        return {**Holding.checked(record, self.contacts), **self.smooth.checked(record)}

    def _recall(self, memory: Mapping[str, Any]) -> None:
        self.holding = Holding.of(memory, self.contacts)
        self.smooth.recall(memory)

    def _begun(self, rows: Rows) -> Any:
        near = {
            k for k, x in enumerate(self.contacts.touches)
            if x.normal is not None and (rows.gaps[k] <= _CLOSED or not x.has_gap)
        }  # fmt: skip
        if any(self._rate(rows, k) < -self._slow(rows) for k in near):
            _, self.y[self.n_q :], rows, *_ = self._impact(rows, near, {}, self.y)
        self.holding.closed = near
        self._take_modes(rows, is_new=True)
        return self.smooth.force

    def hold(self, held: Any) -> None:
        """Take new sampled inputs; what slides and sticks is decided anew."""
        self.held = np.array(held)
        rows = self._rows(self.y[: self.n_q], self.y[self.n_q :], self.t)
        self._take_modes(rows, is_new=True, before=self.holding.copy())
        if self._sampled[0] == self.t:
            self._sample(self.smooth.force)
        self._safe = self._memory()

    def _step(self, h: float) -> Any:
        """One step (CT-9 to CT-12); returns the forces at its end."""
        before = self.holding.copy()
        q, v, mean = self.smooth.step(h)
        self.t += h
        rows = self._rows(q, v, self.t)
        since, way, given = self._hits(rows, h), np.zeros(len(mean)), h * mean
        if since:
            near = self.holding.closed | set(since)
            q, v, rows, way, struck = self._impact(rows, near, since, np.concatenate([q, v]))
            given = given + struck
            slow = self._slow(rows)
            self.holding.closed = {k for k in near if self._rate(rows, k) <= slow}
        q, rows, shift = self._positions(q, v, h * h * mean + way)
        if self.system.has_constraints:
            q, v = self.system.project(q, v, self.t, parameters=self.p)
            rows = self._rows(q, v, self.t)
        v, rows = self._velocities(rows, v, h, given)
        self.y = np.concatenate([q, self._paid(rows, v, shift) if shift.any() else v])
        self._take_modes(rows, is_new=bool(since), before=before)
        return self.smooth.force

    # -- modes ------------------------------------------------------------------------------------

    def _rate(self, rows: Rows, k: int) -> float:
        return float(rows.u[self.contacts.touches[k].normal])

    def _slow(self, rows: Rows) -> float:
        return _SLOW * (1.0 + float(np.abs(rows.u).max(initial=0.0)))

    def _rests(self, rows: Rows, k: int) -> float:
        """Velocity up to which a contact that an impact has stopped is closed.

        The shift out of an overlap turns the rows of curved contacts: it would be back in no time.
        """
        pull = -float(rows.acceleration[self.contacts.touches[k].normal])
        return max(self._slow(rows), _SHORT * float(self.method.dt) * pull)

    def _take_modes(self, rows: Rows, *, is_new: bool, before: Holding | None = None) -> None:
        """Modes at the velocities and forces of a state; where one is new, forces begin anew."""
        now, slow = self.holding, self._slow(rows)
        was_hit = is_new and before is not None
        now.closed = {
            k for k in now.closed
            if self._rate(rows, k) <= (self._rests(rows, k) if was_hit else slow)
        }  # fmt: skip
        now.heed(self.contacts, rows.u, slow)
        self._note_not_unique(rows, now.closed)
        if not is_new:
            now.drop_unloaded(self.contacts, rows, self.smooth.force, self.smooth.f)
        if is_new or before is None or now.differs(before):
            rows = self._rows(self.y[: self.n_q], self.y[self.n_q :], self.t)
            self.smooth.restart(rows)
            now.start_sliding(self.contacts, rows, self.smooth.f)
        for k, x in enumerate(self.contacts.touches):
            old, new = "slip" if x.is_dry else "open", now.word(self.contacts, k)
            if before is not None:
                old = before.word(self.contacts, k)
            if old != new:
                kind = "detachment" if new == "open" else new
                self._log(kind, x.name, self.y[self.n_q :])

    # -- levels -----------------------------------------------------------------------------------

    def found(
        self, G: Any, c: Any, laws: tuple[Any, Any, list[Any]], what: str, size: float = 0.0
    ) -> Any:
        """Forces or impulses r = T x + r₀ of rows whose rates are c + G r."""
        T, r0, blocks = laws
        if not blocks:
            return r0
        every = list(enumerate(self.contacts.touches))
        x = self.solved(G @ T, c + G @ r0, blocks, every, self.t, what, size)
        return T @ x + r0

    def _hits(self, rows: Rows, h: float) -> dict[int, float]:
        """Touchings that have closed within a step, and how long ago [s]."""
        since = {}
        rates = rows.W @ self.smooth.f + rows.bias
        for k, x in enumerate(self.contacts.touches):
            if x.normal is None or k in self.holding.closed:
                continue
            gap = float(rows.gaps[k]) if x.has_gap else 0.0
            u = float(rows.u[x.normal])
            if gap <= 0.0 and u < -self._slow(rows):
                root = np.sqrt(max(0.0, u * u - 2.0 * rates[x.normal] * gap))
                since[k] = min(h, -2.0 * gap / (root - u))
        return since

    def _impact(
        self, rows: Rows, near: set[int], since: dict[int, float], y: Any
    ) -> tuple[Any, Any, Rows, Any, Any]:
        """Positions and velocities after an impact, as if it had been when the gaps closed.

        Forces have acted on from there: the rebound and the way since then are less for it.
        """
        e = self.contacts.restitutions(rows)
        e[list(near - since.keys())] *= not since  # what lasted is at rest, but for rounding
        rates = rows.W @ self.smooth.f + rows.bias if since else rows.u
        for k, s in since.items():
            n = self.contacts.touches[k].normal
            e[k] = min(1.0, max(0.0, e[k] - (1.0 + e[k]) * s * rates[n] / rows.u[n]))
        hit = impact(self.contacts, rows, sorted(near), self.t, e)
        self._take_residual(hit.residual)
        self.charge_work(hit.works, rows.drive_work(y[self.n_q :], hit.impulses))
        q, v = y[: self.n_q], y[self.n_q :]
        way = hit.impulses * self._times(since)
        if way.any():
            works = -way * (rows.W @ rows.vdot)
            work = float(works.sum())
            if work > -hit.energy >= 0.0:  # the way since then must not cost more than is there
                way, works = way * (-hit.energy / work), works * (-hit.energy / work)
            self.charge_work(works)
            q = self._moved(q, self.smooth.response(rows) @ way, 1.0, self.t)
        pushed = [k for k in sorted(near) if hit.impulses[self.contacts.touches[k].normal] > 0.0]
        rest = hit.impulses, rows, hit.after
        self._log_impact(pushed, v, v + hit.dv, hit.energy, *rest)
        return q, v + hit.dv, replace(rows, u=hit.after), way, hit.impulses

    def _times(self, since: dict[int, float]) -> Any:
        """Time since the impact of all rows; contacts that lasted took part in the first."""
        times = np.full(self.contacts.n_rows, max(since.values(), default=0.0))
        for k, s in since.items():
            for j in self.contacts.together(k):
                times[list(self._rows_of(self.contacts.touches[j]))] = s
        return times

    def _positions(self, q: Any, v: Any, given: Any) -> tuple[Any, Rows, Any]:
        """Positions without overlap (CT-11), their rows, and the shift beyond the given one."""
        normals = {k: x.normal for k, x in enumerate(self.contacts.touches) if x.has_gap}
        closed = self.holding.closed & set(normals)
        begun = np.zeros(len(given))
        for k in closed:
            begun[normals[k]] = max(0.0, given[normals[k]])
        total, used = begun.copy(), set(closed)
        for turn in range(_ROUNDS + 1):
            rows = self._rows(q, v, self.t)
            used |= {k for k in normals if rows.gaps[k] < 0.0}
            wrong = [abs(rows.gaps[k]) if k in closed else -rows.gaps[k] for k in used]
            if turn == _ROUNDS or max(wrong, default=0.0) <= _EXACT:
                break
            response = self.smooth.response(rows)
            G = rows.W @ response
            c = -G @ total
            for k in used:
                c[normals[k]] += rows.gaps[k]
            blocks = [HalfLine(normals[k]) for k in sorted(used)]  # type: ignore[arg-type]
            touches = [(k, self.contacts.touches[k]) for k in used]
            size = float(np.linalg.norm(G @ total))
            new = self.solved(G, c, blocks, touches, self.t, "position", size)
            q = self._moved(q, response @ (new - total), 1.0, self.t)
            total = new
        return q, rows, total - begun

    def _velocities(self, rows: Rows, v: Any, h: float, given: Any) -> tuple[Any, Rows]:
        """Velocities that the contacts that last allow (CT-12), beyond impulses of the step."""
        self.holding.stop_reversed(self.contacts, rows.u)
        acting = self.holding.acting(self.contacts)
        acts = [
            row for k, x in enumerate(self.contacts.touches) if x.is_dry or k in acting
            for row in self._rows_of(x)
        ]  # fmt: skip
        known = np.zeros(len(given))
        known[acts] = given[acts]
        laws = self.holding.impulse_laws(self.contacts, rows, known, h)
        if not laws[2]:
            return v, rows
        pushed = rows.G @ known
        size = float(np.linalg.norm(rows.u) + np.linalg.norm(pushed))
        more = self.found(rows.G, rows.u - pushed, laws, "contact", size) - known
        after = rows.u + rows.G @ more
        self.charge_work(0.5 * more * (rows.u + after), rows.drive_work(v, more))
        return v + rows.B.T @ more, replace(rows, u=after)

    def _rows_of(self, x: Touch) -> tuple[int, ...]:
        return x.tangents if x.normal is None else (x.normal, *x.tangents)
