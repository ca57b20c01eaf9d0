"""Leakage gaps: 5.V13 and 5.V31."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.library.hydraulics.lines.gap import Ring, overlap
from jourdain.results.audit import energy_balance

FLUID = hy.Fluid(viscosity=0.02)
CASES = [
    (7.5e-3, 50e-6, (1.2312752e-7, 1.1820242e-7), (1.2312762e-7, 1.1794062e-7)),
    (7.5e-3, 0.5e-3, (1.2680908e-4, 1.2173672e-6), (1.2681788e-4, 1.1911854e-6)),
    (1e-3, 0.5e-3, (2.0453077e-5, 1.9634954e-7), (2.0508792e-5, 1.7009829e-7)),
]


@pytest.mark.parametrize(("radius", "height", "plane", "annular"), CASES)
def test_plane_and_annular_gap(radius, height, plane, annular):
    """5.V31: 20 mm long, 1 bar, the piston moves with 0.1 m/s."""
    for is_plane, (pressed, dragged) in ((True, plane), (False, annular)):
        ring = Ring(FLUID, radius, height, is_plane=is_plane)
        assert 1e5 * ring.conductance(0.02) == pytest.approx(pressed, rel=5e-8)
        assert 0.1 * ring.dragged == pytest.approx(dragged, rel=5e-8)


def test_series_of_thin_gaps_go_over_into_the_whole_formula():
    """Both forms agree where one takes over from the other."""
    thin, thick = (Ring(FLUID, 1.0, 1e-2 * (1.0 + k)) for k in (-1e-9, 1e-9))
    assert thin._is_thin
    assert not thick._is_thin
    for of in (lambda r: r.conductance(0.02), lambda r: r.dragged, lambda r: r.resistance(0.02)):
        assert of(thin) == pytest.approx(of(thick), rel=1e-8)


@pytest.mark.parametrize("is_plane", [True, False])
@pytest.mark.parametrize(("radius", "height"), [(1.0, 1e-5), (7.5e-3, 50e-6), (1e-3, 5e-4)])
def test_velocity_profile(radius, height, is_plane):
    """G, D and B are those of μ (u'' + u'/r) = −Δp/l between the walls, by quadrature."""
    ring, r, h, mu, length = Ring(FLUID, radius, height, 0.0, is_plane), radius, height, 0.02, 0.02
    for drop, speed in ((1e5, 0.0), (0.0, 0.1), (3e4, -0.2)):
        x, w = np.polynomial.legendre.leggauss(20)
        y, w = 0.5 * h * (x + 1.0), 0.5 * h * w
        k = drop / (mu * length)
        if is_plane:
            u = speed * (1.0 - y / h) + 0.5 * k * y * (h - y)
            slope, around, wall = -speed / h + 0.5 * k * h, r + 0.5 * h, r + 0.5 * h
        else:  # y(2r + y) is (r + y)² − r², without loss of digits
            whole, part = np.log1p(h / r), np.log1p(y / r)
            u = speed * (1.0 - part / whole)
            u = u + 0.25 * k * (h * (2 * r + h) * part / whole - y * (2 * r + y))
            slope = -speed / (r * whole) + 0.25 * k * (h * (2 * r + h) / (r * whole) - 2 * r)
            around, wall = r + y, r
        flow = (2.0 * np.pi * around * u * w).sum()
        force = mu * slope * 2.0 * np.pi * wall * length
        G, D, B = ring.conductance(length), ring.dragged, ring.resistance(length)
        assert G * drop + D * speed == pytest.approx(flow, rel=1e-7)
        assert D * drop - B * speed == pytest.approx(force, rel=1e-7)


@pytest.mark.parametrize(
    ("share", "factor"), [(0.25, 1.09375), (0.5, 1.375), (0.75, 1.84375), (1.0, 2.5)]
)
def test_eccentric_gap(share, factor):
    """5.V13: the mean of h³."""
    rings = [Ring(FLUID, 7.5e-3, 5e-6, e) for e in (share, 0.0)]
    ratio = rings[0].conductance(0.02) / rings[1].conductance(0.02)
    assert ratio == pytest.approx(factor, rel=1e-12)


def piston(**changes):
    model = jd.Model("piston", gravity=(0, 0, 0))
    model.add_coordinate("piston", 0.1, unit="m")
    oil = model.group("oil")
    S, T = oil.add("S", hy.PressureSource(FLUID, 1e5)), oil.add("T", hy.Tank(FLUID))
    wall = jd.Coordinate("piston")
    sizes = {"radius": 10e-3, "height": 5e-6, "length": 0.02}
    oil.add("gap", hy.Gap(S, T, **sizes | changes, wall=wall))
    return model


@pytest.mark.parametrize("column", [False, True])
def test_a_moving_wall_drags_oil_and_feels_it(column):
    """Speed → D Δp/B with the rate B/m; the flow is G Δp + D v; what is lost is G Δp² + B v²."""
    ring = Ring(FLUID, 10e-3, 5e-6)
    G, D, B = ring.conductance(0.02), ring.dragged, ring.resistance(0.02)
    flowing = {"oil.gap.volume.rate": G * 1e5 + D * 0.1} if column else {}
    start = {"piston.rate": 0.1} | flowing
    sol = jd.simulate(piston(column=column), 0.02, start=start, sample=1e-5)
    last = D * 1e5 / B
    v = last + (0.1 - last) * np.exp(-B / 0.1 * sol.time)
    off = 5e-5 if column else 1e-7  # the column lags a little behind
    np.testing.assert_allclose(sol.values("piston.rate"), v, rtol=off)
    np.testing.assert_allclose(sol.values("oil.gap.flow"), G * 1e5 + D * v, rtol=off)
    loss = G * 1e10 + B * v**2
    np.testing.assert_allclose(sol.values("oil.gap.loss"), loss, rtol=off)
    balance = energy_balance(sol)
    assert balance.largest < 1e-8 * balance.exchanged


def test_length_that_varies():
    """5.V31: lands [0, 20] and [5, 30] mm; the flow falls as the faces slide over each other."""
    lands = (0.0, 0.02), (0.005, 0.03)
    assert [float(overlap(*lands, 1e-4, x)) for x in (0.0, 0.012, -0.018)] == pytest.approx(
        [0.015, 0.018, 1e-4]
    )
    model = piston(length=lambda at: overlap(*lands, 1e-4, at.coordinate("piston")))
    sol = jd.simulate(model, 0.02, start={"piston.rate": 0.5})
    x, v = sol.values("piston"), sol.values("piston.rate")
    length = 0.015 + np.minimum(x, 0.005) - np.maximum(x - 0.01, 0.0)
    assert x[-1] > 2e-3
    ring = Ring(FLUID, 10e-3, 5e-6)
    flow = ring.conductance(length) * 1e5 + ring.dragged * v
    np.testing.assert_allclose(sol.values("oil.gap.flow"), flow, rtol=1e-9)
