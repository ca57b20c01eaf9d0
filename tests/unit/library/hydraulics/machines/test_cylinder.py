"""Cylinders."""

import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid(density=850.0, viscosity=0.03, bulk_modulus=1e9, air=0.0)


def test_stops_seals_and_chambers_of_a_cylinder():
    """The piston stops at its limit, the pressure then rises to that of the source."""
    model = jd.Model("ram", gravity=(0, 0, 0))
    model.add_coordinate("ram", 5.0, unit="m")
    oil = model.group("oil")
    S, T = oil.add("S", hy.PressureSource(FLUID, 1e6)), oil.add("T", hy.Tank(FLUID))
    A, B = (oil.add(n, hy.Volume(FLUID, 1e-4)) for n in "AB")
    oil.add("inlet", hy.Orifice(S, A, area=2e-5))
    oil.add("outlet", hy.Orifice(B, T, area=2e-5))
    ram = hy.Cylinder(A, B, jd.Coordinate("ram"), (1e-3, 5e-4), (0.0, 0.1), friction=20.0)
    oil.add("cylinder", ram)
    sol = jd.simulate(model, 2.0)
    assert sol.values("ram")[-1] == pytest.approx(0.1, abs=1e-9)
    assert sol.values("oil.A.pressure")[-1] == pytest.approx(1e6, rel=1e-6)
    assert sol.values("oil.B.pressure")[-1] == pytest.approx(0.0, abs=1.0)
    took = sol.values("oil.inlet.passed.volume")[-1]
    compressed = 2e-4 * 1e6 / 1e9  # of the chamber and the block
    assert took == pytest.approx(1e-4 + compressed, rel=1e-3)
    assert [e for e in sol.events if e.name == "oil.cylinder.stop_high"]
