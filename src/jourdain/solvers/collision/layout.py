"""How contours lie in the arrays of the search, and where contacts are written."""

from __future__ import annotations

SPHERE, CAPSULE, BOX, POLYHEDRON, CYLINDER, HALF_SPACE, OTHER = range(7)
"""Kinds of contours; pairs are looked at with the smaller kind first."""
POSE = 12
"""Numbers of a pose: rotation row by row, position."""
SHAPE = 8
"""Numbers of a contour.

A sphere has its radius, a box its half edges, a capsule its axis, half length and radius, a
cylinder these and a direction across, a half-space its normal, a polyhedron half edges and middle
of a box round it, another contour its reach as the last number.
"""
KIND, BODY, TABLE, N_KIND = range(4)
"""Integers of a contour: kind, body, start of its table."""
CONTACT = 10
"""Numbers of a contact: gap, normal, two points; each of these lies in an array of its own."""
ID = 3
"""Integers of a contact: two contours, then, in another array, the feature."""
COUNT, CAPACITY, N_PAIRS, PAIR_CAPACITY, N_OTHERS = range(5)
"""State of a search."""


def add_contact(out, ids, state, i, j, feature, gap, nx, ny, nz, x, y, z):
    """Write a contact with the normal from i to j and the point of i; smaller contour first."""
    k = state[COUNT]
    state[COUNT] = k + 1
    if k >= state[CAPACITY]:
        return
    room = state[CAPACITY]
    normal, first, second = room + 3 * k, 4 * room + 3 * k, 7 * room + 3 * k
    side = 1.0
    ids[2 * k], ids[2 * k + 1], ids[2 * room + k] = i, j, feature
    if i > j:
        side = -1.0
        first, second = second, first
        ids[2 * k], ids[2 * k + 1] = j, i
    out[k] = gap
    out[normal], out[normal + 1], out[normal + 2] = side * nx, side * ny, side * nz
    out[first], out[first + 1], out[first + 2] = x, y, z
    out[second], out[second + 1], out[second + 2] = x + gap * nx, y + gap * ny, z + gap * nz


def along(R, p, j, x, y, z):
    """Component of a vector along axis j of the pose at p."""
    return R[p + j] * x + R[p + 3 + j] * y + R[p + 6 + j] * z


def across(R, p, i, x, y, z):
    """Component i, in the axes of the world, of a vector in the axes of the pose at p."""
    return R[p + 3 * i] * x + R[p + 3 * i + 1] * y + R[p + 3 * i + 2] * z
