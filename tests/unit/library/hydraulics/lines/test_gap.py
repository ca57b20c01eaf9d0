"""Leakage gaps: 5.V13 and 5.V31."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.library.hydraulics.lines.gap import Ring

FLUID = hy.Fluid(viscosity=0.02)
CASES = [
    (7.5e-3, 50e-6, 1.2312762e-7, 1.1794062e-7),
    (7.5e-3, 0.5e-3, 1.2681788e-4, 1.1911854e-6),
    (1e-3, 0.5e-3, 2.0508792e-5, 1.7009829e-7),
]


@pytest.mark.parametrize(("radius", "height", "pressed", "dragged"), CASES)
def test_annular_gap(radius, height, pressed, dragged):
    """5.V31: 20 mm long, 1 bar, the piston moves with 0.1 m/s."""
    ring = Ring(FLUID, radius, height)
    assert 1e5 * ring.conductance(0.02) == pytest.approx(pressed, rel=1e-6)
    assert 0.1 * ring.dragged == pytest.approx(dragged, rel=1e-6)


def test_thin_gaps_are_plane():
    """Both forms agree where one takes over from the other."""
    thin, thick = (Ring(FLUID, 1.0, h) for h in (0.999e-3, 1.001e-3))
    for of in (lambda r: r.conductance(0.02) / r.height**3, lambda r: r.dragged / r.height):
        assert of(thin) == pytest.approx(of(thick), rel=1e-3)


@pytest.mark.parametrize(
    ("share", "factor"), [(0.25, 1.09375), (0.5, 1.375), (0.75, 1.84375), (1.0, 2.5)]
)
def test_eccentric_gap(share, factor):
    """5.V13: the mean of h³."""
    rings = [Ring(FLUID, 7.5e-3, 5e-6, e) for e in (share, 0.0)]
    ratio = rings[0].conductance(0.02) / rings[1].conductance(0.02)
    assert ratio == pytest.approx(factor, rel=1e-12)


def test_a_moving_wall_drags_oil_and_feels_it():
    """A piston in a plane gap without pressure: η A v/h brakes it, half the speed flows along."""
    model = jd.Model("piston", gravity=(0, 0, 0))
    model.add_coordinate("piston", 0.1, unit="m")
    oil = model.group("oil")
    T, U = oil.add("T", hy.Tank(FLUID)), oil.add("U", hy.Tank(FLUID))
    wall = jd.Coordinate("piston")
    oil.add("gap", hy.Gap(T, U, radius=10e-3, height=5e-6, length=0.02, wall=wall))
    sol = jd.simulate(model, 0.02, start={"piston.rate": 0.1})
    rate = 0.02 * 2 * np.pi * 10e-3 * 0.02 / 5e-6 / 0.1  # [1/s]
    v = 0.1 * np.exp(-rate * sol.time)
    np.testing.assert_allclose(sol.values("piston.rate"), v, rtol=1e-7)
    area = 2 * np.pi * (10e-3 + 2.5e-6) * 5e-6
    np.testing.assert_allclose(sol.values("oil.gap.flow"), 0.5 * area * v, rtol=1e-6)
