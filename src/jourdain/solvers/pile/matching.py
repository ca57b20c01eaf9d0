"""Impulses of the step before, found again by pair and feature: a table of hashes."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.solvers.native import native
from jourdain.solvers.pile.rows import ARMS
from jourdain.solvers.record import MOST, Record, refused

KEY = 3
"""Numbers of a key: the two contours, and the feature that touches."""


def checked_keys(record: Record, n_contours: int) -> Any:
    """Keys of the contacts of an earlier run, in a row.

    Raises
    ------
    ModelError
        If they name contours that are not there.
    """
    keys = record.whole("keys", None, -MOST, MOST)
    contours = keys[: len(keys) // KEY * KEY].reshape(-1, KEY)[:, :2]
    if len(keys) % KEY or np.any((contours < 0) | (contours >= n_contours)):
        raise refused("'keys' has contacts of contours that are not there")
    return keys


def place_of(key, k, size):
    """First place to look at for a contact in a table of a size."""
    mixed = key[k] * 73856093 + key[k + 1] * 19349663 + key[k + 2] * 83492791
    return (mixed % size + size) % size


@native("iaappip")
def remember(n, key, table, r, arms, size, kept):
    """Enter the contacts of a step and their impulses, in world axes."""
    for i in range(size):
        table[i] = -1
    for k in range(n):
        at = place_of(key, KEY * k, size)
        while table[at] >= 0:
            at = (at + 1) % size
        table[at] = k
        for i in range(3):
            kept[3 * k + i] = (
                arms[ARMS * k + i] * r[3 * k]
                + arms[ARMS * k + 3 + i] * r[3 * k + 1]
                + arms[ARMS * k + 6 + i] * r[3 * k + 2]
            )
    return 0


def same(a, i, b, j):
    """Whether two keys are equal."""
    return a[i] == b[j] and a[i + 1] == b[j + 1] and a[i + 2] == b[j + 2]


def bounded(k, lead, mu, r):
    """Bring the first impulse of contact k into its limits; return the normal one that counts."""
    if lead[k] < 0:
        r[3 * k] = max(r[3 * k], 0.0)
        return r[3 * k]
    normal = r[3 * lead[k]]
    r[3 * k] = min(max(r[3 * k], -mu[k] * normal), mu[k] * normal)
    return normal


@native("iaaapippadp")
def recall(n, key, old_key, table, kept, size, arms, mu, lead, part, r):
    """Impulses r (n, 3) to start from: those of the step before, within the friction cone."""
    for k in range(n):
        at = place_of(key, KEY * k, size)
        while table[at] >= 0 and not same(key, KEY * k, old_key, KEY * table[at]):
            at = (at + 1) % size
        for i in range(3):
            r[3 * k + i] = 0.0
        if table[at] >= 0:
            m = 3 * table[at]
            for row in range(3):
                x = ARMS * k + 3 * row
                total = arms[x] * kept[m] + arms[x + 1] * kept[m + 1] + arms[x + 2] * kept[m + 2]
                own = arms[x] * arms[x] + arms[x + 1] * arms[x + 1] + arms[x + 2] * arms[x + 2]
                r[3 * k + row] = part * total / own if own > 0.0 else 0.0
            most = mu[k] * bounded(k, lead, mu, r)
            size_t = (r[3 * k + 1] ** 2 + r[3 * k + 2] ** 2) ** 0.5
            if size_t > most:
                r[3 * k + 1] *= most / size_t
                r[3 * k + 2] *= most / size_t
    return 0
