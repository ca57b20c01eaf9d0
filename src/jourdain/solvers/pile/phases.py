"""Phases of a step in machine code: few calls, whatever the number of contacts.

Between them others may act: laws that are functions, rest. What a phase tells lies in
its ``facts``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from jourdain.solvers.native import NativeLoop
from jourdain.solvers.pile.contact import rates_into
from jourdain.solvers.pile.correction import part_bodies
from jourdain.solvers.pile.matching import KEY, recall, remember
from jourdain.solvers.pile.motion import place, to_end, to_middle
from jourdain.solvers.pile.rows import LOOSE, SIDE, TURNED, contact_sides, near_contacts
from jourdain.solvers.pile.solution import REPORT, RESIDUAL, SWEEPS, solve_islands
from jourdain.solvers.pile.sweeps import prepare

OVERLAP, SPEED, FREE, STRAY, MOST_SWEEPS, WORST, FACTS = range(7)
"""Places in what phases tell: overlap that is left [m], bound of the speeds of all points without
contacts [m/s], largest velocity without contacts; zero if all new velocities are numbers; of all
islands sweeps and residual [m/s]."""
MU, E, COEFFICIENTS = range(3)
"""Coefficients of a law: friction, restitution."""
RESTS = 1e-8
"""Overlap [m] that is left, so that contacts at rest stay closed."""
_LIFTS = 200  # sweeps of a correction

_LETTERS = {
    "d": "h theta near part touches per_gap slow tol slowest",
    "i": "n n_before n_loose n_units n_contours n_columns n_islands most depth is_start has_hit "
    "is_corrected contour first_law n_own n_kinds n_apart",
    "a": "at_q at_v owners unit_of rank spare pairs feature law chosen parent units island first "
    "order lead members at_member at_unit sides key old_key table hashes state kinds law_table "
    "apart found_pairs found_feature is_hit",
}
_LETTER = {name: letter for letter, names in _LETTERS.items() for name in names.split()}


def phase(function: Callable[..., Any]) -> NativeLoop:
    """A loop whose arguments have the types that belong to their names; others are doubles."""
    names = inspect.signature(function).parameters
    return NativeLoop(function, "".join(_LETTER.get(name, "p") for name in names), True)


@phase
def begin_step(
    q, v, h, n_loose, at_q, at_v, properties, gravity, middle, old, free, work, n_contours, owners,
    frames, poses, reach, facts,
):  # fmt: skip
    """Loose bodies in the middle of the step and their contours, and how fast these can be."""
    to_middle(n_loose, at_q, at_v, q, v, properties, gravity, h, middle, old, free, work)
    place(n_contours, owners, middle, frames, poses)
    most = 0.0
    for b in range(n_loose):
        spin = abs(free[6 * b]) + abs(free[6 * b + 1]) + abs(free[6 * b + 2])
        speed = abs(free[6 * b + 3]) + abs(free[6 * b + 4]) + abs(free[6 * b + 5])
        most = max(most, spin * reach[b] + speed)
    facts[SPEED] = most
    return 0


def is_among(code, sorted_codes, n):
    """Whether a number is among sorted ones."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if sorted_codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low < n and sorted_codes[low] == code


@phase
def take_candidates(
    n, n_before, found_pairs, found_feature, found_gap, found_normal, found_a, found_b, contour,
    first_law, n_own, kinds, n_kinds, law_table, n_apart, apart, pairs, feature, law, gap, normal,
    point_a, point_b,
):  # fmt: skip
    """Append candidates of a group that has a law for them, numbered through; return how many.

    ``apart`` are the sorted numbers ``i n_own + j`` of pairs (i, j) that do not touch.
    """
    m = n_before
    for k in range(n):
        i, j = found_pairs[2 * k], found_pairs[2 * k + 1]
        own = law_table[n_kinds * kinds[i] + kinds[j]]
        if own >= 0 and not is_among(n_own * i + j, apart, n_apart):
            pairs[2 * m] = contour + i
            pairs[2 * m + 1] = contour + j
            feature[m] = found_feature[k]
            law[m] = first_law + own
            gap[m] = found_gap[k]
            for x in range(3):
                normal[3 * m + x] = found_normal[3 * k + x]
                point_a[3 * m + x] = found_a[3 * k + x]
                point_b[3 * m + x] = found_b[3 * k + x]
            m += 1
    return m


