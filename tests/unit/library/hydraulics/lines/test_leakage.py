"""Laminar leakage."""

import numpy as np

import jourdain as jd
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid(bulk_modulus=1e9, air=0.0)


def test_a_volume_empties_as_an_exponential():
    """dp/dt = −E G p/V; the energy goes where the loss says."""
    model = jd.Model("leak")
    oil = model.group("oil")
    A, T = oil.add("A", hy.Volume(FLUID, 1e-3, start=1e7)), oil.add("T", hy.Tank(FLUID))
    oil.add("leak", hy.Leakage(A, T, 1e-11))
    sol = jd.simulate(model, 0.3)
    np.testing.assert_allclose(
        sol.values("oil.A.pressure"), 1e7 * np.exp(-1e9 * 1e-11 / 1e-3 * sol.time), rtol=1e-6
    )
    lost = np.trapezoid(sol.values("oil.leak.loss"), sol.time)
    stored = sol.values("oil.A.energy")
    np.testing.assert_allclose(stored[0] - stored[-1], lost, rtol=1e-5)
