"""Spheres and capsules against everything: the distance of a point or a segment, less radii."""

from __future__ import annotations

from jourdain.solvers.collision.layout import (
    BOX,
    KIND,
    N_KIND,
    POSE,
    SHAPE,
    TABLE,
    across,
    add_contact,
    along,
)  # fmt: skip
from jourdain.solvers.collision.tables import (
    CORNERS_AT,
    EDGES_AT,
    N_CORNERS,
    N_EDGES,
    N_FACES,
    PLANES_AT,
    RINGS_AT,
)  # fmt: skip

PARALLEL = 1e-4
"""Sine of the angle below which lines count as parallel: their ends touch then."""
DEEPEST = -0.5
"""How far segments may lie below edges, in parts of their reach; others are on the far side."""
ALMOST = 1.0 - 1e-9
"""Part of a squared distance from which on it is the same."""
FEATURE = 16
"""First name of contacts of segments with edges; ends come before."""


def add_balls(i, j, ax, ay, az, a, bx, by, bz, b, margin, feature, out, ids, state):
    """Write the contact of two balls with centres and radii."""
    x, y, z = bx - ax, by - ay, bz - az
    square = x * x + y * y + z * z
    reach = a + b + margin
    if square > reach * reach:
        return
    length = square**0.5
    if length > 0.0:
        x, y, z = x / length, y / length, z / length
    else:
        x, y, z = 0.0, 0.0, 1.0
    ax, ay, az = ax + a * x, ay + a * y, az + a * z
    add_contact(out, ids, state, i, j, feature, length - a - b, x, y, z, ax, ay, az)


def box_surface(shapes, g, x, y, z, w):
    """Write signed distance and outward normal of a point in the axes of a box."""
    w[4], w[5], w[6] = x, y, z
    square = 0.0
    nearest = -1e300
    face = 0
    for k in range(3):
        half = shapes[g + k]
        over = abs(w[4 + k]) - half
        w[1 + k] = w[4 + k] - max(-half, min(half, w[4 + k]))
        square += w[1 + k] * w[1 + k]
        if over > nearest:
            nearest = over
            face = k
    if square > 0.0:
        w[0] = square**0.5
        for k in range(3):
            w[1 + k] = w[1 + k] / w[0]
    else:
        w[0] = nearest
        w[1 + face] = -1.0 if w[4 + face] < 0.0 else 1.0


def hull_surface(T, P, o, x, y, z, w):
    """Write signed distance and outward normal of a point in the axes of a polyhedron."""
    planes = T[o + PLANES_AT]
    nearest = -1e300
    face = 0
    for f in range(T[o + N_FACES]):
        a = planes + 4 * f
        height = P[a] * x + P[a + 1] * y + P[a + 2] * z - P[a + 3]
        if height > nearest:
            nearest = height
            face = f
        if height > 0.0 and is_over_face(T, P, o, f, x, y, z):
            nearest = height
            face = f
            break
    a = planes + 4 * face
    w[0], w[1], w[2], w[3] = nearest, P[a], P[a + 1], P[a + 2]
    if nearest > 0.0 and not is_over_face(T, P, o, face, x, y, z):
        edge_surface(T, P, o, x, y, z, w)


def is_over_face(T, P, o, f, x, y, z):
    """Whether a point lies over a face."""
    a = T[o + PLANES_AT] + 4 * f
    corners = T[o + CORNERS_AT]
    start, end = T[T[o + RINGS_AT] + f], T[T[o + RINGS_AT] + f + 1]
    last = corners + 3 * T[end - 1]
    for k in range(start, end):
        v = corners + 3 * T[k]
        ex, ey, ez = P[v] - P[last], P[v + 1] - P[last + 1], P[v + 2] - P[last + 2]
        side = (ey * P[a + 2] - ez * P[a + 1]) * (x - P[v])
        side += (ez * P[a] - ex * P[a + 2]) * (y - P[v + 1])
        side += (ex * P[a + 1] - ey * P[a]) * (z - P[v + 2])
        if side > 0.0:
            return False
        last = v
    return True


