"""Generalised-α with the forces of contacts that last (CT-9, CT-10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.errors import IntegrationError
from jourdain.simulation.contact.rows import Rows
from jourdain.solvers import REMEDY, Record, Status

if TYPE_CHECKING:
    from jourdain.simulation.contact.steps.nonsmooth_alpha import NonsmoothAlphaRun

_NEWTON = 20  # steps for forces at the end of a step
_MEMORY = ("f", "a", "force", "mean", "u", "drift")
_CONVERGED = 1e-12  # part of the accelerations that may be left


class SmoothAlpha:
    """Accelerations and contact forces between impacts.

    Parameters
    ----------
    run : NonsmoothAlphaRun
        The run whose state is moved on.

    Attributes
    ----------
    f, force
        Accelerations, and forces of all rows, at the state.
    a, mean
        Their averages of the method, which lie between steps.
    """

    def __init__(self, run: NonsmoothAlphaRun) -> None:
        self.run = run
        self._D: Any = None  # of the last step
        self.force = np.zeros(run.contacts.n_rows)

    def memory(self) -> dict[str, Any]:
        """What the next step depends on."""
        return {name: getattr(self, name) for name in _MEMORY}

    def checked(self, record: Record) -> dict[str, Any]:
        """`memory` of an earlier run."""
        n_v, n_rows = len(self.run.system.names.v), self.run.contacts.n_rows
        sizes = n_v, n_v, n_rows, n_rows, n_rows, n_rows
        return {name: record.array(name, n) for name, n in zip(_MEMORY, sizes, strict=True)}

    def recall(self, memory: Mapping[str, Any]) -> None:
        """Take back what a step has changed."""
        for name in _MEMORY:
            setattr(self, name, memory[name])

    def restart(self, rows: Rows) -> None:
        """Begin anew with the forces at a state; contacts without force are let go."""
        run = self.run
        laws = run.holding.force_laws(run.contacts, rows)
        self.force = run.found(rows.G, rows.acceleration, laws, "contact")
        self.f = rows.vdot + rows.B.T @ self.force
        self.a, self.mean, self.u = self.f, self.force, rows.u
        self.drift = rows.drift(run.y[run.n_q :])
        run.holding.drop_unloaded(run.contacts, rows, self.force, self.f)

    def step(self, h: float) -> tuple[Any, Any, Any]:
        """Positions, velocities and mean contact forces after a step without impacts."""
        run = self.run
        a_m, a_f, gamma, beta = run.method.numbers
        q, v, a, f = run.y[: run.n_q], run.y[run.n_q :], self.a, self.f
        part = (1.0 - a_f) / (1.0 - a_m)
        known, error = (a_f * self.f - a_m * a) / (1.0 - a_m), np.inf
        if not np.isfinite(f).all():
            raise IntegrationError(REMEDY[Status.NOT_FINITE])
        for k in range(_NEWTON):
            a_new = known + part * f
            v_new = v + h * ((1.0 - gamma) * a + gamma * a_new)
            q_new = self._carried(q, v + h * ((0.5 - beta) * a + beta * a_new), h)
            if error <= _CONVERGED * (1.0 + np.abs(f).max(initial=0.0)):
                break
            rows = run._rows(q_new, v_new, run.t + h)
            better, force = self._forces(rows, q_new, v_new, f, h)
            last, error = error, float(np.abs(better - f).max(initial=0.0))
            if k > 2 and error >= 0.9 * last:
                break
            f = better
        new = (a_f * self.force - a_m * self.mean) / (1.0 - a_m) + part * force
        mean = (1.0 - gamma) * self.mean + gamma * new
        drift, given = rows.drift(v_new), 0.5 * h * mean
        run.charge_work(given * (self.u + rows.u), -float(given @ (self.drift + drift)))
        self.f, self.a, self.force, self.mean = f, a_new, force, new
        self.u, self.drift = rows.u, drift
        return q_new, v_new, mean

    def _carried(self, q: Any, v: Any, h: float) -> Any:
        """Positions after a step at a mean velocity, by the midpoint rule."""
        run = self.run
        middle = q + 0.5 * h * run._rates(q, v, run.t)
        return run._normalised(q + h * run._rates(middle, v, run.t + 0.5 * h))

    def _forces(self, rows: Rows, q: Any, v: Any, f: Any, h: float) -> tuple[Any, Any]:
        """Accelerations and contact forces at the end of a step: one step of Newton's method."""
        run = self.run
        holding = run.holding.copy()
        holding.turn(run.contacts, rows.u)
        free, response = rows.vdot, rows.B.T
        if run.kernels.has_stiffness:
            self._D = self._matrix(q, v, h)
            found = np.linalg.solve(self._D, np.column_stack([f - free, response]))
            free, response = f - found[:, 0], found[:, 1:]
        laws = holding.force_laws(run.contacts, rows)
        force = run.found(rows.W @ response, rows.W @ free + rows.bias, laws, "contact")
        return free + response @ force, force

    def response(self, rows: Rows) -> Any:
        """Accelerations that unit forces cause at the end of a step, where springs yield at once.

        Shifts follow it too: moved by its mass alone, a part would strain the springs on it.
        """
        return rows.B.T if self._D is None else np.linalg.solve(self._D, rows.B.T)

    def _matrix(self, q: Any, v: Any, h: float) -> Any:
        run = self.run
        a_m, a_f, gamma, beta = run.method.numbers
        part = (1.0 - a_f) / (1.0 - a_m)
        by_v, by_q = run.kernels.stiffness(q, v, run._u, run.t + h, run.p)
        return np.eye(len(v)) - h * gamma * part * by_v - h * h * beta * part * by_q
