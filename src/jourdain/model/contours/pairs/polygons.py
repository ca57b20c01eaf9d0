"""Two convex polygons in one plane: corners over edges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jourdain import math
from jourdain.model.contours.geometry.choice import greatest, least
from jourdain.model.contours.pairs.facing import Face, corner
from jourdain.model.contours.pairs.pair import ContactPoint, Pose, add_pair
from jourdain.model.contours.polygon import Polygon


def points(a: Polygon, b: Polygon, at_a: Pose, at_b: Pose) -> list[ContactPoint]:
    """The corners of each against the other.

    The smallest gap is the distance. Where they overlap, gaps jump by the depth when a corner
    leaves the edge that looks at it.
    """
    (R, r), (R_b, r_b) = at_a, at_b
    C, t = R.T @ R_b, R.T @ (r_b - r)
    of_b = [t + C @ p for p in b.points]
    of_a = [C.T @ (p - t) for p in a.points]
    slabs = [*_slabs(a, of_b), *((s, -(C @ n)) for s, n in _slabs(b, of_a))]
    separation, n = greatest(slabs)
    face_a, face_b = _facing(a, n), _facing(b, -(C.T @ n))
    found = [corner(face_a, separation, p, a.surface(p), at_a) for p in of_b]
    others = (corner(face_b, separation, p, b.surface(p), at_b) for p in of_a)
    return [*found, *(point.swapped() for point in others)]


def _slabs(own: Polygon, corners: list[Any]) -> Iterator[tuple[Any, Any]]:
    """For each edge the least height of the corners of another polygon, and the normal."""
    for start, normal in zip(own.points, own.edge_normals, strict=True):
        yield least((math.dot(normal, p - start),) for p in corners)[0], normal


def _facing(own: Polygon, n: Any) -> Face:
    """Edge whose normal is nearest to a direction."""
    ends = np.roll(own.points, -1, axis=0)
    candidates = []
    for start, end, normal in zip(own.points, ends, own.edge_normals, strict=True):
        length = float(np.linalg.norm(end - start))
        edge = (end - start) / length
        candidates.append((math.dot(normal, n), normal, 0.5 * (start + end), edge, 0.5 * length))
    _, normal, middle, edge, half = greatest(candidates)
    return Face(normal, middle, ((edge, half),))


add_pair(Polygon, Polygon, points, lambda a, b: len(a.vertices) + len(b.vertices))
