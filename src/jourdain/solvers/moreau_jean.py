"""A step of Moreau and Jean (CT-6, CT-7) in machine code: Newton's impacts, friction, dry friction.

What needs more (Poisson's law, ellipses, restitution by a function, no convergence, contacts that
may jam, numbers that are none) is left to the caller, with the state as it was.

Pointers: ``touch`` has `TOUCH` integers for each touching; ``q, v, t`` are what the compiled
functions read, ``qdot, vdot`` and ``gaps … B, rdot`` what they write.
"""

from __future__ import annotations

from jourdain.codegen.loops import call, part
from jourdain.solvers.linear import factor, solve
from jourdain.solvers.native import native
from jourdain.solvers.nonsmooth.dense import dense_room, solve_dense
from jourdain.solvers.nonsmooth.dense_residual import APPROACH, RESIDUAL, SIZE
from jourdain.solvers.touchings import (
    HAS_GAP,
    IS_POISSON,
    N_Q,
    N_ROWS,
    N_TOUCH,
    N_V,
    NORMAL,
    TOUCH,
    groups_into,
    is_closed,
    may_jam,
)

N_QUATERNIONS, HAS_STIFFNESS, LOOKS_FOR_OVERLAPS, IS_MOVED, N_EVALUATIONS = range(4, 9)
"""Places in the sizes, behind those of `touchings`."""
RATES, ROWS, ROWS_AT_END, STIFFNESS = range(0, 8, 2)
"""Places of compiled functions in their addresses, each followed by that of its pointers."""
WORST, HAS_IMPACT, HAS_OVERLAP, FACTS = range(4)
"""Places in what a step tells: residual, whether contacts were hit, overlap."""
DONE, LEFT = range(2)
"""Results of a step: it is made, or left to others."""
RESTS = 1e-8
"""Overlap [m] that is left, so that contacts at rest stay closed."""
APPROACH_SPEED = 1e-9
"""Approach [m/s] that is none."""
_NEWTON = 8  # steps for implicit forces; one is exact for linear ones
_EXACT = 24  # rows up to which impulses are found anew in every step
_TOLERANCE = 1e-13
_STOPPED = 1e-9  # part of the velocities that may be left of an approach


def move(sizes, quaternions, y, h, qdot, to):
    """Positions after a time at given rates, quaternions brought to unit length."""
    for i in range(sizes[N_Q]):
        to[i] = y[i] + h * qdot[i]
    for k in range(sizes[N_QUATERNIONS]):
        at = quaternions[k]
        size = 0.0
        for i in range(4):
            size += to[at + i] * to[at + i]
        size = size**0.5
        for i in range(4):
            to[at + i] /= size


def evaluate(code, which, sizes):
    """Call one of the compiled functions."""
    call(code[which], code[which + 1])
    sizes[N_EVALUATIONS] += 1


def is_usable(sizes, u, bias, capacity, W, B):
    """Tell whether all numbers of the rows are numbers, and friction is not negative."""
    total = 0.0
    for i in range(sizes[N_ROWS]):
        total += 0.0 * (u[i] + bias[i])
    for i in range(sizes[N_ROWS] * sizes[N_V]):
        total += 0.0 * (W[i] + B[i])
    for i in range(2 * sizes[N_TOUCH]):
        if not capacity[i] >= 0.0:
            return False
    return total == 0.0


def wanted_into(sizes, touch, gaps, u, capacity, W, B, e, wanted):
    """Velocities of rebound of closed contacts; tell whether they are plain."""
    for i in range(sizes[N_ROWS]):
        wanted[i] = 0.0
    for k in range(sizes[N_TOUCH]):
        if is_closed(k, touch, gaps):
            at = TOUCH * k
            speed = u[touch[at + NORMAL]]
            if may_jam(k, sizes, touch, u, capacity, W, B):
                return False
            if speed < -APPROACH_SPEED and touch[at + IS_POISSON]:
                return False
            if speed < 0.0:
                if not e[k] >= 0.0:
                    return False
                wanted[touch[at + NORMAL]] = -e[k] * speed
    return True


def responses_into(sizes, code, h, theta, rest, B, by_v, by_q, response, pivots):
    """Implicit forces: solve for what is left, and for the response to unit impulses (n_rows, n_v).

    Returns whether the matrix of the step is regular.
    """
    n, m = sizes[N_V], sizes[N_ROWS]
    at_D = n * m
    for i in range(n * m):
        response[i] = B[i]
    if not sizes[HAS_STIFFNESS] or theta == 0.0:
        return True
    evaluate(code, STIFFNESS, sizes)
    for i in range(n):
        for j in range(n):
            k = i * n + j
            one = 1.0 if i == j else 0.0
            response[at_D + k] = one - h * theta * by_v[k] - (h * theta) ** 2 * by_q[k]
    if not factor(response, at_D, n, pivots, 0):
        return False
    at_x = at_D + n * n
    for i in range(n):
        response[at_x + i] = rest[i]
    solve(response, at_D, n, pivots, 0, at_x)
    for i in range(n):
        rest[i] = response[at_x + i]
    for row in range(m):
        solve(response, at_D, n, pivots, 0, row * n)
    return True


