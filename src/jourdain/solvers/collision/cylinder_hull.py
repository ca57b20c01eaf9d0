"""A cylinder with a box or a polyhedron: the widest slab between them, then points of faces.

The normals that can be widest are those of faces, the axis, those from the axis or a rim to
corners, and those of edges that side or rim meet; the last by a search between the normals of the
two faces at the edge. All in the axes of the cylinder's frame.
"""

from __future__ import annotations

from jourdain.solvers.collision.boxes import ALIKE, BEYOND
from jourdain.solvers.collision.clipping import SIDES, add_corners
from jourdain.solvers.collision.cylinders import rim_point
from jourdain.solvers.collision.hulls import (
    CLIPPED,
    CORNERS,
    FACES,
    FRAME,
    HULL,
    clip_to_face,
    face_frame,
    place_hull,
    upper_corners,
)  # fmt: skip
from jourdain.solvers.collision.layout import (
    COUNT,
    N_KIND,
    POSE,
    SHAPE,
    TABLE,
    across,
    add_contact,
)  # fmt: skip
from jourdain.solvers.collision.tables import (
    EDGES_AT,
    N_CORNERS,
    N_EDGES,
    N_FACES,
    RINGS_AT,
)  # fmt: skip

BEST, POINT, TRIED = 12, 15, 18
"""Work memory: normal of the widest slab, point of the cylinder there, normal that is tried."""
SAMPLES, THIRDS = 8, 45
"""Normals tried between two faces, and steps of the search that follows."""
FLAT = 1.0 - 1e-9
"""Cosine between two normals that are the same."""
ACROSS = 1e-6
"""Cosine between axis and normal below which the side touches."""
STANDS, LIES = 0.9, 0.2
"""Cosine between the axis and the normal of a face above which an end, below which the side, and
between which a point of a rim touches it."""


def reach(shapes, g, x, y, z):
    """How far a cylinder reaches along a unit vector."""
    slope = shapes[g] * x + shapes[g + 1] * y + shapes[g + 2] * z
    return shapes[g + 3] * abs(slope) + shapes[g + 4] * max(0.0, 1.0 - slope * slope) ** 0.5


def lowest(w, n_corners, x, y, z):
    """Least height of the corners along a vector."""
    least = 1e300
    for k in range(n_corners):
        v = HULL + 3 * k
        least = min(least, x * w[v] + y * w[v + 1] + z * w[v + 2])
    return least


def keep(w, x, y, z):
    """Remember a normal."""
    w[BEST], w[BEST + 1], w[BEST + 2] = x, y, z


def cylinder_hull(poses, kinds, shapes, T, P, i, j, margin, w, m, out, ids, state):
    """Contacts of cylinder i with box or polyhedron j."""
    g, o = SHAPE * i, kinds[N_KIND * j + TABLE]
    planes = place_hull(poses, T, P, i, j, o, w)
    n_corners = T[o + N_CORNERS]
    best = -1e300
    for f in range(T[o + N_FACES]):
        a = planes + 4 * f
        width = -w[a + 3] - reach(shapes, g, w[a], w[a + 1], w[a + 2])
        if width > best:
            best = width
            keep(w, -w[a], -w[a + 1], -w[a + 2])
    for end in range(2):
        side = 2.0 * end - 1.0
        x, y, z = side * shapes[g], side * shapes[g + 1], side * shapes[g + 2]
        width = lowest(w, n_corners, x, y, z) - shapes[g + 3]
        if width > best:
            best = width
            keep(w, x, y, z)
    if best > margin:
        return
    best = round_corners(shapes, g, n_corners, best, w)
    best = rim_edges(shapes, T, g, o, planes, best, w)
    if best <= margin:
        add_points(poses, kinds, shapes, T, P, i, j, o, planes, best, margin, w, m, out, ids, state)


def try_normal(shapes, g, n_corners, best, x, y, z, w):
    """Keep a normal if its slab is wider; return the width of the widest."""
    width = lowest(w, n_corners, x, y, z) - reach(shapes, g, x, y, z)
    if width > best:
        keep(w, x, y, z)
    return max(best, width)


