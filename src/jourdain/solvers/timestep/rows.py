"""Rows of contacts in a step: which take part, islands, and the response of rows to impulses.

With K = L D Lᵀ the matrix of the step and y = L⁻¹ w of a row w, half solved,

    G_ij = y_iᵀ D⁻¹ y_j,   u_i = … + y_iᵀ D⁻¹ z,   z = L⁻¹ b + Σ y_j r_j        (TS-4)

so that half a solution is enough; constraints are in D with their negative pivots.
"""

from __future__ import annotations

from jourdain.solvers.timestep.records import (
    COUNT,
    FIRST,
    HAS_GAP,
    IS_DRY,
    NORMAL,
    POINT,
)

TOUCHES = 1e-12
"""Gap [m] in the middle of a step up to which a contact is closed."""
APPROACH = 1e-9
"""Part of the speed of a row that is no approach."""
FIXED = 1e-13
"""Part of its response without constraints that must be left of a row's response with them."""
BAND = 0.1
"""Part of the way that forces close within a step, squared: smaller gaps count as closed."""


def half_solve(m, s, row):
    """Row of a contact, half solved; and its own response."""
    f = m.factor
    work, half, reach, D_inverse = f.work, s.half, m.reach, f.D_inverse
    column_start, column_row, L = f.column_start, f.column_row, f.L
    place, W_column, W = m.place, m.W_column, m.W
    for e in range(m.W_start[row], m.W_start[row + 1]):
        work[place[W_column[e]]] += W[e]
    own, free = 0.0, 0.0
    for p in range(m.reach_start[row], m.reach_start[row + 1]):
        k = reach[p]
        y = work[k]
        work[k] = 0.0
        half[p] = y
        own += y * y * D_inverse[k]
        free += y * y * max(D_inverse[k], 0.0)
        for e in range(column_start[k], column_start[k + 1]):
            work[column_row[e]] -= L[e] * y
    s.is_fixed[row] = 0 if own > FIXED * free else 1
    s.own[row] = free if s.is_fixed[row] else own  # the size of its velocities in any case
    s.is_half[row] = 1


def caused(m, s, row, z):
    """Velocity of a row that a half solved right side z causes."""
    total = 0.0
    half, reach, D_inverse = s.half, m.reach, m.factor.D_inverse
    for p in range(m.reach_start[row], m.reach_start[row + 1]):
        k = reach[p]
        total += half[p] * D_inverse[k] * z[k]
    return total


def add_impulse(m, s, row, impulse, z):
    """Add an impulse along a row to a half solved right side."""
    half, reach = s.half, m.reach
    for p in range(m.reach_start[row], m.reach_start[row + 1]):
        z[reach[p]] += half[p] * impulse


def is_known(s, n):
    """Tell whether G is that of the n used rows; solvers may have changed its diagonal."""
    if s.n_response != n:
        return False
    for i in range(n):
        if s.response_of[i] != s.used[i]:
            return False
    for i in range(n):
        row = s.used[i]
        s.G[i * n + i] = 0.0 if s.is_fixed[row] else s.own[row]
    return True


def response_into(m, s, n):
    """G of the n used rows (TS-4), none of those that constraints fix; all rounds have the same."""
    if is_known(s, n):
        return
    z, D_inverse, half, G = m.factor.work, m.factor.D_inverse, s.half, s.G
    start, reach, used = m.reach_start, m.reach, s.used
    s.n_response = n
    for i in range(n):
        row = used[i]
        s.response_of[i] = row
        for p in range(start[row], start[row + 1]):
            k = reach[p]
            z[k] = half[p] * D_inverse[k]
        G[i * n + i] = 0.0 if s.is_fixed[row] else s.own[row]
        for j in range(i):
            other = used[j]
            total = 0.0
            for p in range(start[other], start[other + 1]):
                total += half[p] * z[reach[p]]
            if s.is_fixed[row] or s.is_fixed[other]:
                total = 0.0
            G[i * n + j] = total
            G[j * n + i] = total
        for p in range(start[row], start[row + 1]):
            z[reach[p]] = 0.0


def half_solve_point(m, s, k):
    """All rows of a contact point, and of the friction that leans on it, half solved."""
    at = POINT * k
    if m.points[at + NORMAL] >= 0:
        half_solve(m, s, m.points[at + NORMAL])
    for i in range(m.points[at + COUNT]):
        half_solve(m, s, m.points[at + FIRST] + i)
    for p in range(m.friction_start[k], m.friction_start[k + 1]):
        j = m.friction[p]
        if j != k:
            for i in range(m.points[POINT * j + COUNT]):
                half_solve(m, s, m.points[POINT * j + FIRST] + i)


