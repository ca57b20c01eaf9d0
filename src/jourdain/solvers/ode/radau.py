"""Radau IIA of order 5 for stiff systems (Hairer & Wanner, Solving ODEs II, IV.8), in machine code.

The stages Z solve Z = h A F(y + Z) by simplified Newton iterations on W = T⁻¹ Z, which decouple
into one real and one complex system. The Jacobian is exact: columns by the compiled tangent.

Memory from ``at_m``, with n = n_q + n_v and matrices of m numbers (see `banded`): Jacobian (m),
real factors (m), complex factors (2m), Z (3n), W (3n), right sides (3n), work (2n).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from jourdain.codegen.translator.loops import call
from jourdain.solvers.acceptance import accept, close_step, give_up, wants_dense
from jourdain.solvers.events import cut_at_kink
from jourdain.solvers.integration import ImplicitMethod, Integration
from jourdain.solvers.native import native
from jourdain.solvers.ode.banded import (
    N_COLOURS,
    SHIFT,
    SIZE,
    STRIDE,
    factor_band,
    factor_band_complex,
    solve_band,
    solve_band_complex,
)
from jourdain.solvers.ode.coloured import banded_jacobian, bind_tangent, closed_band
from jourdain.solvers.ode.stepping import (
    H_CUT,
    H_FACTORED,
    H_MAX,
    H_MIN,
    H_OLD,
    HALTS_BEFORE_END,
    HAS_FIRST,
    HAS_JACOBIAN,
    HAS_OLD,
    N_FACTORS,
    N_FROZEN,
    N_JACOBIANS,
    N_Q,
    N_REJECTED,
    N_V,
    PROJECTION,
    T_END,
    H,
    T,
    evaluate,
    is_finite,
    must_pause,
    scaled_norm,
)  # fmt: skip
from jourdain.solvers.projection import tangent
from jourdain.solvers.sizes import set_tolerances

MAX_ITERATIONS = 7
SHRINK = 0.25  # of a step whose constraints cannot be closed
AT_ROUNDING = 0.05  # of the tolerance: changes below it that do not shrink any more are rounding
# Places of the coefficients.
AT_T, AT_TI, AT_C, AT_E, AT_MU, AT_TOLERANCE = 0, 9, 18, 21, 24, 27


def jacobian(run, method, at_work, is_closed, first):
    """Jacobian of the right-hand side at y, column by column, from its row ``first`` on.

    Where it is closed, of the right-hand side at the projected state.
    """
    w, dp, ip = run.w, run.dp, run.ip
    at_m = method.at_matrices
    n = ip[N_Q] + ip[N_V]
    bind_tangent(run, method, at_work)
    for k in range(n):
        if is_closed and ip[PROJECTION]:
            tangent(w, ip, dp, k, at_work)
        else:
            for i in range(n):
                w[at_work + i] = 0.0
            w[at_work + k] = 1.0
        call(method.tangent.function, method.tangent.at)
        for i in range(first, n):
            w[at_m + i * n + k] = w[at_work + n + i]
    ip[N_JACOBIANS] += 1


def whole_jacobian(run, method, at_work):
    """Jacobian at y: within its band, or dense."""
    form = method.form
    if form[N_COLOURS] > 0:
        banded_jacobian(run, method, at_work)
    else:
        jacobian(run, method, at_work, 0, 0)


def closed_jacobian(run, method, at_work, first):
    """Jacobian at the projected state, from its row ``first`` on: within its blocks, or dense."""
    form = method.form
    if form[N_COLOURS] > 0:
        closed_band(run, method, at_work, first)
    else:
        jacobian(run, method, at_work, 1, first)


def factorize(w, n, at_m, mu, h, form):
    """Factors of μ/h E − J for the real and the complex eigenvalue."""
    size = form[SIZE]
    for i in range(size):
        w[at_m + size + i] = -w[at_m + i]
        w[at_m + 2 * size + i] = -w[at_m + i]
        w[at_m + 3 * size + i] = 0.0
    for i in range(n):
        d = form[SHIFT] + i * form[STRIDE] + i
        w[at_m + size + d] += mu[AT_MU] / h
        w[at_m + 2 * size + d] += mu[AT_MU + 1] / h
        w[at_m + 3 * size + d] = mu[AT_MU + 2] / h
    if not factor_band(w, at_m + size, n, form, 0):
        return False
    return factor_band_complex(w, at_m + 2 * size, n, form, n)


def guess(w, n, P, co, at_z, x_ratio, has_old):
    """Start of the iteration: the last step's polynomial carried on, or zero."""
    for i in range(n):
        z1, z2, z3 = w[at_z + i], w[at_z + n + i], w[at_z + 2 * n + i]
        for k in range(3):
            value = 0.0
            if has_old:
                x = 1.0 + co[AT_C + k] * x_ratio
                p1 = x * (P[0] + x * (P[1] + x * P[2]))
                p2 = x * (P[3] + x * (P[4] + x * P[5]))
                p3 = x * (P[6] + x * (P[7] + x * P[8]))
                value = z1 * p1 + z2 * p2 + z3 * p3 - z3
            w[at_z + k * n + i] = value


