"""Boxes along the axes of the world round contours."""

from __future__ import annotations

from jourdain.solvers.collision.layout import (
    BOX,
    CAPSULE,
    CYLINDER,
    KIND,
    N_KIND,
    POLYHEDRON,
    POSE,
    SHAPE,
    SPHERE,
    across,
)  # fmt: skip


def bound(n, poses, kinds, shapes, margin, boxes):
    """Write lower and upper ends of all contours, wider by half of the margin."""
    for i in range(n):
        p, s = POSE * i, SHAPE * i
        kind = kinds[N_KIND * i + KIND]
        for k in range(3):
            middle = poses[p + 9 + k]
            half = shapes[s]
            row = p + 3 * k
            if kind == CAPSULE:
                half = abs(across(poses, p, k, shapes[s], shapes[s + 1], shapes[s + 2]))
                half = half * shapes[s + 3] + shapes[s + 4]
            elif kind == CYLINDER:
                slope = across(poses, p, k, shapes[s], shapes[s + 1], shapes[s + 2])
                rim = max(0.0, 1.0 - slope * slope) ** 0.5
                half = abs(slope) * shapes[s + 3] + rim * shapes[s + 4]
            elif BOX <= kind <= POLYHEDRON:
                half = abs(poses[row]) * shapes[s] + abs(poses[row + 1]) * shapes[s + 1]
                half += abs(poses[row + 2]) * shapes[s + 2]
                if kind == POLYHEDRON:
                    middle += across(poses, p, k, shapes[s + 3], shapes[s + 4], shapes[s + 5])
            elif kind != SPHERE:
                half = shapes[s + 7]
            boxes[6 * i + k] = middle - half - 0.5 * margin
            boxes[6 * i + 3 + k] = middle + half + 0.5 * margin
