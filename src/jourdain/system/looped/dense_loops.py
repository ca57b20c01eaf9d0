"""Dense matrices of trees from vectors of their joints, in machine code.

A matrix has a row for every velocity coordinate and columns of velocities or positions. An entry is
zero unless one of the two joints carries the other; then it is a product of vectors of row and
column (RD-9, RD-12). Columns that need the same product lie in *runs*, found once for a tree.

    rows      mode vector S, momentum P of all that it carries, change Q of their torque with spin
    columns   change φ of the force, acceleration α and spin ν of all that it moves
    own       entries of the columns of the same joint: positions, velocities, mass matrix
    pivots    gain K and inverse inertia 1/D of each velocity (RD-13)

Vectors come one by one; they are turned so that equal components of columns lie side by side.

Table of integers: n_v, n_q, then where these begin: runs (kind, first column, end), index of the
runs of each row with velocities as columns, and with positions, pairs (velocity, next one inward or
−1) from the world outward, and columns of the own joint (first velocity, count, first position,
count).
"""

from __future__ import annotations

from jourdain.codegen.translator.loops import apart, part
from jourdain.equations.recursion.joint_vectors import COLUMN, OWN, OWN_Q, OWN_V, PIVOT, ROW

INBOARD, OUTBOARD = 0, 1  # runs of columns whose joint carries that of the row, or is carried by it
HEAD = 7
BLOCK = 16  # right sides that are solved at a time


def turn(x, count, width, y):
    """Items of some numbers as rows of their components."""
    for k in range(count):
        for i in range(width):
            y[i * count + k] = x[k * width + i]


@apart
def six(y, first, last, x, n, s):
    """Products of six components of columns with those of a row."""
    a, b, c, d, e, f = s[0], s[1], s[2], s[3], s[4], s[5]
    for k in range(first, last):
        y[k] = (
            a * x[k] + b * x[n + k] + c * x[2 * n + k]
            + d * x[3 * n + k] + e * x[4 * n + k] + f * x[5 * n + k]
        )  # fmt: skip


@apart
def add_three(y, first, last, x, n, s):
    """Add products of three components of columns with those of a row."""
    a, b, c = s[0], s[1], s[2]
    for k in range(first, last):
        y[k] += a * x[k] + b * x[n + k] + c * x[2 * n + k]


def slopes(rows, columns, n, at_index, table, D):
    """Derivatives by n columns of other joints (RD-12)."""
    m = table[1] + 2 * table[0]
    for a in range(table[0]):
        row = part(D, a * m)
        for k in range(n):
            row[k] = 0.0
        for r in range(table[at_index + a], table[at_index + a + 1]):
            run = table[2] + 3 * r
            first, last = table[run + 1], table[run + 2]
            if table[run] == OUTBOARD:
                six(row, first, last, columns, n, part(rows, a * ROW))
            else:
                six(row, first, last, part(columns, 6 * n), n, part(rows, a * ROW + 6))
                add_three(row, first, last, part(columns, 12 * n), n, part(rows, a * ROW + 12))


def inertias(rows, width, turned, m, table, M):
    """Mass matrix but for the columns of the own joint: S of the inboard, P of the other (RD-9)."""
    n = table[0]
    for a in range(n):
        row = part(M, a * m)
        for k in range(n):
            row[k] = 0.0
        for r in range(table[table[3] + a], table[table[3] + a + 1]):
            run = table[2] + 3 * r
            first, last = table[run + 1], table[run + 2]
            if table[run] == OUTBOARD:
                six(row, first, last, part(turned, 6 * n), n, part(rows, a * width))
            else:
                six(row, first, last, turned, n, part(rows, a * width + 6))


def set_own(own, width, place, m, table, y):
    """Entries of the columns of the own joint; ``place`` is 0 for velocities, 2 for positions."""
    for a in range(table[0]):
        first, count = table[table[6] + 4 * a + place], table[table[6] + 4 * a + place + 1]
        for k in range(count):
            y[a * m + first + k] = own[a * width + k]


def mass_matrix_loop(rows, own, M, table, w):
    """Mass matrix from mode vectors and momenta."""
    n = table[0]
    turn(rows, n, 12, w)
    inertias(rows, 12, w, n, table, M)
    set_own(own, OWN_V, 0, n, table, M)
    return 0


def slopes_by_state(rows, own, columns_q, columns_v, D, table, w):
    """Derivatives of the forces of inverse dynamics by positions and velocities."""
    n, n_q = table[0], table[1]
    m, by_v = n_q + 2 * n, part(D, n_q)
    turn(columns_q, n_q, COLUMN, w)
    slopes(rows, w, n_q, table[4], table, D)
    set_own(own, OWN, 2, m, table, D)
    turn(columns_v, n, COLUMN, w)
    slopes(rows, w, n, table[3], table, by_v)
    set_own(part(own, OWN_Q), OWN, 0, m, table, by_v)


