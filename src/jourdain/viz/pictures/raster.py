"""Triangles and curves to points of a picture, the nearest one winning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jourdain.viz.pictures.camera import Camera
from jourdain.viz.shapes.mesh import Mesh

_THICK = (-1, 0, 1)  # points of a curve, across and down
_SIEVE = (np.array(((0, 8, 2, 10), (12, 4, 14, 6), (3, 11, 1, 9), (15, 7, 13, 5))) + 0.5) / 16
_TINY = 1e-9  # area of a triangle that is not worth drawing, in points


class Raster:
    """What a camera sees at each point: 1/depth, number of the thing (0: none) and normal.

    Parameters
    ----------
    camera : Camera
        Where the picture is taken from, and how large it is.
    """

    def __init__(self, camera: Camera) -> None:
        shape = (camera.height, camera.width)
        self.camera = camera
        self.inverse = np.zeros(shape)
        self.number = np.zeros(shape, dtype=int)
        self.normal = np.zeros((*shape, 3))

    def add(self, mesh: Mesh, number: int, opacity: float = 1.0) -> None:
        """Enter the triangles of a mesh that face the camera, where nothing nearer is.

        Of what is seen through, as many points are entered as its opacity says.
        """
        kept = np.tile(opacity > _SIEVE, np.add(self.number.shape, 3) // 4)
        seen = self.camera.project(mesh.points)
        faces = seen[mesh.triangles]
        is_seen = (_area(faces) < -_TINY) & (faces[:, :, 2].min(axis=1) > 0.0)
        for corners in mesh.triangles[is_seen]:
            a, b, c = seen[corners]
            for window, (u, v, w) in _inside(a, b, c, self.number.shape):
                inverse = u * a[2] + v * b[2] + w * c[2]
                nearer = (u >= 0.0) & (v >= 0.0) & (w >= 0.0) & (inverse > self.inverse[window])
                nearer &= kept[window]
                if nearer.any():
                    weights = np.column_stack([u[nearer], v[nearer], w[nearer]])
                    self.inverse[window][nearer] = inverse[nearer]
                    self.number[window][nearer] = number
                    self.normal[window][nearer] = weights @ mesh.normals[corners]

    def add_curve(self, points: Any, number: int) -> None:
        """Enter dots along a curve (n, 3) [m], where nothing nearer is."""
        seen = self.camera.project(points)
        lengths = np.linalg.norm(np.diff(seen[:, :2], axis=0), axis=1)
        along = np.concatenate([[0.0], np.cumsum(lengths)])
        marks = np.arange(0.0, along[-1], 0.7)
        dots = np.column_stack([np.interp(marks, along, seen[:, k]) for k in range(3)])
        height, width = self.number.shape
        for x, y in ((x, y) for x in _THICK for y in _THICK):
            column, row = (np.floor(dots[:, :2]).astype(int) + np.array((x, y))).T
            kept = (column >= 0) & (column < width) & (row >= 0) & (row < height)
            row, column = row[kept], column[kept]
            nearer = dots[kept, 2] > self.inverse[row, column]
            self.number[row[nearer], column[nearer]] = number


def _area(seen: Any) -> Any:
    """Twice the area of triangles (n, 3, 3) in the picture; negative when seen from outside."""
    (ax, ay), (bx, by), (cx, cy) = (seen[:, k, :2].T for k in range(3))
    return (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)


def _inside(a: Any, b: Any, c: Any, shape: tuple[int, int]) -> Iterator[Any]:
    """Window of the picture around a triangle and the weights of its corners there, if any."""
    corners = np.array([a[:2], b[:2], c[:2]])
    left, top = np.maximum(np.floor(corners.min(axis=0)), 0).astype(int)
    right, bottom = np.minimum(np.ceil(corners.max(axis=0)), shape[::-1]).astype(int)
    if left >= right or top >= bottom:
        return
    x, y = np.arange(left, right) + 0.5 - a[0], np.arange(top, bottom)[:, np.newaxis] + 0.5 - a[1]
    (bx, by), (cx, cy) = b[:2] - a[:2], c[:2] - a[:2]
    area = bx * cy - cx * by
    v, w = (x * cy - cx * y) / area, (bx * y - x * by) / area
    yield (slice(top, bottom), slice(left, right)), (1.0 - v - w, v, w)
