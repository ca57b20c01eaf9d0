"""Equations of motion in absolute coordinates, projected on the joint velocities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.formulations import natural, twists
from jourdain.formulations.definiteness import require_definite
from jourdain.formulations.formulation import Formulation
from jourdain.formulations.skeleton import Posture, Skeleton
from jourdain.formulations.transformation import Transformation, joint_loads
from jourdain.system.system import System

_COORDINATES = {"twists": twists.transformation, "natural": natural.transformation}


@dataclass(frozen=True, slots=True)
class VelocityTransformation(Formulation):
    """Dense projection ``(Rᵀ M R) dv/dt = Rᵀ (Q − M b) + tau`` (VT-2).

    Parameters
    ----------
    coordinates : str
        ``"twists"`` of the centres of mass (Sol's U, W, T), or ``"natural"``: basic points and
        unit vectors with a constant mass matrix (Issa & Arczewski).

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.formulations import VelocityTransformation
    >>> model = jd.Model("pendulum", gravity=(0, 0, -9.81))
    >>> bob = model.add_body("bob", jd.solid.point(2.0, (0.5, 0, 0)))
    >>> joint = model.add_joint("pin", model.world, bob, jd.Revolute("y"))
    >>> VelocityTransformation("natural").mass_matrix(jd.compile(model), [0.3]).round(12)
    array([[0.5]])
    """

    coordinates: str = "twists"

    def __post_init__(self) -> None:
        if self.coordinates not in _COORDINATES:
            raise ModelError(
                f"coordinates of VelocityTransformation are {self.coordinates!r}. "
                f"Choose one of {', '.join(map(repr, _COORDINATES))}."
            )

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
        """Accelerations from the projected equations (VT-2)."""
        skeleton = Skeleton(system, parameters)
        tau = skeleton.velocities("tau", system.forces(tau))
        _, transformed = self._transform(skeleton, q, v, t, wrenches)
        M = transformed.mass_matrix() + np.diag(skeleton.rotors)
        require_definite(M, skeleton, q, t)
        return np.linalg.solve(M, tau - transformed.forces(np.zeros(skeleton.n_v)))

    def mass_matrix(self, system: System, q: Any, t: float = 0.0, *, parameters: Any = None) -> Any:
        """Mass matrix RᵀMR."""
        skeleton = Skeleton(system, parameters)
        _, transformed = self._transform(skeleton, q, np.zeros(skeleton.n_v), t, None)
        return transformed.mass_matrix() + np.diag(skeleton.rotors)

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
        """Forces Rᵀ(M d²z/dt² − Q)."""
        skeleton = Skeleton(system, parameters)
        vdot = skeleton.velocities("vdot", vdot)
        _, transformed = self._transform(skeleton, q, v, t, wrenches)
        return transformed.forces(vdot) + skeleton.rotors * vdot

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
        """Interactions from the resultants on the bodies, summed along the tree (Sol F69)."""
        skeleton = Skeleton(system, parameters)
        vdot = skeleton.velocities("vdot", vdot)
        posture, transformed = self._transform(skeleton, q, v, t, wrenches)
        resultants = transformed.resultants(vdot)
        T = skeleton.matrices.T
        return joint_loads(posture, transformed.points, T, *resultants)[skeleton.rows]

    def _transform(
        self, skeleton: Skeleton, q: Any, v: Any, t: float, wrenches: Any
    ) -> tuple[Posture, Transformation]:
        posture, v = skeleton.move(q, v, t), skeleton.velocities("v", v)
        make = _COORDINATES[self.coordinates]
        return posture, make(skeleton, posture, v, skeleton.wrenches(wrenches))
