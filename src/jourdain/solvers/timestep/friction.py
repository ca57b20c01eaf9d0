"""Friction in a step: what sticks holds more, what breaks away, what could as well jam."""

from __future__ import annotations

from jourdain.equations.contact.contact_points import SLOW
from jourdain.solvers.timestep.assembly import copy
from jourdain.solvers.timestep.records import (
    COUNT,
    FIRST,
    IS_DRY,
    LEANS_ON,
    NORMAL,
    OPEN,
    POINT,
    STICKS,
)
from jourdain.solvers.timestep.rows import APPROACH, meets

EDGE = 1e-9
"""Part of its limit from which on friction slides."""
REST = 1e-9
"""Part of the speed that forces give in a step up to which what sticks is at rest."""


def friction_part(m, s, k):
    """Friction of a point as a part of what it can be; 2 where it has none."""
    at = POINT * k
    count, first = m.points[at + COUNT], m.points[at + FIRST]
    lead = m.points[at + LEANS_ON]
    hold = s.h if m.points[at + IS_DRY] else 0.0
    if lead >= 0:
        hold = s.impulses[lead]
    total = 0.0
    for i in range(count):
        limit = hold * m.capacity[2 * k + i]
        if not limit > 0.0:
            return 2.0
        total += (s.impulses[first + i] / limit) ** 2
    return total**0.5 if count > 0 else 2.0


def hold_more(m, s):
    """Give points that stick their static capacity, as long as it is not used up."""
    copy(m.capacity, 2 * m.n_points, s.sliding)
    for k in range(m.n_points):
        if s.is_held[k]:
            m.capacity[2 * k] = m.static[2 * k]
            m.capacity[2 * k + 1] = m.static[2 * k + 1]


def find_held(m, s):
    """Mark the points that stick, or meet without sliding."""
    for k in range(m.n_points):
        at = POINT * k
        is_slow = True
        for i in range(m.points[at + COUNT]):
            row = m.points[at + FIRST] + i
            slip = abs(m.u[row] - 0.5 * s.h * m.bias[row])
            is_slow = is_slow and slip <= APPROACH * (s.own[row] * s.all_energy) ** 0.5
        s.is_held[k] = 1 if s.mode[k] == STICKS or (s.mode[k] == OPEN and is_slow) else 0


def slips(m, s, k):
    """Tell whether a point slides faster at the end of the step than rounding explains."""
    first = m.points[POINT * k + FIRST]
    for row in range(first, first + m.points[POINT * k + COUNT]):
        slip = m.u[row] + s.correction[row]
        for e in range(m.W_start[row], m.W_start[row + 1]):
            slip += m.W[e] * s.delta[m.W_column[e]]
        if abs(slip) > REST * (s.own[row] * s.all_energy) ** 0.5:
            return True
    return False


def break_away(m, s):
    """Let points slide that hold all they can and move; tell whether there are any.

    Where more points rest than needed, one may hold all it can while the others keep it at rest.
    """
    found = False
    for k in range(m.n_points):
        if s.is_held[k] and friction_part(m, s, k) >= 1.0 - EDGE and slips(m, s, k):
            s.is_held[k] = 0
            if m.static[2 * k] != s.sliding[2 * k] or m.static[2 * k + 1] != s.sliding[2 * k + 1]:
                m.capacity[2 * k] = s.sliding[2 * k]
                m.capacity[2 * k + 1] = s.sliding[2 * k + 1]
                found = True
    return found


def response_between(m, s, row, other):
    """Velocity of a row after a unit impulse along another one, both half solved."""
    f, total, q = m.factor, 0.0, m.reach_start[other]
    end = m.reach_start[other + 1]
    for p in range(m.reach_start[row], m.reach_start[row + 1]):
        k = m.reach[p]
        while q < end and m.reach[q] < k:
            q += 1
        if q < end and m.reach[q] == k:
            total += s.half[p] * s.half[q] * f.D_inverse[k]
    return total


def may_jam(m, s, k):
    """Tell whether the normal force of a sliding contact pulls it together (Painlevé)."""
    normal = m.points[POINT * k + NORMAL]
    if s.is_fixed[normal]:
        return False
    total, slides = s.own[normal], False
    for p in range(m.friction_start[k], m.friction_start[k + 1]):
        j = m.friction[p]
        first, count = m.points[POINT * j + FIRST], m.points[POINT * j + COUNT]
        slip, size = 0.0, 0.0
        for i in range(count):
            slip += m.u[first + i] ** 2
            size += (m.capacity[2 * j + i] * m.u[first + i]) ** 2
        if slip**0.5 > SLOW and size > 0.0:
            slides = True
            for i in range(count):
                share = m.capacity[2 * j + i] ** 2 * m.u[first + i] / size**0.5
                total -= response_between(m, s, normal, first + i) * share
    return slides and total < 0.0


def find_jams(m, s):
    """Mark contacts that slide and could as well jam; tell whether one is new."""
    s.has_jam = 0
    for k in range(m.fixed_points):
        is_jam = False
        slides = s.active[k] and s.mode[k] != STICKS and m.points[POINT * k + NORMAL] >= 0
        if slides and not meets(m, s, k):
            is_jam = may_jam(m, s, k)
        if is_jam and not s.jams[k]:
            s.has_jam = 1
        s.jams[k] = 1 if is_jam else 0
