"""Gimbal joint: any rotation, by Bryant angles."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.joints.joint import Joint


class Gimbal(Joint):
    """Three rings: the child turns about x, then the new y, then the new z.

    ``R = Rx(angle_1) Ry(angle_2) Rz(angle_3)``, Bryant (Cardan) angles by the right-hand rule.
    Singular where angle_2 is a quarter turn either way: take `Spherical` for tumbling bodies.

    ==========  =====  ========  =======
    coordinate  unit   velocity  unit
    ==========  =====  ========  =======
    angle_1     rad    rate_1    rad/s
    angle_2     rad    rate_2    rad/s
    angle_3     rad    rate_3    rad/s
    ==========  =====  ========  =======

    Examples
    --------
    >>> import jourdain as jd
    >>> list(jd.Gimbal().coordinates)
    ['angle_1', 'angle_2', 'angle_3']
    """

    coordinates = {"angle_1": "rad", "angle_2": "rad", "angle_3": "rad"}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Rotation about x, y, z in turn."""
        R = math.rotation_x(q[0]) @ math.rotation_y(q[1]) @ math.rotation_z(q[2])
        return R, math.vector(0, 0, 0)