def inverse_loop(rows, own, columns_q, columns_v, D, table, w):
    """Derivatives of the forces by positions, velocities and accelerations, side by side."""
    slopes_by_state(rows, own, columns_q, columns_v, D, table, w)
    n = table[0]
    m, M = table[1] + 2 * n, part(D, table[1] + n)
    turn(rows, n, ROW, w)
    inertias(rows, ROW, w, m, table, M)
    set_own(part(own, OWN_Q + OWN_V), OWN, 0, m, table, M)
    return 0


@apart
def pull(x, p, inward, s, k, inverse):
    """Eliminate a velocity from right sides and pass forces p inward (RD-13)."""
    s0, s1, s2, s3, s4, s5 = s[0], s[1], s[2], s[3], s[4], s[5]
    k0, k1, k2, k3, k4, k5 = k[0], k[1], k[2], k[3], k[4], k[5]
    for c in range(BLOCK):
        p0, p1, p2 = p[c], p[BLOCK + c], p[2 * BLOCK + c]
        p3, p4, p5 = p[3 * BLOCK + c], p[4 * BLOCK + c], p[5 * BLOCK + c]
        r = x[c] - s0 * p0 - s1 * p1 - s2 * p2 - s3 * p3 - s4 * p4 - s5 * p5
        x[c] = inverse * r
        inward[c] += p0 + k0 * r
        inward[BLOCK + c] += p1 + k1 * r
        inward[2 * BLOCK + c] += p2 + k2 * r
        inward[3 * BLOCK + c] += p3 + k3 * r
        inward[4 * BLOCK + c] += p4 + k4 * r
        inward[5 * BLOCK + c] += p5 + k5 * r


@apart
def push(x, A, inward, s, k):
    """Accelerations outward (RD-13)."""
    s0, s1, s2, s3, s4, s5 = s[0], s[1], s[2], s[3], s[4], s[5]
    k0, k1, k2, k3, k4, k5 = k[0], k[1], k[2], k[3], k[4], k[5]
    for c in range(BLOCK):
        a0, a1, a2 = inward[c], inward[BLOCK + c], inward[2 * BLOCK + c]
        a3, a4, a5 = inward[3 * BLOCK + c], inward[4 * BLOCK + c], inward[5 * BLOCK + c]
        y = x[c] - k0 * a0 - k1 * a1 - k2 * a2 - k3 * a3 - k4 * a4 - k5 * a5
        x[c] = y
        A[c] = a0 + s0 * y
        A[BLOCK + c] = a1 + s1 * y
        A[2 * BLOCK + c] = a2 + s2 * y
        A[3 * BLOCK + c] = a3 + s3 * y
        A[4 * BLOCK + c] = a4 + s4 * y
        A[5 * BLOCK + c] = a5 + s5 * y


def solve(rows, pivots, m, table, w, D):
    """Replace the columns of D (n_v, m) by −M⁻¹ D.

    Work memory: a block of columns, then six numbers of each of them for every velocity and for
    the world, which comes last.
    """
    n, order = table[0], table[5]
    x, p = w, part(w, n * BLOCK)
    for block in range(0, m, BLOCK):
        count = min(BLOCK, m - block)
        for a in range(n):
            for c in range(count):
                x[a * BLOCK + c] = D[a * m + block + c]
        for k in range((n + 1) * 6 * BLOCK):
            p[k] = 0.0
        for k in range(n - 1, -1, -1):
            a, b = table[order + 2 * k], table[order + 2 * k + 1]
            b = n if b < 0 else b
            own, inward = part(p, a * 6 * BLOCK), part(p, b * 6 * BLOCK)
            gains = part(pivots, a * PIVOT)
            pull(part(x, a * BLOCK), own, inward, part(rows, a * ROW), gains, gains[6])
        for k in range(6 * BLOCK):
            p[n * 6 * BLOCK + k] = 0.0
        for k in range(n):
            a, b = table[order + 2 * k], table[order + 2 * k + 1]
            b = n if b < 0 else b
            own, inward = part(p, a * 6 * BLOCK), part(p, b * 6 * BLOCK)
            push(part(x, a * BLOCK), own, inward, part(rows, a * ROW), part(pivots, a * PIVOT))
        for a in range(n):
            for c in range(count):
                D[a * m + block + c] = -x[a * BLOCK + c]


def forward_loop(rows, own, columns_q, columns_v, pivots, D, table, w):
    """Derivatives of the accelerations by positions, velocities and forces, side by side."""
    slopes_by_state(rows, own, columns_q, columns_v, D, table, w)
    n = table[0]
    m, by_tau = table[1] + 2 * n, part(D, table[1] + n)
    for a in range(n):
        for c in range(n):
            by_tau[a * m + c] = 0.0
        by_tau[a * m + a] = -1.0
    solve(rows, pivots, m, table, w, D)
    return 0
