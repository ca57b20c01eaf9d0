"""Dependent coordinates that follow from independent ones (PT-1 to PT-3), in machine code.

The kernel of a partitioned run leaves, from AT_PARTITION on, with m rows, scaled:
P (m × n_v), position errors (m), velocity errors (m), which rows hold positions (m), changes of q
by those of v (n_q × n_v), changes of q without any (n_q), scales of v (n_v). Behind them lie the
matrix being eliminated (m × n_v), its right side (m), the solution (n_v), and who depends on
position and on velocity level (2 n_v). The orders of rows and columns lie in ``ip``.
"""

from __future__ import annotations

from typing import Any

from jourdain.solvers.ode.stepping import (
    AT_ORDER,
    AT_PARTITION,
    AT_PROJECTION,
    AT_SIZES,
    KEEP,
    N_CHANGES,
    N_INTEGERS,
    N_Q,
    N_ROWS,
    N_V,
    RTOL,
)  # fmt: skip

NONE = 1e-7  # part of a row that is as good as none: it repeats other rows
PER_ERROR = 100.0  # more of it per position error [1/m, 1/rad]: there, repeated rows do not repeat
POOR = 0.03  # part of a row below which no coordinate follows well from the others


def room(m: int, n_q: int, n_v: int) -> int:
    """Numbers that a partition of m rows keeps in memory."""
    return 2 * m * n_v + 4 * m + n_q * (n_v + 1) + 4 * n_v if m else 0


def lay_out(ip: Any, dp: Any, m: int, place: int, keep: float) -> tuple[list[int], slice]:
    """Lay out a partition of m rows behind a place; return where its kernel writes, and the flags.

    The flags tell who depends.
    """
    n_q, n_v = int(ip[N_Q]), int(ip[N_V])
    ip[N_ROWS], ip[AT_PARTITION], ip[AT_ORDER], dp[KEEP] = m, place, N_INTEGERS, keep
    sizes = [m * n_v, m, m, m, n_q * n_v, n_q]
    flags = place + room(m, n_q, n_v) - 2 * n_v
    places = [place + sum(sizes[:k]) for k in range(len(sizes) + 1)]
    return places, slice(flags, flags + 2 * n_v)


def load(w, ip, level):
    """Copy the rows of a level, and what they are to be."""
    m, n_v = ip[N_ROWS], ip[N_V]
    at = ip[AT_PARTITION]
    at_e = at + m * n_v
    at_A = at_e + 3 * m + ip[N_Q] * (n_v + 1) + n_v
    for i in range(m):
        counts = 1.0 if level == 1 else w[at_e + 2 * m + i]
        for j in range(n_v):
            w[at_A + i * n_v + j] = counts * w[at + i * n_v + j]
        w[at_A + m * n_v + i] = -counts * w[at_e + level * m + i]
        ip[ip[AT_ORDER] + i] = i
    for j in range(n_v):
        ip[ip[AT_ORDER] + m + j] = j
    return at_A


def choose(w, ip, at_A, at_flags, k, keep):
    """Bring the pivot of step k to its place; return the size of the best one.

    A column that depended before stays so while its pivot is not much smaller than the best one.
    """
    m, n_v = ip[N_ROWS], ip[N_V]
    rows, columns = ip[AT_ORDER], ip[AT_ORDER] + m
    best, best_i, best_j = 0.0, k, k
    old, old_i, old_j = 0.0, k, k
    for i in range(k, m):
        for j in range(k, n_v):
            column = ip[columns + j]
            size = abs(w[at_A + ip[rows + i] * n_v + column])
            if size > best:
                best, best_i, best_j = size, i, j
            if size > old and w[at_flags + column] > 0.5:
                old, old_i, old_j = size, i, j
    if old >= keep * best:
        best_i, best_j = old_i, old_j
    i, j = ip[rows + best_i], ip[columns + best_j]
    ip[rows + best_i] = ip[rows + k]
    ip[columns + best_j] = ip[columns + k]
    ip[rows + k] = i
    ip[columns + k] = j
    return best


