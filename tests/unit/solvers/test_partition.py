"""Elimination that tells dependent from independent coordinates, uncompiled, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.solvers.ode import stepping as at
from jourdain.solvers.partition import depend

N_Q = 3


class Memory:
    """Arrays of a run with random rows, some of which repeat others or hold velocities only."""

    def __init__(self, rng, m=5, n_v=6, rank=3):
        self.m, self.n_v = m, n_v
        left, right = (np.linalg.qr(rng.normal(size=(n, n)))[0] for n in (m, n_v))
        self.P = left[:, :rank] @ right[:rank]
        self.scale = rng.uniform(0.5, 2.0, n_v)
        self.B, self.drift = rng.normal(size=(N_Q, n_v)), rng.normal(size=N_Q)
        self.wanted = rng.normal(size=n_v) * 1e-3
        self.position, self.velocity = self.P @ self.wanted, 2.0 * self.P @ self.wanted
        self.holds = np.ones(m)
        n = N_Q + n_v
        self.start = 3 * n
        self.ip, self.dp = np.zeros(at.N_INTEGERS + m + n_v, dtype=int), np.zeros(at.N_DOUBLES)
        self.ip[[at.N_Q, at.N_V, at.N_ROWS]] = N_Q, n_v, m
        self.ip[at.AT_PROJECTION], self.ip[at.AT_ORDER] = self.start, at.N_INTEGERS
        self.ip[at.AT_PARTITION] = self.start + n + 2
        self.dp[at.KEEP] = 0.1
        self.w = self.filled()
        self.ip[at.AT_SIZES] = self.start - 2 * n  # in y_new and y_stage, which are zero here

    def filled(self):
        parts = self.P, self.position, self.velocity, self.holds, self.B, self.drift, self.scale
        head = np.zeros(self.start + N_Q + self.n_v + 2)
        work = np.zeros(self.m * self.n_v + self.m + 3 * self.n_v)
        return np.concatenate([head, *(np.ravel(x) for x in parts), work])

    def depend(self, level):
        depend(self.w, self.ip, self.dp, level)
        changes = self.w[self.start : self.start + N_Q + self.n_v]
        x = self.w[-3 * self.n_v :][: self.n_v]
        flags = self.w[-2 * self.n_v :].reshape(2, -1)[level]
        return changes[:N_Q], changes[N_Q:], x, flags


@pytest.fixture(params=[1, 3, 5])
def memory(request, rng):
    return Memory(rng, rank=request.param)


def test_velocities_lose_their_errors(memory):
    _, dv, x, flags = memory.depend(1)
    np.testing.assert_allclose(memory.P @ x, -memory.velocity, atol=1e-12)
    np.testing.assert_allclose(dv, memory.scale * x)
    assert flags.sum() == np.linalg.matrix_rank(memory.P)
    assert np.all(x[flags == 0] == 0.0)


def test_positions_follow(memory):
    dq, _, x, flags = memory.depend(0)
    np.testing.assert_allclose(memory.P @ x, -memory.position, atol=1e-12)
    np.testing.assert_allclose(dq, memory.drift + memory.B @ x)
    assert np.all(x[flags == 0] == 0.0)


def test_rows_of_velocities_do_not_hold_positions(rng):
    memory = Memory(rng)
    memory.holds[[0, 1, 2, 4]] = 0.0
    memory.w = memory.filled()
    _, _, x, flags = memory.depend(0)
    assert flags.sum() == 1
    np.testing.assert_allclose(memory.P[3] @ x, -memory.position[3], atol=1e-12)


def test_the_choice_is_kept_until_it_is_poor():
    """One row (a, b): the first column depends while a is at least a tenth of b."""
    memory = Memory(np.random.default_rng(1), m=1, n_v=2, rank=1)
    seen = []
    for a, b in ((0.9, 0.5), (0.2, 0.9), (0.08, 0.9), (0.5, 0.9), (0.9, 0.06)):
        memory.w[memory.ip[at.AT_PARTITION] :][:2] = a, b
        seen.append(list(memory.depend(1)[3]))
    assert seen == [[1, 0], [1, 0], [0, 1], [0, 1], [1, 0]]
    assert memory.ip[at.N_CHANGES] == 2


def test_the_projection_stays_where_no_choice_is_good():
    memory = Memory(np.random.default_rng(1), m=1, n_v=2, rank=1)
    memory.w[memory.ip[at.AT_PARTITION] :][:2] = 0.01, 0.02
    memory.w[memory.start : memory.start + N_Q + 2] = np.arange(N_Q + 2)
    dq, dv, *_ = memory.depend(1)
    np.testing.assert_array_equal([*dq, *dv], np.arange(N_Q + 2))


@pytest.mark.parametrize(("correction", "is_kept"), [(2e-6, True), (0.5e-6, False)])
def test_the_projection_stays_where_errors_exceed_the_tolerance(correction, is_kept):
    memory = Memory(np.random.default_rng(1), m=1, n_v=2, rank=1)
    memory.dp[at.RTOL] = 1e-6
    n = N_Q + memory.n_v
    memory.w[memory.start - n : memory.start] = 1e-6  # absolute tolerances
    place = memory.start + N_Q
    memory.w[place] = correction
    _, dv, *_ = memory.depend(1)
    assert (dv[0] == correction) == is_kept
