"""Extrapolation of fixed-point iterations, uncompiled."""

from __future__ import annotations

import numpy as np

from jourdain.solvers.nonsmooth.anderson import PIVOTS, extrapolate, memory_size


def iterate(g, n, depth, count):
    """Errors of an extrapolated iteration from zero."""
    state = np.zeros(PIVOTS + depth, dtype=np.int64)
    memory = np.zeros(memory_size(n, depth))
    r, last, sizes = np.zeros(n), 1e300, []
    for _ in range(count):
        memory[:n] = r
        r[:] = g(r)
        sizes.append(float(np.linalg.norm(r - memory[:n])))
        last = extrapolate(r, np.ones(n), n, depth, state, memory, last)
    return sizes


def test_linear_iterations_end_after_as_many_steps_as_unknowns(rng):
    """On a linear map it is a Krylov method: n + 1 steps, up to its damping."""
    A = rng.normal(size=(4, 4))
    A = 0.95 * A / np.linalg.norm(A, 2)
    b = rng.normal(size=4)
    sizes = iterate(lambda r: A @ r + b, 4, 5, 12)
    assert sizes[0] > 0.1
    assert sizes[-1] <= 1e-10


def test_a_short_memory_is_overwritten_in_turn(rng):
    D = np.linspace(0.0, 0.95, 30)
    sizes = iterate(lambda r: D * r + 1.0, 30, 3, 60)
    plain = D.max() ** 60
    assert sizes[-1] <= 1e-3 * plain


def test_errors_that_grow_are_forgotten():
    """An iteration that jumps: the past is dropped, and it converges afterwards."""
    calls = []

    def g(r):
        calls.append(1)
        return 0.5 * r + (100.0 if len(calls) == 5 else 1.0)

    assert iterate(g, 2, 2, 30)[-1] <= 1e-10
