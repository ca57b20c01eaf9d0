"""Newton's and Euler's laws for each body of a machine by itself, joints left out."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.model.model import Model
from jourdain.spatial.parameter import evaluate


class Bodies:
    """Masses of the bodies of a model, in the order of adding, at nominal parameters.

    Poses (..., n, 4, 4), twists and accelerations (..., n, 6) are those of `System.kinematics`.
    """

    def __init__(self, model: Model) -> None:
        values = {p.name: p.value for p in model.parameters.values()}
        parts = [b.inertia for b in model.bodies.values()]
        self.mass = np.array([evaluate(i.mass, values) for i in parts], dtype=float)
        self.com = np.array([evaluate(i.com, values) for i in parts], dtype=float).reshape(-1, 3)
        moments = [evaluate(i.moments, values) for i in parts]
        self.moments = np.array(moments, dtype=float).reshape(-1, 3, 3)
        self.gravity = np.array(evaluate(model.gravity, values), dtype=float)

    def _placed(self, poses: Any, twists: Any) -> tuple[Any, ...]:
        """Arm to the centre of mass, moments, angular velocity, velocity of the centre of mass."""
        R, w = poses[..., :3, :3], twists[..., :3]
        arm = np.einsum("...ij,...j", R, self.com)
        J = R @ self.moments @ np.swapaxes(R, -1, -2)
        return arm, J, w, twists[..., 3:] + np.cross(w, arm)

    def energy(self, poses: Any, twists: Any) -> tuple[Any, Any]:
        """Kinetic and potential energy of every body [J]."""
        arm, J, w, v = self._placed(poses, twists)
        spin = np.einsum("...i,...ij,...j", w, J, w)
        kinetic = 0.5 * (self.mass * np.sum(v * v, axis=-1) + spin)
        return kinetic, -self.mass * ((poses[..., :3, 3] + arm) @ self.gravity)

    def momentum(self, poses: Any, twists: Any) -> Any:
        """Momentum [L; P] of every body about the world's origin."""
        arm, J, w, v = self._placed(poses, twists)
        P = self.mass[:, np.newaxis] * v
        L = np.einsum("...ij,...j", J, w) + np.cross(poses[..., :3, 3] + arm, P)
        return np.concatenate((L, P), axis=-1)

    def loads(self, poses: Any, twists: Any, accelerations: Any) -> Any:
        """Load [torque; force] at every body frame that its motion takes besides its weight."""
        arm, J, w, _ = self._placed(poses, twists)
        alpha = accelerations[..., :3]
        a = accelerations[..., 3:] + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
        force = self.mass[:, np.newaxis] * (a - self.gravity)
        spin = np.einsum("...ij,...j", J, alpha) + np.cross(w, np.einsum("...ij,...j", J, w))
        return np.concatenate((spin + np.cross(arm, force), force), axis=-1)
