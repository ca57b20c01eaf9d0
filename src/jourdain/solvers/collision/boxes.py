"""Two boxes: the widest slab between them, then the part of one face over the other.

The candidates for normals of slabs (GP-3) are those of faces and of pairs of edges. Points of a
face over a face have its normal: where they touch is exact, and their gaps differ from distances
by the cosine of the angle between the faces only.
"""

from __future__ import annotations

from jourdain.solvers.collision.clipping import MOST, NAMES, SIDES, add_corners, clip
from jourdain.solvers.collision.layout import COUNT, POSE, SHAPE, add_contact, along

PARALLEL = 1e-4
"""Sine of the angle below which edges count as parallel."""
ALIKE = 0.95
"""Cosine between the normals of crossing edges and of a face from which the face serves."""
FLUSH = 0.99
"""Cosine between two faces from which that of the first box serves, unless the other one is better
by `FIRM`, so that noise does not change it."""
FIRM = 1e-3
"""Difference of the widths of slabs that counts, in parts of the size."""
BEYOND = 1e-6
"""How far faces reach beyond their edges, in parts of their size, so that equal boxes stack."""
SLIP = 4.0
"""How far edges may pass each other's ends and still touch, in parts of the gap."""
EDGES = 72
"""Number of names of pairs of faces."""
COSINES, ON_A, ON_B, FRAME = 0, 9, 12, 15
"""Work memory: axes of b in those of a, offset of the middles in both axes, frame of a face."""
CORNERS = 9
"""Rows before the corners of faces in the work memory."""


