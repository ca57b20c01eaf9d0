"""Recorded arithmetic: machine code and plain Python do what the same operations on floats do."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.codegen.kernel import address
from jourdain.codegen.tape import LIMIT, Tape, carry_out
from jourdain.equations.constraints.multipliers import DEPENDENT, Factored
from jourdain.solvers.native import native

in_machine_code = native("ppa")(carry_out)


def in_python(x, results, program):
    """The loop as it is written."""
    return carry_out(x, results, program.tolist())


def compiled(x, results, program):
    """The loop as machine code."""
    return in_machine_code(*map(address, (x, results, program)))


@pytest.fixture(params=[in_python, compiled])
def carried_out(request):
    """Carry out a tape on given numbers; gives the results."""

    def run(tape, numbers, n_results):
        x, results = np.zeros(tape.size), np.full(n_results, np.nan)
        x[: len(numbers)] = numbers
        request.param(x, results, tape.program())
        return results

    return run


def test_every_operation(carried_out):
    a, b, c = 3.0, -5.0, 2.0
    tape = Tape(3)
    found = [tape.product(0, 1), tape.less(None, 0, 1), tape.more(None, 0, 2), tape.inverse(1)]
    found += [tape.less(tape.product(0, 0), 1, 2), tape.more(tape.product(0, 0), 1, 2)]
    found += [tape.plus(tape.product(0, 0), 1), tape.minus(tape.product(0, 0), 1)]
    found += [tape.negative(2), tape.largest(tape.largest(None, 2), 1), tape.largest(None, 1)]
    for place, cell in enumerate([*found, None]):
        tape.give(place, cell)
    wanted = [a * b, -a * b, a * c, 1 / b, a * a - b * c, a * a + b * c, a * a + b, a * a - b]
    wanted += [-c, abs(b), abs(b), 0.0]
    np.testing.assert_array_equal(carried_out(tape, [a, b, c], len(wanted)), wanted)


def test_a_pivot_below_its_size_counts_as_zero(carried_out):
    tape = Tape(3)
    tape.give(0, tape.pivot(0, 1))
    tape.give(1, tape.pivot(2, 1))
    numbers = [2.0 * DEPENDENT, 1.0, 0.5 * DEPENDENT]
    np.testing.assert_array_equal(carried_out(tape, numbers, 2), [1.0 / numbers[0], 0.0])


def test_operations_keep_their_order_where_it_matters(carried_out):
    """A cell is read before and after it is written to, and written to twice."""
    tape = Tape(2)
    first = tape.product(0, 1)
    kept = tape.product(first, 1)
    tape.less(first, 0, 0)
    later = tape.product(first, 1)
    tape.more(first, later, kept)
    for place, cell in enumerate((first, kept, later)):
        tape.give(place, cell)
    a, b = 1.5, -0.25
    changed = a * b - a * a
    kept, later = a * b * b, changed * b
    np.testing.assert_allclose(
        carried_out(tape, [a, b], 3), [changed + kept * later, kept, later], rtol=1e-15
    )


def test_an_elimination_of_random_rows(carried_out, rng):
    """Two chains on the ground, rows between them, one of them twice: dense algebra agrees."""
    order, supports = [0, 1, 2, 3], {0: [], 1: [0], 2: [], 3: [2]}
    M = np.zeros((4, 4))
    for pair in ([0, 1], [2, 3]):
        A = rng.normal(size=(2, 2))
        M[np.ix_(pair, pair)] = A @ A.T + 2.0 * np.eye(2)
    P = rng.normal(size=(2, 4))
    P = np.vstack([P, P[0]])
    f, gamma = rng.normal(size=4), rng.normal(size=2)
    gamma = np.append(gamma, gamma[0])
    numbers: list[float] = []

    def cell(x):
        numbers.append(float(x))
        return len(numbers) - 1

    entries = {(k, i): cell(M[k, i]) for k in order for i in [*supports[k], k]}
    rows = [{k: cell(x) for k, x in enumerate(row)} for row in P]
    sizes = [{k: cell(x * x) for k, x in enumerate(row)} for row in P]
    forces, biases = {k: cell(x) for k, x in enumerate(f)}, [cell(x) for x in gamma]
    tape = Tape(len(numbers))
    vdot, _ = Factored(entries, rows, sizes, order, supports, tape).reactions(forces, biases)
    for k in order:
        tape.give(k, vdot[k])
    K = np.block([[M, -P[:2].T], [P[:2], np.zeros((2, 2))]])
    wanted = np.linalg.solve(K, np.concatenate([f, -gamma[:2]]))[:4]
    np.testing.assert_allclose(carried_out(tape, numbers, 4), wanted, rtol=1e-11)


def test_places_of_the_last_cell_fit():
    tape = Tape(LIMIT - 2)
    tape.give(5, tape.product(LIMIT - 3, 0))
    word = int(tape.program()[3])
    assert (word >> 42, (word >> 21) % LIMIT, word % LIMIT) == (LIMIT - 1, LIMIT - 3, 0)
