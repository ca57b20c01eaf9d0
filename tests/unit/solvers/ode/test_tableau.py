from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import DOP853, RK45

from jourdain.solvers.ode import tableau

METHODS = (
    tableau.dormand_prince_5,
    tableau.tsitouras_5,
    tableau.dormand_prince_853,
    tableau.runge_kutta_4,
)
EVERY = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)


def test_dormand_prince_5_is_that_of_scipy_to_the_last_bit():
    method = tableau.dormand_prince_5()
    np.testing.assert_array_equal(method.A[:6, :5], RK45.A)
    np.testing.assert_array_equal(method.b[:6], RK45.B)
    np.testing.assert_array_equal(method.c[:6], RK45.C)
    np.testing.assert_array_equal(method.errors[0], RK45.E)
    np.testing.assert_array_equal(method.P, RK45.P)


def test_dop853_is_that_of_scipy_to_the_last_bit():
    method = tableau.dormand_prince_853()
    np.testing.assert_array_equal(method.A[:12, :12], DOP853.A)
    np.testing.assert_array_equal(method.A[13:], DOP853.A_EXTRA)
    np.testing.assert_array_equal(method.b[:12], DOP853.B)
    np.testing.assert_array_equal(method.c, [*DOP853.C, 1.0, *DOP853.C_EXTRA])
    np.testing.assert_array_equal(method.errors[:, :13], [DOP853.E5, DOP853.E3])


@EVERY
def test_stages_are_consistent(method):
    """A row of A sums up to its node, the weights to one."""
    found = method()
    np.testing.assert_allclose(found.A.sum(axis=1), found.c, atol=1e-14)
    assert found.b.sum() == pytest.approx(1.0, abs=1e-15)
    assert np.allclose(np.triu(found.A), 0.0)


@EVERY
def test_quadrature_has_the_order(method):
    found = method()
    for k in range(found.order):
        assert found.b @ found.c**k == pytest.approx(1.0 / (k + 1), abs=1e-14)


def trees(order):
    """Rooted trees of an order, each a sorted tuple of its branches."""
    found = {1: {()}}
    for n in range(2, order + 1):
        found[n] = {
            tuple(sorted((*branches, twig)))
            for k in range(1, n)
            for twig in found[k]
            for branches in found[n - k]
        }
    return [tree for n in sorted(found) for tree in found[n]]


def size(tree):
    return 1 + sum(size(branch) for branch in tree)


def density(tree):
    return size(tree) * math.prod(density(branch) for branch in tree)


def stage_weight(tree, A):
    """Product over the branches of A times their own weights."""
    return math.prod((A @ stage_weight(branch, A) for branch in tree), start=np.ones(len(A)))


@EVERY
def test_all_conditions_of_order_up_to_five(method):
    """The step satisfies b·Φ(tree) = 1/γ(tree) for every rooted tree (Butcher).

    Tsitouras printed 16 digits of numbers up to 13, whose products leave about 1e-14.
    """
    found = method()
    every = trees(min(found.order, 5))
    assert len(every) == {4: 8, 5: 17}[min(found.order, 5)]
    for tree in every:
        weight = found.b @ stage_weight(tree, found.A)
        assert weight == pytest.approx(1.0 / density(tree), abs=2e-14)


@EVERY
def test_conditions_of_the_error_estimate(method):
    """It vanishes for all trees up to its order; Dop853 has estimates of orders 5 and 3."""
    found = method()
    orders = {1: (4,), 2: (5, 3), 0: ()}[len(found.errors)]
    for row, order in zip(found.errors, orders, strict=True):
        for tree in trees(order):
            assert row @ stage_weight(tree, found.A) == pytest.approx(0.0, abs=1e-14)


@EVERY
def test_the_extension_ends_in_the_step(method):
    found = method()
    np.testing.assert_allclose(found.P.sum(axis=1), found.b, atol=1e-13)


@EVERY
def test_the_extension_is_a_quadrature_inside(method):
    """It integrates powers of the nodes up to the order of the extension."""
    found = method()
    theta = np.linspace(0.0, 1.0, 7)
    powers = theta[:, np.newaxis] ** np.arange(1, found.P.shape[1] + 1)
    weights = powers @ found.P.T
    for k in range({5: 4, 8: 7, 4: 3}[found.order]):
        np.testing.assert_allclose(weights @ found.c**k, theta ** (k + 1) / (k + 1), atol=1e-12)


def test_errors_vanish_for_polynomials():
    for method in METHODS[:3]:
        found = method()
        for row in found.errors:
            assert row.sum() == pytest.approx(0.0, abs=1e-15)
