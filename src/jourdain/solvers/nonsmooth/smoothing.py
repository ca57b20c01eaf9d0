"""Smoothed projection equations and the path to their solution, for solver loops (NS-8).

A contact with friction is a cone (NS-3). With ``x = (μ w r_N, w r_T)`` and
``y = (u_N + μ √(|u_T|² + ε²), μ u_T)``, both in the cone of slope one, its equation is
``x - p(x - y) = 0``, where p is the projection with ``p(λ) = (λ + √(λ² + 4 ε²))/2`` of the
eigenvalues λ (Fukushima, Luo & Tseng 2002): smooth, and ``x ∘ y = ε²``. Newton's method follows the
solution while ε falls to nothing. Where more contacts touch than there are freedoms the path may
end at a contact whose force wants to vanish: then contacts are left out, one at a time.
"""

from __future__ import annotations

from jourdain.codegen.translator.loops import part
from jourdain.solvers.linear import factor, solve
from jourdain.solvers.nonsmooth.small.dense_residual import RESIDUAL, report_of
from jourdain.solvers.nonsmooth.sweeps import CONTACT, HALF_LINE, SEGMENT

_FIRST = 0.3  # ε at the start, as part of the size of c
_SHRINK = 0.1
_LAST = 1e-17
_STEPS = 12  # for one ε
_SHORTEST = 1e-3
_ROUNDING = 1e-15
_NEAR = 1e-9  # part of eigenvalues by which they are equal
_HUGE = 1e100  # limit that is none
_MOST = 8  # contacts without which the path is tried
_TOGETHER = 5  # contacts that are left out together


def memory_of_path(n):
    """Numbers needed: a matrix, blocks of derivatives, vectors."""
    return n * n + 13 * n + 6


def above(x, eps):
    """Smoothed positive part, without cancellation."""
    root = (x * x + 4.0 * eps * eps) ** 0.5
    return 0.5 * (x + root) if x > 0.0 else 2.0 * eps * eps / (root - x)


def rise(x, eps):
    """Derivative of `above`."""
    root = (x * x + 4.0 * eps * eps) ** 0.5
    return 0.5 * (1.0 + x / root) if x > 0.0 else 2.0 * eps * eps / (root * (root - x))


def left(x, y, eps):
    """``x - above(x - y)``, without cancellation."""
    z = x - y
    return y - above(-z, eps) if z > 0.0 else x - above(z, eps)


def has_path(n_groups, kind):
    """Tell whether all groups have a smooth formula."""
    for b in range(n_groups):
        if kind[b] != CONTACT and kind[b] != HALF_LINE and kind[b] != SEGMENT:
            return False
    return True


def interval_block(s, u, lower, upper, eps, by_s, by_u):
    """Value of the equation of a row between limits; its derivatives are written."""
    z = s - u
    by_u[0] = rise(z - lower, eps) - rise(z - upper, eps)
    by_s[0] = rise(lower - z, eps) + rise(z - upper, eps)
    if z > upper:
        return s - upper - above(lower - z, eps) + above(upper - z, eps)
    return left(s - lower, u, eps) + above(z - upper, eps)


def spectral(m, b, c, a, x, y, scale, first, out):
    """Matrix of a function of a point whose direction is (x, y), times diagonal ``first, scale``.

    b and c are mean and half difference of its slopes, a that across.
    """
    out[0] = b * first
    out[1] = c * x * scale
    out[m] = c * x * first
    out[m + 1] = (a + (b - a) * x * x) * scale
    if m == 3:
        out[2] = c * y * scale
        out[5] = (b - a) * x * y * scale
        out[6] = c * y * first
        out[7] = (b - a) * x * y * scale
        out[8] = (a + (b - a) * y * y) * scale


