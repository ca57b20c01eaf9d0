"""Found contacts as contact points of a step: their table, rows, laws, and what was kept of them.

A contact has a normal row and, with friction, two tangents; rolling and drilling friction are
points of their own behind it, as for single contacts. Rows are those of the bodies' Jacobians at
the points that were found.
"""

from __future__ import annotations

from jourdain.codegen.translator.loops import call
from jourdain.solvers.collision.layout import CAPACITY
from jourdain.solvers.timestep.groups.axes import along, motion_into, tangents_into
from jourdain.solvers.timestep.groups.records import (
    APPROACH,
    BAND,
    BY_POISSON,
    CODE,
    DRILL,
    DRILLING,
    DRILLS,
    GAP,
    GROUP,
    IMPULSE,
    JAM,
    KEPT,
    KEPT_INTEGERS,
    LAW,
    LAW_INTEGERS,
    MODES,
    MOMENT,
    MU,
    POINTERS,
    ROLL,
    ROLLING,
    ROLLS,
    SLIP,
    SPIN,
    STATIC,
    TANGENTIAL,
    TANGENTS,
    TURN,
    VELOCITY,
    WAY,
)
from jourdain.solvers.timestep.records import (
    CONNECTION,
    COUNT,
    FIRST,
    HAS_GAP,
    IS_DRY,
    IS_POISSON,
    LEANS_ON,
    NORMAL,
    POINT,
)

_TINY = 1e-24  # [m²/s²] keeps roots of speeds from zero


def list_columns(g, b, points, p, sign, n):
    """List the coordinates that move a body, with the velocities at a point that they cause."""
    for e in range(g.column_start[b], g.column_start[b + 1]):
        v, j = g.columns[e], 6 * e
        if g.is_marked[v] < 0:
            g.is_marked[v] = n
            g.listed[n] = v
            for i in range(6):
                g.row_values[6 * n + i] = 0.0
            n += 1
        at, o = 6 * g.is_marked[v], 12 * b + 9
        x, y = points[p] - g.middle[o], points[p + 1] - g.middle[o + 1]
        z, a, c, d = points[p + 2] - g.middle[o + 2], g.J[j], g.J[j + 1], g.J[j + 2]
        g.row_values[at] += sign * (g.J[j + 3] + c * z - d * y)
        g.row_values[at + 1] += sign * (g.J[j + 4] + d * x - a * z)
        g.row_values[at + 2] += sign * (g.J[j + 5] + a * y - c * x)
        g.row_values[at + 3] += sign * a
        g.row_values[at + 4] += sign * c
        g.row_values[at + 5] += sign * d
    return n


def columns_of(m, g, c):
    """List the coordinates that move a contact; return how many."""
    room, i, j = g.state[CAPACITY], g.ids[2 * c], g.ids[2 * c + 1]
    n = 0
    if g.body_of[i] >= 0:
        n = list_columns(g, g.body_of[i], g.out, 4 * room + 3 * c, -1.0, n)
    if g.body_of[j] >= 0:
        n = list_columns(g, g.body_of[j], g.out, 7 * room + 3 * c, 1.0, n)
    for k in range(n):
        g.is_marked[g.listed[k]] = -1
    return n


def reach_into(m, g, row, n):
    """Columns that the listed coordinates fill in the order of elimination, ascending."""
    start, count = m.reach_start[row], 0
    for i in range(n):
        k = m.place[g.listed[i]]
        while k >= 0 and g.is_marked[k] < 0:
            g.is_marked[k] = 1
            at = start + count
            while at > start and m.reach[at - 1] > k:
                m.reach[at] = m.reach[at - 1]
                at -= 1
            m.reach[at] = k
            count += 1
            k = g.parent[k]
    for p in range(start, start + count):
        g.is_marked[m.reach[p]] = -1
    m.reach_start[row + 1] = start + count


