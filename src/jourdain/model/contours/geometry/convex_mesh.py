"""Corners and faces of a convex body from the triangles of a surface, as files hold them.

Files round corners, triangulate faces and repeat points. Triangles in one plane are one face, and
what lies within a face or an edge is no corner. Corners of faces with more than three of them are
moved into their planes, by as little as the file has rounded them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.spatial.mesh import Triangles

ROUGH = 1e-6
"""Distance, in parts of the size, that is rounding of a file."""
_AT_A_TIME = 1000  # triangles

Faces = tuple[tuple[int, ...], ...]


def convex_faces(surface: Triangles, what: str) -> tuple[Any, Faces]:
    """Corners (n, 3) [m] and faces of a convex surface.

    Raises
    ------
    ModelError
        If the surface is open, without volume or not convex.
    """
    from scipy.spatial import ConvexHull, QhullError  # noqa: PLC0415

    size = float(np.ptp(surface.points, axis=0).max())
    points, triangles = _united(surface, ROUGH * size)
    n_open = Triangles.of(points, triangles).n_open_edges
    if n_open:
        raise ModelError(
            f"{what} is not closed: {n_open} edges do not have a triangle on both sides. Repair it "
            "in the program that made it."
        )
    try:
        hull = ConvexHull(points)
    except QhullError:
        raise ModelError(f"{what} has no volume: its corners lie in a plane.") from None
    depth = _deepest(points[triangles].mean(axis=1), hull.equations)
    if depth > ROUGH * size:
        raise ModelError(
            f"{what} is not convex: a part of it lies {depth:.3g} m inside its convex hull. Cut it "
            "into convex parts, one file and one contour for each, or give the corners of its "
            "convex hull: jd.Polyhedron(body, vertices)."
        )
    return _cleaned(points, list(_planes(points, hull, ROUGH * size)))


def _united(surface: Triangles, near: float) -> tuple[Any, Any]:
    """Points of which none are near each other, and the triangles that are left."""
    from scipy.sparse import coo_matrix  # noqa: PLC0415
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415
    from scipy.spatial import cKDTree  # noqa: PLC0415

    points = surface.points
    pairs = cKDTree(points).query_pairs(near, output_type="ndarray")
    n = len(points)
    graph = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    labels = connected_components(graph, directed=False)[1]
    _, first = np.unique(labels, return_index=True)
    triangles = labels[surface.triangles.astype(int)]
    a, b, c = triangles.T
    return points[first], triangles[(a != b) & (b != c) & (c != a)]


def _deepest(places: Any, equations: Any) -> float:
    """How far the deepest of some places lies inside of a hull [m]."""
    parts = (places[k : k + _AT_A_TIME] for k in range(0, len(places), _AT_A_TIME))
    heights = (part @ equations[:, :3].T + equations[:, 3] for part in parts)
    return -min(float(h.max(axis=1).min()) for h in heights)


def _planes(points: Any, hull: Any, near: float) -> Iterator[tuple[Any, float, list[int]]]:
    """Normals, offsets and points of the faces: neighbours in one plane, the largest first."""
    corners = points[hull.simplices]
    areas = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    is_used = np.zeros(len(areas), dtype=bool)
    for start in np.argsort(-areas):
        if is_used[start]:
            continue
        normal, offset = hull.equations[start, :3], hull.equations[start, 3]
        is_used[start], found, reached = True, [start], [start]
        while reached:
            for k in hull.neighbors[reached.pop()]:
                if not is_used[k] and np.abs(corners[k] @ normal + offset).max() <= near:
                    is_used[k] = True
                    found.append(k)
                    reached.append(k)
        own = np.unique(hull.simplices[found])
        if len(own) > 3:
            middle = points[own].mean(axis=0)
            fitted = np.linalg.svd(points[own] - middle)[2][2]
            normal = fitted if fitted @ normal > 0.0 else -fitted
            offset = -float(normal @ middle)
        yield normal, offset, own.tolist()


def _cleaned(points: Any, planes: list[tuple[Any, float, list[int]]]) -> tuple[Any, Faces]:
    """Corners in which three faces meet, in the planes of those with more than three corners."""
    of_point: dict[int, list[int]] = {}
    for k, (*_, own) in enumerate(planes):
        for i in own:
            of_point.setdefault(i, []).append(k)
    numbers = [i for i, faces in of_point.items() if len(faces) > 2]
    place = {i: n for n, i in enumerate(numbers)}
    rings = [[i for i in own if i in place] for *_, own in planes]
    moved = points[numbers].copy()
    for n, i in enumerate(numbers):
        wide = [k for k in of_point[i] if len(rings[k]) > 3]
        A, b = np.array([planes[k][0] for k in wide]), np.array([planes[k][1] for k in wide])
        if wide:
            moved[n] -= np.linalg.lstsq(A, A @ moved[n] + b, rcond=1e-6)[0]
    faces = (_round([place[i] for i in ring], moved, planes[k][0]) for k, ring in enumerate(rings))
    return moved, tuple(faces)


def _round(ring: list[int], points: Any, normal: Any) -> tuple[int, ...]:
    """Corners of a face in order round it."""
    own = points[ring] - points[ring].mean(axis=0)
    u = own[0] / np.linalg.norm(own[0])
    angles = np.arctan2(own @ np.cross(normal, u), own @ u)
    return tuple(ring[k] for k in np.argsort(angles))
