"""Impulses of closed contacts by sweeps that update the velocities of the units.

    x = x_free + B r,   −(W x + c) ∈ N_C(r)                                             (CT-10)

Each contact is solved exactly for itself, with all others as they are. No matrix of all contacts
is formed: the cost of a sweep is that of the blocks.
"""

from __future__ import annotations

from jourdain.solvers.native import native
from jourdain.solvers.nonsmooth.anderson import extrapolate
from jourdain.solvers.pile.motion import LIGHT, MIDDLE, RESPONSE
from jourdain.solvers.pile.rows import ARMS, LOOSE, SIDE
from jourdain.solvers.pile.vectors import cross_into, times_into

OWN, INVERSE, SCALED, MATRICES = 0, 9, 18, 27
"""Places in the matrices of a contact: response to itself, its inverse, scaled by friction."""
OPEN = 1e300
"""Velocity asked for that marks a contact as open: it takes part in the correction alone."""


def wide_rates(k, sides, blocks, x, w, at):
    """Velocities of the rows of contact k, of its sides that are no loose bodies."""
    for s in range(2):
        side = SIDE * (2 * k + s)
        width, column, block = sides[side], sides[side + 1], sides[side + 2]
        for j in range(width):
            for row in range(3):
                w[at + row] += blocks[block + 3 * j + row] * x[column + j]


def wide_push(k, sides, blocks, a, b, c, x):
    """Change the velocities of the sides that are no loose bodies."""
    for s in range(2):
        side = SIDE * (2 * k + s)
        width, column = sides[side], sides[side + 1]
        block = sides[side + 2] + 3 * width
        for j in range(width):
            x[column + j] += (
                blocks[block + 3 * j] * a
                + blocks[block + 3 * j + 1] * b
                + blocks[block + 3 * j + 2] * c
            )


def rates_into(k, sides, arms, blocks, x, w, at):
    """Velocities ``w[at : at + 3]`` of the rows of contact k."""
    m = ARMS * k
    a, b = SIDE * 2 * k, SIDE * (2 * k + 1)
    vx = 0.0
    vy = 0.0
    vz = 0.0
    if sides[a] == LOOSE:
        i = sides[a + 1]
        vx = x[i + 2] * arms[m + 10] - x[i + 1] * arms[m + 11] - x[i + 3]
        vy = x[i] * arms[m + 11] - x[i + 2] * arms[m + 9] - x[i + 4]
        vz = x[i + 1] * arms[m + 9] - x[i] * arms[m + 10] - x[i + 5]
    if sides[b] == LOOSE:
        i = sides[b + 1]
        vx += x[i + 3] + x[i + 1] * arms[m + 14] - x[i + 2] * arms[m + 13]
        vy += x[i + 4] + x[i + 2] * arms[m + 12] - x[i] * arms[m + 14]
        vz += x[i + 5] + x[i] * arms[m + 13] - x[i + 1] * arms[m + 12]
    w[at] = arms[m] * vx + arms[m + 1] * vy + arms[m + 2] * vz
    w[at + 1] = arms[m + 3] * vx + arms[m + 4] * vy + arms[m + 5] * vz
    w[at + 2] = arms[m + 6] * vx + arms[m + 7] * vy + arms[m + 8] * vz
    if sides[a] > 0 or sides[b] > 0:
        wide_rates(k, sides, blocks, x, w, at)


def push_body(unit, middle, arms, at, fx, fy, fz, x):
    """Change the velocities of a loose body by an impulse at the end of an arm."""
    m = MIDDLE * unit + RESPONSE
    i = 6 * unit
    light = middle[MIDDLE * unit + LIGHT]
    tx = arms[at + 1] * fz - arms[at + 2] * fy
    ty = arms[at + 2] * fx - arms[at] * fz
    tz = arms[at] * fy - arms[at + 1] * fx
    x[i] += middle[m] * tx + middle[m + 1] * ty + middle[m + 2] * tz
    x[i + 1] += middle[m + 3] * tx + middle[m + 4] * ty + middle[m + 5] * tz
    x[i + 2] += middle[m + 6] * tx + middle[m + 7] * ty + middle[m + 8] * tz
    x[i + 3] += light * fx
    x[i + 4] += light * fy
    x[i + 5] += light * fz


def push(k, sides, arms, middle, blocks, a, b, c, x):
    """Change the velocities by impulses along the rows of contact k."""
    m = ARMS * k
    fx = arms[m] * a + arms[m + 3] * b + arms[m + 6] * c
    fy = arms[m + 1] * a + arms[m + 4] * b + arms[m + 7] * c
    fz = arms[m + 2] * a + arms[m + 5] * b + arms[m + 8] * c
    side = 2 * SIDE * k
    if sides[side] == LOOSE:
        push_body(sides[side + 2], middle, arms, m + 9, -fx, -fy, -fz, x)
    if sides[side + SIDE] == LOOSE:
        push_body(sides[side + SIDE + 2], middle, arms, m + 12, fx, fy, fz, x)
    if sides[side] > 0 or sides[side + SIDE] > 0:
        wide_push(k, sides, blocks, a, b, c, x)


