"""Compressible volumes."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.results.audit import energy_balance

FLUID = hy.Fluid(air=0.01)


def test_two_volumes_level_out_and_the_audit_closes():
    """Oil with air: what has left one is in the other; the orifice takes the lost energy."""
    model = jd.Model("levelling")
    oil = model.group("oil")
    A = oil.add("A", hy.Volume(FLUID, 1e-3, start=50e5))
    B = oil.add("B", hy.Volume(FLUID, 2e-3, start=2e5))
    oil.add("jet", hy.Orifice(A, B, area=1e-6))
    sol = jd.simulate(model, 1.0, sample=1e-4)
    pressures = [sol.values(f"oil.{n}.pressure") for n in "AB"]
    assert pressures[0][-1] == pytest.approx(pressures[1][-1], rel=1e-6)
    passed = sol.values("oil.jet.passed.volume")
    v = [np.log(FLUID.share(p)) for p in pressures]  # V dp/E = −V d ln v
    for size, logarithm, sign in zip((1e-3, 2e-3), v, (1.0, -1.0), strict=True):
        left = size * sign * (logarithm - logarithm[0])
        assert left[-1] == pytest.approx(passed[-1], rel=1e-9)
        np.testing.assert_allclose(left, passed, atol=1e-6 * passed[-1])  # between steps
    balance = energy_balance(sol)
    loss = np.trapezoid(sol.values("oil.jet.loss"), sol.time)
    energy = sol.values("energy.total")
    assert energy[0] - energy[-1] == pytest.approx(loss, rel=1e-4)
    assert balance.largest < 1e-5 * loss


def test_start_pressure_and_sealed_volume():
    model = jd.Model("sealed")
    model.group("oil").add("A", hy.Volume(FLUID, 1e-3, start=3e5))
    assert jd.simulate(model, 0.1).values("oil.A.pressure")[-1] == 3e5
