"""Slip that turns or reverses within a step (TS-11), for steps that know more than their end.

The laws of friction ask for the slip at the end of a step. What slides on rubs against its mean
slip: the part across that the end has more than the mean is left out. What stops at τ and slides
back has the slip a (h − τ) at the end, not zero. Both are offsets of the slip that laws are asked
with; they are found in rounds. Clutches side by side stop together, and count together.
"""

from __future__ import annotations

from jourdain.solvers.timestep.friction import response_between
from jourdain.solvers.timestep.records import COUNT, FIRST, IS_DRY, LEANS_ON, POINT

SAME_WAY = 0.99
"""Cosine of the angle by which the slip may turn within a step."""
PARALLEL = 1e-12
"""What the squared cosine between two rows that slide in proportion may lack of one."""
STRAIGHT = 1e-6
"""Part of the slip; less of it across its direction counts as nothing."""


def refine_turns(m, s):
    """Offsets of the slip of all points; return their change as a part of the speeds of rows."""
    most = 0.0
    for k in range(m.n_points):
        at = POINT * k
        row, count = m.points[at + FIRST], m.points[at + COUNT]
        if count > 0 and s.is_half[row] and s.active[k] != 2 and not s.gives_back[k]:
            old_x, old_y, own = s.turn[row], 0.0, s.own[row]
            s.turn[row] = 0.0
            if count == 2:
                old_y = s.turn[row + 1]
                own += s.own[row + 1]
                s.turn[row + 1] = 0.0
            s.goes_back[k] = 1 if reverses(m, s, k) else 0
            if count == 2 and not s.goes_back[k]:
                turn_across(m, s, row)
            change = abs(s.turn[row] - old_x)
            if count == 2:
                change += abs(s.turn[row + 1] - old_y)
            scale = (own * s.all_energy) ** 0.5
            if scale > 0.0:
                most = max(most, change / scale)
    return most


def leave_out_turns(m, s):
    """Take no offset of slips that reverse: what the others do then is not found."""
    for k in range(m.n_points):
        first = m.points[POINT * k + FIRST]
        for row in range(first, first + m.points[POINT * k + COUNT] if s.goes_back[k] else first):
            s.turn[row] = 0.0
    for k in range(m.n_points):
        s.goes_back[k] = 0


def turn_across(m, s, row):
    """Offset of a slip along two rows that slides on in about the same direction."""
    x, y = m.end_u[row], m.end_u[row + 1]
    old_x = m.u[row] - 0.5 * s.h * m.bias[row]
    old_y = m.u[row + 1] - 0.5 * s.h * m.bias[row + 1]
    size, along = x * x + y * y, x * old_x + y * old_y
    if along > SAME_WAY * (size * (old_x * old_x + old_y * old_y)) ** 0.5:
        across = 0.5 * (x * old_y - y * old_x) / size
        s.turn[row] = across * y
        s.turn[row + 1] = -across * x


def holding(m, s, k):
    """Impulse of the step by which the capacity of a point is multiplied."""
    lead = m.points[POINT * k + LEANS_ON]
    return s.impulses[lead] if lead >= 0 else s.h * m.points[POINT * k + IS_DRY]


def sum_parallel(m, s, k):
    """Slip by friction along one row, and at its limits, of a point and all that stop with it."""
    row, sums = m.points[POINT * k + FIRST], s.scratch
    sums[0], sums[1], sums[2] = 0.0, 0.0, 0.0
    for i in range(s.island_first[s.island_of[k]], s.island_first[s.island_of[k] + 1]):
        j = s.island_points[i]
        other = m.points[POINT * j + FIRST]
        if m.points[POINT * j + COUNT] == 1 and s.is_half[other]:
            by = response_between(m, s, row, other)
            if by * by > (1.0 - PARALLEL) * s.own[row] * s.own[other]:
                sums[0] += by * s.impulses[other]
                size = abs(by) * holding(m, s, j)
                sums[1] += size * m.capacity[2 * j]
                sums[2] += size * max(m.capacity[2 * j], m.static[2 * j])


def share_reversals(m, s):
    """Give points that reverse together the same part of their limits; their sum is known alone."""
    for k in range(m.n_points):
        row = m.points[POINT * k + FIRST]
        if s.goes_back[k] and m.points[POINT * k + COUNT] == 1:
            sum_parallel(m, s, k)
            share = s.scratch[0] / s.scratch[1] if s.scratch[1] > 0.0 else 0.0
            s.at_end[row] = share * holding(m, s, k) * m.capacity[2 * k]
    for k in range(m.n_points):
        row = m.points[POINT * k + FIRST]
        if s.goes_back[k] and m.points[POINT * k + COUNT] == 1:
            s.impulses[row] = s.at_end[row]


def reverses(m, s, k):
    """Offset of a slip that stops and goes back within the step; tell whether it does."""
    at = POINT * k
    row, is_plane, hold = m.points[at + FIRST], m.points[at + COUNT] == 2, holding(m, s, k)
    x, y = m.u[row] - 0.5 * s.h * m.bias[row], 0.0
    if is_plane:
        y = m.u[row + 1] - 0.5 * s.h * m.bias[row + 1]
    slip = (x * x + y * y) ** 0.5
    if not slip > 0.0 or not hold > 0.0 or s.is_fixed[row]:
        return False
    x, y = x / slip, y / slip
    own, end, impulse = x * x * s.own[row], x * m.end_u[row], x * s.impulses[row]
    if is_plane:
        if m.capacity[2 * k] != m.capacity[2 * k + 1]:
            return False
        other = row + 1
        if s.is_fixed[other]:
            return False
        own += 2.0 * x * y * response_between(m, s, row, other) + y * y * s.own[other]
        end += y * m.end_u[other]
        impulse += y * s.impulses[other]
        across = abs(x * m.end_u[other] - y * m.end_u[row])
        across += own * abs(x * s.impulses[other] - y * s.impulses[row])
        if across > STRAIGHT * slip:
            return False
    most = max(m.capacity[2 * k], m.static[2 * k])
    sums = s.scratch
    sums[0], sums[1], sums[2] = own * impulse, own * hold * m.capacity[2 * k], own * hold * most
    if not is_plane:
        sum_parallel(m, s, k)
        sums[0] *= x
    free, limit = end - sums[0] - slip, sums[1]  # change of the slip by all but friction
    if free > limit - slip or -free <= sums[2]:
        return False
    back = (free + limit) * (1.0 - slip / (limit - free))
    s.turn[row] = x * back
    if is_plane:
        s.turn[row + 1] = y * back
    return True
