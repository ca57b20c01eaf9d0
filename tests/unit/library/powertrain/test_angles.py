"""What parts of a drive train take as the angle of a shaft."""

import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt
from jourdain.library.powertrain.angles import difference


def test_coordinates_joints_and_measures_are_angles():
    model = jd.Model("m", gravity=(0, 0, 0))
    shaft = model.add_coordinate("shaft", 1.0)
    disc = model.add_body("disc", jd.solid.cylinder(mass=1.0, radius=1.0, length=0.1, axis="z"))
    main = model.add_joint("main", model.world, disc, jd.Revolute("z"))
    model.add("gear", pt.Gear(shaft, main, ratio=2.0))
    model.add_connection("push", jd.Coordinate(shaft), jd.Force(3.0))
    sol = jd.simulate(model, 1.0)  # J = 1 + 0.5/4
    assert sol.final["main.rate"] == pytest.approx(3.0 / (1.0 + 0.5 / 4.0) / 2.0, rel=1e-9)


@pytest.mark.parametrize("wrong", ["shaft", 3.0, None])
def test_other_things_are_refused(wrong):
    with pytest.raises(ModelError, match=r"b of Gear is .*give the angle of a shaft"):
        pt.Gear(jd.Coordinate("x"), wrong, 2.0)


def test_the_housing_is_one_end_at_most():
    with pytest.raises(ModelError, match="both ends are the housing"):
        difference(None, None)
    with pytest.raises(ModelError, match="both ends are the housing"):
        pt.OneWayClutch(None, None)
