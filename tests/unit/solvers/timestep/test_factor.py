"""Sparse factors of a step's matrix against dense algebra, on random patterns."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jourdain.solvers.timestep.factor import (
    Factor,
    entry_places,
    factor_fields,
    factorise,
    solve_lower,
    solve_upper,
)
from jourdain.solvers.timestep.ordering import order


def random_matrix(seed, repeated=False):
    """Matrix (TS-3) with few entries, and how many rows are coordinates."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 12)), int(rng.integers(0, 4))
    m = min(m, n)
    A = np.diag(rng.uniform(1.0, 2.0, n))
    for _ in range(n):
        i, j = rng.integers(0, n, 2)
        if i != j:
            A[i, j] = A[j, i] = 0.1
    P = np.zeros((m, n))
    for row in P:
        row[rng.integers(0, n, 3)] = rng.normal(size=3)
    if repeated and m:
        P = np.vstack([P, P.sum(axis=0)])
    return np.block([[A, P.T], [P, np.zeros((len(P), len(P)))]]), n


def factored(K, n):
    entries = {(i, j) for i in range(len(K)) for j in range(i + 1) if K[i, j] != 0.0}
    ordering = order(n, len(K), entries)
    fields = factor_fields(ordering, n, entries)
    f, places = Factor(**fields), sorted(entries)
    for (i, j), at in zip(places, entry_places(fields, ordering, places), strict=False):
        f.entries[at] = K[i, j]
    return f, ordering, factorise(f)


def solved(f, ordering, b):
    x = np.zeros(f.n + 1)
    x[ordering.place] = b
    solve_lower(f, x)
    solve_upper(f, x)
    return x[ordering.place]


@given(st.integers(0, 10**6))
def test_solutions(seed):
    K, n = random_matrix(seed)
    if np.linalg.cond(K) > 1e8:
        return
    f, ordering, fault = factored(K, n)
    assert fault == -1
    b = np.random.default_rng(seed).normal(size=len(K))
    np.testing.assert_allclose(K @ solved(f, ordering, b), b, atol=1e-7)


@given(st.integers(0, 10**6))
def test_a_row_that_repeats_others_is_dropped(seed):
    """Motion is that without it; its own impulse is zero."""
    K, n = random_matrix(seed, repeated=True)
    m = len(K) - n
    if m < 2 or np.linalg.cond(K[:-1, :-1]) > 1e6:
        return
    f, ordering, fault = factored(K, n)
    assert fault == -1
    b = np.zeros(len(K))
    b[:n] = np.random.default_rng(seed).normal(size=n)
    x = solved(f, ordering, b)
    np.testing.assert_allclose(x[:n], np.linalg.solve(K[:-1, :-1], b[:-1])[:n], atol=1e-6)
    assert 0.0 in x[n:].tolist()


def test_a_coordinate_without_inertia_is_named():
    K = np.array([[1.0, 1.0], [1.0, 1.0]])
    f, ordering, fault = factored(K, 2)
    assert fault == ordering.place.max()
    assert f.n == 2
