"""What the loops of all integrators share: evaluation, dense output, events, samples.

Memory ``w`` holds, with n = n_q + n_v: y (n), y_new (n), y_stage (n), the stages (n_stages × n),
and behind them event values. The right-hand side is a compiled kernel with the pointers
q, v, u, t, p, dq/dt, dv/dt; its pointers are set to where a stage lies, nothing is copied.
"""

from __future__ import annotations

from jourdain.codegen.loops import call

# Places in the integers ``ip`` that describe a run.
(
    N_Q, N_V, N_STAGES, N_STEP, DEGREE, N_ERRORS, IS_FSAL, IS_FIXED, N_EVENTS, N_SAMPLES,
    NEXT_SAMPLE, MAX_STEPS, N_ACCEPTED, N_REJECTED, N_EVALUATIONS, HAS_FIRST, N_QUATERNIONS,
    N_FOUND, MAX_FOUND, N_JACOBIANS, N_FACTORS, HAS_JACOBIAN, HAS_OLD,
) = range(23)
# Places in the doubles ``dp``.
(
    T, T_END, H, RTOL, ATOL, EXPONENT, H_MAX, H_MIN, T_WORK, EVENT_TOLERANCE, H_OLD, H_FACTORED,
) = range(12)


def evaluate(f, args, args_at, w_at, dp, ip, t, at_y, at_ydot):
    """Right-hand side at the state that lies at ``at_y``; result to ``at_ydot``."""
    n_q = ip[N_Q]
    dp[T_WORK] = t
    args[0] = w_at + 8 * at_y
    args[1] = w_at + 8 * (at_y + n_q)
    args[5] = w_at + 8 * at_ydot
    args[6] = w_at + 8 * (at_ydot + n_q)
    call(f, args_at)
    ip[N_EVALUATIONS] += 1


def combine(w, base, target, h, row, start, at_k, n, m):
    """``target = base + h Σ_j row[start + j] k_j`` over m stages."""
    for i in range(n):
        total = 0.0
        for j in range(m):
            total += row[start + j] * w[at_k + j * n + i]
        w[target + i] = w[base + i] + h * total


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


def event_values(g, gargs, gargs_at, w_at, dp, ip, t, at_y, at_g):
    """Event functions at a state."""
    dp[T_WORK] = t
    gargs[0] = w_at + 8 * at_y
    gargs[1] = w_at + 8 * (at_y + ip[N_Q])
    gargs[5] = w_at + 8 * at_g
    call(g, gargs_at)


def has_crossed(old, new, direction):
    """Tell whether an event function passed zero in the wanted direction."""
    rises, falls = old < 0.0 and new >= 0.0, old > 0.0 and new <= 0.0
    return (rises and direction >= 0.0) or (falls and direction <= 0.0)


def locate(g, gargs, gargs_at, w, w_at, P, dp, ip, h, e, at_trial):
    """Fraction of the step at which event e passes zero (Illinois method)."""
    n, m = ip[N_Q] + ip[N_V], ip[N_EVENTS]
    at_old, at_new = at_trial - 2 * m, at_trial - m
    lo, hi, g_lo, g_hi = 0.0, 1.0, w[at_old + e], w[at_new + e]
    side = 0
    for _ in range(200):
        if (hi - lo) * h <= dp[EVENT_TOLERANCE]:
            break
        x = hi - g_hi * (hi - lo) / (g_hi - g_lo)
        if not (lo < x < hi):
            x = 0.5 * (lo + hi)
        interpolate(w, 2 * n, x, h, P, ip)
        event_values(g, gargs, gargs_at, w_at, dp, ip, dp[T] + x * h, 2 * n, at_trial)
        value = w[at_trial + e]
        if value == 0.0:
            return x
        if (value > 0.0) == (g_hi > 0.0):
            hi, g_hi = x, value
            if side == 1:
                g_lo *= 0.5
            side = 1
        else:
            lo, g_lo = x, value
            if side == -1:
                g_hi *= 0.5
            side = -1
    return hi


