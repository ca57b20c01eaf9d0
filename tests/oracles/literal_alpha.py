"""One step of nonsmooth generalised-α, written down literally with dense matrices.

    x = k + h g φ⁺,  φ⁺ = M(q⁺)⁻¹ f(q⁺, v⁺, t⁺),  M w = Wᵀ Λ + Pᵀ Λ_c,  v⁺ = v + x + w

by repeating until nothing changes (TS-8 to TS-12). It shares no code with the step in machine code.
Which contacts take part, when gaps close and how the slip turns is taken from that step: other
tests prove these.
"""

from dataclasses import dataclass

import numpy as np
from oracles.literal_step import LiteralStep, _solved


@dataclass
class LiteralAlpha(LiteralStep):
    """The step that a run of `NonsmoothAlpha` takes from its state; positions are not corrected."""

    def __post_init__(self):
        run = self.run
        self.y, self.t = run.y.copy(), run.t
        n_v = len(run.system.names.v)
        self.a, self.phi = (run._own[name][:n_v].copy() for name in ("a", "phi"))

    def step(self, h, native, rounds=300):
        """Velocities and positions after a step of h, and the impulses of all rows."""
        run, s, t, a, phi = self.run, self.run.system, self.t, self.a, self.phi
        a_m, a_f, gamma, beta = run.method.numbers
        g, b = gamma * (1.0 - a_f) / (1.0 - a_m), beta / gamma
        q, v = self.y[: run.n_q], self.y[run.n_q :]
        known = h * ((1.0 - gamma) * a + gamma * (a_f * phi - a_m * a) / (1.0 - a_m))
        middle = self.moved(q, self._open(q, v, t)[0], 0.5 * h)
        middle, _ = self._with_states(q, middle, v, t, 0.5 * h)
        rows = self.rows(middle, v, t + 0.5 * h)
        M = s.mass_matrix(middle, t + 0.5 * h, parameters=run.p)
        P = np.zeros((0, len(v)))
        if s.has_constraints:
            P = s.answers("jacobian", middle, v, t=t + 0.5 * h, parameters=run.p)
        n_rows = len(rows.u)
        offset = native.wanted[:n_rows] + native.turn[:n_rows]
        late = np.array([native.since[native.owner[row]] - 0.5 for row in range(n_rows)])
        late[[row for x in run.contacts.touches if x.is_dry for row in x.tangents]] = 0.0
        new_phi, delta = phi, np.zeros(len(v))
        c_off, u_off = np.zeros(len(P)), rows.u.copy()
        for _ in range(rounds):
            before = delta
            smooth = known + h * g * new_phi
            blocks = self._chosen(rows, native.active, h)
            delta, impulses = _solved(M, P, rows.W, M @ smooth, c_off, u_off - offset, blocks)
            w = delta - smooth
            # Impacts act since their gaps have closed, with the reactions of constraints.
            more = _solved(M, P, rows.W, rows.W.T @ (late * impulses), 0.0 * c_off, u_off, [])[0]
            way = v + b * smooth + h * (0.5 - b) * a + 0.5 * w + more
            new_q = self.moved(q, self._open(middle, way, t + 0.5 * h)[0], h)
            new_q, _ = self._with_states(q, new_q, way, t, h)
            end = s.mass_matrix(new_q, t + h, parameters=run.p)
            new_phi = np.linalg.solve(end, self.forces(new_q, v + delta, t + h))
            mean = run._normalised(0.5 * (q + new_q)), v + 0.5 * delta
            rows.capacity[:] = self.rows(*mean, t + 0.5 * h).capacity
            u_off = self.rows(new_q, v + delta, t + h).u - rows.W @ delta
            if len(P):
                rate = s.answers("velocity_errors", new_q, v + delta, t=t + h, parameters=run.p)
                c_off = rate - P @ delta
            if np.abs(delta - before).max() <= 1e-14 * (1.0 + np.abs(v).max()):
                break
        return new_q, v + delta, impulses

    def _chosen(self, rows, active, h):
        """Blocks of the contacts that take part."""
        gaps = np.where(active[: len(rows.gaps)], 0.0, 1.0)
        rows.gaps[:] = gaps
        return self._laws(rows, h)[0]
