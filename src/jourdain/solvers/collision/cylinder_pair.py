"""Two cylinders: the widest slab between them, then points of ends and sides.

The normals that can be widest are the axes, the one across both axes, those across one axis that
meet a rim of the other, and those of two rims: a search on a great circle and Newton's method on
the unit sphere find the last. All in the axes of the world.
"""

from __future__ import annotations

from jourdain.solvers.collision.boxes import ALIKE, BEYOND
from jourdain.solvers.collision.clipping import add_corners
from jourdain.solvers.collision.cylinder_hull import (
    ACROSS,
    BEST,
    FLAT,
    LIES,
    STANDS,
    THIRDS,
    TRIED,
    clip_to_disc,
    end_frame,
    keep,
    to_frame,
)  # fmt: skip
from jourdain.solvers.collision.cylinders import rim_point
from jourdain.solvers.collision.hulls import CLIPPED, CORNERS, FRAME, HULL
from jourdain.solvers.collision.layout import (
    COUNT,
    N_KIND,
    POSE,
    SHAPE,
    TABLE,
    across,
    add_contact,
    along,
)  # fmt: skip

OFFSET, AXES, POINTS, SLOPE, STEP = HULL, HULL + 3, HULL + 9, HULL + 15, HULL + 18
"""Work memory: offset of the middles; both axes; furthest points; gradient; basis of steps."""
NEWTON, LONGEST, SHORTEST = 40, 0.5, 1e-10
"""Number of Newton steps, their greatest length, and the one at which they end."""
BESIDE, FAR = 0.02, 0.4
"""How far aside it starts."""
ROUNDS = 2
"""How often great circles and the whole sphere are searched in turn."""


def width_of(shapes, g, h, x, y, z, w):
    """Width of the slab with a unit normal."""
    width = x * w[OFFSET] + y * w[OFFSET + 1] + z * w[OFFSET + 2]
    for k in range(2):
        s, a = (h if k == 1 else g), AXES + 3 * k
        slope = x * w[a] + y * w[a + 1] + z * w[a + 2]
        width -= shapes[s + 3] * abs(slope) + shapes[s + 4] * max(0.0, 1.0 - slope * slope) ** 0.5
    return width


def tried(shapes, g, h, best, x, y, z, w):
    """Remember a direction if its slab is wider than the best; return the best."""
    length = (x * x + y * y + z * z) ** 0.5
    if length > ACROSS:
        x, y, z = x / length, y / length, z / length
        width = width_of(shapes, g, h, x, y, z, w)
        if width > best:
            best = width
            keep(w, x, y, z)
    return best


def across_axis(shapes, g, h, best, a, w):
    """Try the directions across the axis at ``w[a:]``, up to an eighth turn from the best."""
    slope = w[BEST] * w[a] + w[BEST + 1] * w[a + 1] + w[BEST + 2] * w[a + 2]
    x, y, z = w[BEST] - slope * w[a], w[BEST + 1] - slope * w[a + 1], w[BEST + 2] - slope * w[a + 2]
    length = (x * x + y * y + z * z) ** 0.5
    if length < ACROSS:
        return best
    x, y, z = x / length, y / length, z / length
    u, v, t = w[a + 1] * z - w[a + 2] * y, w[a + 2] * x - w[a] * z, w[a] * y - w[a + 1] * x
    low, high = -1.0, 1.0
    for _ in range(THIRDS):
        one, two = low + (high - low) / 3.0, high - (high - low) / 3.0
        c, d = 1.0 / (1.0 + one * one) ** 0.5, 1.0 / (1.0 + two * two) ** 0.5
        first = width_of(shapes, g, h, c * (x + one * u), c * (y + one * v), c * (z + one * t), w)
        last = width_of(shapes, g, h, d * (x + two * u), d * (y + two * v), d * (z + two * t), w)
        if first > last:
            high = two
        else:
            low = one
    share = 0.5 * (low + high)
    return tried(shapes, g, h, best, x + share * u, y + share * v, z + share * t, w)


def furthest(shapes, g, a, side, x, y, z, w, to):
    """Write the point of a cylinder that is furthest along a direction, from its middle.

    Returns the distance of the direction from the axis: the sine of the angle between them.
    """
    slope = x * w[a] + y * w[a + 1] + z * w[a + 2]
    end = -shapes[g + 3] if side * slope < 0.0 else shapes[g + 3]
    p, q, r = x - slope * w[a], y - slope * w[a + 1], z - slope * w[a + 2]
    length = (p * p + q * q + r * r) ** 0.5
    scale = side * shapes[g + 4] / max(length, ACROSS)
    w[to] = end * w[a] + scale * p
    w[to + 1] = end * w[a + 1] + scale * q
    w[to + 2] = end * w[a + 2] + scale * r
    return max(length, ACROSS)


