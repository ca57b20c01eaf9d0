"""Cylinders with flat ends against balls, capsules and half-spaces."""

from __future__ import annotations

from jourdain.solvers.collision.layout import (
    N_KIND,
    POSE,
    SHAPE,
    TABLE,
    across,
    add_contact,
    along,
)  # fmt: skip
from jourdain.solvers.collision.rounded import add_ball, half_axis

HALVINGS = 60
"""Steps of the search for the closest point of a segment."""
INTERIOR = 1e-6
"""Part of a segment that counts as its end."""


def cylinder_surface(shapes, g, x, y, z, w):
    """Write signed distance and outward normal of a point in the axes of a cylinder."""
    ax, ay, az = shapes[g], shapes[g + 1], shapes[g + 2]
    height = ax * x + ay * y + az * z
    sx, sy, sz = x - height * ax, y - height * ay, z - height * az
    radial = (sx * sx + sy * sy + sz * sz) ** 0.5
    if radial > 0.0:
        sx, sy, sz = sx / radial, sy / radial, sz / radial
    else:
        sx, sy, sz = shapes[g + 5], shapes[g + 6], shapes[g + 7]
    up = -1.0 if height < 0.0 else 1.0
    over_side, over_end = radial - shapes[g + 4], abs(height) - shapes[g + 3]
    side, end = 1.0, 0.0
    w[0] = over_side
    if over_side > 0.0 and over_end > 0.0:
        w[0] = (over_side * over_side + over_end * over_end) ** 0.5
        side, end = over_side / w[0], over_end / w[0]
    elif over_end > over_side:
        w[0] = over_end
        side, end = 0.0, 1.0
    end = up * end
    w[1], w[2], w[3] = side * sx + end * ax, side * sy + end * ay, side * sz + end * az


def surface_at(poses, shapes, j, x, y, z, w):
    """Write signed distance and outward normal, in its axes, of a point of the world."""
    q = POSE * j
    dx, dy, dz = x - poses[q + 9], y - poses[q + 10], z - poses[q + 11]
    a = along(poses, q, 0, dx, dy, dz)
    b = along(poses, q, 1, dx, dy, dz)
    c = along(poses, q, 2, dx, dy, dz)
    cylinder_surface(shapes, SHAPE * j, a, b, c, w)


def ball_cylinder(poses, shapes, i, j, x, y, z, radius, margin, feature, w, out, ids, state):
    """Contact of a ball of i with cylinder j."""
    surface_at(poses, shapes, j, x, y, z, w)
    add_ball(poses, j, i, x, y, z, radius, margin, feature, w, out, ids, state)


def capsule_cylinder(poses, shapes, i, j, margin, w, out, ids, state):
    """Contacts of capsule i with cylinder j: both ends, and the point between that is closest.

    The distance from a convex body is a convex function of the place on the segment.
    """
    p = POSE * i + 9
    radius = shapes[SHAPE * i + 4]
    ux, uy, uz = (
        half_axis(poses, shapes, i, 0),
        half_axis(poses, shapes, i, 1),
        half_axis(poses, shapes, i, 2),
    )
    x, y, z = poses[p], poses[p + 1], poses[p + 2]
    for end in range(2):
        t = 2.0 * end - 1.0
        ball_cylinder(
            poses, shapes, i, j, x + t * ux, y + t * uy, z + t * uz, radius, margin, end,
            w, out, ids, state,
        )  # fmt: skip
    low, high = -1.0, 1.0
    for _ in range(HALVINGS):
        one, two = low + (high - low) / 3.0, high - (high - low) / 3.0
        surface_at(poses, shapes, j, x + one * ux, y + one * uy, z + one * uz, w)
        first = w[0]
        surface_at(poses, shapes, j, x + two * ux, y + two * uy, z + two * uz, w)
        if first < w[0]:
            high = two
        else:
            low = one
    t = 0.5 * (low + high)
    if abs(t) < 1.0 - INTERIOR:
        ball_cylinder(
            poses, shapes, i, j, x + t * ux, y + t * uy, z + t * uz, radius, margin, 2,
            w, out, ids, state,
        )  # fmt: skip


def plane_cylinder(
    poses, kinds, shapes, T, P, i, j, height, nx, ny, nz, margin, w, out, ids, state
):
    """Contacts of half-space i with cylinder j: lowest and fixed points of both rims."""
    q, g = POSE * j, SHAPE * j
    lx, ly, lz = (
        along(poses, q, 0, nx, ny, nz),
        along(poses, q, 1, nx, ny, nz),
        along(poses, q, 2, nx, ny, nz),
    )
    rise = lx * shapes[g] + ly * shapes[g + 1] + lz * shapes[g + 2]
    steep = max(0.0, 1.0 - rise * rise) ** 0.5
    if height - abs(rise) * shapes[g + 3] - steep * shapes[g + 4] > margin:
        return
    o = kinds[N_KIND * j + TABLE]
    for k in range(T[o] + 1):
        rim_point(shapes, g, P, T[o + 1] + 3 * (k - 1), k > 0, -lx, -ly, -lz, w, 0)
        for end in range(2):
            half = (2.0 * end - 1.0) * shapes[g + 3]
            x, y, z = (
                w[0] + half * shapes[g],
                w[1] + half * shapes[g + 1],
                w[2] + half * shapes[g + 2],
            )
            over = height + lx * x + ly * y + lz * z
            if over <= margin:
                X = poses[q + 9] + across(poses, q, 0, x, y, z) - over * nx
                Y = poses[q + 10] + across(poses, q, 1, x, y, z) - over * ny
                Z = poses[q + 11] + across(poses, q, 2, x, y, z) - over * nz
                add_contact(out, ids, state, i, j, 2 * k + end, over, nx, ny, nz, X, Y, Z)


def rim_point(shapes, g, P, at, is_fixed, x, y, z, w, to):
    """Write a point of the circle round the middle: that at P[at], or furthest along x, y, z."""
    if is_fixed:
        w[to], w[to + 1], w[to + 2] = P[at], P[at + 1], P[at + 2]
        return
    ax, ay, az, r = shapes[g], shapes[g + 1], shapes[g + 2], shapes[g + 4]
    slope = ax * x + ay * y + az * z
    x, y, z = x - slope * ax, y - slope * ay, z - slope * az
    length = (x * x + y * y + z * z) ** 0.5
    if length > 0.0:
        w[to], w[to + 1], w[to + 2] = r * x / length, r * y / length, r * z / length
    else:
        w[to], w[to + 1], w[to + 2] = r * shapes[g + 5], r * shapes[g + 6], r * shapes[g + 7]
