"""State update of nonsmooth generalised-α: motion without reactions, then what reactions add.

    x = k + h g φ⁺,   k = h (1 − γ) a + h γ (α_f φ − α_m a) / (1 − α_m)                 (TS-8)
    M w = Wᵀ Λ + Pᵀ Λ_c,   v⁺ = v + x + w                                              (TS-9)
    q⁺ = q + h Y(q_m) (v + b x + h (½ − b) a + ½ w)                                    (TS-10)

with φ = M⁻¹ f at the ends of steps, g = γ (1 − α_f) / (1 − α_m), b = β / γ. Reactions of contacts
and constraints never enter a and φ: an impact leaves no echo in the steps behind it.
"""

from __future__ import annotations

from jourdain.solvers.timestep.assembly import copy, copy_from, evaluate
from jourdain.solvers.timestep.factor import factorise, solve_lower, solve_upper
from jourdain.solvers.timestep.positions.corrections import (
    equalities,
    look_at_end,
    take_errors_away,
    take_way,
)
from jourdain.solvers.timestep.records import (
    CAPACITIES,
    COUNT,
    FIRST,
    LEANS_ON,
    NORMAL,
    POINT,
    TERMS,
)
from jourdain.solvers.timestep.rows import add_impulse


def add_momentum(m, mass, x, by, to):
    """Add ``by M x`` to n_v numbers."""
    for e in range(m.n_mass):
        i, j = m.mass_row[e], m.mass_column[e]
        to[i] += by * mass[e] * x[j]
        if i != j:
            to[j] += by * mass[e] * x[i]


def prepare_inertia(m, s):
    """Factor M alone; return −1, or the column in the step's matrix of a coordinate without it."""
    if m.is_constant and s.knows_inertia:
        return -1
    f = m.inertia
    for i in range(f.entry_start[f.n]):
        f.entries[i] = 0.0
    for e in range(m.n_mass):
        f.entries[m.inertia_entry[e]] += m.mass[e]
    fault = factorise(f)
    s.knows_inertia = 1 if fault < 0 else 0
    if fault >= 0:
        for i in range(f.n):
            f.work[i] = 0.0
        for i in range(m.n_v):
            if m.inertia_place[i] == fault:
                return m.place[i]
    return -1


def solve_inertia(m, s, x):
    """Replace n_v numbers x by M⁻¹ x."""
    f, work = m.inertia, s.inertia_work
    for i in range(f.n):
        work[i] = 0.0
    for i in range(m.n_v):
        work[m.inertia_place[i]] = x[i]
    solve_lower(f, work)
    solve_upper(f, work)
    for i in range(m.n_v):
        x[i] = work[m.inertia_place[i]]


def begin_alpha(m, s):
    """Part k of the change of velocities that is known at the start, and its momentum."""
    by_a = s.h * (1.0 - s.gamma - s.gamma * s.alpha_m / (1.0 - s.alpha_m))
    by_phi = s.h * s.gamma * s.alpha_f / (1.0 - s.alpha_m)
    for i in range(m.n_v):
        s.known[i] = by_a * s.a[i] + by_phi * s.phi[i]
        s.momentum[i] = 0.0
    add_momentum(m, m.mass, s.known, 1.0, s.momentum)


def split_velocities(m, s):
    """Parts w and x of the change of velocities, and the way of the step as a velocity."""
    w, is_moved = s.w, m.n_c > 0
    for i in range(m.n_v):
        w[i] = 0.0
    for row in range(m.n_rows):
        impulse = s.impulses[row] + s.hit[row]
        if impulse != 0.0:
            is_moved = True
            for e in range(m.W_start[row], m.W_start[row + 1]):
                w[m.W_column[e]] += m.W[e] * impulse
    for e in range(m.n_constraint_entries):
        w[m.P_column[e]] += m.P[e] * s.c_impulses[m.P_row[e]]
    if is_moved:
        solve_inertia(m, s, w)
    for i in range(m.n_v):
        smooth = s.delta[i] - w[i]
        s.new_phi[i] = (smooth - s.known[i]) / (s.h * s.part)
        s.aside[i] = (s.way_at - 0.5) * (smooth - s.h * s.a[i])
        s.way[i] = s.y[m.n_q + i] + 0.5 * s.delta[i] + s.aside[i]
    add_late_ways(m, s)


