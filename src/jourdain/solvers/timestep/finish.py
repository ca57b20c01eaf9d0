"""End of a step: modes and works of the contacts, rest, positions, the new state."""

from __future__ import annotations

from jourdain.solvers.timestep.alpha import end_alpha, hold_aside
from jourdain.solvers.timestep.assembly import copy, evaluate, move
from jourdain.solvers.timestep.free.flight import belong_to
from jourdain.solvers.timestep.friction import EDGE, REST, find_jams, friction_part, slips
from jourdain.solvers.timestep.groups.memory import keep_contacts
from jourdain.solvers.timestep.groups.samples import sum_works
from jourdain.solvers.timestep.positions.corrections import hold_velocities, look_at_end, project
from jourdain.solvers.timestep.positions.overlaps import push_apart
from jourdain.solvers.timestep.records import (
    CONNECTION,
    COUNT,
    FIRST,
    HAS_GAP,
    IS_DRY,
    LEANS_ON,
    NORMAL,
    OPEN,
    PARAMETERS,
    POINT,
    SLIDES,
    STICKS,
)
from jourdain.solvers.timestep.rows import caused, meets
from jourdain.solvers.timestep.slip import share_reversals

STILL = 1e-12
"""The same for what has friction at its limit: the contact equations are not solved better."""


def rests(m, s, island):
    """Tell whether the coordinates of an island are at rest: slow, and held inside of the sets."""
    f, fastest = m.factor, 0.0
    limit = REST * REST * s.energy[island]
    for i in range(m.n_v):
        k = m.place[i]
        if s.island_number[s.leader_root[k]] == island:
            own = 0.0
            for p in range(f.entry_start[k], f.entry_start[k + 1]):
                if f.entry_column[p] == k:
                    own = f.entries[p]
            v = max(abs(s.new[i]), abs(s.y[m.n_q + i]))
            if not own * v * v <= limit:
                return False
            fastest = max(fastest, own * v * v)
    if fastest <= STILL * STILL * s.energy[island]:
        return True
    for i in range(s.island_first[island], s.island_first[island + 1]):
        k = s.island_points[i]
        if s.mode[k] != STICKS and s.impulses_of[k] != 0.0:
            return False
    return True


def settle(m, s):
    """Set islands at rest that are slow and held; return how many."""
    count = 0
    for island in range(s.n_islands):
        if not s.sleeps[island] and rests(m, s, island):
            count += 1
            s.is_looked_at = 0
            for i in range(m.n_v):
                if s.island_number[s.leader_root[m.place[i]]] == island:
                    s.new[i] = 0.0
                    s.way[i] = 0.0
                    s.aside[i] = 0.0
    if count > 0:
        m.t[0] = s.now + 0.5 * s.h
        move(m, s, s.q_middle, s.way, s.h, s.q_new)
    return count


def take_modes(m, s):
    """Modes of all points after the step, and what acts."""
    for k in range(m.n_points):
        at = POINT * k
        row, first = m.points[at + NORMAL], m.points[at + FIRST]
        lead = m.points[at + LEANS_ON]
        acts = m.points[at + IS_DRY] == 1
        if lead >= 0:
            acts = s.impulses[lead] > 0.0
        share = friction_part(m, s, k) if acts else 2.0
        is_new = s.mode[k] != STICKS
        s.mode[k] = OPEN
        if acts:
            holds = share < 1.0 - EDGE
            if m.has_static and s.is_held[k] and m.points[at + COUNT] > 0:
                holds = holds or not slips(m, s, k)
            moves = s.goes_back[k] or s.gives_back[k]
            s.mode[k] = STICKS if holds and not moves else SLIDES
        s.stays[k] = 1 if s.mode[k] == STICKS and not is_new else 0
        s.impulses_of[k] = s.impulses[row] if row >= 0 else 0.0
        for i in range(m.points[at + COUNT]):
            s.impulses_of[k] += abs(s.impulses[first + i])


def follow_ways(m, s):
    """Ways of tangents that stick, since they do."""
    for k in range(m.n_points):
        first = m.points[POINT * k + FIRST]
        for row in range(first, first + m.points[POINT * k + COUNT]):
            way = m.u[row]
            for e in range(m.W_start[row], m.W_start[row + 1]):
                i = m.W_column[e]
                way += m.W[e] * (s.way[i] - s.y[m.n_q + i])
            s.anchor[row] = s.anchor[row] + s.h * way if s.stays[k] else 0.0


