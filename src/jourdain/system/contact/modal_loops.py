"""Loops over contacts in given modes, in machine code (see `codegen.translator.loops`).

A table of integers describes the contacts: numbers of contact points, rows, velocities, positions,
and sampled inputs; then of each contact point its normal row (−1 for none), its first tangent, its
number of tangents, and whether it has a gap. All rows take part in one small system; those that the
modes do not hold have the row of a unit matrix. Where more rows are held than there are freedoms,
forces are the smallest ones:

    x ← x + (A + ε)⁻¹ (b − A x),   A = S Ĝ S,   λ = S x,   S = diag(G)^(−1/2)        (CT-14)

as long as rounds bring A x nearer to b. Ĝ is the response (CT-2) in which what slides takes its
friction along with its normal force.
Work memory: G (m × m), A (m × m), a copy of A (m × m), then m numbers each: forces r, scales S,
right sides b, solution x, change of x, friction of a unit normal force.
"""

from __future__ import annotations

from jourdain.equations.contact.contact_points import MODE, SLOW, UNSEEN

HEAD, COLUMNS = 5, 4
EPSILON = 1e-7  # part of a row's own response that keeps repeated rows apart
ROUNDS, MOST_ROUNDS = 7, 40  # of refinement
SLOWLY = 0.7  # part that is left by a round that is not worth another one
EXACT = 1e-13  # part of the right side that may be left
TINY = 1e-12  # [m/s] keeps roots from zero


def gauss(w, at, n, at_x):
    """Replace x by the solution of a system that is destroyed, with partial pivoting."""
    for k in range(n):
        best, row = abs(w[at + k * n + k]), k
        for i in range(k + 1, n):
            size = abs(w[at + i * n + k])
            if size > best:
                best, row = size, i
        if row != k:
            for j in range(k, n):
                x = w[at + k * n + j]
                w[at + k * n + j] = w[at + row * n + j]
                w[at + row * n + j] = x
            x = w[at_x + k]
            w[at_x + k] = w[at_x + row]
            w[at_x + row] = x
        inverse = 1.0 / w[at + k * n + k]
        for i in range(k + 1, n):
            ratio = w[at + i * n + k] * inverse
            if ratio != 0.0:
                for j in range(k + 1, n):
                    w[at + i * n + j] -= ratio * w[at + k * n + j]
                w[at_x + i] -= ratio * w[at_x + k]
    for k in range(n - 1, -1, -1):
        total = w[at_x + k]
        for j in range(k + 1, n):
            total -= w[at + k * n + j] * w[at_x + j]
        w[at_x + k] = total / w[at + k * n + k]


def respond(W, B, table, w):
    """G of all rows."""
    m, n_v = table[1], table[2]
    for i in range(m):
        for j in range(m):
            w[i * m + j] = 0.0
        for k in range(n_v):
            part = W[i * n_v + k]
            if part != 0.0:  # a row belongs to few bodies
                for j in range(m):
                    w[i * m + j] += part * B[j * n_v + k]


def slide(u, rates, capacity, static, table, w):
    """Forces that the modes give, and friction along their ways per unit normal force."""
    n, m = table[0], table[1]
    r, mu = 3 * m * m, 3 * m * m + 5 * m
    for i in range(m):
        w[r + i] = 0.0
        w[mu + i] = 0.0
    for k in range(n):
        normal, first, count = (
            table[HEAD + COLUMNS * k], table[HEAD + COLUMNS * k + 1], table[HEAD + COLUMNS * k + 2],
        )  # fmt: skip
        mode = table[4] + MODE * k
        acts = normal < 0 or u[mode] > 0.5 or u[mode + 7] > 0.5
        if normal >= 0:
            w[r + normal] = u[mode + 6]
        if count > 0 and acts:
            a, b = u[mode + 2], u[mode + 3]
            if count == 2:
                x, y = rates[first], rates[first + 1]
                along = x * a + y * b
                p, q = x - along * a, y - along * b
                if x * x + y * y <= SLOW * SLOW:
                    x, y = a, b
                elif p * p + q * q <= along * along:
                    x, y = a + p / along, b + q / along
                size = (x * x + y * y + TINY * TINY) ** 0.5
                a, b = x / size, y / size
            c, d = capacity[2 * k], capacity[2 * k + 1]
            if u[mode + 1] > 0.5 or u[mode + 5] >= UNSEEN:
                c, d, a, b = static[2 * k], static[2 * k + 1], u[mode + 2], u[mode + 3]
            elif c != d and count == 2:
                size = ((c * a) ** 2 + (d * b) ** 2 + TINY * TINY) ** 0.5
                a, b = c * a / size, d * b / size
            if normal >= 0:  # where the mode gives the normal force, so it does the friction
                w[mu + first] = -c * a
                w[r + first] = -c * a * u[mode + 6]
            else:
                w[r + first] = -c * a
            if count == 2 and normal >= 0:
                w[mu + first + 1] = -d * b
                w[r + first + 1] = -d * b * u[mode + 6]
            elif count == 2:
                w[r + first + 1] = -d * b


