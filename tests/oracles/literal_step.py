"""One time step of Moreau and Jean, written down literally with dense matrices.

    M Δ = h f(q_θ, v_θ, t_θ) + Pᵀ Λ_c + Wᵀ Λ,   u(q⁺, v⁺, t⁺) in the laws, c(q⁺, v⁺, t⁺) = 0

by repeating until nothing changes. It shares no code with the step in machine code: masses, forces
and constraints come from the equations of motion, contact problems go to the general solver.
"""

from dataclasses import dataclass

import numpy as np

from jourdain.solvers.nonsmooth import Disc, Friction, HalfLine, Problem, Segment, solve


@dataclass
class LiteralStep:
    """Steps of one run, from the state it has; positions are not corrected.

    Parameters
    ----------
    run : TimeSteppingRun
        What tells the system, its contacts and its method.
    """

    run: object

    def forces(self, q, v, t):
        """All that acts besides constraints and contacts (n_v)."""
        s = self.run.system
        f = s.mass_matrix(q, t, parameters=self.run.p) @ self._open(q, v, t)[1]
        if s.has_constraints:
            P = s.answers("jacobian", q, v, t=t, parameters=self.run.p)
            f = f - P.T @ s.answers("multipliers", q, v, t=t, parameters=self.run.p)
        return f

    def _open(self, q, v, t):
        run = self.run
        return run.kernels.open_rates(q, v, run._u, t, run.p)

    def moved(self, q, rates, h):
        """Positions after h at given rates."""
        return self.run._normalised(q + h * rates)

    def _with_states(self, q, new_q, v, t, h):
        """The same with states of laws by a method of two implicit stages; and their means."""
        own, gamma = self._states, 1.0 - 0.5**0.5
        if not own:
            return new_q, new_q

        def rates(z, share):
            at = q + share * (new_q - q)
            at[own] = z
            return self._open(at, v, t + share * h)[0][own]

        first = self._stage(lambda z: q[own] + gamma * h * rates(z, gamma), q[own])
        known = q[own] + (1.0 - gamma) * h * rates(first, gamma)
        last = self._stage(lambda z: known + gamma * h * rates(z, 1.0), first)
        whole, mean = new_q.copy(), new_q.copy()
        whole[own], mean[own] = last, (1.0 - gamma) * first + gamma * last
        return whole, mean

    @staticmethod
    def _stage(of, z):
        """What z = of(z) has for a solution, by Newton's method with differences."""
        for _ in range(50):
            left, sizes = of(z) - z, 1e-3 * (1.0 + abs(z))
            slopes = [(of(z + d) - of(z - d)) / (2.0 * d.sum()) for d in np.diag(sizes)]
            step = np.linalg.solve(np.eye(len(z)) - np.transpose(slopes), left)
            z = z + step
            if np.abs(step).max() <= 1e-14 * (1.0 + np.abs(z).max()):
                break
        return z

    @property
    def _states(self):
        """Places of states of laws in q."""
        names, model = self.run.system.names.q, self.run.system.model
        return [
            names.index(f"{name}.{own}") for name, c in model.connections.items()
            for own in c.law.states
        ]  # fmt: skip

    @property
    def _turns(self):
        """Places of the quaternions of free bodies, which Cayley's map turns: R⁺ = R cay(h ω_m)."""
        model, names = self.run.system.model, self.run.system.names.q
        joined = {f.body for j in model.joints.values() for f in (j.parent, j.child)}
        first = [names.index(f"{name}.position.x") for name in model.bodies if name not in joined]
        return [k + 3 + i for k in first for i in range(4)]

    def rows(self, q, v, t):
        """Rows of contacts."""
        run = self.run
        return run.contacts.rows(q, v, run._u, t)

    def step(self, h, rounds=200):
        """Velocities and positions after a step of h, and the impulses of all rows."""
        run, s, theta, t = self.run, self.run.system, self.run.method.theta, self.run.t
        n = run.n_q
        q, v = run.y[:n], run.y[n:]
        middle = self.moved(q, self._open(q, v, t)[0], 0.5 * h)
        middle, _ = self._with_states(q, middle, v, t, 0.5 * h)
        rows = self.rows(middle, v, t + 0.5 * h)
        M = s.mass_matrix(middle, t + 0.5 * h, parameters=run.p)
        P = np.zeros((0, len(v)))
        if s.has_constraints:
            P = s.answers("jacobian", middle, v, t=t + 0.5 * h, parameters=run.p)
        blocks, e = self._laws(rows, h)
        delta, c_off = np.zeros(len(v)), np.zeros(len(P))
        u_off = rows.u.copy()
        start = rows.u - 0.5 * h * rows.bias
        f = self.forces(q, v, t)
        free, _ = _solved(M, P, rows.W, h * f, c_off, u_off, [])
        hit = self._rebounding(rows, e, start, 2.0 * (np.abs(rows.W @ free) + h * abs(rows.bias)))
        start[hit] = rows.u[hit]
        for _ in range(rounds):
            before = delta
            delta, impulses = _solved(M, P, rows.W, h * f, c_off, u_off + e * np.minimum(start, 0),
                                      blocks)  # fmt: skip
            mean = v + theta * delta
            new_q = self.moved(q, self._open(middle, mean, t + 0.5 * h)[0], h)
            new_q, inner = self._with_states(q, new_q, mean, t, h)
            turned = self.moved(q, self._open(q, mean, t + 0.5 * h)[0], h)
            new_q[self._turns] = turned[self._turns]
            felt, own = run._normalised(q + theta * (new_q - q)), self._states
            felt[own] = (inner + (2.0 * theta - 1.0) * (new_q - inner))[own]
            f = self.forces(felt, mean, t + theta * h)
            u_off = self.rows(new_q, v + delta, t + h).u - rows.W @ delta
            u_off[hit] = rows.u[hit]
            if len(P):
                rate = s.answers("velocity_errors", new_q, v + delta, t=t + h, parameters=run.p)
                c_off = rate - P @ delta
            if np.abs(delta - before).max() <= 1e-14 * (1.0 + np.abs(v).max()):
                break
        return new_q, v + delta, impulses

    def _rebounding(self, rows, e, start, explained):
        """Rows of contacts that rebound: those of the middle before and behind the impact."""
        touches = self.run.contacts.touches
        return [
            row
            for k, x in enumerate(touches)
            if x.normal is not None and e[x.normal] > 0.0
            and start[x.normal] < -explained[x.normal]
            for row in (x.normal, *(r for j in (k, *x.turns) for r in touches[j].tangents))
        ]  # fmt: skip

    def _laws(self, rows, h):
        """Blocks of the closed contacts, and restitution along all rows."""
        touches, e = self.run.contacts.touches, np.zeros(len(rows.u))
        found = self.run.contacts.restitutions(rows)
        blocks = []
        for k, x in enumerate(touches):
            if x.is_dry and rows.capacity[k, 0] > 0.0:
                limit = h * float(rows.capacity[k, 0])
                one = len(x.tangents) == 1
                blocks.append(Segment(x.tangents[0], -limit, limit) if one
                              else Disc(x.tangents, limit))  # fmt: skip
            elif x.normal is not None and (not x.has_gap or rows.gaps[k] <= 1e-12):
                e[x.normal] = found[k] if x.has_gap else 0.0
                blocks.append(HalfLine(x.normal))
                for j in (k, *x.turns):
                    own, mu = touches[j], [float(m) for m in rows.capacity[j]]
                    if own.tangents and max(mu) > 0.0:
                        same = len(own.tangents) == 1 or mu[0] == mu[1]
                        coefficient = mu[0] if same else tuple(mu)
                        blocks.append(Friction(x.normal, own.tangents, coefficient))
        return blocks, e


def _solved(M, P, W, impulse, c, u, blocks):
    """Change of velocities, and impulses of contacts, of a linear step."""
    n, m = len(M), len(P)
    K = np.block([[M, P.T], [P, np.zeros((m, m))]])
    inverse = np.linalg.pinv(K, rcond=1e-12)
    free = (inverse @ np.concatenate([impulse, -c]))[:n]
    G = W @ inverse[:n, :n] @ W.T
    used = [row for block in blocks for row in block.rows]
    impulses = np.zeros(len(W))
    if used:
        place = {row: k for k, row in enumerate(used)}
        small = [_renumbered(block, place) for block in blocks]
        found = solve(Problem(G[np.ix_(used, used)], (u + W @ free)[used], small), tol=1e-14)
        impulses[used] = found.r
    return free + inverse[:n, :n] @ W.T @ impulses, impulses


def _renumbered(block, place):
    if isinstance(block, HalfLine):
        return HalfLine(place[block.row])
    if isinstance(block, Segment):
        return Segment(place[block.row], block.lower, block.upper)
    if isinstance(block, Disc):
        return Disc(tuple(place[r] for r in block.rows), block.radius)
    return Friction(place[block.normal], tuple(place[r] for r in block.rows), block.mu)
