"""Complementary pivoting against enumeration."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.solvers.nonsmooth.lemke import enumerate_lcp, lemke


def test_nothing_to_do():
    found = lemke(np.eye(2), np.array([1.0, 0.0]))
    assert found.is_solved
    assert found.pivots == 0
    np.testing.assert_array_equal(found.z, 0.0)


def test_positive_definite_problems_have_the_one_solution(rng):
    for _ in range(50):
        J = rng.normal(size=(5, 5))
        skew = rng.normal(size=(5, 5))
        M, q = J @ J.T + skew - skew.T, rng.normal(size=5)
        (expected,) = enumerate_lcp(M, q)
        np.testing.assert_allclose(lemke(M, q).z, expected, atol=1e-9)


def test_ties_do_not_cycle():
    """Kostreva's matrix: Murty's pivoting without a rule against cycling runs forever."""
    M = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]])
    found = lemke(M, -np.ones(3))
    np.testing.assert_allclose(found.z, 1.0 / 3.0, rtol=1e-14)


def test_badly_scaled_rows_and_columns_do_not_matter(rng):
    J = rng.normal(size=(6, 6))
    M, q = J @ J.T, rng.normal(size=6)
    a, b = 10.0 ** rng.uniform(-8, 8, 6), 10.0 ** rng.uniform(-8, 8, 6)
    z = lemke(a[:, None] * M * b, a * q).z
    np.testing.assert_allclose(b * z, lemke(M, q).z, atol=1e-9)


def test_infeasible_problems_end_on_a_ray():
    found = lemke(-np.eye(2), np.array([-1.0, 1.0]))
    assert not found.is_solved


def test_too_few_pivots_are_no_solution():
    assert not lemke(np.eye(4), -np.arange(1.0, 5.0), max_pivots=2).is_solved


def test_enumeration_finds_all_isolated_solutions():
    """-z + 1 = w on one row: z = 0 and z = 1."""
    found = sorted(float(z[0]) for z in enumerate_lcp(np.array([[-1.0]]), np.array([1.0])))
    assert found == pytest.approx([0.0, 1.0])
