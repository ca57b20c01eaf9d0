"""How a machine can move in one position: rank of its constraints, and motions they leave.

With P the constraint rows by the velocities v, D = diag(1 or the length L of the machine) the units
of the velocities, and r the sizes that the rows would have if no terms cancelled,

    P̂ = diag(1/r) P D = U Σ Vᵀ,   n_dof = n_v − rank P̂                       (MO-1)

The last columns of V span the motions Z that are left, the last ones of U the rows that repeat
others. A choice C of velocities determines the motion if C Z is regular (Sol F61, F62).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations.mechanism import Mechanism
from jourdain.equations.quantities import MechanismQuantity
from jourdain.model.laws import Equal
from jourdain.system import System
from jourdain.topology.freedoms import constrained_modes

_DEPENDENT = 1e-9  # singular value, against the largest, that counts as zero
_RATHER_NOT = 0.01  # weight of velocities that cannot be driven among those that can
_LEAST = 1e-6  # size of a row, against the largest, below which it counts as rounding


def rank_of(values: Any) -> int:
    """Rank from falling singular values."""
    return int(np.sum(values > _DEPENDENT * values[0])) if len(values) and values[0] > 0.0 else 0


class Mobility:
    """Constraints of a system in one position.

    Parameters
    ----------
    system : System
        The compiled machine.
    q : (n_q,)
        Position.
    t : float [s]
        Time.
    p : (n_p,)
        Values of all parameters.
    """

    def __init__(self, system: System, q: Any, t: float, p: Any) -> None:
        self.system, self.q, self.t, self.p = system, q, t, p

    def answer(self, quantity: MechanismQuantity) -> Any:
        """A quantity of the equations at rest."""
        return self.system.interpreted(quantity, q=self.q, t=self.t, p=self.p)

    @property
    def n_v(self) -> int:
        """Number of velocities of the tree."""
        return len(self.system.names.v)

    @cached_property
    def length(self) -> float:
        """Length L of the machine [m]: the farthest that joints are apart, 1 if they are not."""
        system, points = self.system, []
        if system.model.bodies:
            poses = system.poses(self.q, self.t, parameters=self.p)
            points = [
                system.point_of(poses, frame, self.p)
                for joint in system.model.joints.values()
                for frame in (joint.parent, joint.child)
            ]
        size = float(np.linalg.norm(np.ptp(points, axis=0))) if points else 0.0
        return size if size > 0.0 else 1.0

    @cached_property
    def units(self) -> Any:
        """D: L for velocities in m/s, 1 for others."""
        return np.array([self.length if u == "m/s" else 1.0 for u in self.system.names.v_units])

    @cached_property
    def held(self) -> Any:
        """Indices of the rows that hold always; those of contacts do not."""
        model, rows = self.system.model, self.system.constraint_rows
        always = [
            place for name, place in rows.items()
            if name in model.joints
            or (name in model.connections and isinstance(model.connections[name].law, Equal))
        ]  # fmt: skip
        return np.concatenate([np.arange(p.start, p.stop) for p in always] or [np.zeros(0, int)])

    def of_rows(self, quantity: MechanismQuantity) -> Any:
        """A quantity of all rows at rest, zero for rows that do not hold always."""
        values = self.answer(quantity)
        found = np.zeros_like(values)
        found[self.held] = values[self.held]
        return found

    @cached_property
    def P(self) -> Any:  # noqa: N802
        """Constraint Jacobian as it is."""
        return self.of_rows(Mechanism.jacobian)

    @cached_property
    def sizes(self) -> Any:
        """Sizes r of the rows."""
        sizes = np.sqrt(self.answer(Mechanism.squares_jacobian) @ self.units**2)
        largest = sizes.max(initial=0.0)
        return np.maximum(sizes, _LEAST * largest if largest > 0.0 else 1.0)

    @cached_property
    def _parts(self) -> tuple[Any, Any, Any]:
        scaled = self.P * self.units / self.sizes[:, np.newaxis]
        return np.linalg.svd(scaled[self.held])

    @property
    def values(self) -> Any:
        """Singular values of the rows in natural units, falling."""
        return self._parts[1]

    @cached_property
    def rank(self) -> int:
        """Number of rows that do not repeat others."""
        return rank_of(self.values)

    @property
    def n_rows(self) -> int:
        """Number of constraint rows: of a cut joint, as many as it takes motions.

        Of a composite, as many as held parts have beyond those that place its nodes.
        """
        cuts = {cut.name: constrained_modes(cut) for cut in self.system.topology.cuts}
        n_spare = sum(
            place.stop - place.start - cuts[name]
            for name, place in self.system.constraint_rows.items()
            if name in cuts
        )
        inside = self.system.description.parts.composites
        n_spare += sum(len(c.coordinates) for c in inside if c.is_kinematic)
        return int(len(self.held) - n_spare)

    @property
    def n_dof(self) -> int:
        """Degrees of freedom: velocities that the constraints leave."""
        return self.n_v - self.rank

    @property
    def n_redundant(self) -> int:
        """Number of rows that repeat others."""
        return self.n_rows - self.rank

    @cached_property
    def ratio(self) -> float:
        """Smallest singular value that counts, against the largest; 1 without constraints."""
        return float(self.values[self.rank - 1] / self.values[0]) if self.rank else 1.0

    @cached_property
    def motions(self) -> Any:
        """Z (n_v, n_dof): velocities that are left, orthonormal in natural units."""
        return self.units[:, np.newaxis] * self._parts[2][self.rank :].T

    @cached_property
    def repeats(self) -> Any:
        """Combinations μ of all rows with μᵀ P = 0.

        More than the rows that repeat others if a cut joint has spare rows: those carry no load.
        """
        found = np.zeros((len(self.P), len(self.held) - self.rank))
        found[self.held] = self._parts[0][:, self.rank :]
        return found / self.sizes[:, np.newaxis]

    @cached_property
    def n_positions(self) -> int:
        """Degrees of freedom in positions: nonholonomic conditions do not lower them (Sol F60)."""
        system = self.system
        n_tree = system.description.n_q
        n = n_tree + len(system.description.parts.cut_coordinates)
        T = _tangent(self.q[:n], [k for k in system.names.quaternions if k < n])
        lengths = [self.length if u == "m" else 1.0 for u in system.names.q_units[:n]]
        given = {"q": self.q, "t": self.t, "p": self.p}
        slopes = system.interpreted_slopes(Mechanism.position_errors, "q", **given)
        A = slopes[:, :n] * np.array(lengths) @ T
        if not A.size:
            return int(T.shape[1])
        A /= np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-6)
        return int(T.shape[1] - rank_of(np.linalg.svd(A, compute_uv=False)))

    @cached_property
    def choices(self) -> dict[str, Any]:
        """Rows by which velocities of tree and cut joints follow from v, in natural units."""
        names, own = self.system.names, np.eye(self.n_v)
        rows = {name: own[k] / self.units[k] for k, name in enumerate(names.v)}
        cut = self.system.description.parts.cut_velocities
        if cut:
            matrix = self.answer(Mechanism.cut_velocity_jacobian)
            scales = [self.length if unit == "m/s" else 1.0 for unit in cut.values()]
            rows |= {n: matrix[k] / scales[k] for k, n in enumerate(cut)}
        return rows

    def condition(self, names: Sequence[str]) -> float:
        """How many times faster than the driven velocities others move, at most.

        In natural units; at least 1, infinite where the choice does not determine the motion.
        """
        if len(names) != self.n_dof:
            return float("inf")
        if not names:
            return 1.0
        smallest = float(np.linalg.svd(self._chosen(names), compute_uv=False)[-1])
        return 1.0 / smallest if smallest > _DEPENDENT else float("inf")

    def proposal(self) -> list[str]:
        """Velocities to drive, by a QR factorisation with pivots.

        What is the rate of no coordinate cannot be driven: it is named where others do not do.
        """
        names = list(self.choices)
        if not self.n_dof:
            return []
        is_rate = np.array([name in self._rates for name in names])[:, np.newaxis]
        rows = self._chosen(names) * np.where(is_rate, 1.0, _RATHER_NOT)
        from scipy.linalg import qr  # noqa: PLC0415  takes a fifth of the time of all imports

        _, _, order = qr(rows.T, pivoting=True, mode="economic")
        return [names[k] for k in sorted(order[: self.n_dof])]

    @cached_property
    def _rates(self) -> set[str]:
        """Velocities that are rates of coordinates."""
        s, cut = self.system, len(self.system.description.parts.cut_velocities)
        own = {s.names.v[k] for n, k in s.force_indices.items() if n in s.names.q}
        places = [k for n, k in s.extra_indices.items() if n in s.names.q and k < cut]
        return own | {s.extra_names[k] for k in places}

    def _chosen(self, names: Sequence[str]) -> Any:
        return np.array([self.choices[name] for name in names]) @ self.motions


def _tangent(q: Any, quaternions: list[int]) -> Any:
    """Directions in which coordinates can move: three of the four of a quaternion."""
    keep = [k for k in range(len(q)) if not any(k0 <= k < k0 + 4 for k0 in quaternions)]
    columns = [np.eye(len(q))[:, keep]]
    for k in quaternions:
        turned = np.zeros((len(q), 3))
        turned[k : k + 4] = np.linalg.svd(q[k : k + 4].reshape(1, 4))[2][1:].T
        columns.append(turned)
    return np.hstack(columns)
