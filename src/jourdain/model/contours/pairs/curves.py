"""Two curves in one plane."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jourdain import math
from jourdain.model.contours.curve import Curve
from jourdain.model.contours.geometry.choice import greatest, least
from jourdain.model.contours.geometry.nearest import STEPS, Place, place, sampled, solved
from jourdain.model.contours.pairs.pair import ContactPoint, Pose, add_pair

SAMPLES = 16


def points(a: Curve, b: Curve, at_a: Pose, at_b: Pose) -> list[ContactPoint]:
    """Where the normals are against each other, for convex curves (Pfeiffer 2.102, 2.103).

    Newton's method starts at the widest slab between the curves that has a sampled normal.
    """
    for curve in (a, b):
        curve.require_plane()
    (R, r), (R_b, r_b) = at_a, at_b
    C, t = R.T @ R_b, R.T @ (r_b - r)
    axis = math.axis_vector(a.axis)
    _, c_a, c_b = greatest(_slabs(a, b, axis, C, t))
    longest = [(c.span[1] - c.span[0]) / SAMPLES for c in (a, b)]
    for _ in range(STEPS):
        one, two = _places(a, b, c_a, c_b, C, t)
        step_a, step_b = _step(one, two, axis)
        c_a = c_a - math.clip(step_a, -longest[0], longest[0])
        c_b = c_b - math.clip(step_b, -longest[1], longest[1])
    one, two = _places(a, b, c_a, c_b, C, t)
    across = math.cross(one.tangents[:, 0], axis)
    normal = across / math.norm(across)
    gap = math.dot(normal, two.point - one.point)
    ends = r + R @ one.point, r + R @ two.point
    return [ContactPoint(gap, R @ normal, *ends)]


def _slabs(a: Curve, b: Curve, axis: Any, C: Any, t: Any) -> Iterator[tuple[Any, Any, Any]]:
    """For each sample of a the least height of samples of b over its tangent."""
    others = [(c[0], t + C @ x) for c, x in sampled(b.function, (b.span,), SAMPLES)]
    for c, x in sampled(a.function, (a.span,), SAMPLES):
        _, T, _ = math.derivatives(a.function, *c)
        across = np.cross(T[:, 0], axis)
        normal = across / np.linalg.norm(across)
        height, c_b = least((math.dot(normal, y - x), c_y) for c_y, y in others)
        yield height, c[0], c_b


def _places(a: Curve, b: Curve, c_a: Any, c_b: Any, C: Any, t: Any) -> tuple[Place, Place]:
    """Both curves at parameters, in the axes of the first."""
    found = place(b.function, math.vector([c_b]))
    seconds = [C @ H for H in found.seconds]
    seen = Place(found.c, t + C @ found.point, C @ found.tangents, seconds)
    return place(a.function, math.vector([c_a])), seen


def _step(one: Place, two: Place, axis: Any) -> Any:
    """Solution of the linearised conditions n_a · t_b = 0, d · t_a = 0, with n_a not normalised."""
    T_a, T_b, d = one.tangents[:, 0], two.tangents[:, 0], two.point - one.point
    H_a, H_b = one.seconds[0][:, 0], two.seconds[0][:, 0]
    n = math.cross(T_a, axis)
    rhs = [math.dot(n, T_b), math.dot(d, T_a)]
    turned = [math.dot(math.cross(H_a, axis), T_b), math.dot(n, H_b)]
    moved = [math.dot(d, H_a) - math.dot(T_a, T_a), math.dot(T_b, T_a)]
    return solved(rhs, [turned, moved])


add_pair(Curve, Curve, points)