def loose_response(k, s, sides, arms, middle, A, at, w):
    """Add the response of the loose body on side s of contact k to itself (3×3)."""
    unit, arm = sides[SIDE * (2 * k + s) + 2], ARMS * k + 9 + 3 * s
    m = MIDDLE * unit
    for row in range(3):
        cross_into(arms, arm, arms, ARMS * k + 3 * row, w, 3 * row)
    for row in range(3):
        times_into(middle, m + RESPONSE, w, 3 * row, w, 9)
        for other in range(3):
            o = 3 * other
            A[at + 3 * row + other] += w[o] * w[9] + w[o + 1] * w[10] + w[o + 2] * w[11]
        A[at + 4 * row] += middle[m + LIGHT]


def own_matrix(k, sides, arms, middle, blocks, A, at, w):
    """Response of contact k to itself (3×3)."""
    for i in range(9):
        A[at + i] = 0.0
    for s in range(2):
        side = SIDE * (2 * k + s)
        width, block = sides[side], sides[side + 2]
        if width == LOOSE:
            loose_response(k, s, sides, arms, middle, A, at, w)
        for j in range(width):
            for row in range(3):
                for other in range(3):
                    A[at + 3 * row + other] += (
                        blocks[block + 3 * j + row] * blocks[block + 3 * (width + j) + other]
                    )


def invert(A, a, B, b):
    """Inverse of a 3×3 matrix; zero for one that has none."""
    B[b] = A[a + 4] * A[a + 8] - A[a + 5] * A[a + 7]
    B[b + 1] = A[a + 2] * A[a + 7] - A[a + 1] * A[a + 8]
    B[b + 2] = A[a + 1] * A[a + 5] - A[a + 2] * A[a + 4]
    B[b + 3] = A[a + 5] * A[a + 6] - A[a + 3] * A[a + 8]
    B[b + 4] = A[a] * A[a + 8] - A[a + 2] * A[a + 6]
    B[b + 5] = A[a + 2] * A[a + 3] - A[a] * A[a + 5]
    B[b + 6] = A[a + 3] * A[a + 7] - A[a + 4] * A[a + 6]
    B[b + 7] = A[a + 1] * A[a + 6] - A[a] * A[a + 7]
    B[b + 8] = A[a] * A[a + 4] - A[a + 1] * A[a + 3]
    determinant = A[a] * B[b] + A[a + 1] * B[b + 3] + A[a + 2] * B[b + 6]
    size = A[a] * A[a + 4] * A[a + 8]
    factor = 1.0 / determinant if determinant > 1e-10 * size else 0.0
    for i in range(9):
        B[b + i] *= factor


@native("iaappppppppppppd")
def prepare(n, order, sides, arms, middle, blocks, mu, e, gaps, old, r, x, A, c, w, touches):
    """Matrices of the contacts and velocities c that restitution asks for; start impulses act.

    ``old`` are velocities before the step; x comes without contact and leaves with ``B r``.
    """
    for k in range(n):
        at = MATRICES * k
        own_matrix(k, sides, arms, middle, blocks, A, at + OWN, w)
        invert(A, at + OWN, A, at + INVERSE)
        for i in range(3):
            for j in range(3):
                size = (mu[k] if i > 0 else 1.0) * (mu[k] if j > 0 else 1.0)
                A[at + SCALED + 3 * i + j] = size * A[at + OWN + 3 * i + j]
        rates_into(k, sides, arms, blocks, old, w, 0)
        c[k] = e[k] * min(w[0], 0.0)
        if gaps[order[k]] > touches:
            c[k] = OPEN
            r[3 * k] = 0.0
            r[3 * k + 1] = 0.0
            r[3 * k + 2] = 0.0
        if r[3 * k] > 0.0:
            push(k, sides, arms, middle, blocks, r[3 * k], r[3 * k + 1], r[3 * k + 2], x)
    return 0


def slide(k, A, at, mu, r, w):
    """New impulses ``w[20:23]`` of a contact that opens or slides; its velocities in w[16:19].

    One projection: normal first, then friction within its disc.
    """
    n = max(0.0, r[3 * k] - w[16] / A[at])
    d = n - r[3 * k]
    own = max(A[at + 4], A[at + 8])
    s = r[3 * k + 1] - (w[17] + A[at + 3] * d) / own
    t = r[3 * k + 2] - (w[18] + A[at + 6] * d) / own
    size = (s * s + t * t) ** 0.5
    part = mu * n / size if size > mu * n else 1.0
    w[20] = n
    w[21] = part * s
    w[22] = part * t


