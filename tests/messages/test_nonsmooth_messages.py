"""What a user reads when a one-step problem is posed wrongly."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.errors import ModelError, UnknownNameError
from jourdain.solvers.nonsmooth import (
    Bilateral,
    Disc,
    Friction,
    HalfLine,
    Layout,
    Problem,
    Segment,
    solve,
)


@pytest.mark.parametrize(
    ("n", "blocks", "message"),
    [
        (2, [HalfLine(0)], "row 1 belongs to 0 blocks"),
        (1, [HalfLine(0), Bilateral((0,))], "row 0 belongs to 2 blocks"),
        (1, [HalfLine(1)], "names a row outside 0 … 0"),
        (2, [Bilateral((0,)), Friction(0, (1,), 0.3)], "leans on row 0, which is no HalfLine"),
        (2, [HalfLine(0), Friction(0, (1,), -0.3)], "coefficients ≥ 0"),
        (2, [HalfLine(0), Friction(0, (1,), (0.3, 0.3))], "at most one for each row"),
        (1, [Segment(0, 1.0, -1.0)], "lower limit is above the upper one"),
        (2, [Disc((0, 1), -1.0)], "a radius ≥ 0"),
    ],
)
def test_blocks_that_cannot_be(n, blocks, message):
    with pytest.raises(ModelError, match=message):
        Problem(np.eye(n), np.zeros(n), blocks)


def test_a_matrix_that_does_not_fit():
    with pytest.raises(ModelError, match=r"G of shape \(2, 3\) does not fit c of shape \(2,\)"):
        Problem(np.zeros((2, 3)), np.zeros(2), [Bilateral((0, 1))])


def test_numbers_that_are_not_finite():
    with pytest.raises(ModelError, match="not finite"):
        Problem([[np.nan]], [0.0], [HalfLine(0)])


def test_lemke_knows_no_discs():
    problem = Problem(np.eye(2), -np.ones(2), [Disc((0, 1), 1.0)])
    with pytest.raises(ModelError, match="cannot solve 1 blocks with discs or spatial friction"):
        solve(problem, method="lemke")


def test_negative_friction_in_bulk():
    with pytest.raises(ModelError, match=r"friction -0.2 of contact 1: it must be at least 0"):
        Layout.contacts(np.array([0.3, -0.2]))


def test_a_method_that_is_not_there():
    with pytest.raises(UnknownNameError, match=r"no method 'newtn' in solve.*'newton'\?"):
        solve(Problem([[1.0]], [-1.0], [HalfLine(0)]), method="newtn")


def test_a_start_that_does_not_fit():
    with pytest.raises(ModelError, match=r"r0 of shape \(2,\) does not fit c of shape \(1,\)"):
        solve(Problem([[1.0]], [-1.0], [HalfLine(0)]), np.zeros(2))
