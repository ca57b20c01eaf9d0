"""Passages of event functions through zero inside a step, in machine code.

A step is looked at in parts, by its continuous extension. A part holds a passage if the signs at
its ends differ, and two of them if the function heads for zero at both ends and dips below it.

Memory from ``at_g``, per event function: value at y, value at y_new, trial value, then value and
slope at the left and at the right end of a part.
"""

from __future__ import annotations

from jourdain.codegen.loops import call
from jourdain.solvers.stepping import (
    EVENT_TOLERANCE,
    N_EVENTS,
    N_FOUND,
    N_PARTS,
    N_Q,
    N_QUATERNIONS,
    N_V,
    T_WORK,
    T,
    interpolate,
    normalize,
)  # fmt: skip

NUMBERS_PER_EVENT = 7
NOWHERE = 2.0  # a fraction of the step that lies outside of it
NEAR = 1e-4  # distance of the two points of a slope, as a fraction of the step
GOLDEN = 0.6180339887498949
MAX_DIP = 40  # golden sections: 1e-8 of a part, so that dips of 1e-16 of the curvature are found


def event_values(g, gargs, gargs_at, w_at, dp, ip, t, at_y, at_value):
    """Event functions at a state."""
    dp[T_WORK] = t
    gargs[0] = w_at + 8 * at_y
    gargs[1] = w_at + 8 * (at_y + ip[N_Q])
    gargs[5] = w_at + 8 * at_value
    call(g, gargs_at)


def values_inside(g, gargs, gargs_at, w, w_at, P, dp, ip, h, x, at_value):
    """Event functions at fraction x of the step."""
    n = ip[N_Q] + ip[N_V]
    interpolate(w, 2 * n, x, h, P, ip)
    event_values(g, gargs, gargs_at, w_at, dp, ip, dp[T] + x * h, 2 * n, at_value)


def has_passed(old, new):
    """Tell whether an event function passed zero; one that starts at zero has not."""
    return (old < 0.0 and new >= 0.0) or (old > 0.0 and new <= 0.0)


def locate(g, gargs, gargs_at, w, w_at, P, dp, ip, h, e, at_trial, lo, hi, g_lo, g_hi):
    """Fraction of the step at which event e passes zero between lo and hi (Illinois method)."""
    side = 0
    for _ in range(200):
        if (hi - lo) * h <= dp[EVENT_TOLERANCE] * (abs(dp[T]) + h):
            break
        x = hi - g_hi * (hi - lo) / (g_hi - g_lo)
        if not (lo < x < hi):
            x = 0.5 * (lo + hi)
        values_inside(g, gargs, gargs_at, w, w_at, P, dp, ip, h, x, at_trial)
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


def dip(g, gargs, gargs_at, w, w_at, P, dp, ip, h, e, at_trial, lo, hi, sign):
    """Fraction at which event e has the other sign than at lo and hi, or nowhere."""
    x1, x2 = hi - GOLDEN * (hi - lo), lo + GOLDEN * (hi - lo)
    values_inside(g, gargs, gargs_at, w, w_at, P, dp, ip, h, x1, at_trial)
    y1 = sign * w[at_trial + e]
    if y1 < 0.0:
        return x1
    values_inside(g, gargs, gargs_at, w, w_at, P, dp, ip, h, x2, at_trial)
    y2 = sign * w[at_trial + e]
    if y2 < 0.0:
        return x2
    for _ in range(MAX_DIP):
        if y1 < y2:
            hi, x2, y2 = x2, x1, y1
            x1 = hi - GOLDEN * (hi - lo)
            values_inside(g, gargs, gargs_at, w, w_at, P, dp, ip, h, x1, at_trial)
            y1 = sign * w[at_trial + e]
            if y1 < 0.0:
                return x1
        else:
            lo, x1, y1 = x1, x2, y2
            x2 = lo + GOLDEN * (hi - lo)
            values_inside(g, gargs, gargs_at, w, w_at, P, dp, ip, h, x2, at_trial)
            y2 = sign * w[at_trial + e]
            if y2 < 0.0:
                return x2
    return NOWHERE


