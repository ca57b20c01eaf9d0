"""Newton's method on the projection equations of small problems (NS-6), for solver loops.

    half line, segment:  F = w r − prox(w r − u)
    friction:            F = w r_T − P(w r_T − u_T) on the disc of radius μ max(w r_N − u_N, 0)

Rows whose impulse is known, because they are open or at a limit, drop out; the others solve one
dense system. Close to the solution two or three steps are enough, also from the last time step.
Where contacts are redundant the matrix is singular but the equations are consistent: a small part
of the weights on the diagonal makes the step unique.
"""

from __future__ import annotations

from jourdain.codegen.translator.loops import part
from jourdain.solvers.linear import factor, solve
from jourdain.solvers.nonsmooth.small.dense_residual import RESIDUAL, report_of
from jourdain.solvers.nonsmooth.sweeps import CONTACT, DISC, HALF_LINE, PLANE, SEGMENT

STEPS = 12
"""Steps after which others are tried."""
SOFT = 1e-10
"""Part of its weight that is added to the diagonal of a row."""
SPRING = 1e-6
"""Part of its weight by which a spring holds a row at its last impulse."""
ROUNDS = 15
"""Moves of the centre of the springs."""
EXACT = 1e-15
"""Part of the right side that a step may be short of."""


def velocities_into(n, G, c, r, u):
    """Velocities u = G r + c."""
    for i in range(n):
        total = c[i]
        for j in range(n):
            total += G[i * n + j] * r[j]
        u[i] = total


def keep_row(i, n, G, F, value, J, place):
    """Row whose velocity is zero: its equation is that of G."""
    place[i] = 1
    F[i] = value
    for j in range(n):
        J[i * n + j] = G[i * n + j]


def fix_row(i, value, F, place):
    """Row whose impulse is known."""
    place[i] = 0
    F[i] = value


def scalar_row(i, n, G, low, high, r, u, weight, F, J, place):
    """Row of a half line or a segment."""
    z = weight[i] * r[i] - u[i]
    if z <= weight[i] * low:
        fix_row(i, low, F, place)
    elif z >= weight[i] * high:
        fix_row(i, high, F, place)
    else:
        keep_row(i, n, G, F, u[i], J, place)


def slide_rows(at, m, n, G, rows, r, u, weight, radius, mu, normal, F, J, place):
    """Rows of friction that slides; with a normal row the radius follows it."""
    size = 0.0
    for a in range(m):
        i = rows[at + a]
        size += (weight[i] * r[i] - u[i]) ** 2
    size = size**0.5
    for a in range(m):
        i = rows[at + a]
        w = weight[i]
        along = (w * r[i] - u[i]) / size
        place[i] = 1
        F[i] = w * r[i] - radius * along
        for j in range(n):
            J[i * n + j] = 0.0
        J[i * n + i] = w
        if normal >= 0:
            J[i * n + normal] -= mu * w * along
            for j in range(n):
                J[i * n + j] += mu * along * G[normal * n + j]
        for b in range(m):
            k = rows[at + b]
            across = (1.0 if a == b else 0.0) - along * (w * r[k] - u[k]) / size
            turn = radius / size * across
            J[i * n + k] -= turn * w
            if turn != 0.0:
                for j in range(n):
                    J[i * n + j] += turn * G[k * n + j]


def friction_rows(at, m, n, G, rows, r, u, weight, radius, mu, normal, F, J, place):
    """Rows of a friction: it sticks, slides, or has no normal impulse."""
    size = 0.0
    for a in range(m):
        i = rows[at + a]
        size += (weight[i] * r[i] - u[i]) ** 2
    size = size**0.5
    for a in range(m):
        i = rows[at + a]
        if not radius > 0.0:
            fix_row(i, 0.0, F, place)
        elif size < radius:
            keep_row(i, n, G, F, u[i], J, place)
    if radius > 0.0 and size >= radius:
        slide_rows(at, m, n, G, rows, r, u, weight, radius, mu, normal, F, J, place)


