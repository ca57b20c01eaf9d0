"""Contacts of groups with equal friction along both tangents, which most large islands are made of.

As `blocks`, written out for three rows with the same columns and without scaling: with limits that
are equal along both tangents the projections are the same.
"""

from __future__ import annotations

from jourdain.solvers.nonsmooth.sweeps import CONTACT
from jourdain.solvers.timestep.friction import response_between
from jourdain.solvers.timestep.large.blocks import OF_ROW, invert


def find_plain(m, s, b):
    """Mark the groups that are such contacts."""
    for k in range(b):
        at = s.start[k]
        s.plain[k] = 0
        if s.kind[k] == CONTACT and s.start[k + 1] - at == 3 and s.D[at + 1] == s.D[at + 2]:
            s.plain[k] = 1 if s.used[s.rows[at]] >= m.fixed_rows else 0


def plain_matrix(m, s, b):
    """Response of a contact to itself, and its inverse."""
    at = s.start[b]
    first, place = s.used[s.rows[at]], OF_ROW * at
    for i in range(3):
        for j in range(i + 1):
            value = s.own[first + i]
            if i != j:
                value = response_between(m, s, first + i, first + j)
            s.blocks[place + 3 * i + j] = value
            s.blocks[place + 3 * j + i] = value
    invert(s.blocks, place, 3, s.blocks, place + 9)


def push_contact(m, s, i, a, b, c):
    """Let changes of the impulses of three used rows act."""
    half, reach, x, D_inverse = s.half, m.reach, s.x, m.factor.D_inverse
    first, end = m.reach_start[s.used[i]], m.reach_start[s.used[i] + 1]
    n = end - first
    for p in range(first, end):
        k = reach[p]
        x[k] += D_inverse[k] * (half[p] * a + half[p + n] * b + half[p + 2 * n] * c)
    s.r[i] += a
    s.r[i + 1] += b
    s.r[i + 2] += c


def relax_contact(m, s, b):
    """Solve a contact with the others as they are, or project once; return the change [m/s]."""
    half, reach, x, base, r, A = s.half, m.reach, s.x, s.base, s.r, s.blocks
    at = s.start[b]
    i, o = s.rows[at], OF_ROW * at
    row, mu, low = s.used[i], s.D[at + 1], s.limits[3 * b]
    first, end = m.reach_start[row], m.reach_start[row + 1]
    if not A[o] > 0.0:
        return 0.0
    n = end - first
    u, v, w = base[i], base[i + 1], base[i + 2]
    u2, v2, w2 = 0.0, 0.0, 0.0  # sums that do not wait for each other
    for p in range(first, end - 1, 2):
        y, y2 = x[reach[p]], x[reach[p + 1]]
        u += half[p] * y
        v += half[p + n] * y
        w += half[p + 2 * n] * y
        u2 += half[p + 1] * y2
        v2 += half[p + n + 1] * y2
        w2 += half[p + 2 * n + 1] * y2
    if n % 2 == 1:
        y = x[reach[end - 1]]
        u += half[end - 1] * y
        v += half[end - 1 + n] * y
        w += half[end - 1 + 2 * n] * y
    u += u2
    v += v2
    w += w2
    d = -(A[o + 9] * u + A[o + 10] * v + A[o + 11] * w)
    e = -(A[o + 12] * u + A[o + 13] * v + A[o + 14] * w)
    f = -(A[o + 15] * u + A[o + 16] * v + A[o + 17] * w)
    rn, rs, rt = r[i] + d, r[i + 1] + e, r[i + 2] + f
    if not (A[o + 9] > 0.0 and rn >= low and rs * rs + rt * rt <= mu * mu * rn * rn):
        rn = max(low, r[i] - u / A[o])
        d = rn - r[i]
        own = max(A[o + 4], A[o + 8])
        rs = r[i + 1] - (v + A[o + 3] * d) / own
        rt = r[i + 2] - (w + A[o + 6] * d) / own
        size = rs * rs + rt * rt
        if size > mu * mu * rn * rn:
            share = mu * rn / size**0.5
            rs *= share
            rt *= share
        e = rs - r[i + 1]
        f = rt - r[i + 2]
    if d == 0.0 and e == 0.0 and f == 0.0:
        return 0.0
    push_contact(m, s, i, d, e, f)
    return max(abs(d) * A[o], abs(e) * A[o + 4], abs(f) * A[o + 8])


def try_contact(m, s, b):
    """Take the trial impulses of a contact, brought into its cone."""
    at, trial, r = s.start[b], s.trial, s.r
    i, mu = s.rows[at], s.D[at + 1]
    rn, rs, rt = max(s.limits[3 * b], trial[i]), trial[i + 1], trial[i + 2]
    size = rs * rs + rt * rt
    if size > mu * mu * rn * rn:
        share = mu * rn / size**0.5
        rs *= share
        rt *= share
    if rn != r[i] or rs != r[i + 1] or rt != r[i + 2]:
        push_contact(m, s, i, rn - r[i], rs - r[i + 1], rt - r[i + 2])


def contact_error(m, s, b):
    """Natural map of a contact as a velocity (NS-2)."""
    half, reach, x, r, A = s.half, m.reach, s.x, s.r, s.blocks
    at = s.start[b]
    i, o = s.rows[at], OF_ROW * at
    first, end = m.reach_start[s.used[i]], m.reach_start[s.used[i] + 1]
    if not A[o] > 0.0:
        return 0.0
    n, own = end - first, max(A[o + 4], A[o + 8])
    u, v, w = s.base[i], s.base[i + 1], s.base[i + 2]
    for p in range(first, end):
        y = x[reach[p]]
        u += half[p] * y
        v += half[p + n] * y
        w += half[p + 2 * n] * y
    error = abs(min(A[o] * (r[i] - s.limits[3 * b]), u))
    if not own > 0.0:
        return error
    limit = s.D[at + 1] * max(r[i], 0.0)
    rs, rt = r[i + 1] - v / own, r[i + 2] - w / own
    size = (rs * rs + rt * rt) ** 0.5
    share = limit / size if size > limit else 1.0
    rs = share * rs - r[i + 1]
    rt = share * rt - r[i + 2]
    return max(error, own * (rs * rs + rt * rt) ** 0.5)
