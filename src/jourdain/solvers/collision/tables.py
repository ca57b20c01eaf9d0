"""Corners, faces and edges of convex polyhedra as arrays for loops."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from jourdain.errors import ModelError

N_CORNERS, N_FACES, N_EDGES, CORNERS_AT, PLANES_AT, RINGS_AT, EDGES_AT, HEAD = range(8)
"""Integers at the start of the table of a polyhedron."""
FLAT = 1e-9
"""Corners this close to the plane of a face, in parts of the size, belong to it."""


class Tables:
    """Tables of all polyhedra one after the other; equal ones are stored once."""

    def __init__(self) -> None:
        self._numbers: list[float] = []
        self._integers: list[int] = []
        self._known: dict[bytes, int] = {}
        self.most_corners = self.most_faces = 0

    @property
    def numbers(self) -> Any:
        """Corners and planes."""
        return np.array([*self._numbers, 0.0])

    @property
    def integers(self) -> Any:
        """Counts, places, rings of corners, edges."""
        return np.array([*self._integers, 0], dtype=np.int64)

    def add(self, points: Any) -> int:
        """Store the convex hull of points; return where its integers start."""
        key = np.asarray(points, dtype=float).tobytes()
        if key not in self._known:
            self._known[key] = self._append(np.asarray(points, dtype=float))
        return self._known[key]

    def add_rim(self, points: Any) -> int:
        """Store points fixed to a rim: their number, and where they are."""
        start, at = len(self._integers), len(self._numbers)
        self._integers += [len(points), at]
        self._numbers += [float(x) for point in points for x in point]
        return start

    def _append(self, points: Any) -> int:
        normals, offsets, rings = hull_faces(points)
        edges = hull_edges(rings)
        start, corners = len(self._integers), len(self._numbers)
        planes = corners + points.size
        rings_at = start + HEAD
        flat = [k for ring in rings for k in ring]
        starts = np.cumsum([0, *map(len, rings)]) + rings_at + len(rings) + 1
        edges_at = rings_at + len(rings) + 1 + len(flat)
        head = [len(points), len(rings), len(edges), corners, planes, rings_at, edges_at]
        self._integers += [*head, *starts.tolist(), *flat, *(k for edge in edges for k in edge)]
        self._numbers += [*points.ravel(), *np.column_stack([normals, offsets]).ravel()]
        self.most_corners = max(self.most_corners, len(points))
        self.most_faces = max(self.most_faces, len(rings))
        return start


def hull_faces(points: Any) -> tuple[Any, Any, list[list[int]]]:
    """Normals, offsets and corners, to the left seen from outside, of the faces of a hull.

    Triangles in one plane make one face.
    """
    return _hull_faces(np.asarray(points, dtype=float).tobytes())


@lru_cache(maxsize=256)
def _hull_faces(key: bytes) -> tuple[Any, Any, list[list[int]]]:
    from scipy.spatial import ConvexHull, QhullError  # noqa: PLC0415

    points = np.frombuffer(key).reshape(-1, 3)
    try:
        equations = ConvexHull(points).equations
    except QhullError:
        lengths = ", ".join(f"{x:.3g}" for x in np.ptp(points, axis=0))
        raise ModelError(
            f"a body in a group of contacts is {lengths} m large, too flat to tell its faces "
            "apart. Give lengths that differ less."
        ) from None
    size = np.abs(points - points.mean(axis=0)).max()
    normals: list[Any] = []
    offsets, rings = [], []
    for *normal, offset in equations:
        n = np.array(normal)
        if any(n @ other > 1.0 - FLAT for other in normals):
            continue
        on_plane = np.flatnonzero(points @ n + offset > -FLAT * size)
        normals.append(n)
        offsets.append(-offset)
        rings.append(_ordered(points, on_plane, n))
    return np.array(normals), np.array(offsets), rings


def _ordered(points: Any, on_plane: Any, normal: Any) -> list[int]:
    middle = points[on_plane].mean(axis=0)
    u = points[on_plane[0]] - middle
    v = np.cross(normal, u)
    angles = np.arctan2((points[on_plane] - middle) @ v, (points[on_plane] - middle) @ u)
    return [int(k) for k in on_plane[np.argsort(angles)]]


def hull_edges(rings: list[list[int]]) -> list[tuple[int, int, int, int]]:
    """Edges: two corners and the faces left and right of the way from the first to the second.

    So it runs along the vector product of the normals of the left and the right face.
    """
    left = {way: f for f, ring in enumerate(rings) for way in pairwise([*ring, ring[0]])}
    return [(a, b, f, left[b, a]) for (a, b), f in left.items() if a < b]
