"""The search for rest: implicit steps of pseudo-time that follow damped motion to a balance.

With R the forces along the independent steps and K = −∂R/∂y, a step solves

    (M/h² + K) δ = R + Wᵀ(λ' − λ),   0 ≤ g + W_N δ ⊥ λ'_N ≥ 0,   −W_T δ ∈ N_C(λ'_T)      (LI-5)

a contact problem in displacements. h grows as the forces fall, so that the last steps are those of
Newton's method.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import eigh, null_space

from jourdain.analysis.linear.contact_forces import ContactForces
from jourdain.analysis.linear.independent import (
    Steps,
    Tangent,
    step_index,
    tangent_space,
    unit_quaternions,
    velocity_of_step,
)
from jourdain.analysis.linear.point import OperatingPoint
from jourdain.errors import IntegrationError, ModelError
from jourdain.simulation.contact.impact import solved
from jourdain.simulation.contact.rows import Contacts
from jourdain.system.contact.kernels import ContactKernels
from jourdain.system.linear.state_graph import Point, Slopes

_STEPS = 400
_EXACT = 1e-12  # step [m, rad] after which nothing changes
_NEAR = 1e-5  # step after which Newton's method is tried
_FREE = 1e-8  # part of the largest stiffness that counts as none
_NO_FORCE = 1e-10  # part of the largest force that counts as none
_FOUND = 1e-9  # step that counts as found, once steps no longer fall
_LARGEST = 0.5  # step [rad, lengths of the machine]
_LONGEST = 1e7  # pseudo-time step, times the first one
_AWAY = 1.5  # times the negative stiffness that inertia must outweigh


@dataclass
class Balance:
    """What the search knows of one position.

    Parameters
    ----------
    at : Point
        State, all contacts open, forces of contacts given.
    slopes : Slopes
        Derivatives there.
    Z : (n_q, n)
        Changes of all positions by the unknowns: steps along independent velocities, then states.
    N : (n_v, n)
        Velocities that belong to them; zero for states.
    M, K, R : arrays
        Mass matrix, stiffness and forces of the unknowns.
    names : list of str
        Names of the unknowns: velocities, then states.
    n_states : int
        How many of them are states.
    """

    at: Point
    slopes: Slopes
    Z: Any
    N: Any
    M: Any
    K: Any
    R: Any
    names: list[str]
    n_states: int

    def softest(self, held: Any) -> float:
        """Lowest eigenvalue [1/s^2] of the stiffness, where states follow the positions.

        Along steps that keep the rows ``held`` (m, n) of contacts only.
        """
        n = len(self.R) - self.n_states
        if not n:
            return 0.0
        K, M = self.K[:n, :n], self.M[:n, :n]
        if self.n_states:
            follow = np.linalg.lstsq(self.K[n:, n:], self.K[n:, :n], rcond=1e-10)[0]
            K = K - self.K[:n, n:] @ follow
        if len(held):
            Z = null_space(held[:, :n], rcond=1e-9)
            K, M = Z.T @ K @ Z, Z.T @ M @ Z
        if not len(K):
            return 0.0
        try:
            lowest = eigh(0.5 * (K + K.T), M, eigvals_only=True, subset_by_index=[0, 0])
        except np.linalg.LinAlgError:
            return 0.0
        return float(lowest[0])

    @property
    def size(self) -> float:
        """Size of the forces, as accelerations weighted with masses."""
        return float(np.sqrt(max(self.R @ np.linalg.lstsq(self.M, self.R, rcond=None)[0], 0.0)))


@dataclass
class RestSearch:
    """Search for a state of rest from an operating point.

    Parameters
    ----------
    point : OperatingPoint
        State equation and start.
    hold : tuple of str
        Coordinates that stay where they are.
    """

    point: OperatingPoint
    hold: tuple[str, ...] = ()
    steps_done: int = 0
    contacts: Contacts | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        system = self.point.system
        if system.description.parts.contact_names:
            values = self.point.graph.inputs
            free = dict(zip(self.point.graph.free, self.point.at.u.tolist(), strict=True))
            kernels = ContactKernels(system, {**values, **free}, {}, {})
            self.contacts = Contacts(system, kernels, self.point.at.p)

    # -- one position -----------------------------------------------------------------------------

    def balance(self, at: Point) -> Balance:
        """Forces and stiffness at a position."""
        point = self.point
        system, slopes = point.system, point.graph.slopes(at)
        tangent = tangent_space(system, at, slopes, self.hold)
        mass = system.mass_matrix(at.q, at.t, parameters=at.p)
        moving = [
            k for k in range(len(tangent.velocities)) if tangent.velocities[k] not in self.held
        ]
        N = tangent.N_v[:, moving]
        states = self._states(tangent)
        Z = np.zeros((len(at.q), len(moving) + len(states)))
        Z[:, : len(moving)] = slopes.by_v["zdot"] @ N
        Z[states, : len(moving)] = 0.0
        Z[states, np.arange(len(moving), Z.shape[1])] = 1.0
        forces = N.T @ mass @ np.column_stack([slopes.vdot, slopes.by_z["vdot"] @ Z])
        rates = np.column_stack([slopes.zdot, slopes.by_z["zdot"] @ Z])[states]
        both = np.vstack([forces, rates])
        M = np.eye(Z.shape[1])
        M[: len(moving), : len(moving)] = N.T @ mass @ N
        names = [system.names.v[tangent.velocities[k]] for k in moving]
        names += [system.names.q[k] for k in states]
        N = np.hstack([N, np.zeros((len(at.v), len(states)))])
        return Balance(at, slopes, Z, N, M, -both[:, 1:], both[:, 0], names, len(states))

    @cached_property
    def held(self) -> set[int]:
        """Velocities of the coordinates that stay where they are."""
        steps = Steps(self.point.system)
        rates = velocity_of_step(steps)
        found = set()
        for name in self.hold:
            index = step_index(steps, name)
            if index not in rates:
                raise ModelError(
                    f"{name!r} cannot be held: it belongs to a cut joint, or its rate is none of "
                    "the velocities. Hold coordinates of the tree: "
                    f"{', '.join(steps.names[k] for k in rates)}."
                )
            found.add(rates[index])
        return found

    def _states(self, tangent: Tangent) -> list[int]:
        """Places of independent states of elements in z."""
        first = len(self.point.at.q) - len(self.point.system.description.parts.states)
        own = (tangent.steps.places[k] for k in tangent.positions)
        return [place for place in own if isinstance(place, int) and place >= first]

    # -- the steps --------------------------------------------------------------------------------

    def run(self) -> tuple[Balance, bool]:
        """Last position, and whether it is one of rest."""
        length = 1.0
        now = self.balance(self.point.at.moved(mode=np.zeros_like(self.point.at.mode)))
        h = h_0 = self._first(now)
        last = np.inf
        for self.steps_done in range(_STEPS):
            h = self._bounded(now, h)
            step, touch = self._step(now, h)
            size = np.abs(step).max(initial=0.0)
            if size > _LARGEST * length:
                h *= 0.5 if size < 4.0 * _LARGEST * length else 0.1
                step = step * (_LARGEST * length / size)
                touch = None if size > 4.0 * _LARGEST * length else touch
            then = self._moved(now, step, touch)
            if then is None or (then.size > 4.0 * now.size and now.size > 0.0 and h > 1e-3 * h_0):
                h *= 0.25
                if h < 1e-6 * h_0:
                    return now, False
                continue
            ratio = float(np.clip(now.size / max(then.size, 1e-300), 0.5, 20.0))
            if step @ then.R > 0.0:  # still downhill: forces that grow are no reason to slow down
                ratio = max(ratio, 1.5)
            h = min(h * ratio, _LONGEST * h_0)
            now = then
            is_newton = h >= 0.01 * _LONGEST * h_0
            if size <= _EXACT or (is_newton and size <= _FOUND and size > 0.3 * last):
                return now, True
            last, h = size, _LONGEST * h_0 if size < _NEAR else h
        return now, False

    @property
    def first_time(self) -> float:
        """Time [s] in which the start begins to move."""
        return self._first(self.balance(self.point.at))

    def _first(self, now: Balance) -> float:
        fastest = np.abs(np.linalg.lstsq(now.M, now.R, rcond=None)[0]).max(initial=0.0)
        return float(np.sqrt(0.2 / fastest)) if fastest > 0.0 else 1.0

    def _bounded(self, now: Balance, h: float) -> float:
        """Pseudo-time step for which the matrix of the step is positive definite."""
        lowest = now.softest(self._held_rows(now))
        return min(h, float(np.sqrt(1.0 / (-_AWAY * lowest)))) if lowest < -1e-9 else h

    def _step(self, now: Balance, h: float) -> tuple[Any, Any]:
        """Change of the free steps, and forces of the contacts behind it."""
        matrix = _without_free_motions(now, now.M / h**2 + now.K)
        if self.contacts is None or not len(now.R):
            return _solve(matrix, now.R), None
        contacts, at = self.contacts, now.at
        rows = contacts.rows(at.q, at.v, np.zeros(len(at.mode)), at.t)
        W = rows.W @ now.N
        forces_of = ContactForces(contacts)
        lam = forces_of.rows_of(at.touch)
        blocks, offset = forces_of.laws(rows)
        held = forces_of.held(lam, rows)
        size = float(np.abs(W[held]).max(initial=0.0))
        stiff = np.abs(matrix).max() / size**2 if size > 0.0 else 0.0
        matrix = matrix + stiff * W[held].T @ W[held]  # what is held stays: no change, but definite
        right = now.R - W.T @ lam - stiff * W[held].T @ offset[held]
        G, c = W @ _solve(matrix, W.T), W @ _solve(matrix, right) + offset
        listed = list(enumerate(contacts.touches))
        try:
            forces, _ = solved(0.5 * (G + G.T), c, blocks, listed, at.t, "contact")
        except IntegrationError:
            forces = lam
        forces = forces_of.exact(G, c, forces, rows)
        return _solve(matrix, right + W.T @ forces), forces_of.touch_of(forces)

    def _held_rows(self, now: Balance) -> Any:
        """Rows that contacts hold with the forces that they have, by the unknowns."""
        if self.contacts is None or now.at.touch is None:
            return np.zeros((0, len(now.R)))
        at = now.at
        rows = self.contacts.rows(at.q, at.v, np.zeros(len(at.mode)), at.t)
        forces_of = ContactForces(self.contacts)
        return rows.W[forces_of.held(forces_of.rows_of(at.touch), rows)] @ now.N

    def _moved(self, now: Balance, step: Any, touch: Any) -> Balance | None:
        """Position after a step, back on the constraints; None where there is none."""
        at, system = now.at, self.point.system
        q = unit_quaternions(system, at.q + now.Z @ step)
        q, _ = system.project(q, np.zeros(len(at.v)), at.t, parameters=at.p)
        if not np.isfinite(q).all():
            return None
        if system.is_corrected and system.largest_error(q, at.v, at.t, parameters=at.p) > 1e-9:
            return None
        held = at.touch if touch is None else touch
        return self.balance(at.moved(q=q, touch=held))


def _without_free_motions(now: Balance, matrix: Any) -> Any:
    """Matrix that does not let free motions drift, along which no force acts."""
    if not len(now.R):
        return matrix
    scale = np.sqrt(np.maximum(np.diagonal(now.M), 1e-300))
    left, sizes, right = np.linalg.svd(matrix / np.outer(scale, scale))
    forces = np.abs(left.T @ (now.R / scale))
    size = 1.0 + float(np.abs(now.R / scale).max())
    free = (sizes <= _FREE * sizes[0]) & (forces <= _NO_FORCE * size)
    stiff = scale[:, None] * (left[:, free] * sizes[0]) @ right[free]
    return matrix + stiff * scale


def _solve(matrix: Any, right: Any) -> Any:
    try:
        found = np.linalg.solve(matrix, right)
        if np.isfinite(found).all():
            return found
    except np.linalg.LinAlgError:
        pass
    return np.linalg.lstsq(matrix, right, rcond=None)[0]
