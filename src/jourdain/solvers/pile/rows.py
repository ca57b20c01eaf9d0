"""Contacts that are closed or near, sorted by islands: their axes, arms and sides.

Contact k has the axes n, t₁, t₂ (normal from a to b). A side is a loose body, touched at the end
of an arm from its centre of mass, or a wider unit with a block of its own: rows W (3 × width) and
responses B = M⁻¹Wᵀ (width × 3), stored one behind the other by columns, ``[column][row]``; or the
world.

Where a contact resists that its bodies turn against each other, a second one follows it, which it
leads: drilling is its row n, rolling its rows t₁, t₂, and they are angular velocities. Axes are
unit vectors times factors where a law has limits of its own along each (CT-19).
"""

from __future__ import annotations

from jourdain.solvers.native import native
from jourdain.solvers.pile.islands import joined, sort_by_island
from jourdain.solvers.pile.motion import CENTRE, MIDDLE
from jourdain.solvers.pile.vectors import cross_into

LOOSE, TURNED = -1, -2
"""Widths that mark the side of a loose body: touched at the end of an arm, or turned alone."""
SIDE = 3
"""Numbers of a side: width, first column, place of the block or number of the body."""
ARMS = 15
"""Numbers of a contact: three axes, the arms of a and b."""


@native("iadppaiaaaaaaaaa")
def near_contacts(
    n, rank, near, gaps, normals, found, n_units, unit_of, chosen, parent, units, island, first,
    order, members, at_member,
):  # fmt: skip
    """Choose the candidates that are near enough, sorted by islands; return the number of islands.

    They are taken in the order of ``rank``. ``found`` (n, 2) are the contours of the candidates,
    ``unit_of`` the unit of each contour, −1 for the world. ``order`` gets the candidates of all
    islands, ``first[count]`` is their number.
    """
    for i in range(n_units):
        parent[i] = i
    m = 0
    for j in range(n):
        k = rank[j]
        a, b = unit_of[found[2 * k]], unit_of[found[2 * k + 1]]
        size = abs(normals[3 * k]) + abs(normals[3 * k + 1]) + abs(normals[3 * k + 2])
        if gaps[k] <= near and size > 0.5 and (a >= 0 or b >= 0):
            units[2 * m] = a
            units[2 * m + 1] = b
            chosen[m] = k
            joined(parent, a, b)
            m += 1
    count = sort_by_island(m, n_units, units, parent, island, first, order, members, at_member)
    for k in range(m):
        order[k] = chosen[order[k]]
    return count


def axes_into(x, at):
    """Two unit vectors across the unit vector ``x[at : at + 3]``, behind it."""
    a, b, c = abs(x[at]), abs(x[at + 1]), abs(x[at + 2])
    i = 0 if a <= b and a <= c else (1 if b <= c else 2)
    j = (i + 1) % 3
    k = (i + 2) % 3
    size = (x[at + j] * x[at + j] + x[at + k] * x[at + k]) ** 0.5
    x[at + 3 + i] = 0.0
    x[at + 3 + j] = x[at + k] / size
    x[at + 3 + k] = -x[at + j] / size
    cross_into(x, at, x, at + 3, x, at + 6)


@native("iaappppiapa")
def contact_sides(
    n, order, found, normals, points_a, points_b, middle, n_loose, unit_of, arms, sides
):  # fmt: skip
    """Axes, arms and sides of the chosen contacts; wider units are left to others."""
    for k in range(n):
        c = order[k]
        at = ARMS * k
        for i in range(3):
            arms[at + i] = normals[3 * c + i]
        axes_into(arms, at)
        for s in range(2):
            unit = unit_of[found[2 * c + s]]
            side = SIDE * (2 * k + s)
            sides[side] = LOOSE if 0 <= unit < n_loose else 0
            sides[side + 1] = 6 * unit
            sides[side + 2] = unit
            if sides[side] == LOOSE:
                m = MIDDLE * unit + CENTRE
                for i in range(3):
                    point = points_a[3 * c + i] if s == 0 else points_b[3 * c + i]
                    arms[at + 9 + 3 * s + i] = point - middle[m + i]
    return 0