def cone_block(m, mu, own, r, u, rows, at, eps, by_r, by_u, F):
    """Values of the equations of a contact with friction, and their derivatives."""
    slip_1 = u[rows[at + 1]]
    slip_2, push_2 = 0.0, 0.0
    if m == 3:
        slip_2, push_2 = u[rows[at + 2]], own * r[rows[at + 2]]
    push, push_1 = mu * own * r[rows[at]], own * r[rows[at + 1]]
    speed = (slip_1 * slip_1 + slip_2 * slip_2 + eps * eps) ** 0.5
    moved = u[rows[at]] + mu * speed
    x, y = push_1 - mu * slip_1, push_2 - mu * slip_2
    size = (x * x + y * y) ** 0.5
    if size > 0.0:
        x, y = x / size, y / size
    else:
        x, y = 1.0, 0.0
    along, against = x * push_1 + y * push_2, mu * (x * slip_1 + y * slip_2)
    high, low = push - moved + size, push - moved - size
    plus, minus = left(push + along, moved + against, eps), left(push - along, moved - against, eps)
    across, other = x * push_2 - y * push_1, mu * (x * slip_2 - y * slip_1)
    across = across if abs(across) < abs(other) else other  # both are the same but for rounding
    F[rows[at]] = 0.5 * (plus + minus)
    F[rows[at + 1]] = 0.5 * (plus - minus) * x - across * y
    if m == 3:
        F[rows[at + 2]] = 0.5 * (plus - minus) * y + across * x
    a, b = rise(high, eps), rise(-high, eps)
    if 2.0 * size > _NEAR * (abs(high) + abs(low) + eps):
        a = (above(high, eps) - above(low, eps)) / (2.0 * size)
        b = (above(-low, eps) - above(-high, eps)) / (2.0 * size)
    p, q = rise(high, eps), rise(low, eps)
    spectral(m, 0.5 * (p + q), 0.5 * (p - q), a, x, y, mu, 1.0, by_u)
    for i in range(m):  # the slip moves the normal velocity too
        by_u[m * i + 1] += by_u[m * i] * mu * slip_1 / speed
        if m == 3:
            by_u[m * i + 2] += by_u[m * i] * mu * slip_2 / speed
    p, q = rise(-high, eps), rise(-low, eps)
    spectral(m, 0.5 * (p + q), 0.5 * (p - q), b, x, y, own, mu * own, by_r)


def without_block(m, own, r, rows, at, first, by_r, by_u, F):
    """Rows from ``first`` on that are to have no impulse."""
    for i in range(first, m):
        for j in range(m):
            by_r[m * i + j] = own if i == j else 0.0
            by_u[m * i + j] = 0.0
        F[rows[at + i]] = own * r[rows[at + i]]


def equations(
    n, G, c, n_groups, kind, start, rows, D, limits, weight, is_out, r, u, eps, by_r, by_u, F
):  # fmt: skip
    """Size of the smoothed equations at r; values and derivatives by blocks are written."""
    for i in range(n):
        total = c[i]
        for j in range(n):
            total += G[i * n + j] * r[j]
        u[i] = total
    place = 0
    for b in range(n_groups):
        at, row = start[b], rows[start[b]]
        m = start[b + 1] - at
        own, A, B = weight[row], part(by_r, place), part(by_u, place)
        if is_out[b]:
            without_block(m, own, r, rows, at, 0, A, B, F)
        elif kind[b] == CONTACT and D[at + 1] > 0.0:
            cone_block(m, D[at + 1], own, r, u, rows, at, eps, A, B, F)
        else:
            lower, upper = 0.0, _HUGE
            if kind[b] == SEGMENT:
                lower = max(own * limits[3 * b], -_HUGE)
                upper = min(own * limits[3 * b + 1], _HUGE)
            F[row] = interval_block(own * r[row], u[row], lower, upper, eps, A, B)
            A[0] *= own
            for j in range(1, m):
                A[j] = 0.0
                B[j] = 0.0
            without_block(m, own, r, rows, at, 1, A, B, F)
        place += m * m
    size = 0.0
    for i in range(n):
        size += F[i] * F[i]
    return size**0.5


def direction(n, G, n_groups, start, rows, by_r, by_u, F, J, step, pivots):
    """Newton's step; tell whether there is one."""
    place = 0
    for b in range(n_groups):
        at = start[b]
        m = start[b + 1] - at
        for i in range(m):
            row = rows[at + i]
            for j in range(n):
                J[row * n + j] = 0.0
            for k in range(m):
                slope, other = by_u[place + m * i + k], rows[at + k]
                if slope != 0.0:
                    for j in range(n):
                        J[row * n + j] += slope * G[other * n + j]
            for k in range(m):
                J[row * n + rows[at + k]] += by_r[place + m * i + k]
        place += m * m
    for i in range(n):
        step[i] = -F[i]
    if not factor(J, 0, n, pivots, 0):
        return False
    back(J, n, pivots, step)
    total = 0.0
    for i in range(n):
        total += 0.0 * step[i]
    return total == 0.0


