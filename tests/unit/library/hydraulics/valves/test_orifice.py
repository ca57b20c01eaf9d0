"""Orifices."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.library.hydraulics.valves.orifice import Throttle

FLUID = hy.Fluid(density=850.0, viscosity=0.03, bulk_modulus=1e9, air=0.0)


def test_throttle_and_its_inverse():
    throttle = Throttle(hy.Fluid())
    for drop in (-1e7, -1e3, -1.0, 0.0, 1.0, 1e4, 1e6, 3e7):
        flow = throttle.flow(drop, 2e-6)
        assert throttle.drop(flow, 2e-6) == pytest.approx(drop, rel=1e-9, abs=1e-9)
    assert throttle.flow(1e7, 2e-6) == pytest.approx(1.4e-6 * np.sqrt(2e7 / 860.0), rel=1e-3)
    assert throttle.flow(1e7, 0.0) == 0.0


def test_ideal_fluid():
    """Without viscosity too, the slope at zero is finite, and the inverse fits."""
    throttle = Throttle(hy.Fluid(viscosity=0.0), 0.7, 0.0)
    for drop in (-1e5, -0.5, 0.0, 1e-6, 1.0, 1e3, 1e7):
        flow = throttle.flow(drop, 2e-6)
        assert throttle.drop(flow, 2e-6) == pytest.approx(drop, rel=1e-9, abs=1e-9)
    assert throttle.flow(1e5, 2e-6) == pytest.approx(1.4e-6 * np.sqrt(2e5 / 860.0), rel=1e-10)
    steep = throttle.flow(1e-9, 2e-6) / 1e-9
    assert steep == pytest.approx(1.4e-6 * np.sqrt(2.0 / 860.0), rel=1e-9)


def test_column_and_flow_without_inertia_agree():
    """An orifice with a very short column and one without: the same filling of a volume."""
    finals = []
    for length in (None, 1e-5):
        model = jd.Model("filling")
        oil = model.group("oil")
        S, A = oil.add("S", hy.PressureSource(FLUID, 1e6)), oil.add("A", hy.Volume(FLUID, 1e-3))
        oil.add("jet", hy.Orifice(S, A, area=1e-7, length=length))
        sol = jd.simulate(model, 0.05)
        finals.append(sol.values("oil.A.pressure")[-1])
    assert 1e5 < finals[0] < 9e5
    assert finals[1] == pytest.approx(finals[0], rel=1e-5)


@pytest.mark.parametrize("fluid", [FLUID, hy.Fluid(viscosity=0.0)], ids=["viscous", "ideal"])
def test_implicit_methods_take_an_opening_that_closes(fluid):
    """The slope of the flow over the area is zero, not NaN, where the area is zero."""
    model = jd.Model("closing")
    oil = model.group("oil")
    S, A = oil.add("S", hy.PressureSource(fluid, 1e6)), oil.add("A", hy.Volume(fluid, 1e-3))
    model.add_states("spool", {"x": "m"}, lambda at: -at.state("x") / 0.01)
    area = lambda at: 1e-2 * jd.maximum(at.state("spool.x") - 5e-6, 0.0)  # noqa: E731
    oil.add("edge", hy.Orifice(S, A, area))
    runs = [
        jd.simulate(model, 0.05, start={"spool.x": 1e-5}, method=m).values("oil.A.pressure")[-1]
        for m in (jd.Radau5(rtol=1e-9), jd.Dop853(rtol=1e-9))
    ]
    assert runs[0] > 100.0
    assert runs[0] == pytest.approx(runs[1], rel=1e-5)
