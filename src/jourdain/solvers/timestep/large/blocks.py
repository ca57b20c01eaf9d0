"""Groups of rows of a large island: their own matrices, one projection each, and the natural map.

Velocities of rows are ``u = base + Σ y x`` with half solved rows y (TS-4) and ``x = D⁻¹ z``, which
every impulse updates: a sweep costs what its rows cost. Impulses and velocities of a group are
scaled, ``r = D r'``, ``u' = D u``, so that limits along its axes are equal (CT-19).
"""

from __future__ import annotations

from jourdain.solvers.nonsmooth.sweeps import CONTACT, DISC, LINE
from jourdain.solvers.timestep.friction import response_between

OF_ROW = 6
"""Numbers of the matrices of a group, for each of its rows: own response and its inverse."""


def rate(m, s, i):
    """Velocity of a used row."""
    row = s.used[i]
    total = s.base[i]
    half, reach, x = s.half, m.reach, s.x
    for p in range(m.reach_start[row], m.reach_start[row + 1]):
        total += half[p] * x[reach[p]]
    return total


def push(m, s, i, impulse):
    """Let an impulse act along a used row."""
    row = s.used[i]
    half, reach, x, D_inverse = s.half, m.reach, s.x, m.factor.D_inverse
    for p in range(m.reach_start[row], m.reach_start[row + 1]):
        k = reach[p]
        x[k] += half[p] * D_inverse[k] * impulse


def rates_into(m, s, i, w):
    """Velocities of three used rows of a found contact, which have the same columns."""
    row, half, reach, x = s.used[i], s.half, m.reach, s.x
    first = m.reach_start[row]
    n = m.reach_start[row + 1] - first
    a, b, c = s.base[i], s.base[i + 1], s.base[i + 2]
    for p in range(first, first + n):
        value = x[reach[p]]
        a += half[p] * value
        b += half[p + n] * value
        c += half[p + 2 * n] * value
    w[0] = a
    w[1] = b
    w[2] = c


def push_all(m, s, i, a, b, c):
    """Let impulses act along three used rows of a found contact."""
    row, half, reach, x = s.used[i], s.half, m.reach, s.x
    D_inverse, first = m.factor.D_inverse, m.reach_start[row]
    n = m.reach_start[row + 1] - first
    for p in range(first, first + n):
        k = reach[p]
        x[k] += D_inverse[k] * (half[p] * a + half[p + n] * b + half[p + 2 * n] * c)


def is_found(m, s, b):
    """Tell whether a group is a contact of a group of contours with two tangents."""
    at = s.start[b]
    return s.start[b + 1] - at == 3 and s.used[s.rows[at]] >= m.fixed_rows


def invert(A, a, n, B, b):
    """Inverse of a small symmetric matrix; zero for one that has none."""
    for i in range(n * n):
        B[b + i] = 0.0
    if n == 1:
        B[b] = 1.0 / A[a] if A[a] > 0.0 else 0.0
    elif n == 2:
        determinant = A[a] * A[a + 3] - A[a + 1] * A[a + 2]
        if determinant > 1e-10 * A[a] * A[a + 3]:
            B[b] = A[a + 3] / determinant
            B[b + 1] = -A[a + 1] / determinant
            B[b + 2] = -A[a + 2] / determinant
            B[b + 3] = A[a] / determinant
    else:
        B[b] = A[a + 4] * A[a + 8] - A[a + 5] * A[a + 7]
        B[b + 1] = A[a + 2] * A[a + 7] - A[a + 1] * A[a + 8]
        B[b + 2] = A[a + 1] * A[a + 5] - A[a + 2] * A[a + 4]
        B[b + 3] = A[a + 5] * A[a + 6] - A[a + 3] * A[a + 8]
        B[b + 4] = A[a] * A[a + 8] - A[a + 2] * A[a + 6]
        B[b + 5] = A[a + 2] * A[a + 3] - A[a] * A[a + 5]
        B[b + 6] = A[a + 3] * A[a + 7] - A[a + 4] * A[a + 6]
        B[b + 7] = A[a + 1] * A[a + 6] - A[a] * A[a + 7]
        B[b + 8] = A[a] * A[a + 4] - A[a + 1] * A[a + 3]
        determinant = A[a] * B[b] + A[a + 1] * B[b + 3] + A[a + 2] * B[b + 6]
        size = A[a] * A[a + 4] * A[a + 8]
        part = 1.0 / determinant if determinant > 1e-10 * size else 0.0
        for i in range(9):
            B[b + i] *= part


def own_matrix(m, s, b):
    """Scaled response of a group to itself, and its inverse."""
    at = s.start[b]
    n, place = s.start[b + 1] - at, OF_ROW * at
    for i in range(n):
        row = s.used[s.rows[at + i]]
        for j in range(i + 1):
            other = s.used[s.rows[at + j]]
            value = s.own[row] if i == j else response_between(m, s, row, other)
            value *= s.D[at + i] * s.D[at + j]
            s.blocks[place + n * i + j] = value
            s.blocks[place + n * j + i] = value
    invert(s.blocks, place, n, s.blocks, place + n * n)


def radius_of(s, b, w):
    """Limit of the scaled friction of a group: given, or a normal impulse."""
    what = s.kind[b]
    if what == DISC:
        return s.limits[3 * b + 1]
    if what == CONTACT:
        return w[8]
    return max(s.r[s.normal[b]], 0.0)


