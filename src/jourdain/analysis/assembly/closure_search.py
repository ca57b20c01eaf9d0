"""The search behind `assemble`: what is held, and steps towards positions that fit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.analysis.assembly.open_loops import open_loops, opposed, worst_row
from jourdain.analysis.assembly.settle import settled
from jourdain.equations.mechanism import Mechanism
from jourdain.equations.quantities import MechanismQuantity
from jourdain.errors import AssemblyError, ModelError
from jourdain.system import System
from jourdain.system.checks.faults import no_numbers

_EXACT = 1e-12  # error of a position [m, rad] at which it is assembled
_ROUGH = 1e-3  # error above which a search that gets no nearer is given up
_FADED = 1e-12  # damping below this, rows that repeat others make the equations singular
_STEPS = 100
_LOOK, _LEFT = 12, 0.95  # every so many steps, errors above this part of the former ones: no hope
_TRIES = 25


@dataclass
class Search:
    """One assembly: what is held, and the equations at a position."""

    system: System
    held: dict[str, Any]
    weights: dict[str, float]
    t: float
    parameters: Any

    def __post_init__(self) -> None:
        parts = self.system.description.parts
        self.n_tree, self.n_cut = self.system.description.n_q, len(parts.cut_coordinates)
        self.cut_coordinates = {name: k for k, name in enumerate(parts.cut_coordinates)}
        self.cut_velocities = {name: k for k, name in enumerate(parts.cut_velocities)}
        self.p = self.system.one_parameter_set(self.parameters)
        self._rest = np.zeros(len(self.system.names.v))
        self._quaternions = self.system.names.quaternions

    def positions(self, q: Any) -> Any:
        """Positions near q that satisfy the constraints."""
        rng = np.random.default_rng(0)
        for attempt in range(_TRIES):
            noise = rng.normal(size=q.shape) * (0.1 * attempt) ** 0.5 * self._may_move
            found = self.newton(self._unit(q + (noise if attempt else 0.0)))
            if found is not None:
                return found
        held = [name for name in self.held if self.system.names.is_position(name)]
        errors = self._answer(Mechanism.position_errors, self.closest(q))
        if not np.all(np.isfinite(errors)):
            raise no_numbers(self.system.mechanism, q, self._rest, self.t, self.p)
        raise open_loops(self.system, errors, self.t, held)

    def newton(self, q: Any) -> Any:
        """Positions by Levenberg–Marquardt steps; None if they do not converge."""
        q, damping = self._fitted(q), 1e-3
        r = self._errors(q)
        former = np.inf
        for k in range(_STEPS):
            if self._largest(r) <= _EXACT:
                return q if self._is_upright(q) else None
            if k % _LOOK == 0:
                now = float(np.linalg.norm(r))
                if now > _LEFT * former and now > _ROUGH:
                    return None
                former = now
            A = self._matrix(q)
            if not np.all(np.isfinite(A)):
                return None
            moved = self._moved(q, self._step(A, r, damping))
            after = self._errors(moved)
            if np.linalg.norm(after) < np.linalg.norm(r):
                done = self._largest(r) < 1e-9 and self._largest(after) >= 0.5 * self._largest(r)
                q, r, damping = moved, after, max(0.1 * damping * (np.linalg.norm(after) > 1e-6), 0)
                if done:
                    break
            elif damping > 1e8 or self._largest(r) < 1e-11:
                break
            else:
                damping = max(10 * damping, 1e-9)
        return q if self._largest(r) < 1e3 * _EXACT and self._is_upright(q) else None

    def _step(self, A: Any, r: Any, damping: float) -> Any:
        scaled = A / self._sizes
        gram = scaled @ scaled.T
        scale = np.trace(gram) / max(len(gram), 1)
        if scale == 0.0:  # nothing that may move changes an error here
            return np.zeros(A.shape[1])
        if damping > _FADED:
            x = np.linalg.solve(gram + damping * scale * np.eye(len(gram)), -r)
        else:
            x = np.linalg.lstsq(gram, -r, rcond=1e-12)[0]
        return (scaled.T @ x) / self._sizes

    @cached_property
    def _sizes(self) -> Any:
        """Square roots of the weights of the velocities that move; infinite for held ones."""
        sizes = np.ones(len(self.system.names.v))
        for name, weight in self.weights.items():
            if not float(weight) > 0.0:
                raise ModelError(f"the weight of {name!r} is {weight!r}; give a positive number.")
            sizes[self._velocity_columns(name)] = float(weight) ** 0.5
        for name in self.held:
            if self.system.names.is_position(name) and name not in self.cut_coordinates:
                sizes[self._velocity_columns(name)] = np.inf
        return sizes

    def _velocity_columns(self, name: str) -> list[int]:
        """Velocities that change a coordinate of the tree."""
        system = self.system
        index = np.atleast_1d(system.index(name))
        if not system.names.is_position(name):
            return [int(k) for k in index]
        d = system.description
        columns: set[int] = set()
        for link, q0, v0 in zip(d.links, d.layout.q_start, d.layout.v_start, strict=True):
            rates = link.motion.rates
            for row, i in enumerate(link.motion.free):
                if q0 + row in index:
                    columns |= {
                        v0 + c for c, j in enumerate(link.motion.free_columns)
                        if not rates[i, j].is_zero()
                    }  # fmt: skip
        return sorted(columns)

    @cached_property
    def _may_move(self) -> Any:
        """Which position coordinates of the tree may move."""
        moves = np.zeros(len(self.system.names.q))
        moves[: self.n_tree + self.n_cut] = 1.0
        for name in self.held:
            if self.system.names.is_position(name):
                moves[self.system.index(name)] = 0.0
        return moves

    def _errors(self, q: Any) -> Any:
        """Errors of all rows, then of coordinates of cut joints that are held."""
        rows = self._answer(Mechanism.assembly_errors, q)
        ends = [q[self.n_tree + k] - float(self.held[name]) for name, k in self._held_cuts]
        return np.concatenate([rows, ends])

    def _matrix(self, q: Any) -> Any:
        P = self._answer(Mechanism.assembly_jacobian, q)
        if not self._held_cuts:
            return P
        K = self._answer(Mechanism.cut_coordinate_jacobian, q)
        return np.vstack([P, K[[k for _, k in self._held_cuts]]])

    @cached_property
    def _held_cuts(self) -> list[tuple[str, int]]:
        return [(name, k) for name, k in self.cut_coordinates.items() if name in self.held]

    def _answer(self, quantity: MechanismQuantity, q: Any, v: Any = None) -> Any:
        v = self._rest if v is None else v
        return self.system.interpreted(quantity, q=q, v=v, t=self.t, p=self.p)

    def _fitted(self, q: Any) -> Any:
        """Position with the coordinates of cut joints and nodes brought to where the bodies are."""
        q = np.array(q, dtype=float)
        for _ in range(30 if self.n_cut else 0):
            change = self._answer(Mechanism.cut_coordinate_errors, q)
            size = np.abs(change).max()
            q[self.n_tree : self.n_tree + self.n_cut] += change * min(1.0, 1.0 / max(size, 1e-9))
            q = self._unit(q)
            if size < 1e-14:
                break
        return settled(self.system, q, self.t, self.p, strict=False)

    def _moved(self, q: Any, step: Any) -> Any:
        rates = self.system.tree_rates(q, step, self.t, parameters=self.p)
        still = self.system.tree_rates(q, self._rest, self.t, parameters=self.p)
        longest = np.abs(step).max(initial=0.0)
        moved = q.copy()
        moved[: self.n_tree] += (rates - still) * min(1.0, 1.0 / max(longest, 1e-9))
        return self._fitted(self._unit(moved))

    def _unit(self, q: Any) -> Any:
        for k in self._quaternions:
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        return q

    @staticmethod
    def _largest(r: Any) -> float:
        return float(np.abs(r).max(initial=0.0)) if np.all(np.isfinite(r)) else np.inf

    def _is_upright(self, q: Any) -> bool:
        """Whether all six errors of the cut joints are gone, not only those of the rows."""
        return self._largest(self._answer(Mechanism.position_errors, q)) < 1e-8

    def closest(self, q: Any) -> Any:
        """Where the errors are smallest; rough starts besides q leave saddles of the errors."""
        rng = np.random.default_rng(0)
        noises = [np.zeros(q.shape), *(0.3 * rng.normal(size=(3, *q.shape)) * self._may_move)]
        found = [self._descend(self._unit(q + noise)) for noise in noises]
        return min(found, key=lambda x: float(np.linalg.norm(self._errors(x))))

    def _descend(self, q: Any) -> Any:
        """Where the errors are smallest on the way from q."""
        q, damping = self._fitted(q), 1e-2
        for _ in range(_STEPS):
            r = self._errors(q)
            moved = self._moved(q, self._step(self._matrix(q), r, damping))
            if np.linalg.norm(self._errors(moved)) < np.linalg.norm(r) * (1 - 1e-12):
                q, damping = moved, damping / 3
            elif damping > 1e6:
                break
            else:
                damping *= 10
        return q

    def velocities(self, q: Any, v: Any) -> Any:
        """Velocities of least change that satisfy the constraints and those that are held."""
        A, b = self._answer(Mechanism.jacobian, q), self._answer(Mechanism.velocity_errors, q)
        if not np.all(np.isfinite(A)):
            raise no_numbers(self.system.mechanism, q, self._rest, self.t, self.p)
        free = np.ones(len(v), dtype=bool)
        rows, rights = [A], [-(b + A @ v)]
        for name, value in self.held.items():
            if name in self.cut_velocities:
                k = self.cut_velocities[name]
                own = self._answer(Mechanism.cut_velocity_jacobian, q)[k : k + 1]
                now = self._answer(Mechanism.cut_velocities, q, v)[k]
                rows.append(own)
                rights.append(np.array([float(value) - now]))
            elif not self.system.names.is_position(name):
                free[self._velocity_columns(name)] = False
        matrix, right = np.vstack(rows), np.concatenate(rights)
        change = np.zeros(len(v))
        change[free] = np.linalg.lstsq(matrix[:, free], right, rcond=1e-11)[0]
        left = matrix @ change - right
        size = 1e-9 * (1.0 + np.abs(right).max(initial=0.0))
        if np.abs(left).max(initial=0.0) > size:
            given = [n for n in self.held if not self.system.names.is_position(n)]
            raise _open_velocities(self.system, self.t, given, left, len(A))
        return v + change


def _open_velocities(
    system: System, t: float, given: list[str], left: Any, n_rows: int
) -> AssemblyError:
    """Error for velocities that cannot all be; ``left`` are what rows open at."""
    gap = f"{np.abs(left).max():.3g} m/s or rad/s"
    where, worst = f"model {system.model.name!r}", worst_row(system, left[:n_rows])
    if given:
        fight = opposed(system, left[:n_rows])
        together = f" {', '.join(map(repr, fight))} fight." if len(fight) > 1 else ""
        advice = "Give fewer of them; the others follow." if len(given) > 1 else (
            "It is not free: leave it out, or open or take away what holds it."
        )  # fmt: skip
        return AssemblyError(
            f"{where}: the velocities {', '.join(map(repr, given))} cannot be as given: {worst} "
            f"would open at {gap}.{together} {advice}"
        )
    return AssemblyError(
        f"{where}: at t = {t:g} s its constraints contradict each other: whatever the velocities, "
        f"{worst} opens at {gap}.\n"
        "  Likely causes: a measure that is held at a function of time while other constraints "
        "hold it still, or a dead point in which a drive cannot go on."
    )
