"""Velocities of a step, in rounds: impulses, then forces and rows as the step makes them (TS-6)."""

from __future__ import annotations

from jourdain.solvers.timestep.alpha import at_constant_mass, middle_capacities, split_velocities
from jourdain.solvers.timestep.assembly import (
    add_tangent,
    are_finite,
    copy,
    evaluate,
    move,
    normalise,
)
from jourdain.solvers.timestep.begin import right_side
from jourdain.solvers.timestep.factor import solve_lower, solve_upper
from jourdain.solvers.timestep.free.flight import free_forces
from jourdain.solvers.timestep.friction import break_away, hold_more
from jourdain.solvers.timestep.impulses import solve_island, use_rows
from jourdain.solvers.timestep.large.rest import keep_at_rest
from jourdain.solvers.timestep.positions.corrections import look_at_end
from jourdain.solvers.timestep.records import COUNT, FIRST, FORCES, LEANS_ON, NORMAL, POINT
from jourdain.solvers.timestep.results import DONE, NO_SOLUTION, NOT_FINITE, UNSETTLED, UNSOLVED
from jourdain.solvers.timestep.rows import APPROACH, add_impulse, caused
from jourdain.solvers.timestep.slip import leave_out_turns, refine_turns

ROUNDS = 40
"""Rounds for forces and rows that are not linear."""
SETTLED = 1e-11
"""Change of a round, part of the momentum of the step, that is as good as none."""
TURNS = 8
"""Rounds in which the turn of the slip is followed."""
ROUGH = 1e-4
"""Change that is enough where contacts are solved by sweeps, whose errors are larger."""
SOFTER = 3
"""Times that restitution is halved where impacts would create energy, before it is left out."""
GAINED = 1e-12
"""Part of the work of impacts that is rounding."""
RUN_AWAY = 1e150
"""Energy of a step whose forces grow from round to round: the next would not be finite."""
ENOUGH = 1e-7
"""Change that may be left where rounds do not settle."""


def solve_islands(m, s, first):
    """Impulses of all islands from one on; return the one that is not solved, or −1."""
    if first == 0:
        forget_inactive(m, s)
        rub_driven(m, s)
    for island in range(first, s.n_islands):
        if not solve_island(m, s, island) or not loses_energy(m, s, island):
            return island
    return -1


def rub_driven(m, s):
    """Impulses of dry friction whose sliding is fixed: drives and constraints carry them."""
    for k in range(m.fixed_points):
        if s.active[k] == 2:
            first, limit = m.points[POINT * k + FIRST], s.h * m.capacity[2 * k]
            slip, own, hold = 0.0, 0.0, 0.0
            for row in range(first, first + m.points[POINT * k + COUNT]):
                s.base[row] = m.u[row] + s.correction[row] + caused(m, s, row, s.z)
                slip += s.base[row] ** 2
                hold += s.impulses[row] ** 2
                own = max(own, s.own[row])
            moves = slip > APPROACH * APPROACH * own * s.all_energy
            for row in range(first, first + m.points[POINT * k + COUNT]):
                if moves:
                    s.impulses[row] = -limit * s.base[row] / slip**0.5
                elif hold > limit * limit:
                    s.impulses[row] *= limit / hold**0.5
                add_impulse(m, s, row, s.impulses[row], s.z)


def loses_energy(m, s, island):
    """Let impacts of groups create no energy, as Newton's law may where several meet.

    Restitution is halved some times, then left out; tell whether the island is solved.
    """
    for turn in range(SOFTER + 1):
        if not gains_energy(m, s, island):
            return True
        for i in range(s.island_first[island], s.island_first[island + 1]):
            k = s.island_points[i]
            if s.rebounds[k]:
                s.wanted[m.points[POINT * k + NORMAL]] *= 0.5 if turn < SOFTER else 0.0
        if not solve_island(m, s, island):
            return False
    return True


