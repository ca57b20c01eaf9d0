"""Contacts that overlap at the end of a step: they are pushed apart, 0 ≤ g + G σ ⊥ σ ≥ 0 (TS-7).

Velocities stay; the work of pushing against forces is taken from their own motion. Contacts that
come with the speed of an impact and will rebound wait for it: pushed, they would gain energy. Those
that will not rebound are closed when the next step begins, as if they had met at its start.
"""

from __future__ import annotations

from jourdain.solvers.nonsmooth.small.dense import solve_dense
from jourdain.solvers.nonsmooth.sweeps import HALF_LINE
from jourdain.solvers.timestep.assembly import evaluate
from jourdain.solvers.timestep.factor import solve_upper
from jourdain.solvers.timestep.groups.ends import law_restitutions
from jourdain.solvers.timestep.large.positions import lift, pay
from jourdain.solvers.timestep.positions.corrections import (
    LEFT,
    SOFT,
    look_at_end,
    solve_equalities,
    take_way,
)
from jourdain.solvers.timestep.records import HAS_GAP, NORMAL, POINT, RESTITUTION
from jourdain.solvers.timestep.rows import add_impulse, caused, half_solve, response_into

_PUSHES = 4
_NEAR = 10.0  # times the deepest overlap: gaps that pushing might close


def ask_restitutions(m, s):
    """Restitution of contacts that overlap and approach."""
    is_asked = False
    for k in range(m.n_points):
        row = m.points[POINT * k + NORMAL]
        if row >= 0 and m.points[POINT * k + HAS_GAP] and m.end_gaps[k] < 0.0 > m.end_u[row]:
            m.speeds[k] = -m.end_u[row]
            is_asked = True
    if is_asked and m.fixed_points > 0:
        evaluate(m, s, RESTITUTION)
    if is_asked and m.has_groups:
        law_restitutions(m, m.groups)


def is_pushed(m, s, k, reach):
    """Tell whether a contact with a gap up to some reach is pushed: rebounds to come are not."""
    row = m.points[POINT * k + NORMAL]
    if row < 0 or not m.points[POINT * k + HAS_GAP] or not m.end_gaps[k] < reach:
        return False
    if not s.is_half[row]:
        half_solve(m, s, row)
    if s.is_fixed[row]:
        return False
    pull = abs(caused(m, s, row, s.z_free)) + s.h * abs(m.bias[row])
    if m.end_gaps[k] >= 0.0 or m.end_u[row] >= -pull:
        return True
    return not s.is_rough and m.speeds[k] > 0.0 and m.e[k] == 0.0


def overlapping(m, s):
    """Contacts that overlap, and those that they might be pushed to; return their number."""
    deepest = 0.0
    for k in range(m.n_points):
        is_lifted = s.active[k] == 1 and s.is_swept[s.island_of[k]]
        if not is_lifted and is_pushed(m, s, k, 0.0):
            row = m.points[POINT * k + NORMAL]
            left = 1e-8 * s.h * (s.own[row] * s.all_energy) ** 0.5
            if s.is_rough and k >= m.fixed_points:
                left = max(left, 2.0 * LEFT)
            if m.end_gaps[k] < -left:
                deepest = min(deepest, m.end_gaps[k])
    n = 0
    for k in range(m.n_points):
        if deepest < 0.0 and is_pushed(m, s, k, -_NEAR * deepest):
            s.used[n] = m.points[POINT * k + NORMAL]
            s.c[n] = m.end_gaps[k]
            n += 1
    return n


def push_apart(m, s):
    """Move contacts apart that overlap; their work is taken from the rebound."""
    for _ in range(_PUSHES):
        ask_restitutions(m, s)
        n = overlapping(m, s)
        if n == 0:
            return
        if n > s.most_dense or s.is_rough:
            lift_many(m, s, n)
            continue
        response_into(m, s, n)
        for i in range(n):
            s.kind[i] = HALF_LINE
            s.start[i] = i
            s.rows[i] = i
            s.D[i] = 1.0
            s.limits[3 * i] = 0.0
            s.limits[3 * i + 1] = 1e300
            s.r[i] = 0.0
        s.start[n] = n
        solve_dense(
            n, s.G, s.c, n, s.kind, s.start, s.rows, s.normal, s.D, s.limits, s.r, 1e-9,
            s.numbers, s.integers, s.report,
        )  # fmt: skip
        for i in range(m.factor.n):
            s.x[i] = 0.0
        for i in range(n):
            add_impulse(m, s, s.used[i], s.r[i], s.x)
        charge_push(m, s, n)
        take_way(m, s)
        look_at_end(m, s)


def lift_many(m, s, n):
    """Move many contacts apart that overlap."""
    for i in range(m.factor.n):
        s.x[i] = 0.0
    lift(m, s, n, 0.0)
    pay(m, s, n)
    take_way(m, s)
    look_at_end(m, s)


def charge_push(m, s, n):
    """Work of the shifts r along n used rows; their own motion pays for it."""
    work, leaving = 0.0, 0
    for i in range(n):
        row = s.used[i]
        own = -s.r[i] * caused(m, s, row, s.z_free) / s.h
        s.works[row] += own
        work += own
        if s.r[i] > 0.0 and m.end_u[row] != 0.0:
            s.used[leaving] = row
            leaving += 1
    if not work > 0.0 or leaving == 0:
        return
    response_into(m, s, leaving)
    for i in range(leaving):
        s.c[i] = m.end_u[s.used[i]]
        s.soft[i] = SOFT
    if not solve_equalities(s, leaving):
        return
    energy = 0.0
    for i in range(leaving):
        energy += 0.5 * s.c[i] * s.r[i]
    if energy > 0.0:
        slow_down(m, s, leaving, 1.0 - max(0.0, 1.0 - work / energy) ** 0.5)


def slow_down(m, s, n, share):
    """Take a share of the velocities of n used rows away: r are impulses that would stop them."""
    for i in range(m.factor.n):
        s.z[i] = 0.0
    for i in range(n):
        row = s.used[i]
        s.works[row] -= 0.5 * s.c[i] * s.r[i] * (2.0 * share - share * share)
        add_impulse(m, s, row, -share * s.r[i], s.z)
    solve_upper(m.factor, s.z)
    s.is_looked_at = 0
    for i in range(m.n_v):
        s.new[i] += s.z[m.place[i]]
