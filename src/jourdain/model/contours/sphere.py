"""A sphere."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.geometry.direction import direction
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField
from jourdain.spatial.solid import Shape


class Sphere(Contour):
    """Sphere about the origin of its frame.

    Parameters
    ----------
    frame : Frame or Body
        Its centre.
    radius : float or Parameter [m]
        Radius.
    """

    radius: NumberField
    dimensions = ("radius",)

    def __post_init__(self) -> None:
        super().__post_init__()
        radius = check.number(self.radius, "radius of Sphere", positive=True, unit="m")
        object.__setattr__(self, "radius", radius)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """A ball."""
        shape = Shape("ball", (self.radius,))
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
        """Where the normal points along the direction."""
        return (self.radius * direction,)

    def surface(self, p: Any) -> tuple[Any, Any]:
        """Distance; the normal in the centre is the z axis."""
        length, normal = direction(p, math.vector(0.0, 0.0, 1.0))
        return length - self.radius, normal
