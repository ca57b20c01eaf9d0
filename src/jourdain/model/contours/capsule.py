"""A capsule: a segment with a radius."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.geometry.direction import direction
from jourdain.model.joints.axis import frame_about
from jourdain.spatial import check
from jourdain.spatial.annotations import AxisField, NumberField, preset
from jourdain.spatial.solid import Shape


class Capsule(Contour):
    """All points within a radius of a segment, which is centred on the origin of its frame.

    Parameters
    ----------
    frame : Frame or Body
        Its centre.
    radius : float or Parameter [m]
        Radius of the rounded ends.
    length : float or Parameter [m]
        Length of the segment; the whole capsule is longer by two radii.
    axis : "x", "y", "z", "-x", ... or unit vector
        Its axis in the axes of the frame.
    """

    radius: NumberField
    length: NumberField
    axis: AxisField = preset(default="z")
    dimensions = ("radius", "length")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("radius", "length"):
            what = f"{name} of Capsule"
            value = check.number(getattr(self, name), what, positive=True, unit="m")
            object.__setattr__(self, name, value)
        object.__setattr__(self, "axis", check.unit_axis(self.axis, "axis of Capsule"))

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """A cylinder and two balls."""
        A = frame_about(self.axis)
        turned = tuple(tuple(row) for row in A.tolist())
        ends = [tuple(0.5 * self.length * x * s for x in A[:, 2].tolist()) for s in (-1.0, 1.0)]
        parts = (
            Shape("cylinder", (self.radius, self.length), rotation=turned),
            *(Shape("ball", (self.radius,), end) for end in ends),
        )
        return tuple(s.moved(self.frame.position, self.frame.rotation) for s in parts)

    @property
    def ends(self) -> tuple[Any, Any]:
        """Ends of the segment [m]."""
        half = 0.5 * self.length * math.axis_vector(self.axis)
        return -half, half

    @property
    def reach(self) -> Any:
        """Half of its whole length [m]."""
        return self.radius + 0.5 * self.length

    @property
    def n_extremes(self) -> int:
        """One at each end."""
        return 2

    def extremes(self, direction: Any) -> tuple[Any, ...]:
        """The furthest points of both ends."""
        return tuple(end + self.radius * direction for end in self.ends)

    def surface(self, p: Any) -> tuple[Any, Any]:
        """Distance; the normal on the segment is the first axis across."""
        A, half = frame_about(self.axis), 0.5 * self.length
        axis = A[:, 2]
        offset = p - math.clip(math.dot(axis, p), -half, half) * axis
        length, normal = direction(offset, A[:, 0])
        return length - self.radius, normal