def edge_surface(T, P, o, x, y, z, w):
    """Write distance and direction of a point from the nearest edge of a polyhedron."""
    corners, edges = T[o + CORNERS_AT], T[o + EDGES_AT]
    nearest = 1e300
    for k in range(T[o + N_EDGES]):
        a, b = corners + 3 * T[edges + 4 * k], corners + 3 * T[edges + 4 * k + 1]
        ex, ey, ez = P[b] - P[a], P[b + 1] - P[a + 1], P[b + 2] - P[a + 2]
        dx, dy, dz = x - P[a], y - P[a + 1], z - P[a + 2]
        share = (ex * dx + ey * dy + ez * dz) / (ex * ex + ey * ey + ez * ez)
        share = max(0.0, min(1.0, share))
        dx, dy, dz = dx - share * ex, dy - share * ey, dz - share * ez
        square = dx * dx + dy * dy + dz * dz
        if square < nearest and square > 0.0:
            nearest = square
            w[0] = square**0.5
            w[1], w[2], w[3] = dx / w[0], dy / w[0], dz / w[0]


def surface(poses, kinds, shapes, T, P, j, x, y, z, w):
    """Write signed distance and outward normal, in its axes, of a point of the world."""
    q = POSE * j
    dx, dy, dz = x - poses[q + 9], y - poses[q + 10], z - poses[q + 11]
    a = along(poses, q, 0, dx, dy, dz)
    b = along(poses, q, 1, dx, dy, dz)
    c = along(poses, q, 2, dx, dy, dz)
    if kinds[N_KIND * j + KIND] == BOX:
        box_surface(shapes, SHAPE * j, a, b, c, w)
    else:
        hull_surface(T, P, kinds[N_KIND * j + TABLE], a, b, c, w)


def add_ball(poses, i, j, x, y, z, radius, margin, feature, w, out, ids, state):
    """Write the contact of a ball of j with box or polyhedron i, whose surface is written."""
    p = POSE * i
    gap = w[0] - radius
    if gap <= margin:
        nx = across(poses, p, 0, w[1], w[2], w[3])
        ny = across(poses, p, 1, w[1], w[2], w[3])
        nz = across(poses, p, 2, w[1], w[2], w[3])
        x, y, z = x - w[0] * nx, y - w[0] * ny, z - w[0] * nz
        add_contact(out, ids, state, i, j, feature, gap, nx, ny, nz, x, y, z)


def half_axis(poses, shapes, i, k):
    """Component k of half of the segment of a capsule."""
    s = SHAPE * i
    return shapes[s + 3] * across(poses, POSE * i, k, shapes[s], shapes[s + 1], shapes[s + 2])


def sphere_capsule(poses, shapes, i, j, margin, out, ids, state):
    """Contact of a sphere with a capsule."""
    p, q = POSE * i + 9, POSE * j + 9
    x, y, z = (
        half_axis(poses, shapes, j, 0),
        half_axis(poses, shapes, j, 1),
        half_axis(poses, shapes, j, 2),
    )
    dx, dy, dz = poses[p] - poses[q], poses[p + 1] - poses[q + 1], poses[p + 2] - poses[q + 2]
    share = (x * dx + y * dy + z * dz) / (x * x + y * y + z * z)
    share = max(-1.0, min(1.0, share))
    x, y, z = poses[q] + share * x, poses[q + 1] + share * y, poses[q + 2] + share * z
    add_balls(
        i, j, poses[p], poses[p + 1], poses[p + 2], shapes[SHAPE * i],
        x, y, z, shapes[SHAPE * j + 4], margin, 0, out, ids, state,
    )  # fmt: skip


