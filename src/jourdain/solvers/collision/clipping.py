"""The part of one face that lies over another one, corner by corner.

Corners are rows (u, v, height) of numbers and (name, edge) of integers: the name tells where a
corner comes from, the edge is the line that runs on from it. Lines of the upper face have the
numbers of their first corners, those of the lower face follow from `SIDES` on.
"""

from __future__ import annotations

from jourdain.solvers.collision.layout import add_contact

MOST = 128
"""Largest number of corners of the part that is kept."""
SIDES = 64
"""Number of the first side of the lower face; corners of the upper one have smaller names."""
NAMES = (2 * SIDES) ** 2
"""Number of names of corners."""


def clip(w, m, at, to, count, cu, cv, limit, side):
    """Keep what has ``cu u + cv v ≤ limit``; write the corners at ``to``, return their number."""
    if count == 0:
        return 0
    kept = to
    a = at + count - 1
    over_a = cu * w[3 * a] + cv * w[3 * a + 1] - limit
    for b in range(at, at + count):
        over_b = cu * w[3 * b] + cv * w[3 * b + 1] - limit
        if (over_a <= 0.0) != (over_b <= 0.0):
            share = over_a / (over_a - over_b)
            for k in range(3):
                w[3 * kept + k] = w[3 * a + k] + share * (w[3 * b + k] - w[3 * a + k])
            m[2 * kept] = 2 * SIDES * (side + 1) + m[2 * a + 1]
            m[2 * kept + 1] = side if over_b > 0.0 else m[2 * a + 1]
            kept += 1
        if over_b <= 0.0:
            for k in range(3):
                w[3 * kept + k] = w[3 * b + k]
            m[2 * kept] = m[2 * b]
            m[2 * kept + 1] = m[2 * b + 1]
            kept += 1
        a = b
        over_a = over_b
    return kept - to


def clip_segment(w, m, at, to, cu, cv, limit, side):
    """Keep the part of a segment that has ``cu u + cv v ≤ limit``: both of its ends or nothing."""
    over_a = cu * w[3 * at] + cv * w[3 * at + 1] - limit
    over_b = cu * w[3 * at + 3] + cv * w[3 * at + 4] - limit
    if over_a > 0.0 and over_b > 0.0:
        return 0
    for k in range(6):
        w[3 * to + k] = w[3 * at + k]
    for k in range(4):
        m[2 * to + k] = m[2 * at + k]
    if over_a > 0.0 or over_b > 0.0:
        end = 0 if over_a > 0.0 else 1
        share = over_a / (over_a - over_b)
        for k in range(3):
            w[3 * (to + end) + k] = w[3 * at + k] + share * (w[3 * at + 3 + k] - w[3 * at + k])
        m[2 * (to + end)] = 2 * SIDES * (side + 1) + end
    return 2


def add_corners(w, m, at, count, frame, margin, name, i, j, out, ids, state):
    """Write a contact of i, with the lower face, and j for each corner below the margin.

    ``w[frame:]`` holds origin, two axes and normal of the lower face in the axes of the world.
    """
    f = frame
    for c in range(at, at + count):
        gap = w[3 * c + 2]
        if gap <= margin:
            u, v = w[3 * c], w[3 * c + 1]
            x = w[f] + u * w[f + 3] + v * w[f + 6]
            y = w[f + 1] + u * w[f + 4] + v * w[f + 7]
            z = w[f + 2] + u * w[f + 5] + v * w[f + 8]
            feature = name * NAMES + m[2 * c]
            add_contact(
                out, ids, state, i, j, feature, gap, w[f + 9], w[f + 10], w[f + 11], x, y, z
            )
