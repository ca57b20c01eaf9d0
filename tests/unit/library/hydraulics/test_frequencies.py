"""Hydraulic frequencies."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid(density=850.0, viscosity=0.0, bulk_modulus=1e9, air=0.0)


def machine(columns=1):
    """Storage, line, volume, ram; the line in pieces that junctions join."""
    model = jd.Model("ram", gravity=(0, 0, 0))
    model.add_coordinate("ram", 1.0, unit="m")
    oil = model.group("oil")
    before = oil.add("S", hy.PressureSource(FLUID, 15e5))
    A = oil.add("A", hy.Volume(FLUID, 5e-5))
    for k in range(columns):
        last = k == columns - 1
        behind = A if last else oil.add(f"j{k}", hy.Junction(FLUID))
        oil.add(f"line{k}", hy.Line(before, behind, length=1.0 / columns, diameter=0.01))
        before = behind
    oil.add("cylinder", hy.Cylinder(A, None, jd.Coordinate("ram"), (1e-3, 0.0)))
    return model


@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize(("x", "hertz"), [(0.0, 744.0), (0.05, 526.0)])
def test_formula(columns, x, hertz):
    """4.F3 and the numbers of 4.V1; junctions between pieces of a line change nothing."""
    found = hy.hydraulic_frequencies(machine(columns), start={"ram": x})["oil.A"]
    w2 = 1e9 / (5e-5 + 1e-3 * x) * (1e-6 / 1.0 + np.pi / 4 * 1e-4 / 850.0)
    assert found == pytest.approx(np.sqrt(w2) / (2.0 * np.pi), rel=1e-9)
    assert found == pytest.approx(hertz, rel=1e-3)


def test_it_is_what_a_run_shows():
    """A disturbed pressure swings with that frequency."""
    model = machine()
    f = hy.hydraulic_frequencies(model)["oil.A"]
    sol = jd.simulate(model, 2.0 / f, sample=0.001 / f)
    ripple = np.gradient(np.gradient(sol.values("oil.A.pressure"), sol.time), sol.time)
    turns = np.flatnonzero(np.diff(np.sign(ripple)) != 0)
    half = np.diff(sol.time[turns[turns > 2]])
    assert half[0] == pytest.approx(0.5 / f, rel=0.02)


def test_advice():
    found = hy.hydraulic_frequencies(machine(), band=20.0)
    assert found.rigid == ["oil.A"]
    assert "take a Junction" in str(found)
    assert not hy.hydraulic_frequencies(machine(), band=200.0).rigid
