"""Long lines: 4.V3, 4.V4, 4.V5."""

from fractions import Fraction
from math import factorial

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.library.hydraulics.lines.elastic_line import friction_factor, shapes
from jourdain.results.audit import energy_balance

FLUID = hy.Fluid(density=850.0, bulk_modulus=1e9, viscosity=0.0, air=0.0)
SPEED = np.sqrt(1e9 / 850.0)


def test_open_line():
    """4.V4: c/2L, 2c/2L, 3c/2L; the first function is constant."""
    exact = np.pi**2 * np.arange(4) ** 2
    found = [shape.eigenvalue for shape in shapes(24)[:4]]
    np.testing.assert_allclose(found, exact, rtol=1e-6, atol=1e-12)
    assert shapes(24)[0].ends == pytest.approx((1.0, 1.0))
    assert shapes(24)[0].mass == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("functions", "errors"), [(8, (2e-8, 2e-5, 6e-4)), (12, (5e-10, 5e-7, 1.2e-5))]
)
def test_closed_and_open_line(functions, errors):
    """4.V4: c/4L, 3c/4L, 5c/4L where Q(L) = 0; 27.116308, 81.35008, 135.6496 Hz."""
    every = shapes(functions)
    M = np.diag([s.mass for s in every])
    K = np.diag([s.mass * s.eigenvalue for s in every])
    row = np.array([[s.ends[1] for s in every]])
    free = np.linalg.svd(row)[2][1:].T
    values = np.linalg.eigvals(np.linalg.solve(free.T @ M @ free, free.T @ K @ free))
    hertz = np.sqrt(np.sort(values.real)) * SPEED / (2 * np.pi * 10.0)
    exact = SPEED / 40.0 * np.array([1.0, 3.0, 5.0])
    np.testing.assert_array_less(np.abs(hertz[:3] / exact - 1.0), errors)
    if functions == 8:
        np.testing.assert_allclose(hertz[:3], (27.116308, 81.35008, 135.6496), rtol=1e-6)


def test_why_splines_and_not_cosines():
    """4.V4: cosines have no slope at the closed end; there they come near with 1/n only."""
    np.testing.assert_allclose(shapes_in_hertz(24)[1:4], (54.2326, 108.465, 162.698), rtol=1e-5)
    for n, found, off in ((4, None, 0.061), (8, 27.8689, 0.028), (32, 27.2919, 0.0065)):
        k = np.arange(n)
        M, K = np.diag(np.where(k == 0, 1.0, 0.5)), np.diag(0.5 * (np.pi * k) ** 2)
        free = np.linalg.svd(np.array([(-1.0) ** k]))[2][1:].T  # Q(L) = 0
        values = np.linalg.eigvals(np.linalg.solve(free.T @ M @ free, free.T @ K @ free))
        first = np.sqrt(values.real.min()) * SPEED / (2 * np.pi * 10.0)
        assert first / (SPEED / 40.0) - 1.0 == pytest.approx(off, rel=0.02)
        if found:
            assert first == pytest.approx(found, rel=1e-5)


def shapes_in_hertz(functions):
    """Frequencies of an open line of 10 m, 4.V4."""
    oil = jd.Model("pipe").group("oil")
    T, U = oil.add("T", hy.Tank(FLUID)), oil.add("U", hy.Tank(FLUID))
    return oil.add("pipe", hy.ElasticLine(T, U, 10.0, 0.02, functions=functions)).frequencies()


