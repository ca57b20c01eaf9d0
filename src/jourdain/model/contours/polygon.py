"""A convex polygon in the plane of motion."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from jourdain import math
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.geometry.choice import greatest, least
from jourdain.model.contours.geometry.convex import corners, ring
from jourdain.model.contours.geometry.direction import direction
from jourdain.spatial.annotations import RowsField


class Polygon(Contour):
    """Convex polygon of a planar problem.

    The other contour lies in the same plane or in one beside it, and the bodies stay there.

    Parameters
    ----------
    frame : Frame or Body
        Axes in which the corners are given.
    vertices : (n, 2) or (n, 3) [m]
        Corners in order round it: x, y of the frame, or points of any plane.

    Examples
    --------
    >>> from jourdain.model import Model
    >>> from jourdain.model.contours import Polygon
    >>> wedge = Polygon(Model("empty").world, ((0, 0), (0.3, 0), (0, 0.1)))
    >>> wedge.normal.tolist()
    [0.0, 0.0, 1.0]
    """

    vertices: RowsField

    def __post_init__(self) -> None:
        super().__post_init__()
        points = corners(self.vertices, "Polygon", 3)
        ring(points, "Polygon")
        object.__setattr__(self, "vertices", tuple(tuple(p) for p in points.tolist()))

    @property
    def normal(self) -> Any:
        """Normal of the plane (3,) [1]; the corners run to the left seen from its tip."""
        return self._ring[0]

    @cached_property
    def points(self) -> Any:
        """Corners (n, 3) [m]."""
        return np.array(self.vertices)

    @property
    def edge_normals(self) -> Any:
        """Outward normals (n, 3) [1] of the edges, each from its corner to the next one."""
        return self._ring[1]

    @cached_property
    def _ring(self) -> tuple[Any, Any]:
        normal, outward = ring(self.points, "Polygon")
        return normal + 0.0, outward + 0.0

    @property
    def reach(self) -> Any:
        """Distance [m] of the furthest corner."""
        return float(np.linalg.norm(self.points, axis=1).max())

    @property
    def n_extremes(self) -> int:
        """Its corners."""
        return len(self.vertices)

    def extremes(self, direction: Any) -> tuple[Any, ...]:
        """The corners."""
        return tuple(self.points)

    def surface(self, p: Any) -> tuple[Any, Any]:
        """Distance in the plane; the normal jumps inside, where two edges are equally near."""
        heights = [math.dot(n, p - v) for v, n in zip(self.points, self.edge_normals, strict=True)]
        inside, normal = greatest(zip(heights, self.edge_normals, strict=True))
        edges = (self._to_edge(k, height, p) for k, height in enumerate(heights))
        _, offset = least((math.dot(e, e), e) for e in edges)
        away = math.where(inside > 0.0, offset, math.vector(0.0, 0.0, 0.0))
        outside, unit = direction(away, normal)
        return outside + math.minimum(inside, 0.0), unit

    def _to_edge(self, k: int, height: Any, p: Any) -> Any:
        """Vector in the plane from the nearest point of an edge to a point."""
        start = self.points[k]
        edge = self.points[(k + 1) % len(self.points)] - start
        length = float(np.linalg.norm(edge))
        along = math.dot(edge, p - start) / length
        beyond = along - math.clip(along, 0.0, length)
        return height * self.edge_normals[k] + (beyond / length) * edge
