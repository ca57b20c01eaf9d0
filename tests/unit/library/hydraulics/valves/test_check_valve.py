"""Check valves."""

import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid(density=850.0, viscosity=0.03, bulk_modulus=1e9, air=0.0)


def test_column_and_flow_without_inertia_agree():
    """Preloaded by 1 bar, into a volume: both stop at the source less the preload."""
    finals = []
    for length in (None, 1e-4):
        model = jd.Model("filling")
        oil = model.group("oil")
        S, A = oil.add("S", hy.PressureSource(FLUID, 1e6)), oil.add("A", hy.Volume(FLUID, 1e-4))
        valve = hy.CheckValve(S, A, area=1e-6, cracking=1e5, length=length)
        oil.add("valve", valve)
        finals.append(jd.simulate(model, 0.02, sample=1e-6).values("oil.A.pressure")[-1])
    assert finals[0] == pytest.approx(9e5, rel=1e-3)
    assert finals[1] == pytest.approx(9e5, rel=0.03)  # inertia of the column overshoots, and stays


def test_it_bars_the_way_back():
    model = jd.Model("barred")
    oil = model.group("oil")
    T, A = oil.add("T", hy.Tank(FLUID)), oil.add("A", hy.Volume(FLUID, 1e-3, start=1e6))
    oil.add("valve", hy.CheckValve(T, A, area=1e-6))
    assert jd.simulate(model, 0.1).values("oil.A.pressure")[-1] == 1e6
