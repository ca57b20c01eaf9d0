"""Impacts of found contacts by Poisson's law, which come before a step, in two phases (CT-5).

    u_C = u⁻ + G Λ_C with e = 0;   u_E = u_C + G Λ_E,   Λ_NE ≥ e Λ_NC,   |Λ_TE| ≤ μ Λ_NE

Both are sweeps over the closed contacts of an island in which such contacts meet; all of them take
part, whatever their own law of impact. The step then starts from u_E, and keeps the velocities of
the normals that were hit.
"""

from __future__ import annotations

from jourdain.solvers.timestep.groups.records import RESTITUTION
from jourdain.solvers.timestep.groups.rows import take_law
from jourdain.solvers.timestep.impulses import groups_into, use_rows
from jourdain.solvers.timestep.large.blocks import rate
from jourdain.solvers.timestep.large.order import sort_island
from jourdain.solvers.timestep.large.rest import is_of_free_bodies
from jourdain.solvers.timestep.large.sweeps import (
    begin_matrices,
    is_solution,
    largest_error,
    sweep_until,
    take_trial,
)
from jourdain.solvers.timestep.records import IS_DRY, IS_POISSON, NORMAL, POINT
from jourdain.solvers.timestep.results import DONE, NEEDS_IMPACT, NO_SOLUTION
from jourdain.solvers.timestep.rows import meets

FEW = 30
"""Rows up to which impacts are swept until nothing but rounding is left."""
MORE = 10
"""Times as many sweeps as in a step: what is left would be a wrong rebound."""
FINE = 1e-5
"""Part of the tolerance that few rows are solved to."""
ROUNDING = 1e-13
"""Part of the fastest motion that is rounding."""
OPEN = 1e100
"""Velocity [m/s] of a contact that is not closed yet, so that it takes no part."""


def follows_poisson(m, s, island):
    """Tell whether contacts of an island meet by Poisson's law."""
    for i in range(s.island_first[island], s.island_first[island + 1]):
        k = s.island_points[i]
        if m.points[POINT * k + IS_POISSON] and not s.is_ahead[k] and meets(m, s, k):
            return True
    return False


def is_found_alone(m, s, island):
    """Tell whether an island has contacts of groups alone, and feels no springs in an impact."""
    for i in range(s.island_first[island], s.island_first[island + 1]):
        k = s.island_points[i]
        if k < m.fixed_points or m.points[POINT * k + IS_DRY]:
            return False
    return not m.has_tangent or is_of_free_bodies(m, s, island)


def hit_islands(m, s):
    """Take the impacts by Poisson's law; return what is left to do, or that it fails."""
    left = DONE
    for island in range(s.n_islands):
        if follows_poisson(m, s, island):
            if not m.has_groups or not is_found_alone(m, s, island):
                left = NEEDS_IMPACT
            elif not hit_island(m, s, island):
                s.size = 0
                s.at_fault = island
                return NO_SOLUTION
    return left


def take_restitutions(m, s, g, island):
    """Restitution of all contacts of an island, at their speeds of approach."""
    for c in range(g.n_found):
        k = g.point_of[c]
        if s.active[k] and s.island_of[k] == island:
            approach = max(0.0, -m.u[m.points[POINT * k + NORMAL]])
            take_law(g, g.law_of[c], 0.0, approach, 0.0, 0.0)
            m.e[k] = g.law_now[RESTITUTION]


def begin_phase(m, s, n):
    """No impulses; those of normals that a phase asks for at least act when it begins."""
    for i in range(n):
        s.trial[i] = 0.0
        s.r[i] = 0.0


def give_back(m, s, b):
    """Let all normals have at least the part of their compression that restitution gives back."""
    for k in range(b):
        row = s.used[s.rows[s.start[k]]]
        own = s.point_of[row]
        if m.points[POINT * own + NORMAL] == row:
            s.limits[3 * k] = max(0.0, m.e[own] * s.hit[row])


def hit_island(m, s, island):
    """Impact of an island; tell whether its equations are solved."""
    sort_island(s, s.island_first[island], s.island_first[island + 1])
    n = use_rows(m, s, island)
    b = groups_into(m, s, island)
    take_restitutions(m, s, m.groups, island)
    fastest = 0.0
    for i in range(n):
        row = s.used[i]
        fastest = max(fastest, abs(m.u[row]))
        s.base[i] = m.u[row] if not s.is_ahead[s.owner[row]] else OPEN
        s.hit[row] = 0.0
        for p in range(m.reach_start[row], m.reach_start[row + 1]):
            s.x[m.reach[p]] = 0.0
    begin_matrices(m, s, n, b)
    tolerance, error = s.tolerance, 0.0
    if n <= FEW:
        tolerance = max(FINE * tolerance, ROUNDING * fastest)
    for phase in range(2):
        begin_phase(m, s, n)
        if phase == 1:
            give_back(m, s, b)
        take_trial(m, s, b)
        s.sweeps += sweep_until(m, s, n, b, tolerance, MORE * s.most_sweeps)
        error = max(error, largest_error(m, s, b))
        for i in range(n):
            s.hit[s.used[i]] += s.r[i]
    s.error = max(s.error, error)
    s.has_hit = 1
    s.is_hit[island] = 1
    keep_rebounds(m, s, n)
    return is_solution(s, error, fastest)


def keep_rebounds(m, s, n):
    """Let the step keep the velocities of the normals that were hit."""
    for i in range(n):
        row = s.used[i]
        k = s.owner[row]
        s.gives_back[k] = 0
        if not s.is_ahead[k]:
            s.wanted[row] = 0.0
        if m.points[POINT * k + NORMAL] == row and not s.is_ahead[k] and s.hit[row] > 0.0:
            s.wanted[row] = max(0.0, rate(m, s, i))
            s.rebounds[k] = 1