def problem_into(sizes, y, new, rest, u, W, wanted, response, used, G):
    """Matrix and right side behind it of the rows that take part, for ``new - rest``."""
    n, m, n_q = sizes[N_V], used[sizes[N_ROWS]], sizes[N_Q]
    c = part(G, sizes[N_ROWS] * sizes[N_ROWS])
    for i in range(m):
        row = used[i]
        total = u[row] - wanted[row]
        for k in range(n):
            total += W[row * n + k] * (new[k] - rest[k] - y[n_q + k])
        c[i] = total
        for j in range(m):
            total = 0.0
            for k in range(n):
                total += W[row * n + k] * response[used[j] * n + k]
            G[i * m + j] = total


def finish(sizes, touch, gaps, y, new, u, bias, W, rdot, h, impulses, works, facts):
    """Work of the impulses, and whether contacts were hit faster than one step explains.

    Behind the works of all rows lies that of drives.
    """
    n, n_q, m = sizes[N_V], sizes[N_Q], sizes[N_ROWS]
    works[m] = 0.0
    for i in range(m):
        works[i] = 0.0
        if impulses[i] != 0.0:
            change = 0.0
            for k in range(n):
                change += W[i * n + k] * (new[k] - y[n_q + k])
            works[i] = 0.5 * impulses[i] * (2.0 * u[i] + change)
            drift = u[i]
            for k in range(n):
                drift -= W[i * n + k] * y[n_q + k]
            works[m] -= drift * impulses[i]
    facts[HAS_IMPACT] = 0.0
    for k in range(sizes[N_TOUCH]):
        if is_closed(k, touch, gaps) and touch[TOUCH * k + HAS_GAP]:
            row = touch[TOUCH * k + NORMAL]
            force = 0.0
            for i in range(n):
                force += W[row * n + i] * rdot[i]
            change = abs(force) + abs(bias[row])
            if impulses[row] > 0.0 and u[row] < -2.0 * h * change - APPROACH_SPEED:
                facts[HAS_IMPACT] = 1.0


def impulses_of(
    sizes, n_groups, used, kind, start, rows, normal, D, limits, impulses, w, iw, facts
):  # fmt: skip
    """Impulses of the rows that take part; tell whether their equations are solved.

    ``w`` holds matrix, right side and impulses, then memory of the solver.
    """
    m, most = used[sizes[N_ROWS]], sizes[N_ROWS]
    r = part(w, most * most + most)
    report = part(w, most * most + 2 * most)
    for i in range(m):
        r[i] = impulses[used[i]] if m > _EXACT else 0.0
    solve_dense(
        m, w, part(w, most * most), n_groups, kind, start, rows, normal, D, limits, r, _TOLERANCE,
        part(report, 3), iw, report,
    )  # fmt: skip
    facts[WORST] = report[RESIDUAL]
    if not report[RESIDUAL] <= _TOLERANCE or report[APPROACH] > _STOPPED * report[SIZE]:
        return False
    for i in range(most):
        impulses[i] = 0.0
    for i in range(m):
        impulses[used[i]] = r[i]
    return True


def left_over(sizes, y, new, before, vdot, B, impulses, h, theta, rest):
    """What is left of (CT-6) without impulses, to rest; return the largest with them."""
    n, n_q = sizes[N_V], sizes[N_Q]
    error = 0.0
    for i in range(n):
        rest[i] = new[i] - y[n_q + i] - h * (theta * vdot[i] + (1.0 - theta) * before[i])
        caused = 0.0
        for k in range(sizes[N_ROWS]):
            caused += B[k * n + i] * impulses[k]
        error = max(error, abs(rest[i] - caused))
    return error


def largest(x, n):
    """Largest size of some numbers."""
    most = 0.0
    for i in range(n):
        most = max(most, abs(x[i]))
    return most


def to_end(sizes, code, quaternions, y, new, q, v, t, qdot, now, h, theta):
    """Positions at the end of a step with velocities ``new``, and these, where functions read."""
    n_q = sizes[N_Q]
    for i in range(n_q):
        q[i] = y[i]
    for i in range(sizes[N_V]):
        v[i] = theta * new[i] + (1.0 - theta) * y[n_q + i]
    t[0] = now + 0.5 * h
    evaluate(code, RATES, sizes)
    move(sizes, quaternions, y, h, qdot, q)
    for i in range(sizes[N_V]):
        v[i] = new[i]
    t[0] = now + h


