"""Newton's and Euler's laws for each body of a machine by itself, joints left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from jourdain.formulations.deforming import Deformed
from jourdain.model.model import Model
from jourdain.spatial.parameter import evaluate


class Bodies:
    """Masses of the bodies of a model, in the order of adding, at nominal parameters.

    Poses (..., n, 4, 4), twists and accelerations (..., n, 6) are those of `System.kinematics`;
    for flexible bodies come their shapes at one state.
    """

    def __init__(self, model: Model) -> None:
        values = {p.name: p.value for p in model.parameters.values()}
        parts = [b.inertia for b in model.bodies.values()]
        self.mass = np.array([evaluate(i.mass, values) for i in parts], dtype=float)
        self.com = np.array([evaluate(i.com, values) for i in parts], dtype=float).reshape(-1, 3)
        moments = [evaluate(i.moments, values) for i in parts]
        self.moments = np.array(moments, dtype=float).reshape(-1, 3, 3)
        self.gravity = np.array(evaluate(model.gravity, values), dtype=float)
        self._places = {name: k for k, name in enumerate(model.bodies)}

    def _placed(self, poses: Any, twists: Any) -> tuple[Any, ...]:
        """Arm to the centre of mass, moments, angular velocity, velocity of the centre of mass."""
        R, w = poses[..., :3, :3], twists[..., :3]
        arm = np.einsum("...ij,...j", R, self.com)
        J = R @ self.moments @ np.swapaxes(R, -1, -2)
        return arm, J, w, twists[..., 3:] + np.cross(w, arm)

    def energy(self, poses: Any, twists: Any, shapes: Sequence[Deformed] = ()) -> tuple[Any, Any]:
        """Kinetic and potential energy of every body [J]."""
        arm, J, w, v = self._placed(poses, twists)
        spin = np.einsum("...i,...ij,...j", w, J, w)
        kinetic = 0.5 * (self.mass * np.sum(v * v, axis=-1) + spin)
        potential = -self.mass * ((poses[..., :3, 3] + arm) @ self.gravity)
        for own in shapes:
            k = self._places[own.name]
            R, p = poses[k, :3, :3], poses[k, :3, 3]
            kinetic[k] = own.energy(R, twists[k])[0]
            potential[k] = -self.gravity @ (self.mass[k] * p + R @ own.first_moment)
        return kinetic, potential

    def momentum(self, poses: Any, twists: Any, shapes: Sequence[Deformed] = ()) -> Any:
        """Momentum [L; P] of every body about the world's origin."""
        arm, J, w, v = self._placed(poses, twists)
        P = self.mass[:, np.newaxis] * v
        L = np.einsum("...ij,...j", J, w) + np.cross(poses[..., :3, 3] + arm, P)
        found = np.concatenate((L, P), axis=-1)
        for own in shapes:
            k = self._places[own.name]
            found[k] = own.energy(poses[k, :3, :3], twists[k])[1]
            found[k, :3] += np.cross(poses[k, :3, 3], found[k, 3:])
        return found

    def elastic_loads(
        self, motion: tuple[Any, Any, Any], shapes: Sequence[Deformed], vdot: Any
    ) -> Iterator[tuple[int, Any]]:
        """Places of flexible bodies, with loads [torque; force; along elastic coordinates]."""
        poses, twists, accelerations = motion
        for own in shapes:
            k = self._places[own.name]
            M, bias = own.twists(poses[k, :3, :3], twists[k], np.zeros(3))
            above = np.concatenate([accelerations[k], own.E @ vdot + own.known])
            above[3:6] -= self.gravity
            yield k, M @ above + bias

    def weight_torques(self, poses: Any, shapes: Sequence[Deformed]) -> Any:
        """Torque (n, 3) of every weight about the world's origin."""
        weight = self.mass[:, np.newaxis] * self.gravity
        arm = poses[:, :3, 3] + np.einsum("...ij,...j", poses[:, :3, :3], self.com)
        found = np.cross(arm, weight)
        for own in shapes:
            k = self._places[own.name]
            moment = self.mass[k] * poses[k, :3, 3] + poses[k, :3, :3] @ own.first_moment
            found[k] = np.cross(moment, self.gravity)
        return found

    def loads(
        self,
        poses: Any,
        twists: Any,
        accelerations: Any,
        shapes: Sequence[Deformed] = (),
        vdot: Any = None,
    ) -> Any:
        """Load [torque; force] at every body frame that its motion takes besides its weight."""
        arm, J, w, _ = self._placed(poses, twists)
        alpha = accelerations[..., :3]
        a = accelerations[..., 3:] + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
        force = self.mass[:, np.newaxis] * (a - self.gravity)
        spin = np.einsum("...ij,...j", J, alpha) + np.cross(w, np.einsum("...ij,...j", J, w))
        found = np.concatenate((spin + np.cross(arm, force), force), axis=-1)
        for k, load in self.elastic_loads((poses, twists, accelerations), shapes, vdot):
            found[k] = load[:6]
        return found
