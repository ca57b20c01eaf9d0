"""Two surfaces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from typing import Any

from jourdain import math
from jourdain.model.contours.geometry.choice import greatest, least
from jourdain.model.contours.geometry.nearest import Place, place, sampled, solved
from jourdain.model.contours.pairs.lost import gap_where_found, is_contact_point
from jourdain.model.contours.pairs.pair import ContactPoint, Pose, add_pair
from jourdain.model.contours.surface import Surface

SAMPLES = 7
STEPS = 8
FLAT = 1e-9
"""Curvature [1/m] that is none."""
STEPS_NEAR = 2
"""Two make second derivatives exact, see `jourdain.model.contours.geometry.nearest`."""


def points(a: Surface, b: Surface, at_a: Pose, at_b: Pose) -> list[ContactPoint]:
    """Where the normals are against each other, for convex surfaces (Pfeiffer 2.120, 2.121).

    Newton's method starts at the widest slab between the surfaces that has a sampled normal.
    """
    (R, r), (R_b, r_b) = at_a, at_b
    height, c_a, c_b = _widest_slab(a, b, R.T @ R_b, R.T @ (r_b - r))
    found, _, is_found = _newton(a, b, (at_a, at_b), (c_a, c_b), STEPS)
    size = math.minimum(_reach(a), _reach(b))
    gap = gap_where_found(found.gap, height, size, is_found)
    return [replace(found, gap=gap)]


def points_near(
    a: Surface, b: Surface, at_a: Pose, at_b: Pose, c: Any
) -> tuple[list[ContactPoint], Any]:
    """Contact point and contact parameters, by Newton's method from parameters nearby.

    Without parameters, ``c = None``, they are looked for all over the surfaces.
    """
    if c is None:
        (R, r), (R_b, r_b) = at_a, at_b
        start = _widest_slab(a, b, R.T @ R_b, R.T @ (r_b - r))[1:]
        c = _newton(a, b, (at_a, at_b), start, STEPS)[1]
    found, c, is_found = _newton(a, b, (at_a, at_b), (c[:2], c[2:]), STEPS_NEAR)
    return [replace(found, gap=math.where(is_found, found.gap, float("nan")))], c


def _newton(
    a: Surface, b: Surface, poses: tuple[Pose, Pose], start: tuple[Any, Any], steps: int
) -> tuple[ContactPoint, Any, Any]:
    """Contact point, contact parameters, and whether they fit, after some steps."""
    ((R, r), (R_b, r_b)), (c_a, c_b) = poses, start
    C, t = R.T @ R_b, R.T @ (r_b - r)
    for _ in range(steps):
        one, two = place(a.function, c_a), _seen(place(b.function, c_b), C, t)
        step = _step(one, two)
        part = _part(step, [*_spacing(a), *_spacing(b)])
        c_a = c_a - part * math.vector(step[:2])
        c_b = c_b - part * math.vector(step[2:])
    one, two = place(a.function, c_a), _seen(place(b.function, c_b), C, t)
    across = math.cross(one.tangents[:, 0], one.tangents[:, 1])
    normal = across / math.norm(across)
    offset = two.point - one.point
    ends = r + R @ one.point, r + R @ two.point
    found = ContactPoint(math.dot(normal, offset), R @ normal, *ends)
    fits = is_contact_point(normal, offset, two.tangents)
    is_outside = math.both(_is_convex(one, normal), _is_convex(two, -normal))
    return found, math.concatenate(c_a, c_b), math.both(fits, is_outside)


def _is_convex(at: Place, normal: Any) -> Any:
    """Tell whether a surface bends away from a normal: beyond a pole normals point inwards."""
    T, bends = at.tangents, 0.0
    for k in range(2):
        bends = bends + math.dot(normal, at.seconds[k][:, k]) / math.dot(T[:, k], T[:, k])
    return bends < FLAT


def _widest_slab(a: Surface, b: Surface, C: Any, t: Any) -> tuple[Any, Any, Any]:
    """Height of the widest sampled slab, and the parameters of the points that bound it."""
    others = [(c, t + C @ x) for c, x in sampled(b.function, b.span, SAMPLES)]
    heights = []
    for c, x in sampled(a.function, a.span, SAMPLES):
        _, T, _ = math.derivatives(a.function, *c)
        across = math.cross(T[:, 0], T[:, 1])
        n = across / math.norm(across)
        lowest = reduce(math.minimum, (math.dot(n, y) for _, y in others))
        heights.append((lowest - math.dot(n, x), c, n))
    height, c_a, n = greatest(heights)
    return height, c_a, least((math.dot(n, y), c) for c, y in others)[1]


def _seen(found: Place, C: Any, t: Any) -> Place:
    """A place of the second surface in the axes of the first."""
    seconds = [C @ H for H in found.seconds]
    return Place(found.c, t + C @ found.point, C @ found.tangents, seconds)


def _step(one: Place, two: Place) -> list[Any]:
    """Solution of the linearised conditions n_a · T_b = 0, d · T_a = 0, with n_a not normalised."""
    T, S, d, k = one.tangents, two.tangents, two.point - one.point, range(2)
    H, K = one.seconds, two.seconds
    n = math.cross(T[:, 0], T[:, 1])
    turned = [
        math.cross(H[0][:, j], T[:, 1]) + math.cross(T[:, 0], H[1][:, j]) for j in k
    ]  # derivatives of n
    rhs = [*(math.dot(n, S[:, i]) for i in k), *(math.dot(d, T[:, i]) for i in k)]
    upper = [
        [*(math.dot(turned[j], S[:, i]) for j in k), *(math.dot(n, K[i][:, j]) for j in k)]
        for i in k
    ]
    lower = [
        [
            *(math.dot(d, H[i][:, j]) - math.dot(T[:, i], T[:, j]) for j in k),
            *(math.dot(S[:, j], T[:, i]) for j in k),
        ]
        for i in k
    ]
    return list(_solved_by_blocks(rhs, upper, lower))


def _solved_by_blocks(rhs: list[Any], upper: Any, lower: Any) -> Iterator[Any]:
    """Solution of four equations; the upper right block is never singular for curved surfaces."""
    A, B = [row[:2] for row in upper], [row[2:] for row in upper]
    L, M = [row[:2] for row in lower], [row[2:] for row in lower]
    # y = B⁻¹ (f − A x), then (L − M B⁻¹ A) x = g − M B⁻¹ f
    f = solved(rhs[:2], B)
    columns = [solved([A[0][j], A[1][j]], B) for j in range(2)]
    schur = [
        [L[i][j] - M[i][0] * columns[j][0] - M[i][1] * columns[j][1] for j in range(2)]
        for i in range(2)
    ]
    g = [rhs[2 + i] - M[i][0] * f[0] - M[i][1] * f[1] for i in range(2)]
    x = solved(g, schur)
    yield from x
    for i in range(2):
        yield f[i] - columns[0][i] * x[0] - columns[1][i] * x[1]


def _reach(contour: Surface) -> Any:
    """Largest distance [m] of a sample from the frame."""
    lengths = (math.norm(x) for _, x in sampled(contour.function, contour.span, SAMPLES))
    return reduce(math.maximum, lengths)


def _spacing(contour: Surface) -> list[float]:
    return [(end - start) / SAMPLES for start, end in contour.span]


def _part(step: list[Any], longest: list[float]) -> Any:
    """Part of a step that moves no parameter further than its samples are apart."""
    most = reduce(
        math.maximum, (math.absolute(s) / far for s, far in zip(step, longest, strict=True))
    )
    return 1.0 / math.maximum(most, 1.0)


add_pair(Surface, Surface, points, near=points_near, n_parameters=4)
