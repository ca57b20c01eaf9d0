"""Impulses of the contacts of one island: sets of the laws, and the solution of their equations.

A normal row and its only friction are one group; several frictions that lean on one normal row
(sliding, rolling, drilling) are groups of their own.
"""

from __future__ import annotations

from jourdain.solvers.nonsmooth.small.dense import is_simple, solve_dense, solve_quickly
from jourdain.solvers.nonsmooth.small.dense_residual import APPROACH, RESIDUAL, SIZE
from jourdain.solvers.nonsmooth.sweeps import CONTACT, DISC, HALF_LINE, LINE, PLANE, SEGMENT
from jourdain.solvers.timestep.large.order import sort_island
from jourdain.solvers.timestep.large.rest import is_of_free_bodies
from jourdain.solvers.timestep.large.sweeps import sweep_finely, sweep_island
from jourdain.solvers.timestep.records import COUNT, FIRST, HAS_GAP, IS_DRY, NORMAL, POINT
from jourdain.solvers.timestep.rows import add_impulse, caused, response_into

NO_FRICTION = 1e-12
"""Coefficients up to this one count as zero: their impulses would be lost in rounding."""
TOLERANCE = 1e-13
"""Residual of the contact equations that is wanted, part of their right side."""
QUICK = 30
"""Rows up to which islands with contacts of groups are tried by Newton's method."""
FEW = 12
"""Rows up to which islands of free bodies with elliptic friction are always solved exactly."""
SLOW = 0.1
"""Part of the speeds that forces give in a step up to which larger islands are tried so, too."""
CLOSED = 1e-7
"""Gap [m] in islands that are swept up to which a contact is closed: errors of sweeps open it."""
STOPPED = 1e-9
"""Part of the velocities that may be left of an approach."""


def rubs(m, j):
    """Tell whether a point has friction that counts."""
    return max(m.capacity[2 * j], m.capacity[2 * j + 1]) > NO_FRICTION


def never_moves(m, s, row):
    """Tell whether constraints fix a tangent that does not move, as across a plane of motion."""
    slip = m.u[row] + s.correction[row]
    return s.is_fixed[row] == 1 and abs(slip) <= STOPPED * (s.own[row] * s.all_energy) ** 0.5


def tangents_of(m, s, j):
    """Number of the rows of a friction that take part."""
    n, first = 0, m.points[POINT * j + FIRST]
    for row in range(first, first + m.points[POINT * j + COUNT]):
        n += 1 if s.slot[row] >= 0 else 0
    return n


def use_row(s, row, n):
    """Number a row among those used; return how many there are."""
    s.used[n] = row
    s.slot[row] = n
    return n + 1


def use_rows(m, s, island):
    """Rows of the points of an island that take part; return their number."""
    n = 0
    for i in range(s.island_first[island], s.island_first[island + 1]):
        k = s.island_points[i]
        row = m.points[POINT * k + NORMAL]
        if row >= 0:
            n = use_row(s, row, n)
            for p in range(m.friction_start[k], m.friction_start[k + 1]):
                j = m.friction[p]
                for a in range(m.points[POINT * j + COUNT]):
                    row = m.points[POINT * j + FIRST] + a
                    if rubs(m, j) and not never_moves(m, s, row):
                        n = use_row(s, row, n)
                    else:
                        s.slot[row] = -1
                        s.impulses[row] = 0.0
        elif m.points[POINT * k + IS_DRY]:
            for a in range(m.points[POINT * k + COUNT]):
                n = use_row(s, m.points[POINT * k + FIRST] + a, n)
    return n


def add_friction(m, s, j, at):
    """Rows and coefficients of a friction from place ``at`` on; return where they end."""
    first = m.points[POINT * j + FIRST]
    for i in range(m.points[POINT * j + COUNT]):
        if s.slot[first + i] >= 0:
            s.rows[at] = s.slot[first + i]
            s.D[at] = m.capacity[2 * j + i]
            at += 1
    return at


def end_group(s, b, kind, lower, upper, at):
    """Kind and limits of group b, whose rows end at a place; return the number of groups."""
    s.kind[b] = kind
    s.limits[3 * b] = lower
    s.limits[3 * b + 1] = upper
    s.start[b + 1] = at
    return b + 1


def dry_group(m, s, k, b):
    """Group of dry friction: impulses up to h times the capacity."""
    at, limit = s.start[b], s.h * m.capacity[2 * k]
    count = m.points[POINT * k + COUNT]
    add_friction(m, s, k, at)
    for i in range(count):
        s.D[at + i] = 1.0
    return end_group(s, b, SEGMENT if count == 1 else DISC, -limit, limit, at + count)


def contact_groups(m, s, k, b):
    """Groups of a contact."""
    at, own = s.start[b], s.slot[m.points[POINT * k + NORMAL]]
    s.rows[at] = own
    s.D[at] = 1.0
    count, alone = 0, k
    for p in range(m.friction_start[k], m.friction_start[k + 1]):
        if tangents_of(m, s, m.friction[p]) > 0:
            alone = m.friction[p]
            count += 1
    if count == 1:
        end = add_friction(m, s, alone, at + 1)
        return end_group(s, b, CONTACT, 0.0, 1e300, end)
    b = end_group(s, b, HALF_LINE, 0.0, 1e300, at + 1)
    for p in range(m.friction_start[k], m.friction_start[k + 1]):
        j = m.friction[p]
        if tangents_of(m, s, j) > 0:
            at = s.start[b]
            end = add_friction(m, s, j, at)
            mu, is_line = s.D[at], end - at == 1
            s.D[at] = 1.0 if is_line else s.D[at]
            s.normal[b] = own
            b = end_group(s, b, LINE if is_line else PLANE, -mu, mu, end)
    return b


