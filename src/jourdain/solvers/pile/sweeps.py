"""Impulses of closed contacts by sweeps that update the velocities of the units.

    x = x_free + B r,   −(W x + c) ∈ N_C(r)                                            (CT-16)

Each contact is solved for itself, with all others as they are: as sticking where it can stick,
else by one projection. Rolling and drilling friction is a contact of its own behind the one that
leads it, whose normal impulse limits it. Impulses are extrapolated from the first sweeps
(Anderson), which soon ends in small islands; where it does not, they keep a momentum from sweep to
sweep (Nesterov 1983) until the changes grow. No matrix of all contacts is formed: a sweep costs
what its contacts cost.
"""

from __future__ import annotations

from jourdain.codegen.translator.loops import part
from jourdain.solvers.native import native
from jourdain.solvers.nonsmooth.anderson import extrapolate
from jourdain.solvers.pile.contact import own_matrix, push, rates_into
from jourdain.solvers.timestep.large.blocks import invert
from jourdain.solvers.timestep.large.sweeps import carry_on

OWN, INVERSE, MATRICES = 0, 9, 18
"""Places in the matrices of a contact: response to itself, and its inverse."""
OPEN = 1e300
"""Velocity asked for that marks a contact as open: it takes part in the correction alone."""
DEPTH = 3
"""Sweeps from which impulses are extrapolated."""
SCRATCH = 64
"""Numbers of scratch memory of a contact."""
_LOOK = 30  # sweeps in which a small change must halve, else they end
_EARLY = 60  # sweeps that are extrapolated from; later ones have a momentum
_NEAR = 10.0  # times the tolerance: a small change


def fill(A, at, is_given):
    """Give rows that are none a response, so that the matrix has an inverse.

    A normal has one only where its impulse is given; else the contact cannot push.
    """
    own = max(A[at + 4], A[at + 8])
    if not A[at] > 0.0 and is_given:
        A[at] = own
    own = own if own > 0.0 else A[at]
    for i in range(1, 3):
        if not A[at + 4 * i] > 0.0:
            A[at + 4 * i] = own


@native("iaappppappppppppddd", is_unrolled=True)
def prepare(
    n, order, sides, arms, middle, blocks, mu, lead, e, gaps, old, r, x, A, c, w, touches, per_gap,
    slow,
):  # fmt: skip
    """Matrices of the contacts and velocities c that are asked for; start impulses act.

    Contacts whose normal has no row come with a normal impulse that is given, and keep it.

    Closed contacts ask for restitution. Others may close up to the end of the step, which is
    ``c = per_gap g``, unless they rebound faster than ``slow`` [m/s] or ``per_gap`` is zero.

    ``old`` are velocities before the step; x comes without contact and leaves with ``B r``. What
    turns is asked for with the contact that leads it.
    """
    for k in range(n):
        at = MATRICES * k
        own_matrix(k, sides, arms, middle, blocks, A, at + OWN, w)
        fill(A, at + OWN, r[3 * k] > 0.0 or lead[k] >= 0)
        invert(A, at + OWN, 3, A, at + INVERSE)
        rates_into(k, sides, arms, blocks, old, w, 0)
        c[k] = e[k] * min(w[0], 0.0)
        gap = gaps[order[k]]
        if gap > touches:
            c[k] = per_gap * gap if per_gap > 0.0 and c[k] >= -slow else OPEN
        if lead[k] >= 0:
            c[k] = c[lead[k]]
        if c[k] >= OPEN:
            r[3 * k] = 0.0
            r[3 * k + 1] = 0.0
            r[3 * k + 2] = 0.0
        if r[3 * k] > 0.0 or lead[k] >= 0:
            push(k, sides, arms, middle, blocks, r[3 * k], r[3 * k + 1], r[3 * k + 2], x)
    return 0


def slide(k, A, at, mu, low, r, w):
    """New impulses ``w[20:23]`` of a contact that opens or slides; its velocities in w[16:19].

    One projection: normal first, then friction within its disc.
    """
    n = max(low, r[3 * k] - w[16] / A[at])
    d = n - r[3 * k]
    own = max(A[at + 4], A[at + 8])
    s = r[3 * k + 1] - (w[17] + A[at + 3] * d) / own
    t = r[3 * k + 2] - (w[18] + A[at + 6] * d) / own
    size = (s * s + t * t) ** 0.5
    part = mu * n / size if size > mu * n else 1.0
    w[20] = n
    w[21] = part * s
    w[22] = part * t


def largest_own(A, k):
    """Largest response of a row of contact k to itself."""
    return max(A[MATRICES * k], A[MATRICES * k + 4], A[MATRICES * k + 8])


def length_of(A, k, lead):
    """Length [m] that makes velocities of the rows of contact k: for what turns, an arm."""
    return (largest_own(A, lead[k]) / largest_own(A, k)) ** 0.5 if lead[k] >= 0 else 1.0