def passage(
    g, gargs, gargs_at, w, w_at, P, quaternions, ip, dp, found, h, e, at_trial, lo, hi, g_lo, g_hi
):
    """Record a passage in the wanted direction; return its fraction if it is terminal."""
    n, m = ip[N_Q] + ip[N_V], ip[N_EVENTS]
    if found[e] * (g_hi - g_lo) < 0.0:
        return NOWHERE
    x = locate(g, gargs, gargs_at, w, w_at, P, dp, ip, h, e, at_trial, lo, hi, g_lo, g_hi)
    interpolate(w, 2 * n, x, h, P, ip)
    normalize(w, 2 * n, quaternions, ip[N_QUATERNIONS])
    base = 2 * m + ip[N_FOUND] * (n + 2)
    found[base] = e
    found[base + 1] = dp[T] + x * h
    for i in range(n):
        found[base + 2 + i] = w[2 * n + i]
    ip[N_FOUND] += 1
    return x if found[m + e] != 0.0 else NOWHERE


def search(g, gargs, gargs_at, w, w_at, P, quaternions, ip, dp, found, h, e, at_trial, lo, hi):
    """Passages of event e in one part; return the fraction of the first terminal one."""
    m = ip[N_EVENTS]
    a, da = w[at_trial + m + e], w[at_trial + 2 * m + e]
    b, db = w[at_trial + 3 * m + e], w[at_trial + 4 * m + e]
    if has_passed(a, b):
        return passage(
            g, gargs, gargs_at, w, w_at, P, quaternions, ip, dp, found, h, e, at_trial, lo, hi, a, b
        )
    if not (a * b > 0.0 and a * da < 0.0 and b * db > 0.0):
        return NOWHERE
    meet = (b - a + da * lo - db * hi) / (da - db)  # where the tangents of both ends meet
    if a * (a + da * (meet - lo)) > 0.0:
        return NOWHERE
    sign = 1.0 if a > 0.0 else -1.0
    x = dip(g, gargs, gargs_at, w, w_at, P, dp, ip, h, e, at_trial, lo, hi, sign)
    if x > 1.0:
        return NOWHERE
    c = w[at_trial + e]
    first = passage(
        g, gargs, gargs_at, w, w_at, P, quaternions, ip, dp, found, h, e, at_trial, lo, x, a, c
    )
    second = passage(
        g, gargs, gargs_at, w, w_at, P, quaternions, ip, dp, found, h, e, at_trial, x, hi, c, b
    )
    return min(first, second)


def slopes(g, gargs, gargs_at, w, w_at, P, dp, ip, h, x, at_trial, at_value):
    """Slopes of the event functions at fraction x, behind their values there."""
    m = ip[N_EVENTS]
    near = NEAR if x < 0.5 else -NEAR
    values_inside(g, gargs, gargs_at, w, w_at, P, dp, ip, h, x + near, at_trial)
    for e in range(m):
        w[at_value + m + e] = (w[at_trial + e] - w[at_value + e]) / near


def find_events(g, gargs, gargs_at, w, w_at, P, quaternions, ip, dp, at_g, found, h):
    """Record the events inside the step; return the fraction of the first terminal one, or 2."""
    m, parts = ip[N_EVENTS], ip[N_PARTS]
    stop = NOWHERE
    if m == 0:
        return stop
    at_trial, left, right = at_g + 2 * m, at_g + 3 * m, at_g + 5 * m
    for e in range(m):
        w[left + e] = w[at_g + e]
    slopes(g, gargs, gargs_at, w, w_at, P, dp, ip, h, 0.0, at_trial, left)
    for j in range(parts):
        lo, hi = j / parts, (j + 1) / parts
        if j < parts - 1:
            values_inside(g, gargs, gargs_at, w, w_at, P, dp, ip, h, hi, right)
        else:
            for e in range(m):
                w[right + e] = w[at_g + m + e]
        slopes(g, gargs, gargs_at, w, w_at, P, dp, ip, h, hi, at_trial, right)
        for e in range(m):
            here = search(
                g, gargs, gargs_at, w, w_at, P, quaternions, ip, dp, found, h, e, at_trial, lo, hi
            )
            stop = min(stop, here)
        if stop <= 1.0:
            break
        for e in range(2 * m):
            w[left + e] = w[right + e]
    return stop
