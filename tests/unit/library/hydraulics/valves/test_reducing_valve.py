"""Reducing valves."""

import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid()


@pytest.mark.parametrize(("begin", "flow"), [(0.0, 0.0), (15e5, 0.0), (8e5, 5e-5)])
def test_pressure_comes_from_below_and_from_above(begin, flow):
    model = jd.Model("reduced")
    oil = model.group("oil")
    P, T = oil.add("P", hy.PressureSource(FLUID, 20e5)), oil.add("T", hy.Tank(FLUID))
    A = oil.add("A", hy.Volume(FLUID, 1e-4, start=begin))
    oil.add("valve", hy.ReducingValve(P, A, T, setting=8e5, area=1e-5, band=1e5))
    oil.add("consumer", hy.FlowSource(A, T, flow))
    sol = jd.simulate(model, 0.5)
    found = sol.values("oil.A.pressure")[-1]
    if flow:  # the inlet is open as far as the flow needs
        assert 7e5 < found < 7.999e5
        assert sol.values("oil.valve.PA.flow")[-1] == pytest.approx(flow, rel=1e-6)
    else:
        assert found == pytest.approx(8e5, rel=1e-3)
