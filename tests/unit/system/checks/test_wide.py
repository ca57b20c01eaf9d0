"""Models whose inertias differ by orders."""

import pytest

import jourdain as jd
from jourdain.system.checks.wide import has_wide_inertias


@pytest.mark.parametrize(("light", "wanted"), [(1.0, False), (1e-3, False), (1e-6, True)])
def test_scalar_inertias(light, wanted):
    model = jd.Model("net")
    for name, inertia in (("x", light), ("y", 1.0)):
        model.add_coordinate(name, inertia)
    assert not has_wide_inertias(jd.compile(model).description)  # nothing ties them
    model.add_connection("tie", jd.Coordinate("x") - jd.Coordinate("y"), jd.Equal())
    assert has_wide_inertias(jd.compile(model).description) == wanted


def test_units_cannot_be_compared():
    model = jd.Model("net")
    model.add_coordinate("x", 1.0, unit="m^3")
    model.add_coordinate("y", 1.0, unit="m")
    model.add_connection("tie", jd.Coordinate("x") - jd.Coordinate("y"), jd.Equal())
    assert has_wide_inertias(jd.compile(model).description)
