"""Sources of flow."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid(density=850.0, viscosity=0.03, bulk_modulus=1e9, air=0.0)


@pytest.mark.parametrize("flow", [1e-4, lambda t: 1e-4 + 1e-3 * t])
def test_volumes_and_junctions_take_the_same_flow(flow):
    finals = []
    for node in (hy.Junction(FLUID), hy.Volume(FLUID, 1e-7)):
        model = jd.Model("flow")
        oil = model.group("oil")
        T, a = oil.add("T", hy.Tank(FLUID)), oil.add("a", node)
        oil.add("source", hy.FlowSource(T, a, flow))
        oil.add("hose", hy.Line(a, T, length=0.01, diameter=0.002))
        start = {"oil.hose.volume.rate": 1e-4}
        sol = jd.simulate(model, 0.2, start=start)
        assert sol.values("oil.source.flow")[0] == 1e-4
        finals.append([sol.values(n)[-1] for n in ("oil.hose.flow", "oil.a.pressure")])
    np.testing.assert_allclose(finals[0], finals[1], rtol=1e-5)