def transform(w, n, co, at_matrix, at_from, at_to):
    """Three columns times a 3 × 3 matrix."""
    for i in range(n):
        a, b, c = w[at_from + i], w[at_from + n + i], w[at_from + 2 * n + i]
        for k in range(3):
            row = at_matrix + 3 * k
            w[at_to + k * n + i] = co[row] * a + co[row + 1] * b + co[row + 2] * c


def iterate(run, method, h, at_z, at_w, at_r):
    """Simplified Newton; return the number of iterations, or −1 when it does not converge."""
    w, dp, ip = run.w, run.dp, run.ip
    co, at_m, form = method.coefficients, method.at_matrices, method.form
    n = ip[N_Q] + ip[N_V]
    at_stages = 3 * n
    transform(w, n, co, AT_TI, at_z, at_w)
    old, rate = -1.0, -1.0
    for k in range(MAX_ITERATIONS):
        for s in range(3):
            for i in range(n):
                w[2 * n + i] = w[i] + w[at_z + s * n + i]
            t = dp[T] + co[AT_C + s] * h
            evaluate(run, t, 2 * n, at_stages + s * n)
        if not is_finite(w, at_stages, 3 * n):
            return -1
        transform(w, n, co, AT_TI, at_stages, at_r)
        re, im = co[AT_MU + 1] / h, co[AT_MU + 2] / h
        for i in range(n):
            a, b = w[at_w + n + i], w[at_w + 2 * n + i]
            w[at_r + i] -= co[AT_MU] / h * w[at_w + i]
            w[at_r + n + i] -= re * a - im * b
            w[at_r + 2 * n + i] -= re * b + im * a
        solve_band(w, at_m + form[SIZE], n, form, 0, at_r)
        solve_band_complex(w, at_m + 2 * form[SIZE], n, form, n, at_r + n)
        for i in range(3 * n):
            w[at_w + i] += w[at_r + i]
        transform(w, n, co, AT_T, at_w, at_z)
        for i in range(n):
            w[n + i] = w[i] + w[at_z + 2 * n + i]  # what starts at zero has no size but this
        size = scaled_norm(w, at_r, 3 * n, ip, dp)
        if old > 0.0:
            rate = size / old
            left = MAX_ITERATIONS - k
            if rate >= 1.0 or rate**left / (1.0 - rate) * size > co[AT_TOLERANCE]:
                return k + 1 if size < AT_ROUNDING else -1
        if size == 0.0 or (rate > 0.0 and rate / (1.0 - rate) * size < co[AT_TOLERANCE]):
            return k + 1
        old = size
    return -1


def error_size(run, method, h, at_z, at_e, at_work, again):
    """Estimate of the local error, filtered by the real system; ``at_e`` holds f(t, y)."""
    w, dp, ip = run.w, run.dp, run.ip
    co, at_m, form = method.coefficients, method.at_matrices, method.form
    n = ip[N_Q] + ip[N_V]
    for i in range(n):
        e = co[AT_E] * w[at_z + i] + co[AT_E + 1] * w[at_z + n + i]
        w[at_work + i] = w[at_e + i] + (e + co[AT_E + 2] * w[at_z + 2 * n + i]) / h
    solve_band(w, at_m + form[SIZE], n, form, 0, at_work)
    size = scaled_norm(w, at_work, n, ip, dp)
    if again and size >= 1.0:
        for i in range(n):
            w[2 * n + i] = w[i] + w[at_work + i]
        evaluate(run, dp[T], 2 * n, at_work)
        for i in range(n):
            e = co[AT_E] * w[at_z + i] + co[AT_E + 1] * w[at_z + n + i]
            w[at_work + i] += (e + co[AT_E + 2] * w[at_z + 2 * n + i]) / h
        solve_band(w, at_m + form[SIZE], n, form, 0, at_work)
        size = scaled_norm(w, at_work, n, ip, dp)
    return size


