"""Impulses of a large island by sweeps, extrapolated from the first ones, later with a momentum.

Impulses are extrapolated from the first sweeps (Anderson), which soon ends in islands of some
bodies; where it does not, they keep a momentum from sweep to sweep (Nesterov 1983), until the
changes grow.
"""

from __future__ import annotations

from jourdain.codegen.translator.loops import part
from jourdain.solvers.nonsmooth.anderson import extrapolate
from jourdain.solvers.nonsmooth.sweeps import CONTACT
from jourdain.solvers.timestep.large.blocks import (
    bounds_into,
    error_of,
    onto_disc,
    own_matrix,
    radius_of,
    relax,
    take_impulses,
)
from jourdain.solvers.timestep.large.contacts import (
    contact_error,
    find_plain,
    plain_matrix,
    relax_contact,
    try_contact,
)
from jourdain.solvers.timestep.large.rest import stays_at_rest

DEPTH = 3
"""Sweeps from which impulses are extrapolated."""
_LOOK = 30  # sweeps in which a small change must halve, else they end
_EARLY = 60  # sweeps that are extrapolated from; later ones have a momentum
_NEAR = 10.0  # times the tolerance: a small change
_INSISTENCE = 10  # times as many sweeps where there is no solution
_UNSOLVED = 1e3  # times the tolerance: no solution
_AGAIN = 20  # sweeps of later rounds, at least, and part of the most
_PART = 0.1  # of the fastest motion, which may be left beside that
_SLOWLY = 30.0  # times the tolerance: velocities that are nearly rest
_FINER = 1e-3  # part of the tolerance that they are solved to
_FINEST, _EXACT = 1e-14, 1e-12  # parts of the velocities: a last change, and an error, of rounding


def begin_sweeps(m, s, n, b):
    """Velocities with the impulses of the step before, matrices of the groups."""
    D_inverse = m.factor.D_inverse
    for i in range(n):
        row = s.used[i]
        s.base[i] = m.u[row] + s.correction[row] - s.turn[row] - s.wanted[row]
        for p in range(m.reach_start[row], m.reach_start[row + 1]):
            k = m.reach[p]
            s.x[k] = D_inverse[k] * s.z[k]
        s.trial[i] = s.impulses[row]
        s.r[i] = 0.0
    begin_matrices(m, s, n, b)
    take_trial(m, s, b)


def begin_matrices(m, s, n, b):
    """Matrices of the groups, weights of the rows."""
    for i in range(n):
        s.root[i] = max(s.own[s.used[i]], 0.0) ** 0.5
    find_plain(m, s, b)
    for k in range(b):
        if s.plain[k]:
            plain_matrix(m, s, k)
        else:
            own_matrix(m, s, k)


def take_trial(m, s, b):
    """Take impulses ``s.trial``, brought into their sets."""
    w = s.scratch
    for k in range(b):
        if s.plain[k]:
            try_contact(m, s, k)
            continue
        at, first = s.start[k], 0
        n = s.start[k + 1] - at
        for i in range(n):
            w[8 + i] = s.trial[s.rows[at + i]] / s.D[at + i] if s.D[at + i] > 0.0 else 0.0
        if n == 1:
            bounds_into(s, k, w)
            w[8] = min(max(w[8], w[12]), w[13])
        else:
            if s.kind[k] == CONTACT:
                first = 1
                w[8] = max(w[8], s.limits[3 * k])
            onto_disc(w, first, n, radius_of(s, k, w))
        take_impulses(m, s, k, w)


def sweep(m, s, b):
    """All groups of an island once; return the largest change as a velocity."""
    change = 0.0
    for k in range(b):
        own = relax_contact(m, s, k) if s.plain[k] else relax(m, s, k, s.scratch)
        change = max(change, own)
    return change


def carry_on(n, theta, root, start, last, y, size):
    """Carry impulses y on by their momentum, beyond the results ``last`` of the sweep before.

    ``start`` is where the present sweep began, ``theta`` the number of Nesterov's sequence, which
    is returned; it begins anew, with one, where the changes in a sweep grow, of which ``size[0]``
    is the sum of squares.
    """
    new = 0.0
    for i in range(n):
        change = root[i] * (y[i] - start[i])
        new += change * change
    if new > size[0]:
        theta = 1.0
    size[0] = new
    after = 0.5 * (1.0 + (1.0 + 4.0 * theta * theta) ** 0.5)
    momentum = (theta - 1.0) / after
    for i in range(n):
        result = y[i]
        y[i] += momentum * (result - last[i])
        last[i] = result
    return after


def sweep_until(m, s, n, b, tolerance, most):
    """Sweep until nothing changes but for the tolerance; return the number of sweeps."""
    for i in range(4):
        s.history[i] = 0
    memory, before = s.memory, part(s.memory, n)
    sweeps, size, mark, theta = 0, 1e300, 1e300, 1.0
    s.scratch[24] = 1e300
    while sweeps < most:
        sweeps += 1
        for i in range(n):
            memory[i] = s.r[i]
        change = sweep(m, s, b)
        if not change > tolerance:
            break
        if sweeps % _LOOK == 0:
            if 2.0 * change > mark and change <= _NEAR * tolerance:
                break
            mark = change
        if 2 <= sweeps < most:
            for i in range(n):
                s.trial[i] = s.r[i]
            if sweeps < _EARLY:
                size = extrapolate(s.trial, s.root, n, DEPTH, s.history, memory, size)
            else:
                theta = carry_on(n, theta, s.root, memory, before, s.trial, part(s.scratch, 24))
            take_trial(m, s, b)
    return sweeps


def largest_error(m, s, b):
    """Largest natural map of an island [m/s]."""
    most = 0.0
    for k in range(b):
        own = contact_error(m, s, k) if s.plain[k] else error_of(m, s, k, s.scratch)
        most = max(most, own)
    return most


def sweep_island(m, s, island, n, b):
    """Impulses r of the n used rows in b groups; tell whether they are a solution."""
    begin_sweeps(m, s, n, b)
    if stays_at_rest(m, s, island, n):
        error = largest_error(m, s, b)
        if error <= s.tolerance:
            s.sleeps[island] = 1
            s.error = max(s.error, error)
            return True
    tolerance, fastest = s.tolerance, 0.0
    for i in range(n):
        fastest = max(fastest, abs(m.u[s.used[i]]))
    if fastest <= _SLOWLY * tolerance:
        tolerance *= _FINER
    most = s.most_sweeps
    if s.rounds > 0:  # little has changed since the round before
        most = max(_AGAIN, most // _AGAIN)
    s.sweeps += sweep_until(m, s, n, b, tolerance, most)
    error = largest_error(m, s, b)
    if not is_solution(s, error, fastest):
        s.sweeps += sweep_until(m, s, n, b, tolerance, _INSISTENCE * s.most_sweeps)
        error = largest_error(m, s, b)
    s.error = max(s.error, error)
    return is_solution(s, error, fastest)


def is_solution(s, error, fastest):
    """Tell whether an error is small enough beside the fastest motion."""
    return error <= _UNSOLVED * s.tolerance + _PART * fastest


def sweep_finely(m, s, n, b):
    """Impulses r of a few used rows with an error that is rounding; tell whether that is reached.

    ``c`` are velocities without impulses.
    """
    begin_sweeps(m, s, n, b)
    size = 0.0
    for i in range(n):
        size = max(size, abs(s.c[i]))
    s.sweeps += sweep_until(m, s, n, b, _FINEST * size, s.most_sweeps)
    return largest_error(m, s, b) <= _EXACT * size