def capsule_capsule(poses, shapes, i, j, margin, out, ids, state):
    """Contacts of two capsules: ends, which carry parallel ones, and the crossing."""
    p, q = POSE * i + 9, POSE * j + 9
    a, b = shapes[SHAPE * i + 4], shapes[SHAPE * j + 4]
    ux, uy, uz = (
        half_axis(poses, shapes, i, 0),
        half_axis(poses, shapes, i, 1),
        half_axis(poses, shapes, i, 2),
    )
    vx, vy, vz = (
        half_axis(poses, shapes, j, 0),
        half_axis(poses, shapes, j, 1),
        half_axis(poses, shapes, j, 2),
    )
    dx, dy, dz = poses[q] - poses[p], poses[q + 1] - poses[p + 1], poses[q + 2] - poses[p + 2]
    uu, vv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz
    uv = ux * vx + uy * vy + uz * vz
    ud, vd = ux * dx + uy * dy + uz * dz, vx * dx + vy * dy + vz * dz
    for end in range(2):
        t = 2.0 * end - 1.0
        free = (ud + t * uv) / uu
        s = max(-1.0, min(1.0, free))
        if free == s or t * (s * uv - vd) >= vv:
            add_balls(
                i, j, poses[p] + s * ux, poses[p + 1] + s * uy, poses[p + 2] + s * uz, a,
                poses[q] + t * vx, poses[q + 1] + t * vy, poses[q + 2] + t * vz, b,
                margin, end, out, ids, state,
            )  # fmt: skip
        share = (t * uv - vd) / vv
        if abs(share) < 1.0:
            add_balls(
                i, j, poses[p] + t * ux, poses[p + 1] + t * uy, poses[p + 2] + t * uz, a,
                poses[q] + share * vx, poses[q + 1] + share * vy, poses[q + 2] + share * vz, b,
                margin, 2 + end, out, ids, state,
            )  # fmt: skip
    D = uu * vv - uv * uv
    if PARALLEL * PARALLEL * uu * vv < D:
        s, t = (ud * vv - vd * uv) / D, (ud * uv - vd * uu) / D
        if abs(s) < 1.0 and abs(t) < 1.0:
            add_balls(
                i, j, poses[p] + s * ux, poses[p + 1] + s * uy, poses[p + 2] + s * uz, a,
                poses[q] + t * vx, poses[q + 1] + t * vy, poses[q + 2] + t * vz, b,
                margin, 4, out, ids, state,
            )  # fmt: skip


def capsule_hull(poses, kinds, shapes, T, P, i, j, margin, w, out, ids, state):
    """Contacts of a capsule with a box or a polyhedron: both ends, and crossings with edges."""
    p, q, o = POSE * i, POSE * j, kinds[N_KIND * j + TABLE]
    radius = shapes[SHAPE * i + 4]
    ux, uy, uz = (
        half_axis(poses, shapes, i, 0),
        half_axis(poses, shapes, i, 1),
        half_axis(poses, shapes, i, 2),
    )
    for end in range(2):
        t = 2.0 * end - 1.0
        x, y, z = poses[p + 9] + t * ux, poses[p + 10] + t * uy, poses[p + 11] + t * uz
        surface(poses, kinds, shapes, T, P, j, x, y, z, w)
        add_ball(poses, j, i, x, y, z, radius, margin, end, w, out, ids, state)

    dx, dy, dz = (
        poses[p + 9] - poses[q + 9],
        poses[p + 10] - poses[q + 10],
        poses[p + 11] - poses[q + 11],
    )
    for k in range(3):
        w[k] = along(poses, q, k, dx, dy, dz)
        w[3 + k] = along(poses, q, k, ux, uy, uz)
    for e in range(T[o + N_EDGES]):
        if cross_edge(T, P, o, e, radius + margin, w):
            gap = w[9] - radius
            nx = across(poses, q, 0, w[6], w[7], w[8])
            ny = across(poses, q, 1, w[6], w[7], w[8])
            nz = across(poses, q, 2, w[6], w[7], w[8])
            x = poses[p + 9] + w[10] * ux - radius * nx
            y = poses[p + 10] + w[10] * uy - radius * ny
            z = poses[p + 11] + w[10] * uz - radius * nz
            add_contact(out, ids, state, i, j, FEATURE + e, gap, -nx, -ny, -nz, x, y, z)
    capsule_corners(poses, kinds, shapes, T, P, i, j, margin, w, out, ids, state)


