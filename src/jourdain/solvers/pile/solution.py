"""All islands of a step: impulses, rest, and energy that no impact may create."""

from __future__ import annotations

from jourdain.solvers.native import native
from jourdain.solvers.pile.contact import rates_into
from jourdain.solvers.pile.sweeps import MATRICES, OPEN, roots_into, solve_island

SWEEPS, RESIDUAL, WORK, REPORT = 0, 1, 2, 3
"""Places in the report of an island: sweeps, residual [m/s], work of the contacts [J]."""
_SOFTER = 3  # times that restitution is halved where an impact would create energy, before it ends
_SETTLED = 1e-3  # part of the tolerance up to which impulses at rest are still improved
_NEARLY = 30.0  # times the tolerance: velocities that are nearly rest, which is then found exactly
_VAGUE = 1e3  # times the tolerance: errors up to which what is slower than the error rests
_MORE = 10  # sweeps in which they are improved, in every step
_NONE = 1e-13  # part of the energy that is exchanged which is rounding


def speed(i, at_unit, radius, x):
    """Largest velocity of a unit [m/s]: of a column times the length that belongs to it."""
    most = 0.0
    for j in range(at_unit[i], at_unit[i + 1]):
        most = max(most, abs(x[j]) * radius[j])
    return most


def fastest(island, members, at_member, at_unit, radius, x):
    """Largest velocity of the units of an island."""
    most = 0.0
    for m in range(at_member[island], at_member[island + 1]):
        most = max(most, speed(members[m], at_unit, radius, x))
    return most


def stop(island, members, at_member, at_unit, radius, x, tol):
    """Bring the units of an island that are slower than a tolerance to rest, exactly.

    Returns the largest velocity that was taken.
    """
    most = 0.0
    for m in range(at_member[island], at_member[island + 1]):
        i = members[m]
        own = speed(i, at_unit, radius, x)
        if own <= tol:
            most = max(most, own)
            for j in range(at_unit[i], at_unit[i + 1]):
                x[j] = 0.0
    return most


def contact_error(k, sides, arms, middle, blocks, mu, A, c, r, x, w):
    """Natural map of contact k, as a velocity (NS-2)."""
    if c[k] >= OPEN:
        return 0.0
    rates_into(k, sides, arms, blocks, x, w, 16)
    own = max(A[MATRICES * k], A[MATRICES * k + 4], A[MATRICES * k + 8])
    n = own * r[3 * k]
    error = abs(min(n, w[16] + c[k]))
    s = own * r[3 * k + 1] - w[17]
    t = own * r[3 * k + 2] - w[18]
    size = (s * s + t * t) ** 0.5
    most = mu[k] * n
    part = most / size if size > most else 1.0
    s = own * r[3 * k + 1] - part * s
    t = own * r[3 * k + 2] - part * t
    return max(error, (s * s + t * t) ** 0.5)


def largest_error(first, last, sides, arms, middle, blocks, mu, A, c, r, x, w):
    """Largest natural map of some contacts."""
    most = 0.0
    for k in range(first, last):
        most = max(most, contact_error(k, sides, arms, middle, blocks, mu, A, c, r, x, w))
    return most


def work_of(first, last, sides, arms, blocks, c, r, x, old, w):
    """Work of contacts ½ Λᵀ(u⁻ + u⁺) to ``w[4]`` and the sum of its sizes to ``w[5]``."""
    total = 0.0
    size = 0.0
    for k in range(first, last):
        if c[k] < OPEN and r[3 * k] > 0.0:
            rates_into(k, sides, arms, blocks, old, w, 6)
            rates_into(k, sides, arms, blocks, x, w, 9)
            for i in range(3):
                total += 0.5 * r[3 * k + i] * (w[6 + i] + w[9 + i])
                size += 0.5 * abs(r[3 * k + i]) * (abs(w[6 + i]) + abs(w[9 + i]))
    w[4] = total
    w[5] = size


def soften(first, last, c, factor):
    """Scale the velocities that restitution asks for; tell whether there are any."""
    found = 0
    for k in range(first, last):
        if c[k] < 0.0:
            c[k] *= factor
            found = 1
    return found


@native("iaaaaapppppppppppdipiappp", is_unrolled=True)
def solve_islands(
    n_islands, first, members, at_member, at_unit, sides, arms, middle, blocks, mu, A, c, r, x,
    old, radius, w, tol, most, report, depth, state, y, root, memory,
):  # fmt: skip
    """Solve all islands; units whose velocities vanish but for the tolerance rest, exactly.

    Where Newton's law of impact would create energy, restitution is reduced. ``report`` gets
    sweeps, residual and work for each island.
    """
    for island in range(n_islands):
        start, end, at = first[island], first[island + 1], REPORT * island
        rest = fastest(island, members, at_member, at_unit, radius, x)
        before = fastest(island, members, at_member, at_unit, radius, old)
        if rest <= _SETTLED * tol and before <= tol:
            report[at + SWEEPS] = 0.0
            report[at + RESIDUAL] = stop(island, members, at_member, at_unit, radius, x, tol)
            report[at + WORK] = 0.0
            continue
        roots_into(start, end, A, root)
        wanted, turns = tol, most
        if before <= _NEARLY * tol:
            wanted = _SETTLED * tol
        if before <= tol and rest <= tol:
            turns = min(most, _MORE)
        sweeps = 0
        for turn in range(_SOFTER + 2):
            sweeps += solve_island(
                start, end, sides, arms, middle, blocks, mu, A, c, r, x, w, wanted, turns,
                depth, state, y, root, memory,
            )  # fmt: skip
            work_of(start, end, sides, arms, blocks, c, r, x, old, w)
            if not w[4] > _NONE * w[5]:
                break
            if soften(start, end, c, 0.5 if turn < _SOFTER else 0.0) == 0:
                break
        report[at + WORK] = w[4]
        error = largest_error(start, end, sides, arms, middle, blocks, mu, A, c, r, x, w)
        slow = min(max(tol, error), _VAGUE * tol)
        rest = stop(island, members, at_member, at_unit, radius, x, slow)
        report[at + SWEEPS] = sweeps
        report[at + RESIDUAL] = max(error, rest)
    return 0
