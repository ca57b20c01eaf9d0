"""Integrals of a body: sums over points, other frames and coordinates, consistent masses."""

from dataclasses import fields

import numpy as np
import pytest
from scipy.sparse import csr_array
from tests.unit.model.flexible.test_place import random_place

from jourdain.model.flexible.integrals import integrals, integrals_of


def _equal(one, other):
    for f in fields(one):
        a, b = getattr(one, f.name), getattr(other, f.name)
        assert np.allclose(a, b, rtol=1e-12, atol=1e-12 * np.abs(b).max(initial=1.0)), f.name


@pytest.fixture
def points():
    rng = np.random.default_rng(1)
    return [(float(rng.uniform(0.1, 2.0)), random_place(rng)) for _ in range(7)]


def test_another_frame_of_the_body(points):
    root = random_place(np.random.default_rng(2))
    seen = integrals([(mass, place.seen_from(root)) for mass, place in points])
    _equal(integrals(points).seen_from(root), seen)


def test_other_coordinates(points):
    Z = np.random.default_rng(3).normal(size=(3, 2))
    _equal(
        integrals(points).in_terms_of(Z),
        integrals([(mass, place.in_terms_of(Z)) for mass, place in points]),
    )


def test_masses_may_be_a_matrix(points):
    mass = np.array([m for m, _ in points])
    x, A, B = (np.array([getattr(p, name) for _, p in points]) for name in ("x", "A", "B"))
    for matrix in (np.diag(mass), csr_array(np.diag(mass))):
        _equal(integrals_of(matrix, x, A, B), integrals(points))