def capsule_corners(poses, kinds, shapes, T, P, i, j, margin, w, out, ids, state):
    """Contacts of the segment of a capsule, away from its ends, with corners."""
    p, q, o = POSE * i, POSE * j, kinds[N_KIND * j + TABLE]
    radius = shapes[SHAPE * i + 4]
    reach = radius + margin
    ux, uy, uz = (
        half_axis(poses, shapes, i, 0),
        half_axis(poses, shapes, i, 1),
        half_axis(poses, shapes, i, 2),
    )
    uu = ux * ux + uy * uy + uz * uz
    for k in range(T[o + N_CORNERS]):
        v = T[o + CORNERS_AT] + 3 * k
        dx = poses[q + 9] + across(poses, q, 0, P[v], P[v + 1], P[v + 2]) - poses[p + 9]
        dy = poses[q + 10] + across(poses, q, 1, P[v], P[v + 1], P[v + 2]) - poses[p + 10]
        dz = poses[q + 11] + across(poses, q, 2, P[v], P[v + 1], P[v + 2]) - poses[p + 11]
        s = (ux * dx + uy * dy + uz * dz) / uu
        dx, dy, dz = dx - s * ux, dy - s * uy, dz - s * uz
        square = dx * dx + dy * dy + dz * dz
        if abs(s) < 1.0 and square < reach * reach:
            x, y, z = poses[p + 9] + s * ux, poses[p + 10] + s * uy, poses[p + 11] + s * uz
            surface(poses, kinds, shapes, T, P, j, x, y, z, w)
            if w[0] > 0.0 and w[0] * w[0] > ALMOST * square:
                feature = FEATURE + T[o + N_EDGES] + k
                add_ball(poses, j, i, x, y, z, radius, margin, feature, w, out, ids, state)


def cross_edge(T, P, o, e, reach, w):
    """Whether the segment in w[0:6] crosses an edge within reach, from outside.

    Writes the outward normal to w[6:9], the distance to w[9], the place on the segment to w[10].
    """
    k = T[o + EDGES_AT] + 4 * e
    a, b = T[o + CORNERS_AT] + 3 * T[k], T[o + CORNERS_AT] + 3 * T[k + 1]
    f, g = T[o + PLANES_AT] + 4 * T[k + 2], T[o + PLANES_AT] + 4 * T[k + 3]
    x, y, z = 0.5 * (P[b] - P[a]), 0.5 * (P[b + 1] - P[a + 1]), 0.5 * (P[b + 2] - P[a + 2])
    dx, dy, dz = P[a] + x - w[0], P[a + 1] + y - w[1], P[a + 2] + z - w[2]
    uu, vv = w[3] * w[3] + w[4] * w[4] + w[5] * w[5], x * x + y * y + z * z
    uv = w[3] * x + w[4] * y + w[5] * z
    D = uu * vv - uv * uv
    if PARALLEL * PARALLEL * uu * vv >= D:
        return False
    ud, vd = w[3] * dx + w[4] * dy + w[5] * dz, x * dx + y * dy + z * dz
    s, t = (ud * vv - vd * uv) / D, (ud * uv - vd * uu) / D
    if abs(s) >= 1.0 or abs(t) >= 1.0:
        return False
    nx, ny, nz = w[4] * z - w[5] * y, w[5] * x - w[3] * z, w[3] * y - w[4] * x
    left = nx * P[f] + ny * P[f + 1] + nz * P[f + 2]
    right = nx * P[g] + ny * P[g + 1] + nz * P[g + 2]
    scale = 1.0 / (nx * nx + ny * ny + nz * nz) ** 0.5
    if left + right < 0.0:
        scale = -scale
    w[6], w[7], w[8] = scale * nx, scale * ny, scale * nz
    w[9] = -(w[6] * dx + w[7] * dy + w[8] * dz)
    w[10] = s
    if w[9] > reach or w[9] < DEEPEST * reach:
        return False
    return is_between(P, f, g, w)


def is_between(P, f, g, w):
    """Whether the direction w[6:9] across an edge lies between the normals of its faces."""
    ex = P[f + 1] * P[g + 2] - P[f + 2] * P[g + 1]
    ey = P[f + 2] * P[g] - P[f] * P[g + 2]
    ez = P[f] * P[g + 1] - P[f + 1] * P[g]
    from_left = ex * (P[f + 1] * w[8] - P[f + 2] * w[7])
    from_left += ey * (P[f + 2] * w[6] - P[f] * w[8])
    from_left += ez * (P[f] * w[7] - P[f + 1] * w[6])
    to_right = ex * (w[7] * P[g + 2] - w[8] * P[g + 1])
    to_right += ey * (w[8] * P[g] - w[6] * P[g + 2])
    to_right += ez * (w[6] * P[g + 1] - w[7] * P[g])
    return from_left >= 0.0 and to_right >= 0.0
