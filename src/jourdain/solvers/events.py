"""Passages of event functions through zero inside a step, in machine code.

A step is looked at in parts, by its continuous extension. A part holds a passage if the signs at
its ends differ, and two of them if the function heads for zero at both ends and dips below it.

A kink of a law is such a function, too: positive inside of a mode, negative beyond. The step is cut
to end at the first of them, and done again.

Memory from ``at_g``, per event function: value at y, value at y_new, trial value, then value and
slope at the left and at the right end of a part.
"""

from __future__ import annotations

from jourdain.codegen.translator.loops import call
from jourdain.solvers.ode.stepping import (
    AT_SIZES,
    EVENT_TOLERANCE,
    H_CUT,
    IS_FIXED,
    KINK,
    N_EVENTS,
    N_FOUND,
    N_FROZEN,
    N_KINKS,
    N_PARTS,
    N_Q,
    N_QUATERNIONS,
    N_V,
    RTOL,
    T_WORK,
    T,
    interpolate,
    normalize,
)  # fmt: skip

NUMBERS_PER_EVENT = 7
# Numbers for each event of the user, behind all those: the side on which it was last off zero, its
# distance since, and pending passages: how many, tolerance, times and states of the first and last.
SIDE, PEAK, N_PENDING, BAND, WHEN = 0, 1, 2, 3, 4
NUMBERS_PER_SIDE = 6
SURE = 100.0  # tolerances of a step by which a state may be off
TREMBLES = 0.02  # part of them by which a kink may be off that is not passed
CLEAR = 0.1  # part of a step that is looked ahead
ROUNDING = 1e-15  # relative error of a state by a method with a fixed step
NOWHERE = 2.0  # a fraction of the step that lies outside of it
NEAR = 1e-4  # distance of the two points of a slope, as a fraction of the step
NEAR_END = 0.99  # fraction of a step that was cut for a kink, from which on it ends there
BEYOND = 1.01  # fraction to which it is looked at: it may fall short
AT_END = 1e-6  # part of a step that is not cut off
QUICK = 60  # trials of a passage, after which every second one halves
GOLDEN = 0.6180339887498949
MAX_DIP = 40  # golden sections: 1e-8 of a part, so that dips of 1e-16 of the curvature are found


def event_values(run, t, at_y, at_value):
    """Event functions at a state."""
    w_at, dp, ip = run.w_at, run.dp, run.ip
    dp[T_WORK] = t
    run.events.pointers[0] = w_at + 8 * at_y
    run.events.pointers[1] = w_at + 8 * (at_y + ip[N_Q])
    run.events.pointers[5] = w_at + 8 * at_value
    call(run.events.function, run.events.at)


def values_inside(run, h, x, at_value):
    """Event functions at fraction x of the step."""
    w, P, dp, ip = run.w, run.extension, run.dp, run.ip
    n = ip[N_Q] + ip[N_V]
    interpolate(w, 2 * n, x, h, P, ip)
    event_values(run, dp[T] + x * h, 2 * n, at_value)


def has_passed(old, new):
    """Tell whether an event function passed zero; one that starts at zero has not."""
    return (old < 0.0 and new >= 0.0) or (old > 0.0 and new <= 0.0)


def locate(run, h, e, at_trial, lo, hi, g_lo, g_hi):
    """Fraction of the step at which event e passes zero between lo and hi (Illinois method)."""
    w, dp = run.w, run.dp
    if g_hi == 0.0:
        return hi
    side = 0
    for k in range(200):
        if (hi - lo) * h <= dp[EVENT_TOLERANCE] * (abs(dp[T]) + h):
            break
        x = hi - g_hi * (hi - lo) / (g_hi - g_lo)
        if not (lo < x < hi) or (k >= QUICK and k % 2 == 0):  # it jumps from next to nothing
            x = 0.5 * (lo + hi)
        values_inside(run, h, x, at_trial)
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


