"""Universal joint: two rotations about crossing axes."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.joints.joint import Joint
from jourdain.spatial import check
from jourdain.spatial.annotations import AxisField, preset

_PARALLEL = 1e-6  # sine of the angle between axes below which one rotation is as good as lost


class Universal(Joint):
    """Hooke joint: a cross that turns in the parent, and the child that turns on the cross.

    The first axis is fixed in the parent, the second in the child; both angles count by the
    right-hand rule. It does not pass on a rotation evenly: see `ConstantVelocity` for that.

    ==========  =====  ========  =======
    coordinate  unit   velocity  unit
    ==========  =====  ========  =======
    angle_1     rad    rate_1    rad/s
    angle_2     rad    rate_2    rad/s
    ==========  =====  ========  =======

    Parameters
    ----------
    first, second : str or (3,) [1]
        The two axes in the reference position; perpendicular in most machines, never parallel.

    Examples
    --------
    >>> import jourdain as jd
    >>> jd.Universal("x", "y").velocities
    {'rate_1': 'rad/s', 'rate_2': 'rad/s'}
    """

    first: AxisField = preset(default="x")
    second: AxisField = preset(default="y")
    coordinates = {"angle_1": "rad", "angle_2": "rad"}

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", check.unit_axis(self.first, "first axis of Universal"))
        object.__setattr__(self, "second", check.unit_axis(self.second, "second axis of Universal"))
        between = math.cross(math.axis_vector(self.first), math.axis_vector(self.second))
        if math.norm(between) < _PARALLEL:
            raise ModelError(
                f"the axes {self.first!r} and {self.second!r} of Universal are parallel: it would "
                f"turn about one axis only. Give two axes, or take Revolute({self.first!r})."
            )

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Rotation about the first axis, then about the second."""
        R = math.rotation(self.first, q[0]) @ math.rotation(self.second, q[1])
        return R, math.vector(0, 0, 0)
