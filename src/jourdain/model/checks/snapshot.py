"""Numbers in the place of a motion: what measures and laws see when they are tried out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from jourdain import math
from jourdain.errors import did_you_mean, unknown_name
from jourdain.model.elements import WORLD, Body, Frame
from jourdain.model.names import full_name

_SEEN = {
    "t": "the time [s]", "coordinate": "(name)", "velocity": "(name)", "state": "(name)",
    "input": "(name)", "multiplier": "(name)", "force": "(name)", "rate": "(state)",
    "pose": "(frame)", "relative": "(frame, to)", "twist": "(frame)", "rate_of": "(measure)",
}  # fmt: skip
_STEP = 1e-3  # of the five-point difference
_REST = (np.zeros(3), np.zeros(3))


def unseen(name: str) -> str:
    """Say that laws do not see a name on ``at``, and what they see."""
    listed = ", ".join(f"at.{k}{x if x[0] == '(' else f', {x}'}" for k, x in _SEEN.items())
    return f"Known: {listed}.{did_you_mean(name, _SEEN)}"


@dataclass(frozen=True)
class Snapshot:
    """Poses and velocities at one moment; measures and laws see it as ``at``.

    Parameters
    ----------
    poses : mapping of str to (R, r)
        Orientation and position [m] of the bodies by name.
    coordinates : mapping of str to float [rad, m]
        Coordinates by name.
    t : float [s]
        Time.
    twists : mapping of str to (w, v)
        Angular velocity [rad/s] and velocity [m/s] of the bodies in world axes; others rest.
    velocities : mapping of str to float [rad/s, m/s]
        Rates of coordinates; others rest.
    states, inputs, multipliers, forces, rates : mappings of str to float
        What a law may ask for.
    where : str
        What to call it in errors.
    """

    poses: Mapping[str, tuple[Any, Any]]
    coordinates: Mapping[str, Any] = field(default_factory=dict)
    t: Any = 0.0
    twists: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    velocities: Mapping[str, Any] = field(default_factory=dict)
    states: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    multipliers: Mapping[str, Any] = field(default_factory=dict)
    forces: Mapping[str, Any] = field(default_factory=dict)
    rates: Mapping[str, Any] = field(default_factory=dict)
    where: str = "this snapshot"

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"there is no at.{name}. {unseen(name)}")

    def pose(self, frame: Frame | Body) -> tuple[Any, Any]:
        """Orientation and position [m] of a frame in the world."""
        frame = frame if isinstance(frame, Frame) else frame.at()
        R, r = self._body(frame.body)
        return R @ np.array(frame.rotation), r + R @ math.vector(frame.position)

    def relative(self, frame: Frame | Body, to: Frame | Body) -> tuple[Any, Any]:
        """Orientation and position [m] of a frame as seen from another one."""
        (R, r), (R_to, r_to) = self.pose(frame), self.pose(to)
        return R_to.T @ R, R_to.T @ (r - r_to)

    def twist(self, frame: Frame | Body) -> tuple[Any, Any]:
        """Angular velocity [rad/s] and velocity [m/s] of the origin of a frame in world axes."""
        frame = frame if isinstance(frame, Frame) else frame.at()
        w, v = self.twists.get(frame.body, _REST)
        return w, v + math.cross(w, self._body(frame.body)[0] @ math.vector(frame.position))

    def coordinate(self, name: str) -> Any:
        """Coordinate of that name."""
        return self._found(self.coordinates, name, "coordinate")

    def velocity(self, name: str) -> Any:
        """Rate of the coordinate of that name."""
        return self.velocities.get(name, 0.0) + 0.0 * self.coordinate(name)

    def state(self, name: str) -> Any:
        """State of a law: an own one, or one of another element by its full name."""
        return self._found(self.states, name, "state")

    def input(self, name: str) -> Any:
        """Input of a law."""
        return self._found(self.inputs, name, "input")

    def multiplier(self, name: str) -> Any:
        """Force of a constraint."""
        return self._found(self.multipliers, name, "constraint")

    def force(self, name: str) -> Any:
        """Force of a connection."""
        return self._found(self.forces, name, "connection")

    def rate(self, name: str) -> Any:
        """Rate of a state of another element."""
        return self._found(self.rates, name, "state")

    def rate_of(self, measure: Any) -> Any:
        """Rate of a measure: what it gives, else the difference of its values on the way."""
        given = measure.rate(self)
        if given is not None:
            return given
        before, behind, ahead, after = (
            np.asarray(measure.value(self.moved(k * _STEP)), dtype=float) for k in (-2, -1, 1, 2)
        )
        return (8.0 * (ahead - behind) - (after - before)) / (12.0 * _STEP)

    def moved(self, dt: float) -> Snapshot:
        """Where the twists and rates lead after a time dt [s], if they stay as they are."""
        poses = dict(self.poses)
        for name, (w, v) in self.twists.items():
            R, r = self.poses[name]
            poses[name] = (_turn(w, dt) @ R, r + dt * math.vector(v))
        coordinates = {k: x + dt * self.velocities.get(k, 0.0) for k, x in self.coordinates.items()}
        states = {k: x + dt * self.rates.get(k, 0.0) for k, x in self.states.items()}
        return replace(self, poses=poses, coordinates=coordinates, t=self.t + dt, states=states)

    def _body(self, name: str) -> tuple[Any, Any]:
        if name == WORLD:
            return np.eye(3), np.zeros(3)
        return self._found(self.poses, name, "body")  # type: ignore[no-any-return]

    def _found(self, table: Mapping[str, Any], name: str, kind: str) -> Any:
        full = full_name(name, table) if kind in ("state", "input") else name
        if full not in table:
            raise unknown_name(kind, str(name), table, self.where)
        return table[full]


def _turn(w: Any, dt: float) -> Any:
    speed = float(np.linalg.norm(w))
    return math.rotation(np.asarray(w) / speed, speed * dt) if speed else np.eye(3)