def dip(run, h, e, at_trial, lo, hi, sign):
    """Fraction at which event e has the other sign than at lo and hi, or nowhere."""
    w = run.w
    x1, x2 = hi - GOLDEN * (hi - lo), lo + GOLDEN * (hi - lo)
    values_inside(run, h, x1, at_trial)
    y1 = sign * w[at_trial + e]
    if y1 < 0.0:
        return x1
    values_inside(run, h, x2, at_trial)
    y2 = sign * w[at_trial + e]
    if y2 < 0.0:
        return x2
    for _ in range(MAX_DIP):
        if y1 < y2:
            hi, x2, y2 = x2, x1, y1
            x1 = hi - GOLDEN * (hi - lo)
            values_inside(run, h, x1, at_trial)
            y1 = sign * w[at_trial + e]
            if y1 < 0.0:
                return x1
        else:
            lo, x1, y1 = x1, x2, y2
            x2 = lo + GOLDEN * (hi - lo)
            values_inside(run, h, x2, at_trial)
            y2 = sign * w[at_trial + e]
            if y2 < 0.0:
                return x2
    return NOWHERE


def band(run, t, e, at_trial):
    """How much event e may be off at the state y_stage, by the tolerance of the integration."""
    w, dp, ip = run.w, run.dp, run.ip
    n = ip[N_Q] + ip[N_V]
    event_values(run, t, 2 * n, at_trial)
    value, total = w[at_trial + e], 0.0
    for i in range(n):
        y = w[2 * n + i]
        atol = w[ip[AT_SIZES] + n + i]
        w[2 * n + i] = y + (ROUNDING * abs(y) if ip[IS_FIXED] else atol + dp[RTOL] * abs(y))
        event_values(run, t, 2 * n, at_trial)
        total += abs(w[at_trial + e] - value)
        w[2 * n + i] = y
    return SURE * total


def record(w, at_y, ip, found, e, t):
    """Record a passage of event e with the state that lies at a place."""
    n, m = ip[N_Q] + ip[N_V], ip[N_EVENTS]
    base = 2 * m + ip[N_FOUND] * (n + 2)
    found[base] = e
    found[base + 1] = t
    for i in range(n):
        found[base + 2 + i] = w[at_y + i]
    ip[N_FOUND] += 1


def passage(run, h, e, at_trial, lo, hi, g_lo, g_hi, slope):
    """Take a passage; return its fraction if it is terminal.

    Others are recorded when the function is off zero by more than the tolerance of the
    integration: one that settles at zero passes nothing.
    """
    w, P, quaternions = run.w, run.extension, run.quaternions
    ip, dp, found = run.ip, run.dp, run.found
    n, m = ip[N_Q] + ip[N_V], ip[N_EVENTS]
    is_terminal = found[m + e] != 0.0
    if is_terminal and found[e] * (g_hi - g_lo) < 0.0:
        return NOWHERE
    x = locate(run, h, e, at_trial, lo, hi, g_lo, g_hi)
    interpolate(w, 2 * n, x, h, P, ip)
    normalize(w, 2 * n, quaternions, ip[N_QUATERNIONS])
    t = dp[T] + x * h
    if is_terminal:
        record(w, 2 * n, ip, found, e, t)
        return x
    own = at_trial + 5 * m + e * (2 * n + NUMBERS_PER_SIDE)
    limit = band(run, t, e, at_trial)
    old = 1.0 if g_lo > 0.0 else -1.0
    if max(w[own + PEAK], abs(g_lo)) > limit:
        w[own + SIDE] = old
    w[own + PEAK], w[own + BAND] = abs(g_hi), limit
    if w[own + SIDE] == 0.0:  # it has never been off zero
        return NOWHERE
    last = 0 if w[own + N_PENDING] == 0.0 else 1
    w[own + N_PENDING] += 1.0
    w[own + WHEN + last] = t
    for i in range(n):
        w[own + NUMBERS_PER_SIDE + last * n + i] = w[2 * n + i]
    if abs(g_hi) + CLEAR * abs(slope) > limit:
        settle(w, ip, found, e, own, -old)
    return NOWHERE


