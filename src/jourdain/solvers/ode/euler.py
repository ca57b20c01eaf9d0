"""Semi-implicit Euler with a fixed step, in machine code."""

from __future__ import annotations

from typing import Any

from jourdain.solvers.acceptance import accept, close_step, wants_dense
from jourdain.solvers.events import cut_at_kink
from jourdain.solvers.integration import Integration
from jourdain.solvers.native import native
from jourdain.solvers.ode.stepping import (
    H_CUT,
    HALTS_BEFORE_END,
    N_Q,
    N_V,
    T_END,
    H,
    T,
    end_of_step,
    evaluate,
    is_finite,
    must_pause,
)  # fmt: skip


def euler_step(run, h):
    """New velocities from old positions, new positions from new velocities.

    Inside of the step positions are those of shorter steps, so that one that is cut ends there.
    """
    w, dp, ip = run.w, run.dp, run.ip
    n_q, n = ip[N_Q], ip[N_Q] + ip[N_V]
    evaluate(run, dp[T], 0, 3 * n)
    for i in range(n_q):
        w[2 * n + i] = w[i]
    for i in range(n_q, n):
        w[n + i] = w[i] + h * w[3 * n + i]
        w[2 * n + i] = w[n + i]
    evaluate(run, dp[T], 2 * n, 4 * n)
    for i in range(n_q):
        w[n + i] = w[i] + h * w[4 * n + i]
    for i in range(n_q, n):
        w[4 * n + i] = w[3 * n + i]


@native()
def euler_run(run: Integration) -> Any:
    """Advance until the end, an interruption or a terminal event; return the status."""
    w, quaternions, ip, dp = run.w, run.quaternions, run.ip, run.dp
    n = ip[N_Q] + ip[N_V]
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
        euler_step(run, h)
        if not is_finite(w, n, n):
            return 3
        close_step(w, quaternions, ip, dp, t_new)
        wants_dense(run, t_new)
        kink = cut_at_kink(run, h)
        if kink < 0.0:
            if dp[H_CUT] == 0.0:
                return 7
            continue
        status = accept(run, h, t_new, kink)
        if status > 0:
            return status
    return 0
