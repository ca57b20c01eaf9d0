"""Closest points of any two convex contours by the library coal (GJK and EPA), as numbers.

For pairs without a formula: one point for each pair. Bodies that rest on faces need several
points; use boxes for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jourdain.errors import MissingExtraError, ModelError
from jourdain.model.contours import Box, Capsule, Contour, Cylinder, Polyhedron, Sphere
from jourdain.model.joints.axis import frame_about
from jourdain.spatial.parameter import nominal
from jourdain.system.contact.narrow_phase import POSE, ContactPoints


class ConvexPhase:
    """Closest points of two convex contours at given poses.

    Parameters
    ----------
    a, b : Contour
        Box, Sphere, Capsule, Cylinder or Polyhedron each.

    Raises
    ------
    MissingExtraError
        If the library is not installed.
    ModelError
        If a contour is none of these.
    """

    def __init__(self, a: Contour, b: Contour) -> None:
        try:
            import coal  # noqa: PLC0415
        except ImportError as error:
            raise MissingExtraError(
                "contacts of general convex contours need the library coal. Install it with "
                "pip install 'jourdain[collision]'."
            ) from error
        self._coal = coal
        (self._shape_a, self._turn_a), (self._shape_b, self._turn_b) = (
            _shape(contour, coal) for contour in (a, b)
        )
        self._distance = coal.ComputeDistance(self._shape_a, self._shape_b)
        self._request, self._result = coal.DistanceRequest(), coal.DistanceResult()
        self._request.gjk_tolerance = 1e-12
        self._request.epa_tolerance = 1e-12
        self._request.gjk_max_iterations = 512

    def rows(self, poses: Any) -> ContactPoints:
        """Contact points, one for each pair.

        Parameters
        ----------
        poses : (n, 24)
            For each pair the poses of the frames of a and b: rotation row by row, position [m].
        """
        array = np.asarray(poses, dtype=float).reshape(-1, 2 * POSE)
        found = np.array([self._one(row) for row in array]).reshape(-1, 1, 10)
        return ContactPoints(found[..., 0], found[..., 1:4], found[..., 4:7], found[..., 7:])

    def _one(self, row: Any) -> Any:
        places = []
        for x, turn in ((row[:POSE], self._turn_a), (row[POSE:], self._turn_b)):
            places.append(self._coal.Transform3s(x[:9].reshape(3, 3) @ turn, x[9:]))
        self._result.clear()
        gap = self._distance(*places, self._request, self._result)
        ends = self._result.getNearestPoint1(), self._result.getNearestPoint2()
        return np.concatenate([[gap], self._result.normal, *ends])


def _shape(contour: Contour, coal: Any) -> tuple[Any, Any]:
    """Shape of the library, and the axes it has in the frame of the contour."""
    for kind, make in _SHAPES.items():
        if isinstance(contour, kind):
            axis = getattr(contour, "axis", "z")
            return make(contour, coal), frame_about(axis)
    raise ModelError(
        f"{type(contour).__name__} is no convex body for general contacts. Use one of "
        f"{', '.join(kind.__name__ for kind in _SHAPES)}."
    )


def _hull(contour: Any, coal: Any) -> Any:
    points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for vertex in contour.vertices:
        points.append(np.array(vertex))
    for face in contour.faces:
        for k in range(1, len(face) - 1):
            triangles.append(coal.Triangle(face[0], face[k], face[k + 1]))
    return coal.Convex(points, triangles)


_SHAPES: Mapping[type, Callable[[Any, Any], Any]] = {
    Box: lambda c, coal: coal.Box(*nominal(c.size)),
    Sphere: lambda c, coal: coal.Sphere(nominal(c.radius)),
    Capsule: lambda c, coal: coal.Capsule(nominal(c.radius), nominal(c.length)),
    Cylinder: lambda c, coal: coal.Cylinder(nominal(c.radius), nominal(c.length)),
    Polyhedron: _hull,
}
