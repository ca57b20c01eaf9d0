"""Positions without overlap, by sweeps along the normals, and the energy that this takes (CT-8)."""

from __future__ import annotations

from jourdain.solvers.native import native
from jourdain.solvers.pile.contact import push, rates_into
from jourdain.solvers.pile.sweeps import MATRICES

_SLOW = 1e-9  # [m/s] approach that is none


def lift(
    first, last, sides, arms, middle, blocks, lead, A, ends, shift, sigma, rests, tol, most, w
):  # fmt: skip
    """Sweep along the normals of an island until its gaps are at least −rests [m]."""
    change, sweeps = 1e300, 0
    while sweeps < most and change > tol:
        change = 0.0
        for m in range(first, last):
            k = m if sweeps % 2 == 0 else first + last - 1 - m
            own = A[MATRICES * k] if lead[k] < 0 else 0.0
            rates_into(k, sides, arms, blocks, shift, w, 0)
            gap = ends[k] + rests + w[0]
            new = max(0.0, sigma[k] - gap / own) if own > 0.0 else 0.0
            if new != sigma[k]:
                push(k, sides, arms, middle, blocks, new - sigma[k], 0.0, 0.0, shift)
                change = max(change, abs(new - sigma[k]) * own)
                sigma[k] = new
        sweeps += 1
    return sweeps


def pay(k, sides, arms, middle, blocks, A, sigma, h, theta, old, free, x, w):
    """Take the work of the shift of contact k from its rebound, as far as that goes.

    Returns the work that was done on the bodies, less what was paid; a slower rebound also goes
    less far against the forces of the step, by the part ``theta`` of the new velocity.
    """
    rates_into(k, sides, arms, blocks, free, w, 0)
    rates_into(k, sides, arms, blocks, old, w, 3)
    forces = w[0] - w[3]
    work = -sigma * forces / h
    rates_into(k, sides, arms, blocks, x, w, 0)
    u, own = w[0], A[MATRICES * k]
    if work <= 0.0 or u <= 0.0:
        return work
    paid = min(work, 0.5 * u * u / own)
    slower = max(u * u - 2.0 * own * paid, 0.0) ** 0.5
    push(k, sides, arms, middle, blocks, (slower - u) / own, 0.0, 0.0, x)
    return work - paid - theta * forces * (slower - u) / own


@native("iaaapppapppppppddddipppp", is_unrolled=True)
def part_bodies(
    n_islands, first, order, sides, arms, middle, blocks, lead, A, gaps, old, free, x, shift, sigma,
    h, theta, rests, tol, most, ends, paid, report, w,
):  # fmt: skip
    """Shift of the units that leaves overlaps of ``rests`` [m] at most; return if there is any.

    Gaps at the end of the step are those of its middle, moved on along the normals by half a step
    with the new velocities. ``paid`` gets the work at each contact, ``report`` the deepest overlap
    that is left.
    """
    moved = 0
    report[0] = 0.0
    for island in range(n_islands):
        start, end = first[island], first[island + 1]
        deepest = 0.0
        for k in range(start, end):
            rates_into(k, sides, arms, blocks, x, w, 0)
            ends[k] = gaps[order[k]] + 0.5 * h * w[0] if lead[k] < 0 else 0.0
            if w[0] < -_SLOW and ends[k] < -rests:
                ends[k] = -rests  # left to the impact of the next step
            sigma[k] = 0.0
            deepest = min(deepest, ends[k])
        if deepest < -2.0 * rests:
            moved = 1
            lift(
                start, end, sides, arms, middle, blocks, lead, A, ends, shift, sigma, rests, tol,
                most, w,
            )  # fmt: skip
            deepest = 0.0
            for k in range(start, end):
                rates_into(k, sides, arms, blocks, shift, w, 0)
                deepest = min(deepest, ends[k] + w[0] if lead[k] < 0 else 0.0)
                if sigma[k] > 0.0:
                    paid[k] = pay(
                        k, sides, arms, middle, blocks, A, sigma[k], h, theta, old, free, x, w
                    )
        report[0] = max(report[0], -deepest)
    return moved
