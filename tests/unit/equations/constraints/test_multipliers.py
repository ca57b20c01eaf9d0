"""Sparse factorisation of constrained motion against dense algebra."""

import casadi as ca
import numpy as np
import pytest

from jourdain.equations.constraints.multipliers import Factored

CHAIN = [0, 1, 2], {0: [], 1: [0], 2: [0, 1]}


def number(x):
    return float(ca.DM(ca.SX(x)))


def factored(M, P, order=CHAIN):
    """Factors of a dense mass matrix and dense rows."""
    n = len(M)
    entries = {(i, j): ca.SX(M[i, j]) for i in range(n) for j in range(i + 1)}
    rows = [{k: ca.SX(x) for k, x in enumerate(row) if x != 0.0} for row in P]
    sizes = [{k: x * x for k, x in row.items()} for row in rows]
    return Factored(entries, rows, sizes, *order)


@pytest.fixture
def masses(rng):
    A = rng.normal(size=(3, 3))
    return A @ A.T + 3.0 * np.eye(3)


def test_accelerations_and_multipliers(masses, rng):
    P, f, gamma = rng.normal(size=(2, 3)), rng.normal(size=3), rng.normal(size=2)
    vdot, multipliers = factored(masses, P).accelerations(
        dict(enumerate(map(ca.SX, f))), list(gamma)
    )
    K = np.block([[masses, -P.T], [P, np.zeros((2, 2))]])
    wanted = np.linalg.solve(K, np.concatenate([f, -gamma]))
    np.testing.assert_allclose([number(vdot[k]) for k in range(3)], wanted[:3], rtol=1e-12)
    np.testing.assert_allclose([number(x) for x in multipliers], wanted[3:], rtol=1e-12)


def test_repeated_rows_are_dropped(masses, rng):
    """A row twice, and a sum of two rows: the motion is that of the first two alone."""
    P, f = rng.normal(size=(2, 3)), rng.normal(size=3)
    force = dict(enumerate(map(ca.SX, f)))
    vdot, _ = factored(masses, P).accelerations(dict(force), [0.3, -0.2])
    many = np.vstack([P, P[0], P.sum(axis=0)])
    again, multipliers = factored(masses, many).accelerations(force, [0.3, -0.2, 0.3, 0.1])
    np.testing.assert_allclose(
        [number(again[k]) for k in range(3)], [number(vdot[k]) for k in range(3)], rtol=1e-11
    )
    assert sum(number(x) == 0.0 for x in multipliers) == 2


def test_correction_is_the_smallest_in_the_measure_of_the_masses(masses, rng):
    P, e = rng.normal(size=(1, 3)), 0.7
    change = factored(masses, P).correction([e])
    dv = np.array([number(change[k]) for k in range(3)])
    assert P @ dv == pytest.approx(-e)
    wanted = -np.linalg.solve(masses, P.T) @ np.linalg.solve(P @ np.linalg.solve(masses, P.T), [e])
    np.testing.assert_allclose(dv, wanted, rtol=1e-12)


def test_rows_of_separate_trees_do_not_meet():
    """Two coordinates that carry nothing in common: their rows have no common entry in G."""
    order = [0, 1], {0: [], 1: []}
    entries = {(0, 0): ca.SX(2.0), (1, 1): ca.SX(5.0)}
    rows = [{0: ca.SX(1.0)}, {1: ca.SX(1.0)}]
    found = Factored(entries, rows, rows, *order)
    assert all(not ratios for _, _, ratios in found._steps)
    vdot, multipliers = found.accelerations({0: ca.SX(4.0), 1: ca.SX(1.0)}, [0.0, -3.0])
    assert [number(vdot[k]) for k in (0, 1)] == [0.0, 3.0]
    assert [number(x) for x in multipliers] == [-4.0, 14.0]