def two_rims(shapes, g, h, best, x, y, z, w):
    """Newton's method for the widest slab of two rims (GP-4); steps down are shortened."""
    trust, now = LONGEST, -1e300
    for _ in range(NEWTON):
        sine_a = furthest(shapes, g, AXES, 1.0, x, y, z, w, POINTS)
        sine_b = furthest(shapes, h, AXES + 3, -1.0, x, y, z, w, POINTS + 3)
        for k in range(3):
            w[SLOPE + k] = w[OFFSET + k] + w[POINTS + 3 + k] - w[POINTS + k]
        level = x * w[SLOPE] + y * w[SLOPE + 1] + z * w[SLOPE + 2]
        newton_step(x, y, z, level, shapes[g + 4] / sine_a, shapes[h + 4] / sine_b, trust, w)
        X, Y, Z = x + w[STEP], y + w[STEP + 1], z + w[STEP + 2]
        length = (X * X + Y * Y + Z * Z) ** 0.5
        X, Y, Z = X / length, Y / length, Z / length
        width = width_of(shapes, g, h, X, Y, Z, w)
        if width > now:
            now = width
            x, y, z = X, Y, Z
            trust = min(2.0 * trust, LONGEST)
        else:
            trust = 0.25 * trust
            if trust < SHORTEST:
                break
    return tried(shapes, g, h, best, x, y, z, w)


