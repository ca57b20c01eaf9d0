"""Generalized-α (Chung & Hulbert 1993) with a fixed step, in machine code.

Accelerations dv/dt = f(q, v, t) hold at the ends of steps; an acceleration-like variable a follows

    (1 − αₘ) a₁ + αₘ a₀ = (1 − α_f) f₁ + α_f f₀,
    v₁ = v₀ + h ((1 − γ) a₀ + γ a₁),      Δ = v₀ + h ((½ − β) a₀ + β a₁),

and positions flow with the velocity Δ by the midpoint rule q₁ = q₀ + h q̇((q₀ + q₁)/2, Δ): plain
coordinates move by h Δ, a quaternion by a Cayley turn that keeps its length. The unknowns q₁ and
f₁ are found by simplified Newton iterations with the exact Jacobian.

Memory from ``at_m``, with n = n_q + n_v and matrices of m numbers (see `banded`): Jacobian (m),
factors (m), a₀ (n), f₁ (n), right sides (n), work (2n).
"""

from __future__ import annotations

from typing import Any

from jourdain.solvers.acceptance import accept, close_step, wants_dense
from jourdain.solvers.events import cut_at_kink
from jourdain.solvers.integration import ImplicitMethod, Integration
from jourdain.solvers.native import native
from jourdain.solvers.ode.banded import (
    AT_ORDER,
    LOWER,
    SHIFT,
    SIZE,
    STRIDE,
    UPPER,
    factor_band,
    solve_band,
)
from jourdain.solvers.ode.radau import closed_jacobian, whole_jacobian
from jourdain.solvers.ode.stepping import (
    AT_SIZES,
    H_CUT,
    H_FACTORED,
    HALTS_BEFORE_END,
    HAS_FIRST,
    HAS_JACOBIAN,
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

MAX_ITERATIONS = 12
FEW, MANY = 4, 9  # iterations up to which a Jacobian serves on: a new one costs n evaluations
AT_M, AT_F, AT_GAMMA, AT_BETA = 0, 1, 2, 3  # places of the coefficients
EXACT, AT_ROUNDING = 1e-14, 1e-9  # changes, in units of the state


def factorize(w, ip, at_m, co, h, form):
    """Factors of the derivative of the equations by q₁ and f₁."""
    n_q, n = ip[N_Q], ip[N_Q] + ip[N_V]
    gain = h * (1.0 - co[AT_F]) / (1.0 - co[AT_M])
    size, order = form[SIZE], form[AT_ORDER]
    for e in range(size):
        w[at_m + size + e] = 0.0
    for r in range(n):
        i = form[order + r]
        for c in range(max(0, r - form[LOWER]), min(n, r + form[UPPER] + 1)):
            k = form[order + c]
            d = at_m + form[SHIFT] + r * form[STRIDE] + c
            x = w[d]
            if i < n_q:
                x *= 0.5 * h if k < n_q else h * co[AT_BETA] * gain
            elif k >= n_q:
                x *= co[AT_GAMMA] * gain
            w[size + d] = (1.0 if r == c else 0.0) - x
    return factor_band(w, at_m + size, n, form, 0)


def velocities(w, ip, co, h, at_a, at_f):
    """v₁ behind q₁, and Δ behind the place of the middle, for a guess of f₁."""
    n_q, n = ip[N_Q], ip[N_Q] + ip[N_V]
    for i in range(n - n_q):
        old, v = w[at_a + i], w[n_q + i]
        both = (1.0 - co[AT_F]) * w[at_f + i] + co[AT_F] * w[3 * n + n_q + i]
        new = (both - co[AT_M] * old) / (1.0 - co[AT_M])
        w[n + n_q + i] = v + h * ((1.0 - co[AT_GAMMA]) * old + co[AT_GAMMA] * new)
        w[2 * n + n_q + i] = v + h * ((0.5 - co[AT_BETA]) * old + co[AT_BETA] * new)


def residuals(run, h, at_f, at_r):
    """What is missing in the equations; the rates at the end of the step lie behind the first.

    With constraints, they are the rates at the end moved onto them, as in `gauss`.
    """
    w, quaternions, dp, ip = run.w, run.quaternions, run.dp, run.ip
    n_q, n = ip[N_Q], ip[N_Q] + ip[N_V]
    for i in range(n_q):
        w[2 * n + i] = 0.5 * (w[i] + w[n + i])
    evaluate(run, dp[T] + 0.5 * h, 2 * n, at_r)
    for i in range(n):
        w[2 * n + i] = w[n + i]
    project_stage(w, quaternions, ip, dp, dp[T] + h)
    evaluate(run, dp[T] + h, 2 * n, 4 * n)
    for i in range(n):
        if i < n_q:
            w[at_r + i] = w[i] + h * w[at_r + i] - w[n + i]
        else:
            w[at_r + i] = w[4 * n + i] - w[at_f + i - n_q]


def alpha_step(run, method, h, at_a, at_f, at_r):
    """Solve for the end of a step; return the number of iterations, or −1."""
    w, ip = run.w, run.ip
    co, at_m, form = method.coefficients, method.at_matrices, method.form
    n_q, n = ip[N_Q], ip[N_Q] + ip[N_V]
    for i in range(n_q):
        w[n + i] = w[i] + h * w[3 * n + i]
    for i in range(n - n_q):
        w[at_f + i] = w[3 * n + n_q + i]
    old = 1e300
    for iteration in range(MAX_ITERATIONS):
        velocities(w, ip, co, h, at_a, at_f)
        residuals(run, h, at_f, at_r)
        if not is_finite(w, at_r, n):
            return -1
        solve_band(w, at_m + form[SIZE], n, form, 0, at_r)
        change, size = 0.0, 0.0
        for i in range(n):
            if i < n_q:
                w[n + i] += w[at_r + i]
                change = max(change, abs(w[at_r + i]))
            else:
                w[at_f + i - n_q] += w[at_r + i]
                change = max(change, h * abs(w[at_r + i]))
            size = max(size, abs(w[i]), abs(w[n + i]), w[ip[AT_SIZES] + i])
        if change <= EXACT * size or (change >= 0.5 * old and change <= AT_ROUNDING * size):
            velocities(w, ip, co, h, at_a, at_f)
            return iteration + 1
        old = change
    return -1


def advance_memory(w, ip, co, at_a, at_f):
    """After a step: a₀ and the rates at its end."""
    n_q, n = ip[N_Q], ip[N_Q] + ip[N_V]
    for i in range(n - n_q):
        both = (1.0 - co[AT_F]) * w[at_f + i] + co[AT_F] * w[3 * n + n_q + i]
        w[at_a + i] = (both - co[AT_M] * w[at_a + i]) / (1.0 - co[AT_M])
        w[3 * n + n_q + i] = w[at_f + i]
    for i in range(n_q):
        w[3 * n + i] = w[4 * n + i]


@native()
def alpha_run(run: Integration, method: ImplicitMethod) -> Any:
    """Advance until the end, an interruption or a terminal event; return the status."""
    w, quaternions, ip, dp = run.w, run.quaternions, run.ip, run.dp
    co, at_m, form = method.coefficients, method.at_matrices, method.form
    n_q, n = ip[N_Q], ip[N_Q] + ip[N_V]
    at_a = at_m + 2 * form[SIZE]
    at_f, at_r, at_work = at_a + n, at_a + 2 * n, at_a + 3 * n
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
        if ip[HAS_FIRST] == 0:
            evaluate(run, dp[T], 0, 3 * n)
            for i in range(n - n_q):
                w[at_a + i] = w[3 * n + n_q + i]
            ip[HAS_FIRST] = 1
        is_new = ip[HAS_JACOBIAN] == 0
        if is_new:
            whole_jacobian(run, method, at_work)
            if ip[PROJECTION]:
                closed_jacobian(run, method, at_work, n_q)
            ip[HAS_JACOBIAN] = 1
            dp[H_FACTORED] = 0.0
        if dp[H_FACTORED] != h:
            ip[N_FACTORS] += 1
            if not factorize(w, ip, at_m, co, h, form):
                return 6
            dp[H_FACTORED] = h
        count = alpha_step(run, method, h, at_a, at_f, at_r)
        if count < 0:
            ip[N_REJECTED] += 1
            ip[HAS_JACOBIAN] = 0
            if is_new:
                return 6 if is_finite(w, at_r, n) else 3
            continue
        if not is_finite(w, n, n):
            return 3
        if count > min(MANY, FEW + n // 5):
            ip[HAS_JACOBIAN] = 0
        close_step(w, quaternions, ip, dp, t_new)
        for i in range(n):
            w[5 * n + i] = (w[n + i] - w[i]) / h
        wants_dense(run, t_new)
        kink = cut_at_kink(run, h)
        if kink < 0.0:
            if dp[H_CUT] == 0.0:
                return 7
            continue
        status = accept(run, h, t_new, kink)
        advance_memory(w, ip, co, at_a, at_f)
        if status > 0:
            return status
    return 0
