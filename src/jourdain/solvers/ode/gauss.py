"""Gauss–Legendre of order 4 with a fixed step (Hairer & Wanner, IV.8), in machine code.

The two stages Z solve Z = h A F(y + Z) by simplified Newton iterations on W = T⁻¹ Z, one complex
system of the size of the state. The Jacobian is zero as long as that will do, else exact. With
constraints, F takes the rates at the stage moved onto them: beside them, redundant constraints
contradict each other.

Memory from ``at_m``, with n = n_q + n_v and matrices of m numbers (see `banded`): Jacobian (m),
complex factors (2m), Z (2n), W (2n), right sides (2n), work (2n).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from jourdain.solvers.acceptance import accept, close_step, wants_dense
from jourdain.solvers.events import cut_at_kink
from jourdain.solvers.integration import ImplicitMethod, Integration
from jourdain.solvers.native import native
from jourdain.solvers.ode.banded import (
    SHIFT,
    SIZE,
    STRIDE,
    factor_band_complex,
    solve_band_complex,
)
from jourdain.solvers.ode.radau import closed_jacobian, whole_jacobian
from jourdain.solvers.ode.stepping import (
    H_CUT,
    H_FACTORED,
    HALTS_BEFORE_END,
    HAS_JACOBIAN,
    HAS_OLD,
    N_FACTORS,
    N_Q,
    N_REJECTED,
    N_V,
    PROJECTION,
    T_END,
    H,
    T,
    end_of_step,
    evaluate,
    is_finite,
    must_pause,
)  # fmt: skip
from jourdain.solvers.projection import project_stage
from jourdain.solvers.sizes import largest_change

MAX_ITERATIONS = 20
FEW, MANY = 5, 15  # iterations up to which a Jacobian serves on: a new one costs n evaluations
USED, WANTED = 1, 2  # what HAS_JACOBIAN says; before, it is taken as zero, as for soft systems
EXACT, AT_ROUNDING = 2e-16, 1e-10  # changes, in units of the state
# Places of the coefficients.
AT_T, AT_TI, AT_C, AT_MU, AT_AI = 0, 4, 8, 10, 12


def factorize(w, n, at_m, co, h, form):
    """Factors of μ/h E − J for the complex eigenvalue."""
    size = form[SIZE]
    for i in range(size):
        w[at_m + size + i] = -w[at_m + i]
        w[at_m + 2 * size + i] = 0.0
    for i in range(n):
        d = form[SHIFT] + i * form[STRIDE] + i
        w[at_m + size + d] += co[AT_MU] / h
        w[at_m + 2 * size + d] = co[AT_MU + 1] / h
    return factor_band_complex(w, at_m + size, n, form, 0)


def guess(w, n, P, co, at_z, h, has_old):
    """Start of the iteration: the last step's polynomial carried on, or zero."""
    for i in range(n):
        k1, k2 = w[3 * n + i], w[4 * n + i]
        for s in range(2):
            x, value = 1.0 + co[AT_C + s], 0.0
            if has_old:
                p1 = x * (P[0] + x * P[1]) - (P[0] + P[1])
                p2 = x * (P[2] + x * P[3]) - (P[2] + P[3])
                value = h * (k1 * p1 + k2 * p2)
            w[at_z + s * n + i] = value


def transform(w, n, co, at_matrix, at_from, at_to):
    """Two columns times a 2 × 2 matrix."""
    for i in range(n):
        a, b = w[at_from + i], w[at_from + n + i]
        w[at_to + i] = co[at_matrix] * a + co[at_matrix + 1] * b
        w[at_to + n + i] = co[at_matrix + 2] * a + co[at_matrix + 3] * b


