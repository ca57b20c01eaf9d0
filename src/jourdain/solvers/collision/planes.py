"""Half-spaces against everything: heights of extreme points."""

from __future__ import annotations

from jourdain.solvers.collision.cylinders import plane_cylinder
from jourdain.solvers.collision.layout import (
    BOX,
    CAPSULE,
    CYLINDER,
    KIND,
    N_KIND,
    POSE,
    SHAPE,
    SPHERE,
    TABLE,
    across,
    add_contact,
    along,
)  # fmt: skip
from jourdain.solvers.collision.rounded import half_axis
from jourdain.solvers.collision.tables import CORNERS_AT, N_CORNERS


def add_height(i, j, x, y, z, radius, height, nx, ny, nz, feature, margin, out, ids, state):
    """Write the contact of a ball of j, whose centre is at a height over half-space i."""
    gap = height - radius
    if gap <= margin:
        x, y, z = x - height * nx, y - height * ny, z - height * nz
        add_contact(out, ids, state, i, j, feature, gap, nx, ny, nz, x, y, z)


def plane_any(poses, kinds, shapes, T, P, i, j, margin, w, out, ids, state):
    """Contacts of half-space i with j."""
    p, q, s, g = POSE * i, POSE * j, SHAPE * i, SHAPE * j
    nx = across(poses, p, 0, shapes[s], shapes[s + 1], shapes[s + 2])
    ny = across(poses, p, 1, shapes[s], shapes[s + 1], shapes[s + 2])
    nz = across(poses, p, 2, shapes[s], shapes[s + 1], shapes[s + 2])
    x, y, z = poses[q + 9], poses[q + 10], poses[q + 11]
    height = nx * (x - poses[p + 9]) + ny * (y - poses[p + 10]) + nz * (z - poses[p + 11])
    kind = kinds[N_KIND * j + KIND]
    if kind == SPHERE:
        add_height(i, j, x, y, z, shapes[g], height, nx, ny, nz, 0, margin, out, ids, state)
    elif kind == CAPSULE:
        ux, uy, uz = (
            half_axis(poses, shapes, j, 0),
            half_axis(poses, shapes, j, 1),
            half_axis(poses, shapes, j, 2),
        )
        rise = nx * ux + ny * uy + nz * uz
        r = shapes[g + 4]
        add_height(
            i, j, x - ux, y - uy, z - uz, r, height - rise, nx, ny, nz, 0, margin, out, ids, state
        )
        add_height(
            i, j, x + ux, y + uy, z + uz, r, height + rise, nx, ny, nz, 1, margin, out, ids, state
        )
    elif kind == BOX:
        plane_box(poses, shapes, i, j, height, nx, ny, nz, margin, out, ids, state)
    elif kind == CYLINDER:
        plane_cylinder(
            poses, kinds, shapes, T, P, i, j, height, nx, ny, nz, margin, w, out, ids, state
        )
    else:
        o = kinds[N_KIND * j + TABLE]
        a, b, c = (
            along(poses, q, 0, nx, ny, nz),
            along(poses, q, 1, nx, ny, nz),
            along(poses, q, 2, nx, ny, nz),
        )
        for k in range(T[o + N_CORNERS]):
            v = T[o + CORNERS_AT] + 3 * k
            rise = a * P[v] + b * P[v + 1] + c * P[v + 2]
            if height + rise <= margin:
                X = x + across(poses, q, 0, P[v], P[v + 1], P[v + 2])
                Y = y + across(poses, q, 1, P[v], P[v + 1], P[v + 2])
                Z = z + across(poses, q, 2, P[v], P[v + 1], P[v + 2])
                add_height(
                    i, j, X, Y, Z, 0.0, height + rise, nx, ny, nz, k, margin, out, ids, state
                )


def plane_box(poses, shapes, i, j, height, nx, ny, nz, margin, out, ids, state):
    """Contacts of half-space i with the corners of box j."""
    q, g = POSE * j, SHAPE * j
    a = shapes[g] * along(poses, q, 0, nx, ny, nz)
    b = shapes[g + 1] * along(poses, q, 1, nx, ny, nz)
    c = shapes[g + 2] * along(poses, q, 2, nx, ny, nz)
    if height - abs(a) - abs(b) - abs(c) > margin:
        return
    for corner in range(8):
        sx = 1.0 if corner % 2 else -1.0
        sy = 1.0 if corner // 2 % 2 else -1.0
        sz = 1.0 if corner // 4 else -1.0
        over = height + sx * a + sy * b + sz * c
        if over <= margin:
            X, Y, Z = sx * shapes[g], sy * shapes[g + 1], sz * shapes[g + 2]
            x = poses[q + 9] + across(poses, q, 0, X, Y, Z)
            y = poses[q + 10] + across(poses, q, 1, X, Y, Z)
            z = poses[q + 11] + across(poses, q, 2, X, Y, Z)
            add_height(i, j, x, y, z, 0.0, over, nx, ny, nz, corner, margin, out, ids, state)
