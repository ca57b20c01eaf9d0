"""Screw joint: rotation and translation in a fixed ratio."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.joints.axis import frame_about
from jourdain.model.joints.joint import Joint
from jourdain.spatial import check
from jourdain.spatial.annotations import AxisField, NumberField
from jourdain.spatial.parameter import Expression


class Screw(Joint):
    """Thread: the child turns about an axis and advances along it in proportion.

    The angle counts by the right-hand rule about the axis. With a positive pitch (right-hand
    thread) a positive angle moves the child along the axis: ``r = axis * pitch * angle / (2 pi)``.

    ==========  =====  ========  =======
    coordinate  unit   velocity  unit
    ==========  =====  ========  =======
    angle       rad    rate      rad/s
    ==========  =====  ========  =======

    Parameters
    ----------
    axis : str or (3,) [1]
        ``"x"``, ``"y"``, ``"z"``, the same with a minus sign, or a unit vector.
    pitch : float or Parameter [m]
        Advance per full turn, also called lead; negative for a left-hand thread.

    Examples
    --------
    >>> import jourdain as jd
    >>> R, r = jd.Screw("z", pitch=0.005).pose([2 * 3.141592653589793], 0.0)
    >>> r
    array([0.   , 0.   , 0.005])
    """

    axis: AxisField
    pitch: NumberField
    coordinates = {"angle": "rad"}

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", check.unit_axis(self.axis, "axis of Screw"))
        if isinstance(self.pitch, Expression) or not math.is_symbolic(self.pitch):
            object.__setattr__(self, "pitch", check.number(self.pitch, "pitch of Screw", unit="m"))

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Rotation by the angle, translation by the pitch per turn."""
        advance = self.pitch * q[0] / (2.0 * math.pi)
        return math.rotation(self.axis, q[0]), advance * math.axis_vector(self.axis)

    def canonical(self) -> tuple[Joint, Any]:
        """Thread about z in turned frames."""
        if self.axis == "z":
            return self, None
        return Screw("z", self.pitch), frame_about(self.axis)
