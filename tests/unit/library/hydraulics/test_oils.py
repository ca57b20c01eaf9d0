"""Oils over temperature, and standard ones."""

from math import log10

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.library.hydraulics.oils import OILS


def nu(oil, celsius):
    """Kinematic viscosity [mm²/s]."""
    own = oil.at(celsius)
    return 1e6 * own.viscosity / own.density


@pytest.mark.parametrize("name", list(OILS))
def test_walthers_line(name):
    """Through both given values, and straight between lg T and lg lg(ν + 0.7)."""
    oil = OILS[name]
    assert nu(oil, 40.0) == pytest.approx(1e6 * oil.warm, rel=1e-9)
    assert nu(oil, 100.0) == pytest.approx(1e6 * oil.hot, rel=1e-9)
    temperatures = np.linspace(-20.0, 120.0, 15)
    x = [log10(t + 273.15) for t in temperatures]
    y = [log10(log10(nu(oil, t) + 0.7)) for t in temperatures]
    line = np.polynomial.Polynomial.fit(x, y, 1)
    np.testing.assert_allclose(line(np.array(x)), y, atol=1e-12)


def test_standard_viscosity_classes():
    """ISO VG: the number is the viscosity at 40 °C."""
    for number in (10, 15, 22, 32, 46, 68, 100):
        own = hy.standard_oil(f"HLP {number}")
        assert 1e6 * own.viscosity / own.density == pytest.approx(number)


def test_density_and_bulk_modulus():
    cold, warm = (hy.standard_oil("HLP 46", t) for t in (0.0, 60.0))
    assert cold.viscosity > 10.0 * warm.viscosity
    assert hy.standard_oil("HLP 46", 15.0).density == pytest.approx(877.0)
    assert cold.density / warm.density == pytest.approx(
        (1.0 + 7e-4 * 45.0) / (1.0 - 7e-4 * 15.0), rel=1e-12
    )
    assert hy.standard_oil("HLP 46", 40.0).bulk_modulus == pytest.approx(1.4e9)
    assert cold.bulk_modulus / warm.bulk_modulus == pytest.approx(np.exp(5.5e-3 * 60.0))


def test_a_temperature_that_is_swept():
    """A parameter: the same compiled circuit, the flow of Hagen and Poiseuille at each one."""
    celsius = jd.Parameter("temperature", 40.0)
    own = hy.standard_oil("HLP 32", celsius)
    model = jd.Model("warm")
    oil = model.group("oil")
    S, T = oil.add("S", hy.PressureSource(own, 1e4)), oil.add("T", hy.Tank(own))
    oil.add("gap", hy.Gap(S, T, radius=0.01, height=2e-5, length=0.02))
    oil.add("tube", hy.Line(S, T, length=1.0, diameter=4e-3))
    system = jd.compile(model)
    for value in (10.0, 40.0, 90.0):
        sol = jd.simulate(system, 2.0, parameters={"temperature": value})
        fixed = hy.standard_oil("HLP 32", value)
        tube = np.pi * 4e-3**4 * 1e4 / (128.0 * fixed.viscosity)
        assert sol.values("oil.tube.flow")[-1] == pytest.approx(tube, rel=1e-4)
        leak = hy.standard_oil("HLP 32").viscosity / fixed.viscosity
        nominal = jd.simulate(system, 0.5).values("oil.gap.flow")[-1]
        assert sol.values("oil.gap.flow")[-1] == pytest.approx(leak * nominal, rel=1e-9)