def relax(k, sides, arms, middle, blocks, mu, A, c, r, x, w):
    """Solve contact k with the others as they are; return the change, as a velocity."""
    if c[k] >= OPEN:
        return 0.0
    rates_into(k, sides, arms, blocks, x, w, 16)
    w[16] += c[k]
    at = MATRICES * k
    i = at + INVERSE
    n = r[3 * k] - A[i] * w[16] - A[i + 1] * w[17] - A[i + 2] * w[18]
    s = r[3 * k + 1] - A[i + 3] * w[16] - A[i + 4] * w[17] - A[i + 5] * w[18]
    t = r[3 * k + 2] - A[i + 6] * w[16] - A[i + 7] * w[17] - A[i + 8] * w[18]
    w[20] = n
    w[21] = s
    w[22] = t
    if not (A[i] > 0.0 and n >= 0.0 and s * s + t * t <= mu[k] * mu[k] * n * n):
        slide(k, A, at, mu[k], r, w)
    n = w[20] - r[3 * k]
    s = w[21] - r[3 * k + 1]
    t = w[22] - r[3 * k + 2]
    if n == 0.0 and s == 0.0 and t == 0.0:
        return 0.0
    r[3 * k] = w[20]
    r[3 * k + 1] = w[21]
    r[3 * k + 2] = w[22]
    push(k, sides, arms, middle, blocks, n, s, t, x)
    return max(abs(n), abs(s), abs(t)) * max(A[at], A[at + 4], A[at + 8])


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


def stop(island, members, at_member, at_unit, x):
    """Bring all units of an island to rest, exactly."""
    for m in range(at_member[island], at_member[island + 1]):
        i = members[m]
        for j in range(at_unit[i], at_unit[i + 1]):
            x[j] = 0.0


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


def take(first, last, r, y):
    """Impulses of an island to the front of y."""
    for i in range(3 * (last - first)):
        y[i] = r[3 * first + i]


def roots_into(first, last, A, root):
    """Weights of the rows of an island: roots of their own responses."""
    for k in range(first, last):
        for i in range(3):
            root[3 * (k - first) + i] = A[MATRICES * k + 4 * i] ** 0.5


def guess(first, last, sides, arms, middle, blocks, mu, c, r, x, y):
    """Take impulses from the front of y, brought into their cones."""
    for k in range(first, last):
        if c[k] < OPEN:
            i = 3 * (k - first)
            n = max(y[i], 0.0)
            size = (y[i + 1] * y[i + 1] + y[i + 2] * y[i + 2]) ** 0.5
            part = mu[k] * n / size if size > mu[k] * n else 1.0
            s = part * y[i + 1]
            t = part * y[i + 2]
            push(k, sides, arms, middle, blocks, n - r[3 * k], s - r[3 * k + 1], t - r[3 * k + 2], x)
            r[3 * k] = n
            r[3 * k + 1] = s
            r[3 * k + 2] = t


def sweep_both_ways(first, last, sides, arms, middle, blocks, mu, A, c, r, x, w):
    """All contacts of an island, there and back; return the largest change on the way back."""
    for k in range(first, last):
        relax(k, sides, arms, middle, blocks, mu, A, c, r, x, w)
    change = 0.0
    for m in range(first, last):
        k = first + last - 1 - m
        change = max(change, relax(k, sides, arms, middle, blocks, mu, A, c, r, x, w))
    return change


def solve_island(first, last, sides, arms, middle, blocks, mu, A, c, r, x, w, tol, most, depth, state, y, root, memory):
    """Sweep until nothing changes but for the tolerance; return the number of sweeps."""
    n = 3 * (last - first)
    for i in range(4):
        state[i] = 0
    sweeps = 0
    size = 1e300
    while sweeps < most:
        sweeps += 1
        take(first, last, r, memory)
        change = sweep_both_ways(first, last, sides, arms, middle, blocks, mu, A, c, r, x, w)
        if not change > tol:
            break
        if depth > 0 and sweeps < most and sweeps >= 2:
            take(first, last, r, y)
            size = extrapolate(y, root, n, depth, state, memory, size)
            guess(first, last, sides, arms, middle, blocks, mu, c, r, x, y)
    return sweeps


@native("iaaaaapppppppppppdipiappp")
def solve_islands(
    n_islands, first, members, at_member, at_unit, sides, arms, middle, blocks, mu, A, c, r, x, old, radius, w,
    tol, most, report, depth, state, y, root, memory,
):  # fmt: skip
    """Solve all islands; an island whose velocities vanish but for the tolerance is at rest.

    ``report`` gets, for each island, its sweeps and its residual [m/s].
    """
    for island in range(n_islands):
        start, end = first[island], first[island + 1]
        rest = fastest(island, members, at_member, at_unit, radius, x)
        before = fastest(island, members, at_member, at_unit, radius, old)
        if rest <= tol and before <= tol:
            stop(island, members, at_member, at_unit, x)
            report[2 * island] = 0.0
            report[2 * island + 1] = rest
            continue
        roots_into(start, end, A, root)
        sweeps = solve_island(
            start, end, sides, arms, middle, blocks, mu, A, c, r, x, w, tol, most, depth, state, y, root,
            memory,
        )
        error = largest_error(start, end, sides, arms, middle, blocks, mu, A, c, r, x, w)
        rest = fastest(island, members, at_member, at_unit, radius, x)
        if rest <= tol:
            stop(island, members, at_member, at_unit, x)
            error = max(error, rest)
        report[2 * island] = sweeps
        report[2 * island + 1] = error
    return 0
