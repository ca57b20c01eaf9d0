"""Two convex polyhedra: the widest slab between them, then the part of one face over the other.

Faces and pairs of edges give the candidates. Two edges can touch only if their arcs on the
sphere of normals cross (Gregorius 2013), so that few pairs are measured.
"""

from __future__ import annotations

from jourdain.solvers.collision.boxes import ALIKE, BEYOND, FIRM, FLUSH, PARALLEL, SLIP
from jourdain.solvers.collision.clipping import MOST, NAMES, SIDES, add_corners, clip, clip_segment
from jourdain.solvers.collision.layout import (
    COUNT,
    N_KIND,
    POSE,
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

FRAME, NORMAL, SEGMENTS = 0, 12, 15
"""Work memory: frame of a face; normal and ends of crossing edges."""
CORNERS = 9
"""Rows before the corners of faces in the work memory."""
CLIPPED = CORNERS + MOST
"""Rows before those that are left of them."""
HULL = 3 * (CORNERS + 2 * MOST)
"""Where corners and planes of the second polyhedron lie, in the axes of the first."""
FACES = 256
"""Largest number of faces that have names of their own."""


def place_hull(poses, T, P, i, j, o, w):
    """Write corners and planes of j in the axes of i; return where the planes start."""
    p, q = POSE * i, POSE * j
    tx, ty, tz = (
        poses[q + 9] - poses[p + 9],
        poses[q + 10] - poses[p + 10],
        poses[q + 11] - poses[p + 11],
    )
    n_corners, n_faces = T[o + N_CORNERS], T[o + N_FACES]
    planes = HULL + 3 * n_corners
    for r in range(3):
        x, y, z = poses[p + r], poses[p + 3 + r], poses[p + 6 + r]
        cx, cy, cz = (
            along(poses, q, 0, x, y, z),
            along(poses, q, 1, x, y, z),
            along(poses, q, 2, x, y, z),
        )
        t = along(poses, p, r, tx, ty, tz)
        for k in range(n_corners):
            v = T[o + CORNERS_AT] + 3 * k
            w[HULL + 3 * k + r] = t + cx * P[v] + cy * P[v + 1] + cz * P[v + 2]
        for f in range(n_faces):
            a = T[o + PLANES_AT] + 4 * f
            w[planes + 4 * f + r] = cx * P[a] + cy * P[a + 1] + cz * P[a + 2]
    for f in range(n_faces):
        v = HULL + 3 * T[T[T[o + RINGS_AT] + f]]
        a = planes + 4 * f
        w[a + 3] = w[a] * w[v] + w[a + 1] * w[v + 1] + w[a + 2] * w[v + 2]
    return planes


def least_height(P, a, w, corners, n_corners):
    """Least height of corners over the plane at P[a]."""
    least = 1e300
    for k in range(n_corners):
        v = corners + 3 * k
        least = min(least, P[a] * w[v] + P[a + 1] * w[v + 1] + P[a + 2] * w[v + 2])
    return least - P[a + 3]


def best_face(P, planes, n_faces, w, corners, n_corners, margin):
    """Face above which the corners are highest; -1 if they are above the margin."""
    best, face = -1e300, 0
    for f in range(n_faces):
        height = least_height(P, planes + 4 * f, w, corners, n_corners)
        if height > margin:
            return -1
        if height > best:
            best = height
            face = f
    return face


def hull_hull(poses, kinds, T, P, i, j, margin, w, m, out, ids, state):
    """Contacts of two polyhedra: points of faces, or one of edges."""
    o, s = kinds[N_KIND * i + TABLE], kinds[N_KIND * j + TABLE]
    of_a, of_b = T[o + PLANES_AT], place_hull(poses, T, P, i, j, s, w)
    n_a, n_b = T[o + N_CORNERS], T[s + N_CORNERS]
    face_a = best_face(P, of_a, T[o + N_FACES], w, HULL, n_b, margin)
    if face_a < 0:
        return
    face_b = best_face(w, of_b, T[s + N_FACES], P, T[o + CORNERS_AT], n_a, margin)
    if face_b < 0:
        return
    best_a = least_height(P, of_a + 4 * face_a, w, HULL, n_b)
    best_b = least_height(w, of_b + 4 * face_b, P, T[o + CORNERS_AT], n_a)
    firm = 0.0
    if -cosine_of(P, of_a + 4 * face_a, w, of_b + 4 * face_b) > FLUSH:
        firm = FIRM * size_of(P, of_a + 4 * face_a, T[o + CORNERS_AT], n_a)
    is_b = best_b > best_a + firm
    edges = crossing_hulls(T, P, o, s, of_b, max(best_a, best_b), margin, w)
    if edges == SEPARATE:
        return
    if edges >= 0:
        to_a = cosine_of(P, of_a + 4 * face_a, w, NORMAL)
        to_b = cosine_of(w, of_b + 4 * face_b, w, NORMAL)
        is_edge = abs(to_b if is_b else to_a) < ALIKE
        if is_edge and add_edges(poses, i, j, edges, SLIP, w, out, ids, state):
            return
    before = state[COUNT]
    if is_b:
        hull_face(poses, T, P, j, i, s, o, face_b, FACES * FACES, margin, w, m, out, ids, state)
    else:
        hull_face(poses, T, P, i, j, o, s, face_a, 0, margin, w, m, out, ids, state)
    if state[COUNT] == before and max(best_a, best_b) <= 0.0 and edges >= 0:
        add_edges(poses, i, j, edges, 1e300, w, out, ids, state)


SEPARATE = -2


def cosine_of(P, a, w, b):
    """Cosine between two unit vectors."""
    return P[a] * w[b] + P[a + 1] * w[b + 1] + P[a + 2] * w[b + 2]


def size_of(P, a, corners, n_corners):
    """Depth of a polyhedron below one of its faces."""
    return -least_height(P, a, P, corners, n_corners)


def crossing_hulls(T, P, o, s, of_b, best, margin, w):
    """Number of two edges with a wider slab than ``best``; -1 if none, -2 if separate.

    Writes the normal, and for both edges the first corner and the way to the second.
    """
    found = -1
    n_edges = T[s + N_EDGES]
    for e in range(T[o + N_EDGES]):
        k = T[o + EDGES_AT] + 4 * e
        a, b = T[o + CORNERS_AT] + 3 * T[k], T[o + CORNERS_AT] + 3 * T[k + 1]
        f, g = T[o + PLANES_AT] + 4 * T[k + 2], T[o + PLANES_AT] + 4 * T[k + 3]
        ux, uy, uz = P[b] - P[a], P[b + 1] - P[a + 1], P[b + 2] - P[a + 2]
        for d in range(n_edges):
            at = T[s + EDGES_AT] + 4 * d
            F, G = of_b + 4 * T[at + 2], of_b + 4 * T[at + 3]
            left = -(ux * w[F] + uy * w[F + 1] + uz * w[F + 2])
            right = -(ux * w[G] + uy * w[G + 1] + uz * w[G + 2])
            if left * right >= 0.0:
                continue
            c, h = HULL + 3 * T[at], HULL + 3 * T[at + 1]
            vx, vy, vz = w[h] - w[c], w[h + 1] - w[c + 1], w[h + 2] - w[c + 2]
            one = vx * P[f] + vy * P[f + 1] + vz * P[f + 2]
            two = vx * P[g] + vy * P[g + 1] + vz * P[g + 2]
            if one * two >= 0.0 or left * two <= 0.0:
                continue
            nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
            square = nx * nx + ny * ny + nz * nz
            lengths = (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)
            if square <= PARALLEL * PARALLEL * lengths:
                continue
            scale = 1.0 / square**0.5
            if nx * (P[f] + P[g]) + ny * (P[f + 1] + P[g + 1]) + nz * (P[f + 2] + P[g + 2]) < 0.0:
                scale = -scale
            nx, ny, nz = scale * nx, scale * ny, scale * nz
            width = nx * (w[c] - P[a]) + ny * (w[c + 1] - P[a + 1]) + nz * (w[c + 2] - P[a + 2])
            if width > margin:
                return SEPARATE
            if width > best:
                best = width
                found = e * n_edges + d
                w[NORMAL], w[NORMAL + 1], w[NORMAL + 2] = nx, ny, nz
                for r in range(3):
                    w[SEGMENTS + r] = P[a + r]
                    w[SEGMENTS + 3 + r] = w[c + r]
                w[SEGMENTS + 6], w[SEGMENTS + 7], w[SEGMENTS + 8] = ux, uy, uz
                w[SEGMENTS + 9], w[SEGMENTS + 10], w[SEGMENTS + 11] = vx, vy, vz
    return found


def add_edges(poses, i, j, edges, slip, w, out, ids, state):
    """Write the contact of two crossing edges; False if they pass each other."""
    p, a = POSE * i, SEGMENTS
    dx, dy, dz = w[a + 3] - w[a], w[a + 4] - w[a + 1], w[a + 5] - w[a + 2]
    ux, uy, uz, vx, vy, vz = w[a + 6], w[a + 7], w[a + 8], w[a + 9], w[a + 10], w[a + 11]
    uu, vv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz
    uv = ux * vx + uy * vy + uz * vz
    ud, vd = ux * dx + uy * dy + uz * dz, vx * dx + vy * dy + vz * dz
    D = uu * vv - uv * uv
    s, t = (ud * vv - vd * uv) / D, (ud * uv - vd * uu) / D
    n = NORMAL
    gap = w[n] * dx + w[n + 1] * dy + w[n + 2] * dz
    extra_u, extra_v = slip * abs(gap) / uu**0.5, slip * abs(gap) / vv**0.5
    if s < -extra_u or s > 1.0 + extra_u or t < -extra_v or t > 1.0 + extra_v:
        return False
    s = max(0.0, min(1.0, s))
    lx, ly, lz = w[a] + s * ux, w[a + 1] + s * uy, w[a + 2] + s * uz
    x = poses[p + 9] + across(poses, p, 0, lx, ly, lz)
    y = poses[p + 10] + across(poses, p, 1, lx, ly, lz)
    z = poses[p + 11] + across(poses, p, 2, lx, ly, lz)
    nx = across(poses, p, 0, w[n], w[n + 1], w[n + 2])
    ny = across(poses, p, 1, w[n], w[n + 1], w[n + 2])
    nz = across(poses, p, 2, w[n], w[n + 1], w[n + 2])
    feature = 2 * FACES * FACES * NAMES + edges
    add_contact(out, ids, state, i, j, feature, gap, nx, ny, nz, x, y, z)
    return True


def hull_face(poses, T, P, i, j, o, s, face, base, margin, w, m, out, ids, state):
    """Write the corners of the part of a face of j over a face of i."""
    face_frame(poses, T, P, i, o, face, w)
    upper = upper_corners(poses, T, P, j, s, w, m)
    count = T[T[s + RINGS_AT] + upper + 1] - T[T[s + RINGS_AT] + upper]
    count = clip_to_face(poses, T, P, i, o, face, count, w, m)
    name = base + face * FACES + upper
    add_corners(w, m, CLIPPED, count, FRAME, margin, name, i, j, out, ids, state)


def clip_to_face(poses, T, P, i, o, face, count, w, m):
    """Clip what lies at `CORNERS` to a face of i in whose frame it is; return the number left.

    A single corner and the two ends of a segment may be clipped as well. The result lies at
    `CLIPPED`.
    """
    start, end = T[T[o + RINGS_AT] + face], T[T[o + RINGS_AT] + face + 1]
    p = POSE * i
    first = T[o + CORNERS_AT] + 3 * T[start]
    lx, ly, lz = w[FRAME + 3], w[FRAME + 4], w[FRAME + 5]
    ux, uy, uz = (
        along(poses, p, 0, lx, ly, lz),
        along(poses, p, 1, lx, ly, lz),
        along(poses, p, 2, lx, ly, lz),
    )
    lx, ly, lz = w[FRAME + 6], w[FRAME + 7], w[FRAME + 8]
    vx, vy, vz = (
        along(poses, p, 0, lx, ly, lz),
        along(poses, p, 1, lx, ly, lz),
        along(poses, p, 2, lx, ly, lz),
    )
    a, b = CORNERS, CLIPPED
    for k in range(start, end):
        c = T[o + CORNERS_AT] + 3 * T[k]
        d = T[o + CORNERS_AT] + 3 * T[k + 1 if k + 1 < end else start]
        x, y, z = P[c] - P[first], P[c + 1] - P[first + 1], P[c + 2] - P[first + 2]
        u, v = ux * x + uy * y + uz * z, vx * x + vy * y + vz * z
        x, y, z = P[d] - P[c], P[d + 1] - P[c + 1], P[d + 2] - P[c + 2]
        cu, cv = vx * x + vy * y + vz * z, -(ux * x + uy * y + uz * z)
        length = (cu * cu + cv * cv) ** 0.5
        cu, cv = cu / length, cv / length
        limit = cu * u + cv * v + BEYOND * length
        if count == 2:
            count = clip_segment(w, m, a, b, cu, cv, limit, SIDES + k - start)
        else:
            count = clip(w, m, a, b, count, cu, cv, limit, SIDES + k - start)
        a, b = b, a
    if a == CORNERS:
        for k in range(3 * count):
            w[3 * CLIPPED + k] = w[3 * CORNERS + k]
        for k in range(2 * count):
            m[2 * CLIPPED + k] = m[2 * CORNERS + k]
    return count


def face_frame(poses, T, P, i, o, face, w):
    """Write origin, two axes and normal of a face in the axes of the world."""
    p, start, plane = POSE * i, T[T[o + RINGS_AT] + face], T[o + PLANES_AT] + 4 * face
    c, d = T[o + CORNERS_AT] + 3 * T[start], T[o + CORNERS_AT] + 3 * T[start + 1]
    x, y, z = P[d] - P[c], P[d + 1] - P[c + 1], P[d + 2] - P[c + 2]
    length = (x * x + y * y + z * z) ** 0.5
    x, y, z = x / length, y / length, z / length
    a, b, g = P[plane], P[plane + 1], P[plane + 2]
    for r in range(3):
        w[FRAME + r] = poses[p + 9 + r] + across(poses, p, r, P[c], P[c + 1], P[c + 2])
        w[FRAME + 3 + r] = across(poses, p, r, x, y, z)
        w[FRAME + 6 + r] = across(poses, p, r, b * z - g * y, g * x - a * z, a * y - b * x)
        w[FRAME + 9 + r] = across(poses, p, r, a, b, g)


def upper_corners(poses, T, P, j, s, w, m):
    """Write the corners of the face of j that looks at a face, in its frame; return the face."""
    q = POSE * j
    nx, ny, nz = w[FRAME + 9], w[FRAME + 10], w[FRAME + 11]
    lx, ly, lz = (
        along(poses, q, 0, nx, ny, nz),
        along(poses, q, 1, nx, ny, nz),
        along(poses, q, 2, nx, ny, nz),
    )
    upper, least = 0, 1e300
    for f in range(T[s + N_FACES]):
        a = T[s + PLANES_AT] + 4 * f
        cosine = P[a] * lx + P[a + 1] * ly + P[a + 2] * lz
        if cosine < least:
            least = cosine
            upper = f
    start, end = T[T[s + RINGS_AT] + upper], T[T[s + RINGS_AT] + upper + 1]
    for k in range(start, end):
        c = T[s + CORNERS_AT] + 3 * T[k]
        x = poses[q + 9] + across(poses, q, 0, P[c], P[c + 1], P[c + 2]) - w[FRAME]
        y = poses[q + 10] + across(poses, q, 1, P[c], P[c + 1], P[c + 2]) - w[FRAME + 1]
        z = poses[q + 11] + across(poses, q, 2, P[c], P[c + 1], P[c + 2]) - w[FRAME + 2]
        for r in range(3):
            f = FRAME + 3 + 3 * r
            w[3 * (CORNERS + k - start) + r] = x * w[f] + y * w[f + 1] + z * w[f + 2]
        m[2 * (CORNERS + k - start)] = k - start
        m[2 * (CORNERS + k - start) + 1] = k - start
    return upper