def settle(w, ip, found, e, own, side):
    """Record pending passages of event e, which is off zero on a side.

    One of them if it is the other side, two if it dipped; else it only trembled around zero.
    """
    n, old = ip[N_Q] + ip[N_V], w[own + SIDE]
    has_dipped = side == old and w[own + N_PENDING] == 2.0
    if (side != old or has_dipped) and found[e] * old <= 0.0:
        record(w, own + NUMBERS_PER_SIDE, ip, found, e, w[own + WHEN])
    if has_dipped and found[e] * old >= 0.0:
        record(w, own + NUMBERS_PER_SIDE + n, ip, found, e, w[own + WHEN + 1])
    w[own + SIDE], w[own + N_PENDING] = side, 0.0


def look_at_pending(w, ip, at_g, found):
    """At the end of a step: passages that are clear by now, and distances from zero."""
    n, m = ip[N_Q] + ip[N_V], ip[N_EVENTS]
    for e in range(m - ip[N_KINKS]):
        own, value = at_g + 7 * m + e * (2 * n + NUMBERS_PER_SIDE), w[at_g + m + e]
        w[own + PEAK] = max(w[own + PEAK], abs(value))
        if w[own + N_PENDING] > 0.0 and abs(value) > w[own + BAND]:
            settle(w, ip, found, e, own, 1.0 if value > 0.0 else -1.0)


def search(run, h, e, at_trial, lo, hi):
    """Passages of event e in one part; return the fraction of the first terminal one."""
    w, ip = run.w, run.ip
    m = ip[N_EVENTS]
    a, da = w[at_trial + m + e], w[at_trial + 2 * m + e]
    b, db = w[at_trial + 3 * m + e], w[at_trial + 4 * m + e]
    if has_passed(a, b):
        return passage(run, h, e, at_trial, lo, hi, a, b, db)
    if not (a * b > 0.0 and a * da < 0.0 and b * db > 0.0):
        return NOWHERE
    meet = (b - a + da * lo - db * hi) / (da - db)  # where the tangents of both ends meet
    if a * (a + da * (meet - lo)) > 0.0:
        return NOWHERE
    sign = 1.0 if a > 0.0 else -1.0
    x = dip(run, h, e, at_trial, lo, hi, sign)
    if x > 1.0:
        return NOWHERE
    c = w[at_trial + e]
    first = passage(run, h, e, at_trial, lo, x, a, c, 0.0)
    second = passage(run, h, e, at_trial, x, hi, c, b, db)
    return min(first, second)


def slopes(run, h, x, at_trial, at_value):
    """Slopes of the event functions at fraction x, behind their values there."""
    w, ip = run.w, run.ip
    m = ip[N_EVENTS]
    near = NEAR if x < 0.5 else -NEAR
    values_inside(run, h, x + near, at_trial)
    for e in range(m):
        w[at_value + m + e] = (w[at_trial + e] - w[at_value + e]) / near


def find_events(run, h, top):
    """Record the events up to a fraction of the step, where ``at_g + m`` has their values.

    Returns the fraction of the first terminal one, or 2.
    """
    w, ip, at_g, found = run.w, run.ip, run.at_events, run.found
    m, parts = ip[N_EVENTS], ip[N_PARTS]
    n_user = m - ip[N_KINKS]
    stop = NOWHERE
    if n_user == 0:
        return stop
    at_trial, left, right = at_g + 2 * m, at_g + 3 * m, at_g + 5 * m
    for e in range(m):
        w[left + e] = w[at_g + e]
    slopes(run, h, 0.0, at_trial, left)
    for j in range(parts):
        lo, hi = top * j / parts, top * (j + 1) / parts
        if j < parts - 1:
            values_inside(run, h, hi, right)
        else:
            for e in range(m):
                w[right + e] = w[at_g + m + e]
        slopes(run, h, hi, at_trial, right)
        for e in range(n_user):
            here = search(run, h, e, at_trial, lo, hi)
            stop = min(stop, here)
        if stop < NOWHERE:
            break
        for e in range(2 * m):
            w[left + e] = w[right + e]
    if stop >= NOWHERE:
        look_at_pending(w, ip, at_g, found)
    return stop


