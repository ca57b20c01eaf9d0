"""States that are moved onto the constraints, in machine code."""

from __future__ import annotations

from jourdain.codegen.translator.loops import call
from jourdain.solvers.ode.stepping import (
    AT_PROJECTION,
    AT_SIZES,
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
from jourdain.solvers.partition import depend
from jourdain.solvers.sizes import kind_size

MAX_PROJECTIONS = 30
STAGE_PROJECTIONS = 2  # always as many: rates at stages are smooth functions of the state
OPEN = 1e-6  # error of a constraint [m, rad] that a run may not have had
DIFFERENCE = 1e-9  # of the size of a coordinate
ERROR_LIMIT = 1e-13  # position error [m, rad] that is as good as none
AT_ROUNDING = 1e-9  # position error [m, rad] that does not shrink for rounding


def project(w, quaternions, ip, dp, t):
    """Move the state y_stage onto the constraints, positions first; the kernel looks there.

    Behind AT_PROJECTION lie the changes of q and v and the largest errors of both. With rows to
    partition, the changes are found here, not by the kernel.
    """
    if ip[PROJECTION] == 0:
        return
    n_q, n = ip[N_Q], ip[N_Q] + ip[N_V]
    at, at_last, before = ip[AT_PROJECTION], ip[AT_SIZES] + 2 * n, 1e300
    for _ in range(MAX_PROJECTIONS):
        dp[T_WORK] = t
        call(ip[PROJECTION], ip[PROJECTION_ARGUMENTS])
        error = w[at + n]
        if not error > ERROR_LIMIT or (error < AT_ROUNDING and error >= 0.5 * before):
            break
        if error >= before:  # too far, as near singular positions: half of the way back
            for i in range(n_q):
                w[at_last + i] *= 0.5
                w[2 * n + i] -= w[at_last + i]
        else:
            if ip[N_ROWS] > 0:
                depend(w, ip, dp, 0)
            for i in range(n_q):
                w[at_last + i] = w[at + i]
                w[2 * n + i] += w[at + i]
            before = error
        normalize(w, 2 * n, quaternions, ip[N_QUATERNIONS])
    if 0.0 < w[at + n] <= ERROR_LIMIT:  # the last change costs nothing: units may be small
        if ip[N_ROWS] > 0:
            depend(w, ip, dp, 0)
        for i in range(n_q):
            w[2 * n + i] += w[at + i]
    dp[WORST_ERROR] = max(dp[WORST_ERROR], w[at + n])
    if not w[at + n] <= OPEN:
        ip[MAX_STEPS] = 0  # pause after this step: there is nothing to go on with
    if ip[N_ROWS] > 0:
        depend(w, ip, dp, 1)
    for i in range(n_q, n):
        w[2 * n + i] += w[at + i]


def project_stage(w, quaternions, ip, dp, t):
    """Move y_stage near the constraints, so that rates of redundant constraints exist there.

    On the constraints nothing changes, so that a method keeps its order.
    """
    if ip[PROJECTION] == 0:
        return
    n_q, n = ip[N_Q], ip[N_Q] + ip[N_V]
    at = ip[AT_PROJECTION]
    for k in range(STAGE_PROJECTIONS + 1):
        dp[T_WORK] = t
        call(ip[PROJECTION], ip[PROJECTION_ARGUMENTS])
        level = 1 if k == STAGE_PROJECTIONS else 0
        if ip[N_ROWS] > 0:
            depend(w, ip, dp, level)
        for i in range(n_q * level, n_q + (n - n_q) * level):
            w[2 * n + i] += w[at + i]
        normalize(w, 2 * n, quaternions, ip[N_QUATERNIONS])


def difference(w, ip, k):
    """Change of a coordinate by which the projection is differentiated; v enters linearly.

    So small that repeated constraints still count as such.
    """
    size = max(w[ip[AT_SIZES] + k], 1e-3 * kind_size(w, ip, k, 1.0))
    return DIFFERENCE * size if k < ip[N_Q] else size


def tangent(w, ip, dp, k, at_d):
    """Change of the projected state by that of a coordinate of y, which meets the constraints."""
    n_q, n = ip[N_Q], ip[N_Q] + ip[N_V]
    at, first = ip[AT_PROJECTION], 0 if k < n_q else n_q
    step = difference(w, ip, k)
    for i in range(n):
        w[at_d + i] = 0.0
        w[2 * n + i] = w[i]
    w[at_d + k] = 1.0
    call(ip[PROJECTION], ip[PROJECTION_ARGUMENTS])
    for i in range(first, n):
        w[at_d + i] -= w[at + i] / step
    w[2 * n + k] += step
    call(ip[PROJECTION], ip[PROJECTION_ARGUMENTS])
    for i in range(first, n if k >= n_q else n_q):
        w[at_d + i] += w[at + i] / step
    if k < n_q:
        for i in range(n_q):
            w[2 * n + i] = w[i] + step * w[at_d + i]
        call(ip[PROJECTION], ip[PROJECTION_ARGUMENTS])
        for i in range(n_q, n):
            w[at_d + i] += w[at + i] / step
