"""Fixed-step methods for long runs: semi-implicit Euler and Gauss–Legendre, in machine code."""

from __future__ import annotations

from jourdain.solvers.acceptance import accept, wants_dense
from jourdain.solvers.events import cut_at_kink
from jourdain.solvers.native import native
from jourdain.solvers.stepping import (
    H_CUT,
    HALTS_BEFORE_END,
    N_Q,
    N_REJECTED,
    N_V,
    T_END,
    H,
    T,
    evaluate,
    is_finite,
    must_pause,
)  # fmt: skip

MAX_ITERATIONS = 100


def euler_step(f, args, args_at, w, w_at, dp, ip, h):
    """New velocities from old positions, new positions from new velocities."""
    n_q, n = ip[N_Q], ip[N_Q] + ip[N_V]
    evaluate(f, args, args_at, w_at, dp, ip, dp[T], 0, 3 * n)
    for i in range(n_q):
        w[2 * n + i] = w[i]
    for i in range(n_q, n):
        w[n + i] = w[i] + h * w[3 * n + i]
        w[2 * n + i] = w[n + i]
    evaluate(f, args, args_at, w_at, dp, ip, dp[T], 2 * n, 3 * n)
    for i in range(n_q):
        w[n + i] = w[i] + h * w[3 * n + i]
    for i in range(n):
        w[3 * n + i] = (w[n + i] - w[i]) / h
    return True


def gauss_step(f, args, args_at, w, w_at, dp, ip, h, A, c, at_old):
    """Two stages of Gauss–Legendre, by fixed-point iteration until nothing changes."""
    n = ip[N_Q] + ip[N_V]
    at_k = 3 * n
    old = 1e300
    for _ in range(MAX_ITERATIONS):
        change, size = 0.0, 0.0
        for i in range(2 * n):
            w[at_old + i] = w[at_k + i]
        for s in range(2):
            for i in range(n):
                both = A[2 * s] * w[at_old + i] + A[2 * s + 1] * w[at_old + n + i]
                w[2 * n + i] = w[i] + h * both
            evaluate(f, args, args_at, w_at, dp, ip, dp[T] + c[s] * h, 2 * n, at_k + s * n)
        for i in range(2 * n):
            change = max(change, abs(w[at_k + i] - w[at_old + i]))
            size = max(size, abs(w[at_k + i]))
        if change <= 1e-14 * size or (change >= old and change <= 1e-11 * size):
            for i in range(n):
                w[n + i] = w[i] + 0.5 * h * (w[at_k + i] + w[at_k + n + i])
            return True
        old = change
    return False


@native("iaipipppaapppiaiipii")
def fixed_run(
    f, args, args_at, w, w_at, A, c, P, quaternions, ip, dp, times, out, g, gargs, gargs_at, at_g,
    found, is_gauss, at_old,
):  # fmt: skip
    """Advance until the end, an interruption or a terminal event; return the status."""
    n = ip[N_Q] + ip[N_V]
    done = 0
    while dp[T] < dp[T_END]:
        if must_pause(ip, done):
            return 1
        done += 1
        h = min(dp[H], dp[H_CUT]) if dp[H_CUT] > 0.0 else dp[H]
        is_last = dp[T] + h * (1.0 + 1e-9) >= dp[T_END]
        if is_last:
            if ip[HALTS_BEFORE_END]:
                return 5
            h = dp[T_END] - dp[T]
        if is_gauss:
            if not gauss_step(f, args, args_at, w, w_at, dp, ip, h, A, c, at_old):
                ip[N_REJECTED] += 1
                return 6
        else:
            euler_step(f, args, args_at, w, w_at, dp, ip, h)
        if not is_finite(w, n, n):
            return 3
        t_new = dp[T_END] if is_last else dp[T] + h
        wants_dense(g, gargs, gargs_at, w, w_at, ip, dp, times, at_g, t_new)
        kink = cut_at_kink(g, gargs, gargs_at, w, w_at, P, dp, ip, at_g, h)
        if kink < 0.0:
            if dp[H_CUT] == 0.0:
                return 7
            continue
        status = accept(
            g,
            gargs,
            gargs_at,
            w,
            w_at,
            P,
            quaternions,
            ip,
            dp,
            times,
            out,
            at_g,
            found,
            h,
            t_new,
            kink,
        )
        if status > 0:
            return status
    return 0
