"""Free joint: all six motions."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain import math
from jourdain.model.joints.joint import Joint
from jourdain.model.joints.spherical import Spherical


class Free(Joint):
    """Floating body: the child moves and turns without restraint.

    The position and its rate are components in the axes of the **parent**; the angular velocity
    relative to the parent has components in the axes of the **child**. The orientation is a
    quaternion, scalar part first. Velocities come in the order of the coordinates: linear first.

    ====================  =====  ========================  =======
    coordinate            unit   velocity                  unit
    ====================  =====  ========================  =======
    position.x, y, z      m      velocity.x, y, z          m/s
    orientation.w         1
    orientation.x, y, z   1      angular_velocity.x, y, z  rad/s
    ====================  =====  ========================  =======

    Examples
    --------
    >>> import jourdain as jd
    >>> free = jd.Free()
    >>> len(free.coordinates), len(free.velocities)
    (7, 6)
    """

    coordinates = {"position.x": "m", "position.y": "m", "position.z": "m", **Spherical.coordinates}
    velocities = {
        "velocity.x": "m/s",
        "velocity.y": "m/s",
        "velocity.z": "m/s",
        **Spherical.velocities,
    }

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Translation and the rotation matrix of the quaternion."""
        R, _ = Spherical().pose(q[3:], t)
        return R, math.vector(q[0], q[1], q[2])

    def rates(self, q: Any) -> Any:
        """Identity for the position, quaternion rates for the orientation."""
        return math.block_diagonal(np.eye(3), Spherical().rates(q[3:]))

    def start(self) -> tuple[float, ...]:
        """Parent frame itself."""
        return (0.0, 0.0, 0.0, *Spherical().start())