def state_into(m, s, b, w):
    """Scaled velocities to ``w[0:3]`` and impulses to ``w[4:7]`` of a group."""
    at = s.start[b]
    if is_found(m, s, b):
        rates_into(m, s, s.rows[at], w)
    else:
        for k in range(s.start[b + 1] - at):
            w[k] = rate(m, s, s.rows[at + k])
    for k in range(s.start[b + 1] - at):
        i = s.rows[at + k]
        w[k] *= s.D[at + k]
        w[4 + k] = s.r[i] / s.D[at + k] if s.D[at + k] > 0.0 else 0.0


def bounds_into(s, b, w):
    """Lower and upper limit of a group of one row to ``w[12]``, ``w[13]``."""
    low, high = s.limits[3 * b], s.limits[3 * b + 1]
    if s.kind[b] == LINE:
        high *= max(s.r[s.normal[b]], 0.0)
        low = -high
    w[12] = low
    w[13] = high


def onto_disc(w, first, n, radius):
    """Bring ``w[8 + first : 8 + n]`` into a disc."""
    size = 0.0
    for k in range(first, n):
        size += w[8 + k] * w[8 + k]
    size = size**0.5
    if size > radius:
        for k in range(first, n):
            w[8 + k] *= radius / size


def relax(m, s, b, w):
    """Solve a group with the others as they are, or project once; return the change as a velocity.

    New scaled impulses are in ``w[8:11]``.
    """
    at, what = s.start[b], s.kind[b]
    n, A = s.start[b + 1] - at, OF_ROW * at
    inverse = A + n * n
    if not s.blocks[A] > 0.0:
        return 0.0
    state_into(m, s, b, w)
    for i in range(n):
        w[8 + i] = w[4 + i]
        for j in range(n):
            w[8 + i] -= s.blocks[inverse + n * i + j] * w[j]
    if n == 1:
        bounds_into(s, b, w)
        w[8] = min(max(w[8], w[12]), w[13])
    else:
        first = 1 if what == CONTACT else 0
        size = 0.0
        for k in range(first, n):
            size += w[8 + k] * w[8 + k]
        limit = radius_of(s, b, w)
        is_inside = size <= limit * limit and (first == 0 or w[8] >= s.limits[3 * b])
        if not (is_inside and s.blocks[inverse] > 0.0):
            project_once(s, b, n, first, A, w)
    return take_impulses(m, s, b, w)


def take_impulses(m, s, b, w):
    """Let the scaled impulses ``w[8:11]`` act; return the change as a velocity."""
    at, change = s.start[b], 0.0
    n = s.start[b + 1] - at
    for k in range(n):
        i = s.rows[at + k]
        w[k] = s.D[at + k] * w[8 + k] - s.r[i]
        change = max(change, abs(w[k]) * s.own[s.used[i]] * length_of(s, b, i))
        s.r[i] += w[k]
    if change > 0.0:
        if is_found(m, s, b):
            push_all(m, s, s.rows[at], w[0], w[1], w[2])
        else:
            for k in range(n):
                push(m, s, s.rows[at + k], w[k])
    return change


def project_once(s, b, n, first, A, w):
    """Normal impulse first, then friction along its velocity, within its limit."""
    own, rise = 0.0, 0.0
    if first == 1:
        w[8] = max(s.limits[3 * b], w[4] - w[0] / s.blocks[A])
        rise = w[8] - w[4]
    for k in range(first, n):
        own = max(own, s.blocks[A + (n + 1) * k])
    for k in range(first, n):
        w[8 + k] = w[4 + k]
        if own > 0.0:
            w[8 + k] -= (w[k] + first * s.blocks[A + n * k] * rise) / own
    onto_disc(w, first, n, radius_of(s, b, w))


def length_of(s, b, i):
    """Length [m] that makes a velocity of that of a row: an arm for what turns, else about one."""
    if s.kind[b] == LINE or (s.kind[b] > DISC and s.kind[b] != CONTACT):
        own = s.own[s.used[i]]
        return (s.own[s.used[s.normal[b]]] / own) ** 0.5 if own > 0.0 else 0.0
    return 1.0


def error_of(m, s, b, w):
    """Natural map of a group as a velocity (NS-2)."""
    at, what = s.start[b], s.kind[b]
    n, A, i = s.start[b + 1] - at, OF_ROW * at, s.rows[at]
    if not s.blocks[A] > 0.0:
        return 0.0
    state_into(m, s, b, w)
    if n == 1:
        bounds_into(s, b, w)
        own = s.blocks[A]
        new = min(max(w[4] - w[0] / own, w[12]), w[13])
        return abs(new - w[4]) * own * length_of(s, b, i)
    first, own, most, error = 0, 0.0, 0.0, 0.0
    if what == CONTACT:
        first = 1
        low = s.limits[3 * b]
        error = abs(min(s.blocks[A] * (w[4] - low), w[0]))
        w[8] = max(w[4], low)
    for k in range(first, n):
        own = max(own, s.blocks[A + (n + 1) * k])
        most = max(most, s.D[at + k])
    if not own > 0.0:
        return error
    for k in range(first, n):
        w[8 + k] = w[4 + k] - w[k] / own
    onto_disc(w, first, n, radius_of(s, b, w))
    total = 0.0
    for k in range(first, n):
        total += (w[8 + k] - w[4 + k]) ** 2
    return max(error, own * total**0.5 / most * length_of(s, b, i))