def add_row(m, s, g, n, axis, first):
    """Row of the listed coordinates along an axis: velocities (first 0) or spins (first 3)."""
    row = m.n_rows
    at = m.W_start[row]
    for i in range(n):
        m.W_column[at + i] = g.listed[i]
        m.W[at + i] = along(g.axes, axis, g.row_values, 6 * i + first)
    m.W_start[row + 1] = at + n
    if row > m.fixed_rows and m.W_column[m.W_start[row - 1]] >= 0 and g.is_same:
        start, before = m.reach_start[row], m.reach_start[row - 1]
        for p in range(start - before):
            m.reach[start + p] = m.reach[before + p]
        m.reach_start[row + 1] = start + (start - before)
    else:
        reach_into(m, g, row, n)
    g.is_same = 1
    m.u[row] = along(g.axes, axis, g.moves, first)
    s.mean[row] = 0.0
    m.n_rows += 1
    return row


def add_point(m, s, g, normal, first, count, lead):
    """Entry of the table of contact points; return its number."""
    k = m.n_points
    at = POINT * k
    m.points[at + NORMAL] = normal
    m.points[at + FIRST] = first
    m.points[at + COUNT] = count
    m.points[at + HAS_GAP] = 1 if normal >= 0 else 0
    m.points[at + LEANS_ON] = lead
    m.points[at + IS_DRY] = 0
    m.points[at + IS_POISSON] = 0
    m.points[at + CONNECTION] = 0
    m.friction_start[k + 1] = m.friction_start[k]
    m.gaps[k] = 0.0
    m.end_gaps[k] = 0.0
    s.mode[k] = 0
    s.stays[k] = 0
    s.jams[k] = 0
    s.noted[k] = 0
    s.was_noted[k] = 0
    s.is_late[k] = 0
    s.goes_back[k] = 0
    s.gives_back[k] = 0
    m.tangential[k] = 0.0
    s.band[k] = 1e300
    s.start_gaps[k] = 0.0
    m.n_points += 1
    return k


def use_friction(m, lead, k, sliding, static):
    """Let a point resist sliding or turning with coefficients, under the force of another one."""
    m.friction[m.friction_start[lead + 1]] = k
    m.friction_start[lead + 1] += 1
    for i in range(2):
        m.capacity[2 * k + i] = sliding
        m.static[2 * k + i] = static


def take_law(g, law, slip, approach, roll, drill):
    """Numbers of a law at speeds, to ``g.law_now``."""
    for i in range(LAW):
        g.law_now[i] = g.laws[LAW * law + i]
    code = LAW_INTEGERS * law + CODE
    if g.law_integers[code] != 0:
        g.speeds[SLIP] = slip
        g.speeds[APPROACH] = approach
        g.speeds[ROLL] = roll
        g.speeds[DRILL] = drill
        call(g.law_integers[code], g.law_integers[LAW_INTEGERS * law + POINTERS])


def across(axes, at, x, i):
    """Size of the part of a vector across a normal."""
    a, b = along(axes, at + 3, x, i), along(axes, at + 6, x, i)
    return (a * a + b * b + _TINY) ** 0.5


