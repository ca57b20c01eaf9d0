"""Angle about an axis."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.measures.measure import FrameField, Measure, require_frame
from jourdain.spatial import check
from jourdain.spatial.annotations import AxisField, preset


class Angle(Measure):
    """Angle [rad] by which a frame is turned against another one about an axis.

    It counts by the right-hand rule, from -π to π: a pose does not tell whole turns. For more, use
    the `Coordinate` of a joint. Where the frame is tilted as well, it is the turn that remains
    when the tilt is taken back the shortest way.

    Parameters
    ----------
    start, end : Frame or Body
        The end is seen from the start.
    axis : str or (3,) [1]
        ``"x"``, ``"-y"``, … or a unit vector, fixed in the start.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("one")
    >>> door = model.add_body("door", jd.solid.box(mass=20.0, size=(0.8, 0.04, 2.0)))
    >>> opening = jd.Angle(model.world, door, "z")
    """

    start: FrameField
    end: FrameField
    axis: AxisField = preset(default="z")

    unit = "rad"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_frame(self.start, "Angle: start")
        require_frame(self.end, "Angle: end")
        object.__setattr__(self, "axis", check.unit_axis(self.axis, "axis of Angle"))

    def value(self, at: Any) -> Any:
        """Angle of the twist about the axis."""
        R = at.relative(self.end, self.start)[0]
        a = math.axis_vector(self.axis)
        sine = 2.0 * math.dot(a, math.axial(R))
        cosine = R[0, 0] + R[1, 1] + R[2, 2] - math.dot(a, R @ a)
        return math.atan2(sine, cosine)
