"""Contacts of a step: found in its middle, looked at again at its end."""

from __future__ import annotations

from jourdain.solvers.collision.layout import CAPACITY
from jourdain.solvers.collision.layout import COUNT as N_FOUND
from jourdain.solvers.timestep.assembly import evaluate
from jourdain.solvers.timestep.free.vectors import times_into, transposed_times_into
from jourdain.solvers.timestep.groups.axes import along, motion_into, tangents_into
from jourdain.solvers.timestep.groups.memory import find_kept, keep_contacts
from jourdain.solvers.timestep.groups.records import RESTITUTION
from jourdain.solvers.timestep.groups.rows import add_contact, recall_contact, take_law
from jourdain.solvers.timestep.groups.search import (
    FOUND,
    NEAR,
    fastest,
    place_contours,
    points_of_pair,
    search_contacts,
)
from jourdain.solvers.timestep.records import (
    BODIES,
    COLUMNS,
    COUNT,
    FIRST,
    NORMAL,
    POINT,
)
from jourdain.solvers.timestep.rows import BAND, caused, half_solve, half_solve_point

MANY = 3
"""Contacts that act from which on approaching ones take part before they overlap."""
_AXES = 9  # place of the axes at the end behind those of the contacts


def search_middle(m, s, g):
    """Search contacts in the middle of the step, where the machine was evaluated."""
    evaluate(m, s, BODIES)
    evaluate(m, s, COLUMNS)
    for b in range(g.n_bodies):
        for i in range(12):
            g.middle[12 * b + i] = g.frames[12 * b + i]
    place_contours(g, g.poses)
    return search_contacts(g, NEAR + s.h * (fastest(g) + s.h * g.gravity))


def take_contacts(m, s, g):
    """Make contact points of the found contacts."""
    m.n_points = m.fixed_points
    m.n_rows = m.fixed_rows
    g.n_found = g.state[N_FOUND]
    for c in range(g.n_found):
        add_contact(m, s, g, c)
    find_kept(g)
    for c in range(g.n_found):
        recall_contact(m, s, g, c, g.matches[c])


def law_restitutions(m, g):
    """Restitution of found contacts at their speeds of approach."""
    for c in range(g.n_found):
        k = g.point_of[c]
        if m.speeds[k] > 0.0:
            take_law(g, g.law_of[c], 0.0, m.speeds[k], 0.0, 0.0)
            m.e[k] = g.law_now[RESTITUTION]


def look_ahead(m, s, g):
    """Let open contacts take part that others may close within the step (TS-14).

    They ask for ``g + (h/2) u⁺ ≥ 0``; but those that come with the speed of an impact wait for it,
    unless many contacts act: there they take part where they hardly rebound, for overlaps would
    shake the others.
    """
    count = 0
    for c in range(g.n_found):
        count += s.active[g.point_of[c]]
    for c in range(g.n_found if count > 0 else 0):  # nothing closes what is alone
        k = g.point_of[c]
        row = m.points[POINT * k + NORMAL]
        if not s.active[k] and m.gaps[k] <= g.margin:
            half_solve(m, s, row)
            pull = abs(caused(m, s, row, s.z)) + s.h * abs(m.bias[row])
            speed = 0.5 * s.h * m.bias[row] - m.u[row]
            if speed <= 2.0 * pull or (count > MANY and hardly_rebounds(s, g, c, speed)):
                half_solve_point(m, s, k)
                s.active[k] = 1
                s.is_ahead[k] = 1
                s.band[k] = BAND * s.h * pull


def hardly_rebounds(s, g, c, speed):
    """Tell whether a contact leaves an approach slower than forces can explain."""
    take_law(g, g.law_of[c], 0.0, speed, 0.0, 0.0)
    return g.law_now[RESTITUTION] * speed <= 2.0 * s.h * g.gravity


