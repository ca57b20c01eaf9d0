"""One state of a system with what identities compare, each computed once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.analysis.proof.bodies import Bodies
from jourdain.formulations.deforming import Deformed
from jourdain.formulations.skeleton import Skeleton
from jourdain.spatial.parameter import evaluate
from jourdain.system.system import System

Discrepancies = dict[str, float]
TINY = float(np.finfo(float).tiny)
_STEPS = (1e-2, 1e-3, 1e-4)  # of differences [s]: smooth joints like long ones, tables short ones


@dataclass(frozen=True, eq=False)
class Case:
    """A system at one state, with what several identities compare.

    Parameters
    ----------
    system, compiled : System
        The system in plain Python, and as machine code for where many evaluations are needed.
    bodies : Bodies
        Its masses.
    q, v, vdot, t
        State, accelerations and time.
    other : (n_v,)
        Another velocity.
    order : tuple of str
        Bodies, those near the world first.
    """

    system: System
    compiled: System
    bodies: Bodies
    q: Any
    v: Any
    vdot: Any
    t: float
    other: Any
    order: tuple[str, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Velocity coordinates."""
        return self.system.names.v

    @cached_property
    def M(self) -> Any:  # noqa: N802
        """Mass matrix."""
        return self.system.mass_matrix(self.q, self.t)

    @cached_property
    def tau(self) -> Any:
        """Forces that cause the accelerations."""
        return self.system.inverse_dynamics(self.q, self.v, self.vdot, self.t)

    @cached_property
    def sizes(self) -> Any:
        """Size of the terms of every equation: |M| |dv/dt| + |h| + |τ|."""
        return np.abs(self.M) @ np.abs(self.vdot) + np.abs(self.bias) + np.abs(self.tau) + TINY

    @cached_property
    def bias(self) -> Any:
        """Forces without accelerations."""
        return self.system.bias(self.q, self.v, self.t)

    @cached_property
    def columns(self) -> Any:
        """Mass matrix from the forces of unit accelerations."""
        unit = np.eye(len(self.v))
        return self.system.inverse_dynamics(self.q, self.v, unit, self.t) - self.bias

    @cached_property
    def accelerations(self) -> Any:
        """Accelerations that the forces cause."""
        return self.system.forward_dynamics(self.q, self.v, self.tau, self.t)

    def acceleration_error(self, vdot: Any) -> Discrepancies:
        """Difference of accelerations as a force, so that small inertias do not count more."""
        return self.by_velocity(self.M @ (vdot - self.accelerations) / self.sizes)

    @cached_property
    def joint_loads(self) -> Any:
        """Interactions in the joints."""
        return self.system.loads(self.q, self.v, self.vdot, self.t)

    @cached_property
    def roots(self) -> Any:
        """Square roots of the diagonal of M: unit of momentum per unit of velocity."""
        return np.sqrt(np.maximum(np.diagonal(self.M), TINY))

    @cached_property
    def motion(self) -> tuple[Any, Any, Any]:
        """Poses, twists and accelerations."""
        return self.system.kinematics(self.q, self.v, self.vdot, self.t)

    @cached_property
    def _skeleton(self) -> Skeleton:
        return Skeleton(self.system)

    def shapes(self, q: Any, v: Any, t: float) -> list[Deformed]:
        """Shapes of the flexible bodies."""
        return list(self._skeleton.deformed(q, v, t))

    @cached_property
    def shape(self) -> list[Deformed]:
        """Shapes of the flexible bodies at the state."""
        return self.shapes(self.q, self.v, self.t)

    @cached_property
    def loads(self) -> Any:
        """Loads on the bodies by Newton's and Euler's laws; of flexible ones by Lagrange's."""
        return self.bodies.loads(*self.motion, self.shape, self.vdot)

    @cached_property
    def along(self) -> Any:
        """Forces (n_v,) along elastic coordinates that the motion takes, besides those loads."""
        total, loads = np.zeros(len(self.v)), self.bodies.elastic_loads
        for own, (_, load) in zip(
            self.shape, loads(self.motion, self.shape, self.vdot), strict=True
        ):
            total += own.E.T @ load[6:]
        return total

    @cached_property
    def driven_power(self) -> float:
        """Power of the drives of elastic coordinates, besides that of the loads."""
        loads = self.bodies.elastic_loads(self.motion, self.shape, self.vdot)
        pairs = zip(self.shape, loads, strict=True)
        return float(sum(load[6:] @ (own.rate - own.E @ self.v) for own, (_, load) in pairs))

    @cached_property
    def rotors(self) -> Any:
        """Inertias of free velocities beside bodies: scalar coordinates, armatures of joints."""
        model = self.system.model
        values = {p.name: p.value for p in model.parameters.values()}
        inertias = {f"{c.name}.rate": c.inertia for c in model.coordinates.values()}
        for joint in model.joints.values():
            inertias |= {f"{joint.name}.{name}": x for name, x in joint.armature.items()}
        return np.array([float(evaluate(inertias.get(n, 0.0), values)) for n in self.names])

    @cached_property
    def excited(self) -> Any:
        """Twists caused by drives and explicit time alone."""
        return self.twists(np.zeros_like(self.v))

    def twists(self, v: Any) -> Any:
        """Twists at another velocity."""
        return self.system.kinematics(self.q, v, None, self.t)[1]

    @cached_property
    def line(self) -> Mapping[float, tuple[Any, Any, Any]]:
        """Poses, twists and shapes at times around the state, (q, v) along its tangent."""
        times = np.array([k * h for h in _STEPS for k in (-2, -1, 1, 2)])
        rates = self.system.coordinate_rates(self.q, self.v, self.t)
        q, v = self.q + np.outer(times, rates), self.v + np.outer(times, self.vdot)
        poses, twists, _ = self.compiled.kinematics(q, v, self.vdot, self.t + times)
        states = zip(q, v, self.t + times, strict=True)
        shapes = [self.shapes(*state) for state in states]
        return dict(zip(times.tolist(), zip(poses, twists, shapes, strict=True), strict=True))

    def slope_error(self, function: Callable[..., Any], rate: Any, size: Any) -> Any:
        """Least discrepancy of a rate from differences of ``function(poses, twists, shapes)``.

        A wrong rate agrees with no step; a right one may be lost in a kink or in rounding of some.
        """
        errors = []
        for h in _STEPS:
            far0, near0, near1, far1 = (function(*self.line[k * h]) for k in (-2, -1, 1, 2))
            slope = (8.0 * (near1 - near0) - (far1 - far0)) / (12.0 * h)
            errors.append(np.abs(slope - rate) / size)
        return np.min(errors, axis=0)

    def by_velocity(self, errors: Any) -> Discrepancies:
        """Errors of equations or of columns by the names of the velocities."""
        return _by_name(self.names, errors)

    def by_body(self, errors: Any) -> Discrepancies:
        """Errors by the names of the bodies, those near the world first."""
        found = _by_name(self.system.names.bodies, errors)
        return {name: found[name] for name in self.order}


def _by_name(names: tuple[str, ...], errors: Any) -> Discrepancies:
    """Largest error of every row."""
    rows = np.abs(errors).reshape(len(names), -1) if names else np.zeros((0, 1))
    return dict(zip(names, rows.max(axis=1).tolist(), strict=True))
