"""States that are moved onto the constraints, in machine code."""

from __future__ import annotations

from jourdain.codegen.loops import call
from jourdain.solvers.partition import depend
from jourdain.solvers.stepping import (
    AT_PROJECTION,
    MAX_STEPS,
    N_Q,
    N_QUATERNIONS,
    N_ROWS,
    N_V,
    PROJECTION,
    PROJECTION_ARGUMENTS,
    T_WORK,
    WORST_ERROR,
    normalize,
)  # fmt: skip

MAX_PROJECTIONS = 12
OPEN = 1e-6  # position error [m, rad] that a run may not have
ERROR_LIMIT = 1e-13  # position error [m, rad] that is as good as none


def project(w, quaternions, ip, dp, t):
    """Move the state y_stage onto the constraints, positions first; the kernel looks there.

    Behind AT_PROJECTION lie the changes of q and v and the largest errors of both. With rows to
    partition, the changes are found here, not by the kernel.
    """
    if ip[PROJECTION] == 0:
        return
    n_q, n = ip[N_Q], ip[N_Q] + ip[N_V]
    at, before = ip[AT_PROJECTION], 1e300
    for _ in range(MAX_PROJECTIONS):
        dp[T_WORK] = t
        call(ip[PROJECTION], ip[PROJECTION_ARGUMENTS])
        error = w[at + n]
        if not ERROR_LIMIT < error < 0.5 * before:
            break
        if ip[N_ROWS] > 0:
            depend(w, ip, dp, 0)
        for i in range(n_q):
            w[2 * n + i] += w[at + i]
        normalize(w, 2 * n, quaternions, ip[N_QUATERNIONS])
        before = error
    dp[WORST_ERROR] = max(dp[WORST_ERROR], w[at + n])
    if not w[at + n] <= OPEN:
        ip[MAX_STEPS] = 0  # pause after this step: there is nothing to go on with
    if ip[N_ROWS] > 0:
        depend(w, ip, dp, 1)
    for i in range(n_q, n):
        w[2 * n + i] += w[at + i]
