"""The best inputs over a finite time, by dynamic programming (4.F46)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jourdain.errors import ModelError

ROUNDS = 200
"""Exchanges of inputs at bounds before the search is given up."""


@dataclass(frozen=True)
class Horizon:
    """Linear equations in steps that are steered for K steps and then left alone for N.

        x_{k+1} = A_k x_k + B_k u_k + e_k,   y_k = C_k x_k + D_k u_k + g_k,   k = 0 … K − 1
        x_{i+1} = A_i x_i + e_i,             y_i = C_i x_i + g_i,             i = K … K + N

        J = Σ_k |y_k|² + (u_k − v_k)ᵀ R_k (u_k − v_k) + λ Σ_i |y_i|²,   w · x_K = z

    Parameters
    ----------
    A : (K + N, n, n)
        State matrices.
    B : (K, n, m)
        Input matrices.
    e : (K + N, n)
        What is added.
    C, g : (K + N + 1, p, n), (K + N + 1, p)
        Outputs that shall be small.
    D : (K, p, m)
        Their direct part.
    R : (K, m, m)
        Weights of the inputs, positive definite.
    wanted : (K, m)
        Inputs v that cost nothing.
    end : (n,) and float
        Row w and value z of the equality at K.
    weight : float
        Weight λ of the tail.
    bounds : (K, m), (K, m), optional
        Least and largest inputs.
    """

    A: Any
    B: Any
    e: Any
    C: Any
    g: Any
    D: Any
    R: Any
    wanted: Any
    end: tuple[Any, float]
    weight: float = 1.0
    bounds: tuple[Any, Any] | None = None

    @property
    def steps(self) -> int:
        """Number K of steps that are steered."""
        return len(self.B)

    def _tail(self) -> tuple[Any, Any]:
        """Matrix P and vector p of the cost of the free motion from K, xᵀ P x + 2 pᵀ x."""
        n = self.A.shape[1]
        P, p = np.zeros((n, n)), np.zeros(n)
        for i in reversed(range(self.steps, len(self.C))):
            if i < len(self.A):
                p = self.A[i].T @ (P @ self.e[i] + p)
                P = self.A[i].T @ P @ self.A[i]
            P = P + self.weight * self.C[i].T @ self.C[i]
            p = p + self.weight * self.C[i].T @ self.g[i]
        return P, p

    def _laws(self, is_free: Any, held: Any) -> tuple[Any, Any]:
        """Gains F_k and offsets f_k (m, 2), constant and for one ν, of u = F x + f (1, ν).

        Inputs that are not free have the value that is held.
        """
        K, n, m = self.B.shape
        P, p = self._tail()
        p = np.stack([p, self.end[0]], axis=1)
        gains, offsets = np.zeros((K, m, n)), np.zeros((K, m, 2))
        for k in reversed(range(K)):
            free = is_free[k]
            given = np.where(free, 0.0, held[k])
            A, B = self.A[k], self.B[k] * free
            C, D = self.C[k], self.D[k] * free
            e, g = np.zeros((n, 2)), np.zeros((len(C), 2))
            e[:, 0], g[:, 0] = self.e[k] + self.B[k] @ given, self.g[k] + self.D[k] @ given
            R = self.R[k] * np.outer(free, free)
            v = np.zeros((m, 2))
            v[:, 0] = self.R[k] @ (self.wanted[k] - given) * free
            S = R + D.T @ D + B.T @ P @ B + np.diag(np.where(free, 0.0, 1.0))
            gains[k] = -np.linalg.solve(S, B.T @ P @ A + D.T @ C)
            offsets[k] = -np.linalg.solve(S, B.T @ (P @ e + p) + D.T @ g - v)
            offsets[k, :, 0] += given
            # with u = F x + f the cost to go is quadratic again (5.55)
            moved, added = A + B @ gains[k], e + B @ (offsets[k] - _first(given))
            seen, shown = C + D @ gains[k], g + D @ (offsets[k] - _first(given))
            F, f = gains[k], offsets[k] - _first(given)
            p = moved.T @ (P @ added + p) + seen.T @ shown + F.T @ (R @ f - v)
            P = moved.T @ P @ moved + seen.T @ seen + F.T @ R @ F
        return gains, offsets

    def _run(self, x: Any, gains: Any, offsets: Any) -> tuple[Any, Any]:
        states, inputs = [np.asarray(x, dtype=float)], []
        for k in range(self.steps):
            inputs.append(gains[k] @ states[-1] + offsets[k])
            states.append(self.A[k] @ states[-1] + self.B[k] @ inputs[-1] + self.e[k])
        return np.array(states), np.array(inputs)

    def _steered(self, x: Any, is_free: Any, held: Any) -> Plan:
        """Plan with some inputs held."""
        gains, offsets = self._laws(is_free, held)
        missed = []
        for nu in (0.0, 1.0):
            states, _ = self._run(x, gains, offsets @ np.array([1.0, nu]))
            missed.append(float(self.end[0] @ states[-1]) - self.end[1])
        change = missed[1] - missed[0]
        if abs(change) <= 1e-14 * (abs(missed[0]) + abs(self.end[1]) + 1e-300):
            raise ModelError(
                "the inputs do not reach the end of the horizon: w · x_K does not depend on them, "
                "or all are at their bounds. Give more steps, or wider bounds."
            )
        nu = -missed[0] / change
        found = offsets @ np.array([1.0, nu])
        states, inputs = self._run(x, gains, found)
        return Plan(states, inputs, gains, found, nu)

    def gradient(self, plan: Plan) -> Any:
        """Half the derivatives of the cost by all inputs, the end with its multiplier (K, m)."""
        P, p = self._tail()
        adjoint = P @ plan.states[-1] + p + plan.multiplier * self.end[0]
        found = np.empty_like(plan.inputs)
        for k in reversed(range(self.steps)):
            x, u = plan.states[k], plan.inputs[k]
            y = self.C[k] @ x + self.D[k] @ u + self.g[k]
            away = self.R[k] @ (u - self.wanted[k])
            found[k] = away + self.D[k].T @ y + self.B[k].T @ adjoint
            adjoint = self.A[k].T @ adjoint + self.C[k].T @ y
        return found

    def solve(self, x: Any) -> Plan:
        """The best inputs from a state, and the law u_k = F_k x_k + f_k that gives them.

        With bounds, inputs are exchanged between those at a bound and the others until each is
        right: free and inside, or held by a force toward the outside.

        Parameters
        ----------
        x : (n,)
            State at k = 0.

        Raises
        ------
        ModelError
            If the end cannot be reached.
        """
        shape = self.B.shape[0], self.B.shape[2]
        is_free, held = np.ones(shape, dtype=bool), np.zeros(shape)
        if self.bounds is None:
            return self._steered(x, is_free, held)
        low, high = (np.broadcast_to(b, shape) for b in self.bounds)
        for _ in range(ROUNDS):
            plan = self._steered(x, is_free, held)
            slope = np.where(is_free, 0.0, self.gradient(plan))
            u = plan.inputs
            room = 1e-12 * (1.0 + np.abs(u))
            over, under = u > high + room, u < low - room
            at_high = over | (~is_free & (held == high) & (slope < 0.0))
            at_low = under | (~is_free & (held == low) & (slope > 0.0) & ~at_high)
            stuck = low == high
            now_free = ~(at_high | at_low | stuck)
            now_held = np.where(at_high, high, low)
            if (now_free == is_free).all() and (now_held == held)[~is_free].all():
                return plan
            is_free, held = now_free, np.where(now_free, 0.0, now_held)
        raise ModelError(
            f"the best inputs were not found in {ROUNDS} exchanges at the bounds: the end may lie "
            "out of reach. Give more steps, or wider bounds."
        )


@dataclass(frozen=True)
class Plan:
    """The best inputs over a horizon.

    Parameters
    ----------
    states : (K + 1, n)
        States.
    inputs : (K, m)
        Inputs.
    gains, offsets : (K, m, n), (K, m)
        Law u_k = F_k x_k + f_k.
    multiplier : float
        Of the equality at the end.
    """

    states: Any
    inputs: Any
    gains: Any = field(repr=False)
    offsets: Any = field(repr=False)
    multiplier: float = 0.0


def _first(values: Any) -> Any:
    """Values as the constant column of two."""
    return np.stack([values, np.zeros_like(values)], axis=1)
