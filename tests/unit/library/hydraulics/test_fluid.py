"""The fluid and its air."""

import numpy as np
import pytest

from jourdain.library import hydraulics as hy

BAR = hy.ATMOSPHERE  # the reference pressure of 4.F2, there 1 bar; all moduli scale with it
MIXED = hy.Fluid(air=0.01, bulk_modulus=1.4e9 * BAR / 1e5, exponent=1.0)


@pytest.mark.parametrize(
    ("bar", "modulus", "digit"),
    [(0.1, 0.109, 1e-3), (1, 9.93, 0.01), (5, 211.0, 1.0), (10, 580.0, 1.0), (100, 1380.0, 10.0)],
)
def test_oil_with_air(bar, modulus, digit):
    """4.V2: 1 % of air at 1 bar; the numbers of 4.F2 to their last digit, the formula to 1e-12."""
    found = MIXED.stiffness((bar - 1.0) * BAR) * 1e5 / BAR
    assert found == pytest.approx(1e6 * modulus, abs=0.5e6 * digit)
    liquid, air = 0.99 * np.exp(-(bar - 1.0) / 1.4e4), 0.01 / bar
    assert found == pytest.approx(1e5 * (liquid + air) / (liquid / 1.4e4 + air / bar), rel=1e-12)


def test_limits_of_oil_with_air():
    """4.V2: the oil alone at high pressure, p V = const at low pressure, and the air between both.

    A junction that may cavitate (4.F5) has the volume of the liquid: off by the air alone.
    """
    oil = hy.Fluid(air=0.01, bulk_modulus=1.4e9, exponent=1.0)
    assert oil.stiffness(1e9) == pytest.approx(1.4e9, rel=1e-3)
    low = np.array([1e-6, 2e-6, 4e-6]) * BAR
    hyperbola = low * (oil.share(low - BAR) - 0.99)
    np.testing.assert_allclose(hyperbola, hyperbola[0], rtol=1e-3)
    pressures = np.geomspace(0.5, 1e3, 40) * BAR - BAR
    off = oil.share(pressures) - 0.99 * np.exp(-pressures / 1.4e9)
    assert (off > 0.0).all()
    assert (off <= 0.01 * BAR / (pressures + BAR) + 1e-15).all()


def test_stiffness_belongs_to_the_volume():
    """E = −v dp/dv, and the energy is the integral of p/E."""
    oil, h = hy.Fluid(air=0.02), 1e-4
    for p in (-9e4, -5e4, 1e3, 1e5, 1e6, 3e7):
        step = h * (p + hy.ATMOSPHERE)
        near = [p + k * step for k in (-1, 1)]
        slope = np.diff([float(oil.share(x)) for x in near])[0] / (2.0 * step)
        assert oil.stiffness(p) == pytest.approx(-oil.share(p) / slope, rel=1e-6)
        power = np.diff([float(oil.energy(x)) for x in near])[0] / (2.0 * step)
        assert power == pytest.approx(p / oil.stiffness(p), rel=1e-5)


def test_energy_below_vacuum_is_that_of_vacuum():
    """Pressures between samples may be interpolated below it; the energy there was not a number."""
    oil = hy.Fluid(air=0.005)
    least = oil.energy(1e-6 - 101325.0)
    assert np.isfinite(least)
    assert oil.energy(-101325.0) == oil.energy(-2e5) == least
    assert oil.energy(10.0 - 101325.0) < least  # above, it is as it was
