"""A thin disc: a coin, a wheel."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.contours.circle import Circle
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.geometry.direction import direction, rim_direction
from jourdain.model.contours.geometry.rim import rim_points, rim_points_of
from jourdain.model.joints.axis import frame_about
from jourdain.spatial import check
from jourdain.spatial.annotations import AxisField, NumberField, preset
from jourdain.spatial.solid import Shape


class Disc(Contour):
    """Disc without thickness about the origin of its frame.

    On a half-space its lowest point touches, which a disc that lies flat does not have: give it
    ``rim_points`` if it may come to lie flat. The gap of the lowest point has an edge there:
    simulations that come within 0.03 rad of it are refused.

    Parameters
    ----------
    frame : Frame or Body
        Its centre.
    radius : float or Parameter [m]
        Radius.
    axis : "x", "y", "z", "-x", ... or unit vector
        Its axis in the axes of the frame.
    rim_points : int
        Number of points fixed to the rim that can touch as well: three or more carry a disc that
        lies flat.
    """

    radius: NumberField
    axis: AxisField = preset(default="z")
    rim_points: int = 0
    dimensions = ("radius",)

    def __post_init__(self) -> None:
        super().__post_init__()
        radius = check.number(self.radius, "radius of Disc", positive=True, unit="m")
        object.__setattr__(self, "radius", radius)
        object.__setattr__(self, "axis", check.unit_axis(self.axis, "axis of Disc"))
        rim_points(self.rim_points, "Disc")

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """A flat cylinder."""
        return Circle(self.frame, self.radius, self.axis).shapes

    @property
    def reach(self) -> Any:
        """Its radius [m]."""
        return self.radius

    @property
    def n_extremes(self) -> int:
        """The lowest point and those fixed to the rim."""
        return 1 + self.rim_points

    def extremes(self, direction: Any) -> tuple[Any, ...]:
        """The furthest point of the rim, the first axis across if it lies flat; then the others."""
        A = frame_about(self.axis)
        furthest = self.radius * rim_direction(direction, A[:, 2], A[:, 0])
        return (furthest, *rim_points_of(self.radius, A, self.rim_points))

    def surface(self, p: Any) -> tuple[Any, Any]:
        """Distance, never negative; the normal on the disc itself is its axis."""
        A = frame_about(self.axis)
        across = p - math.dot(A[:, 2], p) * A[:, 2]
        length, outward = direction(across, A[:, 0])
        return direction(p - math.minimum(length, self.radius) * outward, A[:, 2])
