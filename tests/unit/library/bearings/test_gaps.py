"""Gaps, pads and Sommerfeld's torque (3.F22, 3.V17)."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import bearings


@pytest.mark.parametrize(
    ("eps", "factor"),
    [(0.0, 2.0), (0.2, 2.16131448), (0.5, 3.07920144), (0.8, 5.75757576), (0.95, 12.3799338)],
)
def test_factor_of_sommerfeld(eps, factor):
    """3.V17: full Sommerfeld integral."""
    unit = np.pi * 0.018**3 * 0.02 * 0.02 * 300.0 / 20e-6
    found = bearings.sommerfeld_torque((0.018, 0.02, 20e-6, 0.02), 300.0, eps)
    assert found / unit == pytest.approx(factor, rel=1e-8)


def test_gap_is_couette_plus_poiseuille():
    """Profile u(y) = u y/h + (Δp/2ηl) y (h − y), its flow and its slope at the moving wall."""
    h, length, width, eta, speed, drop = 1e-4, 0.1, 0.05, 0.02, 0.7, 3e5
    y = np.linspace(0.0, h, 20001)
    u = speed * y / h + drop / (2.0 * eta * length) * y * (h - y)
    film = bearings.GapFilm(h, length, width, eta)
    assert film.flow(speed, drop) == pytest.approx(width * np.trapezoid(u, y), rel=1e-7)
    slope = (3.0 * u[-1] - 4.0 * u[-2] + u[-3]) / (2.0 * (y[1] - y[0]))
    assert film.shear(speed, drop) == pytest.approx(eta * slope, rel=1e-6)


def test_force_of_a_pad_is_its_pressure():
    """12 η l² V̇/h³ for the width b with V̇ b of it to each side: p falls in a line."""
    l, h, b, eta, flow = 0.05, 1e-4, 0.3, 0.02, 2e-6
    film = bearings.GapFilm(h, l, b, eta)
    feed = 0.5 * 2.0 * flow / film.flow(drop=1.0)  # pressure in the middle, V̇ to each side
    force = feed * l * b  # mean pressure feed/2 over 2 l b
    model = jd.Model("slide", gravity=(0, 0, 0))
    x = jd.Coordinate(model.add_coordinate("x", 1.0, unit="m"))
    model.add("pad", bearings.HydrostaticPad(x, l, flow, eta))
    run = jd.simulate(model, 1e-6, start={"x": h})
    assert run.values("pad.load")[0] == pytest.approx(force, rel=1e-4)


def test_small_motions_of_a_pad():
    """Frequency by the stiffness 3 F/h; an opening gap that takes up oil damps it."""
    model = jd.Model("slide", gravity=(0, 0, 0))
    x = jd.Coordinate(model.add_coordinate("x", 50.0, unit="m"))
    part = bearings.HydrostaticPad(x, 0.05, flow=1e-6, viscosity=0.02, area=1e-4)
    model.add("pad", part)
    model.add_connection("weight", x, jd.Force(-500.0))
    rest = jd.equilibrium(model, {"x": 1e-4})
    height = rest["x"]
    assert 12.0 * 0.02 * 0.05**2 * 1e-6 / height**3 == pytest.approx(500.0, rel=1e-9)
    (mode,) = jd.eigenmodes(model, rest)
    damping = 12.0 * 0.02 * 0.05**2 * 1e-4 / height**3
    omega = np.sqrt(part.stiffness(height) / 50.0)
    assert mode.damping_ratio == pytest.approx(damping / (2.0 * 50.0 * omega), rel=1e-6)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (lambda: bearings.GapFilm(0.0, 1.0, 1.0, 1.0), "height of GapFilm"),
        (lambda: bearings.sommerfeld_torque((1, 1, 1, 1), 1.0, 1.0), "give a part of the gap"),
        (lambda: bearings.HydrostaticPad(0.1, 0.05, 1e-6, 0.02), "give the height of the gap"),
        (lambda: bearings.HydrostaticPad(jd.Coordinate("x"), 0.05, 0.0, 0.02), "flow of Hydro"),
    ],
)
def test_wrong_input(made, text):
    with pytest.raises(ModelError, match=text):
        made()
