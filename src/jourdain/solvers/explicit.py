"""Explicit Runge–Kutta steps with error control, dense output and events, in machine code.

Memory ``w`` holds, with n = n_q + n_v: y (n), y_new (n), y_stage (n), the stages (n_stages × n),
and behind them event values. The right-hand side is a compiled kernel with the pointers
q, v, u, t, p, dq/dt, dv/dt; its pointers are set to where a stage lies, nothing is copied.
"""

from __future__ import annotations

from jourdain.solvers.native import call, native

# Places in the integers ``ip`` that describe a run.
(
    N_Q, N_V, N_STAGES, N_STEP, DEGREE, N_ERRORS, IS_FSAL, IS_FIXED, N_EVENTS, N_SAMPLES,
    NEXT_SAMPLE, MAX_STEPS, N_ACCEPTED, N_REJECTED, N_EVALUATIONS, HAS_FIRST, N_QUATERNIONS,
    N_FOUND, MAX_FOUND,
) = range(19)
# Places in the doubles ``dp``.
(
    T, T_END, H, RTOL, ATOL, EXPONENT, H_MAX, H_MIN, T_WORK, EVENT_TOLERANCE,
) = range(10)


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


def extend(f, args, args_at, w, w_at, A, c, dp, ip, h):
    """Stages that only the continuous extension needs."""
    n = ip[N_Q] + ip[N_V]
    for s in range(ip[N_STEP], ip[N_STAGES]):
        combine(w, 0, 2 * n, h, A, s * ip[N_STAGES], 3 * n, n, s)
        evaluate(f, args, args_at, w_at, dp, ip, dp[T] + c[s] * h, 2 * n, 3 * n + s * n)


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


def error_norm(w, errors, dp, ip, h):
    """Scaled error of the step; two estimates are combined as in DOP853."""
    n, n_stages = ip[N_Q] + ip[N_V], ip[N_STAGES]
    first, second = 0.0, 0.0
    for i in range(n):
        scale = dp[ATOL] + dp[RTOL] * max(abs(w[i]), abs(w[n + i]))
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


@native(
    "iaipippppp" "aapppiaiip",
    evaluate, combine, normalize, interpolate, extend, event_values, has_crossed, locate,
    error_norm,
)  # fmt: skip
def explicit_run(
    f, args, args_at, w, w_at, A, b, c, errors, P,
    quaternions, ip, dp, times, out, g, gargs, gargs_at, at_g, found,
):  # fmt: skip
    """Advance until the end, an interruption or a terminal event; return the status."""
    n = ip[N_Q] + ip[N_V]
    n_stages, n_step, m = ip[N_STAGES], ip[N_STEP], ip[N_EVENTS]
    at_k = 3 * n
    steps = 0
    while dp[T] < dp[T_END]:
        if steps >= ip[MAX_STEPS]:
            return 1
        steps += 1
        h = min(dp[H], dp[H_MAX])
        is_last = dp[T] + h * (1.0 + 1e-9) >= dp[T_END]
        if is_last:
            h = dp[T_END] - dp[T]
        if ip[HAS_FIRST] == 0:
            evaluate(f, args, args_at, w_at, dp, ip, dp[T], 0, at_k)
            ip[HAS_FIRST] = 1
        last = n_step - 1 if ip[IS_FSAL] else n_step
        for s in range(1, last):
            combine(w, 0, 2 * n, h, A, s * n_stages, at_k, n, s)
            evaluate(f, args, args_at, w_at, dp, ip, dp[T] + c[s] * h, 2 * n, at_k + s * n)
        combine(w, 0, n, h, b, 0, at_k, n, n_step)
        if ip[IS_FSAL]:
            evaluate(f, args, args_at, w_at, dp, ip, dp[T] + h, n, at_k + last * n)
        is_finite = True
        for i in range(n):
            if not abs(w[n + i]) < 1e300:
                is_finite = False
        if ip[IS_FIXED] == 0:
            error = error_norm(w, errors, dp, ip, h) if is_finite else 1e10
            if not error <= 1.0:
                ip[N_REJECTED] += 1
                if not error < 1e9:
                    factor = 0.1
                else:
                    factor = max(0.2, 0.9 * error ** (-dp[EXPONENT]))
                dp[H] = h * factor
                if dp[H] < dp[H_MIN] * max(abs(dp[T]), 1.0):
                    return 4 if is_finite else 3
                continue
            if error < 1e-10:
                factor = 10.0
            else:
                factor = min(10.0, max(0.2, 0.9 * error ** (-dp[EXPONENT])))
            h_next = h * factor
            if is_last and h < dp[H]:
                h_next = max(h_next, dp[H])
        else:
            if not is_finite:
                return 3
            h_next = dp[H]
        t_new = dp[T_END] if is_last else dp[T] + h
        stop = 2.0
        is_extended = False
        if m > 0:
            event_values(g, gargs, gargs_at, w_at, dp, ip, t_new, n, at_g + m)
            for e in range(m):
                if has_crossed(w[at_g + e], w[at_g + m + e], found[e]):
                    if not is_extended:
                        extend(f, args, args_at, w, w_at, A, c, dp, ip, h)
                        is_extended = True
                    x = locate(g, gargs, gargs_at, w, w_at, P, dp, ip, h, e, at_g + 2 * m)
                    k = ip[N_FOUND]
                    if k >= ip[MAX_FOUND]:
                        return 5
                    interpolate(w, 2 * n, x, h, P, ip)
                    normalize(w, 2 * n, quaternions, ip[N_QUATERNIONS])
                    base = 2 * m + k * (n + 2)
                    found[base] = e
                    found[base + 1] = dp[T] + x * h
                    for i in range(n):
                        found[base + 2 + i] = w[2 * n + i]
                    ip[N_FOUND] = k + 1
                    if found[m + e] != 0.0 and x < stop:
                        stop = x
        t_stop = t_new if stop > 1.0 else dp[T] + stop * h
        while ip[NEXT_SAMPLE] < ip[N_SAMPLES] and times[ip[NEXT_SAMPLE]] <= t_stop:
            if not is_extended and times[ip[NEXT_SAMPLE]] < t_new:
                extend(f, args, args_at, w, w_at, A, c, dp, ip, h)
                is_extended = True
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
        if stop <= 1.0:
            interpolate(w, n, stop, h, P, ip)
            t_new = t_stop
        for i in range(n):
            w[i] = w[n + i]
        normalize(w, 0, quaternions, ip[N_QUATERNIONS])
        if ip[IS_FSAL] and stop > 1.0 and ip[N_QUATERNIONS] == 0:
            for i in range(n):
                w[at_k + i] = w[at_k + (n_step - 1) * n + i]
        else:
            ip[HAS_FIRST] = 0
        for e in range(m):
            w[at_g + e] = w[at_g + m + e]
        dp[T] = t_new
        dp[H] = h_next
        ip[N_ACCEPTED] += 1
        if stop <= 1.0:
            return 2
    return 0
