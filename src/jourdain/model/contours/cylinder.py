"""A cylinder with flat ends."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.geometry.direction import direction, rim_direction, sign
from jourdain.model.contours.geometry.rim import rim_points, rim_points_of
from jourdain.model.joints.axis import frame_about
from jourdain.spatial import check
from jourdain.spatial.annotations import AxisField, NumberField, preset
from jourdain.spatial.solid import Shape


class Cylinder(Contour):
    """Cylinder with flat ends, centred on the origin of its frame.

    On a half-space the lowest points of both rims can touch, so that it rolls; points fixed to
    the rims carry it when it stands.

    Parameters
    ----------
    frame : Frame or Body
        Its centre.
    radius, length : float or Parameter [m]
        Dimensions.
    axis : "x", "y", "z", "-x", ... or unit vector
        Its axis in the axes of the frame.
    rim_points : int
        Number of points fixed to each rim; 0 for a roller that never stands.
    """

    radius: NumberField
    length: NumberField
    axis: AxisField = preset(default="z")
    rim_points: int = 4
    dimensions = ("radius", "length")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("radius", "length"):
            what = f"{name} of Cylinder"
            value = check.number(getattr(self, name), what, positive=True, unit="m")
            object.__setattr__(self, name, value)
        object.__setattr__(self, "axis", check.unit_axis(self.axis, "axis of Cylinder"))
        rim_points(self.rim_points, "Cylinder")

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """A cylinder."""
        turned = tuple(tuple(row) for row in frame_about(self.axis).tolist())
        shape = Shape("cylinder", (self.radius, self.length), rotation=turned)
        return (shape.moved(self.frame.position, self.frame.rotation),)

    @property
    def reach(self) -> Any:
        """Distance [m] of the rims from the centre."""
        return math.sqrt(self.radius**2 + 0.25 * self.length**2)

    @property
    def n_extremes(self) -> int:
        """For each rim the lowest point and the fixed ones."""
        return 2 * (1 + self.rim_points)

    def extremes(self, direction: Any) -> tuple[Any, ...]:
        """The furthest point of each rim and the points fixed to it."""
        A = frame_about(self.axis)
        furthest = self.radius * rim_direction(direction, A[:, 2], A[:, 0])
        rim = (furthest, *rim_points_of(self.radius, A, self.rim_points))
        end = 0.5 * self.length * A[:, 2]
        return tuple(side * end + p for side in (-1.0, 1.0) for p in rim)

    def surface(self, p: Any) -> tuple[Any, Any]:
        """Distance; the normal jumps inside, where side and end are equally near."""
        A = frame_about(self.axis)
        height = math.dot(A[:, 2], p)
        radial, side = direction(p - height * A[:, 2], A[:, 0])
        end = sign(height) * A[:, 2]
        over_side, over_end = radial - self.radius, math.absolute(height) - 0.5 * self.length
        excess = math.maximum(over_side, 0.0) * side + math.maximum(over_end, 0.0) * end
        inward = math.where(over_side > over_end, side, end)
        outside, normal = direction(excess, inward)
        return outside + math.minimum(math.maximum(over_side, over_end), 0.0), normal
