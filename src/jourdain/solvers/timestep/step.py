"""One time step of Moreau and Jean, for any machine.

    A Δ = h f̄ + Pᵀ Λ_c + Wᵀ Λ,   v⁺ = v + Δ,   q⁺ = q + h Y(q_m)(v + θ Δ)      (TS-5)
    u(q⁺, v⁺, t⁺) = u_m + W Δ + c,   c = (h/2) w̄ first, then what is found      (TS-6)

Rows, masses and forces are those of the middle, q_m = q + (h/2) Y v. The laws of contacts ask for
the velocities at the *end* of the step: with rows that turn on the way, those of the middle would
let lasting contacts sink or open by h² κ v² / 2 in each step. f̄ and c are refined in rounds, until
forces are those at the point θ of the step and velocities of rows are those at its end.
"""

from __future__ import annotations

from jourdain.equations.touching import SLOW
from jourdain.solvers.native import native
from jourdain.solvers.timestep.assembly import (
    add_tangent,
    are_finite,
    copy,
    evaluate,
    is_usable,
    move,
    normalise,
    prepare_matrix,
    to_middle,
)
from jourdain.solvers.timestep.factor import solve_lower, solve_upper
from jourdain.solvers.timestep.impulses import solve_island, take_impulses
from jourdain.solvers.timestep.positions import (
    hold_velocities,
    look_at_end,
    project,
    push_apart,
)
from jourdain.solvers.timestep.records import (
    COUNT,
    FIRST,
    FORCES,
    HAS_GAP,
    IS_DRY,
    IS_POISSON,
    LEANS_ON,
    NORMAL,
    OPEN,
    PARAMETERS,
    POINT,
    RESTITUTION,
    SLIDES,
    STICKS,
    Machine,
    Step,
)
from jourdain.solvers.timestep.rows import (
    add_impulse,
    caused,
    find_active,
    find_islands,
    rows_are_finite,
)

DONE, NOT_FINITE, SINGULAR, NEEDS_IMPACT, UNSOLVED, UNSETTLED, BAD_RESTITUTION = range(7)
"""Results of a step; after NEEDS_IMPACT and UNSOLVED it goes on with what it is given."""
BEGIN, WITH_IMPACT, WITH_IMPULSES = range(3)
"""Where a step begins or goes on."""
ROUNDS = 40
"""Rounds for forces and rows that are not linear."""
SETTLED = 1e-11
"""Change of a round, part of the momentum of the step, that is as good as none."""
ENOUGH = 1e-7
"""Change that may be left where rounds do not settle."""
REST = 1e-9
"""Part of the speed that forces give in a step up to which what sticks is at rest."""
_APPROACH = 1e-9  # part of the speed of a row that is no approach


def restitutions(m, s):
    """Velocities of rebound that closed contacts want; tell whether restitution is 0 to 1."""
    for row in range(m.n_rows):
        s.wanted[row] = 0.0
    is_asked = False
    for k in range(m.n_points):
        row = m.points[POINT * k + NORMAL]
        m.speeds[k] = 0.0
        if row >= 0 and s.active[k] and m.points[POINT * k + HAS_GAP]:
            m.speeds[k] = max(0.0, 0.5 * s.h * m.bias[row] - m.u[row])
            is_asked = is_asked or m.speeds[k] > 0.0
    if is_asked:
        evaluate(m, s, RESTITUTION)
        for k in range(m.n_points):
            if m.speeds[k] > 0.0:
                if not 0.0 <= m.e[k] <= 1.0:
                    s.at_fault = k
                    return False
                s.wanted[m.points[POINT * k + NORMAL]] = m.e[k] * m.speeds[k]
    return True


def meets(m, s, k):
    """Tell whether a contact comes with a velocity that one step does not explain."""
    row = m.points[POINT * k + NORMAL]
    if row < 0 or not s.active[k] or not m.points[POINT * k + HAS_GAP]:
        return False
    change = 2.0 * (abs(caused(m, s, row, s.z_free)) + s.h * abs(m.bias[row]))
    scale = (s.own[row] * s.all_energy) ** 0.5
    return m.u[row] - 0.5 * s.h * m.bias[row] < -change - _APPROACH * scale


