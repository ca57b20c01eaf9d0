"""Masses augmented by constraints: weights, entries, and the multipliers they leave."""

import casadi as ca
import numpy as np
import pytest

from jourdain.equations.constraints.augmented import add_rows, filled, weights
from jourdain.equations.constraints.multipliers import Factored


def numbers(values):
    return [float(x) for x in values]


def squares(rows):
    return [{k: x * x for k, x in row.items()} for row in rows]


def test_weights_are_the_masses_set_against_a_row():
    M = {(0, 0): ca.SX(2.0), (1, 1): ca.SX(0.0), (2, 2): ca.SX(0.0)}
    rows = [{0: ca.SX(1.0), 1: ca.SX(-10.0)}, {1: ca.SX(3.0), 2: ca.SX(1.0)}]
    sizes = squares(rows)
    assert numbers(weights(M, rows, sizes)) == pytest.approx([2.0, 2.0 / 10.0])


def test_rows_of_rounding_weigh_nothing():
    """A row whose terms cancel but for rounding is dropped, and must not act as a mass."""
    M = {(0, 0): ca.SX(2.0), (1, 1): ca.SX(0.0)}
    rows = [{0: ca.SX(1e-16), 1: ca.SX(-3e-17)}, {0: ca.SX(1.0)}]
    sizes = [{0: ca.SX(1.0), 1: ca.SX(1.0)}, {0: ca.SX(1.0)}]
    assert numbers(weights(M, rows, sizes)) == [0.0, 2.0]


def test_motion_and_multipliers_are_those_of_the_whole_equations():
    rng = np.random.default_rng(3)
    mass, P = np.diag([2.0, 0.0, 3.0, 0.0]), rng.normal(size=(2, 4))
    f, gamma = rng.normal(size=4), rng.normal(size=2)
    K = np.block([[mass, -P.T], [P, np.zeros((2, 2))]])
    exact = np.linalg.solve(K, np.concatenate([f, -gamma]))
    M = {(k, k): ca.SX(mass[k, k]) for k in range(4)}
    rows = [{k: ca.SX(x) for k, x in enumerate(row)} for row in P]
    rho = weights(M, rows, squares(rows))
    whole, order, before = filled(add_rows(M, rows, rho), 4)
    sizes = [{k: ca.SX(x * x) for k, x in enumerate(row)} for row in P]
    factored = Factored(whole, rows, sizes, order, before, rho=rho)
    given = {k: ca.SX(x) for k, x in enumerate(f)}
    vdot, multipliers = factored.accelerations(given, [ca.SX(x) for x in gamma])
    found = [*(float(vdot[k]) for k in range(4)), *numbers(multipliers)]
    np.testing.assert_allclose(found, exact, rtol=1e-10)