def equations_into(
    n, G, n_groups, kind, start, rows, normal, D, limits, r, u, weight, F, J, place
):  # fmt: skip
    """F and its derivatives J of rows with ``place`` 1; impulses of the others."""
    for b in range(n_groups):
        at = start[b]
        m = start[b + 1] - at
        i, what = rows[at], kind[b]
        mu = D[at + 1] if what == CONTACT else limits[3 * b + 1]
        if what == SEGMENT:
            scalar_row(i, n, G, limits[3 * b], mu, r, u, weight, F, J, place)
        elif what == HALF_LINE:
            scalar_row(i, n, G, 0.0, 1e300, r, u, weight, F, J, place)
        elif what == CONTACT:
            scalar_row(i, n, G, 0.0, 1e300, r, u, weight, F, J, place)
            hold = mu * max(weight[i] * r[i] - u[i], 0.0)
            friction_rows(at + 1, m - 1, n, G, rows, r, u, weight, hold, mu, i, F, J, place)
        elif what == DISC:
            hold = weight[i] * mu
            friction_rows(at, m, n, G, rows, r, u, weight, hold, 0.0, -1, F, J, place)
        else:
            k = normal[b]
            mu = D[at] if what == PLANE else mu
            hold = mu * max(weight[k] * r[k] - u[k], 0.0)
            friction_rows(at, m, n, G, rows, r, u, weight, hold, mu, k, F, J, place)


def step_into(n, r, weight, F, J, place, A, index, pivots):
    """Replace the impulses r by those of one step; tell whether the matrix was regular.

    ``A`` has room for the matrix and a right side behind it.
    """
    m = 0
    for i in range(n):
        if place[i]:
            index[m] = i
            m += 1
    for a in range(m):
        i = index[a]
        total = -F[i]
        for b in range(m):
            A[a * m + b] = J[i * n + index[b]]
        A[a * m + a] += SOFT * weight[i]
        for j in range(n):
            if not place[j]:
                total -= J[i * n + j] * (F[j] - r[j])
        A[m * m + a] = total
    if m > 0 and not factor(A, 0, m, pivots, 0):
        return False
    if m > 0:
        solve(A, 0, m, pivots, 0, m * m)
    for j in range(n):
        if not place[j]:
            r[j] = F[j]
    for a in range(m):
        r[index[a]] += A[m * m + a]
    return True


def newton_dense(
    n, G, c, n_groups, kind, start, rows, normal, D, limits, r, weight, u, memory, integers
):  # fmt: skip
    """Steps from r until it does not change; the caller looks at the residual.

    Memory: F (n), J (n × n), a matrix with a right side (n × n + n); integers: three times n.
    """
    F, J, A = memory, part(memory, n), part(memory, n + n * n)
    place, index, pivots = integers, part(integers, n), part(integers, 2 * n)
    for _ in range(STEPS):
        velocities_into(n, G, c, r, u)
        equations_into(n, G, n_groups, kind, start, rows, normal, D, limits, r, u, weight, F, J,
                       place)  # fmt: skip
        size, change = 0.0, 0.0
        for i in range(n):
            size = max(size, abs(weight[i] * r[i]) + abs(c[i]))
            gap = F[i] if place[i] else weight[i] * (F[i] - r[i])
            change = max(change, abs(gap))
        if not change > EXACT * size:
            return
        if not step_into(n, r, weight, F, J, place, A, index, pivots):
            return


def proximal_dense(
    n, G, c, n_groups, kind, start, rows, normal, D, limits, r, weight, u, w, memory, integers, tol,
    report,
):  # fmt: skip
    """Newton's method with a spring to the last impulses: u = (G + δ w) r + c − δ w r₀.

    The spring makes problems with redundant contacts regular; its centre r₀ follows the solution.
    G and c are the same afterwards. Tells whether the residual is within tol.
    """
    centre = part(memory, 2 * n + 2 * n * n)
    for _ in range(ROUNDS):
        for i in range(n):
            centre[i] = r[i]
            G[i * n + i] += SPRING * weight[i]
            c[i] -= SPRING * weight[i] * centre[i]
        newton_dense(n, G, c, n_groups, kind, start, rows, normal, D, limits, r, weight, u, memory,
                     integers)  # fmt: skip
        for i in range(n):
            G[i * n + i] -= SPRING * weight[i]
            c[i] += SPRING * weight[i] * centre[i]
        report_of(n, G, c, n_groups, kind, start, rows, normal, D, limits, r, u, weight, w, report)
        if report[RESIDUAL] <= tol:
            return True
    return False


def newton_size(n):
    """Numbers that `newton_dense` needs as memory; n more are the centre of `proximal_dense`."""
    return 3 * n + 2 * n * n
