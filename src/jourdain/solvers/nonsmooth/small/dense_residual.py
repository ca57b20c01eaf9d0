"""Weights and natural map of small problems with a dense matrix, for solver loops.

The groups are those of `gauss_seidel`, the formulas those of `residual`.
"""

from __future__ import annotations

from jourdain.solvers.nonsmooth.sweeps import CONTACT, DISC, HALF_LINE, LINE, PLANE, SEGMENT

RESIDUAL, APPROACH, SIZE = range(3)
"""Places in the report: residual [1], fastest approach of a half line [m/s], size of c [m/s]."""
_EPS = 2.220446049250313e-16
_TINY = 1e-300
_FLOOR = 1e-8  # part of the largest entry below which a weight is none


def weights_into(n, G, n_groups, kind, start, rows, normal, weight, count):
    """Size of the own matrix of every row's contact."""
    largest = 0.0
    for i in range(n * n):
        largest = max(largest, abs(G[i]))
    for i in range(n):
        weight[i] = abs(G[i * n + i])
        count[i] = 1.0
    for b in range(n_groups):
        at, end = start[b], start[b + 1]
        if kind[b] == LINE or kind[b] == PLANE:
            for k in range(at, end):
                weight[normal[b]] += weight[rows[k]]
                count[normal[b]] += 1.0
        elif end - at > 1:
            total = 0.0
            for k in range(at, end):
                total += weight[rows[k]]
            for k in range(at, end):
                weight[rows[k]] = total / (end - at)
    for i in range(n):
        weight[i] = weight[i] / count[i]
    for b in range(n_groups):
        if kind[b] == LINE or kind[b] == PLANE:
            for k in range(start[b], start[b + 1]):
                weight[rows[k]] = weight[normal[b]]
    for i in range(n):
        if not weight[i] > _FLOOR * largest:
            weight[i] = largest if largest > 0.0 else 1.0


def disc_error(w, m, radius):
    """Square of ``s - prox(s - u)`` on a disc; s in ``w[0:2]``, u in ``w[2:4]``."""
    x = w[0] - w[2]
    y = w[1] - w[3] if m == 2 else 0.0
    size = (x * x + y * y) ** 0.5
    if not size > radius:
        return w[2] * w[2] + (w[3] * w[3] if m == 2 else 0.0)
    part = radius / size
    total = (w[0] - part * x) ** 2
    if m == 2:
        total += (w[1] - part * y) ** 2
    return total


def cone_error(w, m, mu):
    """Square of ``s - P_K(s - û)`` (NS-3); s in ``w[0:3]``, u in ``w[3:6]``."""
    y = w[2] - w[5] if m == 3 else 0.0
    slip = (w[4] * w[4] + (w[5] * w[5] if m == 3 else 0.0)) ** 0.5
    moved = w[3] + mu * slip
    z, x = w[0] - moved, w[1] - w[4]
    size = (x * x + y * y) ** 0.5
    if size <= mu * z and z >= 0.0:
        return moved * moved + slip * slip
    if mu * size <= -z:
        return w[0] * w[0] + w[1] * w[1] + (w[2] * w[2] if m == 3 else 0.0)
    edge = (z + mu * size) / (1.0 + mu * mu)
    part = mu * edge / size if size > 0.0 else 0.0
    total = (w[0] - edge) ** 2 + (w[1] - part * x) ** 2
    if m == 3:
        total += (w[2] - part * y) ** 2
    return total


def group_error(b, kind, start, rows, normal, D, limits, r, u, weight, w):
    """Square of the natural map of one group."""
    at = start[b]
    m = start[b + 1] - at
    row = rows[at]
    own = weight[row]
    what = kind[b]
    if what == HALF_LINE:
        return min(own * r[row], u[row]) ** 2
    if what == SEGMENT:
        s = own * r[row]
        inner = min(s - own * limits[3 * b], u[row])
        return max(s - own * limits[3 * b + 1], inner) ** 2
    for i in range(m):
        w[i] = own * r[rows[at + i]]
        w[m + i] = u[rows[at + i]]
    if what == CONTACT:
        if m == 2:
            w[4] = w[3]
            w[3] = w[2]
        return cone_error(w, m, D[at + 1])
    if m == 1:
        w[2] = w[1]
    if what == DISC:
        return disc_error(w, m, own * limits[3 * b + 1])
    slope = limits[3 * b + 1] if what == LINE else D[at]
    return disc_error(w, m, slope * max(own * r[normal[b]], 0.0))


def report_of(n, G, c, n_groups, kind, start, rows, normal, D, limits, r, u, weight, w, report):
    """Residual with what rounding may hide in it, fastest approach, and size of c."""
    size, hidden = 0.0, 0.0
    for i in range(n):
        total, sizes = c[i], 0.0
        for j in range(n):
            total += G[i * n + j] * r[j]
            sizes += abs(G[i * n + j] * r[j])
        u[i] = total
        size += c[i] * c[i]
        hidden += sizes * sizes
    size = max(size**0.5, _TINY)
    error, approach = 0.0, 0.0
    for b in range(n_groups):
        error += group_error(b, kind, start, rows, normal, D, limits, r, u, weight, w)
        if kind[b] == HALF_LINE or kind[b] == CONTACT:
            approach = max(approach, -u[rows[start[b]]])
    report[RESIDUAL] = (error**0.5 + _EPS * hidden**0.5) / size
    report[APPROACH] = approach
    report[SIZE] = size