def is_finite(w, at, n):
    """Tell whether a state is a state."""
    for i in range(n):
        if not abs(w[at + i]) < 1e300:
            return False
    return True


def scaled_norm(w, at, n, ip, dp):
    """Root mean square of a vector in units of the tolerance at y and y_new."""
    total = 0.0
    m = ip[N_Q] + ip[N_V]
    for i in range(n):
        k = i % m
        scale = dp[ATOL] + dp[RTOL] * max(abs(w[k]), abs(w[m + k]))
        total += (w[at + i] / scale) ** 2
    return (total / n) ** 0.5 if n > 0 else 0.0


def wants_dense(g, gargs, gargs_at, w, w_at, ip, dp, times, at_g, found, t_new):
    """Evaluate the events at y_new; tell whether the inside of the step is needed."""
    m = ip[N_EVENTS]
    if m > 0:
        n = ip[N_Q] + ip[N_V]
        event_values(g, gargs, gargs_at, w_at, dp, ip, t_new, n, at_g + m)
        for e in range(m):
            if has_crossed(w[at_g + e], w[at_g + m + e], found[e]):
                return True
    return ip[NEXT_SAMPLE] < ip[N_SAMPLES] and times[ip[NEXT_SAMPLE]] < t_new


def find_events(g, gargs, gargs_at, w, w_at, P, quaternions, ip, dp, at_g, found, h):
    """Record the events inside the step; return the fraction of the first terminal one, or 2."""
    n, m = ip[N_Q] + ip[N_V], ip[N_EVENTS]
    stop = 2.0
    for e in range(m):
        if has_crossed(w[at_g + e], w[at_g + m + e], found[e]) and ip[N_FOUND] < ip[MAX_FOUND]:
            x = locate(g, gargs, gargs_at, w, w_at, P, dp, ip, h, e, at_g + 2 * m)
            interpolate(w, 2 * n, x, h, P, ip)
            normalize(w, 2 * n, quaternions, ip[N_QUATERNIONS])
            base = 2 * m + ip[N_FOUND] * (n + 2)
            found[base] = e
            found[base + 1] = dp[T] + x * h
            for i in range(n):
                found[base + 2 + i] = w[2 * n + i]
            ip[N_FOUND] += 1
            if found[m + e] != 0.0 and x < stop:
                stop = x
    return stop


def fill_samples(w, P, quaternions, ip, dp, times, out, h, t_new, t_stop):
    """Evaluate the samples that lie in the step."""
    n = ip[N_Q] + ip[N_V]
    while ip[NEXT_SAMPLE] < ip[N_SAMPLES] and times[ip[NEXT_SAMPLE]] <= t_stop:
        k = ip[NEXT_SAMPLE]
        if times[k] < t_new:
            interpolate(w, 2 * n, (times[k] - dp[T]) / h, h, P, ip)
        else:
            for i in range(n):
                w[2 * n + i] = w[n + i]
        normalize(w, 2 * n, quaternions, ip[N_QUATERNIONS])
        for i in range(n):
            out[k * n + i] = w[2 * n + i]
        ip[NEXT_SAMPLE] = k + 1


def accept(g, gargs, gargs_at, w, w_at, P, quaternions, ip, dp, times, out, at_g, found, h, t_new):
    """Take the step from y to y_new: events, samples, new state. Return whether to stop."""
    n, m = ip[N_Q] + ip[N_V], ip[N_EVENTS]
    stop = find_events(g, gargs, gargs_at, w, w_at, P, quaternions, ip, dp, at_g, found, h)
    t_stop = t_new if stop > 1.0 else dp[T] + stop * h
    fill_samples(w, P, quaternions, ip, dp, times, out, h, t_new, t_stop)
    if stop <= 1.0:
        interpolate(w, n, stop, h, P, ip)
    for i in range(n):
        w[i] = w[n + i]
    normalize(w, 0, quaternions, ip[N_QUATERNIONS])
    for e in range(m):
        w[at_g + e] = w[at_g + m + e]
    dp[T] = t_stop
    ip[N_ACCEPTED] += 1
    return stop <= 1.0