@native()
def radau_run(run: Integration, method: ImplicitMethod) -> Any:
    """Advance until the end, an interruption or a terminal event; return the status."""
    w, P, quaternions, ip, dp = run.w, run.extension, run.quaternions, run.ip, run.dp
    co, at_m, form = method.coefficients, method.at_matrices, method.form
    n = ip[N_Q] + ip[N_V]
    at_z = at_m + 4 * form[SIZE]
    at_w, at_r, at_e, at_work = at_z + 3 * n, at_z + 6 * n, at_z + 9 * n, at_z + 10 * n
    done = 0
    was_rejected, has_shrunk = False, False
    while dp[T] < dp[T_END]:
        if must_pause(ip, done):
            return 1
        done += 1
        h = min(dp[H], dp[H_MAX])
        is_cut = dp[H_CUT] > 0.0
        if is_cut:
            h = min(h, dp[H_CUT])
        is_last = dp[T] + h * (1.0 + 1e-9) >= dp[T_END]
        if is_last:
            if ip[HALTS_BEFORE_END]:
                return 5
            h = dp[T_END] - dp[T]
        is_short = h < dp[H_MIN] * max(abs(dp[T]), abs(dp[T_END]))
        if is_short and has_shrunk and not is_cut:
            return 4
        if ip[HAS_FIRST] == 0:
            evaluate(run, dp[T], 0, at_e)
            ip[HAS_FIRST] = 1
            if not is_finite(w, at_e, n):
                return 3
        is_new = False
        if ip[HAS_JACOBIAN] == 0:
            whole_jacobian(run, method, at_work)
            ip[HAS_JACOBIAN] = 1
            is_new = True
            dp[H_FACTORED] = 0.0
        if dp[H_FACTORED] != h:
            ip[N_FACTORS] += 1
            if not factorize(w, n, at_m, co, h, form):
                dp[H], has_shrunk = 0.5 * h, True
                continue
            dp[H_FACTORED] = h
        set_tolerances(w, ip, dp, h)
        ratio = h / dp[H_OLD] if ip[HAS_OLD] else 0.0
        guess(w, n, P, co, at_z, ratio, ip[HAS_OLD] and not was_rejected)
        count = iterate(run, method, h, at_z, at_w, at_r)
        if count < 0:
            if ip[N_FROZEN] > 0 and not is_finite(w, 3 * n, 3 * n):
                return 3
            ip[N_REJECTED] += 1
            ip[HAS_OLD] = 0
            if is_new:
                dp[H], has_shrunk = 0.5 * h, True
            ip[HAS_JACOBIAN] = 0
            continue
        again = was_rejected or ip[HAS_OLD] == 0
        error = error_size(run, method, h, at_z, at_e, at_work, again)
        safety = 0.9 * (2.0 * MAX_ITERATIONS + 1.0) / (2.0 * MAX_ITERATIONS + count)
        factor_h = min(10.0, max(0.2, safety * max(error, 1e-12) ** (-0.25)))
        if not error < 1.0:
            ip[N_REJECTED] += 1
            dp[H] = h * min(factor_h, 0.9) if error < 1e9 else 0.1 * h
            was_rejected, has_shrunk = True, True
            ip[HAS_OLD] = 0
            continue
        t_new = dp[T_END] if is_last else dp[T] + h
        if not close_step(w, quaternions, ip, dp, t_new):
            ip[N_REJECTED] += 1
            dp[H], ip[HAS_OLD], was_rejected = SHRINK * h, 0, True
            if dp[H] < dp[H_MIN] * max(abs(dp[T]), abs(dp[T_END])):
                return give_up(w, ip, dp)
            continue
        was_rejected, has_shrunk = False, False
        for i in range(3 * n):
            w[3 * n + i] = w[at_z + i] / h
        wants_dense(run, t_new)
        kink = cut_at_kink(run, h)
        if kink < 0.0:
            if dp[H_CUT] == 0.0:
                return 7
            ip[HAS_OLD] = 0
            continue
        status = accept(run, h, t_new, kink)
        dp[H_OLD] = h
        ip[HAS_OLD] = 1
        ip[HAS_FIRST] = 0
        ip[HAS_JACOBIAN] = 1 if count <= 2 else 0
        if factor_h > 1.2 or factor_h < 1.0:
            dp[H] = max(h * factor_h, dp[H]) if is_last or is_cut else h * factor_h
        elif not (is_last or is_cut):
            dp[H] = h
        if status > 0:
            return status
    return 0


@cache
def coefficients() -> tuple[Any, Any]:
    """Transformation, nodes, error weights, eigenvalues; and the continuous extension."""
    r = np.sqrt(6.0)
    A = np.array(
        [
            [(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225],
            [(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225],
            [(16 - r) / 36, (16 + r) / 36, 1 / 9],
        ]
    )
    values, vectors = np.linalg.eig(np.linalg.inv(A))
    real = int(np.argmin(np.abs(values.imag)))
    pair = int(np.argmin(values.imag))
    T = np.column_stack([vectors[:, real].real, vectors[:, pair].real, -vectors[:, pair].imag])
    mu = [values[real].real, values[pair].real, values[pair].imag]
    c = [(4 - r) / 10, (4 + r) / 10, 1.0]
    E = np.array([-13 - 7 * r, -13 + 7 * r, -1.0]) / 3
    # Continuous extension: the cubic through y and the three stages.
    V = np.array([[x, x**2, x**3] for x in c])
    P = np.linalg.inv(V).T
    return np.concatenate([T.ravel(), np.linalg.inv(T).ravel(), c, E, mu, [0.0]]), P.copy()
