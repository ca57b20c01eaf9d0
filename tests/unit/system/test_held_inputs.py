"""Held inputs: numbers, and polynomials of time."""

import numpy as np
import pytest

from jourdain.system.held_inputs import HeldPolynomial, held_value


def test_numbers_are_taken_from_their_place():
    assert held_value(1, [3.0, 5.0], 0.7) == 5.0


def test_polynomials_are_those_of_numpy():
    rng = np.random.default_rng(0)
    u = rng.normal(size=8)
    place = HeldPolynomial(start=2, count=5, step=0.25)
    for t in rng.normal(size=5):
        expected = np.polynomial.Polynomial(u[3:8])((t - u[2]) / 0.25)
        assert held_value(place, u, t) == pytest.approx(expected, rel=1e-13)