def from_all_sides(shapes, g, h, best, w):
    """Newton's method from a little to each side of where an axis is across the best normal."""
    x, y, z = w[BEST], w[BEST + 1], w[BEST + 2]
    for side in range(8):
        far = BESIDE if side < 4 else FAR
        s, t = far * (2 * (side % 2) - 1), far * (2 * (side // 2 % 2) - 1)
        X = x + s * w[AXES] + t * w[AXES + 3]
        Y = y + s * w[AXES + 1] + t * w[AXES + 4]
        Z = z + s * w[AXES + 2] + t * w[AXES + 5]
        length = (X * X + Y * Y + Z * Z) ** 0.5
        best = two_rims(shapes, g, h, best, X / length, Y / length, Z / length, w)
    return best


def newton_step(x, y, z, level, curved_a, curved_b, trust, w):
    """Write the step across a direction to where the width has no slope."""
    ux, uy, uz = 0.0, z, -y
    if abs(x) > 0.6:
        ux, uy, uz = -z, 0.0, x
    length = (ux * ux + uy * uy + uz * uz) ** 0.5
    ux, uy, uz = ux / length, uy / length, uz / length
    vx, vy, vz = y * uz - z * uy, z * ux - x * uz, x * uy - y * ux
    left = ux * w[SLOPE] + uy * w[SLOPE + 1] + uz * w[SLOPE + 2]
    right = vx * w[SLOPE] + vy * w[SLOPE + 1] + vz * w[SLOPE + 2]
    A, B, C = level, 0.0, level
    for k in range(2):
        a = AXES + 3 * k
        tx, ty, tz = w[a + 1] * z - w[a + 2] * y, w[a + 2] * x - w[a] * z, w[a] * y - w[a + 1] * x
        square = max(tx * tx + ty * ty + tz * tz, ACROSS)
        curved = (curved_b if k == 1 else curved_a) / square
        p, q = ux * tx + uy * ty + uz * tz, vx * tx + vy * ty + vz * tz
        A, B, C = A + curved * p * p, B + curved * p * q, C + curved * q * q
    D = A * C - B * B
    s, t = left, right
    if D > 0.0 and A > 0.0:
        s, t = (C * left - B * right) / D, (A * right - B * left) / D
    length = (s * s + t * t) ** 0.5
    if length > trust:
        s, t = trust * s / length, trust * t / length
    w[STEP], w[STEP + 1], w[STEP + 2] = s * ux + t * vx, s * uy + t * vy, s * uz + t * vz


def cylinder_cylinder(poses, kinds, shapes, T, P, i, j, margin, w, m, out, ids, state):
    """Contacts of two cylinders."""
    p, q, g, h = POSE * i, POSE * j, SHAPE * i, SHAPE * j
    for k in range(3):
        w[OFFSET + k] = poses[q + 9 + k] - poses[p + 9 + k]
        w[AXES + k] = across(poses, p, k, shapes[g], shapes[g + 1], shapes[g + 2])
        w[AXES + 3 + k] = across(poses, q, k, shapes[h], shapes[h + 1], shapes[h + 2])
    a, b, d = AXES, AXES + 3, OFFSET
    x = w[a + 1] * w[b + 2] - w[a + 2] * w[b + 1]
    y = w[a + 2] * w[b] - w[a] * w[b + 2]
    z = w[a] * w[b + 1] - w[a + 1] * w[b]
    best = -1e300
    for end in range(2):
        s = 2.0 * end - 1.0
        best = tried(shapes, g, h, best, s * w[a], s * w[a + 1], s * w[a + 2], w)
        best = tried(shapes, g, h, best, s * w[b], s * w[b + 1], s * w[b + 2], w)
        best = tried(shapes, g, h, best, s * x, s * y, s * z, w)
    for k in range(2):
        c = AXES + 3 * k
        on = w[c] * w[d] + w[c + 1] * w[d + 1] + w[c + 2] * w[d + 2]
        X, Y, Z = w[d] - on * w[c], w[d + 1] - on * w[c + 1], w[d + 2] - on * w[c + 2]
        best = tried(shapes, g, h, best, X, Y, Z, w)
    if best > margin:
        return
    length = max((w[d] ** 2 + w[d + 1] ** 2 + w[d + 2] ** 2) ** 0.5, ACROSS)
    best = two_rims(shapes, g, h, best, w[d] / length, w[d + 1] / length, w[d + 2] / length, w)
    for _ in range(ROUNDS):
        best = across_axis(shapes, g, h, best, a, w)
        best = across_axis(shapes, g, h, best, b, w)
        best = from_all_sides(shapes, g, h, best, w)
    if best <= margin:
        add_pair(poses, kinds, shapes, T, P, i, j, best, margin, w, m, out, ids, state)


def add_pair(poses, kinds, shapes, T, P, i, j, best, margin, w, m, out, ids, state):
    """Write the contacts along the widest slab."""
    a, b, n, before = AXES, AXES + 3, BEST, state[COUNT]
    on_a = w[a] * w[n] + w[a + 1] * w[n + 1] + w[a + 2] * w[n + 2]
    on_b = w[b] * w[n] + w[b + 1] * w[n + 1] + w[b + 2] * w[n + 2]
    wider = shapes[SHAPE * j + 4] > shapes[SHAPE * i + 4] and abs(on_b) > ALIKE
    if abs(on_a) > ALIKE and not wider:
        over_other(poses, kinds, shapes, T, P, i, j, on_a, 0, margin, w, m, out, ids, state)
    elif abs(on_b) > ALIKE:
        over_other(poses, kinds, shapes, T, P, j, i, -on_b, 1, margin, w, m, out, ids, state)
    elif abs(on_a) < LIES and abs(on_b) < LIES:
        side_by_side(poses, shapes, i, j, margin, w, out, ids, state)
    cosine = w[a] * w[b] + w[a + 1] * w[b + 1] + w[a + 2] * w[b + 2]
    is_flush = max(abs(on_a), abs(on_b), abs(cosine)) > FLAT
    if state[COUNT] == before or not is_flush:
        add_touch(shapes, poses, i, j, on_a, on_b, best, w, out, ids, state)


def over_other(poses, kinds, shapes, T, P, i, j, slope, name, margin, w, m, out, ids, state):
    """Write what of an end, of the lowest line or of a rim of j lies over an end of i."""
    q, h, rim = POSE * j, SHAPE * j, kinds[N_KIND * j + TABLE]
    end_frame(poses, shapes, i, -1.0 if slope < 0.0 else 1.0, w)
    nx, ny, nz = w[FRAME + 9], w[FRAME + 10], w[FRAME + 11]
    x, y, z = (
        along(poses, q, 0, nx, ny, nz),
        along(poses, q, 1, nx, ny, nz),
        along(poses, q, 2, nx, ny, nz),
    )
    rise = shapes[h] * x + shapes[h + 1] * y + shapes[h + 2] * z
    end = -1.0 if rise > 0.0 else 1.0
    rim_point(shapes, h, P, 0, False, -x, -y, -z, w, TRIED)
    to_frame(poses, shapes, j, end, CORNERS, 0, w, m)
    count = 1
    if abs(rise) < LIES:
        to_frame(poses, shapes, j, -end, CORNERS + 1, 1, w, m)
        count = 2
    radius = shapes[SHAPE * i + 4]
    count = clip_to_disc(w, m, count, radius)
    add_corners(w, m, CLIPPED, count, FRAME, margin, 2 * name, i, j, out, ids, state)
    if abs(rise) > STANDS and T[rim] > 0:
        for k in range(T[rim]):
            rim_point(shapes, h, P, T[rim + 1] + 3 * k, True, x, y, z, w, TRIED)
            to_frame(poses, shapes, j, end, CORNERS + k, k, w, m)
        count = clip_to_disc(w, m, T[rim], radius)
        add_corners(w, m, CLIPPED, count, FRAME, margin, 2 * name + 1, i, j, out, ids, state)


def side_by_side(poses, shapes, i, j, margin, w, out, ids, state):
    """Write contacts of balls inside, at both ends of the length that two sides share."""
    p, g, h = POSE * i + 9, SHAPE * i, SHAPE * j
    a, b, d = AXES, AXES + 3, OFFSET
    cosine = w[a] * w[b] + w[a + 1] * w[b + 1] + w[a + 2] * w[b + 2]
    if abs(cosine) < ALIKE:
        return
    middle = w[a] * w[d] + w[a + 1] * w[d + 1] + w[a + 2] * w[d + 2]
    start = w[b] * w[d] + w[b + 1] * w[d + 1] + w[b + 2] * w[d + 2]
    half = shapes[h + 3] * abs(cosine)
    low, high = max(-shapes[g + 3], middle - half), min(shapes[g + 3], middle + half)
    if low > high:
        return
    for end in range(2):
        t = high if end == 1 else low
        s = max(-shapes[h + 3], min(shapes[h + 3], t * cosine - start))
        x = w[d] + s * w[b] - t * w[a]
        y = w[d + 1] + s * w[b + 1] - t * w[a + 1]
        z = w[d + 2] + s * w[b + 2] - t * w[a + 2]
        length = (x * x + y * y + z * z) ** 0.5
        gap = length - shapes[g + 4] - shapes[h + 4]
        if gap <= margin and length > 0.0:
            x, y, z = x / length, y / length, z / length
            r = shapes[g + 4]
            beyond_a = abs(t + r * (x * w[a] + y * w[a + 1] + z * w[a + 2])) - shapes[g + 3]
            out_b = x * w[b] + y * w[b + 1] + z * w[b + 2]
            beyond_b = abs(s - shapes[h + 4] * out_b) - shapes[h + 3]
            if max(beyond_a, beyond_b) > BEYOND * r:
                continue
            X = poses[p] + t * w[a] + r * x
            Y = poses[p + 1] + t * w[a + 1] + r * y
            Z = poses[p + 2] + t * w[a + 2] + r * z
            add_contact(out, ids, state, i, j, -2 - end, gap, x, y, z, X, Y, Z)


def add_touch(shapes, poses, i, j, on_a, on_b, best, w, out, ids, state):
    """Write one contact along the widest slab: at a rim, or where the sides cross.

    Of two rims the one that is less flat on the normal tells its lowest point better: of an end
    that lies flat every point is as low.
    """
    p, q, g, h, n = POSE * i + 9, POSE * j + 9, SHAPE * i, SHAPE * j, BEST
    x, y, z = w[n], w[n + 1], w[n + 2]
    a, b, d = AXES, AXES + 3, OFFSET
    if abs(on_a) > ACROSS and (abs(on_a) <= abs(on_b) or abs(on_b) <= ACROSS):
        furthest(shapes, g, a, 1.0, x, y, z, w, POINTS)
        X, Y, Z = poses[p] + w[POINTS], poses[p + 1] + w[POINTS + 1], poses[p + 2] + w[POINTS + 2]
    elif abs(on_b) > ACROSS:
        furthest(shapes, h, b, -1.0, x, y, z, w, POINTS)
        X = poses[q] + w[POINTS] - best * x
        Y = poses[q + 1] + w[POINTS + 1] - best * y
        Z = poses[q + 2] + w[POINTS + 2] - best * z
    else:
        cosine = w[a] * w[b] + w[a + 1] * w[b + 1] + w[a + 2] * w[b + 2]
        along_a = w[a] * w[d] + w[a + 1] * w[d + 1] + w[a + 2] * w[d + 2]
        along_b = w[b] * w[d] + w[b + 1] * w[d + 1] + w[b + 2] * w[d + 2]
        t = (along_a - cosine * along_b) / max(1.0 - cosine * cosine, ACROSS)
        t, r = max(-shapes[g + 3], min(shapes[g + 3], t)), shapes[g + 4]
        X = poses[p] + t * w[a] + r * x
        Y = poses[p + 1] + t * w[a + 1] + r * y
        Z = poses[p + 2] + t * w[a + 2] + r * z
    add_contact(out, ids, state, i, j, -1, best, x, y, z, X, Y, Z)