def hold(u, table, w, with_friction):
    """A and S of the rows that the modes hold; what slides has its friction, or none."""
    n, m = table[0], table[1]
    A, S, mu = m * m, 3 * m * m + m, 3 * m * m + 5 * m
    for i in range(m):
        w[S + i] = 0.0
    for k in range(n):
        normal, first = table[HEAD + COLUMNS * k], table[HEAD + COLUMNS * k + 1]
        mode = table[4] + MODE * k
        if normal >= 0 and u[mode] > 0.5 and w[normal * m + normal] > 0.0:
            w[S + normal] = 1.0 / w[normal * m + normal] ** 0.5
        if u[mode + 1] > 0.5:
            for i in range(first, first + table[HEAD + COLUMNS * k + 2]):
                if w[i * m + i] > 0.0:
                    w[S + i] = 1.0 / w[i * m + i] ** 0.5
    for i in range(m):
        for j in range(m):
            w[A + i * m + j] = w[S + i] * w[i * m + j] * w[S + j]
    if with_friction:
        for k in range(n):
            normal, first = table[HEAD + COLUMNS * k], table[HEAD + COLUMNS * k + 1]
            if normal >= 0:
                for j in range(first, first + table[HEAD + COLUMNS * k + 2]):
                    for i in range(m):
                        more = w[S + i] * w[i * m + j] * w[mu + j] * w[S + normal]
                        w[A + i * m + normal] += more


def settle(table, w):
    """Solution x of A x = b, the smallest one (CT-14)."""
    m = table[1]
    A, copy, S = m * m, 2 * m * m, 3 * m * m + m
    b, x, change = S + m, S + 2 * m, S + 3 * m
    for i in range(m):
        w[x + i] = 0.0
    size, left = 0.0, 1e300
    for i in range(m):
        size = max(size, abs(w[S + i] * w[b + i]))
    for k in range(MOST_ROUNDS):
        before, left = left, 0.0
        for i in range(m):
            w[change + i] = w[S + i] * w[b + i]
            for j in range(m):
                w[copy + i * m + j] = w[A + i * m + j]
                w[change + i] -= w[A + i * m + j] * w[x + j]
            left = max(left, abs(w[change + i]))
        if k >= ROUNDS and (left > SLOWLY * before or left <= EXACT * size):
            break  # what is left are rows that contradict each other, or rounding
        for i in range(m):
            w[copy + i * m + i] += EPSILON if w[S + i] > 0.0 else 1.0
        gauss(w, copy, m, change)
        for i in range(m):
            w[x + i] += w[change + i]


def apply_forces(u, rates, bias, capacity, static, W, B, vdot, table, w):
    """Forces r of all rows in the modes."""
    n, m, n_v = table[0], table[1], table[2]
    r, S = 3 * m * m, 3 * m * m + m
    b, x, mu = S + m, S + 2 * m, 3 * m * m + 5 * m
    respond(W, B, table, w)
    slide(u, rates, capacity, static, table, w)
    hold(u, table, w, True)
    for i in range(m):
        total = bias[i]
        for k in range(n_v):
            total += W[i * n_v + k] * vdot[k]
        for j in range(m):
            total += w[i * m + j] * w[r + j]
        w[b + i] = -total
    settle(table, w)
    for i in range(m):
        w[r + i] += w[S + i] * w[x + i]
    for k in range(n):
        normal, first = table[HEAD + COLUMNS * k], table[HEAD + COLUMNS * k + 1]
        if normal >= 0:
            for j in range(first, first + table[HEAD + COLUMNS * k + 2]):
                w[r + j] += w[mu + j] * w[S + normal] * w[x + normal]


def rates_loop(
    q, v, u, t, p, zdot, vdot, gaps, rates, bias, capacity, static, W, B, Y, events,
    out_q, out_v, table, w,
):  # fmt: skip
    """State equation in given modes."""
    m, n_v, n_q = table[1], table[2], table[3]
    apply_forces(u, rates, bias, capacity, static, W, B, vdot, table, w)
    for i in range(n_q):
        out_q[i] = zdot[i]
    for k in range(n_v):
        out_v[k] = vdot[k]
        for i in range(m):
            out_v[k] += B[i * n_v + k] * w[3 * m * m + i]
    return 0


def forces_loop(
    q, v, u, t, p, zdot, vdot, gaps, rates, bias, capacity, static, W, B, Y, events,
    out, powers, table, w,
):  # fmt: skip
    """Three forces of each contact point, normal and tangential; powers of rows, and of drives."""
    r = 3 * table[1] * table[1]
    apply_forces(u, rates, bias, capacity, static, W, B, vdot, table, w)
    for k in range(table[0]):
        normal, first = table[HEAD + COLUMNS * k], table[HEAD + COLUMNS * k + 1]
        for j in range(3):
            out[3 * k + j] = 0.0
        if normal >= 0:
            out[3 * k] = w[r + normal]
        for j in range(table[HEAD + COLUMNS * k + 2]):
            out[3 * k + 1 + j] = w[r + first + j]
    m, n_v = table[1], table[2]
    powers[m] = 0.0
    for i in range(m):
        powers[i] = rates[i] * w[r + i]
        drift = rates[i]
        for k in range(n_v):
            drift -= W[i * n_v + k] * v[k]
        powers[m] -= drift * w[r + i]
    return 0


