"""Positions of a large island without overlap, by sweeps along the normals; rebounds pay for it."""

from __future__ import annotations

from jourdain.solvers.timestep.factor import solve_upper
from jourdain.solvers.timestep.rows import add_impulse, caused

SWEEPS = 50
"""Sweeps of a correction, at most."""
ENOUGH = 1e-9
"""Overlap [m] that may be left."""


def lift(m, s, n, low):
    """Shifts ``r ≥ 0`` along n used rows until ``c + G r ≥ low``, added to x.

    ``c`` are gaps; x is a half solved right side.
    """
    x, half, reach, D_inverse = s.x, s.half, m.reach, m.factor.D_inverse
    start, r, c, used = m.reach_start, s.r, s.c, s.used
    for i in range(n):
        r[i] = 0.0
    for k in range(SWEEPS):
        change = 0.0
        for j in range(n):
            i = j if k % 2 == 0 else n - 1 - j
            row = used[i]
            own = s.own[row]
            if not own > 0.0:
                continue
            gap = c[i] - low
            for p in range(start[row], start[row + 1]):
                e = reach[p]
                gap += half[p] * D_inverse[e] * x[e]
            new = max(0.0, r[i] - gap / own)
            step = new - r[i]
            if step != 0.0:
                change = max(change, abs(step) * own)
                for p in range(start[row], start[row + 1]):
                    x[reach[p]] += half[p] * step
                r[i] = new
        if not change > ENOUGH:
            return


def pay(m, s, n):
    """Work of the shifts r along n used rows; what leaves there pays for it, as far as that goes.

    A contact that leaves with u and is lifted against forces is slowed down to
    ``√(u² − 2 G work)``.
    """
    z, is_paid = s.z, False
    for i in range(m.factor.n):
        z[i] = 0.0
    for i in range(n):
        row = s.used[i]
        work = -s.r[i] * caused(m, s, row, s.z_free) / s.h
        s.works[row] += work
        u = m.end_u[row] + caused(m, s, row, z)
        if work > 0.0 and u > 0.0:
            own = s.own[row]
            slower = max(u * u - 2.0 * own * work, 0.0) ** 0.5
            s.works[row] += 0.5 * (slower * slower - u * u) / own
            add_impulse(m, s, row, (slower - u) / own, z)
            is_paid = True
    if is_paid:
        solve_upper(m.factor, z)
        s.is_looked_at = 0
        for i in range(m.n_v):
            s.new[i] += z[m.place[i]]
