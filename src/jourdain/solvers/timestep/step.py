"""One time step of Moreau and Jean, for any machine.

    A Δ = h f̄ + Pᵀ Λ_c + Wᵀ Λ,   v⁺ = v + Δ,   q⁺ = q + h Y(q_m)(v + θ Δ)      (TS-5)
    u(q⁺, v⁺, t⁺) = u_m + W Δ + c,   c = (h/2) w̄ first, then what is found      (TS-6)

Rows, masses and forces are those of the middle, q_m = q + (h/2) Y v. The laws of contacts ask for
the velocities at the *end* of the step: with rows that turn on the way, those of the middle would
let lasting contacts sink or open by h² κ v² / 2 in each step. f̄ and c are refined in rounds, until
forces are those at the point θ of the step and velocities of rows are those at its end.

The lowest point of a coin that slaps down runs around its rim in no time: the velocity of that
point at the end of a step says nothing of the middle, where its force acts. Where the laws at the
end would so create energy, a step asks for the velocities of the middle, which creates none.
"""

from __future__ import annotations

from jourdain.solvers.timestep.assembly import are_finite
from jourdain.solvers.timestep.begin import (
    begin_rows,
    begin_step,
    right_side,
    strike_in_the_middle,
)
from jourdain.solvers.timestep.finish import finish_step
from jourdain.solvers.timestep.impulses import take_impulses
from jourdain.solvers.timestep.large.rest import ask_for_rest
from jourdain.solvers.timestep.records import HAS_GAP, NORMAL, POINT
from jourdain.solvers.timestep.results import (
    BEGIN,
    DONE,
    NOT_FINITE,
    NOT_HELD,
    UNSETTLED,
    WITH_IMPACT,
    WITH_IMPULSES,
    WITH_POINTS,
)
from jourdain.solvers.timestep.rounds import velocities

CREATED = 1e-2
"""Part of the energy of motion that contacts may create in a step: swings of order h² are less."""
STILL = 1e-10
"""Velocity of a constraint that is rounding."""
MOVES = 0.05
"""Part of the velocities of a constraint row that it must not have itself."""


def take_step(m, s, phase):
    """Advance the state by one step; see the results above."""
    if phase == BEGIN:
        s.is_prompt = 0
    result = velocities_from(m, s, phase)
    if result == DONE and s.is_alpha and overtakes(m, s):
        s.is_prompt = 1
        result = velocities_from(m, s, BEGIN)
    if result != DONE:
        return result
    if m.has_groups and s.is_rough and not s.is_alpha:
        ask_for_rest(m, s, m.groups)
    finish_step(m, s)
    if not are_finite(s.y, m.n_q + m.n_v):
        return NOT_FINITE
    if m.n_c > 0 and moves_held(m, s):
        return NOT_HELD
    return DONE


def overtakes(m, s):
    """Tell whether ways that impacts catch up with (TS-12) run into others by more than a step."""
    is_late = False
    for k in range(m.n_points):
        is_late = is_late or (s.active[k] and s.since[k] > 1.0)
    if not is_late or s.is_prompt:
        return False
    for k in range(m.n_points):
        row = m.points[POINT * k + NORMAL]
        is_open = row >= 0 and m.points[POINT * k + HAS_GAP] and not s.active[k]
        if is_open and m.end_gaps[k] < s.h * min(m.end_u[row], 0.0):
            return True
    return False


def velocities_from(m, s, phase):
    """Velocities of a step from a phase on; return a result."""
    island = 0
    result = DONE
    if phase == BEGIN:
        result = begin_step(m, s)
    if phase == WITH_POINTS:
        result = begin_rows(m, s)
    if result != DONE:
        return result
    if phase == WITH_IMPACT:
        right_side(m, s)
        if not s.is_alpha:
            strike_in_the_middle(m, s)
    if phase == WITH_IMPULSES:
        take_impulses(m, s, s.size)
        island = s.at_fault + 1
    result = velocities(m, s, island)
    fails = result == UNSETTLED and s.is_last == 1
    if s.is_frozen == 0 and (fails or (result == DONE and creates_energy(m, s))):
        freeze_rows(m, s)
        result = velocities(m, s, 0)
    return result


def moves_held(m, s):
    """Tell whether a constraint moves that was dropped because it seemed to repeat others."""
    f = m.factor
    for i in range(m.n_c):
        rate = abs(m.end_c_rate[i])
        if f.D_inverse[m.place[m.n_v + i]] == 0.0 and rate > STILL:
            size = 0.0
            for e in range(m.n_constraint_entries):
                if m.P_row[e] == i:
                    size += abs(m.P[e]) * (abs(s.delta[m.P_column[e]]) + abs(s.new[m.P_column[e]]))
            if rate > MOVES * size:
                s.at_fault = i
                return True
    return False


def creates_energy(m, s):
    """Tell whether the contacts of a step do work as nothing but drives can."""
    if s.is_rough or s.has_hit:
        return False
    work = 0.0
    for row in range(m.n_rows):
        impulse = s.impulses[row]
        if impulse != 0.0 and s.is_half[row] and not s.is_fixed[row]:
            change = 0.0
            for e in range(m.W_start[row], m.W_start[row + 1]):
                change += m.W[e] * s.delta[m.W_column[e]]
            work += 0.5 * impulse * (2.0 * m.u[row] + change)
    return work > CREATED * s.all_energy


def freeze_rows(m, s):
    """Ask for the velocities of rows in the middle of the step, and begin its rounds anew."""
    s.is_frozen = 1
    for k in range(m.n_points):
        s.rebounds[k] = 1
    for row in range(m.n_rows):
        s.turn[row] = 0.0
    strike_in_the_middle(m, s)
    s.rounds = 0
    right_side(m, s)
