"""A half-space: the ground, a wall; in planar problems a line."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.contours.contour import Contour
from jourdain.spatial import check
from jourdain.spatial.annotations import AxisField, preset


class HalfSpace(Contour):
    """All that lies below a plane through the origin of its frame.

    Parameters
    ----------
    frame : Frame or Body
        A point of the plane; ``model.world`` for the ground.
    normal : "x", "y", "z", "-x", ... or unit vector
        Direction out of the solid, in the axes of the frame.

    Examples
    --------
    >>> from jourdain.model import Model
    >>> from jourdain.model.contours import HalfSpace
    >>> floor = HalfSpace(Model("empty").world, normal="z")
    """

    normal: AxisField = preset(default="z")

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "normal", check.unit_axis(self.normal, "normal of HalfSpace"))

    def surface(self, p: Any) -> tuple[Any, Any]:
        """Height above the plane."""
        n = math.axis_vector(self.normal)
        return math.dot(n, p), n
