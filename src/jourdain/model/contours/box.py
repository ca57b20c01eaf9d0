"""A box."""

from __future__ import annotations

from itertools import product
from typing import Any

from jourdain import math
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.geometry.direction import direction, sign
from jourdain.spatial import check
from jourdain.spatial.annotations import TripleField
from jourdain.spatial.solid import Shape

CORNERS = tuple(product((-1.0, 1.0), repeat=3))
"""Signs of the corners along x, y, z."""


class Box(Contour):
    """Box centred on the origin of its frame, edges along its axes.

    Parameters
    ----------
    frame : Frame or Body
        Its centre.
    size : (3,) of float or Parameter [m]
        Edges along x, y, z.
    """

    size: TripleField
    dimensions = ("size",)

    def __post_init__(self) -> None:
        super().__post_init__()
        size = check.vector(self.size, "size of Box")
        for axis, x in zip("xyz", size, strict=True):
            check.number(x, f"component {axis} of size of Box", positive=True, unit="m")
        object.__setattr__(self, "size", size)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """A box."""
        return (Shape("box", self.size).moved(self.frame.position, self.frame.rotation),)

    @property
    def half(self) -> Any:
        """Half edges (3,) [m]."""
        return math.vector([0.5 * x for x in self.size])

    @property
    def reach(self) -> Any:
        """Half of its diagonal [m]."""
        return math.norm(self.half)

    @property
    def n_extremes(self) -> int:
        """Its corners."""
        return len(CORNERS)

    def extremes(self, direction: Any) -> tuple[Any, ...]:
        """The corners."""
        return tuple(self.half * math.vector(corner) for corner in CORNERS)

    def surface(self, p: Any) -> tuple[Any, Any]:
        """Distance; the normal jumps inside, where two faces are equally near."""
        h = self.half
        over = [math.absolute(p[i]) - h[i] for i in range(3)]
        nearest = math.maximum(math.maximum(over[0], over[1]), over[2])
        x, y = over[0] >= nearest, over[1] >= nearest
        side = math.vector([sign(p[i]) for i in range(3)])
        face = math.where(
            x,
            math.vector(1.0, 0.0, 0.0),
            math.where(y, math.vector(0.0, 1.0, 0.0), math.vector(0.0, 0.0, 1.0)),
        )
        outside, normal = direction(p - math.clip(p, -h, h), side * face)
        return outside + math.minimum(nearest, 0.0), normal
