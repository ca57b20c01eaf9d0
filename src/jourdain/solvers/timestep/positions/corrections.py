"""Positions at the end of a step: constraints hold, lasting contacts touch, nothing overlaps.

    [A  Pᵀ] [x]   [Wᵀ σ]
    [P  0 ] [μ] = [ −g_c ],   g + W x = 0,   q⁺ ← q⁺ + Y x                    (TS-7)

Contacts that carry and do not rebound are equalities: their gap, and where they stick, the way of
their tangents since the stick began. Others that overlap are pushed apart in `overlaps`.
"""

from __future__ import annotations

from jourdain.solvers.linear import factor, solve
from jourdain.solvers.timestep.assembly import copy, evaluate, largest, shift_positions
from jourdain.solvers.timestep.factor import solve_lower, solve_upper
from jourdain.solvers.timestep.free.flight import belong_to
from jourdain.solvers.timestep.groups.ends import look_at_contacts
from jourdain.solvers.timestep.large.positions import lift, pay
from jourdain.solvers.timestep.records import (
    COUNT,
    FIRST,
    HAS_GAP,
    IS_DRY,
    NORMAL,
    POINT,
    ROWS,
    STICKS,
)
from jourdain.solvers.timestep.rows import add_impulse, caused, response_into

ROUNDS = 6
"""Corrections of positions in a step, at most."""
EXACT = 1e-13
"""Position error of constraints that is as good as none."""
SOFT = 1e-8
"""Part of a row's own response that keeps repeated rows apart."""
LOOSE = 1e-2
"""The same for ways of what sticks: where they contradict gaps, gaps win."""
STILL = 1e-12
"""Part of the speeds of a step up to which a row is still."""
APPROACH = 1e2
"""Times the tolerance of sweeps: velocities of approach that are errors of theirs."""
LEFT = 1e-8
"""Overlap [m] that is left in large islands, so that their contacts stay closed."""


def look_at_end(m, s):
    """Gaps, velocities of rows, and errors of constraints at the end of the step."""
    if s.is_looked_at:
        return
    s.is_looked_at = 1
    copy(s.q_new, m.n_q, m.q)
    copy(s.new, m.n_v, m.v)
    belong_to(m, s.q_new, m.v, 0)
    m.t[0] = s.now + s.h
    evaluate(m, s, ROWS)
    if m.has_groups:
        look_at_contacts(m, s, m.groups)


def is_lasting(m, s, k):
    """Tell whether a contact carries and does not rebound."""
    row = m.points[POINT * k + NORMAL]
    if row < 0 or not s.active[k]:
        return False
    return m.points[POINT * k + HAS_GAP] == 1 and s.impulses[row] > 0.0 and s.wanted[row] <= 0.0


def way_tolerance(s, row, island):
    """Position error of a row that is as good as none; any, of a row that constraints fix."""
    if s.is_fixed[row]:
        return 1e300
    return s.way_left * s.h * (s.own[row] * s.energy[island]) ** 0.5


def add_equality(s, row, error, soft, n):
    """Row that is brought to zero, if it can be; return how many there are."""
    if s.is_fixed[row]:
        return n
    s.used[n] = row
    s.c[n] = error
    s.soft[n] = soft
    return n + 1


def equalities(m, s, island):
    """Rows of an island that are brought to zero, if one is not; return their number."""
    n, is_wrong = 0, False
    for i in range(s.island_first[island], s.island_first[island + 1]):
        k = s.island_points[i]
        row = m.points[POINT * k + NORMAL]
        if is_lasting(m, s, k):
            n = add_equality(s, row, m.end_gaps[k], SOFT, n)
            is_wrong = is_wrong or abs(m.end_gaps[k]) > way_tolerance(s, row, island)
        if s.stays[k] and (row < 0 or is_lasting(m, s, k)):
            for a in range(m.points[POINT * k + COUNT]):
                tangent = m.points[POINT * k + FIRST] + a
                n = add_equality(s, tangent, s.anchor[tangent], LOOSE, n)
                is_wrong = is_wrong or abs(s.anchor[tangent]) > way_tolerance(s, tangent, island)
    return n if is_wrong else 0


def solve_equalities(s, n):
    """Solve G r = c; where rows repeat others, for the smallest r. Tell whether that can be done.

    r ← r + (G + ε)⁻¹ (c − G r), twice: what contradicts itself grows to 2 c / ε, no more.
    """
    w, size = s.matrix, n * n
    for i in range(size):
        w[i] = s.G[i]
    for i in range(n):
        w[i * n + i] *= 1.0 + s.soft[i]
        s.r[i] = 0.0
    if not factor(w, 0, n, s.pivots, 0):
        return False
    for _ in range(2):
        for i in range(n):
            total = s.c[i]
            for j in range(n):
                total -= s.G[i * n + j] * s.r[j]
            w[size + i] = total
        solve(w, 0, n, s.pivots, 0, size)
        for i in range(n):
            s.r[i] += w[size + i]
    return True


def take_errors_away(m, s, n):
    """Add to x what takes the errors of n used rows away, r along each; tell whether it can."""
    response_into(m, s, n)
    for i in range(n):
        s.c[i] = -s.c[i] - caused(m, s, s.used[i], s.x)
    if not solve_equalities(s, n):
        return False
    for i in range(n):
        add_impulse(m, s, s.used[i], s.r[i], s.x)
    return True


def shift_island(m, s, n):
    """Shifts along n used rows that take their errors away, added to x; their work is charged."""
    if take_errors_away(m, s, n):
        for i in range(n):
            s.works[s.used[i]] -= s.r[i] * caused(m, s, s.used[i], s.z_free) / s.h