@pytest.mark.parametrize(
    ("k", "exact", "fitted"),
    [
        (1, 1.00087, 1.00248), (2, 1.01362, 1.02016), (3, 1.06410, 1.06873),
        (4, 1.17137, 1.16410), (5, 1.32236, 1.32233), (6, 1.48951, 1.49733),
        (10, 2.17577, 2.19733), (20, 3.92709, 3.94733), (50, 9.2205, 9.1973),
        (100, 18.056, 17.947),
    ],
)  # fmt: skip
def test_friction_by_frequency(k, exact, fitted):
    """4.V3: Bessel's functions, to 1e-10 by their series; the fit of the book lies within 1 %."""
    found = friction_factor(float(k))
    assert found == pytest.approx(exact, rel=3e-5)
    assert found == pytest.approx(fitted, rel=0.01)
    if k <= 20:  # power series of J₁ and J₂, as fractions
        z2 = Fraction(k) ** 2  # −z² = i k²: the n-th term has the factor (i k²/4)ⁿ
        sums = [[Fraction(0), Fraction(0)] for _ in (1, 2)]
        for n in range(60):
            size = (z2 / 4) ** n
            part, sign = n % 2, (-1) ** (n // 2)
            for order, total in zip((1, 2), sums, strict=True):
                total[part] += sign * size / (factorial(n) * factorial(n + order))
        one, two = (complex(float(a), float(b)) for a, b in sums)
        assert found == pytest.approx((0.5 * one / two).real, rel=1e-10)  # z/4 · (2/z) S₁/S₂


def test_friction_at_the_limits():
    """4.V3: one for slow flow, the slope 1/(4 √2) for fast flow, without overflow."""
    assert friction_factor(0.0) == 1.0
    assert friction_factor(1e-3) == pytest.approx(1.0, abs=1e-12)
    assert friction_factor(1e6) / 1e6 == pytest.approx(1.0 / (4.0 * np.sqrt(2.0)), rel=1e-5)


def closing(functions, fluid=FLUID, length=10.0, **fields):
    """A line with 1 m/s whose end a valve closes at once, after 0.1 ms."""
    model = jd.Model("surge")
    oil = model.group("oil")
    T, a = oil.add("T", hy.Tank(fluid)), oil.add("a", hy.Junction(fluid))
    area = np.pi * 0.02**2 / 4.0
    sizes = {"length": length, "diameter": 0.02, "functions": functions}
    oil.add("pipe", hy.ElasticLine(T, a, **sizes, **fields))
    shut = hy.Orifice(
        a, T, lambda at: jd.maximum(1e-4 - at.t, 0.0), discharge=1e9, reynolds=0.0, length=1e-6,
        section=area,
    )  # fmt: skip
    oil.add("valve", shut)
    return model, {"oil.pipe.mode_0.rate": area, "oil.valve.volume.rate": area}


def test_surge_of_a_closed_line():
    """4.V5: Joukowsky's ρ c v = 9.2195 bar in the mean over the plateau, 1 %."""
    places = {"middle": 0.5, "near": 0.95}
    model, start = closing(40, stations=places)
    sol = jd.simulate(model, 22e-3, start=start, sample=1e-5)
    surge, t = 850.0 * SPEED * 1.0, sol.time - 1e-4
    assert surge == pytest.approx(9.2195e5, rel=1e-5)
    assert 2.0 * 10.0 / SPEED == pytest.approx(18.44e-3, rel=1e-3)
    for name, x in places.items():
        on = (t >= (1.0 - x) * 10.0 / SPEED) & (t <= (1.0 + x) * 10.0 / SPEED)
        p = sol.values(f"oil.pipe.pressure_{name}")[on]
        mean = np.trapezoid(p, t[on]) / np.ptp(t[on])
        assert mean == pytest.approx(surge, rel=0.01)
    shut = t > 1e-6
    np.testing.assert_allclose(sol.values("oil.pipe.flow_b")[shut], 0.0, atol=1e-12)
    assert next(e for e in sol.events if e.kind == "impact").name == "oil.valve.closed"
    energy = sol.values("oil.pipe.energy")
    np.testing.assert_allclose(energy[shut], energy[shut][0], rtol=1e-8)
    balance = energy_balance(sol)
    assert balance.largest < 1e-9 * balance.exchanged


def test_waves_die_out_faster_with_friction_by_frequency():
    """4.V5: with 4.F15 faster than with 4.F14; what the line loses is what its energy falls by."""
    own = hy.Fluid(density=850.0, bulk_modulus=1e9, viscosity=0.05, air=0.0)
    left = []
    for unsteady in (False, True):
        model, start = closing(12, own, unsteady=unsteady)
        sol = jd.simulate(model, 0.2, start=start, sample=2e-5)
        energy, loss = sol.values("oil.pipe.energy"), sol.values("oil.pipe.loss")
        shut = sol.time > 1.1e-4
        lost = np.trapezoid(loss[shut], sol.time[shut])
        assert energy[shut][0] - energy[-1] == pytest.approx(lost, rel=1e-4)
        left.append(energy[-1] / energy[shut][0])
    assert left[1] < 0.5 * left[0] < 0.5


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
