"""Exact solution of one contact alone, for solver loops.

Friction is scaled to coefficient one: ``s = r_T / mu``, velocity ``mu u_T``. Then ellipses become
discs, and frictionless directions drop out by themselves.
"""

from __future__ import annotations

ITERATIONS = 100
NEAR = 1e-15
NEAR_SINGULAR = 1e-10
LEAST_DAMPING = 1e-13


def eliminate(a, b, c, e, f, g, w, first, second):
    """Solve ``a x + b y = -f, c x + e y = -g`` with pivot a; x, y into w."""
    ratio = c / a
    y = -(g - ratio * f) / (e - ratio * b)
    w[first] = (-f - b * y) / a
    w[second] = y


def plane_at(w, damping):
    """Solve ``(S + damping) s = -d``; S in ``w[0:4]``, d in ``w[4:6]``, s into ``w[6:8]``."""
    a, e = w[0] + damping, w[3] + damping
    if abs(a) >= abs(e):
        eliminate(a, w[1], w[2], e, w[4], w[5], w, 6, 7)
    else:
        eliminate(e, w[2], w[1], a, w[5], w[4], w, 7, 6)


def plane_excess(w, damping):
    """``|s| - radius`` at a damping; the radius is ``w[8] + w[9] s[0] + w[10] s[1]``."""
    plane_at(w, damping)
    size = (w[6] * w[6] + w[7] * w[7]) ** 0.5
    return size - (w[8] + w[9] * w[6] + w[10] * w[7])


def plane_solve(w, size):
    """Find s in its disc with ``-(S s + d)`` in the normal cone; tell whether it is on the edge.

    On the edge ``S s + d = -λ s`` with ``λ > 0`` such that ``|s|`` is the radius. The excess is
    positive at ``λ = 0`` and negative for large λ, so a bracket exists: regula falsi (NS-5).
    Where S is singular but for rounding (of numbers of a size), λ starts just above: s is then
    the smallest of all that stick.
    """
    if size == 0.0:
        w[6] = 0.0
        w[7] = 0.0
        return 0
    low = 0.0
    entries = abs(w[0]) + abs(w[1]) + abs(w[2]) + abs(w[3])
    if abs(w[0] * w[3] - w[1] * w[2]) <= NEAR_SINGULAR * size * entries:
        low = LEAST_DAMPING * size
    f_low = plane_excess(w, low)
    if f_low <= 0.0:
        return 0
    high = size
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
    elif plane_solve(w, abs(w[0]) + abs(w[3])):
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
    is_sliding = plane_solve(w, abs(A[at + 4]) + abs(A[at + 8]))
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
    S = max(S, LEAST_DAMPING * A[at + 3])
    if S > 0.0:
        w[6] = -d / S
        w[11] = -(b + A[at + 1] * w[6]) / normal
        if abs(w[6]) <= w[11]:
            return
    sign = -1.0 if d > 0.0 else (1.0 if d < 0.0 else 0.0)
    slope = normal + sign * A[at + 1]
    w[11] = -b / slope if slope > 0.0 else -b / normal
    w[6] = sign * w[11]
