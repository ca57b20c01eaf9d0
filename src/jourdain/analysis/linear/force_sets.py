"""Contact forces at rest that are not unique: their intervals, and the least use of friction.

    Nᵀ(f + Wᵀλ) = 0,   λ_N ≥ 0,   |λ_T| ≤ µ λ_N                                  (LI-13)

is a set. Each component has an interval, found by two linear programmes; of two tangents the disc
is a polygon with its corners on the tangents. The least use of friction is the smallest factor of
all coefficients with which the set is not empty: its distance from one is the margin of safety.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.optimize import linprog

from jourdain.analysis.linear.independent import tangent_space
from jourdain.analysis.linear.point import OperatingPoint
from jourdain.simulation.contact.rows import Contacts
from jourdain.system.contact.kernels import ContactKernels

_CORNERS = 32
_BISECTIONS = 50
_UNIQUE = 1e-7  # width of an interval, as part of the largest force, that counts as none


@dataclass(frozen=True)
class ForceSet:
    """Contact forces with which a machine can rest.

    Parameters
    ----------
    point : OperatingPoint
        State of rest.
    """

    point: OperatingPoint

    @cached_property
    def _problem(self) -> tuple[Any, Any, list[str], list[tuple[int, Any, tuple[int, ...]]]]:
        """Matrix and right side of the balance, names of its columns, and friction limits.

        A limit is the number of the contact's normal force, its coefficients, its friction forces.
        """
        at, system = self.point.at, self.point.system
        graph = self.point.graph
        inputs = {**graph.inputs, **dict(zip(graph.free, at.u.tolist(), strict=True))}
        contacts = Contacts(system, ContactKernels(system, inputs, {}, {}), at.p)
        rows = contacts.rows(at.q, at.v, np.zeros(len(at.mode)), at.t)
        still = at.moved(mode=np.zeros_like(at.mode))
        N = tangent_space(system, still, graph.slopes(still)).N_v
        mass = system.mass_matrix(at.q, at.t, parameters=at.p)
        used, names = list[int](), list[str]()
        limits: list[tuple[int, Any, tuple[int, ...]]] = []
        closed = {x.name for x in self.point.contacts.held}
        for k, x in enumerate(contacts.touches):
            if x.name not in closed:
                continue
            normal = -1
            if x.normal is not None:
                normal = len(used)
                used.append(x.normal)
                names.append(f"{x.name}.normal_force")
            own = []
            for i, row in enumerate(x.tangents):
                if np.abs(rows.W[row] @ N).max(initial=0.0) > 0.0:
                    own.append(len(used))
                    used.append(row)
                    names.append(f"{x.name}.friction_force.{i + 1}")
            if own:
                limits.append((normal, rows.static[k], tuple(own)))
        return N.T @ rows.W[used].T, -(N.T @ mass @ rows.vdot), names, limits

    def _bounds(self, factor: float) -> tuple[Any, Any, list[tuple[float | None, None]]]:
        """Inequalities of friction with coefficients times a factor."""
        A, _, names, limits = self._problem
        rows, right = [], []
        for normal, capacity, own in limits:
            ways = np.array([[1.0], [-1.0]])
            if len(own) == 2:
                turn = 2 * np.pi * (np.arange(_CORNERS) + 0.5) / _CORNERS
                narrow = float(capacity[0] / capacity[1]) if capacity[1] > 0.0 else 1.0
                ways = np.column_stack([np.cos(turn), narrow * np.sin(turn)])
            size = 1.0 if len(own) == 1 else np.cos(np.pi / _CORNERS)
            for way in ways:
                row = np.zeros(len(names))
                row[list(own)] = way / size
                limit = factor * float(capacity[0])
                if normal >= 0:
                    row[normal] = -limit
                rows.append(row)
                right.append(0.0 if normal >= 0 else limit)
        signs = [(0.0 if n.endswith("normal_force") else None, None) for n in names]
        return np.array(rows).reshape(-1, A.shape[1]), np.array(right), signs

    def _solve(self, cost: Any, factor: float = 1.0) -> float | None:
        A, b, _, _ = self._problem
        rows, right, signs = self._bounds(factor)
        found = linprog(cost, A_ub=rows, b_ub=right, A_eq=A, b_eq=b, bounds=signs, method="highs")
        return float(found.fun) if found.status == 0 else None

    @cached_property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """Smallest and largest value [N] of each force, by name; infinite where it has none."""
        _, _, names, _ = self._problem
        found = {}
        for k, name in enumerate(names):
            cost = np.zeros(len(names))
            cost[k] = 1.0
            low, high = self._solve(cost), self._solve(-cost)
            found[name] = (
                -np.inf if low is None else low,
                np.inf if high is None else -high,
            )
        return found

    @property
    def not_unique(self) -> tuple[str, ...]:
        """Names of the forces that the laws do not tell."""
        sizes = [abs(x) for pair in self.intervals.values() for x in pair if np.isfinite(x)]
        width = _UNIQUE * max(sizes, default=1.0)
        return tuple(n for n, (low, high) in self.intervals.items() if high - low > width)

    @cached_property
    def least_use(self) -> float:
        """Smallest factor of all coefficients of friction with which it still rests."""
        cost = np.zeros(len(self._problem[2]))
        low, high = 0.0, 1.0
        if self._solve(cost, 0.0) is not None:
            return 0.0
        for _ in range(_BISECTIONS):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if self._solve(cost, middle) is not None else (middle, high)
        return high
