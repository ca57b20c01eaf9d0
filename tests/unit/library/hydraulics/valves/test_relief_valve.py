"""Relief valves."""

import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid(density=850.0, viscosity=0.03, bulk_modulus=1e9, air=0.0)


@pytest.mark.parametrize("column", [{}, {"length": 0.02, "section": 1e-4}])
def test_pressure_of_a_steady_flow(column):
    """Cracking pressure and flow over slope, with a column and without."""
    model = jd.Model("guarded")
    oil = model.group("oil")
    T, P = oil.add("T", hy.Tank(FLUID)), oil.add("P", hy.Volume(FLUID, 1e-3))
    oil.add("source", hy.FlowSource(T, P, 4e-4))
    oil.add("relief", hy.ReliefValve(P, T, cracking=1e7, slope=4e-10, **column))
    sol = jd.simulate(model, 0.3)
    assert sol.values("oil.P.pressure")[-1] == pytest.approx(1.1e7, rel=1e-6)
    assert sol.values("oil.relief.loss")[-1] == pytest.approx(4e-4 * 1.1e7, rel=1e-6)