def rank_from_below(n, gravity, points, height, rank, spare):
    """Order of points from below to above, equal ones as they come: a merge sort."""
    for k in range(n):
        p = 3 * k
        up = points[p] * gravity[0] + points[p + 1] * gravity[1] + points[p + 2] * gravity[2]
        height[k] = -up
        rank[k] = k
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            i, j = start, min(start + width, n)
            middle, end = j, min(start + 2 * width, n)
            for k in range(start, end):
                if i < middle and (j >= end or height[rank[i]] <= height[rank[j]]):
                    spare[k] = rank[i]
                    i += 1
                else:
                    spare[k] = rank[j]
                    j += 1
        for k in range(n):
            rank[k] = spare[k]
        width *= 2


@phase
def sort_contacts(
    n, near, n_units, unit_of, gravity, pairs, gap, normal, point_a, height, rank, spare, chosen,
    parent, units, island, first, order, lead, members, at_member,
):  # fmt: skip
    """Sort the near ones of n candidates by islands, and from below to above in each.

    Returns the number of islands.
    """
    rank_from_below(n, gravity, point_a, height, rank, spare)
    count = near_contacts(
        n, rank, near, gap, normal, pairs, n_units, unit_of, chosen, parent, units, island, first,
        order, members, at_member,
    )  # fmt: skip
    for k in range(first[count] if count > 0 else 0):
        lead[k] = -1
    return count


@phase
def place_contacts(
    n, laws, n_loose, unit_of, middle, pairs, feature, law, normal, point_a, point_b, order, lead,
    arms, sides, key, mu, e,
):  # fmt: skip
    """Axes, sides, keys and coefficients by ``laws`` of n contacts.

    Sides of contacts that others lead are turned; their keys are those below zero.
    """
    contact_sides(n, order, pairs, normal, point_a, point_b, middle, n_loose, unit_of, arms, sides)
    for k in range(n):
        c = order[k]
        key[KEY * k] = pairs[2 * c]
        key[KEY * k + 1] = pairs[2 * c + 1]
        key[KEY * k + 2] = feature[c]
        mu[k] = laws[COEFFICIENTS * law[c] + MU]
        e[k] = laws[COEFFICIENTS * law[c] + E]
        if lead[k] >= 0:
            key[KEY * k + 2] = -1 - feature[c]
            for s in range(2):
                if sides[SIDE * (2 * k + s)] == LOOSE:
                    sides[SIDE * (2 * k + s)] = TURNED
    return 0


@phase
def sum_up(n_islands, islands, facts):
    """Sweeps and residual of all islands."""
    sweeps = 0.0
    worst = 0.0
    strange = 0.0
    for i in range(n_islands):
        sweeps = max(sweeps, islands[REPORT * i + SWEEPS])
        worst = max(worst, islands[REPORT * i + RESIDUAL])
        strange += 0.0 * islands[REPORT * i + RESIDUAL]
    facts[MOST_SWEEPS] = sweeps
    facts[WORST] = worst + strange  # no number, if one is none
    return 0


