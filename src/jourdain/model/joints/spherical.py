"""Spherical joint: any rotation, by a quaternion."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.joints.joint import Joint


class Spherical(Joint):
    """Ball joint: the child turns freely about the common origin.

    The orientation is a quaternion, scalar part first, of any length but zero; it has no
    singular position. The velocities are the components of the angular velocity of the child
    relative to the parent **in the axes of the child**.

    ====================  =====  ========================  =======
    coordinate            unit   velocity                  unit
    ====================  =====  ========================  =======
    orientation.w         1
    orientation.x, y, z   1      angular_velocity.x, y, z  rad/s
    ====================  =====  ========================  =======

    Examples
    --------
    >>> import jourdain as jd
    >>> jd.Spherical().start()
    (1.0, 0.0, 0.0, 0.0)
    """

    coordinates = {f"orientation.{k}": "1" for k in "wxyz"}
    velocities = {f"angular_velocity.{k}": "rad/s" for k in "xyz"}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Rotation matrix of the quaternion."""
        return math.rotation_quaternion((q[0], q[1], q[2], q[3])), math.vector(0, 0, 0)

    def rates(self, q: Any) -> Any:
        """Half the quaternion times the angular velocity: ``dq/dt = q (0, v) / 2``."""
        w, x, y, z = (0.5 * q[i] for i in range(4))
        return math.matrix(((-x, -y, -z), (w, -z, y), (z, w, -x), (-y, x, w)))

    def start(self) -> tuple[float, ...]:
        """Quaternion of no rotation."""
        return (1.0, 0.0, 0.0, 0.0)