def find_active(m, s):
    """Mark the points that take part: dry friction, and contacts that are closed.

    Closed are those whose gap in the middle of the step is none; and where positions are
    corrected, also those whose gap at the start forces can close within a part of the step, and
    which do not leave faster than forces can bring them back.
    """
    for row in range(m.n_rows):
        s.is_half[row] = 0
    for k in range(m.n_points):
        at = POINT * k
        row = m.points[at + NORMAL]
        s.active[k] = 0
        s.is_ahead[k] = 0
        if m.points[at + IS_DRY]:
            s.active[k] = 1 if m.feels_forces or m.capacity[2 * k] > 0.0 else 0
        elif row >= 0:
            if m.points[at + HAS_GAP] == 0 or m.gaps[k] <= TOUCHES:
                s.active[k] = 1
            elif s.corrects and is_near(m, s, k):
                half_solve(m, s, row)
                pull = abs(caused(m, s, row, s.z)) + s.h * abs(m.bias[row])
                s.band[k] = BAND * s.h * pull
                leaves = m.u[row] - 0.5 * s.h * m.bias[row] > pull
                s.active[k] = 1 if s.start_gaps[k] <= s.band[k] and not leaves else 0
                if s.is_alpha and time_of_closing(m, s, k) < s.h:
                    s.active[k] = 1
        if s.active[k]:
            half_solve_point(m, s, k)
            if row >= 0:
                pull = abs(caused(m, s, row, s.z)) + s.h * abs(m.bias[row])
                s.band[k] = BAND * s.h * pull


def is_near(m, s, k):
    """Tell whether a contact might close within the step."""
    reach = 0.5 * s.h * abs(m.u[m.points[POINT * k + NORMAL]]) + 10.0 * s.band[k]
    return s.start_gaps[k] <= reach or (s.is_alpha and m.gaps[k] <= reach)


def time_of_closing(m, s, k):
    """Time of the step at which a gap closes under constant forces (TS-12); 1e300: never.

    Its row is half solved; before the start where it is closed already.
    """
    row, gap = m.points[POINT * k + NORMAL], s.start_gaps[k]
    u = m.u[row] - 0.5 * s.h * m.bias[row]
    pull = caused(m, s, row, s.z_free) / s.h + m.bias[row]
    root = u * u - 2.0 * pull * gap
    if root < 0.0 or not root**0.5 > u:
        return 1e300
    return 2.0 * gap / (root**0.5 - u)


def rows_are_finite(m, s):
    """Tell whether all rows that take part are finite."""
    total = 0.0
    for row in range(m.n_rows):
        if s.is_half[row]:
            total += 0.0 * (s.own[row] + m.u[row] + m.bias[row])
    return total == 0.0


def leader_of(s, k):
    """Representative of the island of a root."""
    while s.leader[k] != k:
        s.leader[k] = s.leader[s.leader[k]]
        k = s.leader[k]
    return k


def join_row(m, s, row, first):
    """Join the roots of a row to those of a point; return one of them."""
    for p in range(m.reach_start[row], m.reach_start[row + 1]):
        k = leader_of(s, m.root[m.reach[p]])
        if first < 0:
            first = k
        else:
            first = leader_of(s, first)
            s.leader[k] = first
    return first


def find_islands(m, s):
    """Sort the active points by islands, which share no coordinate; return their number."""
    for k in range(m.factor.n):
        s.leader[k] = k
        s.island_number[k] = -1
    for k in range(m.n_points):
        if s.active[k]:
            at = POINT * k
            first = -1
            if m.points[at + NORMAL] >= 0:
                first = join_row(m, s, m.points[at + NORMAL], first)
            for i in range(m.points[at + COUNT]):
                first = join_row(m, s, m.points[at + FIRST] + i, first)
            s.island_of[k] = first
            if first < 0 or is_driven(m, s, k):
                s.active[k] = 2 if m.points[at + IS_DRY] else 0  # impulses move nothing
    return sort_points(m, s)


def is_driven(m, s, k):
    """Tell whether constraints fix the sliding of dry friction, as drives do."""
    at = POINT * k
    for i in range(m.points[at + COUNT]):
        if not s.is_fixed[m.points[at + FIRST] + i]:
            return False
    return m.points[at + IS_DRY] == 1


def sort_points(m, s):
    """Points of each island one behind the other; return the number of islands."""
    count = 0
    for k in range(m.n_points):
        if s.active[k] == 1:
            own = leader_of(s, s.island_of[k])
            if s.island_number[own] < 0:
                s.island_number[own] = count
                s.island_first[count + 1] = 0
                count += 1
            s.island_of[k] = s.island_number[own]
            s.island_first[s.island_of[k] + 1] += 1
    s.island_first[0] = 0
    for i in range(count):
        s.island_first[i + 1] += s.island_first[i]
    for k in range(m.n_points - 1, -1, -1):
        if s.active[k] == 1:
            i = s.island_of[k]
            s.island_first[i + 1] -= 1
            s.island_points[s.island_first[i + 1]] = k
    return shift_ends(m, s, count)


def shift_ends(m, s, count):
    """Take back the ends of the islands, which sorting has moved to their begins."""
    total = 0
    for k in range(m.n_points):
        total += 1 if s.active[k] == 1 else 0
    for i in range(count - 1):
        s.island_first[i + 1] = s.island_first[i + 2]
    if count > 0:
        s.island_first[count] = total
    return count


def meets(m, s, k):
    """Tell whether a contact comes with a velocity that one step does not explain."""
    row = m.points[POINT * k + NORMAL]
    if row < 0 or not s.active[k] or not m.points[POINT * k + HAS_GAP]:
        return False
    change = 2.0 * (abs(caused(m, s, row, s.z_free)) + s.h * abs(m.bias[row]))
    scale = (s.own[row] * s.all_energy) ** 0.5
    return m.u[row] - 0.5 * s.h * m.bias[row] < -change - APPROACH * scale
