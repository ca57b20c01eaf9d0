"""Joint kinds that the library does not have, written as users write them."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.joints.joint import Joint


class Rocker(Joint):
    """Wheel that rolls on a straight track, the child at its centre.

    Parameters
    ----------
    radius : float or Parameter [m]
        Radius of the wheel.
    """

    radius: Any
    coordinates = {"angle": "rad"}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Rotation about y, advance along x."""
        return math.rotation_y(q[0]), (self.radius * q[0], 0, self.radius)


class Turntable(Joint):
    """Slide across a table that turns and swings with time.

    Parameters
    ----------
    rate : float or Parameter [rad/s]
        Speed of the table.
    swing : float or Parameter [m]
        Amplitude of its vertical motion.
    """

    rate: Any
    swing: Any
    coordinates = {"position": "m"}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Radial position on the table that has turned by ``rate * t``."""
        turn = math.rotation_z(self.rate * t)
        lift = math.vector(0, 0, self.swing * math.sin(3.0 * t))
        return turn, turn @ math.vector(0.5 + q[0], 0, 0) + lift


class Cam(Joint):
    """Follower that swings about the axis of a cam and is lifted by it.

    Parameters
    ----------
    lift : Table
        Lift [m] over the angle [rad].
    """

    lift: math.Table
    coordinates = {"angle": "rad"}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Rotation about z, lift along z."""
        return math.rotation_z(q[0]), math.vector(0, 0, self.lift(q[0]))


class Crank(Joint):
    """Hinge about z with the child at the end of an arm; its mode vector is given.

    Parameters
    ----------
    arm : float or Parameter [m]
        Length of the arm.
    """

    arm: Any
    coordinates = {"angle": "rad"}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Rotation about z of child and arm."""
        R = math.rotation_z(q[0])
        return R, R @ math.vector(self.arm, 0, 0)

    def modes(self, q: Any, t: Any) -> Any:
        """Rotation about z, tangent to the circle of the arm."""
        tangent = -self.arm * math.sin(q[0]), self.arm * math.cos(q[0])
        return math.matrix(((0,), (0,), (1,), (tangent[0],), (tangent[1],), (0,)))


class Tilt(Joint):
    """Orientation by a vector along the axis of rotation, twice the tangent of half its angle.

    The velocities are the components of the angular velocity in the axes of the parent, so
    ``rates`` is not the identity though there are as many velocities as coordinates. The values
    ``v = 2 tan(angle / 2)`` are Gibbs' vector, doubled.
    """

    coordinates = {f"turn.{k}": "1" for k in "xyz"}
    velocities = {f"angular_velocity.{k}": "rad/s" for k in "xyz"}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Rotation of the quaternion (2, q), which need not have unit length."""
        return math.rotation_quaternion((2.0, q[0], q[1], q[2])), math.vector(0, 0, 0)

    def rates(self, q: Any) -> Any:
        """``dq/dt = (1 + q qᵀ/4 − skew(q)/2) ω``."""
        x, y, z = q[0], q[1], q[2]
        return math.matrix(
            (
                (1 + x * x / 4, x * y / 4 + z / 2, x * z / 4 - y / 2),
                (y * x / 4 - z / 2, 1 + y * y / 4, y * z / 4 + x / 2),
                (z * x / 4 + y / 2, z * y / 4 - x / 2, 1 + z * z / 4),
            )
        )


def all_user_kinds() -> tuple[Joint, ...]:
    """Representative instances of the kinds of this module, alone and in a product."""
    lift = math.Table(
        (-2.0, -1.2, -0.5, 0.0, 0.4, 1.1, 2.0, 2.6),
        (0.15, 0.1, 0.02, 0.0, 0.05, 0.2, 0.18, 0.15),
        kind="cubic",
        outside="repeat",
    )
    return (
        Rocker(0.2),
        Turntable(0.7, 0.1),
        Cam(lift),
        Crank(0.4),
        Tilt(),
        Rocker(0.3) * Tilt() * Turntable(-0.4, 0.2),
    )