def gauss_step(run, method, h, at_z, at_w, at_r):
    """Simplified Newton; return the number of iterations, or −1 when it does not converge."""
    w, quaternions, dp, ip = run.w, run.quaternions, run.dp, run.ip
    co, at_m, form = method.coefficients, method.at_matrices, method.form
    n = ip[N_Q] + ip[N_V]
    re, im = co[AT_MU] / h, co[AT_MU + 1] / h
    transform(w, n, co, AT_TI, at_z, at_w)
    old, rate = 0.0, 1.0
    for k in range(MAX_ITERATIONS):
        for s in range(2):
            for i in range(n):
                w[2 * n + i] = w[i] + w[at_z + s * n + i]
            t = dp[T] + co[AT_C + s] * h
            project_stage(w, quaternions, ip, dp, t)
            evaluate(run, t, 2 * n, 3 * n + s * n)
        if not is_finite(w, 3 * n, 2 * n):
            return -1
        transform(w, n, co, AT_TI, 3 * n, at_r)
        for i in range(n):
            a, b = w[at_w + i], w[at_w + n + i]
            w[at_r + i] -= re * a - im * b
            w[at_r + n + i] -= re * b + im * a
        if ip[HAS_JACOBIAN]:
            solve_band_complex(w, at_m + form[SIZE], n, form, 0, at_r)
        else:
            for i in range(n):
                a, b = w[at_r + i], w[at_r + n + i]
                w[at_r + i] = (re * a + im * b) / (re * re + im * im)
                w[at_r + n + i] = (re * b - im * a) / (re * re + im * im)
        for i in range(2 * n):
            w[at_w + i] += w[at_r + i]
        transform(w, n, co, AT_T, at_r, 3 * n)
        for i in range(2 * n):
            w[at_z + i] += w[3 * n + i]
        change = max(
            largest_change(w, 3 * n, at_z, ip, h),
            largest_change(w, 4 * n, at_z + n, ip, h),
        )
        if old > 0.0:
            rate = change / old
        is_small = change <= EXACT or (rate < 1.0 and change * rate / (1.0 - rate) <= EXACT)
        if is_small or (rate >= 0.5 and change <= AT_ROUNDING and k > 0):
            return k + 1
        if rate >= 2.0:
            return -1
        old = change
    return -1


@native()
def gauss_run(run: Integration, method: ImplicitMethod) -> Any:
    """Advance until the end, an interruption or a terminal event; return the status."""
    w, P, quaternions, ip, dp = run.w, run.extension, run.quaternions, run.ip, run.dp
    co, at_m, form = method.coefficients, method.at_matrices, method.form
    n = ip[N_Q] + ip[N_V]
    at_z = at_m + 3 * form[SIZE]
    at_w, at_r, at_work = at_z + 2 * n, at_z + 4 * n, at_z + 6 * n
    done = 0
    while dp[T] < dp[T_END]:
        if must_pause(ip, done):
            return 1
        done += 1
        t_new = end_of_step(ip, dp)
        h = min(dp[H], dp[H_CUT]) if dp[H_CUT] > 0.0 else dp[H]
        if t_new == dp[T_END]:
            if ip[HALTS_BEFORE_END]:
                return 5
            h = t_new - dp[T]
        is_exact = ip[HAS_JACOBIAN] == WANTED
        if is_exact:
            if ip[PROJECTION]:
                closed_jacobian(run, method, at_work, 0)
            else:
                whole_jacobian(run, method, at_work)
            ip[HAS_JACOBIAN] = USED
            dp[H_FACTORED] = 0.0
        if ip[HAS_JACOBIAN] and dp[H_FACTORED] != h:
            ip[N_FACTORS] += 1
            if not factorize(w, n, at_m, co, h, form):
                return 6
            dp[H_FACTORED] = h
        guess(w, n, P, co, at_z, h, ip[HAS_OLD])
        count = gauss_step(run, method, h, at_z, at_w, at_r)
        if count < 0:
            ip[N_REJECTED] += 1
            if is_exact and ip[HAS_OLD] == 0:
                return 6 if is_finite(w, 3 * n, 2 * n) else 3
            ip[HAS_JACOBIAN], ip[HAS_OLD] = WANTED, 0
            continue
        transform(w, n, co, AT_AI, at_z, 3 * n)
        for i in range(2 * n):
            w[3 * n + i] /= h
        for i in range(n):
            w[n + i] = w[i] + 0.5 * h * (w[3 * n + i] + w[4 * n + i])
        if not is_finite(w, n, n):
            return 3
        ip[HAS_OLD] = 1
        if count > min(MANY, FEW + n // 20):
            ip[HAS_JACOBIAN] = WANTED
        close_step(w, quaternions, ip, dp, t_new)
        wants_dense(run, t_new)
        kink = cut_at_kink(run, h)
        if kink < 0.0:
            if dp[H_CUT] == 0.0:
                return 7
            ip[HAS_OLD] = 0
            continue
        status = accept(run, h, t_new, kink)
        if status > 0:
            return status
    return 0


@cache
def coefficients() -> tuple[Any, Any]:
    """Transformation, its inverse, nodes, eigenvalue, inverse of A; and the extension."""
    r = 3**0.5 / 6
    A = np.array([[0.25, 0.25 - r], [0.25 + r, 0.25]])
    c = np.array([0.5 - r, 0.5 + r])
    P = np.array([[c[1], -0.5], [-c[0], 0.5]]) / (c[1] - c[0])
    inverse = np.linalg.inv(A)
    values, vectors = np.linalg.eig(inverse)
    pair = int(np.argmin(values.imag))
    T = np.column_stack([vectors[:, pair].real, -vectors[:, pair].imag])
    mu = [values[pair].real, values[pair].imag]
    return np.concatenate([T.ravel(), np.linalg.inv(T).ravel(), c, mu, inverse.ravel()]), P
