"""Motion of bodies and of named frames.

The quantities of a body are those of a free joint between the world and the body: position and
velocity in the axes of the world, angular velocity in the axes of the body. So a floating body,
whose automatic joint carries its name, has one meaning of each name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jourdain.model.elements import Frame
from jourdain.results.channels.channel import WXYZ, XYZ, Channel, words
from jourdain.results.trajectory import Trajectory

_UNITS = {
    "position": "m",
    "orientation": "1",
    "velocity": "m/s",
    "angular_velocity": "rad/s",
    "acceleration": "m/s^2",
    "angular_acceleration": "rad/s^2",
    "angular_velocity_world": "rad/s",
    "angular_acceleration_world": "rad/s^2",
}


class FrameMotion:
    """Motion of a frame on a body, or on the world.

    Parameters
    ----------
    run : Trajectory
        The motion.
    frame : Frame
        The place.
    """

    def __init__(self, run: Trajectory, frame: Frame) -> None:
        self.run = run
        self.rotation = np.array(frame.rotation, dtype=float)
        self.body, self.place = run.system.locate(frame, run.p)

    @property
    def matrix(self) -> Any:
        """Rotation matrices (n, 3, 3) from the frame to the world."""
        return self.run.at_body(self.body)[0][:, :3, :3] @ self.rotation

    @property
    def arm(self) -> Any:
        """From the origin of the body to the frame (n, 3) [m], world axes."""
        return self.run.at_body(self.body)[0][:, :3, :3] @ self.place

    def position(self) -> Any:
        """Origin of the frame."""
        return self.run.at_body(self.body)[0][:, :3, 3] + self.arm

    def orientation(self) -> Any:
        """Quaternion, scalar part first, with a sign that does not jump."""
        return quaternions(self.matrix)

    def velocity(self) -> Any:
        """Velocity of the origin."""
        twist = self.run.at_body(self.body)[1]
        return twist[:, 3:] + np.cross(twist[:, :3], self.arm)

    def acceleration(self) -> Any:
        """Acceleration of the origin."""
        _, twist, rate = self.run.at_body(self.body)
        spin = np.cross(twist[:, :3], np.cross(twist[:, :3], self.arm))
        return rate[:, 3:] + np.cross(rate[:, :3], self.arm) + spin

    def angular_velocity_world(self) -> Any:
        """Angular velocity in world axes."""
        return self.run.at_body(self.body)[1][:, :3]

    def angular_acceleration_world(self) -> Any:
        """Angular acceleration in world axes."""
        return self.run.at_body(self.body)[2][:, :3]

    def angular_velocity(self) -> Any:
        """Angular velocity in the axes of the frame."""
        return self._own_axes(self.angular_velocity_world())

    def angular_acceleration(self) -> Any:
        """Angular acceleration in the axes of the frame."""
        return self._own_axes(self.angular_acceleration_world())

    def _own_axes(self, vectors: Any) -> Any:
        return np.einsum("nji,nj->ni", self.matrix, vectors)


def quaternions(matrices: Any) -> Any:
    """Quaternions (n, 4), scalar first, of rotation matrices; neighbours have like signs."""
    if not len(matrices):
        return np.zeros((0, 4))
    found = _one_sided(np.moveaxis(matrices, 0, -1))
    turns = np.sum(found[1:] * found[:-1], axis=-1) < 0.0
    signs = np.cumprod(np.where(turns, -1.0, 1.0))
    return found * np.concatenate(([1.0], signs))[:, np.newaxis]


def _one_sided(R: Any) -> Any:
    """Quaternions (n, 4) of matrices (3, 3, n); the first part that is not zero is positive.

    Four times the largest part times the quaternion is a row of sums and differences of entries:
    that part is far from zero, so nothing is lost where others are small.
    """
    x, y, z = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    xy, yz, zx = R[0, 1] + R[1, 0], R[1, 2] + R[2, 1], R[2, 0] + R[0, 2]
    a, b, c = R[0, 0], R[1, 1], R[2, 2]
    rows = np.array(
        [
            [1.0 + a + b + c, x, y, z],
            [x, 1.0 + a - b - c, xy, zx],
            [y, xy, 1.0 - a + b - c, yz],
            [z, zx, yz, 1.0 - a - b + c],
        ]
    )
    largest = np.argmax(np.diagonal(rows), axis=-1)
    found = rows[largest, :, np.arange(R.shape[-1])]
    first = found[np.arange(len(found)), np.argmax(found != 0.0, axis=1)]
    return found / (np.linalg.norm(found, axis=1) * np.sign(first))[:, np.newaxis]


def motion_channels(run: Trajectory) -> Iterator[Channel]:
    """Yield the channels of all bodies, then of all named frames."""
    model = run.system.model
    for name in model.bodies:
        yield from _channels(run, name, Frame(name), "body")
    for name, frame in model.frames.items():
        yield from _channels(run, name, frame, "frame")


def _channels(run: Trajectory, name: str, frame: Frame, own: str) -> Iterator[Channel]:
    motion = FrameMotion(run, frame)
    for quantity, unit in _UNITS.items():
        yield Channel(
            f"{name}.{quantity}",
            unit,
            f"{words(quantity.removesuffix('_world'))} of {name}",
            getattr(motion, quantity),
            WXYZ if quantity == "orientation" else XYZ,
            axes=_axes(quantity, own),
        )


def _axes(quantity: str, own: str) -> str:
    if quantity == "orientation":
        return ""
    return own if quantity in ("angular_velocity", "angular_acceleration") else "world"
