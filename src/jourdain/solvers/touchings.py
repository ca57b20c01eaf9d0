"""Touchings in a time step, for solver loops: which take part, and the groups of their rows.

``touch`` has `TOUCH` integers for each touching, ``sizes`` begins with the numbers of coordinates,
velocities, rows and touchings; W and B hold the rows and what unit impulses along them cause.
"""

from __future__ import annotations

from jourdain.equations.touching import SLOW
from jourdain.solvers.nonsmooth.layout import NO_FRICTION
from jourdain.solvers.nonsmooth.sweeps import CONTACT, DISC, HALF_LINE, LINE, PLANE, SEGMENT

N_Q, N_V, N_ROWS, N_TOUCH = range(4)
"""Places in the sizes."""
NORMAL, FIRST, COUNT, HAS_GAP, LEANS_ON, IS_DRY, IS_POISSON, TOUCH = range(8)
"""Places in the integers of a touching: rows (−1: none) and kinds."""
TOUCHES = 1e-12
"""Gap [m] that is none."""


def is_closed(k, touch, gaps):
    """Tell whether the normal row of a touching takes part."""
    at = TOUCH * k
    return touch[at + NORMAL] >= 0 and (touch[at + HAS_GAP] == 0 or gaps[k] <= TOUCHES)


def response_to(i, j, sizes, W, B):
    """Velocity of row i after a unit impulse along row j."""
    n = sizes[N_V]
    total = 0.0
    for k in range(n):
        total += W[i * n + k] * B[j * n + k]
    return total


def may_jam(k, sizes, touch, u, capacity, W, B):
    """Tell whether the normal force of a sliding contact pulls it together (Painlevé)."""
    normal = touch[TOUCH * k + NORMAL]
    total, slides = response_to(normal, normal, sizes, W, B), False
    for j in range(sizes[N_TOUCH]):
        at = TOUCH * j
        if touch[at + LEANS_ON] == normal and touch[at + COUNT] > 0:
            first, m = touch[at + FIRST], touch[at + COUNT]
            slip, size = 0.0, 0.0
            for i in range(m):
                slip += u[first + i] ** 2
                size += (capacity[2 * j + i] * u[first + i]) ** 2
            if slip**0.5 > SLOW:
                slides = True
                for i in range(m):
                    part = capacity[2 * j + i] ** 2 * u[first + i] / max(size**0.5, 1e-300)
                    total -= response_to(normal, first + i, sizes, W, B) * part
    return slides and total < 0.0


def add_row(row, n, used, place):
    """Number a row among those that take part; return how many there are."""
    used[n] = row
    place[row] = n
    return n + 1


def add_friction(j, at, touch, capacity, place, rows, D):
    """Rows and coefficients of a friction from place ``at`` on."""
    first = touch[TOUCH * j + FIRST]
    for i in range(touch[TOUCH * j + COUNT]):
        rows[at + i] = place[first + i]
        D[at + i] = capacity[2 * j + i]


def rubs(j, normal, touch, capacity):
    """Tell whether a touching has friction that leans on a normal row."""
    at = TOUCH * j
    if touch[at + LEANS_ON] != normal or touch[at + COUNT] == 0:
        return False
    most = capacity[2 * j]
    if touch[at + COUNT] == 2:
        most = max(most, capacity[2 * j + 1])
    return most > NO_FRICTION


def dry_group(k, b, at, n, touch, capacity, h, used, place, kind, rows, D, limits):
    """Group b of dry friction, whose rows start at ``at``; return how many rows there are now."""
    m = touch[TOUCH * k + COUNT]
    for i in range(m):
        n = add_row(touch[TOUCH * k + FIRST] + i, n, used, place)
        rows[at + i] = n - 1
        D[at + i] = 1.0
    kind[b] = SEGMENT if m == 1 else DISC
    limits[3 * b] = -h * capacity[2 * k]
    limits[3 * b + 1] = h * capacity[2 * k]
    return n


def leaning_group(j, b, at, own, touch, capacity, place, kind, rows, normal, D, limits):
    """Group b of a friction that shares its normal row; return where its rows end."""
    add_friction(j, at, touch, capacity, place, rows, D)
    m = touch[TOUCH * j + COUNT]
    kind[b] = LINE if m == 1 else PLANE
    D[at] = 1.0 if m == 1 else D[at]
    normal[b] = place[own]
    limits[3 * b] = -capacity[2 * j]
    limits[3 * b + 1] = capacity[2 * j]
    return at + m


def groups_into(sizes, touch, gaps, capacity, h, used, place, kind, start, rows, normal, D, limits):
    """Groups of the rows that take part; return their number, ``used[n_rows]`` that of the rows.

    A normal row and its only friction are one group; several frictions are groups of their own.
    """
    n, b, at = 0, 0, 0
    start[0] = 0
    for k in range(sizes[N_TOUCH]):
        own = touch[TOUCH * k + NORMAL]
        if touch[TOUCH * k + IS_DRY]:
            n = dry_group(k, b, at, n, touch, capacity, h, used, place, kind, rows, D, limits)
            at += touch[TOUCH * k + COUNT]
            b += 1
            start[b] = at
        elif is_closed(k, touch, gaps):
            n = add_row(own, n, used, place)
            rows[at] = n - 1
            D[at] = 1.0
            limits[3 * b] = 0.0
            limits[3 * b + 1] = 1e300
            alone, count = k, 0
            for j in range(sizes[N_TOUCH]):
                if rubs(j, own, touch, capacity):
                    alone = j
                    count += 1
                    for i in range(touch[TOUCH * j + COUNT]):
                        n = add_row(touch[TOUCH * j + FIRST] + i, n, used, place)
            kind[b] = CONTACT if count == 1 else HALF_LINE
            at += 1
            if count == 1:
                add_friction(alone, at, touch, capacity, place, rows, D)
                at += touch[TOUCH * alone + COUNT]
            b += 1
            start[b] = at
            if count > 1:
                for j in range(sizes[N_TOUCH]):
                    if rubs(j, own, touch, capacity):
                        at = leaning_group(
                            j, b, at, own, touch, capacity, place, kind, rows, normal, D, limits
                        )
                        b += 1
                        start[b] = at
    used[sizes[N_ROWS]] = n
    return b