def turn(k, A, at, most, r, w):
    """New impulses ``w[20:23]`` of what turns beyond its limits; its velocities in w[16:19]."""
    n = min(max(r[3 * k] - w[16] / A[at], -most), most)
    d = n - r[3 * k]
    own = max(A[at + 4], A[at + 8])
    s = r[3 * k + 1] - (w[17] + A[at + 3] * d) / own
    t = r[3 * k + 2] - (w[18] + A[at + 6] * d) / own
    size = (s * s + t * t) ** 0.5
    part = most / size if size > most else 1.0
    w[20] = n
    w[21] = part * s
    w[22] = part * t


def relax(k, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w):
    """Solve contact k with the others as they are; return the change, as a velocity.

    ``low`` are the least normal impulses: zero, but in an expansion (CT-5).
    """
    at = MATRICES * k
    if c[k] >= OPEN or not A[at] > 0.0:
        return 0.0
    rates_into(k, sides, arms, blocks, x, w, 16)
    i = at + INVERSE
    if lead[k] < 0:
        w[16] += c[k]
    n = r[3 * k] - A[i] * w[16] - A[i + 1] * w[17] - A[i + 2] * w[18]
    s = r[3 * k + 1] - A[i + 3] * w[16] - A[i + 4] * w[17] - A[i + 5] * w[18]
    t = r[3 * k + 2] - A[i + 6] * w[16] - A[i + 7] * w[17] - A[i + 8] * w[18]
    w[20] = n
    w[21] = s
    w[22] = t
    if lead[k] >= 0:
        most = mu[k] * r[3 * lead[k]]
        if not (A[i] > 0.0 and abs(n) <= most and s * s + t * t <= most * most):
            turn(k, A, at, most, r, w)
    elif not (A[i] > 0.0 and n >= low[k] and s * s + t * t <= mu[k] * mu[k] * n * n):
        slide(k, A, at, mu[k], low[k], r, w)
    n = w[20] - r[3 * k]
    s = w[21] - r[3 * k + 1]
    t = w[22] - r[3 * k + 2]
    if n == 0.0 and s == 0.0 and t == 0.0:
        return 0.0
    r[3 * k] = w[20]
    r[3 * k + 1] = w[21]
    r[3 * k + 2] = w[22]
    push(k, sides, arms, middle, blocks, n, s, t, x)
    return max(abs(n), abs(s), abs(t)) * largest_own(A, k) * length_of(A, k, lead)


def take(first, last, r, y):
    """Impulses of an island to the front of y."""
    for i in range(3 * (last - first)):
        y[i] = r[3 * first + i]


def roots_into(first, last, A, root):
    """Weights of the rows of an island: roots of their own responses."""
    for k in range(first, last):
        for i in range(3):
            root[3 * (k - first) + i] = A[MATRICES * k + 4 * i] ** 0.5


def guess(first, last, sides, arms, middle, blocks, mu, lead, low, c, r, x, y):
    """Take impulses from the front of y, brought into their cones."""
    for k in range(first, last):
        if c[k] < OPEN:
            i = 3 * (k - first)
            n = max(y[i], low[k])
            most = mu[k] * n
            if lead[k] >= 0:
                most = mu[k] * r[3 * lead[k]]
                n = min(max(y[i], -most), most)
            size = (y[i + 1] * y[i + 1] + y[i + 2] * y[i + 2]) ** 0.5
            part = most / size if size > most else 1.0
            s = part * y[i + 1]
            t = part * y[i + 2]
            push(
                k, sides, arms, middle, blocks, n - r[3 * k], s - r[3 * k + 1], t - r[3 * k + 2], x
            )
            r[3 * k] = n
            r[3 * k + 1] = s
            r[3 * k + 2] = t


def sweep(first, last, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w):
    """All contacts of an island, from below to above; return the largest change."""
    change = 0.0
    for k in range(first, last):
        own = relax(k, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w)
        change = max(change, own)
    return change


def solve_island(
    first, last, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w, tol, most, depth,
    state, y, root, memory,
):  # fmt: skip
    """Sweep until nothing changes but for the tolerance; return the number of sweeps."""
    n = 3 * (last - first)
    for i in range(4):
        state[i] = 0
    before = part(memory, n)
    sweeps = 0
    size, mark, theta = 1e300, 1e300, 1.0
    w[24] = 1e300
    while sweeps < most:
        sweeps += 1
        take(first, last, r, memory)
        change = sweep(first, last, sides, arms, middle, blocks, mu, lead, low, A, c, r, x, w)
        if not change > tol:
            break
        if sweeps % _LOOK == 0:
            if 2.0 * change > mark and change <= _NEAR * tol:
                break
            mark = change
        if 2 <= sweeps < min(most, _EARLY):
            take(first, last, r, y)
            size = extrapolate(y, root, n, depth, state, memory, size)
            guess(first, last, sides, arms, middle, blocks, mu, lead, low, c, r, x, y)
        elif _EARLY <= sweeps < most:
            take(first, last, r, y)
            theta = carry_on(n, theta, root, memory, before, y, part(w, 24))
            guess(first, last, sides, arms, middle, blocks, mu, lead, low, c, r, x, y)
    return sweeps
