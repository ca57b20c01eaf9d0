"""The fluid and its air."""

import numpy as np
import pytest

from jourdain.library import hydraulics as hy


@pytest.mark.parametrize(
    ("bar", "modulus"), [(0.1, 0.109e6), (1, 9.93e6), (5, 211e6), (10, 580e6), (100, 1.38e9)]
)
def test_oil_with_air(bar, modulus):
    """4.V2: 1 % of air at 1 bar; the values of 4.F2 belong to p₀ = 1 bar."""
    oil = hy.Fluid(air=0.01, bulk_modulus=1.4e9, exponent=1.0)
    scale = hy.ATMOSPHERE / 1e5
    assert oil.stiffness((bar - 1.0) * hy.ATMOSPHERE) == pytest.approx(modulus * scale, rel=0.02)


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
