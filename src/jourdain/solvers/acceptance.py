"""What happens when a step is accepted: events, samples, the new state. In machine code."""

from __future__ import annotations

from jourdain.solvers.events import NOWHERE, event_values, find_events
from jourdain.solvers.ode.stepping import (
    AT_INTEGRALS,
    AT_PROJECTION,
    AT_SIZES,
    H_CUT,
    IS_FIXED,
    N_ACCEPTED,
    N_EVENTS,
    N_INTEGRALS,
    N_Q,
    N_QUATERNIONS,
    N_SAMPLES,
    N_SINCE,
    N_V,
    NEXT_SAMPLE,
    PROJECTION,
    RTOL,
    T_BASE,
    T_END,
    WORST_ERROR,
    H,
    T,
    interpolate,
    normalize,
)  # fmt: skip
from jourdain.solvers.projection import OPEN, project
from jourdain.solvers.quadrature import look_inside, sample_place, sum_up_to
from jourdain.solvers.sizes import note_sizes

TURNED, LEAST = 1e4, 1e-6
"""Parts of rtol, and of velocities, by which constraints change velocities at an event at most."""


def wants_dense(run, t_new):
    """Evaluate events and kinks at y_new; tell whether the inside of the step is needed."""
    ip, times, at_g = run.ip, run.times, run.at_events
    m = ip[N_EVENTS]
    if m > 0:
        n = ip[N_Q] + ip[N_V]
        event_values(run, t_new, n, at_g + m)
        return True
    if ip[N_INTEGRALS] > 0:
        return True
    return ip[NEXT_SAMPLE] < ip[N_SAMPLES] and times[ip[NEXT_SAMPLE]] < t_new


def close_step(w, quaternions, ip, dp, t_new):
    """Move y_new onto the constraints; tell whether they could be closed.

    A step with error control that could not is taken again, so that its error is not noted.
    """
    n, worst = ip[N_Q] + ip[N_V], dp[WORST_ERROR]
    for i in range(n):
        w[2 * n + i] = w[n + i]
    normalize(w, 2 * n, quaternions, ip[N_QUATERNIONS])
    project(w, quaternions, ip, dp, t_new)
    is_closed = ip[PROJECTION] == 0 or w[ip[AT_PROJECTION] + n] <= OPEN
    if not is_closed and not ip[IS_FIXED]:
        dp[WORST_ERROR] = worst
        return False
    for i in range(n):
        w[n + i] = w[2 * n + i]
    return is_closed


def keep_turned(w, ip, dp):
    """Take velocities of y_stage, before the projection, where it has changed those of y_new much.

    Where an edge comes to lie flat, the contact point on it may run around within rounding: its row
    is not that of the step, and would take velocities that belong to the impact that follows.
    """
    n_q, n = ip[N_Q], ip[N_Q] + ip[N_V]
    size, change = 1.0, 0.0  # [m/s]: what rests has no size, and is projected
    for i in range(n_q, n):
        size = max(size, abs(w[2 * n + i]), w[ip[AT_SIZES] + i])
        change = max(change, abs(w[n + i] - w[2 * n + i]))
    if ip[IS_FIXED] == 0 and change > max(TURNED * dp[RTOL], LEAST) * size:
        for i in range(n_q, n):
            w[n + i] = w[2 * n + i]


def give_up(w, ip, dp):
    """Note the error of the constraints that no step could close; return the status."""
    dp[WORST_ERROR] = w[ip[AT_PROJECTION] + ip[N_Q] + ip[N_V]]
    return 4


def fill_samples(run, h, t_new, t_stop, count):
    """Evaluate the samples that lie in the step, up to its end at t_stop.

    Integrals are summed up over ``count`` nodes.
    """
    w, P, quaternions, ip = run.w, run.extension, run.quaternions, run.ip
    dp, times, out = run.dp, run.times, run.samples
    n, length = ip[N_Q] + ip[N_V], t_stop - dp[T]
    while ip[NEXT_SAMPLE] < ip[N_SAMPLES] and times[ip[NEXT_SAMPLE]] <= t_stop:
        k = ip[NEXT_SAMPLE]
        if times[k] < t_new:
            interpolate(w, 2 * n, (times[k] - dp[T]) / h, h, P, ip)
            normalize(w, 2 * n, quaternions, ip[N_QUATERNIONS])
            project(w, quaternions, ip, dp, times[k])
        else:
            for i in range(n):
                w[2 * n + i] = w[n + i]
        for i in range(n):
            out[k * n + i] = w[2 * n + i]
        x = (times[k] - dp[T]) / length if times[k] < t_stop else 1.0
        sum_up_to(w, ip, count, length, x, sample_place(ip, k))
        ip[NEXT_SAMPLE] = k + 1


def accept(run, h, t_new, kink):
    """Take the step from y to y_new, which is closed, or to a kink: events, samples, new state.

    A step that was cut for a kink and falls short is followed by one of twice its length: the
    inside of a whole step is not known well enough to end at a kink that is this near.

    Returns 2 at a terminal event, 7 at a kink, else 0.
    """
    w, P, quaternions = run.w, run.extension, run.quaternions
    ip, dp, at_g = run.ip, run.dp, run.at_events
    n, m = ip[N_Q] + ip[N_V], ip[N_EVENTS]
    top, is_cut = 1.0, kink < NOWHERE or dp[H_CUT] > 0.0
    if kink < NOWHERE:
        top = kink
        interpolate(w, n, kink, h, P, ip)
        t_new = dp[T] + kink * h
        close_step(w, quaternions, ip, dp, t_new)
        event_values(run, t_new, n, at_g + m)
    stop = find_events(run, h, top)
    t_stop = t_new if stop >= NOWHERE else dp[T] + stop * h
    has_samples = ip[NEXT_SAMPLE] < ip[N_SAMPLES] and run.times[ip[NEXT_SAMPLE]] < t_stop
    part = top if stop >= NOWHERE else stop
    count = look_inside(w, P, quaternions, ip, dp, h, part, has_samples)
    fill_samples(run, h, t_new, t_stop, count)
    sum_up_to(w, ip, count, t_stop - dp[T], 1.0, ip[AT_INTEGRALS])
    if stop < NOWHERE:
        interpolate(w, n, stop, h, P, ip)
        close_step(w, quaternions, ip, dp, t_stop)
        interpolate(w, 2 * n, stop, h, P, ip)
        keep_turned(w, ip, dp)
    for i in range(n):
        w[i] = w[n + i]
    for e in range(m):
        w[at_g + e] = w[at_g + m + e]
    note_sizes(w, ip)
    dp[T] = t_stop
    falls_short = kink >= NOWHERE and stop >= NOWHERE and dp[H_CUT] > 0.0
    dp[H_CUT] = 2.0 * h if falls_short and 2.0 * h < dp[H] else 0.0
    ip[N_ACCEPTED] += 1
    ip[N_SINCE] += 1
    if t_new == dp[T_END] or is_cut:
        dp[T_BASE], ip[N_SINCE] = t_new, 0
    if stop < NOWHERE:
        return 2
    return 7 if kink < NOWHERE else 0
