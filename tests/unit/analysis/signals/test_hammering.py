"""Pulses and load spectra (5.F50, 5.V35)."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.signals import Gamma, Signal, load_spectrum, pulses
from jourdain.errors import ModelError


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_spectrum_of_a_sample(seed):
    """5.V35: n within 3 % and the load at 99 % within 3 % of (ln 100/a)^(1/n)."""
    u = np.random.default_rng(seed).random(20000)
    found = load_spectrum((-np.log(u) / 0.02) ** (1.0 / 1.2), "N")
    assert found.exponent == pytest.approx(1.2, rel=0.03)
    assert found.load(0.99) == pytest.approx(93.0065, rel=0.03)
    assert found.exceeded(found.load(0.99)) == pytest.approx(200.0)
    assert found.misfit < 0.02


def test_hits_of_two_kinds_tell_that_they_do_not_fit():
    """Small rebounds beside hits of one size: the spectrum guesses, the count does not."""
    peaks = np.concatenate([np.linspace(1.0, 3.0, 60), np.linspace(90.0, 110.0, 60)])
    found = load_spectrum(peaks, "N")
    assert found.load(0.99) > 300.0
    assert found.misfit > 0.15
    t = np.arange(2.0 * len(peaks) + 1.0)
    values = np.zeros(len(t))
    values[1::2] = peaks
    assert pulses(Signal(t, values, "F", "N")).load(0.99) == pytest.approx(np.quantile(peaks, 0.99))


def test_pulses_of_half_sines():
    t = np.linspace(0.0, 10.0, 100001)
    found = pulses(Signal(t, np.sin(2.0 * np.pi * t + 0.5), "F", "N"))
    assert len(found) == 9  # those cut by the ends do not count
    np.testing.assert_allclose(found.duration, 0.5, atol=1e-7)
    np.testing.assert_allclose(found.period, 1.0, atol=1e-7)
    np.testing.assert_allclose(found.peak, 1.0, atol=1e-7)
    assert "9 pulses of 'F'" in repr(found)
    assert len(pulses(Signal(t, np.sin(2.0 * np.pi * t), "F", "N"), level=2.0)) == 0


def test_gamma_by_moments():
    """Density with the mean and variance of the sample."""
    x = np.random.default_rng(5).gamma(3.0, 0.2, 50000)
    found = Gamma.of(x)
    assert found.shape == pytest.approx(3.0, rel=0.05)
    assert found.scale == pytest.approx(0.2, rel=0.05)
    grid = np.linspace(1e-4, 8.0, 200001)
    p = found.density(grid)
    assert np.trapezoid(p, grid) == pytest.approx(1.0, abs=1e-6)
    assert np.trapezoid(p * grid, grid) == pytest.approx(x.mean(), rel=1e-6)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (lambda: load_spectrum([1.0, 1.0]), "three or more different pulses, not 1"),
        (lambda: load_spectrum("loads"), "give their peaks"),
        (lambda: load_spectrum(1e4 + 1e-9 * np.arange(50.0)), "too much alike for a load spectrum"),
        (lambda: pulses(Signal(np.arange(3.0), np.zeros(3), "F", "N")).load(), "'F' has no pulse"),
        (lambda: load_spectrum([1.0, 2.0, 3.0]).load(1.0), "between 0 and 1"),
        (lambda: Gamma.of([1.0]), "two or more different numbers"),
        (lambda: jd.signals.pulses([1.0]), "no solution"),
    ],
)
def test_wrong_input(made, text):
    with pytest.raises(ModelError, match=text):
        made()