def round_corners(shapes, g, n_corners, best, w):
    """Try the normals from the axis to corners, and from a rim to those beyond end and side."""
    ax, ay, az = shapes[g], shapes[g + 1], shapes[g + 2]
    for k in range(n_corners):
        v = HULL + 3 * k
        height = ax * w[v] + ay * w[v + 1] + az * w[v + 2]
        x, y, z = w[v] - height * ax, w[v + 1] - height * ay, w[v + 2] - height * az
        length = (x * x + y * y + z * z) ** 0.5
        if length > 0.0:
            x, y, z = x / length, y / length, z / length
            up, out = abs(height) - shapes[g + 3], length - shapes[g + 4]
            far = (up * up + out * out) ** 0.5
            if out > best:
                best = try_normal(shapes, g, n_corners, best, x, y, z, w)
            if up > 0.0 and out > 0.0 and far > best:
                up, out = up / far if height > 0.0 else -up / far, out / far
                x, y, z = out * x + up * ax, out * y + up * ay, out * z + up * az
                best = try_normal(shapes, g, n_corners, best, x, y, z, w)
    return best


def between(shapes, g, w, left, right, share, v):
    """Width of the slab at an edge whose normal lies between those of the faces; writes it."""
    x = (share - 1.0) * w[left] - share * w[right]
    y = (share - 1.0) * w[left + 1] - share * w[right + 1]
    z = (share - 1.0) * w[left + 2] - share * w[right + 2]
    length = (x * x + y * y + z * z) ** 0.5
    x, y, z = x / length, y / length, z / length
    w[TRIED], w[TRIED + 1], w[TRIED + 2] = x, y, z
    return x * w[v] + y * w[v + 1] + z * w[v + 2] - reach(shapes, g, x, y, z)


def rim_edges(shapes, T, g, o, planes, best, w):
    """Try the normals of edges: samples, then thirds of the way between the best neighbours."""
    for e in range(T[o + N_EDGES]):
        k = T[o + EDGES_AT] + 4 * e
        v, left, right = HULL + 3 * T[k], planes + 4 * T[k + 2], planes + 4 * T[k + 3]
        top, place = -1e300, 0
        for sample in range(1, SAMPLES):
            width = between(shapes, g, w, left, right, sample / SAMPLES, v)
            if width > top:
                top = width
                place = sample
        if top > best - shapes[g + 3] - shapes[g + 4]:
            low, high = (place - 1) / SAMPLES, (place + 1) / SAMPLES
            for _ in range(THIRDS):
                one, two = low + (high - low) / 3.0, high - (high - low) / 3.0
                first = between(shapes, g, w, left, right, one, v)
                if first > between(shapes, g, w, left, right, two, v):
                    high = two
                else:
                    low = one
            width = between(shapes, g, w, left, right, 0.5 * (low + high), v)
            if width > best:
                best = width
                keep(w, w[TRIED], w[TRIED + 1], w[TRIED + 2])
    return best


def add_points(poses, kinds, shapes, T, P, i, j, o, planes, best, margin, w, m, out, ids, state):
    """Write the contacts along the widest slab."""
    g, before = SHAPE * i, state[COUNT]
    face, cosine = 0, -1.0
    for f in range(T[o + N_FACES]):
        a = planes + 4 * f
        c = -(w[a] * w[BEST] + w[a + 1] * w[BEST + 1] + w[a + 2] * w[BEST + 2])
        if c > cosine:
            cosine = c
            face = f
    slope = shapes[g] * w[BEST] + shapes[g + 1] * w[BEST + 1] + shapes[g + 2] * w[BEST + 2]
    is_flush = cosine > FLAT or abs(slope) > FLAT
    if cosine > ALIKE:
        over_face(poses, kinds, shapes, T, P, i, j, o, planes, face, margin, w, m, out, ids, state)
    if state[COUNT] == before and abs(slope) > ALIKE:
        over_end(poses, shapes, T, P, i, j, o, slope, margin, w, m, out, ids, state)
    if state[COUNT] == before or not is_flush:
        add_single(poses, shapes, P, T, i, j, o, slope, best, w, out, ids, state)


