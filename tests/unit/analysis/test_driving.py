from __future__ import annotations

import pytest

import jourdain as jd
from jourdain.analysis.driving import (
    coordinate_name,
    coordinates,
    velocity_name,
    with_drives,
    without_drives,
)
from jourdain.model.joints import Revolute


@pytest.fixture(scope="module")
def model():
    model = jd.Model("loop")
    a = model.add_body("a", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    b = model.add_body("b", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    model.add_joint("left", model.world, a, Revolute("y"))
    model.add_joint("top", a.at(1, 0, 0), b, Revolute("y"))
    model.add_joint("right", b.at(1, 0, 0), model.world.at(1, 0, 0), jd.Cylindrical("y"))
    model.add_coordinate("shaft", 1.0)
    return model


def test_drives_are_added_to_a_copy_and_taken_away(model):
    driven = with_drives(model, {"left.angle": lambda t: t, "shaft": 2.0, "right.position": 0.0})
    assert driven.joints["left"].driven_coordinates == ("angle",)
    assert driven.joints["right"].driven_coordinates == ("position",)
    assert driven.coordinates["shaft"].driven(0.0) == 2.0
    assert not model.joints["left"].driven
    assert without_drives(driven) == model
    more = with_drives(driven, {"right.angle": 0.0})
    assert more.joints["right"].driven_coordinates == ("position", "angle")


def test_names_of_coordinates_and_velocities(model):
    assert coordinates(model) == [
        "left.angle", "top.angle", "right.position", "right.angle", "shaft",
    ]  # fmt: skip
    system = jd.compile(model)
    assert [cut.name for cut in system.topology.cuts] == ["right"]
    pairs = {
        "left.angle": "left.rate",
        "right.position": "right.velocity",
        "right.angle": "right.rate",
        "shaft": "shaft.rate",
    }
    for name, velocity in pairs.items():
        assert velocity_name(system, name) == velocity
        assert velocity_name(system, velocity) == velocity
        assert coordinate_name(system, velocity) == name


def test_a_velocity_that_is_no_rate_keeps_its_name():
    model = jd.Model("ball")
    model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    system = jd.compile(model)
    assert coordinate_name(system, "ball.angular_velocity.x") == "ball.angular_velocity.x"