def note_modes(m, s):
    """Modes as the ledger tells them, and whether one has changed.

    What rebounds is open; what does not slide yet sticks until it moves, though it may hold all it
    can.
    """
    s.has_change = 0
    for k in range(m.fixed_points):
        at = POINT * k
        lead, first = m.points[at + LEANS_ON], m.points[at + FIRST]
        mode = s.mode[k]
        if lead >= 0 and s.wanted[lead] > 0.0:
            mode = OPEN
        stays = s.noted[k] != SLIDES and m.points[at + COUNT] > 0
        if mode == SLIDES and stays and not slips(m, s, k):
            mode = STICKS
        s.was_noted[k] = s.noted[k]
        s.is_late[k] = 0
        if lead >= 0 and m.points[POINT * s.point_of[lead] + HAS_GAP]:
            own = s.point_of[lead]
            s.is_late[k] = 1 if s.struck[own] or s.start_gaps[own] > s.band[own] else 0
        both_slide = mode == SLIDES and s.noted[k] == SLIDES
        turned = s.last[first] * (s.impulses[first] + s.hit[first]) < 0.0
        if both_slide and m.points[at + COUNT] == 1 and turned:
            s.was_noted[k] = -1
        if s.was_noted[k] != mode:
            s.has_change = 1
        s.noted[k] = mode


def late_way(m, s, row):
    """Time by which an impulse acted before the middle of the step."""
    return (s.since[s.owner[row]] - 0.5) * s.h


def take_works(m, s):
    """Work of the impulses of all rows, then of drives; and which contacts were met."""
    n = m.n_rows
    s.works[n] = 0.0
    for row in range(n):
        s.works[row] = 0.0
        impulse = s.impulses[row] + s.hit[row]
        if impulse != 0.0:
            change, drift = 0.0, m.u[row]
            for e in range(m.W_start[row], m.W_start[row + 1]):
                k = m.W_column[e]
                change += m.W[e] * s.delta[k]
                drift -= m.W[e] * s.y[m.n_q + k]
            s.works[row] = 0.5 * impulse * (2.0 * m.u[row] + change)
            if s.is_alpha:
                s.works[row] -= impulse * late_way(m, s, row) * caused(m, s, row, s.z_free) / s.h
            s.works[n] -= drift * impulse
    s.has_impact = 0
    for k in range(m.n_points):
        s.struck[k] = 0
        row = m.points[POINT * k + NORMAL]
        acts = row >= 0 and s.impulses[row] + s.hit[row] > 0.0
        if acts and (slaps(m, s, k) or (meets(m, s, k) and strikes(m, s, k))):
            s.struck[k] = 1
            s.has_impact = 1


def slaps(m, s, k):
    """Tell whether the row of a contact jumps within a step, as of a coin that falls flat.

    What touched is another point of the rim at the end of the step: it is told as an impact.
    """
    row = m.points[POINT * k + NORMAL]
    if s.is_frozen == 0 or not m.points[POINT * k + HAS_GAP]:
        return False
    turned = m.end_u[row] - m.u[row]
    for e in range(m.W_start[row], m.W_start[row + 1]):
        turned -= m.W[e] * s.delta[m.W_column[e]]
    return abs(turned) > 2.0 * abs(caused(m, s, row, s.z_free)) + s.h * abs(m.bias[row])


def strikes(m, s, k):
    """Tell whether a contact that meets is hit: errors of sweeps and their corrections are none."""
    if k < m.fixed_points or not s.is_swept[s.island_of[k]]:
        return True
    row = m.points[POINT * k + NORMAL]
    return 0.5 * s.h * m.bias[row] - m.u[row] > max(2.0 * s.h * m.groups.gravity, 1e3 * s.tolerance)


def begin_ways(m, s):
    """Ways of what has begun to stick are counted from the end of the step on."""
    for k in range(m.n_points):
        at = POINT * k
        for i in range(m.points[at + COUNT] if not s.stays[k] else 0):
            s.anchor[m.points[at + FIRST] + i] = 0.0


def goes_on(m, s, k):
    """Tell whether a point acts as in the step before, so that its forces can be continued."""
    is_same = s.noted[k] == s.was_noted[k] and s.noted[k] != OPEN
    return s.is_alpha and is_same and not s.is_late[k] and not s.goes_back[k]


