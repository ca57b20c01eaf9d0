"""Euler joint: any rotation, by Euler angles z-x-z."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.joints.joint import Joint


class Euler(Joint):
    """Spinning top: the child precesses about z, nutates about the new x, spins about the new z.

    ``R = Rz(angle_1) Rx(angle_2) Rz(angle_3)``, Euler angles by the right-hand rule. Singular
    where angle_2 is zero or half a turn, **the reference position included**: start elsewhere.

    ==========  =====  ========  =======  ============
    coordinate  unit   velocity  unit     name
    ==========  =====  ========  =======  ============
    angle_1     rad    rate_1    rad/s    precession
    angle_2     rad    rate_2    rad/s    nutation
    angle_3     rad    rate_3    rad/s    spin
    ==========  =====  ========  =======  ============

    Examples
    --------
    >>> import jourdain as jd
    >>> list(jd.Euler().velocities)
    ['rate_1', 'rate_2', 'rate_3']
    """

    coordinates = {"angle_1": "rad", "angle_2": "rad", "angle_3": "rad"}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Rotation about z, x, z in turn."""
        R = math.rotation_z(q[0]) @ math.rotation_x(q[1]) @ math.rotation_z(q[2])
        return R, math.vector(0, 0, 0)