def to_middle(sizes, code, quaternions, y, q, v, t, qdot, vdot, before, now, h):
    """Rows in the middle of a step; accelerations at its start to ``before``."""
    n_q = sizes[N_Q]
    for i in range(n_q):
        q[i] = y[i]
    for i in range(sizes[N_V]):
        v[i] = y[n_q + i]
    t[0] = now
    evaluate(code, RATES, sizes)
    for i in range(sizes[N_V]):
        before[i] = vdot[i]
    move(sizes, quaternions, y, 0.5 * h, qdot, q)
    t[0] = now + 0.5 * h
    evaluate(code, ROWS, sizes)


def overlaps(sizes, touch, gaps, u):
    """Tell whether contacts that do not approach overlap by more than is left at rest."""
    for k in range(sizes[N_TOUCH]):
        row = touch[TOUCH * k + NORMAL]
        deep = row >= 0 and touch[TOUCH * k + HAS_GAP] and not gaps[k] >= -2.0 * RESTS
        if deep and not u[row] < -APPROACH_SPEED:
            return 1.0
    return 0.0


@native("aaaapppppppppppppppppppdddpppppa")
def moreau_jean_step(
    sizes, code, touch, quaternions, y, q, v, t, qdot, vdot, gaps, u, bias, capacity, W, B, rdot,
    end_gaps, end_u, by_v, by_q, e, last, now, h, theta, impulses, new, works, facts, w, iw,
):  # fmt: skip
    """Advance the state y by h, or leave the step to others; impulses, works and facts are written.

    ``last`` are impulses to start from; ``w`` and ``iw`` are memory (see `room`). ``new`` has the
    velocities after the step, y gets them too.
    """
    n, m, n_q = sizes[N_V], sizes[N_ROWS], sizes[N_Q]
    before, rest, wanted = w, part(w, n), part(w, 2 * n)
    D, limits, response = part(wanted, m), part(wanted, 2 * m), part(wanted, 5 * m)
    problem = part(response, n * m + n * n + n)
    used, place, kind = iw, part(iw, m + 1), part(iw, 2 * m + 1)
    start, rows, normal = part(iw, 3 * m + 1), part(iw, 4 * m + 2), part(iw, 5 * m + 2)
    pivots, more = part(iw, 6 * m + 2), part(iw, 6 * m + 2 + n)
    to_middle(sizes, code, quaternions, y, q, v, t, qdot, vdot, before, now, h)
    if not is_usable(sizes, u, bias, capacity, W, B):
        return LEFT
    if not wanted_into(sizes, touch, gaps, u, capacity, W, B, e, wanted):
        return LEFT
    if sizes[IS_MOVED]:
        t[0] = now + h
        evaluate(code, ROWS_AT_END, sizes)
        for i in range(m):
            wanted[i] -= end_u[i] - u[i]  # velocities that drives have at the end
    n_groups = groups_into(
        sizes, touch, gaps, capacity, h, used, place, kind, start, rows, normal, D, limits
    )
    for i in range(n):
        new[i] = y[n_q + i] + h * before[i]
    for i in range(m):
        impulses[i] = 0.0
    error = 1e300
    for turn in range(_NEWTON + 1):
        to_end(sizes, code, quaternions, y, new, q, v, t, qdot, now, h, theta)
        if turn == _NEWTON:
            break
        if theta > 0.0:
            evaluate(code, RATES, sizes)
        old = error
        end = vdot if theta > 0.0 else before
        error = left_over(sizes, y, new, before, end, B, impulses, h, theta, rest)
        if turn > 0 and error <= 1e-14 * (1.0 + largest(new, n)):
            break
        if turn > 1 and error >= old:
            break
        if not responses_into(sizes, code, h, theta, rest, B, by_v, by_q, response, pivots):
            return LEFT
        problem_into(sizes, y, new, rest, u, W, wanted, response, used, problem)
        for i in range(m):
            impulses[i] = last[i] if turn == 0 else impulses[i]
        if not impulses_of(
            sizes, n_groups, used, kind, start, rows, normal, D, limits, impulses, problem, more,
            facts,
        ):  # fmt: skip
            return LEFT
        for i in range(n):
            new[i] -= rest[i]
            for k in range(m):
                new[i] += response[k * n + i] * impulses[k]
    if not largest(new, n) < 1e100:
        return LEFT
    finish(sizes, touch, gaps, y, new, u, bias, W, rdot, h, impulses, works, facts)
    facts[HAS_OVERLAP] = 0.0
    if sizes[LOOKS_FOR_OVERLAPS]:
        evaluate(code, ROWS_AT_END, sizes)
        facts[HAS_OVERLAP] = overlaps(sizes, touch, end_gaps, end_u)
    for i in range(n_q):
        y[i] = q[i]
    for i in range(n):
        y[n_q + i] = new[i]
    return DONE


def room(n_v: int, n_rows: int) -> tuple[int, int]:
    """Numbers and integers that a step needs as memory."""
    numbers, integers = dense_room(n_rows)
    problem = n_rows * n_rows + 2 * n_rows + 3
    matrices = 3 * n_v + 6 * n_rows + n_v * n_rows + n_v * n_v
    return matrices + problem + numbers, 6 * n_rows + 2 + n_v + integers
