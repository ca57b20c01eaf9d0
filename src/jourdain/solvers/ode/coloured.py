"""Jacobians of the right-hand side, columns of one colour at a time (see `banded`)."""

from __future__ import annotations

from jourdain.codegen.translator.loops import call
from jourdain.solvers.ode.banded import (
    AT_COLOURS,
    AT_COLUMNS,
    AT_PLACE,
    AT_ROWS,
    AT_STARTS,
    N_COLOURS,
    SHIFT,
    SIZE,
    STRIDE,
)
from jourdain.solvers.ode.stepping import (
    AT_PROJECTION,
    N_JACOBIANS,
    N_Q,
    N_V,
    PROJECTION,
    PROJECTION_ARGUMENTS,
    T_WORK,
    T,
)  # fmt: skip
from jourdain.solvers.projection import difference


def bind_tangent(run, method, at_work):
    """Let the tangent read y and a direction at ``at_work``, and write behind it."""
    w_at, dp, ip = run.w_at, run.dp, run.ip
    n, n_q = ip[N_Q] + ip[N_V], ip[N_Q]
    dp[T_WORK] = dp[T]
    method.tangent.pointers[0] = w_at
    method.tangent.pointers[1] = w_at + 8 * n_q
    method.tangent.pointers[5] = w_at + 8 * at_work
    method.tangent.pointers[6] = w_at + 8 * (at_work + n_q)
    method.tangent.pointers[7] = w_at + 8 * (at_work + n)
    method.tangent.pointers[8] = w_at + 8 * (at_work + n + n_q)


def banded_jacobian(run, method, at_work):
    """Jacobian of the right-hand side at y, colour by colour."""
    w, ip = run.w, run.ip
    at_m, form = method.at_matrices, method.form
    bind_tangent(run, method, at_work)
    for i in range(form[SIZE]):
        w[at_m + i] = 0.0
    for colour in range(form[N_COLOURS]):
        first, end = form[form[AT_COLOURS] + colour], form[form[AT_COLOURS] + colour + 1]
        for i in range(ip[N_Q] + ip[N_V]):
            w[at_work + i] = 0.0
        for e in range(first, end):
            w[at_work + form[form[AT_COLUMNS] + e]] = 1.0
        call(method.tangent.function, method.tangent.at)
        take_colour(w, ip, at_m, at_work, form, first, end, 0)
    ip[N_JACOBIANS] += 1


def take_colour(w, ip, at_m, at_work, form, first, end, row_from):
    """Put what the tangent gives for columns of one colour into the matrix, from a row on."""
    n, base = ip[N_Q] + ip[N_V], at_m + form[SHIFT]
    for e in range(first, end):
        k = form[form[AT_COLUMNS] + e]
        column = form[form[AT_PLACE] + k]
        for at in range(form[form[AT_STARTS] + k], form[form[AT_STARTS] + k + 1]):
            i = form[form[AT_ROWS] + at]
            if i >= row_from:
                row = form[form[AT_PLACE] + i]
                w[base + row * form[STRIDE] + column] = w[at_work + n + i]


def closed_band(run, method, at_work, row_from):
    """Jacobian of the right-hand side at the projected state, from a row on, colour by colour."""
    w, dp, ip = run.w, run.dp, run.ip
    at_m, form = method.at_matrices, method.form
    bind_tangent(run, method, at_work)
    if row_from == 0:
        for i in range(form[SIZE]):
            w[at_m + i] = 0.0
    for colour in range(form[N_COLOURS]):
        first, end = form[form[AT_COLOURS] + colour], form[form[AT_COLOURS] + colour + 1]
        close_colour(w, ip, dp, at_work, form, first, end)
        call(method.tangent.function, method.tangent.at)
        take_colour(w, ip, at_m, at_work, form, first, end, row_from)
    ip[N_JACOBIANS] += 1


def close_colour(w, ip, dp, at_d, form, first, end):
    """Change of the projected state by changes of the coordinates of one colour (see `tangent`)."""
    n_q, n = ip[N_Q], ip[N_Q] + ip[N_V]
    is_position = form[form[AT_COLUMNS] + first] < n_q
    low = 0 if is_position else n_q
    high = n_q if is_position else n
    for i in range(n):
        w[at_d + i] = 0.0
        w[2 * n + i] = w[i]
    call(ip[PROJECTION], ip[PROJECTION_ARGUMENTS])
    for e in range(first, end):
        k = form[form[AT_COLUMNS] + e]
        step = difference(w, ip, k)
        w[at_d + k] += 1.0
        w[2 * n + k] += step
        add_change(w, ip, at_d, form, k, low, n, -1.0 / step)
    call(ip[PROJECTION], ip[PROJECTION_ARGUMENTS])
    for e in range(first, end):
        k = form[form[AT_COLUMNS] + e]
        add_change(w, ip, at_d, form, k, low, high, 1.0 / difference(w, ip, k))
    if is_position:
        for e in range(first, end):
            k = form[form[AT_COLUMNS] + e]
            step = difference(w, ip, k)
            for at in range(form[form[AT_STARTS] + k], form[form[AT_STARTS] + k + 1]):
                i = form[form[AT_ROWS] + at]
                if i < n_q:
                    w[2 * n + i] = w[i] + step * w[at_d + i]
        call(ip[PROJECTION], ip[PROJECTION_ARGUMENTS])
        for e in range(first, end):
            k = form[form[AT_COLUMNS] + e]
            add_change(w, ip, at_d, form, k, n_q, n, 1.0 / difference(w, ip, k))


def add_change(w, ip, at_d, form, k, low, high, factor):
    """Add changes that the projection gives in the block of a coordinate, in some rows."""
    for at in range(form[form[AT_STARTS] + k], form[form[AT_STARTS] + k + 1]):
        i = form[form[AT_ROWS] + at]
        if low <= i < high:
            w[at_d + i] += factor * w[ip[AT_PROJECTION] + i]