def box_box(poses, shapes, i, j, margin, w, m, out, ids, state):
    """Contacts of two boxes: up to eight points of faces, or one of edges."""
    p, q, h, g = POSE * i, POSE * j, SHAPE * i, SHAPE * j
    tx, ty, tz = (
        poses[q + 9] - poses[p + 9],
        poses[q + 10] - poses[p + 10],
        poses[q + 11] - poses[p + 11],
    )
    for k in range(3):
        w[ON_A + k] = along(poses, p, k, tx, ty, tz)
        w[ON_B + k] = along(poses, q, k, tx, ty, tz)
        x, y, z = poses[p + k], poses[p + 3 + k], poses[p + 6 + k]
        for c in range(3):
            w[COSINES + 3 * k + c] = along(poses, q, c, x, y, z)
    face_a, face_b = 0, 0
    best_a, best_b = -1e300, -1e300
    for k in range(3):
        reach = shapes[h + k]
        for c in range(3):
            reach += shapes[g + c] * abs(w[COSINES + 3 * k + c])
        width = abs(w[ON_A + k]) - reach
        if width > margin:
            return
        if width > best_a:
            best_a = width
            face_a = k
    for c in range(3):
        reach = shapes[g + c]
        for k in range(3):
            reach += shapes[h + k] * abs(w[COSINES + 3 * k + c])
        width = abs(w[ON_B + c]) - reach
        if width > margin:
            return
        if width > best_b:
            best_b = width
            face_b = c
    best = max(best_a, best_b)
    edges = crossing_edges(shapes, h, g, best, margin, w)
    if edges == SEPARATE:
        return
    firm = 0.0
    if abs(w[COSINES + 3 * face_a + face_b]) > FLUSH:
        firm = FIRM * shapes[g + face_b]
    is_b = best_b > best_a + firm
    if edges >= 0:
        k, c = edges // 3, edges % 3
        is_edge = not is_alike(w, k, c, face_b if is_b else face_a, is_b)
        if is_edge and add_crossing(poses, shapes, i, j, k, c, SLIP, w, out, ids, state):
            return
    before = state[COUNT]
    if is_b:
        is_low = w[ON_B + face_b] > 0.0
        face_face(poses, shapes, j, i, face_b, is_low, 1, margin, w, m, out, ids, state)
    else:
        is_low = w[ON_A + face_a] < 0.0
        face_face(poses, shapes, i, j, face_a, is_low, 0, margin, w, m, out, ids, state)
    if state[COUNT] == before and best <= 0.0 and edges >= 0:
        add_crossing(poses, shapes, i, j, edges // 3, edges % 3, 1e300, w, out, ids, state)


SEPARATE = -2


def crossing_edges(shapes, h, g, best, margin, w):
    """Pair of edges ``3 k + c`` with a wider slab than ``best``; -1 if none, -2 if separate."""
    found = -1
    for k in range(3):
        k1, k2 = (k + 1) % 3, (k + 2) % 3
        for c in range(3):
            c1, c2 = (c + 1) % 3, (c + 2) % 3
            C1, C2 = w[COSINES + 3 * k1 + c], w[COSINES + 3 * k2 + c]
            offset = abs(w[ON_A + k2] * C1 - w[ON_A + k1] * C2)
            reach = shapes[h + k1] * abs(C2) + shapes[h + k2] * abs(C1)
            reach += shapes[g + c1] * abs(w[COSINES + 3 * k + c2])
            reach += shapes[g + c2] * abs(w[COSINES + 3 * k + c1])
            over = offset - reach
            if over > min(best, 0.0):
                square = C1 * C1 + C2 * C2
                if square > PARALLEL * PARALLEL:
                    width = over / square**0.5
                    if width > margin:
                        return SEPARATE
                    if width > best:
                        best = width
                        found = 3 * k + c
    return found


def is_alike(w, k, c, face, is_b):
    """Whether the normal of two crossing edges is near that of a face."""
    cosine = w[COSINES + 3 * k + c]
    sine = (1.0 - cosine * cosine) ** 0.5
    if is_b:
        if face == c:
            return False
        other = 3 - face - c
        return abs(w[COSINES + 3 * k + other]) > ALIKE * sine
    if face == k:
        return False
    other = 3 - face - k
    return abs(w[COSINES + 3 * other + c]) > ALIKE * sine


def add_crossing(poses, shapes, i, j, k, c, slip, w, out, ids, state):
    """Write the contact of edge k of i with edge c of j; False if they pass each other."""
    p, q, h, g = POSE * i, POSE * j, SHAPE * i, SHAPE * j
    ux, uy, uz = poses[p + k], poses[p + 3 + k], poses[p + 6 + k]
    wx, wy, wz = poses[q + c], poses[q + 3 + c], poses[q + 6 + c]
    nx, ny, nz = uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx
    ax, ay, az = poses[p + 9], poses[p + 10], poses[p + 11]
    bx, by, bz = poses[q + 9], poses[q + 10], poses[q + 11]
    scale = 1.0 / (nx * nx + ny * ny + nz * nz) ** 0.5
    if nx * (bx - ax) + ny * (by - ay) + nz * (bz - az) < 0.0:
        scale = -scale
    nx, ny, nz = scale * nx, scale * ny, scale * nz
    name = (3 * k + c) * 16
    for turn in range(1, 3):
        e = (k + turn) % 3
        half = shapes[h + e]
        if along(poses, p, e, nx, ny, nz) < 0.0:
            half = -half
            name += turn
        ax, ay, az = (
            ax + half * poses[p + e],
            ay + half * poses[p + 3 + e],
            az + half * poses[p + 6 + e],
        )
        e = (c + turn) % 3
        half = shapes[g + e]
        if along(poses, q, e, nx, ny, nz) > 0.0:
            half = -half
            name += 4 * turn
        bx, by, bz = (
            bx + half * poses[q + e],
            by + half * poses[q + 3 + e],
            bz + half * poses[q + 6 + e],
        )
    dx, dy, dz = bx - ax, by - ay, bz - az
    gap = nx * dx + ny * dy + nz * dz
    cosine = ux * wx + uy * wy + uz * wz
    on_u, on_w = ux * dx + uy * dy + uz * dz, wx * dx + wy * dy + wz * dz
    D = 1.0 - cosine * cosine
    s, t = (on_u - cosine * on_w) / D, (cosine * on_u - on_w) / D
    extra = slip * abs(gap)
    if abs(s) > shapes[h + k] + extra or abs(t) > shapes[g + c] + extra:
        return False
    s = max(-shapes[h + k], min(shapes[h + k], s))
    x, y, z = ax + s * ux, ay + s * uy, az + s * uz
    feature = EDGES * NAMES + name
    add_contact(out, ids, state, i, j, feature, gap, nx, ny, nz, x, y, z)
    return True


def face_face(poses, shapes, i, j, k, is_low, is_swapped, margin, w, m, out, ids, state):
    """Write the corners of the part of a face of j over the face of i across axis k."""
    p, q, h, g = POSE * i, POSE * j, SHAPE * i, SHAPE * j
    k1, k2 = (k + 1) % 3, (k + 2) % 3
    side = -1.0 if is_low else 1.0
    low = 1 if is_low else 0
    for r in range(3):
        w[FRAME + 3 + r] = poses[p + 3 * r + k1]
        w[FRAME + 6 + r] = poses[p + 3 * r + k2]
        w[FRAME + 9 + r] = side * poses[p + 3 * r + k]
        w[FRAME + r] = poses[p + 9 + r] + shapes[h + k] * w[FRAME + 9 + r]
    c = 0
    steepest = 0.0
    for e in range(3):
        x = along(poses, q, e, w[FRAME + 9], w[FRAME + 10], w[FRAME + 11])
        if abs(x) > abs(steepest):
            steepest = x
            c = e
    inward = -1.0 if steepest > 0.0 else 1.0
    upper = 2 * c + (1 if steepest > 0.0 else 0)
    face_corners(poses, shapes, q, g, c, inward, w, m)
    count = 4
    a, b = CORNERS, CORNERS + MOST
    extra = BEYOND * (shapes[h + k1] + shapes[h + k2])
    for turn in range(4):
        cu, cv = 0.0, 0.0
        limit = shapes[h + k1] + extra
        if turn % 2 == 0:
            cu = 1.0 - turn
        else:
            cv = 2.0 - turn
            limit = shapes[h + k2] + extra
        count = clip(w, m, a, b, count, cu, cv, limit, SIDES + turn)
        a, b = b, a
    name = (is_swapped * 6 + 2 * k + low) * 6 + upper
    add_corners(w, m, a, count, FRAME, margin, name, i, j, out, ids, state)


def face_corners(poses, shapes, q, g, c, side, w, m):
    """Corners of the face of a box across axis c, seen in the frame of another face."""
    c1, c2 = (c + 1) % 3, (c + 2) % 3
    x = poses[q + 9] + side * shapes[g + c] * poses[q + c] - w[FRAME]
    y = poses[q + 10] + side * shapes[g + c] * poses[q + 3 + c] - w[FRAME + 1]
    z = poses[q + 11] + side * shapes[g + c] * poses[q + 6 + c] - w[FRAME + 2]
    for r in range(3):
        f = FRAME + 3 + 3 * r
        middle = x * w[f] + y * w[f + 1] + z * w[f + 2]
        u = shapes[g + c1] * along(poses, q, c1, w[f], w[f + 1], w[f + 2])
        v = shapes[g + c2] * along(poses, q, c2, w[f], w[f + 1], w[f + 2])
        w[3 * CORNERS + r] = middle - u - v
        w[3 * CORNERS + 3 + r] = middle + u - v
        w[3 * CORNERS + 6 + r] = middle + u + v
        w[3 * CORNERS + 9 + r] = middle - u + v
    for corner in range(4):
        m[2 * (CORNERS + corner)] = corner
        m[2 * (CORNERS + corner) + 1] = corner
