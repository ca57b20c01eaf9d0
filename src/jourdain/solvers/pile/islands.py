"""Islands: units that touch each other, directly or through others."""

from __future__ import annotations

ISLANDS = 0
"""Place of the number of islands in the counts."""


def root(parent, i):
    """Representative of a unit; the way there is shortened."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


def joined(parent, i, j):
    """Put two units in one island; −1 is the world, which joins nobody."""
    if i >= 0 and j >= 0:
        a, b = root(parent, i), root(parent, j)
        parent[max(a, b)] = min(a, b)


def sort_by_island(n, n_units, units, parent, island, first, order, members, at_member):
    """Sort contacts and units by islands; return the number of islands.

    ``units`` (n, 2) are those of each contact, ``parent`` tells who is joined. Contacts of island
    i are ``order[first[i] : first[i + 1]]``, its units ``members[at_member[i] : …]``. Units
    without contact have the island −1.
    """
    count = 0
    for i in range(n_units):
        island[i] = -1
    for k in range(n):
        i = units[2 * k] if units[2 * k] >= 0 else units[2 * k + 1]
        r = root(parent, i)
        if island[r] < 0:
            island[r] = count
            count += 1
    for i in range(count + 2):
        first[i] = 0
        at_member[i] = 0
    for k in range(n):
        i = units[2 * k] if units[2 * k] >= 0 else units[2 * k + 1]
        first[island[root(parent, i)] + 2] += 1
    for i in range(n_units):
        r = root(parent, i)
        island[i] = island[r]
        if island[i] >= 0:
            at_member[island[i] + 2] += 1
    for i in range(count):
        first[i + 2] += first[i + 1]
        at_member[i + 2] += at_member[i + 1]
    for k in range(n):
        i = units[2 * k] if units[2 * k] >= 0 else units[2 * k + 1]
        m = island[i] + 1
        order[first[m]] = k
        first[m] += 1
    for i in range(n_units):
        if island[i] >= 0:
            m = island[i] + 1
            members[at_member[m]] = i
            at_member[m] += 1
    return count