def add_late_ways(m, s):
    """Ways of impulses of impacts: they act since the gap has closed, not in the middle (TS-12)."""
    has_any = False
    for i in range(m.factor.n):
        s.x[i] = 0.0
    for k in range(m.n_points):
        lead = m.points[POINT * k + LEANS_ON]
        share = s.since[s.point_of[lead]] - 0.5 if lead >= 0 else 0.0
        if share != 0.0:
            has_any = True
            row = m.points[POINT * k + NORMAL]
            if row >= 0:
                add_impulse(m, s, row, share * (s.impulses[row] + s.hit[row]), s.x)
            for i in range(m.points[POINT * k + COUNT]):
                row = m.points[POINT * k + FIRST] + i
                add_impulse(m, s, row, share * (s.impulses[row] + s.hit[row]), s.x)
    if has_any:
        solve_upper(m.factor, s.x)
        for i in range(m.n_v):
            s.way[i] += s.x[m.place[i]]


def at_constant_mass(m, s):
    """Change forces at the end as if masses were those of the middle: M φ⁺ − M⁺ φ⁺ is added."""
    if m.mass_varies:
        add_momentum(m, m.mass, s.new_phi, 1.0, m.new_force)
        add_momentum(m, m.new_mass, s.new_phi, -1.0, m.new_force)


def middle_capacities(m, s):
    """Capacities in the middle of the step, as it is known so far."""
    for i in range(m.n_q):
        m.q[i] = 0.5 * (s.y[i] + s.q_new[i])
    for i in range(m.n_v):
        m.v[i] = s.y[m.n_q + i] + 0.5 * s.delta[i]
    m.t[0] = s.now + 0.5 * s.h
    evaluate(m, s, CAPACITIES)


def hold_aside(m, s, n_islands):
    """Take the ways of forces alone in (TS-10) back from what contacts hold; that is no work.

    Contacts work along mean velocities: forces that rise move what is held, and their work along
    these ways is nobody's.
    """
    for i in range(m.factor.n):
        s.x[i] = 0.0
    is_off = False
    for island in range(n_islands):
        n = equalities(m, s, island)
        for i in range(n):
            s.c[i] = 0.0
            row = s.used[i]
            for e in range(m.W_start[row], m.W_start[row + 1]):
                s.c[i] += s.h * m.W[e] * s.aside[m.W_column[e]]
        if 0 < n <= s.most_dense and not s.is_swept[island]:
            is_off = take_errors_away(m, s, n) or is_off
    if is_off:
        take_way(m, s)
        look_at_end(m, s)


def end_alpha(m, s):
    """Averages a and accelerations φ at the end of the step."""
    for i in range(m.n_v):
        smooth = (s.delta[i] - s.w[i]) / s.h
        s.a[i] = (smooth - (1.0 - s.gamma) * s.a[i]) / s.gamma
    copy(s.new_phi, m.n_v, s.phi)


def start_alpha(m, s):
    """Take φ of the state, and move a along with it; return the column without inertia, or −1."""
    copy(s.y, m.n_q, m.q)
    copy_from(s.y, m.n_q, m.n_v, m.v)
    m.t[0] = s.now
    evaluate(m, s, TERMS)
    s.knows_inertia = 0
    s.is_factored = 0.0
    fault = prepare_inertia(m, s)
    if fault >= 0:
        return fault
    copy(m.force, m.n_v, s.new_phi)
    solve_inertia(m, s, s.new_phi)
    for i in range(m.n_v):
        s.a[i] += s.new_phi[i] - s.phi[i]
        s.phi[i] = s.new_phi[i]
    return -1