def lasting_loop(
    q, v, u, t, p, zdot, vdot, gaps, rates, bias, capacity, static, W, B, Y, events,
    out, powers, table, w,
):  # fmt: skip
    """Forces and powers, then the power of laws and inputs, which comes in the place of events."""
    forces_loop(
        q, v, u, t, p, zdot, vdot, gaps, rates, bias, capacity, static, W, B, Y, events,
        out, powers, table, w,
    )  # fmt: skip
    powers[table[1] + 1] = events[0]
    return 0


def friction_indicator(u, rates, static, k, at, count, limit, x, y, mode):
    """Friction reserve of a contact point that sticks, speed along its way of one that slides."""
    if u[mode + 1] < 0.5:
        speed = rates[at] * u[mode + 2] + u[mode + 5]
        return speed + rates[at + 1] * u[mode + 3] if count == 2 else speed
    c, d = static[2 * k] * limit, static[2 * k + 1] * limit
    if count == 1:
        return c - abs(x) + u[mode + 5]
    if c != d:
        part = (x / max(c, 1e-300)) ** 2 + (y / max(d, 1e-300)) ** 2
        return 1.0 - part**0.5 + u[mode + 5]
    return c - (x * x + y * y) ** 0.5 + u[mode + 5]


def indicators_loop(
    q, v, u, t, p, zdot, vdot, gaps, rates, bias, capacity, static, W, B, Y, events,
    out, table, w,
):  # fmt: skip
    """Two indicators of each contact point, then the values of the user's events."""
    r = 3 * table[1] * table[1]
    apply_forces(u, rates, bias, capacity, static, W, B, vdot, table, w)
    n = table[0]
    for k in range(n):
        normal, first, count = (
            table[HEAD + COLUMNS * k], table[HEAD + COLUMNS * k + 1], table[HEAD + COLUMNS * k + 2],
        )  # fmt: skip
        mode, limit = table[4] + MODE * k, 1.0
        out[2 * k], out[2 * k + 1] = 1.0, 1.0
        if normal >= 0:
            limit = w[r + normal]
            gap = gaps[k] if table[HEAD + COLUMNS * k + 3] == 1 else rates[normal]
            out[2 * k] = (limit if u[mode] > 0.5 else gap) + u[mode + 4]
        if count > 0 and (normal < 0 or u[mode] > 0.5 or u[mode + 7] > 0.5):
            x, y = w[r + first], 0.0
            if count == 2:
                y = w[r + first + 1]
            out[2 * k + 1] = friction_indicator(
                u, rates, static, k, first, count, limit, x, y, mode
            )
    for k in range(table[HEAD + COLUMNS * n]):
        out[2 * n + k] = events[k]
    return 0


def projection_loop(
    q, v, u, t, p, zdot, vdot, gaps, rates, bias, capacity, static, W, B, Y, events,
    out_q, out_v, errors, table, w,
):  # fmt: skip
    """Changes of positions and velocities that close what the modes hold, and its errors."""
    n, m, n_v, n_q = table[0], table[1], table[2], table[3]
    S = 3 * m * m + m
    b, x = S + m, S + 2 * m
    respond(W, B, table, w)
    hold(u, table, w, False)
    for level in range(2):  # positions, then velocities; what sticks is not moved by the first
        for i in range(m):
            w[b + i] = -rates[i] if level == 1 else 0.0
        for k in range(n):
            if level == 0 and table[HEAD + COLUMNS * k + 3] == 1:
                w[b + table[HEAD + COLUMNS * k]] = -gaps[k]
        errors[level] = 0.0
        for i in range(m):
            if w[S + i] > 0.0:
                errors[level] = max(errors[level], abs(w[b + i]))
        settle(table, w)
        for k in range(n_v):
            out_v[k] = 0.0
            for i in range(m):
                out_v[k] += B[i * n_v + k] * w[S + i] * w[x + i]
        if level == 0:
            for i in range(n_q):
                out_q[i] = 0.0
                for k in range(n_v):
                    out_q[i] += Y[i * n_v + k] * out_v[k]
    return 0


def rows_loop(
    q, v, u, t, p, zdot, vdot, gaps, rates, bias, capacity, static, W, B, Y, events,
    out_gaps, out_rates, out_bias, out_capacity, out_W, out_B, out_vdot, table, w,
):  # fmt: skip
    """The rows themselves, with all contacts open."""
    n, m, n_v = table[0], table[1], table[2]
    for k in range(n):
        out_gaps[k] = gaps[k]
        out_capacity[2 * k], out_capacity[2 * k + 1] = capacity[2 * k], capacity[2 * k + 1]
    for i in range(m):
        out_rates[i], out_bias[i] = rates[i], bias[i]
    for i in range(m * n_v):
        out_W[i], out_B[i] = W[i], B[i]
    for k in range(n_v):
        out_vdot[k] = vdot[k]
    return 0
