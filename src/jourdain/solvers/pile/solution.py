"""All islands of a step: impulses, and energy that no impact may create."""

from __future__ import annotations

from jourdain.solvers.native import native
from jourdain.solvers.pile.contact import rates_into
from jourdain.solvers.pile.resting.equilibrium import CERTAIN
from jourdain.solvers.pile.sweeps import OPEN, largest_own, length_of, roots_into, solve_island

SWEEPS, RESIDUAL, IS_SLOW, REPORT = range(4)
"""Places in the report of an island: sweeps, residual [m/s], and whether there are slow bodies of
which it is to be asked whether they rest."""
_SOFTER = 3  # times that restitution is halved where an impact would create energy, before it ends
_SETTLED = 1e-3  # part of the tolerance up to which impulses at rest are still improved
_NEARLY = 30.0  # times the tolerance: velocities that are nearly rest, which is then found exactly
_MORE = 20  # sweeps in which they are improved, in every step
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


def stop(island, members, at_member, at_unit, radius, x, begin, tol):
    """Bring units from ``begin`` on that are slower than a tolerance to rest, exactly.

    Returns the largest velocity that was taken.
    """
    most = 0.0
    for m in range(at_member[island], at_member[island + 1]):
        i = members[m]
        own = speed(i, at_unit, radius, x)
        if i >= begin and own <= tol:
            most = max(most, own)
            for j in range(at_unit[i], at_unit[i + 1]):
                x[j] = 0.0
    return most


def slow_bodies(island, members, at_member, at_unit, radius, old, x, n_loose, slow):
    """Number of loose bodies of an island that are slow, before the step and after."""
    count = 0
    for m in range(at_member[island], at_member[island + 1]):
        i = members[m]
        if i < n_loose:
            own = max(speed(i, at_unit, radius, old), speed(i, at_unit, radius, x))
            count += 1 if own <= slow else 0
    return count


def contact_error(k, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w):
    """Natural map of contact k, as a velocity (NS-2)."""
    if c[k] >= OPEN:
        return 0.0
    rates_into(k, sides, arms, blocks, x, w, 16)
    own = largest_own(A, k)
    n = own * r[3 * k]
    error = abs(min(n - own * low[k], w[16] + c[k]))
    most = mu[k] * n
    if lead[k] >= 0:
        most = mu[k] * own * r[3 * lead[k]]
        error = abs(n - min(max(n - w[16], -most), most))
    s = own * r[3 * k + 1] - w[17]
    t = own * r[3 * k + 2] - w[18]
    size = (s * s + t * t) ** 0.5
    part = most / size if size > most else 1.0
    s = own * r[3 * k + 1] - part * s
    t = own * r[3 * k + 2] - part * t
    return max(error, (s * s + t * t) ** 0.5) * length_of(A, k, lead)


def largest_error(first, last, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w):
    """Largest natural map of some contacts."""
    most = 0.0
    for k in range(first, last):
        own = contact_error(k, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w)
        most = max(most, own)
    return most


def work_of(first, last, sides, arms, blocks, lead, c, r, x, old, w):
    """Work of contacts ½ Λᵀ(u⁻ + u⁺) to ``w[4]`` and the sum of its sizes to ``w[5]``."""
    total = 0.0
    size = 0.0
    for k in range(first, last):
        if c[k] < OPEN and (r[3 * k] > 0.0 or lead[k] >= 0):
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


def rests_still(island, members, at_member, at_unit, radius, old, free, x, n_loose, tol):
    """Whether an island that was at rest stays so with the impulses of the step before."""
    if fastest(island, members, at_member, at_unit, radius, old) > 0.0:
        return 0
    limit = CERTAIN * fastest(island, members, at_member, at_unit, radius, free)
    if members[at_member[island + 1] - 1] >= n_loose:
        limit = max(limit, _SETTLED * tol)
    return 1 if fastest(island, members, at_member, at_unit, radius, x) <= limit else 0


@native("iaaappppappppppp", is_unrolled=True)
def assess(
    n, islands, first, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w, report
):  # fmt: skip
    """Residuals of some islands."""
    for i in range(n):
        start, end, at = first[islands[i]], first[islands[i] + 1], REPORT * islands[i]
        error = largest_error(start, end, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w)
        report[at + RESIDUAL] = error
    return 0


@native("iiaaaaappppapppppppppddipaiappp", is_unrolled=True)
def solve_islands(
    n_islands, n_loose, first, members, at_member, at_unit, sides, arms, middle, blocks, mu, lead,
    low, A, c, r, x, old, free, radius, w, tol, slow, most, report, is_hit, depth, state, y, root,
    memory,
):  # fmt: skip
    """Solve all islands; return in how many it is to be asked whether slow bodies rest.

    Units other than loose bodies whose velocities vanish but for the tolerance rest, exactly.
    Where Newton's law of impact would create energy, restitution is reduced; not in islands that
    Poisson's law has hit, which asks for what it leaves. ``report`` gets
    sweeps and residual for each island, and whether it is to be asked.
    """
    asked = 0
    for island in range(n_islands):
        start, end, at = first[island], first[island + 1], REPORT * island
        report[at + IS_SLOW] = 0.0
        if rests_still(island, members, at_member, at_unit, radius, old, free, x, n_loose, tol):
            rest = stop(island, members, at_member, at_unit, radius, x, 0, OPEN)
            error = largest_error(
                start, end, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w
            )
            report[at + SWEEPS] = 0.0
            report[at + RESIDUAL] = max(error, rest)
            continue
        rest = fastest(island, members, at_member, at_unit, radius, x)
        before = fastest(island, members, at_member, at_unit, radius, old)
        roots_into(start, end, A, root)
        wanted, turns = tol, most
        if before <= _NEARLY * tol:
            wanted = _SETTLED * tol
        if before <= tol and rest <= tol:
            turns = min(most, _MORE)
        sweeps = 0
        for turn in range(_SOFTER + 2):
            sweeps += solve_island(
                start, end, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w, wanted,
                turns, depth, state, y, root, memory,
            )  # fmt: skip
            work_of(start, end, sides, arms, blocks, lead, c, r, x, old, w)
            if is_hit[island] or not w[4] > _NONE * w[5]:
                break
            if soften(start, end, c, 0.5 if turn < _SOFTER else 0.0) == 0:
                break
        error = largest_error(start, end, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w)
        rest = stop(island, members, at_member, at_unit, radius, x, n_loose, tol)
        report[at + SWEEPS] = sweeps
        report[at + RESIDUAL] = max(error, rest)
        if slow_bodies(island, members, at_member, at_unit, radius, old, x, n_loose, slow) > 0:
            report[at + IS_SLOW] = 1.0
            asked += 1
    return asked
