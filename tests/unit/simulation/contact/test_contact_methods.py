"""Strategy objects for runs with contacts."""

import dataclasses

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.methods import EventDriven, MoreauJean, NonsmoothAlpha


def test_defaults():
    assert EventDriven() == EventDriven(jd.Dop853(rtol=1e-10), rest_speed=1e-7)
    assert MoreauJean(1e-3) == MoreauJean(1e-3, theta=0.5, corrects_positions=True)
    assert NonsmoothAlpha(1e-3) == NonsmoothAlpha(1e-3, rho=0.8)


@pytest.mark.parametrize("method", [EventDriven(), MoreauJean(1e-3), NonsmoothAlpha(1e-3)])
def test_methods_are_values(method):
    assert hash(method) == hash(dataclasses.replace(method))
    with pytest.raises(dataclasses.FrozenInstanceError):
        method.dt = 1.0
    assert str(method).startswith(type(method).__name__)


@pytest.mark.parametrize("rho", [0.0, 0.5, 1.0])
def test_spectral_radius_at_infinity(rho):
    """The matrix of a step of y'' = −Ω² y, Ω h → ∞, has the spectral radius rho."""
    a_m, a_f, gamma, beta = NonsmoothAlpha(1.0, rho).numbers
    stiff = 1e12
    # (1 − a_m) a⁺ + a_m a = −Ω² ((1 − a_f) y⁺ + a_f y) with Newmark's y⁺ and v⁺, h = 1.
    left = np.array([
        [1.0, 0.0, -beta], [0.0, 1.0, -gamma], [(1.0 - a_f) * stiff, 0.0, 1.0 - a_m],
    ])  # fmt: skip
    right = np.array([
        [1.0, 1.0, 0.5 - beta], [0.0, 1.0, 1.0 - gamma], [-a_f * stiff, 0.0, -a_m],
    ])  # fmt: skip
    radius = np.abs(np.linalg.eigvals(np.linalg.solve(left, right))).max()
    assert radius == pytest.approx(rho, abs=1e-3)  # triple eigenvalue: rounding to the power 1/3


@pytest.mark.parametrize("rho", [0.0, 0.3, 1.0])
def test_numbers_of_order_two(rho):
    a_m, a_f, gamma, beta = NonsmoothAlpha(1.0, rho).numbers
    assert gamma == pytest.approx(0.5 - a_m + a_f)
    assert beta == pytest.approx(0.25 * (1.0 - a_m + a_f) ** 2)
