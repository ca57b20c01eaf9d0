"""Derivative of the state equation in given modes along a direction, in machine code.

The rows of `modal_loops` and their rates along the direction are given. What the modes hold stays
held, W a + w̄ = 0 with the accelerations a = a₀ + Bᵀ r, so the rates r' of its forces solve the
system of the forces once more:

    W Bᵀ r' = −(W' a + w̄' + W (a₀' + B'ᵀ r)),      a' = a₀' + B'ᵀ r + Bᵀ r'              (CT-25)

and r' of what slides follows its normal force, its way and its capacity. Work memory: that of
`modal_loops`, then rates of friction per unit normal force (m), rates r' (m) and a (n_v).
"""

from __future__ import annotations

from jourdain.codegen.translator.loop_records import Floats, LoopRecord
from jourdain.equations.contact.contact_points import MODE, SLOW, UNSEEN
from jourdain.system.contact.modal_loops import COLUMNS, HEAD, TINY, apply_forces, settle


class MovingRows(LoopRecord):
    """State and direction, rows with all contacts open, and their rates along the direction."""

    q: Floats
    v: Floats
    u: Floats
    t: Floats
    p: Floats
    q_dot: Floats
    v_dot: Floats
    vdot: Floats
    rates: Floats
    bias: Floats
    capacity: Floats
    static: Floats
    W: Floats
    B: Floats
    zdot_dot: Floats
    vdot_dot: Floats
    rates_dot: Floats
    bias_dot: Floats
    capacity_dot: Floats
    static_dot: Floats
    W_dot: Floats
    B_dot: Floats


def turn_rate(w, at, x, y, dx, dy):
    """Rates of a direction x, y of unit length, at two places."""
    size = (x * x + y * y + TINY * TINY) ** 0.5
    part = (x * dx + y * dy) / size**3
    w[at] = dx / size - x * part
    w[at + 1] = dy / size - y * part


def slide_rates(rows, table, w):
    """Rates of the forces that the modes give, and of friction per unit normal force."""
    n, m, u = table[0], table[1], rows.u
    mu, r = 3 * m * m + 6 * m, 3 * m * m + 7 * m
    turned = r + m + table[2]
    for i in range(m):
        w[mu + i] = 0.0
        w[r + i] = 0.0
    for k in range(n):
        normal, first, count = (
            table[HEAD + COLUMNS * k], table[HEAD + COLUMNS * k + 1], table[HEAD + COLUMNS * k + 2],
        )  # fmt: skip
        mode = table[4] + MODE * k
        acts = normal < 0 or u[mode] > 0.5 or u[mode + 7] > 0.5
        if count > 0 and acts:
            a, b = u[mode + 2], u[mode + 3]
            w[turned] = 0.0
            w[turned + 1] = 0.0
            if count == 2:
                x, y = rows.rates[first], rows.rates[first + 1]
                dx, dy = rows.rates_dot[first], rows.rates_dot[first + 1]
                along, d_along = x * a + y * b, dx * a + dy * b
                p, q = x - along * a, y - along * b
                if x * x + y * y <= SLOW * SLOW:
                    x, y, dx, dy = a, b, 0.0, 0.0
                elif p * p + q * q <= along * along:
                    dp, dq = dx - d_along * a, dy - d_along * b
                    dx, dy = (dp - p * d_along / along) / along, (dq - q * d_along / along) / along
                    x, y = a + p / along, b + q / along
                turn_rate(w, turned, x, y, dx, dy)
                size = (x * x + y * y + TINY * TINY) ** 0.5
                a, b = x / size, y / size
            c, d = rows.capacity[2 * k], rows.capacity[2 * k + 1]
            dc, dd = rows.capacity_dot[2 * k], rows.capacity_dot[2 * k + 1]
            if u[mode + 1] > 0.5 or u[mode + 5] >= UNSEEN:
                c, d = rows.static[2 * k], rows.static[2 * k + 1]
                a, b = u[mode + 2], u[mode + 3]
                dc, dd = rows.static_dot[2 * k], rows.static_dot[2 * k + 1]
                w[turned] = 0.0
                w[turned + 1] = 0.0
            elif c != d and count == 2:
                da, db = dc * a + c * w[turned], dd * b + d * w[turned + 1]
                a, b = c * a, d * b
                turn_rate(w, turned, a, b, da, db)
                size = (a * a + b * b + TINY * TINY) ** 0.5
                a, b = a / size, b / size
            friction = mu if normal >= 0 else r
            w[friction + first] = -dc * a - c * w[turned]
            if count == 2:
                w[friction + first + 1] = -dd * b - d * w[turned + 1]


def follow(table, w):
    """Rates of friction that follow those of the normal forces."""
    m = table[1]
    S, mu, r = 3 * m * m + m, 3 * m * m + 5 * m, 3 * m * m + 7 * m
    x = S + 2 * m
    for i in range(m):
        w[r + i] += w[S + i] * w[x + i]
    for k in range(table[0]):
        normal, first = table[HEAD + COLUMNS * k], table[HEAD + COLUMNS * k + 1]
        if normal >= 0:
            for j in range(first, first + table[HEAD + COLUMNS * k + 2]):
                w[r + j] += w[mu + j] * w[S + normal] * w[x + normal]


def tangent_loop(rows, out_q, out_v, table, w):
    """Rates of dq/dt and dv/dt in given modes along q_dot and v_dot."""
    n, m, n_v, n_q = table[0], table[1], table[2], table[3]
    forces, b, r = 3 * m * m, 3 * m * m + 2 * m, 3 * m * m + 7 * m
    mu_dot, total = 3 * m * m + 6 * m, 3 * m * m + 8 * m
    W, B = rows.W, rows.B
    apply_forces(
        rows.u, rows.rates, rows.bias, rows.capacity, rows.static, W, B, rows.vdot, table, w
    )
    slide_rates(rows, table, w)
    for k in range(n):  # friction that follows its normal force
        normal, first = table[HEAD + COLUMNS * k], table[HEAD + COLUMNS * k + 1]
        if normal >= 0:
            for j in range(first, first + table[HEAD + COLUMNS * k + 2]):
                w[r + j] += w[mu_dot + j] * w[forces + normal]
    for i in range(n_q):
        out_q[i] = rows.zdot_dot[i]
    for k in range(n_v):
        w[total + k] = rows.vdot[k]
        out_v[k] = rows.vdot_dot[k]
        for i in range(m):
            w[total + k] += B[i * n_v + k] * w[forces + i]
            out_v[k] += rows.B_dot[i * n_v + k] * w[forces + i] + B[i * n_v + k] * w[r + i]
    for i in range(m):
        missing = rows.bias_dot[i]
        for k in range(n_v):
            missing += rows.W_dot[i * n_v + k] * w[total + k] + W[i * n_v + k] * out_v[k]
        w[b + i] = -missing
        w[r + i] = 0.0
    settle(table, w)
    follow(table, w)
    for k in range(n_v):
        for i in range(m):
            out_v[k] += B[i * n_v + k] * w[r + i]
    return 0
