"""Given pressures."""

import numpy as np

import jourdain as jd
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid(density=850.0, viscosity=0.0)


def test_a_function_and_an_input_are_the_same():
    """1e5 · sin 50 t from a function, from an input, and from a tank that stands at the mean."""
    flows = []
    for source in (lambda t: 1e5 * jd.sin(50.0 * t), None):
        model = jd.Model("given")
        oil = model.group("oil")
        S, T = oil.add("S", hy.PressureSource(FLUID, source)), oil.add("T", hy.Tank(FLUID, 2e4))
        oil.add("line", hy.Line(S, T, length=1.0, diameter=0.01))
        given = {"oil.S.node.pressure": lambda t: 1e5 * jd.sin(50.0 * t)} if source is None else {}
        sol = jd.simulate(model, 0.1, inputs=given)
        flows.append(sol.values("oil.line.flow"))
    np.testing.assert_allclose(flows[0], flows[1], atol=1e-12)
    area, t = np.pi * 0.01**2 / 4.0, sol.time
    exact = area / 850.0 * (1e5 / 50.0 * (1.0 - np.cos(50.0 * t)) - 2e4 * t)
    np.testing.assert_allclose(flows[0], exact, atol=1e-9 * np.abs(exact).max())