def gains_energy(m, s, island):
    """Tell whether rebounds of an island do work; if so, take back its impulses."""
    work, size, rebounds = 0.0, 0.0, False
    for i in range(s.island_first[island], s.island_first[island + 1]):
        k = s.island_points[i]
        rebounds = rebounds or (s.rebounds[k] == 1 and k >= m.fixed_points)
    if not rebounds or s.is_hit[island]:
        return False
    n = use_rows(m, s, island)
    for i in range(n):
        row = s.used[i]
        impulse, before, after = s.impulses[row], m.u[row], m.u[row] + caused(m, s, row, s.z)
        work += 0.5 * impulse * (before + after)
        size += 0.5 * abs(impulse) * (abs(before) + abs(after))
    if not work > GAINED * size:
        return False
    for i in range(n):
        add_impulse(m, s, s.used[i], -s.impulses[s.used[i]], s.z)
    return True


def forget_inactive(m, s):
    """Forget impulses of rows that do not take part."""
    for k in range(m.n_points):
        at = POINT * k
        lead = m.points[at + LEANS_ON]
        is_used = s.active[k]
        if lead >= 0 and m.points[at + NORMAL] < 0:
            is_used = s.active[s.point_of[lead]]
        if not is_used:
            if m.points[at + NORMAL] >= 0:
                s.impulses[m.points[at + NORMAL]] = 0.0
            for i in range(m.points[at + COUNT]):
                s.impulses[m.points[at + FIRST] + i] = 0.0


def take_velocities(m, s):
    """Velocities after the step, impulses of constraints, and positions."""
    s.is_looked_at = 0
    copy(s.z, m.factor.n, s.x)
    solve_upper(m.factor, s.x)
    for i in range(m.n_v):
        s.delta[i] = s.x[m.place[i]]
        s.new[i] = s.y[m.n_q + i] + s.delta[i]
        s.way[i] = s.y[m.n_q + i] + s.theta * s.delta[i]
    for i in range(m.n_c):
        s.c_impulses[i] = -s.x[m.place[m.n_v + i]]
    if s.is_alpha:
        split_velocities(m, s)
    if s.is_rough:
        keep_at_rest(m, s)
    m.t[0] = s.now + 0.5 * s.h
    move(m, s, s.q_middle, s.way, s.h, s.q_new)


def refine_force(m, s):
    """Forces at the point θ of the step; return their change as a part of the momentum."""
    tell_forces(m, s)
    copy(m.capacity, 2 * m.n_points, s.old_capacity)
    if s.is_alpha and m.feels_forces:
        middle_capacities(m, s)
    for i in range(m.n_q):
        m.q[i] = s.y[i] + s.theta * (s.q_new[i] - s.y[i])
    for k in range(m.n_implicit):
        place, middle = m.implicit[k], s.state_middle[k]
        m.q[place] = middle + (2.0 * s.theta - 1.0) * (s.q_new[place] - middle)
    normalise(m, m.q)
    copy(s.way, m.n_v, m.v)
    if s.is_alpha:
        copy(s.new, m.n_v, m.v)
    m.t[0] = s.now + s.theta * s.h
    evaluate(m, s, FORCES)
    free_forces(m, m.v, m.new_force)
    if s.is_alpha:
        at_constant_mass(m, s)
    if m.has_static and m.feels_forces:
        hold_more(m, s)
    if m.has_tangent:
        add_tangent(m, s, s.rate_at, s.h * s.way_at, s.delta, m.new_force)
    for i in range(m.factor.n):
        s.x[i] = 0.0
    for i in range(m.n_v):
        s.x[m.place[i]] = s.h * s.part * (m.new_force[i] - s.mean_force[i])
        s.mean_force[i] = m.new_force[i]
    solve_lower(m.factor, s.x)
    total = 0.0
    for k in range(m.factor.n):
        if m.factor.is_free[k]:
            total += s.x[k] * s.x[k] * m.factor.D_inverse[k]
    if not total < RUN_AWAY:
        return RUN_AWAY
    s.all_energy = max(s.all_energy, total)  # forces may begin at exactly zero
    change = (total / max(s.all_energy, 1e-300)) ** 0.5
    for k in range(2 * m.n_points):
        new, old = m.capacity[k], s.old_capacity[k]
        if new != old:
            change = max(change, abs(new - old) / max(abs(new), abs(old)))
    return change