def groups_into(m, s, island):
    """Groups of the rows of an island; return their number."""
    b = 0
    s.start[0] = 0
    for i in range(s.island_first[island], s.island_first[island + 1]):
        k = s.island_points[i]
        if m.points[POINT * k + IS_DRY]:
            b = dry_group(m, s, k, b)
        elif m.points[POINT * k + NORMAL] >= 0:
            b = contact_groups(m, s, k, b)
    return b


def right_side(m, s, n):
    """Velocities of the used rows at the end of the step without their impulses, less wanted."""
    for i in range(n):
        row = s.used[i]
        s.c[i] = m.u[row] + s.correction[row] - s.turn[row]
        s.c[i] += caused(m, s, row, s.z) - s.wanted[row]


def solve_island(m, s, island):
    """Impulses of an island, added to the right side z; tell whether its equations are solved."""
    n = use_rows(m, s, island)
    s.is_swept[island] = 0
    s.sleeps[island] = 0
    if n == 0:
        return True
    is_found = finds_points(m, s, island)
    if n > s.most_dense or (is_found and n > QUICK and is_left_to_sweeps(m, s, island, n)):
        return solve_large(m, s, island)
    right_side(m, s, n)
    b = groups_into(m, s, island)
    if is_found and not is_simple(b, s.kind, s.start, s.D) and sweep_finely(m, s, n, b):
        take_impulses(m, s, n)
        return True
    response_into(m, s, n)
    if n == 1 and solve_alone(m, s, island):
        return True
    for i in range(n):
        s.r[i] = s.impulses[s.used[i]]
    is_solved = solve_quickly(
        n, s.G, s.c, b, s.kind, s.start, s.rows, s.normal, s.D, s.limits, s.r, TOLERANCE,
        s.numbers, s.integers, s.report,
    )  # fmt: skip
    if not is_solved and is_found and is_swept_then(m, s, island, n, b):
        return solve_large(m, s, island)
    if not is_solved:
        solve_dense(
            n, s.G, s.c, b, s.kind, s.start, s.rows, s.normal, s.D, s.limits, s.r, TOLERANCE,
            s.numbers, s.integers, s.report,
        )  # fmt: skip
    if not s.report[RESIDUAL] <= TOLERANCE or s.report[APPROACH] > STOPPED * s.report[SIZE]:
        s.size = n
        s.groups = b
        return False
    s.residual = max(s.residual, s.report[RESIDUAL])
    s.error = max(s.error, s.report[RESIDUAL] * s.report[SIZE])
    take_impulses(m, s, n)
    return True


def is_swept_then(m, s, island, n, b):
    """Tell whether sweeps go on with an island of n rows that Newton's method leaves unsolved."""
    if is_simple(b, s.kind, s.start, s.D):
        return True
    return n > FEW and is_of_free_bodies(m, s, island)


def finds_points(m, s, island):
    """Tell whether an island has contacts of groups."""
    for i in range(s.island_first[island], s.island_first[island + 1]):
        if s.island_points[i] >= m.fixed_points:
            return True
    return False


def is_left_to_sweeps(m, s, island, n):
    """Tell whether the n used rows of an island move, or move free bodies alone.

    What is nearly at rest, and cannot be proven to rest, is kept so by exact solutions.
    """
    for i in range(n):
        row = s.used[i]
        if abs(m.u[row]) > SLOW * (s.own[row] * s.energy[island]) ** 0.5:
            return True
    return is_of_free_bodies(m, s, island)


def let_close(m, s, island):
    """Let gaps close that errors of sweeps have opened (TS-14); small ones count as closed."""
    for i in range(s.island_first[island], s.island_first[island + 1]):
        k = s.island_points[i]
        row = m.points[POINT * k + NORMAL]
        is_open = row >= 0 and m.points[POINT * k + HAS_GAP] and m.gaps[k] > 0.0
        if is_open and s.wanted[row] <= 0.0:
            s.wanted[row] = -2.0 * m.gaps[k] / s.h if m.gaps[k] > CLOSED else 0.0


def solve_large(m, s, island):
    """Impulses of an island of many rows, by sweeps from below to above."""
    sort_island(s, s.island_first[island], s.island_first[island + 1])
    n = use_rows(m, s, island)
    if s.corrects:
        let_close(m, s, island)
    s.is_rough = 1
    s.is_swept[island] = 1
    s.size = 0  # there is no matrix to go on with
    if not sweep_island(m, s, island, n, groups_into(m, s, island)):
        return False
    take_impulses(m, s, n)
    return True


def solve_alone(m, s, island):
    """Impulse of one row alone; tell whether it has a response."""
    row = s.used[0]
    k = s.island_points[s.island_first[island]]
    if not s.G[0] > 0.0:
        return False
    s.r[0] = -s.c[0] / s.G[0]
    if m.points[POINT * k + IS_DRY]:
        limit = s.h * m.capacity[2 * k]
        s.r[0] = min(max(s.r[0], -limit), limit)
    else:
        s.r[0] = max(s.r[0], 0.0)
    s.impulses[row] = s.r[0]
    add_impulse(m, s, row, s.r[0], s.z)
    return True


def take_impulses(m, s, n):
    """Keep the solution, and add it to the right side."""
    for i in range(n):
        s.impulses[s.used[i]] = s.r[i]
        add_impulse(m, s, s.used[i], s.r[i], s.z)
