"""Steps in which rows turn so fast that the laws at their end would create energy.

The lowest point of a coin that slaps down runs around its rim in no time: the velocity of that
point at the end of a step says nothing of the middle, where its force acts. Such steps ask for the
velocities of the middle, which creates no energy.
"""

from __future__ import annotations

from jourdain.solvers.timestep.begin import right_side, strike_in_the_middle

CREATED = 1e-2
"""Part of the energy of motion that contacts may create in a step: swings of order h² are less."""


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
