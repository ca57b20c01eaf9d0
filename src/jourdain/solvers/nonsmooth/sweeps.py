"""Gauss–Seidel sweeps over the blocks of a nonsmooth problem, in machine code."""

from __future__ import annotations

from jourdain.solvers.native import native
from jourdain.solvers.nonsmooth.anderson import extrapolate
from jourdain.solvers.nonsmooth.local import contact_solve, disc_solve, line_contact_solve

FREE, HALF_LINE, SEGMENT, LINE, DISC, PLANE, CONTACT = range(7)


def velocity(indptr, indices, data, c, r, row):
    """Row of ``G r + c``."""
    total = c[row]
    for k in range(indptr[row], indptr[row + 1]):
        total += data[k] * r[indices[k]]
    return total


def scalar(r, row, u, own, lower, upper, omega):
    """Relax, then clip; return the change."""
    if own <= 0.0:
        return 0.0
    old = r[row]
    r[row] = min(max(old - omega * u / own, lower), upper)
    return abs(r[row] - old)


def free_block(r, rows, at, m, w, A, at_A, omega):
    """Bilateral rows by their pseudo-inverse; velocities in w."""
    change = 0.0
    for i in range(m):
        total = 0.0
        for j in range(m):
            total += A[at_A + i * m + j] * w[16 + j]
        r[rows[at + i]] -= omega * total
        change = max(change, abs(omega * total))
    return change


def scaled_block(r, rows, at, m, w, A, at_A, first, D):
    """Velocity without the own impulse, scaled, to ``w[12:]``; velocities come in ``w[16:]``."""
    for i in range(first, m):
        total = D[at + i] * w[16 + i]
        for j in range(first, m):
            if D[at + j] > 0.0:
                total -= A[at_A + i * m + j] * r[rows[at + j]] / D[at + j]
        w[12 + i] = total


def store(r, row, value, old, omega):
    """Relax between the old and the local solution; return the change."""
    r[row] = old + omega * (value - old)
    return abs(r[row] - old)


def contact(r, rows, at, m, w, A, at_A, D, omega):
    """Normal row with its friction, solved together."""
    scaled_block(r, rows, at, m, w, A, at_A, 0, D)
    if m == 3:
        contact_solve(w, A, at_A)
    else:
        line_contact_solve(w, A, at_A)
    change = store(r, rows[at], w[11], r[rows[at]], omega)
    for i in range(1, m):
        row = rows[at + i]
        change = max(change, store(r, row, D[at + i] * w[5 + i], r[row], omega))
    return change


def disc_block(r, rows, at, w, A, at_A, D, radius, omega):
    """Two rows in an ellipse with half axes ``radius * D``; radius given."""
    scaled_block(r, rows, at, 2, w, A, at_A, 0, D)
    for i in range(4):
        w[i] = A[at_A + i]
    w[4] = w[12]
    w[5] = w[13]
    disc_solve(w, radius)
    change = 0.0
    for i in range(2):
        row = rows[at + i]
        change = max(change, store(r, row, D[at + i] * w[6 + i], r[row], omega))
    return change


def one_sweep(
    indptr, indices, data, c, kind, start, rows, normal, D, at_A, A, limits, r, n_groups, omega, w
):  # fmt: skip
    """All groups once; return the largest change, in the unit of u."""
    largest = 0.0
    for b in range(n_groups):
        at = start[b]
        m = start[b + 1] - at
        what = kind[b]
        for i in range(m):
            w[16 + i] = velocity(indptr, indices, data, c, r, rows[at + i])
        row, own = rows[at], A[at_A[b]]
        low, high = limits[3 * b], limits[3 * b + 1]
        change = 0.0
        if what == FREE:
            change = free_block(r, rows, at, m, w, A, at_A[b], omega)
        elif what <= SEGMENT:
            change = scalar(r, row, w[16], own, low, high, omega)
        elif what == LINE:
            hold = high * max(r[normal[b]], 0.0)
            change = scalar(r, row, w[16], own, -hold, hold, omega)
        elif what == DISC:
            change = disc_block(r, rows, at, w, A, at_A[b], D, high, omega)
        elif what == PLANE:
            change = disc_block(r, rows, at, w, A, at_A[b], D, max(r[normal[b]], 0.0), omega)
        else:
            change = contact(r, rows, at, m, w, A, at_A[b], D, omega)
        largest = max(largest, change * limits[3 * b + 2])
    return largest


def swept(
    indptr, indices, data, c, kind, start, rows, normal, D, at_A, A, limits, r, n_groups, omega,
    w, max_sweeps, n, tol, root, depth, state, memory,
):  # fmt: skip
    """Sweep until nothing changes by more than tol (in the unit of u); return the sweeps done.

    Group b has its rows in ``rows[start[b]:start[b + 1]]``, its scaled matrix at ``A[at_A[b]]``
    (for `FREE` the pseudo-inverse), two numbers in limits and its weight behind them. Between
    sweeps r is extrapolated from the last ``depth`` ones; the result is always a swept one.
    """
    sweeps = 0
    last = 1e300
    while sweeps < max_sweeps:
        sweeps += 1
        for i in range(n):
            memory[i] = r[i]
        largest = one_sweep(
            indptr, indices, data, c, kind, start, rows, normal, D, at_A, A, limits, r, n_groups,
            omega, w,
        )  # fmt: skip
        if not largest > tol:
            break
        if depth > 0 and sweeps < max_sweeps:
            last = extrapolate(r, root, n, depth, state, memory, last)
    return sweeps


gauss_seidel = native("aappaaaapapppidpiidpiap")(swept)
