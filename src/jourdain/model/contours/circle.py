"""A circle in the plane of motion."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.geometry.direction import direction, rim_direction
from jourdain.model.joints.axis import frame_about
from jourdain.spatial import check
from jourdain.spatial.annotations import AxisField, NumberField, preset
from jourdain.spatial.solid import Shape


class Circle(Contour):
    """Circle of a planar problem, about the origin of its frame.

    The other contour lies in the same plane and the bodies stay in it; two circles, or a circle
    and a polygon, may lie in planes beside each other. For bodies that leave the plane use `Disc`,
    `Cylinder` or `Sphere`.

    Parameters
    ----------
    frame : Frame or Body
        Its centre.
    radius : float or Parameter [m]
        Radius.
    axis : "x", "y", "z", "-x", ... or unit vector
        Normal of the plane in the axes of the frame.
    """

    radius: NumberField
    axis: AxisField = preset(default="z")
    dimensions = ("radius",)

    def __post_init__(self) -> None:
        super().__post_init__()
        radius = check.number(self.radius, "radius of Circle", positive=True, unit="m")
        object.__setattr__(self, "radius", radius)
        object.__setattr__(self, "axis", check.unit_axis(self.axis, "axis of Circle"))

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """A flat cylinder."""
        turned = tuple(tuple(row) for row in frame_about(self.axis).tolist())
        shape = Shape("cylinder", (self.radius, 0.0), rotation=turned)
        return (shape.moved(self.frame.position, self.frame.rotation),)

    @property
    def reach(self) -> Any:
        """Its radius [m]."""
        return self.radius

    @property
    def n_extremes(self) -> int:
        """One point."""
        return 1

    def extremes(self, direction: Any) -> tuple[Any, ...]:
        """The furthest point."""
        A = frame_about(self.axis)
        return (self.radius * rim_direction(direction, A[:, 2], A[:, 0]),)

    def surface(self, p: Any) -> tuple[Any, Any]:
        """Distance in the plane; the normal in the centre is the first axis across."""
        A = frame_about(self.axis)
        length, normal = direction(p - math.dot(A[:, 2], p) * A[:, 2], A[:, 0])
        return length - self.radius, normal
