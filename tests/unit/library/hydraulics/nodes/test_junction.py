"""Rigid junctions."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid(density=850.0, viscosity=0.0)


@pytest.mark.parametrize("make", [hy.Junction, hy.CavitatingJunction])
def test_pressures_divide_as_inertias(make):
    """Three frictionless lines from 3, 1 and 0 bar: p = Σ p_i/I_i over Σ 1/I_i."""
    model = jd.Model("star")
    oil = model.group("oil")
    a, lengths, levels = oil.add("a", make(FLUID)), (1.0, 2.0, 0.5), (3e5, 1e5, 0.0)
    for k, (length, level) in enumerate(zip(lengths, levels, strict=True)):
        S = oil.add(f"S{k}", hy.PressureSource(FLUID, level))
        oil.add(f"line{k}", hy.Line(S, a, length=length, diameter=0.01))
    sol = jd.simulate(model, 0.01)
    expected = sum(p / x for p, x in zip(levels, lengths, strict=True)) / sum(
        1.0 / x for x in lengths
    )
    np.testing.assert_allclose(sol.values("oil.a.pressure"), expected, rtol=1e-9)
    flows = sum(sol.values(f"oil.line{k}.flow") for k in range(3))
    np.testing.assert_allclose(flows, 0.0, atol=1e-9 * np.abs(sol.values("oil.line0.flow")).max())
