"""Exact solution of one contact alone, for solver loops.

Friction is scaled to coefficient one: ``s = r_T / mu``, velocity ``mu u_T``. Then ellipses become
discs, and frictionless directions drop out by themselves.
"""

from __future__ import annotations

ITERATIONS = 100
NEAR = 1e-15


def plane_at(w, damping):
    """Solve ``(S + damping) s = -d``; S in ``w[0:4]``, d in ``w[4:6]``, s into ``w[6:8]``."""
    a, b, c, e = w[0] + damping, w[1], w[2], w[3] + damping
    det = a * e - b * c
    w[6] = (-w[4] * e + w[5] * b) / det
    w[7] = (-w[5] * a + w[4] * c) / det
    return 0


def plane_excess(w, damping):
    """``|s| - radius`` at a damping; the radius is ``w[8] + w[9] s[0] + w[10] s[1]``."""
    plane_at(w, damping)
    size = (w[6] * w[6] + w[7] * w[7]) ** 0.5
    return size - (w[8] + w[9] * w[6] + w[10] * w[7])


def plane_solve(w):
    """Find s in its disc with ``-(S s + d)`` in the normal cone.

    On the edge ``S s + d = -λ s`` with ``λ > 0`` such that ``|s|`` is the radius. The excess is
    positive at ``λ = 0`` and negative for large λ, so a bracket exists: regula falsi (Illinois).
    """
    trace = abs(w[0]) + abs(w[3])
    if trace == 0.0:
        if w[4] == 0.0 and w[5] == 0.0:
            w[6] = 0.0
            w[7] = 0.0
            return 0
        trace = 1e-300
    low = 0.0
    if abs(w[0] * w[3] - w[1] * w[2]) <= 1e-14 * trace * trace:
        low = 1e-14 * trace
    f_low = plane_excess(w, low)
    if f_low <= 0.0:
        return 0
    high = trace
    f_high = plane_excess(w, high)
    while f_high > 0.0 and high < 1e290:
        low, f_low = high, f_high
        high = 16.0 * high
        f_high = plane_excess(w, high)
    side = 0
    for _ in range(ITERATIONS):
        middle = (low * f_high - high * f_low) / (f_high - f_low)
        if not low < middle < high:
            middle = 0.5 * (low + high)
        f = plane_excess(w, middle)
        if high - low <= NEAR * high or f == 0.0:
            break
        if f > 0.0:
            low, f_low = middle, f
            if side == 1:
                f_high *= 0.5
            side = 1
        else:
            high, f_high = middle, f
            if side == -1:
                f_low *= 0.5
            side = -1
    return 1


def onto_disc(w, radius):
    """Scale s to the edge, where it lies but for rounding."""
    size = (w[6] * w[6] + w[7] * w[7]) ** 0.5
    if size > 0.0:
        w[6] *= radius / size
        w[7] *= radius / size


def disc_solve(w, radius):
    """Disc of given radius; S, d in w as for `plane_solve`."""
    w[8] = radius
    w[9] = 0.0
    w[10] = 0.0
    if radius <= 0.0:
        w[6] = 0.0
        w[7] = 0.0
    elif plane_solve(w):
        onto_disc(w, radius)


def contact_solve(w, A, at):
    """Contact with two tangential rows and coefficient one: result in ``w[11]``, ``w[6:8]``.

    ``A`` holds the 3×3 matrix row by row from ``at``, ``w[12:15]`` the velocity without impulse.
    Either it opens, or ``u_N = 0`` gives ``r_N`` as a function of s, and a plane problem stays.
    """
    b = w[12]
    normal = A[at]
    w[6] = 0.0
    w[7] = 0.0
    w[11] = 0.0
    if b >= 0.0 or normal <= 0.0:
        return
    w[9] = -A[at + 1] / normal
    w[10] = -A[at + 2] / normal
    w[8] = -b / normal
    w[0] = A[at + 4] + A[at + 3] * w[9]
    w[1] = A[at + 5] + A[at + 3] * w[10]
    w[2] = A[at + 7] + A[at + 6] * w[9]
    w[3] = A[at + 8] + A[at + 6] * w[10]
    w[4] = w[13] + A[at + 3] * w[8]
    w[5] = w[14] + A[at + 6] * w[8]
    is_sliding = plane_solve(w)
    w[11] = max(0.0, w[8] + w[9] * w[6] + w[10] * w[7])
    if is_sliding:
        onto_disc(w, w[11])


def line_contact_solve(w, A, at):
    """Contact with one tangential row and coefficient one: result in ``w[11]``, ``w[6]``."""
    b = w[12]
    normal = A[at]
    w[6] = 0.0
    w[11] = 0.0
    if b >= 0.0 or normal <= 0.0:
        return
    S = A[at + 3] - A[at + 2] * A[at + 1] / normal
    d = w[13] - A[at + 2] * b / normal
    if 1e-14 * abs(A[at + 3]) < S:
        w[6] = -d / S
        w[11] = -(b + A[at + 1] * w[6]) / normal
        if abs(w[6]) <= w[11]:
            return
    elif d == 0.0:
        w[11] = -b / normal
        return
    sign = 1.0 if d < 0.0 else -1.0
    slope = normal + sign * A[at + 1]
    w[11] = -b / slope if slope > 0.0 else -b / normal
    w[6] = sign * w[11]