def continued(s, row, lasts):
    """Force of a row at the end of the step, from its means in this and the last step (TS-13).

    Means of steps in which something begins may hold impacts: they are not continued.
    """
    mean = (s.impulses[row] + s.hit[row]) / s.h
    before = s.mean[row]
    s.mean[row] = mean if lasts else 0.0
    return mean + 0.5 * (mean - before) if lasts and before != 0.0 else mean


def take_forces(m, s):
    """Forces at the end of the step; friction stays the part of its normal force that it was."""
    for k in range(m.n_points):
        at = POINT * k
        row, lead, lasts = m.points[at + NORMAL], m.points[at + LEANS_ON], goes_on(m, s, k)
        if row >= 0:
            s.at_end[row] = max(0.0, continued(s, row, lasts))
        share, sticks = 1.0, s.mode[k] == STICKS
        if lead >= 0 and s.impulses[lead] + s.hit[lead] > 0.0 and not sticks:
            share = s.at_end[lead] * s.h / (s.impulses[lead] + s.hit[lead])
        for i in range(m.points[at + COUNT]):
            tangent = m.points[at + FIRST] + i
            s.at_end[tangent] = share * continued(s, tangent, lasts and sticks)
        if sticks:
            bring_inside(m, s, k)


def bring_inside(m, s, k):
    """Friction of a point that sticks, shortened to what it can be."""
    at, total, normal = POINT * k, 0.0, 1.0
    first, count = m.points[at + FIRST], m.points[at + COUNT]
    if m.points[at + LEANS_ON] >= 0:
        normal = s.at_end[m.points[at + LEANS_ON]]
    for i in range(count):
        limit = normal * m.capacity[2 * k + i]
        total += (s.at_end[first + i] / max(limit, 1e-300)) ** 2
    for i in range(count if total > 1.0 else 0):
        s.at_end[first + i] /= total**0.5


def note_overlap(m, s):
    """Remember the largest overlap of the run: what rebounds waits for the next step."""
    for k in range(m.n_points):
        if m.end_gaps[k] < s.deepest and m.points[POINT * k + HAS_GAP]:
            s.deepest = m.end_gaps[k]
            s.deepest_at = s.now + s.h
            s.deepest_of = k
            if k >= m.fixed_points:
                s.deepest_of = m.fixed_points + m.points[POINT * k + CONNECTION]


def finish_step(m, s):
    """Modes, works, positions, and the new state."""
    if s.is_alpha:
        end_alpha(m, s)
        share_reversals(m, s)
    find_jams(m, s)
    take_modes(m, s)
    take_works(m, s)
    note_modes(m, s)
    take_forces(m, s)
    if settle(m, s) > 0 and (m.has_gaps or m.n_c > 0):
        look_at_end(m, s)
    follow_ways(m, s)
    if m.has_gaps or m.n_c > 0 or s.corrects:
        if s.is_alpha:
            hold_aside(m, s, s.n_islands)
        project(m, s, s.n_islands)
        if s.corrects and m.has_gaps:
            push_apart(m, s)
        if m.n_c > 0 or m.is_wide or (s.is_alpha and not m.is_straight):
            hold_velocities(m, s, s.n_islands if s.is_alpha or m.is_wide else 0)
    begin_ways(m, s)
    if m.n_parameters > 0:
        s.is_looked_at = 0
        copy(s.q_new, m.n_q, m.q)
        copy(s.new, m.n_v, m.v)
        m.t[0] = s.now + s.h
        evaluate(m, s, PARAMETERS)
        for i in range(m.n_parameters):
            s.q_new[m.parameter_place[i]] = m.parameters[i]
    if m.has_gaps:
        look_at_end(m, s)
        copy(m.end_gaps, m.n_points, s.start_gaps)
        note_overlap(m, s)
    copy(s.q_new, m.n_q, s.y)
    for i in range(m.n_v):
        s.y[m.n_q + i] = s.new[i]
    belong_to(m, s.q_new, s.y, m.n_q)
    for row in range(m.n_rows):
        s.impulses[row] += s.hit[row]
        s.last[row] = s.impulses[row]
    if m.has_groups:
        keep_contacts(m, s, m.groups)
    sum_works(m, s)
