"""Lagrange's equations of the first kind: free bodies, every joint a constraint.

With the matrices of `Descriptor` (AG-1, AG-2),

    [M  Wᵀ; W  0] [d²z/dt²; −μ] = [f + Aᵀ ψ τ; ψ̄ᵀ (γ − a)]                (AG-3)
    dv/dt = ψᵀ (A d²z/dt² + a − γ),      interaction = ψ τ + ψ̄ μ           (AG-4)
    [M  Aᵀ; A  0] [d²z/dt²; −interaction] = [f; φ dv/dt + γ − a]            (AG-5)

AG-5 drives every coordinate: it gives the loads of a known motion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.formulations.definiteness import require_definite
from jourdain.formulations.descriptor import Descriptor, solve_saddle
from jourdain.formulations.formulation import Formulation
from jourdain.formulations.skeleton import Skeleton
from jourdain.system.system import System


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
        bias = d.relative_bias
        z_ddot, _ = solve_saddle(d.M, d.W, d.f + d.A.T @ (d.psi @ tau), d.psi_c.T @ bias)
        vdot = d.psi.T @ (d.A @ z_ddot - bias)
        scalar = skeleton.rotors > 0.0
        vdot[scalar] = tau[scalar] / skeleton.rotors[scalar]
        return vdot

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
        return self._interactions(d, vdot).reshape(-1, 6)[skeleton.rows]

    def _interactions(self, d: Descriptor, vdot: Any) -> Any:
        """Multipliers when every free coordinate is driven: rows A, no dual needed (AG-5)."""
        return solve_saddle(d.M, d.A, d.f, d.phi @ vdot + d.relative_bias)[1]

    def _describe(self, skeleton: Skeleton, q: Any, v: Any, t: float, wrenches: Any) -> Descriptor:
        posture = skeleton.move(q, v, t)
        v = skeleton.velocities("v", v)
        return Descriptor(skeleton, posture, v, skeleton.wrenches(wrenches))
