"""Rest of free bodies in large islands: what stays at rest, and of what it is to be asked.

Sweeps leave velocities of the size of their errors, too large to tell rest from slow motion. So it
is asked whether impulses exist that hold slow bodies (CT-18, `solvers.timestep.resting`), which is
convex and solved exactly. An island that rests stays so, without sweeps, while the impulses of the
step before hold it.
"""

from __future__ import annotations

from jourdain.codegen.translator.loops import call
from jourdain.solvers.timestep.assembly import copy, move
from jourdain.solvers.timestep.factor import solve_upper
from jourdain.solvers.timestep.records import NORMAL, POINT, REST

CERTAIN = 1e-10
"""Part of the velocities that forces give in a step up to which a velocity is rounding."""
SLOW = 1e-3
"""Velocity [m/s] up to which it is asked whether a body rests."""
AGAIN = 8
"""Steps after which what is held beside bodies that move is proven to rest again."""
HELD = 3.0
"""Times the tolerance of sweeps: velocities up to which nothing speaks against rest before that."""


def is_of_free_bodies(m, s, island):
    """Tell whether an island moves nothing but free bodies whose rest can be proven."""
    g = m.groups
    for i in range(s.island_first[island], s.island_first[island + 1]):
        row = m.points[POINT * s.island_points[i] + NORMAL]
        if row < 0:
            return False
        for p in range(m.reach_start[row], m.reach_start[row + 1]):
            if not g.is_free[m.reach[p]]:
                return False
    return True


def stays_at_rest(m, s, island, n):
    """Tell whether an island that was at rest stays so with the impulses of the step before.

    x is what the n used rows' impulses and all forces cause together.
    """
    if s.moving[island] > 0.0:
        return False
    D, x, reach = m.factor.D, s.x, m.reach
    limit = CERTAIN * CERTAIN * s.energy[island]
    for i in range(n):
        row = s.used[i]
        for p in range(m.reach_start[row], m.reach_start[row + 1]):
            k = reach[p]
            if not abs(D[k]) * x[k] * x[k] <= limit:
                return False
    return True


def keep_at_rest(m, s):
    """Take what rounding leaves of the velocities of islands that stay at rest."""
    for i in range(m.n_v):
        island = s.island_number[s.leader_root[m.place[i]]]
        if island >= 0 and s.sleeps[island]:
            s.delta[i] = 0.0
            s.new[i] = 0.0
            s.way[i] = 0.0


def slowness(m, s, g, b):
    """Largest velocity of a free body before the step or after it [m/s]."""
    most, j = 0.0, g.free_v[b]
    for i in range(6):
        length = 1.0 if i < 3 else g.free_size[b]
        speed = max(abs(s.y[m.n_q + j + i]), abs(s.new[j + i]))
        most = max(most, length * speed)
    return most


def ask_for_rest(m, s, g):
    """Let slow bodies of swept islands be set to rest where impulses exist that hold them."""
    count = 0
    for b in range(g.n_free):
        island = s.island_number[s.leader_root[m.place[g.free_v[b]]]]
        g.free_island[b] = -1
        if island >= 0 and s.is_swept[island] and not s.sleeps[island]:
            g.free_island[b] = island
            g.free_speed[b] = slowness(m, s, g, b)
            count += 1 if g.free_speed[b] <= SLOW else 0
    if count == 0:
        return
    now = g.rest[0]
    g.rest[0] += 1
    if must_ask(s, g):
        ask(m, s)
    else:
        hold(m, s, g)
    if s.is_trial:
        g.rest[0] = now
    if s.n_settled > 0:
        for i in range(m.n_v):
            s.delta[i] = s.new[i] - s.y[m.n_q + i]
            s.way[i] = s.y[m.n_q + i] + s.theta * s.delta[i]
        s.is_looked_at = 0
        m.t[0] = s.now + 0.5 * s.h
        move(m, s, s.q_middle, s.way, s.h, s.q_new)


def must_ask(s, g):
    """Tell whether rest is to be proven: where the time has come, or what was held may move.

    The numbers are those of `solvers.timestep.resting.rest`.
    """
    n, now = g.n_free, g.rest[0]
    for island in range(s.n_islands):
        s.first_body[island] = -1
    for b in range(n):
        island = g.free_island[b]
        if island >= 0:
            if s.first_body[island] < 0:
                s.first_body[island] = b
            is_held, is_slow = g.rest[1 + 2 * n + b] > 0, g.free_speed[b] <= SLOW
            if is_slow and not is_held and now >= g.rest[1 + s.first_body[island]]:
                return True
            if is_held and now - g.rest[1 + 4 * n + b] >= AGAIN:
                return True
            if is_held and g.free_speed[b] > HELD * s.tolerance:
                return True
    return False


def hold(m, s, g):
    """Keep bodies at rest that were proven to rest a few steps ago, and that sweeps hardly move."""
    s.n_settled = 0
    for b in range(g.n_free):
        if g.free_island[b] >= 0 and g.rest[1 + 2 * g.n_free + b] > 0:
            s.error = max(s.error, g.free_speed[b])
            s.n_settled += 1
            for i in range(6):
                s.new[g.free_v[b] + i] = 0.0


def ask(m, s):
    """Ask what rests, and set it to rest."""
    copy(s.z_free, m.factor.n, s.x)
    solve_upper(m.factor, s.x)
    s.n_settled = 0
    call(m.code[REST], m.code[REST + 1])
