"""Constant-velocity joint: two shafts that bend freely and turn evenly."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.joints.joint import Joint


class ConstantVelocity(Joint):
    """Homokinetic joint: the shafts, both along z, bend in any direction and spin alike.

    The child shaft points along ``d = Rx(angle_1) Ry(angle_2) e_z``. The orientation is the
    shortest rotation that carries z there, so it never twists: a rotation of one shaft about its
    own axis appears unchanged on the other, however the joint is bent. It fails only where the
    shafts fold back on each other (``d = -e_z``)::

                                      _-  d (child z)
        parent z ----------------(o)-      bend < 180 deg

    ==========  =====  ========  =======
    coordinate  unit   velocity  unit
    ==========  =====  ========  =======
    angle_1     rad    rate_1    rad/s
    angle_2     rad    rate_2    rad/s
    ==========  =====  ========  =======

    Examples
    --------
    >>> import jourdain as jd
    >>> R, r = jd.ConstantVelocity().pose([0.0, 0.0], 0.0)
    >>> bool((R == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]).all())
    True
    """

    coordinates = {"angle_1": "rad", "angle_2": "rad"}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Shortest rotation from z to the shaft: ``1 + [k] + [k]²/(1 + c)``, ``k = e_z × d``."""
        x, y = math.sin(q[1]), -math.sin(q[0]) * math.cos(q[1])
        c = math.cos(q[0]) * math.cos(q[1])
        h = 1.0 / (1.0 + c)
        R = math.matrix(
            ((1 - h * x * x, -h * x * y, x), (-h * x * y, 1 - h * y * y, y), (-x, -y, c))
        )
        return R, math.vector(0, 0, 0)