def lift_island(m, s, island):
    """Lift the contacts of a large island apart that overlap; tell whether some do.

    Those that approach by more than errors of sweeps are left to the next step.
    """
    n, deepest = 0, 0.0
    for i in range(s.island_first[island], s.island_first[island + 1]):
        k = s.island_points[i]
        row = m.points[POINT * k + NORMAL]
        if row >= 0 and m.points[POINT * k + HAS_GAP] and s.wanted[row] <= 0.0:
            s.used[n] = row
            s.c[n] = m.end_gaps[k]
            if m.end_u[row] < -APPROACH * s.tolerance and s.c[n] < -LEFT:
                s.c[n] = -LEFT
            deepest = min(deepest, s.c[n])
            n += 1
    if not deepest < -2.0 * LEFT:
        return False
    lift(m, s, n, -LEFT)
    pay(m, s, n)
    return True


def take_way(m, s):
    """Finish the solution x, move the new positions along it, and follow the anchors."""
    solve_upper(m.factor, s.x)
    way = s.way
    for i in range(m.n_v):
        way[i] = s.x[m.place[i]]
    shift_positions(m, s, way)
    for row in range(m.n_rows):
        for e in range(m.W_start[row], m.W_start[row + 1] if s.is_half[row] else 0):
            s.anchor[row] += m.W[e] * way[m.W_column[e]]


def project(m, s, n_islands):
    """Bring constraints and lasting contacts to where they hold."""
    worst = 1e300
    for _ in range(ROUNDS):
        for i in range(m.factor.n):
            s.x[i] = 0.0
        error = largest(m.c_error, m.n_c)
        is_off = EXACT < error < 0.5 * worst
        worst = error
        if is_off:
            for i in range(m.n_c):
                s.x[m.place[m.n_v + i]] = -m.c_error[i]
            solve_lower(m.factor, s.x)
        if s.corrects:
            for island in range(n_islands):
                n = equalities(m, s, island)
                if n > s.most_dense or (n > 0 and s.is_swept[island]):
                    is_off = lift_island(m, s, island) or is_off
                elif n > 0:
                    shift_island(m, s, n)
                    is_off = True
        if not is_off:
            return
        take_way(m, s)
        look_at_end(m, s)
    forget_ways(m, s, n_islands)


def forget_ways(m, s, n_islands):
    """Let what sticks stay where it is, if its way cannot be taken back."""
    for island in range(n_islands):
        if equalities(m, s, island) > 0:
            for i in range(s.island_first[island], s.island_first[island + 1]):
                at = POINT * s.island_points[i]
                for a in range(m.points[at + COUNT]):
                    s.anchor[m.points[at + FIRST] + a] = 0.0


def still_rows(m, s, island):
    """Rows of an island that must not move at the end, if one does; return their number."""
    n, is_wrong = 0, False
    for i in range(s.island_first[island], s.island_first[island + 1]):
        k = s.island_points[i]
        at = POINT * k
        is_held = is_lasting(m, s, k) or (m.is_wide and carries(m, s, k))
        if is_held:
            row = m.points[at + NORMAL]
            n = add_equality(s, row, m.end_u[row], SOFT, n)
            is_wrong = is_wrong or is_moving(m, s, row)
        if is_held or (m.is_wide and m.points[at + IS_DRY]):
            for a in range(m.points[at + COUNT] if s.mode[k] == STICKS else 0):
                row = m.points[at + FIRST] + a
                n = add_equality(s, row, m.end_u[row], LOOSE, n)
                is_wrong = is_wrong or is_moving(m, s, row)
    return n if is_wrong else 0


def carries(m, s, k):
    """Tell whether a freewheel locks."""
    row = m.points[POINT * k + NORMAL]
    return row >= 0 and s.active[k] and not m.points[POINT * k + HAS_GAP] and s.impulses[row] > 0.0


def is_moving(m, s, row):
    """Tell whether the velocity of a row at the end of the step is more than rounding.

    Where inertias differ by orders, forces on the small ones say nothing of the others' velocities.
    """
    if s.is_fixed[row]:
        return False
    if m.is_wide:
        size = 0.0
        for e in range(m.W_start[row], m.W_start[row + 1]):
            size = max(size, abs(s.delta[m.W_column[e]]), abs(s.new[m.W_column[e]]))
        return abs(m.end_u[row]) > STILL * size
    return abs(m.end_u[row]) > STILL * (s.own[row] * s.all_energy) ** 0.5


def hold_velocities(m, s, n_islands):
    """Take what is left of the velocities of constraints and lasting contacts away, at the end.

    Positions were moved since they were found. Rows of the middle serve, so that a few rounds are
    needed.
    """
    worst = 1e300
    for _ in range(ROUNDS):
        look_at_end(m, s)
        for i in range(m.factor.n):
            s.x[i] = 0.0
        error = largest(m.end_c_rate, m.n_c)
        size = min(1.0, largest(s.new, m.n_v)) if m.is_wide else 1.0
        is_off = EXACT * size < error < 0.5 * worst
        worst = error
        if is_off:
            for i in range(m.n_c):
                s.x[m.place[m.n_v + i]] = -m.end_c_rate[i]
            solve_lower(m.factor, s.x)
        for island in range(n_islands):
            n = still_rows(m, s, island)
            if n > 0:
                is_off = take_errors_away(m, s, n) or is_off
        if not is_off:
            return
        solve_upper(m.factor, s.x)
        s.is_looked_at = 0
        for i in range(m.n_v):
            s.new[i] += s.x[m.place[i]]