def needs_impact(m, s):
    """Tell whether contacts that approach follow Poisson's law, whose impact comes first."""
    for k in range(m.n_points):
        if m.points[POINT * k + IS_POISSON] and meets(m, s, k):
            return True
    return False


def right_side(m, s):
    """Half solved right side without contacts, and what it says of the sizes of velocities."""
    z = s.z
    for i in range(m.n_v):
        z[m.place[i]] = s.h * s.mean_force[i]
    for i in range(m.n_c):
        z[m.place[m.n_v + i]] = -(m.c_rate[i] + s.c_correction[i])
    solve_lower(m.factor, z)
    copy(z, m.factor.n, s.z_free)
    if s.has_hit:
        for row in range(m.n_rows):
            if s.hit[row] != 0.0:
                add_impulse(m, s, row, s.hit[row], z)


def energies(m, s, n_islands):
    """Energy that forces give in a step from rest, and that of motion: of all, and of islands."""
    f = m.factor
    for i in range(n_islands):
        s.energy[i] = 0.0
    for k in range(f.n):
        own = s.z_free[k] * s.z_free[k] * f.D_inverse[k] if f.is_free[k] else 0.0
        island = s.island_number[s.leader_root[k]]
        if n_islands > 0 and island >= 0:
            s.energy[island] += own
        s.all_energy += own


def motion_energy(m, s):
    """Twice the kinetic energy at the start, in the measure of the step."""
    f = m.factor
    for i in range(m.n_v):
        s.x[m.place[i]] = s.y[m.n_q + i]
    for i in range(m.n_c):
        s.x[m.place[m.n_v + i]] = 0.0
    total = 0.0
    for i in range(f.n):
        for p in range(f.entry_start[i], f.entry_start[i + 1]):
            j = f.entry_column[p]
            term = f.entries[p] * s.x[i] * s.x[j]
            total += term if i == j else 2.0 * term
    return max(total, 0.0)


def begin_step(m, s):
    """Terms, matrix, contacts that take part; return a result if the step ends here."""
    to_middle(m, s)
    if not is_usable(m):
        return NOT_FINITE
    fault = prepare_matrix(m, s)
    if fault >= 0:
        s.at_fault = fault
        return SINGULAR
    copy(m.force, m.n_v, s.mean_force)
    if m.has_tangent and s.theta != 0.5:
        for i in range(m.n_v):
            s.x[i] = s.y[m.n_q + i]
        add_tangent(m, s, 0.0, (0.5 - s.theta) * s.h, s.x, s.mean_force)
    for i in range(m.n_c):
        s.c_correction[i] = 0.5 * s.h * m.c_bias[i]
    for row in range(m.n_rows):
        s.correction[row] = 0.5 * s.h * m.bias[row]
        s.impulses[row] = s.last[row]
        s.hit[row] = 0.0
        s.hit_work[row] = 0.0
    s.has_hit = 0
    s.rounds = 0
    s.residual = 0.0
    right_side(m, s)
    find_active(m, s)
    if not rows_are_finite(m, s):
        return NOT_FINITE
    s.n_islands = find_islands(m, s)
    for k in range(m.factor.n):
        root = m.root[k]
        while s.leader[root] != root:
            root = s.leader[root]
        s.leader_root[k] = root
    s.all_energy = motion_energy(m, s)
    energies(m, s, s.n_islands)
    if not restitutions(m, s):
        return BAD_RESTITUTION
    return NEEDS_IMPACT if needs_impact(m, s) else DONE


def solve_islands(m, s, first):
    """Impulses of all islands from one on; return the one that is not solved, or −1."""
    if first == 0:
        forget_inactive(m, s)
    for island in range(first, s.n_islands):
        if not solve_island(m, s, island):
            return island
    return -1


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
    copy(s.z, m.factor.n, s.x)
    solve_upper(m.factor, s.x)
    for i in range(m.n_v):
        s.delta[i] = s.x[m.place[i]]
        s.new[i] = s.y[m.n_q + i] + s.delta[i]
        s.way[i] = s.y[m.n_q + i] + s.theta * s.delta[i]
    for i in range(m.n_c):
        s.c_impulses[i] = -s.x[m.place[m.n_v + i]]
    m.t[0] = s.now + 0.5 * s.h
    move(m, s, s.q_middle, s.way, s.h, s.q_new)