def tell_forces(m, s):
    """Multipliers and contact forces of the step so far, for laws that ask for them."""
    for i in range(m.n_held):
        row = m.held_row[i]
        more = m.rho[row] * (m.c_rate[row] + s.c_correction[row])
        m.asked[i] = (s.c_impulses[row] + more) / s.h
    for k in range(m.fixed_points):
        at, to = POINT * k, m.n_held + 3 * k
        row = m.points[at + LEANS_ON]
        m.asked[to] = s.impulses[row] / s.h if row >= 0 else 0.0
        for i in range(m.points[at + COUNT]):
            m.asked[to + 1 + i] = s.impulses[m.points[at + FIRST] + i] / s.h


def refine_rows(m, s):
    """Velocities of rows at the end of the step; return the change as a part of their speeds."""
    look_at_end(m, s)
    most = 0.0
    for row in range(m.n_rows):
        change = m.u[row]
        for e in range(m.W_start[row], m.W_start[row + 1]):
            change += m.W[e] * s.delta[m.W_column[e]]
        change = m.end_u[row] - change
        if s.rebounds[s.owner[row]]:
            change = 0.0
        scale = (s.own[row] * s.all_energy) ** 0.5
        if s.is_half[row] and scale > 0.0:
            most = max(most, abs(change - s.correction[row]) / scale)
        s.correction[row] = change
    if s.is_alpha and s.rounds < TURNS:
        turned = refine_turns(m, s)
        most = max(most, turned)
        if s.rounds == TURNS - 1 and turned > ENOUGH:
            leave_out_turns(m, s)
    return max(most, refine_constraints(m, s))


def refine_constraints(m, s):
    """As `refine_rows`, for the rows of constraints."""
    most = 0.0
    for i in range(m.n_c):
        s.way_c[i] = m.c_rate[i]
        s.scale_c[i] = 0.0
    for e in range(m.n_constraint_entries):
        i, k = m.P_row[e], m.P_column[e]
        s.way_c[i] += m.P[e] * s.delta[k]
        s.scale_c[i] += abs(m.P[e]) * (abs(s.delta[k]) + abs(s.new[k]))
    for i in range(m.n_c):
        change = m.end_c_rate[i] - s.way_c[i]
        if s.scale_c[i] > 0.0:
            most = max(most, abs(change - s.c_correction[i]) / s.scale_c[i])
        s.c_correction[i] = change
    return most


def velocities(m, s, island):
    """Rounds of impulses, forces and rows; return a result."""
    change = 1e300
    while True:
        failed = solve_islands(m, s, island)
        if failed >= 0:
            s.at_fault = failed
            return UNSOLVED if s.size > 0 else NO_SOLUTION
        island = 0
        take_velocities(m, s)
        if m.has_static and break_away(m, s):
            right_side(m, s)
            continue
        if not are_finite(s.new, m.n_v) or not are_finite(s.q_new, m.n_q):
            return NOT_FINITE
        if m.n_implicit > 0 and s.state_fails:
            return UNSETTLED if s.state_fails == 1 else NOT_FINITE
        if m.is_linear and m.is_straight:
            if m.has_gaps or m.n_c > 0:
                look_at_end(m, s)
            return DONE
        old = change
        change = 0.0
        if not m.is_straight or m.has_gaps or m.n_c > 0:
            change = refine_rows(m, s)
        if not m.is_linear:
            change = max(change, refine_force(m, s))
        s.change = change
        s.rounds += 1
        if change <= (ROUGH if s.is_rough else SETTLED):
            return DONE
        if s.rounds > 3 and change <= ENOUGH and change >= 0.5 * old:
            return DONE
        if s.rounds >= ROUNDS or not change < 1e100:
            return UNSETTLED
        right_side(m, s)
