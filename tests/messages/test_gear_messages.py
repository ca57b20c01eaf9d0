"""What a user reads who gives gears that cannot be."""

import pytest

import jourdain as jd
from jourdain.errors import DoubtWarning, ModelError
from jourdain.library import gears

X, Y = jd.Coordinate("x"), jd.Coordinate("y")
TEETH = gears.Teeth((20, 30), 3e-3)


def text(made):
    with pytest.raises(ModelError) as caught:
        made()
    return str(caught.value)


def test_contact_ratio_below_one():
    assert text(lambda: gears.Teeth((20, 30), 3e-3, addendum=0.5)) == (
        "Teeth (20, 30): the contact ratio is 0.875, so that at times no tooth carries. Give more "
        "teeth, a smaller pressure angle or distance, higher teeth, or a helix with a width."
    )


def test_negative_backlash():
    assert text(lambda: gears.Mesh(X, Y, TEETH, backlash=-1e-4)) == (
        "backlash of Mesh is -0.0001 m: it must be zero or positive."
    )


def test_rigid_teeth_without_backlash():
    assert text(lambda: gears.Mesh(X, Y, TEETH, gears.Rigid())) == (
        "Mesh has rigid teeth without backlash: both flanks would touch at all times. Give "
        "backlash=1e-4 [m], or gears.Ideal()."
    )


def test_degrees_for_radians():
    assert text(lambda: gears.Teeth((20, 30), 3e-3, pressure_angle=20)) == (
        "pressure_angle of Teeth is 20 rad: give radians, such as 20 * jd.math.pi / 180."
    )


def test_a_ring_that_is_too_small():
    assert text(lambda: gears.Teeth((20, -18), 3e-3)) == (
        "teeth of Teeth is (20, -18): wheel a has outer teeth, 3 or more; a ring, with a negative "
        "number, has more of them than a."
    )


@pytest.mark.parametrize("made", [
    gears.Elastic, lambda table: gears.Mesh(X, Y, TEETH, error=table),
])  # fmt: skip
def test_tables_over_base_pitches_that_end(made):
    found = text(lambda: made(jd.Table((0.0, 0.5, 1.0), (1e8, 2e8, 1e8))))
    assert "is a table from 0 to 1 base pitches, but wheels go on turning" in found
    made(jd.Table((0.0, 0.5, 1.0), (1e8, 2e8, 1e8), outside="repeat"))


def test_an_inertia_is_asked_for():
    assert text(lambda: gears.Lehr(0.2, 1e-3)) == (
        "inertias of Lehr is 0.001: give those of both wheels, math.inf for one whose motion is "
        "given."
    )


def pair(axis, distance):
    model = jd.Model("pair")
    disc = jd.solid.cylinder(mass=1.0, radius=0.04, length=0.02)
    wheels = [model.add_body(name, disc) for name in ("pinion", "wheel")]
    for wheel, x in zip(wheels, (0.0, distance), strict=True):
        model.add_joint(f"{wheel.name}_pin", model.world.at(0, x, 0), wheel, jd.Revolute(axis))
    model.add("mesh", gears.Mesh(*wheels, TEETH, gears.Elastic(3e8, 2e3), backlash=1e-4))
    return model


def test_a_wheel_on_a_hinge_across_its_teeth():
    found = text(lambda: jd.compile(pair("x", TEETH.axis_distance)))
    assert (
        "the wheel 'pinion' of a Mesh turns about an axis of its joint 'pinion_pin' that" in found
    )
    jd.compile(pair((0.28, 0.0, 0.96), TEETH.axis_distance))  # tilted a little


def test_wheels_whose_teeth_do_not_reach():
    with pytest.warns(DoubtWarning, match=r"'mesh' are too far apart at t = 0 s: .*75 mm apart"):
        jd.simulate(pair("z", 0.09), 0.01)


def test_planets_that_cannot_be_assembled():
    numbers = {"large": 35, "small": 29, "long": 25, "short": 20, "module": 2e-3}
    assert text(lambda: gears.RavigneauxTeeth(**numbers)) == (
        "RavigneauxTeeth: 3 planets, evenly spaced, cannot be assembled: with the small sun 85 − "
        "29 = 56 is no multiple of 3."
    )


def test_ideal_teeth_of_a_gear_in_bearings():
    model = jd.Model("box")
    numbers = gears.RavigneauxTeeth(35, 28, 25, 20, 2e-3)
    assert text(lambda: gears.RavigneauxGear(model.world, numbers, gears.Ideal())) == (
        "RavigneauxGear has ideal teeth between wheels that move in bearings: give "
        "gears.Elastic(...), or take powertrain.Ravigneaux."
    )