def back(J, n, pivots, x):
    """Replace x by the solution of the factored system; x lies elsewhere than the factors."""
    at = n * n
    for i in range(n):
        J[at + i] = x[i]
    solve(J, 0, n, pivots, 0, at)
    for i in range(n):
        x[i] = J[at + i]


def follow(
    n, G, c, n_groups, kind, start, rows, normal, D, limits, r, tol, weight, is_out, u, w, memory,
    pivots, report,
):  # fmt: skip
    """Follow the path from rest; r gets the best impulses on it, report what they are worth."""
    J, F, step = memory, part(memory, n * n + n), part(memory, n * n + 2 * n)
    now, trial = part(memory, n * n + 3 * n), part(memory, n * n + 4 * n)
    by_r, by_u, own = (
        part(memory, n * n + 5 * n), part(memory, n * n + 8 * n), part(memory, n * n + 11 * n),
    )  # fmt: skip
    scale, best = 0.0, 1e300
    for i in range(n):
        scale += c[i] * c[i]
        now[i] = 0.0
    scale = scale**0.5
    eps = _FIRST * scale
    while eps > _LAST * scale:
        goal = max(0.1 * eps * eps / scale, _ROUNDING * scale)
        size, length, steps = 1e300, 0.0, 0
        while length == 0.0 or length >= _SHORTEST:
            for i in range(n):
                trial[i] = now[i] + (length * step[i] if length > 0.0 else 0.0)
            new = equations(
                n, G, c, n_groups, kind, start, rows, D, limits, weight, is_out, trial, u, eps,
                by_r, by_u, F,
            )  # fmt: skip
            if not new <= (1.0 - 1e-4 * length) * size:
                length = 0.5 * length if length > 0.0 else 0.5 * _SHORTEST
                continue
            size, length = new, 1.0
            for i in range(n):
                now[i] = trial[i]
            steps += 1
            if size <= goal or steps > _STEPS:
                break
            if not direction(n, G, n_groups, start, rows, by_r, by_u, F, J, step, pivots):
                break
        report_of(
            n, G, c, n_groups, kind, start, rows, normal, D, limits, now, u, weight, w, own
        )  # fmt: skip
        if own[RESIDUAL] < best:
            best = own[RESIDUAL]
            for i in range(3):
                report[i] = own[i]
            for i in range(n):
                r[i] = now[i]
        if best <= tol:
            break
        eps *= _SHRINK


def least_loaded(n_groups, kind, start, rows, r, is_out):
    """Contact with the smallest normal impulse of those that are not out, or −1."""
    found, least = -1, 1e300
    for b in range(n_groups):
        is_contact = kind[b] == CONTACT or kind[b] == HALF_LINE
        if is_contact and not is_out[b] and r[rows[start[b]]] < least:
            found, least = b, r[rows[start[b]]]
    return found


def smoothed(
    n, G, c, n_groups, kind, start, rows, normal, D, limits, r, tol, weight, flags, u, w, memory,
    report,
):  # fmt: skip
    """Replace impulses r, whose report is given, by better ones on the path, if there are such.

    First with all contacts; then without one of them, and with that one without some more.
    ``flags`` holds integers, two for each group and one for each row.
    """
    if not has_path(n_groups, kind):
        return
    is_out, is_tried, pivots = flags, part(flags, n_groups), part(flags, 2 * n_groups)
    first, found = memory, part(memory, n)
    own, rest = part(memory, 2 * n), part(memory, 2 * n + 3)
    for b in range(n_groups):
        is_out[b] = 0
        is_tried[b] = 0
    rounds, missing = 0, 0
    while rounds <= _MOST:
        follow(
            n, G, c, n_groups, kind, start, rows, normal, D, limits, found, tol, weight, is_out, u,
            w, rest, pivots, own,
        )  # fmt: skip
        if own[RESIDUAL] < report[RESIDUAL]:
            for i in range(3):
                report[i] = own[i]
            for i in range(n):
                r[i] = found[i]
        if report[RESIDUAL] <= tol:
            return
        next_out = -1
        if 0 < missing < _TOGETHER:
            next_out = least_loaded(n_groups, kind, start, rows, found, is_out)
        if next_out < 0:  # begin with another contact
            for i in range(n if rounds == 0 else 0):
                first[i] = found[i]
            next_out = least_loaded(n_groups, kind, start, rows, first, is_tried)
            if next_out < 0:
                return
            rounds += 1
            missing = 0
            is_tried[next_out] = 1
            for b in range(n_groups):
                is_out[b] = 0
        is_out[next_out] = 1
        missing += 1