def look_at_contacts(m, s, g):
    """Gaps and velocities of the found contacts at the end of the step."""
    evaluate(m, s, BODIES)
    place_contours(g, g.end_poses)
    room, last_i, last_j = g.state[CAPACITY], -1, -1
    for c in range(g.n_found):
        i, j = g.ids[2 * c], g.ids[2 * c + 1]
        if i != last_i or j != last_j:
            g.end_state[N_FOUND] = 0
            points_of_pair(g, g.end_poses, i, j, 3.0 * g.margin, g.end_out, g.end_ids, g.end_state)
            last_i = i
            last_j = j
        e = place_of_feature(g, g.ids[2 * room + c])
        if e >= 0:
            look_at_found(m, g, c, e)
        else:
            follow(m, g, c)


def place_of_feature(g, feature):
    """Contact of the present pair with a feature at the end; −1 if it is gone."""
    room = g.end_state[CAPACITY]
    for e in range(min(g.end_state[N_FOUND], room)):
        if g.end_ids[2 * room + e] == feature:
            return e
    return -1


def look_at_found(m, g, c, e):
    """Gap and velocities at the end of a contact that is there again."""
    room, axis = g.end_state[CAPACITY], _AXES * g.room
    m.end_gaps[g.point_of[c]] = g.end_out[e]
    for i in range(3):
        g.axes[axis + i] = g.end_out[room + 3 * e + i]
    tangents_into(g.axes, axis, g.sides[c])
    i, j = g.ids[2 * c], g.ids[2 * c + 1]
    motion_into(g, i, j, g.end_out, 4 * room + 3 * e, 7 * room + 3 * e, g.moves, 6 * c)
    end_rates(m, g, c, axis)


def end_rates(m, g, c, axis):
    """Velocities of all rows of a contact along given axes."""
    k = g.point_of[c]
    last = g.point_of[c + 1] if c + 1 < g.n_found else m.n_points
    m.end_u[m.points[POINT * k + NORMAL]] = along(g.axes, axis, g.moves, 6 * c)
    for p in range(k, last):
        first, count = m.points[POINT * p + FIRST], m.points[POINT * p + COUNT]
        for i in range(count):
            own = axis if p > k and count == 1 else axis + 3 + 3 * i
            m.end_u[first + i] = along(g.axes, own, g.moves, 6 * c + (3 if p > k else 0))


def follow_point(g, b, points, p, to, at):
    """Point of the middle at the end of the step, moved on with its body."""
    for i in range(3):
        to[at + i] = points[p + i]
    if b >= 0:
        for i in range(3):
            to[at + 6 + i] = points[p + i] - g.middle[12 * b + 9 + i]
        transposed_times_into(g.middle, 12 * b, to, at + 6, to, at + 9)
        times_into(g.frames, 12 * b, to, at + 9, to, at)
        for i in range(3):
            to[at + i] += g.frames[12 * b + 9 + i]


def follow(m, g, c):
    """Gap and velocities at the end of a contact whose feature is gone: points move on."""
    room, i, j, w = g.state[CAPACITY], g.ids[2 * c], g.ids[2 * c + 1], g.row_values
    follow_point(g, g.body_of[i], g.out, 4 * room + 3 * c, w, 0)
    follow_point(g, g.body_of[j], g.out, 7 * room + 3 * c, w, 3)
    gap = 0.0
    for k in range(3):
        gap += g.axes[9 * c + k] * (w[3 + k] - w[k])
    m.end_gaps[g.point_of[c]] = gap
    motion_into(g, i, j, w, 0, 3, g.moves, 6 * c)
    end_rates(m, g, c, 9 * c)


def look_at_start(m, s, g):
    """Search contacts at the present state, and keep their gaps and velocities; return a result."""
    result = search_middle(m, s, g)
    if result == FOUND:
        take_start(m, s, g)
    return result


def take_start(m, s, g):
    """Keep gaps and velocities of contacts that were found at the start."""
    take_contacts(m, s, g)
    room = g.state[CAPACITY]
    for c in range(g.n_found):
        i, j = g.ids[2 * c], g.ids[2 * c + 1]
        m.end_gaps[g.point_of[c]] = g.out[c]
        motion_into(g, i, j, g.out, 4 * room + 3 * c, 7 * room + 3 * c, g.moves, 6 * c)
    keep_contacts(m, s, g)
    return FOUND
