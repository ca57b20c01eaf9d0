"""Begin of a step: terms in the middle, the matrix, contacts that take part, rebounds they want."""

from __future__ import annotations

from jourdain.solvers.timestep.alpha import begin_alpha, prepare_inertia
from jourdain.solvers.timestep.assembly import (
    add_tangent,
    copy,
    evaluate,
    is_usable,
    prepare_matrix,
    to_middle,
)
from jourdain.solvers.timestep.factor import solve_lower
from jourdain.solvers.timestep.friction import find_held, hold_more
from jourdain.solvers.timestep.groups.ends import (
    law_restitutions,
    look_ahead,
    search_middle,
    take_contacts,
)
from jourdain.solvers.timestep.groups.search import NO_ROOM, WITH_OTHERS
from jourdain.solvers.timestep.large.impacts import hit_islands
from jourdain.solvers.timestep.positions.corrections import STILL
from jourdain.solvers.timestep.records import (
    COUNT,
    FIRST,
    HAS_GAP,
    IS_POISSON,
    NORMAL,
    POINT,
    RESTITUTION,
)
from jourdain.solvers.timestep.results import (
    BAD_RESTITUTION,
    DONE,
    NEEDS_POINTS,
    NEEDS_ROOM,
    NOT_FINITE,
    SINGULAR,
)
from jourdain.solvers.timestep.rows import (
    add_impulse,
    caused,
    find_active,
    find_islands,
    meets,
    rows_are_finite,
    time_of_closing,
)


def restitutions(m, s):
    """Velocities of rebound that closed contacts want; tell whether restitution is 0 to 1."""
    for row in range(m.n_rows):
        s.wanted[row] = 0.0
    is_asked = False
    for k in range(m.n_points):
        row = m.points[POINT * k + NORMAL]
        m.speeds[k] = 0.0
        s.since[k] = 0.5
        s.goes_back[k] = 0
        s.gives_back[k] = 0
        s.rebounds[k] = 0
        if s.is_ahead[k]:
            s.wanted[row] = -2.0 * m.gaps[k] / s.h
        elif row >= 0 and s.active[k] and m.points[POINT * k + HAS_GAP]:
            speed = 0.5 * s.h * m.bias[row] - m.u[row] - fall(m, s, k)
            if not s.is_alpha and meets(m, s, k):
                speed = -m.u[row]
            if speed > STILL * (s.own[row] * s.all_energy) ** 0.5:
                m.speeds[k] = speed
                is_asked = True
    if is_asked:
        if m.fixed_points > 0:
            evaluate(m, s, RESTITUTION)
        if m.has_groups:
            law_restitutions(m, m.groups)
        for k in range(m.n_points):
            if m.speeds[k] > 0.0:
                if not 0.0 <= m.e[k] <= 1.0:
                    s.at_fault = k
                    return False
                row = m.points[POINT * k + NORMAL]
                s.wanted[row] = max(0.0, m.e[k] * m.speeds[k] + rise(m, s, k))
                s.rebounds[k] = 1 if not s.is_alpha and m.e[k] > 0.0 and meets(m, s, k) else 0
                if m.tangential[k] > 0.0 and meets(m, s, k):
                    turn_slip_round(m, s, k)
    return True


def turn_slip_round(m, s, k):
    """Let an impact turn a part of the slip round, as far as friction can (CT-4)."""
    s.gives_back[k] = 1
    late = s.since[k] * s.h
    for i in range(m.points[POINT * k + COUNT]):
        row = m.points[POINT * k + FIRST] + i
        before, after = m.u[row], 0.0
        if s.is_alpha:
            pull = caused(m, s, row, s.z_free) / s.h + m.bias[row]
            before += (s.h - late) * pull - 0.5 * s.h * m.bias[row]
            after = late * pull
        s.wanted[row] = after - m.tangential[k] * before


def strike_in_the_middle(m, s):
    """Let what rebounds have the rows of the middle before and behind its impact.

    Rows that turn between the two would do work: what rebounds by itself would gain energy.
    """
    for row in range(m.n_rows):
        if s.rebounds[s.owner[row]]:
            s.correction[row] = 0.0


def fall(m, s, k):
    """Velocity that forces give a gap until it closes, where the method knows when that is.

    The part of the step behind that is kept (TS-12).
    """
    s.since[k] = 0.5
    if not s.is_alpha or not meets(m, s, k):
        return 0.0
    time = max(0.0 if s.is_prompt else -s.h, min(time_of_closing(m, s, k), s.h))
    s.since[k] = 1.0 - time / s.h
    return time * pull(m, s, k)


