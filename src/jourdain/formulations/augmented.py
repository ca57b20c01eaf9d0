"""Lagrange's equations of the first kind: free bodies, every joint a constraint.

With the matrices of `Descriptor` (AG-1, AG-2),

    [M  Wᵀ; W  0] [d²z/dt²; −μ] = [f + Aᵀ ψ τ; ψ̄ᵀ (γ − a)]                (AG-3)
    dv/dt = ψᵀ (A d²z/dt² + a − γ),      interaction = ψ τ + ψ̄ μ           (AG-4)
    [M  Aᵀ; A  0] [d²z/dt²; −interaction] = [f; φ dv/dt + γ − a]            (AG-5)
    M += Aᵀ ψ J ψᵀ A,      f += Aᵀ ψ J ψᵀ (γ − a)     in AG-3, of armatures J (AG-7)

AG-5 drives every coordinate: it gives the loads of a known motion. Cut joints and held measures
add rows to W, laws add loads to f; rows that repeat others are allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from jourdain.formulations.connections import Connections, solve_constrained
from jourdain.formulations.definiteness import require_definite
from jourdain.formulations.descriptor import Descriptor, solve_saddle
from jourdain.formulations.formulation import Formulation
from jourdain.formulations.skeleton import Skeleton
from jourdain.system.system import System

_NEWTON = 10


@dataclass(frozen=True, slots=True)
class Augmented(Formulation):
    """Absolute coordinates, all joints as constraints with multipliers (AG-3).

    One dense system of 6 equations per body and 6 − n_f per joint. Bodies without mass are legal
    as long as no free coordinate lacks inertia.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.formulations import Augmented
    >>> model = jd.Model("pendulum", gravity=(0, 0, -9.81))
    >>> bob = model.add_body("bob", jd.solid.point(2.0, (0.5, 0, 0)))
    >>> joint = model.add_joint("pin", model.world, bob, jd.Revolute("y"))
    >>> Augmented().accelerations(jd.compile(model), [0.0], [0.0]).round(9)
    array([19.62])
    """

    def accelerations(
        self,
        system: System,
        q: Any,
        v: Any,
        tau: Any = None,
        t: float = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> Any:
        """Accelerations with the multipliers of the locked motions (AG-3, AG-4)."""
        skeleton = Skeleton(system, parameters)
        tau = skeleton.velocities("tau", system.forces(tau))
        d = self._describe(skeleton, q, v, t, wrenches)
        require_definite(d.mass_matrix() + np.diag(skeleton.rotors), skeleton, q, t)
        bias, scalar = d.relative_bias, skeleton.scalar_inertias > 0.0
        f = d.f + d.rotor_forces + d.A.T @ (d.psi @ tau)
        if system.has_connections:
            f = np.concatenate([f, tau[scalar]])
            z_ddot, scalars, _ = _constrained(_connections(skeleton, q, v, t, d), d, f)
        else:
            z_ddot, _ = solve_saddle(d.M + d.rotor_masses, d.W, f, d.psi_c.T @ bias)
            scalars = tau[scalar] / skeleton.scalar_inertias[scalar]
        vdot = d.psi.T @ (d.A @ z_ddot - bias)
        vdot[scalar] = scalars
        return vdot

    def connection_loads(
        self,
        system: System,
        q: Any,
        v: Any,
        tau: Any = None,
        t: float = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Loads of connections and cut joints: (n_bodies, 6) at the body frames, and per cut joint.

        Cut joints have [torque; force] on the child by the parent, at the child frame, in parent
        components. Of loads that are not unique, those of least norm are given. Forces along
        coordinates of joints count as loads on the bodies.
        """
        skeleton = Skeleton(system, parameters)
        tau = skeleton.velocities("tau", system.forces(tau))
        d = self._describe(skeleton, q, v, t, wrenches)
        f = d.f + d.rotor_forces + d.A.T @ (d.psi @ tau)
        f = np.concatenate([f, tau[skeleton.scalar_inertias > 0.0]])
        connections = _connections(skeleton, q, v, t, d)
        _, _, multipliers = _constrained(connections, d, f)
        total = connections.loads(multipliers) + sum(
            r.W.T @ multipliers[r.name] for r in connections.rows
        )
        order = [system.topology.number[name] - 1 for name in system.names.bodies]
        cuts = {c.element.name: c.locked @ multipliers[c.element.name] for c in connections.cuts}
        return total[: d.n_twists].reshape(-1, 6)[order], cuts

    def mass_matrix(self, system: System, q: Any, t: float = 0.0, *, parameters: Any = None) -> Any:
        """Mass matrix of the velocities that satisfy the constraints."""
        skeleton = Skeleton(system, parameters)
        d = self._describe(skeleton, q, np.zeros(skeleton.n_v), t, None)
        return d.mass_matrix() + np.diag(skeleton.rotors)

    def inverse_dynamics(
        self,
        system: System,
        q: Any,
        v: Any,
        vdot: Any,
        t: float = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> Any:
        """Forces τ = φᵀ A of the interactions A that enforce the whole motion (AG-5)."""
        skeleton = Skeleton(system, parameters)
        vdot = skeleton.velocities("vdot", vdot)
        d = self._describe(skeleton, q, v, t, wrenches)
        return d.phi.T @ self._interactions(d, vdot) + skeleton.rotors * vdot

    def loads(
        self,
        system: System,
        q: Any,
        v: Any,
        vdot: Any,
        t: float = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> Any:
        """Interactions: multipliers of all six relative motions of every joint (Sol F68, AG-5)."""
        skeleton = Skeleton(system, parameters)
        vdot = skeleton.velocities("vdot", vdot)
        d = self._describe(skeleton, q, v, t, wrenches)
        return self._interactions(d, vdot)[: d.n_twists].reshape(-1, 6)[skeleton.rows]

    def _interactions(self, d: Descriptor, vdot: Any) -> Any:
        """Multipliers when every free coordinate is driven: rows A, no dual needed (AG-5)."""
        return solve_saddle(d.M, d.A, d.f, d.phi @ vdot + d.relative_bias)[1]

    def _describe(self, skeleton: Skeleton, q: Any, v: Any, t: float, wrenches: Any) -> Descriptor:
        posture = skeleton.move(q, v, t)
        v = skeleton.velocities("v", v)
        return Descriptor(skeleton, posture, v, skeleton.wrenches(wrenches))


def _connections(skeleton: Skeleton, q: Any, v: Any, t: float, d: Descriptor) -> Connections:
    return Connections(skeleton, d.posture, d, q, v, t)


def _constrained(
    connections: Connections, d: Descriptor, f: Any
) -> tuple[Any, Any, dict[str, Any]]:
    """Accelerations of bodies and of scalar coordinates, and multipliers of rows by name."""
    n, size = d.size, connections.size
    f = connections.padded(f)
    M = np.zeros((size, size))
    M[:n, :n], M[range(n, size), range(n, size)] = d.M + d.rotor_masses, connections.inertias
    tree = np.zeros((len(d.W), size))
    tree[:, :n] = d.W
    rows = connections.rows
    W = np.vstack([tree, *(r.W for r in rows)])
    right = np.concatenate([d.psi_c.T @ d.relative_bias, *(r.right for r in rows)])
    ends = np.cumsum([len(tree), *(len(r.right) for r in rows)])
    places = {r.name: slice(a, b) for r, (a, b) in zip(rows, pairwise(ends), strict=True)}

    def solve(known: Any) -> tuple[Any, Any]:
        loads = connections.loads({name: known[places[name]] for name in connections.held})
        return solve_constrained(M, W, f + loads, right)

    first = int(ends[len(connections.cuts)])
    mu = _consistent(lambda known: solve(known)[1], np.zeros(len(W)), first)
    z_ddot, mu = solve(mu)
    scalars = z_ddot[n : n + len(connections.scalars)]
    return z_ddot[:n], scalars, {name: mu[place] for name, place in places.items()}


def _consistent(answer: Callable[[Any], Any], known: Any, first: int) -> Any:
    """Multipliers that laws see and that follow from them, by Newton's method (Sol F70)."""
    for _ in range(_NEWTON):
        found = answer(known)
        steps = [1e-3 * (1.0 + abs(x)) for x in found[first:]]
        columns = np.zeros((len(known), len(known)))
        for k, h in enumerate(steps, first):
            moved = found.copy()
            moved[k] += h
            columns[:, k] = (answer(moved) - answer(found)) / h
        if not columns.any():
            return found
        change = np.linalg.solve(np.eye(len(known)) - columns, answer(found) - found)
        known = found + change
        if np.abs(change).max(initial=0.0) <= 1e-13 * (1.0 + np.abs(known).max(initial=0.0)):
            break
    return known