def over_face(poses, kinds, shapes, T, P, i, j, o, planes, face, margin, w, m, out, ids, state):
    """Write what of an end, of the lowest line or of a rim of cylinder i lies over a face of j."""
    g, rim = SHAPE * i, kinds[N_KIND * i + TABLE]
    a = planes + 4 * face
    x, y, z = w[a], w[a + 1], w[a + 2]
    slope = shapes[g] * x + shapes[g + 1] * y + shapes[g + 2] * z
    end = -1.0 if slope > 0.0 else 1.0
    face_frame(poses, T, P, j, o, face, w)
    rim_point(shapes, g, P, 0, False, -x, -y, -z, w, TRIED)
    to_frame(poses, shapes, i, end, CORNERS, 0, w, m)
    count = 1
    if abs(slope) < LIES:
        to_frame(poses, shapes, i, -end, CORNERS + 1, 1, w, m)
        count = 2
    count = clip_to_face(poses, T, P, j, o, face, count, w, m)
    name = 2 * face
    add_corners(w, m, CLIPPED, count, FRAME, margin, name, j, i, out, ids, state)
    if abs(slope) > STANDS and T[rim] > 0:
        for k in range(T[rim]):
            rim_point(shapes, g, P, T[rim + 1] + 3 * k, True, x, y, z, w, TRIED)
            to_frame(poses, shapes, i, end, CORNERS + k, k, w, m)
        count = clip_to_face(poses, T, P, j, o, face, T[rim], w, m)
        add_corners(w, m, CLIPPED, count, FRAME, margin, name + 1, j, i, out, ids, state)


def to_frame(poses, shapes, i, end, to, name, w, m):
    """Write the rim point at ``w[TRIED:]`` of one end of cylinder i in the frame of a face."""
    p, g = POSE * i, SHAPE * i
    half = end * shapes[g + 3]
    x, y, z = (
        w[TRIED] + half * shapes[g],
        w[TRIED + 1] + half * shapes[g + 1],
        w[TRIED + 2] + half * shapes[g + 2],
    )
    X = poses[p + 9] + across(poses, p, 0, x, y, z) - w[FRAME]
    Y = poses[p + 10] + across(poses, p, 1, x, y, z) - w[FRAME + 1]
    Z = poses[p + 11] + across(poses, p, 2, x, y, z) - w[FRAME + 2]
    for r in range(3):
        f = FRAME + 3 + 3 * r
        w[3 * to + r] = X * w[f] + Y * w[f + 1] + Z * w[f + 2]
    m[2 * to] = name
    m[2 * to + 1] = name


def end_frame(poses, shapes, i, side, w):
    """Write origin, two axes and normal of an end of a cylinder in the axes of the world."""
    p, g = POSE * i, SHAPE * i
    ax, ay, az = side * shapes[g], side * shapes[g + 1], side * shapes[g + 2]
    ux, uy, uz = shapes[g + 5], shapes[g + 6], shapes[g + 7]
    half = shapes[g + 3]
    for r in range(3):
        w[FRAME + r] = poses[p + 9 + r] + across(poses, p, r, half * ax, half * ay, half * az)
        w[FRAME + 3 + r] = across(poses, p, r, ux, uy, uz)
        w[FRAME + 6 + r] = across(
            poses, p, r, ay * uz - az * uy, az * ux - ax * uz, ax * uy - ay * ux
        )
        w[FRAME + 9 + r] = across(poses, p, r, ax, ay, az)


def over_end(poses, shapes, T, P, i, j, o, slope, margin, w, m, out, ids, state):
    """Write what of a face of j lies over an end of cylinder i."""
    side = -1.0 if slope < 0.0 else 1.0
    end_frame(poses, shapes, i, side, w)
    upper = upper_corners(poses, T, P, j, o, w, m)
    count = T[T[o + RINGS_AT] + upper + 1] - T[T[o + RINGS_AT] + upper]
    count = clip_to_disc(w, m, count, shapes[SHAPE * i + 4])
    name = 2 * FACES + 2 * upper + (1 if slope < 0.0 else 0)
    add_corners(w, m, CLIPPED, count, FRAME, margin, name, i, j, out, ids, state)


