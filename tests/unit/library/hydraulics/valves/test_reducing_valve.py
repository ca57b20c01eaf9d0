"""Reducing valves."""

import numpy as np
import pytest
from scipy.optimize import brentq

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


def test_pressure_of_a_steady_flow():
    """Q = α A (p₀ − p)/band √(2 (p_P − p)/ρ), solved for p."""
    ideal, flow = hy.Fluid(viscosity=0.0, density=860.0), 5e-5
    model = jd.Model("reduced")
    oil = model.group("oil")
    P, T = oil.add("P", hy.PressureSource(ideal, 20e5)), oil.add("T", hy.Tank(ideal))
    A = oil.add("A", hy.Volume(ideal, 1e-4, start=7e5))
    oil.add("valve", hy.ReducingValve(P, A, T, setting=8e5, area=1e-5, band=1e5, reynolds=0.0))
    oil.add("consumer", hy.FlowSource(A, T, flow))
    sol = jd.simulate(model, 1.0)
    through = lambda p: 0.7e-5 * (8e5 - p) / 1e5 * np.sqrt(2 * (20e5 - p) / 860.0)  # noqa: E731
    p = brentq(lambda p: through(p) - flow, 7e5, 8e5)
    assert sol.values("oil.A.pressure")[-1] == pytest.approx(p, rel=1e-6)
    assert sol.values("oil.valve.flow")[-1] == pytest.approx(flow, rel=1e-6)
    assert sol.values("oil.valve.loss")[-1] == pytest.approx(flow * (20e5 - p), rel=1e-6)
