"""Positions of a large island without overlap, by sweeps along the normals."""

from __future__ import annotations

from jourdain.solvers.timestep.rows import add_impulse, caused

SWEEPS = 200
"""Sweeps of a correction, at most."""
ENOUGH = 1e-9
"""Overlap [m] that may be left."""


def lift(m, s, n, low):
    """Shifts ``r ≥ 0`` along n used rows until ``c + G r ≥ low``, added to x.

    ``c`` are gaps; x is a half solved right side.
    """
    for i in range(n):
        s.r[i] = 0.0
    for k in range(SWEEPS):
        change = 0.0
        for j in range(n):
            i = j if k % 2 == 0 else n - 1 - j
            row = s.used[i]
            own = s.own[row]
            if own > 0.0:
                gap = s.c[i] - low + caused(m, s, row, s.x)
                new = max(0.0, s.r[i] - gap / own)
                if new != s.r[i]:
                    change = max(change, abs(new - s.r[i]) * own)
                    add_impulse(m, s, row, new - s.r[i], s.x)
                    s.r[i] = new
        if not change > ENOUGH:
            return