def refine_force(m, s):
    """Forces at the point θ of the step; return their change as a part of the momentum."""
    for i in range(m.n_q):
        m.q[i] = s.y[i] + s.theta * (s.q_new[i] - s.y[i])
    normalise(m, m.q)
    copy(s.way, m.n_v, m.v)
    m.t[0] = s.now + s.theta * s.h
    tell_forces(m, s)
    copy(m.capacity, 2 * m.n_points, s.old_capacity)
    evaluate(m, s, FORCES)
    if m.has_tangent:
        add_tangent(m, s, s.theta, s.h * s.theta * s.theta, s.delta, m.new_force)
    for i in range(m.factor.n):
        s.x[i] = 0.0
    for i in range(m.n_v):
        s.x[m.place[i]] = s.h * (m.new_force[i] - s.mean_force[i])
        s.mean_force[i] = m.new_force[i]
    solve_lower(m.factor, s.x)
    total = 0.0
    for k in range(m.factor.n):
        if m.factor.is_free[k]:
            total += s.x[k] * s.x[k] * m.factor.D_inverse[k]
    change = (total / max(s.all_energy, 1e-300)) ** 0.5
    for k in range(2 * m.n_points):
        new, old = m.capacity[k], s.old_capacity[k]
        if new != old:
            change = max(change, abs(new - old) / max(abs(new), abs(old)))
    return change


def tell_forces(m, s):
    """Multipliers and contact forces of the step so far, for laws that ask for them."""
    for i in range(m.n_held):
        m.asked[i] = s.c_impulses[m.held_row[i]] / s.h
    for k in range(m.n_points):
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
        scale = (s.own[row] * s.all_energy) ** 0.5
        if s.is_half[row] and scale > 0.0:
            most = max(most, abs(change - s.correction[row]) / scale)
        s.correction[row] = change
    for i in range(m.n_c):
        s.way_c[i] = m.c_rate[i]
    for e in range(m.n_P):
        s.way_c[m.P_row[e]] += m.P[e] * s.delta[m.P_column[e]]
    for i in range(m.n_c):
        change = m.end_c_rate[i] - s.way_c[i]
        scale = abs(m.c_rate[i]) + abs(change) + abs(s.way_c[i] - m.c_rate[i])
        if scale > 0.0:
            most = max(most, 1e-3 * abs(change - s.c_correction[i]) / scale)
        s.c_correction[i] = change
    return most


def velocities(m, s, island):
    """Rounds of impulses, forces and rows; return a result."""
    change = 1e300
    while True:
        failed = solve_islands(m, s, island)
        if failed >= 0:
            s.at_fault = failed
            return UNSOLVED
        island = 0
        take_velocities(m, s)
        if not are_finite(s.new, m.n_v) or not are_finite(s.q_new, m.n_q):
            return NOT_FINITE
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
        if change <= SETTLED or (s.rounds > 3 and change <= ENOUGH and change >= 0.5 * old):
            return DONE
        if s.rounds >= ROUNDS or not change < 1e100:
            return UNSETTLED
        right_side(m, s)


def rests(m, s, island):
    """Tell whether the coordinates of an island are at rest: slow, and held inside of the sets."""
    f = m.factor
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
    for i in range(s.island_first[island], s.island_first[island + 1]):
        k = s.island_points[i]
        if s.mode[k] != STICKS and s.impulses_of[k] != 0.0:
            return False
    return True


def settle(m, s):
    """Set islands at rest that are slow and held; return how many."""
    count = 0
    for island in range(s.n_islands):
        if rests(m, s, island):
            count += 1
            for i in range(m.n_v):
                if s.island_number[s.leader_root[m.place[i]]] == island:
                    s.new[i] = 0.0
    return count


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


