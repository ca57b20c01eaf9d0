"""Orthogonal rows against exact arithmetic, as expressions and as a list of operations."""

from fractions import Fraction

import casadi as ca
import numpy as np
import pytest
from oracles.rational import accelerations

from jourdain.codegen.tape import Tape, carry_out
from jourdain.equations.constraints.orthogonal import OrthogonalFactored

RATIOS = [1.0, 1e6, 1e12, 1e-12, 1e16]
P = [[1, 1, 1], [1, 0, 0], [2, 1, 1]]  # a junction, a closed valve, and their sum


def expressions(M, rows, f, bias):
    entries = {(i, i): ca.SX(x) for i, x in enumerate(M)}
    listed = [{k: ca.SX(x) for k, x in enumerate(row) if x} for row in rows]
    sizes = [{k: x * x for k, x in row.items()} for row in listed]
    order = list(range(len(M))), {k: [] for k in range(len(M))}
    factored = OrthogonalFactored(entries, listed, sizes, *order)
    vdot, multipliers = factored.accelerations(dict(enumerate(map(ca.SX, f))), bias)
    numbers = [float(ca.DM(ca.SX(vdot[k]))) for k in range(len(M))]
    return np.array(numbers), np.array([float(ca.DM(ca.SX(x))) for x in multipliers])


def operations(M, rows, f):
    numbers = []

    def cell(x):
        numbers.append(float(x))
        return len(numbers) - 1

    entries = {(i, i): cell(x) for i, x in enumerate(M)}
    listed = [{k: cell(x) for k, x in enumerate(row) if x} for row in rows]
    sizes = [{k: cell(x * x) for k, x in enumerate(row) if x} for row in rows]
    forces, biases = {k: cell(x) for k, x in enumerate(f)}, [cell(0.0) for _ in rows]
    order = list(range(len(M))), {k: [] for k in range(len(M))}
    tape = Tape(len(numbers))
    factored = OrthogonalFactored(entries, listed, sizes, *order, tape)
    vdot, _ = factored.reactions(forces, biases)
    for k in range(len(M)):
        tape.give(k, vdot[k])
    cells, found = np.zeros(tape.size), np.zeros(len(M))
    cells[: len(numbers)] = numbers
    carry_out(cells, found, tape.program())
    return found


@pytest.mark.parametrize("ratio", RATIOS)
def test_a_light_column_behind_a_closed_valve(ratio):
    M, f = [1.0 / ratio, 1.0, 2.0], [-0.3, 1.0, 0.5]
    wanted = accelerations([Fraction(x) for x in M], P, [Fraction(x) for x in f])
    found, multipliers = expressions(M, P, f, [0.0] * 3)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-14)
    assert sum(multipliers == 0.0) == 1  # the repeated row carries nothing
    np.testing.assert_allclose(M * found - f, np.array(P).T @ multipliers, rtol=0, atol=1e-14)
    np.testing.assert_allclose(operations(M, P, f), wanted, rtol=0, atol=1e-14)


def test_rows_with_biases_and_coupled_masses(rng):
    """A dense mass matrix: as dense algebra."""
    A = rng.normal(size=(3, 3))
    M, rows = A @ A.T + 3.0 * np.eye(3), rng.normal(size=(2, 3))
    f, gamma = rng.normal(size=3), rng.normal(size=2)
    entries = {(i, j): ca.SX(M[i, j]) for i in range(3) for j in range(i + 1)}
    listed = [{k: ca.SX(x) for k, x in enumerate(row)} for row in rows]
    sizes = [{k: x * x for k, x in row.items()} for row in listed]
    factored = OrthogonalFactored(entries, listed, sizes, [0, 1, 2], {0: [], 1: [0], 2: [0, 1]})
    vdot, multipliers = factored.accelerations(dict(enumerate(map(ca.SX, f))), list(gamma))
    K = np.block([[M, -rows.T], [rows, np.zeros((2, 2))]])
    wanted = np.linalg.solve(K, np.concatenate([f, -gamma]))
    found = [float(ca.DM(ca.SX(x))) for x in (*(vdot[k] for k in range(3)), *multipliers)]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    change = factored.correction([0.7, -0.2])
    dv = np.array([float(ca.DM(ca.SX(change[k]))) for k in range(3)])
    np.testing.assert_allclose(rows @ dv, [-0.7, 0.2], rtol=1e-12)
