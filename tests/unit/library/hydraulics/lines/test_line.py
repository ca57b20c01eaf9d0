"""Lines: 5.V30."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.library.hydraulics.lines.line import PipeLoss, friction_number

RHO, BORE = 850.0, 0.01
AREA = np.pi * BORE**2 / 4.0
FLUID = hy.Fluid(density=850.0, viscosity=0.03, bulk_modulus=1e9, air=0.0)


@pytest.mark.parametrize(
    ("re", "roughness", "friction"),
    [
        (1e3, 0.0, 0.0640000),
        (2300.0, 0.0, 0.0308401),
        (1e4, 0.0, 0.0310021),
        (1e4, 1e-3, 0.0326902),
        (1e5, 0.0, 0.0178748),
        (1e5, 1e-3, 0.0223432),
        (1e6, 0.0, 0.0116124),
        (1e6, 1e-3, 0.0200220),
    ],
)
def test_friction_of_churchill(re, roughness, friction):
    """5.V30."""
    assert friction_number(re, roughness) / re == pytest.approx(friction, abs=6e-8)
    flow = re * AREA * 0.03 / (RHO * BORE)
    loss = PipeLoss(FLUID, 2.0, BORE, 0.0, 0.0, roughness=roughness * BORE)
    expected = friction * 2.0 / BORE * RHO / 2 * (flow / AREA) ** 2
    for sign in (1.0, -1.0):
        assert loss.drop(sign * flow) == pytest.approx(sign * expected, rel=6e-6)


@pytest.mark.parametrize("flow", [0.0, 1e-12, 1e-5, -3e-4])
def test_slow_flow_is_laminar(flow):
    """Hagen–Poiseuille, also at rest."""
    loss = PipeLoss(FLUID, 2.0, BORE, 0.0, 0.0)
    linear = 128.0 * 0.03 * 2.0 * flow / (np.pi * BORE**4)
    assert loss.drop(flow) == pytest.approx(linear, rel=1e-6, abs=1e-30)


def test_start_of_laminar_flow():
    """5.V30: v = v∞ (1 − exp(−t/τ)) with τ = D²/32ν = 0.0212766 s, v∞ = 0.8343763 m/s, Re = 142."""
    own = hy.Fluid(density=RHO, viscosity=2.35e-5 * RHO)
    model = jd.Model("tube")
    oil = model.group("oil")
    S, T = oil.add("S", hy.PressureSource(own, 1e4)), oil.add("T", hy.Tank(own))
    oil.add("tube", hy.Line(S, T, length=0.3, diameter=4e-3))
    sol = jd.simulate(model, 0.2)
    v = sol.values("oil.tube.flow") / (np.pi * 4e-6)
    exact = 0.8343763 * (1.0 - np.exp(-sol.time / 0.0212766))
    np.testing.assert_allclose(v, exact, rtol=1e-6, atol=1e-7)
    assert v[-1] * 4e-3 / 2.35e-5 == pytest.approx(142.0, abs=0.05)


def test_height_and_fittings():
    """A column that rises 2 m stands still under ρ g 2 m; fittings take ζ ρ/2 v²."""
    model = jd.Model("riser")
    oil = model.group("oil")
    S, T = oil.add("S", hy.PressureSource(FLUID, RHO * 9.81 * 2.0)), oil.add("T", hy.Tank(FLUID))
    oil.add("riser", hy.Line(S, T, length=3.0, diameter=BORE, rise=2.0))
    np.testing.assert_allclose(jd.simulate(model, 1.0).values("oil.riser.flow"), 0.0, atol=1e-15)
    with_bends, without = (PipeLoss(FLUID, 2.0, BORE, z, 0.0).drop(-1e-4) for z in (3.0, 0.0))
    assert with_bends - without == pytest.approx(-3.0 * RHO / 2 * (1e-4 / AREA) ** 2)
