"""Skate: nonholonomic motion in a plane."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.joints.joint import Joint


class Skate(Joint):
    """Blade on ice: the child moves in the x-y plane of the parent, but only along its own x axis.

    Any position and heading can be reached, yet the blade never slides sideways: three
    coordinates, two velocities. The angle counts by the right-hand rule about z::

         y           _ speed > 0, along x of the child
         |         _-
         |    o==--    angle
         +------------------ x

    ==========  =====  ========  =======
    coordinate  unit   velocity  unit
    ==========  =====  ========  =======
    position.x  m      speed     m/s
    position.y  m
    angle       rad    rate      rad/s
    ==========  =====  ========  =======

    Examples
    --------
    >>> import jourdain as jd
    >>> jd.Skate().velocities
    {'speed': 'm/s', 'rate': 'rad/s'}
    """

    coordinates = {"position.x": "m", "position.y": "m", "angle": "rad"}
    velocities = {"speed": "m/s", "rate": "rad/s"}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Translation in the x-y plane, rotation about z."""
        return math.rotation_z(q[2]), math.vector(q[0], q[1], 0)

    def rates(self, q: Any) -> Any:
        """Speed along the blade, rate about z."""
        return math.matrix(((math.cos(q[2]), 0), (math.sin(q[2]), 0), (0, 1)))
