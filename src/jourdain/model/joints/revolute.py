"""Revolute joint: one rotation."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.joints.axis import frame_about
from jourdain.model.joints.joint import Joint
from jourdain.spatial import check
from jourdain.spatial.annotations import AxisField


class Revolute(Joint):
    """Hinge: the child turns about an axis fixed in both frames.

    The angle counts by the right-hand rule about the axis; at zero the frames coincide::

                  child
                 /
                /  angle > 0, axis towards you
               o---------- parent

    ==========  =====  ========  =======
    coordinate  unit   velocity  unit
    ==========  =====  ========  =======
    angle       rad    rate      rad/s
    ==========  =====  ========  =======

    Parameters
    ----------
    axis : str or (3,) [1]
        ``"x"``, ``"y"``, ``"z"``, the same with a minus sign, or a unit vector.

    Examples
    --------
    >>> import jourdain as jd
    >>> R, r = jd.Revolute("z").pose([0.0], 0.0)
    >>> jd.Revolute("z").velocities
    {'rate': 'rad/s'}
    """

    axis: AxisField
    coordinates = {"angle": "rad"}

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", check.unit_axis(self.axis, "axis of Revolute"))

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Rotation by the angle about the axis."""
        return math.rotation(self.axis, q[0]), math.vector(0, 0, 0)

    def canonical(self) -> tuple[Joint, Any]:
        """Hinge about z in turned frames."""
        return (self, None) if self.axis == "z" else (Revolute("z"), frame_about(self.axis))
