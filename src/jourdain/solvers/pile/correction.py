"""Positions without overlap, by the same sweeps along the normals (CT-8)."""

from __future__ import annotations

from jourdain.solvers.native import native
from jourdain.solvers.pile.sweeps import MATRICES, push, rates_into


@native("iaaappppppppdddippp")
def part_bodies(
    n_islands, first, order, sides, arms, middle, blocks, A, gaps, x, shift, sigma, way, rests, tol, most,
    ends, report, w,
):  # fmt: skip
    """Shift of the units that leaves an overlap of ``rests`` [m] at most; return if there is any.

    Gaps at the end of the step are those of its middle, moved on along the normals by
    ``way`` [s] times the new velocities.
    """
    moved = 0
    for island in range(n_islands):
        start, end = first[island], first[island + 1]
        deepest = 0.0
        for k in range(start, end):
            rates_into(k, sides, arms, blocks, x, w, 0)
            ends[k] = gaps[order[k]] + way * w[0]
            sigma[k] = 0.0
            deepest = min(deepest, ends[k])
        report[island] = 0.0
        if deepest >= -2.0 * rests:
            continue
        moved = 1
        change, sweeps = 1e300, 0
        while sweeps < most and change > tol:
            change = 0.0
            for m in range(start, end):
                k = m if sweeps % 2 == 0 else start + end - 1 - m
                own = A[MATRICES * k]
                rates_into(k, sides, arms, blocks, shift, w, 0)
                gap = ends[k] + rests + w[0]
                new = max(0.0, sigma[k] - gap / own) if own > 0.0 else 0.0
                if new != sigma[k]:
                    push(k, sides, arms, middle, blocks, new - sigma[k], 0.0, 0.0, shift)
                    change = max(change, abs(new - sigma[k]) * own)
                    sigma[k] = new
            sweeps += 1
        report[island] = sweeps
    return moved
