"""Kinematics of a compiled system: poses, twists, accelerations, Jacobians."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations.mechanism import Mechanism
from jourdain.equations.recursion import kinematics
from jourdain.model.elements import Body, Frame
from jourdain.system.compiled import CompiledModel
from jourdain.system.coordinates import Coordinates
from jourdain.system.questions.answers import Answers

_SPOTS = 1000  # places on bodies that are remembered


class Kinematics:
    """Questions about motion, forces left out.

    Parameters
    ----------
    compiled : CompiledModel
        The machine.
    coordinates : Coordinates
        Finds frames by name.
    answers : Answers
        Gives rates of cut joints and of states of laws.
    """

    def __init__(self, compiled: CompiledModel, coordinates: Coordinates, answers: Answers) -> None:
        self._compiled, self._coordinates, self._answers = compiled, coordinates, answers
        self._d, self._n_bodies = compiled.description, compiled.n_bodies

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
        (poses,) = self._compiled.run(kinematics.POSES, q, t, parameters=parameters)
        return self._matrices(poses)

    def _matrices(self, poses: Any) -> Any:
        """Rows of 16 numbers of the bodies (scalar coordinates come behind) as matrices."""
        return poses.reshape(*poses.shape[:-1], 4, 4)[..., : self._n_bodies, :, :]

    def twists(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Twists [ω; v] of all body frames (..., n_bodies, 6) [rad/s, m/s], world components."""
        (twists,) = self._compiled.run(kinematics.TWISTS, q, v, t, parameters=parameters)
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
        vdot = np.zeros(self._d.n_v) if vdot is None else vdot
        poses, twists, accelerations = self._compiled.run(
            kinematics.KINEMATICS, q, v, vdot, t, parameters=parameters
        )
        n = self._n_bodies
        return self._matrices(poses), twists[..., :n, :], accelerations[..., :n, :]

    def coordinate_rates(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Rates dq/dt (..., n_q): Y₁(q) v of the tree, then of cut joints and states of laws."""
        if not self._compiled.has_connections:
            return self.tree_rates(q, v, t, parameters=parameters)
        return self._answers.answers(Mechanism.zdot, q, v, t=t, parameters=parameters)

    def tree_rates(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Rates of the coordinates of the tree alone."""
        return self._compiled.run(kinematics.RATES, q, v, t, parameters=parameters)[0]

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
        _, spot = self._spot(frame, parameters)
        (columns,) = self._compiled.run(kinematics.JACOBIAN, q, spot, t, parameters=parameters)
        return columns.T if columns.ndim == 2 else np.swapaxes(columns, -1, -2)

    def _spot(self, frame: Frame | Body | str, parameters: Any) -> tuple[int, Any]:
        """Body that carries a frame (−1 for the world), and the input that asks for its place.

        Places that no parameter moves are worked out once.
        """
        is_fixed = not self._d.names.parameters and isinstance(frame, str | Frame | Body)
        if is_fixed and frame in self._spots:
            return self._spots[frame]
        body, place = self._coordinates.locate(frame, parameters)
        spot = np.zeros((*place.shape[:-1], self._d.layout.n_bodies, 4))
        if body >= 0:
            spot[..., body, 0], spot[..., body, 1:] = 1.0, place
        spot = spot.reshape(*place.shape[:-1], -1)
        if is_fixed:
            if len(self._spots) >= _SPOTS:
                self._spots.clear()
            self._spots[frame] = body, spot
        return body, spot

    @cached_property
    def _spots(self) -> dict[Any, tuple[int, Any]]:
        return {}

    def jacobian_rate(
        self, frame: Frame | Body | str, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None
    ) -> Any:
        """Acceleration [dω/dt; dv/dt] of a frame at ``vdot = 0`` (..., 6): (dJ/dt) v and drives."""
        body, spot = self._spot(frame, parameters)
        (rates,) = self._compiled.run(
            kinematics.JACOBIAN_RATE, q, v, spot, t, parameters=parameters
        )
        return rates[..., body, :] if body >= 0 else np.zeros((*rates.shape[:-2], 6))
