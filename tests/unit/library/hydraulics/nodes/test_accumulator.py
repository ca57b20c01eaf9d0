"""Accumulators."""

import warnings

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid(air=0.0)


@pytest.mark.parametrize("exponent", [1.0, 1.4])
def test_gas_law_and_energy(exponent):
    """P V^κ stays; what the source has given, p Q, is stored."""
    model = jd.Model("storage")
    oil = model.group("oil")
    T = oil.add("T", hy.Tank(FLUID))
    part = hy.Accumulator(FLUID, gas=1e-3, precharge=50e5, exponent=exponent, neck=1e-12)
    S = oil.add("S", part)
    oil.add("source", hy.FlowSource(T, S, 5e-4))
    sol = jd.simulate(model, 1.0, sample=1e-3)
    gas = 1e-3 - sol.values("oil.source.passed.volume")
    absolute = sol.values("oil.S.pressure") + hy.ATMOSPHERE
    expected = (50e5 + hy.ATMOSPHERE) * (1e-3 / gas) ** exponent
    np.testing.assert_allclose(absolute, expected, rtol=1e-6)
    given = np.trapezoid(sol.values("oil.source.power"), sol.time)
    stored = sol.values("oil.S.energy")
    assert stored[-1] - stored[0] == pytest.approx(given, rel=1e-5)


def charged(method):
    """An accumulator that is pumped up from below its precharge: pressure at the end."""
    model = jd.Model("storage")
    oil = model.group("oil")
    T = oil.add("T", hy.Tank(FLUID))
    S = oil.add("S", hy.Accumulator(FLUID, gas=2e-3, precharge=50e5, start=0.0))
    oil.add("source", hy.FlowSource(T, S, 1e-4))
    return float(jd.simulate(model, 8.0, method=method).values("oil.S.pressure")[-1])


def test_charged_from_below_its_precharge():
    """The neck takes V ln(...) of the oil first; time steps that miss that are told of."""
    neck = 2e-5 * 50e5 / FLUID.bulk_modulus
    gas = 2e-3 - (8e-4 - neck)
    for _ in range(20):  # the oil in the neck is pressed on
        p = (50e5 + hy.ATMOSPHERE) * (2e-3 / gas) ** 1.4 - hy.ATMOSPHERE
        gas = 2e-3 - (8e-4 - 2e-5 * p / FLUID.bulk_modulus)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert charged(None) == pytest.approx(p, rel=1e-6)
        assert charged(jd.EventDriven()) == pytest.approx(p, rel=1e-6)
    told = r"'oil.S' holds 5.6e-05 m\^3 of oil more or less.* 50 bar.*jd.EventDriven"
    with pytest.warns(jd.errors.DoubtWarning, match=told):
        assert charged(jd.MoreauJean(1e-3)) > 1.05 * p


def test_empty_below_its_precharge():
    model = jd.Model("storage")
    oil = model.group("oil")
    S = oil.add("S", hy.Accumulator(FLUID, gas=1e-3, precharge=50e5, start=60e5))
    oil.add("jet", hy.Orifice(S, oil.add("T", hy.Tank(FLUID)), area=1e-5))
    sol = jd.simulate(model, 1.0)
    assert sol.values("oil.S.pressure")[-1] == pytest.approx(0.0, abs=10.0)