def eliminate(w, ip, at_A, at_flags, keep, none):
    """Gaussian elimination of the rows; return their rank, or -1 if no choice is good."""
    m, n_v = ip[N_ROWS], ip[N_V]
    rows, columns, right = ip[AT_ORDER], ip[AT_ORDER] + m, at_A + m * n_v
    for k in range(min(m, n_v)):
        best = choose(w, ip, at_A, at_flags, k, keep)
        if not best > none:
            return k
        if best < POOR:
            return -1
        row = ip[rows + k]
        pivot = w[at_A + row * n_v + ip[columns + k]]
        for i in range(k + 1, m):
            other = ip[rows + i]
            ratio = w[at_A + other * n_v + ip[columns + k]] / pivot
            if ratio != 0.0:
                for j in range(k + 1, n_v):
                    column = ip[columns + j]
                    w[at_A + other * n_v + column] -= ratio * w[at_A + row * n_v + column]
                w[right + other] -= ratio * w[right + row]
    return min(m, n_v)


def substitute(w, ip, at_A, rank):
    """Changes of the dependent velocities; those of the independent ones are zero."""
    m, n_v = ip[N_ROWS], ip[N_V]
    rows, columns, right = ip[AT_ORDER], ip[AT_ORDER] + m, at_A + m * n_v
    at_x = right + m
    for j in range(n_v):
        w[at_x + j] = 0.0
    for k in range(rank - 1, -1, -1):
        row = ip[rows + k]
        total = w[right + row]
        for j in range(k + 1, rank):
            total -= w[at_A + row * n_v + ip[columns + j]] * w[at_x + ip[columns + j]]
        w[at_x + ip[columns + k]] = total / w[at_A + row * n_v + ip[columns + k]]


def note(w, ip, at_flags, rank):
    """Remember who depends, and count where one no longer does."""
    m, n_v = ip[N_ROWS], ip[N_V]
    columns, is_other = ip[AT_ORDER] + m, 0
    for j in range(n_v):
        place = at_flags + ip[columns + j]
        depends = 1.0 if j < rank else 0.0
        if w[place] > depends:
            is_other = 1
        w[place] = depends
    ip[N_CHANGES] += is_other


def is_large(w, ip, dp, level):
    """Tell whether the projection moves the state by more than the tolerance of a step."""
    n_q, n = ip[N_Q], ip[N_Q] + ip[N_V]
    for i in range(n_q * level, n_q + (n - n_q) * level):
        limit = w[ip[AT_SIZES] + n + i] + dp[RTOL] * abs(w[2 * n + i])
        if abs(w[ip[AT_PROJECTION] + i]) > limit:
            return True
    return False


def depend(w, ip, dp, level):
    """Write the changes of q (level 0) or of v (level 1) that take the errors away.

    Those of the projection stay where no choice is good, as they are at change points.
    """
    m, n_v, n_q = ip[N_ROWS], ip[N_V], ip[N_Q]
    if dp[RTOL] > 0.0 and is_large(w, ip, dp, level):
        return
    at_A = load(w, ip, level)
    at_x = at_A + m * n_v + m
    at_flags = at_x + n_v * (1 + level)
    none = min(POOR, NONE + PER_ERROR * w[ip[AT_PROJECTION] + n_q + n_v])
    rank = eliminate(w, ip, at_A, at_flags, dp[KEEP], none)
    if rank < 0:
        return
    substitute(w, ip, at_A, rank)
    note(w, ip, at_flags, rank)
    at_B = ip[AT_PARTITION] + m * n_v + 3 * m
    at_drift = at_B + n_q * n_v
    if level == 1:
        for j in range(n_v):
            w[ip[AT_PROJECTION] + n_q + j] = w[at_drift + n_q + j] * w[at_x + j]
        return
    for i in range(n_q):
        total = w[at_drift + i]
        for j in range(n_v):
            total += w[at_B + i * n_v + j] * w[at_x + j]
        w[ip[AT_PROJECTION] + i] = total
