"""Kinematics of a compiled system: poses, twists, accelerations, Jacobians."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations import kinematics
from jourdain.model.elements import Body, Frame
from jourdain.system.evaluator import Evaluator


class Kinematics(Evaluator):
    """Questions about motion, forces left out."""

    def poses(self, q: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Poses of all bodies in the world.

        Parameters
        ----------
        q : (..., n_q) [m, rad, 1]
            Position coordinates.
        t : (...) [s]
            Time.
        parameters : mapping or (..., n_p)
            Values of parameters that differ from the nominal ones.

        Returns
        -------
        (..., n_bodies, 4, 4) [1, m]
            Homogeneous matrices ``[R p; 0 1]``, bodies in the order of adding.
        """
        (poses,) = self._run(kinematics.POSES, q, t, parameters=parameters)
        return self._matrices(poses)

    def _matrices(self, poses: Any) -> Any:
        """Rows of 16 numbers of the bodies (scalar coordinates come behind) as matrices."""
        return poses.reshape(*poses.shape[:-1], 4, 4)[..., : self._n_bodies, :, :]

    def twists(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Twists [ω; v] of all body frames (..., n_bodies, 6) [rad/s, m/s], world components."""
        (twists,) = self._run(kinematics.TWISTS, q, v, t, parameters=parameters)
        return twists[..., : self._n_bodies, :]

    def spatial_accelerations(
        self, q: Any, v: Any, vdot: Any, t: Any = 0.0, *, parameters: Any = None
    ) -> Any:
        """Rates of the twists, [dω/dt; dv/dt] (..., n_bodies, 6) [rad/s², m/s²].

        The lower half is the acceleration of the body frame's origin; world components.
        """
        return self.kinematics(q, v, vdot, t, parameters=parameters)[2]

    def kinematics(
        self, q: Any, v: Any, vdot: Any = None, t: Any = 0.0, *, parameters: Any = None
    ) -> tuple[Any, Any, Any]:
        """Poses, twists and accelerations in one pass; without ``vdot``, bias accelerations."""
        vdot = np.zeros(self._description.n_v) if vdot is None else vdot
        poses, twists, accelerations = self._run(
            kinematics.KINEMATICS, q, v, vdot, t, parameters=parameters
        )
        n = self._n_bodies
        return self._matrices(poses), twists[..., :n, :], accelerations[..., :n, :]

    def coordinate_rates(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Rates dq/dt = Y₁(q) v (..., n_q) [m/s, rad/s, 1/s]."""
        return self.tree_rates(q, v, t, parameters=parameters)

    def tree_rates(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Rates of the coordinates of the tree alone."""
        return self._run(kinematics.RATES, q, v, t, parameters=parameters)[0]

    def jacobian(
        self, frame: Frame | Body | str, q: Any, t: Any = 0.0, *, parameters: Any = None
    ) -> Any:
        """Jacobian J of a frame: twist [ω; v] = J v + (part excited by time).

        Parameters
        ----------
        frame : Frame, Body or str
            ``body.at(x, y, z)``, a body, or the name of a body or of a named frame.
        q : (..., n_q) [m, rad, 1]
            Position coordinates.
        t : (...) [s]
            Time.
        parameters : mapping or (..., n_p)
            Values of parameters that differ from the nominal ones.

        Returns
        -------
        (..., 6, n_v) [1, m]
            Angular rows first, world components, at the frame's origin.
        """
        poses, columns = self._run(kinematics.COLUMNS, q, t, parameters=parameters)
        body, place = self._locate(frame, parameters)
        jacobian = np.zeros((*columns.shape[:-2], 6, columns.shape[-2]))
        if body < 0:
            return jacobian
        pose = self._matrices(poses)[..., body, :, :]
        point = pose[..., :3, 3] + np.einsum("...ij,...j", pose[..., :3, :3], place)
        use = self._columns_moving[body]
        moving = columns[..., use, :]
        arm = point[..., np.newaxis, :] - moving[..., 6:]
        linear = moving[..., 3:6] + np.cross(moving[..., :3], arm)
        jacobian[..., :3, use] = np.swapaxes(moving[..., :3], -1, -2)
        jacobian[..., 3:, use] = np.swapaxes(linear, -1, -2)
        return jacobian

    @cached_property
    def _columns_moving(self) -> list[Any]:
        """Per body: indices of the velocity coordinates on its path from the world."""
        d = self._description
        own = [np.arange(s, s + k.n_v) for s, k in zip(d.layout.v_start, d.links, strict=True)]
        paths: list[Any] = [np.zeros(0, dtype=int)]
        for link, columns in zip(d.links, own, strict=True):
            paths.append(np.concatenate([paths[link.inboard], columns]))
        return [np.sort(paths[d.topology.number[name]]) for name in d.names.bodies]

    def jacobian_rate(
        self, frame: Frame | Body | str, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None
    ) -> Any:
        """Acceleration [dω/dt; dv/dt] of a frame at ``vdot = 0`` (..., 6): (dJ/dt) v and drives."""
        poses, twists, accelerations = self.kinematics(q, v, None, t, parameters=parameters)
        body, place = self._locate(frame, parameters)
        if body < 0:
            return np.zeros((*accelerations.shape[:-2], 6))
        rate = accelerations[..., body, :].copy()
        w, alpha = twists[..., body, :3], rate[..., :3]
        arm = np.einsum("...ij,...j", poses[..., body, :3, :3], place)
        rate[..., 3:] += np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
        return rate
