"""Two boxes: corners over faces and crossing edges."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

import numpy as np

from jourdain import math
from jourdain.model.contours.box import CORNERS, Box
from jourdain.model.contours.geometry.choice import greatest
from jourdain.model.contours.geometry.direction import direction, sign
from jourdain.model.contours.pairs.facing import Face, corner
from jourdain.model.contours.pairs.pair import OUT_OF_REACH, ContactPoint, Pose, add_pair
from jourdain.model.contours.pairs.segments import PARALLEL

Side = tuple[Any, Any]  # direction, half length

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
    found = []
    for sign_of in map(math.vector, CORNERS):
        p, q = t + C @ (k * sign_of), C.T @ (h * sign_of - t)
        found.append(corner(face_a, separation, p, _outside(h, p), at_a))
        found.append(corner(face_b, separation, q, _outside(k, q), at_b).swapped())
    edges = _crossings(_seen(face_a, R, r), _seen(face_b, R_b, r_b), R @ n)
    return [*found, *edges]


def _outside(h: Any, p: Any) -> tuple[Any, Any]:
    """Distance and normal of a point outside of a box with the half edges h."""
    return direction(p - math.clip(p, -h, h), math.vector(0.0, 0.0, 1.0))


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


def _crossings(face_a: Face, face_b: Face, n: Any) -> Iterator[ContactPoint]:
    """Edges of two faces that cross as seen along the normal of both (closest points of lines)."""
    for side_a, across_a in permutations(face_a.sides):
        for side_b, across_b in permutations(face_b.sides):
            yield from _grid(face_a.middle, face_b.middle, side_a, across_a, side_b, across_b, n)


def _grid(
    middle_a: Any, middle_b: Any, side_a: Side, across_a: Side, side_b: Side, across_b: Side, n: Any
) -> Iterator[ContactPoint]:
    """Two parallel edges of each face: along ``side``, at both ends of ``across``."""
    (u, h_u), (w, h_w) = side_a, side_b
    ends_a, ends_b = across_a[1] * across_a[0], across_b[1] * across_b[0]
    d, c, axis = middle_b - middle_a, math.dot(u, w), math.cross(u, w)
    square = math.dot(axis, axis)
    some = square > PARALLEL**2
    D = math.where(some, square, 1.0)
    unit = axis / math.sqrt(D)
    up = math.dot(unit, n)
    normal = math.where(up < 0.0, -unit, unit)
    can_touch = math.both(some, math.absolute(up) >= ALIKE)
    along_u, along_w, height = math.dot(u, d), math.dot(w, d), math.dot(normal, d)
    on_u, on_w = math.dot(u, ends_b), math.dot(w, ends_a)
    up_a, up_b = math.dot(normal, ends_a), math.dot(normal, ends_b)
    for i, j in product((-1.0, 1.0), repeat=2):
        x, y = along_u + j * on_u, along_w - i * on_w
        s, t = (x - c * y) / D, (c * x - y) / D
        gap = height + j * up_b - i * up_a
        point = middle_a + i * ends_a + s * u
        inside = math.both(math.absolute(s) < h_u, math.absolute(t) < h_w)
        found = ContactPoint(gap, normal, point, point + gap * normal)
        yield found.only_if(math.both(can_touch, inside))


add_pair(Box, Box, points, 32)