def trembles(run, h, e, at_trial):
    """Tell whether kink e stays at zero for the whole step, within the tolerance of integration.

    A law that settles on its kink passes nothing: beyond it, its piece goes on smoothly.
    """
    w, dp, ip = run.w, run.dp, run.ip
    n, m, parts = ip[N_Q] + ip[N_V], ip[N_EVENTS], 2 * ip[N_PARTS]
    for i in range(n):
        w[2 * n + i] = w[i]
    limit = TREMBLES * band(run, dp[T], e, at_trial)
    if max(abs(w[at_trial - 2 * m + e]), abs(w[at_trial - m + e])) > limit:
        return False
    for j in range(1, parts):
        values_inside(run, h, j / parts, at_trial)
        if abs(w[at_trial + e]) > limit:
            return False
    return True


def leave(run, h, e, at_trial, lo, hi):
    """Fraction at which kink e is passed in one part, or nowhere."""
    w, ip = run.w, run.ip
    m = ip[N_EVENTS]
    a, da = w[at_trial + m + e], w[at_trial + 2 * m + e]
    b, db = w[at_trial + 3 * m + e], w[at_trial + 4 * m + e]
    if a <= 0.0 and lo == 0.0:  # it starts at the kink: where does it go?
        a, lo = a + NEAR * da, NEAR
        if a <= 0.0:
            return 0.0 if da < 0.0 or b < 0.0 else NOWHERE
    if a == 0.0 and b < 0.0:  # where the part before has ended
        return lo
    if a > 0.0 and b < 0.0:
        return locate(run, h, e, at_trial, lo, hi, a, b)
    if not (a > 0.0 and b > 0.0 and da < 0.0 and db > 0.0):
        return NOWHERE
    meet = (b - a + da * lo - db * hi) / (da - db)
    if a + da * (meet - lo) > 0.0:
        return NOWHERE
    x = dip(run, h, e, at_trial, lo, hi, 1.0)
    if x > 1.0:
        return NOWHERE
    c = w[at_trial + e]
    return locate(run, h, e, at_trial, lo, x, a, c)


def first_kink(run, h):
    """Fraction of the step at which the first kink is passed, or 2; its number is noted."""
    w, dp, ip, at_g = run.w, run.dp, run.ip, run.at_events
    m, parts = ip[N_EVENTS], ip[N_PARTS]
    first, stop = m - ip[N_KINKS], NOWHERE
    at_trial, left, right = at_g + 2 * m, at_g + 3 * m, at_g + 5 * m
    for e in range(m):
        w[left + e] = w[at_g + e]
    slopes(run, h, 0.0, at_trial, left)
    for j in range(parts):
        lo, hi = j / parts, (j + 1) / parts
        if j < parts - 1:
            values_inside(run, h, hi, right)
        else:
            for e in range(m):
                w[right + e] = w[at_g + m + e]
        slopes(run, h, hi, at_trial, right)
        for e in range(first, m):
            x = leave(run, h, e, at_trial, lo, hi)
            if x < stop and not trembles(run, h, e, at_trial):
                stop = x
                ip[KINK] = e - first
        if stop < NOWHERE:
            return stop
        for e in range(2 * m):
            w[left + e] = w[right + e]
    if dp[H_CUT] > 0.0:
        values_inside(run, h, BEYOND, left)
        for e in range(first, m):
            a, b = w[at_g + m + e], w[left + e]
            if a >= 0.0 and b < 0.0:
                x = locate(run, h, e, at_trial, 1.0, BEYOND, a, b)
                if x < stop:
                    stop = x
                    ip[KINK] = e - first
    return stop


def cut_at_kink(run, h):
    """Fraction at which the step ends at a kink; 2 without one; −1 if it is to be done again.

    Then its new length lies at H_CUT; zero length means that the state is at the kink.
    """
    dp, ip = run.dp, run.ip
    if ip[N_FROZEN] == 0:
        return NOWHERE
    x = first_kink(run, h)
    if x >= NOWHERE:
        return NOWHERE
    if x * h <= dp[EVENT_TOLERANCE] * (abs(dp[T]) + h):
        dp[H_CUT] = 0.0
        return -1.0
    if x >= (NEAR_END if dp[H_CUT] > 0.0 else 1.0 - AT_END):
        return x
    dp[H_CUT] = x * h
    return -1.0
