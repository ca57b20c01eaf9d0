"""Small problems with a dense matrix: sweeps, then smoothed equations; or Newton's method.

The groups are those of `gauss_seidel`, the weights and the natural map those of `residual`; what is
rare there (bilateral rows, ellipses) is left to them.
"""

from __future__ import annotations

from jourdain.codegen.translator.loops import part
from jourdain.solvers.nonsmooth.anderson import PIVOTS, memory_size
from jourdain.solvers.nonsmooth.small.dense_newton import newton_dense, newton_size, proximal_dense
from jourdain.solvers.nonsmooth.small.dense_residual import RESIDUAL, report_of, weights_into
from jourdain.solvers.nonsmooth.smoothing import memory_of_path, smoothed
from jourdain.solvers.nonsmooth.sweeps import CONTACT, FREE, PLANE, swept

SWEEPS = 200
"""Sweeps before the smoothed equations are tried."""
NEWTON_UP_TO = 128
"""Rows up to which Newton's method is tried."""
DEPTH = 10
"""Sweeps that are extrapolated from."""


def is_simple(n_groups, kind, start, D):
    """Tell whether all groups have a formula here."""
    for b in range(n_groups):
        at = start[b]
        if kind[b] == FREE:
            return False
        if kind[b] == CONTACT and start[b + 1] - at == 3 and D[at + 1] != D[at + 2]:
            return False
        if kind[b] == PLANE and D[at] != D[at + 1]:
            return False
    return True


def own_into(n, G, n_groups, start, rows, D, at_A, A):
    """Scaled diagonal blocks of G, one behind the other."""
    place = 0
    for b in range(n_groups):
        at = start[b]
        m = start[b + 1] - at
        at_A[b] = place
        for i in range(m):
            for j in range(m):
                A[place + i * m + j] = D[at + i] * D[at + j] * G[rows[at + i] * n + rows[at + j]]
        place += m * m


def solve_dense(
    n, G, c, n_groups, kind, start, rows, normal, D, limits, r, tol, numbers, integers, report
):  # fmt: skip
    """Improve impulses r until their residual is within tol; −1 if a group has no formula here.

    Sweeps end when no impulse changes by more than ``tol |c| / 10``, in the unit of u; where they
    do not converge, smoothed equations are tried. ``limits`` has three numbers for each group, of
    which the last is filled in; ``numbers`` and ``integers`` are memory (see `dense_room`).
    """
    report[RESIDUAL] = 1.0
    if not is_simple(n_groups, kind, start, D):
        return -1
    A, weight, root = numbers, part(numbers, 3 * n), part(numbers, 4 * n)
    u, w, memory = part(numbers, 5 * n), part(numbers, 6 * n), part(numbers, 6 * n + 32)
    at_A, indptr, indices = integers, part(integers, n), part(integers, 2 * n + 1)
    state = part(integers, 2 * n + 1 + n * n)
    own_into(n, G, n_groups, start, rows, D, at_A, A)
    weights_into(n, G, n_groups, kind, start, rows, normal, weight, root)
    size = 0.0
    for i in range(n):
        size += c[i] * c[i]
        root[i] = weight[i] ** 0.5
        indptr[i] = n * i
        for j in range(n):
            indices[n * i + j] = j
    indptr[n] = n * n
    for b in range(n_groups):
        limits[3 * b + 2] = weight[rows[start[b]]]
        for k in range(start[b], start[b + 1]):
            if D[k] == 0.0:
                r[rows[k]] = 0.0
    for i in range(PIVOTS):
        state[i] = 0
    swept(
        indptr, indices, G, c, kind, start, rows, normal, D, at_A, A, limits, r, n_groups, 1.0, w,
        SWEEPS, n, 0.1 * tol * size**0.5, root, min(DEPTH, n), state, memory,
    )  # fmt: skip
    report_of(n, G, c, n_groups, kind, start, rows, normal, D, limits, r, u, weight, w, report)
    if not report[RESIDUAL] <= tol:
        smoothed(
            n, G, c, n_groups, kind, start, rows, normal, D, limits, r, tol, weight, state, u, w,
            memory, report,
        )  # fmt: skip
    return 0


def solve_quickly(
    n, G, c, n_groups, kind, start, rows, normal, D, limits, r, tol, numbers, integers, report
):  # fmt: skip
    """As `solve_dense`, by Newton's method alone, from r, from nothing, and with springs.

    For problems that change little from one to the next. Returns whether the residual is within
    tol; if it is not, r is as it was.
    """
    report[RESIDUAL] = 1.0
    if n > NEWTON_UP_TO or not is_simple(n_groups, kind, start, D):
        return False
    weight, u, w = part(numbers, 3 * n), part(numbers, 5 * n), part(numbers, 6 * n)
    memory = part(numbers, 6 * n + 32)
    weights_into(n, G, n_groups, kind, start, rows, normal, weight, u)
    first = part(memory, newton_size(n))  # impulses to start from
    for i in range(n):
        first[i] = r[i]
    for attempt in range(2):
        newton_dense(n, G, c, n_groups, kind, start, rows, normal, D, limits, r, weight, u, memory,
                     integers)  # fmt: skip
        report_of(n, G, c, n_groups, kind, start, rows, normal, D, limits, r, u, weight, w, report)
        if report[RESIDUAL] <= tol:
            return True
        for i in range(n):
            r[i] = 0.0 if attempt == 0 else first[i]
    if proximal_dense(
        n, G, c, n_groups, kind, start, rows, normal, D, limits, r, weight, u, w, memory, integers,
        tol, report,
    ):  # fmt: skip
        return True
    for i in range(n):
        r[i] = first[i]
    return False


def dense_room(n: int) -> tuple[int, int]:
    """Numbers and integers that `solve_dense` needs as memory."""
    integers = 2 * n + 1 + n * n + max(PIVOTS + DEPTH, 3 * n)
    most = max(memory_size(n, min(DEPTH, n)), memory_of_path(n), newton_size(n) + n)
    return 6 * n + 32 + most, integers
