"""What the loops of all integrators share: evaluation, dense output, norms, pauses.

Memory ``w`` holds, with n = n_q + n_v: y (n), y_new (n), y_stage (n), the stages (n_stages × n),
and behind them event values. The right-hand side is a compiled kernel with the pointers
q, v, u, t, p, dq/dt, dv/dt; its pointers are set to where a stage lies, nothing is copied.
"""

from __future__ import annotations

from jourdain.codegen.translator.loops import call

# Places in the integers ``ip`` that describe a run.
(
    N_Q,
    N_V,
    N_STAGES,
    N_STEP,
    DEGREE,
    N_ERRORS,
    IS_FSAL,
    IS_FIXED,
    N_EVENTS,
    N_SAMPLES,
    NEXT_SAMPLE,
    MAX_STEPS,
    N_ACCEPTED,
    N_REJECTED,
    N_EVALUATIONS,
    HAS_FIRST,
    N_QUATERNIONS,
    N_FOUND,
    MAX_FOUND,
    N_JACOBIANS,
    N_FACTORS,
    HAS_JACOBIAN,
    HAS_OLD,
    N_PARTS,
    HALTS_BEFORE_END,
    PROJECTION,
    PROJECTION_ARGUMENTS,
    AT_PROJECTION,
    N_ROWS,
    AT_PARTITION,
    AT_ORDER,
    N_CHANGES,
    N_SINCE,
    AT_SIZES,
    AT_KINDS,
    N_KINKS,
    N_FROZEN,
    KINK,
    LOOK_AT,
    INTEGRANDS,
    INTEGRANDS_ARGUMENTS,
    AT_INTEGRALS,
    N_INTEGRALS,
) = range(43)
N_INTEGERS = 43
# Places in the doubles ``dp``.
(
    T,
    T_END,
    H,
    RTOL,
    ATOL,
    EXPONENT,
    H_MAX,
    H_MIN,
    T_WORK,
    EVENT_TOLERANCE,
    H_OLD,
    H_FACTORED,
    WORST_ERROR,
    KEEP,
    T_BASE,
    H_CUT,
) = range(16)
N_DOUBLES = 16


def evaluate(run, t, at_y, at_ydot):
    """Right-hand side at the state that lies at ``at_y``; result to ``at_ydot``."""
    w_at, dp, ip = run.w_at, run.dp, run.ip
    n_q = ip[N_Q]
    dp[T_WORK] = t
    run.rates.pointers[0] = w_at + 8 * at_y
    run.rates.pointers[1] = w_at + 8 * (at_y + n_q)
    run.rates.pointers[5] = w_at + 8 * at_ydot
    run.rates.pointers[6] = w_at + 8 * (at_ydot + n_q)
    call(run.rates.function, run.rates.at)
    ip[N_EVALUATIONS] += 1


def combine(w, base, target, h, row, start, at_k, n, m):
    """``target = base + h Σ_j row[start + j] k_j`` over m stages."""
    for i in range(n):
        w[target + i] = w[base + i]
    for j in range(m):
        weight = h * row[start + j]
        if weight != 0.0:
            at_j = at_k + j * n
            for i in range(n):
                w[target + i] += weight * w[at_j + i]


def normalize(w, at_y, places, n):
    """Give the quaternions of a state unit length."""
    for k in range(n):
        i = at_y + places[k]
        s = w[i] * w[i] + w[i + 1] * w[i + 1] + w[i + 2] * w[i + 2] + w[i + 3] * w[i + 3]
        s = 1.0 / s**0.5
        for j in range(4):
            w[i + j] *= s


def interpolate(w, target, theta, h, P, ip):
    """Continuous extension at fraction theta of the step from y."""
    n, degree, n_stages = ip[N_Q] + ip[N_V], ip[DEGREE], ip[N_STAGES]
    for i in range(n):
        w[target + i] = w[i]
    for s in range(n_stages):
        weight = 0.0
        for j in range(degree - 1, -1, -1):
            weight = (weight + P[s * degree + j]) * theta
        weight *= h
        for i in range(n):
            w[target + i] += weight * w[3 * n + s * n + i]


def begin_anew(ip, dp):
    """Forget what belongs to other inputs or modes."""
    ip[HAS_FIRST] = 0
    ip[HAS_JACOBIAN] = 0
    ip[HAS_OLD] = 0
    dp[H_CUT] = 0.0


def is_finite(w, at, n):
    """Tell whether a state is a state."""
    for i in range(n):
        if not abs(w[at + i]) < 1e300:
            return False
    return True


def end_of_step(ip, dp):
    """Time [s] at which a step of fixed size ends: the end, a kink, or steps after a base."""
    t_new = dp[T_BASE] + (ip[N_SINCE] + 1) * dp[H]
    if dp[H_CUT] > 0.0:
        t_new = dp[T] + min(dp[H], dp[H_CUT])
    return dp[T_END] if t_new + 1e-9 * dp[H] >= dp[T_END] else t_new


def scaled_norm(w, at, n, ip, dp):
    """Root mean square of a vector in units of the tolerance at y and y_new."""
    total = 0.0
    m = ip[N_Q] + ip[N_V]
    at_atol = ip[AT_SIZES] + m
    for i in range(n):
        k = i % m
        scale = w[at_atol + k] + dp[RTOL] * max(abs(w[k]), abs(w[m + k]))
        total += (w[at + i] / scale) ** 2
    return (total / n) ** 0.5 if n > 0 else 0.0


def must_pause(ip, done):
    """Tell whether the chunk of steps is done, or whether more events might not find room."""
    if ip[N_ACCEPTED] == ip[LOOK_AT]:  # kinks that are not watched are looked at
        return True
    return done >= ip[MAX_STEPS] or ip[N_FOUND] + 2 * ip[N_PARTS] * ip[N_EVENTS] > ip[MAX_FOUND]