def clip_to_disc(w, m, count, radius):
    """Keep corners in a disc about the origin and the places where edges cross its rim."""
    kept, square = CLIPPED, radius * radius * (1.0 + 2.0 * BEYOND)
    n_edges = count if count > 2 else count - 1
    for k in range(count):
        a, b = CORNERS + k, CORNERS + (k + 1) % count
        u, v = w[3 * a], w[3 * a + 1]
        du, dv, dh = w[3 * b] - u, w[3 * b + 1] - v, w[3 * b + 2] - w[3 * a + 2]
        if u * u + v * v <= square:
            for r in range(3):
                w[3 * kept + r] = w[3 * a + r]
            m[2 * kept] = k
            kept += 1
        A, B, C = du * du + dv * dv, u * du + v * dv, u * u + v * v - square
        D = B * B - A * C
        if D > 0.0 and A > 0.0 and k < n_edges:
            for end in range(2):
                share = (-B + (2.0 * end - 1.0) * D**0.5) / A
                if share > 0.0 and share < 1.0:
                    w[3 * kept], w[3 * kept + 1] = u + share * du, v + share * dv
                    w[3 * kept + 2] = w[3 * a + 2] + share * dh
                    m[2 * kept] = SIDES * (end + 1) + k
                    kept += 1
    return kept - CLIPPED


def add_single(poses, shapes, P, T, i, j, o, slope, best, w, out, ids, state):
    """Write one contact along the widest slab, at a rim or where corner or edge meet the side."""
    p, g = POSE * i, SHAPE * i
    nx, ny, nz = w[BEST], w[BEST + 1], w[BEST + 2]
    if abs(slope) > FLAT:
        met_by_end(T[o + N_CORNERS], best, w)
    elif abs(slope) > ACROSS:
        half = -shapes[g + 3] if slope < 0.0 else shapes[g + 3]
        rim_point(shapes, g, P, 0, False, nx, ny, nz, w, POINT)
        for r in range(3):
            w[POINT + r] += half * shapes[g + r]
    else:
        met_by_side(shapes, g, T[o + N_CORNERS], best, w)
    x, y, z = w[POINT], w[POINT + 1], w[POINT + 2]
    X = poses[p + 9] + across(poses, p, 0, x, y, z)
    Y = poses[p + 10] + across(poses, p, 1, x, y, z)
    Z = poses[p + 11] + across(poses, p, 2, x, y, z)
    a, b, c = (
        across(poses, p, 0, nx, ny, nz),
        across(poses, p, 1, nx, ny, nz),
        across(poses, p, 2, nx, ny, nz),
    )
    add_contact(out, ids, state, i, j, -1, best, a, b, c, X, Y, Z)


def met_by_end(n_corners, best, w):
    """Write the point of the plane of an end where the lowest corner is."""
    least, corner = 1e300, HULL
    for k in range(n_corners):
        v = HULL + 3 * k
        height = w[BEST] * w[v] + w[BEST + 1] * w[v + 1] + w[BEST + 2] * w[v + 2]
        if height < least:
            least = height
            corner = v
    for r in range(3):
        w[POINT + r] = w[corner + r] - best * w[BEST + r]


def met_by_side(shapes, g, n_corners, best, w):
    """Write the point of the side where the lowest corner or edge is."""
    nx, ny, nz = w[BEST], w[BEST + 1], w[BEST + 2]
    ax, ay, az = shapes[g], shapes[g + 1], shapes[g + 2]
    tx, ty, tz = ay * nz - az * ny, az * nx - ax * nz, ax * ny - ay * nx
    level = lowest(w, n_corners, nx, ny, nz) + ACROSS * (shapes[g + 3] + shapes[g + 4])
    left, right = -1e300, 1e300
    one, two = -1, -1
    for k in range(n_corners):
        v = HULL + 3 * k
        if nx * w[v] + ny * w[v + 1] + nz * w[v + 2] <= level:
            aside = tx * w[v] + ty * w[v + 1] + tz * w[v + 2]
            if aside <= 0.0 and aside > left:
                left = aside
                one = v
            if aside >= 0.0 and aside < right:
                right = aside
                two = v
    if one < 0:
        one, left = two, right
    if two < 0:
        two, right = one, left
    share = -left / (right - left) if right > left else 0.0
    for r in range(3):
        w[POINT + r] = w[one + r] + share * (w[two + r] - w[one + r]) - best * w[BEST + r]