def take_modes(m, s):
    """Modes of all points after the step, ways of tangents that stick, and what acts."""
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
            s.mode[k] = STICKS if share < 1.0 - 1e-9 else SLIDES
        s.impulses_of[k] = s.impulses[row] if row >= 0 else 0.0
        for i in range(m.points[at + COUNT]):
            s.impulses_of[k] += abs(s.impulses[first + i])
            if s.mode[k] != STICKS or is_new:
                s.anchor[first + i] = 0.0
            else:
                way = 0.0
                for e in range(m.W_start[first + i], m.W_start[first + i + 1]):
                    way += m.W[e] * s.delta[m.W_column[e]]
                s.anchor[first + i] += s.h * (m.u[first + i] + 0.5 * way)


def take_works(m, s):
    """Work of the impulses of all rows, then of drives; and which contacts were met."""
    n = m.n_rows
    s.works[n] = 0.0
    for row in range(n):
        s.works[row] = s.hit_work[row]
        impulse = s.impulses[row]
        if impulse != 0.0 or s.hit[row] != 0.0:
            change, drift, before = 0.0, m.u[row], 0.0
            for e in range(m.W_start[row], m.W_start[row + 1]):
                k = m.W_column[e]
                change += m.W[e] * s.delta[k]
                drift -= m.W[e] * s.y[m.n_q + k]
                before += m.W[e] * s.hit_change[k]
            s.works[row] += 0.5 * impulse * (2.0 * m.u[row] + before + change)
            s.works[n] -= drift * (impulse + s.hit[row])
    s.has_impact = 0
    for k in range(m.n_points):
        s.struck[k] = 0
        row = m.points[POINT * k + NORMAL]
        if row >= 0 and s.impulses[row] + s.hit[row] > 0.0 and meets(m, s, k):
            s.struck[k] = 1
            s.has_impact = 1


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
    for k in range(m.n_points):
        is_jam = False
        slides = s.active[k] and s.mode[k] != STICKS and m.points[POINT * k + NORMAL] >= 0
        if slides and not meets(m, s, k):
            is_jam = may_jam(m, s, k)
        if is_jam and not s.jams[k]:
            s.has_jam = 1
        s.jams[k] = 1 if is_jam else 0


def finish_step(m, s):
    """Modes, works, positions, and the new state."""
    find_jams(m, s)
    take_modes(m, s)
    take_works(m, s)
    if settle(m, s) > 0 and (m.has_gaps or m.n_c > 0):
        look_at_end(m, s)
    if m.has_gaps or m.n_c > 0 or s.corrects:
        project(m, s, s.n_islands)
        if s.corrects and m.has_gaps:
            push_apart(m, s)
        if m.n_c > 0:
            hold_velocities(m, s)
    if m.n_parameters > 0:
        copy(s.q_new, m.n_q, m.q)
        copy(s.new, m.n_v, m.v)
        m.t[0] = s.now + s.h
        evaluate(m, s, PARAMETERS)
        for i in range(m.n_parameters):
            s.q_new[m.parameter_place[i]] = m.parameters[i]
    if m.has_gaps:
        look_at_end(m, s)
        copy(m.end_gaps, m.n_points, s.start_gaps)
    copy(s.q_new, m.n_q, s.y)
    for i in range(m.n_v):
        s.y[m.n_q + i] = s.new[i]
    for row in range(m.n_rows):
        s.impulses[row] += s.hit[row]
        s.last[row] = s.impulses[row]


@native()
def take_step(m: Machine, s: Step, phase: int) -> int:
    """Advance the state by one step; see the results above."""
    island = 0
    if phase == BEGIN:
        result = begin_step(m, s)
        if result != DONE:
            return result
    if phase == WITH_IMPACT:
        right_side(m, s)
    if phase == WITH_IMPULSES:
        take_impulses(m, s, s.size)
        island = s.at_fault + 1
    result = velocities(m, s, island)
    if result != DONE:
        return result
    finish_step(m, s)
    if not are_finite(s.y, m.n_q + m.n_v):
        return NOT_FINITE
    return DONE
