"""How contours lie in the arrays of the search, and where contacts are written."""

from __future__ import annotations

SPHERE, CAPSULE, BOX, POLYHEDRON, HALF_SPACE, OTHER = range(6)
"""Kinds of contours; pairs are looked at with the smaller kind first."""
POSE = 12
"""Numbers of a pose: rotation row by row, position."""
SHAPE = 8
"""Numbers of a contour: half edges; axis, half length, radius; normal; middle, half edges."""
KIND, BODY, TABLE, N_KIND = range(4)
"""Integers of a contour: kind, body, start of its table."""
CONTACT = 10
"""Numbers of a contact: gap, normal, two points."""
ID = 3
"""Integers of a contact: two contours, feature."""
COUNT, CAPACITY, N_PAIRS, PAIR_CAPACITY, N_OTHERS = range(5)
"""State of a search."""


def add_contact(out, ids, state, i, j, feature, gap, nx, ny, nz, x, y, z):
    """Write a contact with the normal from i to j and the point of i; smaller contour first."""
    k = state[COUNT]
    state[COUNT] = k + 1
    if k >= state[CAPACITY]:
        return
    side = 1.0
    first, second = 4, 7
    ids[ID * k], ids[ID * k + 1], ids[ID * k + 2] = i, j, feature
    if i > j:
        side = -1.0
        first, second = 7, 4
        ids[ID * k], ids[ID * k + 1] = j, i
    c = CONTACT * k
    out[c] = gap
    out[c + 1], out[c + 2], out[c + 3] = side * nx, side * ny, side * nz
    out[c + first], out[c + first + 1], out[c + first + 2] = x, y, z
    out[c + second] = x + gap * nx
    out[c + second + 1] = y + gap * ny
    out[c + second + 2] = z + gap * nz


def along(R, p, j, x, y, z):
    """Component of a vector along axis j of the pose at p."""
    return R[p + j] * x + R[p + 3 + j] * y + R[p + 6 + j] * z


def across(R, p, i, x, y, z):
    """Component i, in the axes of the world, of a vector in the axes of the pose at p."""
    return R[p + 3 * i] * x + R[p + 3 * i + 1] * y + R[p + 3 * i + 2] * z
