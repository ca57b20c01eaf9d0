"""Loops by which another program leads a run: begin from start values, and take a step."""

from __future__ import annotations

from typing import Any

from jourdain.codegen.translator.loop_records import Floats
from jourdain.solvers.integration import Integration
from jourdain.solvers.native import native
from jourdain.solvers.ode.stepping import (
    AT_KINDS,
    AT_PROJECTION,
    AT_SIZES,
    IS_FIXED,
    MAX_STEPS,
    N_Q,
    N_QUATERNIONS,
    N_SINCE,
    N_V,
    PROJECTION,
    RTOL,
    T_BASE,
    T_END,
    WORST_ERROR,
    T,
    begin_anew,
    normalize,
)  # fmt: skip
from jourdain.solvers.projection import OPEN, project
from jourdain.solvers.sizes import note_sizes

MOST_STEPS = 10_000_000  # within one step of the other program


@native()
def begin(run: Integration, start: Floats, t: float, rtol: float) -> Any:
    """Take start values, moved onto the constraints; 4 if these cannot be closed from there.

    A relative tolerance of zero leaves that of the method.
    """
    w, dp, ip = run.w, run.dp, run.ip
    n, at_sizes = ip[N_Q] + ip[N_V], ip[AT_SIZES]
    dp[T] = t
    dp[T_BASE] = t
    dp[WORST_ERROR] = 0.0
    if rtol > 0.0 and ip[IS_FIXED] == 0:
        dp[RTOL] = rtol
    for i in range(n):
        w[2 * n + i] = start[i]
    normalize(w, 2 * n, run.quaternions, ip[N_QUATERNIONS])
    project(w, run.quaternions, ip, dp, t)
    for i in range(n):
        w[i] = w[2 * n + i]
        w[at_sizes + i] = 0.0
        w[at_sizes + 3 * n + ip[ip[AT_KINDS] + i]] = 0.0
    note_sizes(w, ip)
    begin_anew(ip, dp)
    ip[N_SINCE] = 0
    if ip[PROJECTION] != 0 and not w[ip[AT_PROJECTION] + n] <= OPEN:
        return 4
    return 0


@native()
def prepare(run: Integration, t_end: float, has_changed: int) -> Any:
    """Set where the loop of the method is to end; inputs may have changed."""
    dp, ip = run.dp, run.ip
    if has_changed != 0:
        begin_anew(ip, dp)
    dp[T_END] = t_end
    ip[MAX_STEPS] = MOST_STEPS
    return 0
