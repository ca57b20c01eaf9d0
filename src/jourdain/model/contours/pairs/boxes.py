"""Two boxes: corners over faces and crossing edges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jourdain import math
from jourdain.model.contours.box import CORNERS, Box
from jourdain.model.contours.choice import greatest
from jourdain.model.contours.direction import sign
from jourdain.model.contours.pairs.facing import Face, corner, moved
from jourdain.model.contours.pairs.pair import OUT_OF_REACH, ContactPoint, Pose, add_pair
from jourdain.model.contours.pairs.segments import PARALLEL, crossing

ALIKE = 0.9
"""Least cosine between the normal of crossing edges and the direction that separates best."""


def points(a: Box, b: Box, at_a: Pose, at_b: Pose) -> list[ContactPoint]:
    """The eight corners of each against the other, and the edges of the two facing faces.

    The smallest gap is the distance. It is continuous where the boxes are apart. Where they
    overlap, gaps jump by the depth when a corner or a crossing leaves a face; the candidates of
    edges change their order when another face comes to look at the other box.
    """
    (R, r), (R_b, r_b) = at_a, at_b
    C, t, h, k = R.T @ R_b, R.T @ (r_b - r), a.half, b.half
    separation, n = _separation(C, t, h, k)
    face_a, face_b = _facing(n, h), _facing(-(C.T @ n), k)
    signs = [math.vector(c) for c in CORNERS]
    of_b = [corner(a, face_a, separation, t + C @ (k * c)) for c in signs]
    of_a = [corner(b, face_b, separation, C.T @ (h * c - t)) for c in signs]
    edges = _crossings(face_a, _seen(face_b, C, t), n)
    found = [*of_b, *(moved(p, C, t).swapped() for p in of_a), *edges]
    return [moved(p, R, r) for p in found]


def _separation(C: Any, t: Any, h: Any, k: Any) -> tuple[Any, Any]:
    """Width of the widest slab between the boxes, and its normal from the first to the second.

    The candidates are the normals of faces and of pairs of edges: C are the axes, t the middle of
    the second box in the axes of the first, h and k the half edges.
    """
    axes = [(axis, 1.0) for axis in (*np.eye(3), *(C[:, j] for j in range(3)))]
    for i in range(3):
        for j in range(3):
            axis = math.cross(np.eye(3)[i], C[:, j])
            axes.append((axis, math.norm(axis)))
    widest = greatest(_slab(axis, length, C, t, h, k) for axis, length in axes)
    return widest[0], widest[1]


def _slab(axis: Any, length: Any, C: Any, t: Any, h: Any, k: Any) -> tuple[Any, Any]:
    across, seen = math.dot(axis, t), C.T @ axis
    reach = math.dot(h, math.absolute(axis)) + math.dot(k, math.absolute(seen))
    some = length > PARALLEL
    scale = sign(across) / math.where(some, length, 1.0)
    width = (math.absolute(across) - reach) / math.where(some, length, 1.0)
    return math.where(some, width, -OUT_OF_REACH), scale * axis


def _facing(n: Any, h: Any) -> Face:
    """Face whose normal is nearest to a direction."""
    e = np.eye(3)
    _, normal, middle, u, h_u, w, h_w = greatest(
        (
            math.absolute(n[i]),
            sign(n[i]) * e[i],
            sign(n[i]) * h[i] * e[i],
            e[(i + 1) % 3],
            h[(i + 1) % 3],
            e[(i + 2) % 3],
            h[(i + 2) % 3],
        )
        for i in range(3)
    )
    return Face(normal, middle, ((u, h_u), (w, h_w)))


def _seen(face: Face, C: Any, t: Any) -> Face:
    sides = tuple((C @ u, half) for u, half in face.sides)
    return Face(C @ face.normal, t + C @ face.middle, sides)


def _edges(face: Face) -> Iterator[tuple[Any, Any, Any]]:
    (u, h_u), (w, h_w) = face.sides
    for side in (-1.0, 1.0):
        yield face.middle + side * h_w * w, u, h_u
        yield face.middle + side * h_u * u, w, h_w


def _crossings(face_a: Face, face_b: Face, n: Any) -> Iterator[ContactPoint]:
    for edge_a in _edges(face_a):
        for edge_b in _edges(face_b):
            valid, point = crossing(edge_a, edge_b, n)
            yield point.only_if(math.both(valid, math.dot(point.normal, n) >= ALIKE))


add_pair(Box, Box, points, 32)
