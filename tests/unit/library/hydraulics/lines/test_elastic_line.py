"""Long lines: 4.V3, 4.V4, 4.V5."""

import numpy as np
import pytest
from scipy.special import jv

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.library.hydraulics.lines.elastic_line import friction_factor, shapes

FLUID = hy.Fluid(density=850.0, bulk_modulus=1e9, viscosity=0.0, air=0.0)
SPEED = np.sqrt(1e9 / 850.0)


def test_open_line():
    """4.V4: c/2L, 2c/2L, 3c/2L; the first function is constant."""
    exact = np.pi**2 * np.arange(4) ** 2
    found = [shape.eigenvalue for shape in shapes(24)[:4]]
    np.testing.assert_allclose(found, exact, rtol=1e-6, atol=1e-12)
    assert shapes(24)[0].ends == pytest.approx((1.0, 1.0))
    assert shapes(24)[0].mass == pytest.approx(1.0)


def test_closed_and_open_line():
    """4.V4 with 8 functions: 27.116308, 81.35008, 135.6496 Hz where Q(L) = 0."""
    every = shapes(8)
    M = np.diag([s.mass for s in every])
    K = np.diag([s.mass * s.eigenvalue for s in every])
    row = np.array([[s.ends[1] for s in every]])
    free = np.linalg.svd(row)[2][1:].T
    values = np.linalg.eigvals(np.linalg.solve(free.T @ M @ free, free.T @ K @ free))
    hertz = np.sqrt(np.sort(values.real)) * SPEED / (2 * np.pi * 10.0)
    np.testing.assert_allclose(hertz[:3], (27.116308, 81.35008, 135.6496), rtol=1e-6)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 6, 10, 20, 50, 100])
def test_friction_by_frequency(k):
    """4.V3: within 1 % of the exact ratio with Bessel functions."""
    z = k * np.sqrt(-1j)
    exact = (z / 4.0 * jv(1, z) / jv(2, z)).real
    assert friction_factor(float(k)) == pytest.approx(exact, rel=0.01)


def test_surge_of_a_closed_line():
    """4.V5: a line of 10 m with 1 m/s stops at a junction: ρ c v in the mean over 2L/c."""
    model = jd.Model("surge")
    oil = model.group("oil")
    T, a = oil.add("T", hy.Tank(FLUID)), oil.add("a", hy.Junction(FLUID))
    area = np.pi * 0.02**2 / 4.0
    oil.add("pipe", hy.ElasticLine(T, a, length=10.0, diameter=0.02, functions=20))
    hold = hy.FlowSource(a, T, lambda t: area * jd.maximum(1.0 - t / 1e-4, 0.0))
    oil.add("valve", hold)
    sol = jd.simulate(model, 18e-3, start={"oil.pipe.mode_0.rate": area}, sample=1e-5)
    inside = (sol.time > 1e-3) & (sol.time < 17e-3)
    mean = sol.values("oil.a.pressure")[inside].mean()
    assert mean == pytest.approx(850.0 * SPEED * 1.0, rel=0.02)
    np.testing.assert_allclose(sol.values("oil.pipe.flow_b")[inside], 0.0, atol=1e-9)


def test_slow_flow_is_that_of_a_rigid_line():
    own = hy.Fluid(density=850.0, bulk_modulus=1e9, viscosity=0.05, air=0.0)
    finals = []
    for make in (hy.Line, hy.ElasticLine):
        model = jd.Model("slow")
        oil = model.group("oil")
        S, T = oil.add("S", hy.PressureSource(own, 1e4)), oil.add("T", hy.Tank(own))
        oil.add("pipe", make(S, T, length=1.0, diameter=0.005))
        sol = jd.simulate(model, 0.2)
        finals.append(sol.values("oil.pipe.flow" if make is hy.Line else "oil.pipe.flow_b")[-1])
    assert finals[0] == pytest.approx(np.pi * 0.005**4 * 1e4 / (128 * 0.05), rel=1e-4)
    assert finals[1] == pytest.approx(finals[0], rel=1e-4)
