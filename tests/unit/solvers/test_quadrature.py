"""Quadrature along dense output, against exact integrals."""

import numpy as np
import pytest

from jourdain.solvers import quadrature
from jourdain.solvers.ode import stepping as at
from jourdain.solvers.quadrature import NODES, Integrals, room_for_integrals, sum_up_to


def summed(function, x, length=0.7, start=2.0):
    """Integral of a function of (0, 1) up to x, over a way of some length, behind a start."""
    w = np.zeros(3 + room_for_integrals(1, 2) + 1)
    ip = np.zeros(at.N_INTEGERS, dtype=int)
    ip[at.AT_INTEGRALS], ip[at.N_INTEGRALS] = 3, 1
    own = Integrals(w, 3, [start], np.array([0.0, 1.0]), 0.0)
    assert own.now.tolist() == [start]
    assert own.samples.tolist() == [[start], [0.0]]
    nodes = quadrature.table()[:NODES]
    w[5 : 5 + NODES] = function(nodes)
    sum_up_to(w, ip, length, x, quadrature.sample_place(ip, 1))
    return own.samples[1, 0]


@pytest.mark.parametrize("degree", range(2 * NODES))
def test_whole_steps_are_exact_to_degree_nine(degree):
    assert summed(lambda x: x**degree, 1.0) == pytest.approx(2.0 + 0.7 / (degree + 1), rel=1e-13)


@pytest.mark.parametrize("degree", range(NODES))
def test_parts_of_steps_are_exact_to_degree_four(degree):
    for x in (0.0, 0.1, 0.77):
        exact = 2.0 + 0.7 * x ** (degree + 1) / (degree + 1)
        assert summed(lambda s: s**degree, x) == pytest.approx(exact, rel=1e-13)


def test_higher_degrees_are_not_exact():
    assert summed(lambda x: x**10, 1.0) != pytest.approx(2.0 + 0.7 / 11, rel=1e-7)
