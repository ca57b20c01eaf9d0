"""Quadrature along dense output, against exact integrals."""

import numpy as np
import pytest

from jourdain.solvers import quadrature
from jourdain.solvers.ode import stepping as at
from jourdain.solvers.quadrature import FEW, MANY, Integrals, room_for_integrals, sum_up_to

COUNTS = (FEW, MANY)


def summed(function, x, count=FEW, length=0.7, start=2.0):
    """Integral of a function of (0, 1) up to x, over a way of some length, behind a start."""
    w = np.zeros(3 + room_for_integrals(1, 2) + 1)
    ip = np.zeros(at.N_INTEGERS, dtype=int)
    ip[at.AT_INTEGRALS], ip[at.N_INTEGRALS] = 3, 1
    own = Integrals(w, 3, [start], np.array([0.0, 1.0]), 0.0)
    assert own.now.tolist() == [start]
    assert own.samples.tolist() == [[start], [0.0]]
    first = 0 if count == FEW else FEW + FEW**2
    w[5 : 5 + count] = function(quadrature.table()[first : first + count])
    sum_up_to(w, ip, count, length, x, quadrature.sample_place(ip, 1))
    return own.samples[1, 0]


@pytest.mark.parametrize("count", COUNTS)
def test_whole_steps_are_exact_to_degree_nine_and_seventeen(count):
    for degree in range(2 * count):
        exact = 2.0 + 0.7 / (degree + 1)
        assert summed(lambda x, n=degree: x**n, 1.0, count) == pytest.approx(exact, rel=1e-13)


@pytest.mark.parametrize("count", COUNTS)
def test_parts_of_steps_are_exact_to_degree_four_and_eight(count):
    for degree in range(count):
        for x in (0.0, 0.1, 0.77):
            exact = 2.0 + 0.7 * x ** (degree + 1) / (degree + 1)
            assert summed(lambda s, n=degree: s**n, x, count) == pytest.approx(exact, rel=1e-13)


def test_higher_degrees_are_not_exact():
    assert summed(lambda x: x**10, 1.0) != pytest.approx(2.0 + 0.7 / 11, rel=1e-7)
    assert summed(lambda x: x**18, 1.0, MANY) != pytest.approx(2.0 + 0.7 / 19, rel=1e-12)