@phase
def solve_contacts(
    n_islands, blocks, laws, part, touches, per_gap, slow, most, is_start, has_hit, n_loose,
    n_columns, first, order, law, members, at_member, at_unit, key, old_key, table, kept, hashes,
    sides, arms, middle, mu, lead, low, e, gap, old, free, change, wanted, is_hit, before, without,
    r, x, A, c, work, radius, tol, slowest, islands, depth, state, y, root, memory, facts,
):  # fmt: skip
    """Impulses of all contacts, from those of the step before or, if not, from the present ones.

    ``part`` is the length of the step over that of the one before. Where an impact came before the
    step, it begins with the ``change`` of the velocities, and keeps those that are ``wanted``.
    Returns in how many islands it is to be asked whether slow bodies rest.
    """
    n = first[n_islands] if n_islands > 0 else 0
    if is_start:
        recall(n, key, old_key, table, kept, hashes[0], arms, mu, lead, part, r)
        facts[FREE] = 0.0
        for i in range(n_columns):
            before[i] = old[i] + change[i] if has_hit else old[i]
            without[i] = free[i] + change[i] if has_hit else free[i]
            x[i] = without[i]
            facts[FREE] = max(facts[FREE], abs(free[i]))
        prepare(
            n, order, sides, arms, middle, blocks, mu, lead, e, gap, before, r, x, A, c, work,
            touches, per_gap, slow,
        )  # fmt: skip
        for k in range(n if has_hit else 0):
            c[k] = -wanted[k] if wanted[k] >= 0.0 else c[k]
    asked = solve_islands(
        n_islands, n_loose, first, members, at_member, at_unit, sides, arms, middle, blocks, mu,
        lead, low, A, c, r, x, before, without, radius, work, tol, slowest, most, islands, is_hit,
        depth, state, y, root, memory,
    )  # fmt: skip
    sum_up(n_islands, islands, facts)
    facts[STRAY] = 0.0
    for i in range(n_columns):
        facts[STRAY] += 0.0 * x[i]
    return asked


@phase
def keep_impulses(n, key, table, r, arms, kept, old_key, hashes):
    """Keep impulses for the next solution, by the keys of their contacts."""
    hashes[0] = 4
    while hashes[0] <= 2 * n:
        hashes[0] *= 2
    remember(n, key, table, r, arms, hashes[0], kept)
    for i in range(KEY * n):
        old_key[i] = key[i]
    return 0


def count_hits(n, h, sides, arms, blocks, lead, old, free, r, has_hit, wanted, w):
    """Number of contacts met with a velocity that one step of forces does not explain."""
    hits = 0
    for k in range(n):
        if lead[k] < 0 and (r[3 * k] > 0.0 or (has_hit and wanted[k] >= 0.0)):
            rates_into(k, sides, arms, blocks, old, w, 0)
            if w[0] < -2.0 * h:
                rates_into(k, sides, arms, blocks, free, w, 3)
                if w[0] < -2.0 * (h + abs(w[3] - w[0])):
                    hits += 1
    return hits


@phase
def end_step(
    q, v, h, theta, is_corrected, n_before, n_islands, blocks, has_hit, n_loose, n_columns, at_q,
    at_v, properties, first, order, lead, sides, arms, middle, A, gap, old, free, x, shift, sigma,
    r, wanted, ends, paid, key, table, kept, old_key, hashes, facts, work,
):  # fmt: skip
    """Correct overlaps, move the loose bodies on and keep the impulses.

    ``n_before`` is the number of candidates. Returns the number of contacts that were hit.
    """
    n = first[n_islands] if n_islands > 0 else 0
    facts[OVERLAP] = 0.0
    for k in range(n):
        paid[k] = 0.0
    for i in range(n_columns):
        shift[i] = 0.0
    for k in range(n_before):
        facts[OVERLAP] = max(facts[OVERLAP], -gap[k])
    hits = count_hits(n, h, sides, arms, blocks, lead, old, free, r, has_hit, wanted, work)
    if is_corrected:
        part_bodies(
            n_islands, first, order, sides, arms, middle, blocks, lead, A, gap, old, free, x, shift,
            sigma, h, theta, RESTS, 0.1 * RESTS, _LIFTS, ends, paid, facts, work,
        )  # fmt: skip
    to_end(n_loose, at_q, at_v, q, v, properties, h, theta, middle, old, x, shift, work)
    keep_impulses(n, key, table, r, arms, kept, old_key, hashes)
    return hits


PHASES = (
    begin_step, sort_contacts, place_contacts, solve_contacts, keep_impulses, end_step,
)  # fmt: skip
"""All that are bound to the arrays of a pile; candidates are taken group by group."""