def add_contact(m, s, g, c):
    """Contact point, rows and laws of a found contact."""
    room, i, j, axis = g.state[CAPACITY], g.ids[2 * c], g.ids[2 * c + 1], 9 * c
    law = g.law_table[g.n_kinds * g.kind_of[i] + g.kind_of[j]]
    about = LAW_INTEGERS * law
    for k in range(3):
        g.axes[axis + k] = g.out[room + 3 * c + k]
    g.sides[c] = -1.0 if g.axes[axis + 2] < 0.0 else 1.0
    tangents_into(g.axes, axis, g.sides[c])
    motion_into(g, i, j, g.out, 4 * room + 3 * c, 7 * room + 3 * c, g.moves, 0)
    spin = abs(along(g.axes, axis, g.moves, 3))
    take_law(g, law, across(g.axes, axis, g.moves, 0), 0.0, across(g.axes, axis, g.moves, 3), spin)
    n = columns_of(m, g, c)
    g.is_same = 0
    g.law_of[c] = law
    row = add_row(m, s, g, n, axis, 0)
    count = g.law_integers[about + TANGENTS]
    own = add_point(m, s, g, row, row + 1, count, row)
    g.point_of[c] = own
    m.gaps[own] = g.out[c]
    s.height[own] = 0.0
    for k in range(3):
        s.height[own] -= g.weight[k] * g.out[4 * room + 3 * c + k]
    s.point_of[row] = own
    m.points[POINT * own + IS_POISSON] = g.law_integers[about + BY_POISSON]
    m.points[POINT * own + CONNECTION] = g.law_integers[about + GROUP]
    m.tangential[own] = g.law_now[TANGENTIAL]
    for k in range(count):
        add_row(m, s, g, n, axis + 3 + 3 * k, 0)
    for k in range(2):
        m.capacity[2 * own + k] = 0.0
        m.static[2 * own + k] = 0.0
    if count > 0:
        use_friction(m, own, own, 0.0, 0.0)
        for k in range(2):
            m.capacity[2 * own + k] = g.law_now[MU + k]
            m.static[2 * own + k] = g.law_now[STATIC + k]
    if g.law_integers[about + ROLLS]:
        first = add_row(m, s, g, n, axis + 3, 3)
        add_row(m, s, g, n, axis + 6, 3)
        k = add_point(m, s, g, -1, first, 2, row)
        use_friction(m, own, k, g.law_now[ROLLING], g.law_now[ROLLING])
    if g.law_integers[about + DRILLS]:
        first = add_row(m, s, g, n, axis, 3)
        k = add_point(m, s, g, -1, first, 1, row)
        use_friction(m, own, k, g.law_now[DRILLING], g.law_now[DRILLING])
    end_friction(m, own)
    for own_row in range(row, m.n_rows):
        s.owner[own_row] = own


def end_friction(m, own):
    """Let the lists of points behind a contact begin where its own ends."""
    for k in range(own + 1, m.n_points):
        m.friction_start[k + 1] = m.friction_start[own + 1]


def recall_row(m, s, g, row, axis, impulse, way, velocity):
    """What was kept of a row: impulse, way since it sticks, and how it turns."""
    s.last[row] = along(g.axes, axis, g.kept, impulse)
    s.anchor[row] = along(g.axes, axis, g.kept, way)
    m.bias[row] = 2.0 * (m.u[row] - along(g.axes, axis, g.kept, velocity)) / s.h


def recall_contact(m, s, g, c, old):
    """Take what was kept of a contact; ``old`` is its place, −1: nothing."""
    k = g.point_of[c]
    row, last = m.points[POINT * k + NORMAL], m.n_points
    if c + 1 < g.n_found:
        last = g.point_of[c + 1]
    if old < 0:
        s.start_gaps[k] = m.gaps[k] - 0.5 * s.h * m.u[row]
        for p in range(k, last):
            forget_rows(m, s, p)
        return
    at, axis = KEPT * old, 9 * c
    recall_row(m, s, g, row, axis, at + IMPULSE, at + WAY, at + VELOCITY)
    for i in range(m.points[POINT * k + COUNT]):
        recall_row(m, s, g, row + 1 + i, axis + 3 + 3 * i, at + IMPULSE, at + WAY, at + VELOCITY)
    s.start_gaps[k] = g.kept[at + GAP]
    s.band[k] = g.kept[at + BAND]
    s.jams[k] = g.kept_integers[KEPT_INTEGERS * old + JAM]
    for p in range(k, last):
        s.mode[p] = g.kept_integers[KEPT_INTEGERS * old + MODES + p - k]
    for p in range(k + 1, last):
        first, is_roll = m.points[POINT * p + FIRST], m.points[POINT * p + COUNT] == 2
        for i in range(m.points[POINT * p + COUNT]):
            own = axis + 3 + 3 * i if is_roll else axis
            recall_row(m, s, g, first + i, own, at + MOMENT, at + TURN, at + SPIN)


def forget_rows(m, s, k):
    """Rows of a point that is new."""
    at = POINT * k
    if m.points[at + NORMAL] >= 0:
        forget_row(m, s, m.points[at + NORMAL])
    for i in range(m.points[at + COUNT]):
        forget_row(m, s, m.points[at + FIRST] + i)


def forget_row(m, s, row):
    """Row of which nothing is known."""
    s.last[row] = 0.0
    s.anchor[row] = 0.0
    m.bias[row] = 0.0
