"""Explicit Runge–Kutta steps with error control or fixed size, in machine code."""

from __future__ import annotations

from typing import Any

from jourdain.solvers.acceptance import accept, close_step, give_up, wants_dense
from jourdain.solvers.events import cut_at_kink
from jourdain.solvers.integration import ExplicitMethod, Integration
from jourdain.solvers.native import native
from jourdain.solvers.ode.stepping import (
    AT_SIZES,
    EXPONENT,
    H_CUT,
    H_MAX,
    H_MIN,
    HALTS_BEFORE_END,
    HAS_FIRST,
    IS_FIXED,
    IS_FSAL,
    N_ERRORS,
    N_FROZEN,
    N_Q,
    N_QUATERNIONS,
    N_REJECTED,
    N_STAGES,
    N_STEP,
    N_V,
    PROJECTION,
    RTOL,
    T_END,
    H,
    T,
    combine,
    end_of_step,
    evaluate,
    is_finite,
    must_pause,
)  # fmt: skip
from jourdain.solvers.sizes import set_tolerances

SHRINK = 0.25  # of a step whose constraints cannot be closed


def extend(run, table, h):
    """Stages that only the continuous extension needs."""
    w, dp, ip = run.w, run.dp, run.ip
    A, c = table.A, table.c
    n = ip[N_Q] + ip[N_V]
    for s in range(ip[N_STEP], ip[N_STAGES]):
        combine(w, 0, 2 * n, h, A, s * ip[N_STAGES], 3 * n, n, s)
        evaluate(run, dp[T] + c[s] * h, 2 * n, 3 * n + s * n)


def error_norm(w, errors, dp, ip, h):
    """Scaled error of the step; two estimates are combined as in DOP853."""
    n, n_stages = ip[N_Q] + ip[N_V], ip[N_STAGES]
    first, second = 0.0, 0.0
    for i in range(n):
        scale = w[ip[AT_SIZES] + n + i] + dp[RTOL] * max(abs(w[i]), abs(w[n + i]))
        one, two = 0.0, 0.0
        for s in range(n_stages if ip[N_ERRORS] else 0):
            one += errors[s] * w[3 * n + s * n + i]
            if ip[N_ERRORS] > 1:
                two += errors[n_stages + s] * w[3 * n + s * n + i]
        first += (one / scale) ** 2
        second += (two / scale) ** 2
    if ip[N_ERRORS] < 2:
        return h * (first / n) ** 0.5
    below = first + 0.01 * second
    return 0.0 if below <= 0.0 else h * first / (n * below) ** 0.5


def stages(run, table, h):
    """Stages of a step and the new state."""
    w, dp, ip = run.w, run.dp, run.ip
    A, b, c = table.A, table.b, table.c
    n, n_stages, n_step = ip[N_Q] + ip[N_V], ip[N_STAGES], ip[N_STEP]
    at_k = 3 * n
    if ip[HAS_FIRST] == 0:
        evaluate(run, dp[T], 0, at_k)
        ip[HAS_FIRST] = 1
    last = n_step - 1 if ip[IS_FSAL] else n_step
    for s in range(1, last):
        combine(w, 0, 2 * n, h, A, s * n_stages, at_k, n, s)
        evaluate(run, dp[T] + c[s] * h, 2 * n, at_k + s * n)
    combine(w, 0, n, h, b, 0, at_k, n, last)
    if ip[IS_FSAL]:
        evaluate(run, dp[T] + h, n, at_k + last * n)


def step_factor(error, dp):
    """Factor of the next step size."""
    if not error < 1e9:
        return 0.1
    if error < 1e-10:
        return 10.0
    return min(10.0, max(0.2, 0.9 * error ** (-dp[EXPONENT])))


@native()
def explicit_run(run: Integration, table: ExplicitMethod) -> Any:
    """Advance until the end, an interruption or a terminal event; return the status."""
    w, quaternions, ip, dp = run.w, run.quaternions, run.ip, run.dp
    errors = table.errors
    n = ip[N_Q] + ip[N_V]
    done = 0
    while dp[T] < dp[T_END]:
        if must_pause(ip, done):
            return 1
        done += 1
        h = min(dp[H], dp[H_MAX])
        is_cut = dp[H_CUT] > 0.0
        if is_cut:
            h = min(h, dp[H_CUT])
        t_new = end_of_step(ip, dp) if ip[IS_FIXED] else dp[T] + h
        is_last = t_new + 1e-9 * h >= dp[T_END]
        if is_last:
            if ip[HALTS_BEFORE_END]:
                return 5
            t_new = dp[T_END]
            h = t_new - dp[T]
        stages(run, table, h)
        is_good = is_finite(w, n, n)
        if not is_good and ip[N_FROZEN] > 0:
            return 3
        if ip[IS_FIXED] == 0:
            set_tolerances(w, ip, dp, h)
            error = error_norm(w, errors, dp, ip, h) if is_good else 1e10
            factor = step_factor(error, dp)
            if not error <= 1.0:
                ip[N_REJECTED] += 1
                dp[H] = h * min(factor, 0.9)
                if dp[H] < dp[H_MIN] * max(abs(dp[T]), abs(dp[T_END])):
                    return 4 if is_good else 3
                continue
            if not close_step(w, quaternions, ip, dp, t_new):
                ip[N_REJECTED] += 1
                dp[H] = SHRINK * h
                if dp[H] < dp[H_MIN] * max(abs(dp[T]), abs(dp[T_END])):
                    return give_up(w, ip, dp)
                continue
            dp[H] = max(h * factor, dp[H]) if is_last or is_cut else h * factor
        elif is_good:
            close_step(w, quaternions, ip, dp, t_new)
        else:
            return 3
        if wants_dense(run, t_new):
            extend(run, table, h)
        kink = cut_at_kink(run, h)
        if kink < 0.0:
            if dp[H_CUT] == 0.0:
                return 7
            continue
        status = accept(run, h, t_new, kink)
        if status > 0:
            return status
        if ip[IS_FSAL] and ip[N_QUATERNIONS] == 0 and ip[PROJECTION] == 0:
            for i in range(n):
                w[3 * n + i] = w[3 * n + (ip[N_STEP] - 1) * n + i]
        else:
            ip[HAS_FIRST] = 0
    return 0
