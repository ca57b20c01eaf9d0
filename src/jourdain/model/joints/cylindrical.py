"""Cylindrical joint: rotation about and translation along one axis."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.joints.axis import frame_about
from jourdain.model.joints.joint import Joint
from jourdain.spatial import check
from jourdain.spatial.annotations import AxisField


class Cylindrical(Joint):
    """Sleeve on a shaft: the child slides along an axis and turns about it, independently.

    The position counts along the axis, the angle by the right-hand rule about it.

    ==========  =====  ========  =======
    coordinate  unit   velocity  unit
    ==========  =====  ========  =======
    position    m      velocity  m/s
    angle       rad    rate      rad/s
    ==========  =====  ========  =======

    Parameters
    ----------
    axis : str or (3,) [1]
        ``"x"``, ``"y"``, ``"z"``, the same with a minus sign, or a unit vector.

    Examples
    --------
    >>> import jourdain as jd
    >>> R, r = jd.Cylindrical("y").pose([0.5, 1.2], 0.0)
    >>> r
    array([0. , 0.5, 0. ])
    """

    axis: AxisField
    coordinates = {"position": "m", "angle": "rad"}

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", check.unit_axis(self.axis, "axis of Cylindrical"))

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Translation along the axis, rotation about it."""
        return math.rotation(self.axis, q[1]), q[0] * math.axis_vector(self.axis)

    def canonical(self) -> tuple[Joint, Any]:
        """Sleeve along z in turned frames."""
        return (self, None) if self.axis == "z" else (Cylindrical("z"), frame_about(self.axis))