def rise(m, s, k):
    """Velocity that forces give a gap in the part of the step behind its impact."""
    return s.since[k] * s.h * pull(m, s, k) if s.is_alpha and meets(m, s, k) else 0.0


def pull(m, s, k):
    """Acceleration of a gap without contacts."""
    row = m.points[POINT * k + NORMAL]
    return caused(m, s, row, s.z_free) / s.h + m.bias[row]


def needs_impact(m, s):
    """Tell whether contacts that approach follow Poisson's law, whose impact comes first."""
    for k in range(m.n_points):
        if m.points[POINT * k + IS_POISSON] and not s.is_ahead[k] and meets(m, s, k):
            return True
    return False


def right_side(m, s):
    """Half solved right side without contacts, and what it says of the sizes of velocities."""
    z = s.z
    for i in range(m.n_v):
        z[m.place[i]] = s.h * s.part * s.mean_force[i] + s.momentum[i]
    for i in range(m.n_c):
        z[m.place[m.n_v + i]] = -(m.c_rate[i] + s.c_correction[i])
    solve_lower(m.factor, z)
    copy(z, m.factor.n, s.z_free)
    if s.has_hit:
        for row in range(m.n_rows):
            if s.hit[row] != 0.0:
                add_impulse(m, s, row, s.hit[row], z)


def energies(m, s, n_islands):
    """Energy that forces give in a step from rest, of all and of islands; x are velocities."""
    f = m.factor
    for i in range(n_islands):
        s.energy[i] = 0.0
        s.moving[i] = 0.0
    for k in range(f.n):
        own = s.z_free[k] * s.z_free[k] * f.D_inverse[k] if f.is_free[k] else 0.0
        island = s.island_number[s.leader_root[k]]
        if n_islands > 0 and island >= 0:
            s.energy[island] += own
            s.moving[island] = max(s.moving[island], abs(s.x[k]))
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
    """Terms in the middle, and contacts of groups; return a result if the step ends here."""
    m.n_points = m.fixed_points
    m.n_rows = m.fixed_rows
    to_middle(m, s)
    if m.has_groups:
        found = search_middle(m, s, m.groups)
        if found == NO_ROOM:
            return NEEDS_ROOM
        if found == WITH_OTHERS:
            return NEEDS_POINTS
    return begin_rows(m, s)


def begin_rows(m, s):
    """Matrix, contacts that take part; return a result if the step ends here."""
    if m.has_groups:
        take_contacts(m, s, m.groups)
    if not is_usable(m):
        return NOT_FINITE
    fault = prepare_matrix(m, s)
    if fault < 0 and s.is_alpha:
        fault = prepare_inertia(m, s)
    if fault >= 0:
        s.at_fault = fault
        return SINGULAR
    if s.is_alpha:
        begin_alpha(m, s)
    copy(m.force, m.n_v, s.mean_force)
    if m.has_tangent and s.theta != 0.5:
        for i in range(m.n_v):
            s.x[i] = s.y[m.n_q + i]
        add_tangent(m, s, 0.0, (0.5 - s.theta) * s.h, s.x, s.mean_force)
    for i in range(m.n_c):
        s.c_correction[i] = 0.5 * s.h * m.c_bias[i]
    for row in range(m.n_rows):
        s.correction[row] = 0.5 * s.h * m.bias[row]
        s.turn[row] = 0.0
        s.impulses[row] = s.last[row]
        s.hit[row] = 0.0
    s.has_hit = 0
    s.is_frozen = 0
    s.n_response = 0
    s.rounds = 0
    s.residual = 0.0
    s.error = 0.0
    s.sweeps = 0
    s.is_rough = 0
    right_side(m, s)
    find_active(m, s)
    if m.has_groups and s.corrects:
        look_ahead(m, s, m.groups)
    if not rows_are_finite(m, s):
        return NOT_FINITE
    s.n_islands = find_islands(m, s)
    for k in range(m.factor.n):
        root = m.root[k]
        while s.leader[root] != root:
            root = s.leader[root]
        s.leader_root[k] = root
    for i in range(s.n_islands):
        s.is_hit[i] = 0
    s.all_energy = motion_energy(m, s)
    energies(m, s, s.n_islands)
    if m.has_static:
        find_held(m, s)
        hold_more(m, s)
    if not restitutions(m, s):
        return BAD_RESTITUTION
    result = DONE
    if needs_impact(m, s):
        result = hit_islands(m, s)
        if result == DONE:
            right_side(m, s)
    if not s.is_alpha:
        strike_in_the_middle(m, s)
    return result
