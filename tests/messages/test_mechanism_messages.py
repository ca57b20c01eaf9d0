from __future__ import annotations

import re

import pytest

import jourdain as jd
from jourdain.analysis.driving import with_drives
from jourdain.errors import ModelError, UnknownNameError


def says(text):
    return re.escape(text)


@pytest.fixture(scope="module")
def loop():
    model = jd.Model("loop")
    a = model.add_body("a", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    b = model.add_body("b", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    model.add_joint("left", model.world, a, jd.Revolute("y"))
    model.add_joint("top", a.at(1, 0, 0), b, jd.Revolute("y"))
    model.add_joint("right", b.at(1, 0, 0), model.world.at(1, 0, 0), jd.Revolute("y"))
    return model


def test_positions_to_examine(loop):
    with pytest.raises(ModelError, match=says("at is 3; give an assembly, jd.assemble(model), or")):
        jd.structure(loop, at=3)
    other = jd.Model("other")
    other.add_coordinate("shaft", 1.0)
    text = "at is an assembly of 'other' with other coordinates than model 'loop' has. Assemble"
    with pytest.raises(ModelError, match=says(text)):
        jd.structure(loop, at=jd.assemble(other))


def test_choices_of_driven_coordinates(loop):
    with pytest.raises(UnknownNameError, match=says("no coordinate 'lft.angle' in model 'loop'.")):
        jd.structure(loop, driven="lft.angle")


def sway(t):
    return 1.0 + 0.1 * t


def test_what_can_be_driven(loop):
    with pytest.raises(ModelError, match=says("cannot move 3; give a jd.Model or a compiled")):
        jd.kinematics(3, 1.0)
    with pytest.raises(ModelError, match=says("driven is 3; name the coordinates, for example")):
        jd.kinematics(loop, 1.0, driven=3)
    with pytest.raises(UnknownNameError, match=says("no coordinate 'lft.angle' in 'loop'.")):
        jd.kinematics(loop, 1.0, driven={"lft.angle": sway})
    twice = with_drives(loop, {"left.angle": sway})
    with pytest.raises(ModelError, match=says("'left.angle' is driven by model 'loop' already.")):
        jd.kinematics(twice, 1.0, driven={"left.angle": sway})


def four_bar():
    model = jd.Model("four_bar")
    a, b, c = (model.add_body(x, jd.solid.rod(mass=1.0, end=(1, 0, 0))) for x in "abc")
    model.add_joint("left", model.world, a, jd.Revolute("y"))
    model.add_joint("first", a.at(1, 0, 0), b, jd.Revolute("y"))
    model.add_joint("second", b.at(1, 0, 0), c, jd.Revolute("y"))
    model.add_joint("right", c.at(1, 0, 0), model.world.at(1.5, 0, 0), jd.Revolute("y"))
    return model


def test_freedoms_that_nothing_drives():
    text = "model 'four_bar' has 1 degrees of freedom that nothing drives at t = 0 s: drive also '"
    with pytest.raises(ModelError, match=says(text)):
        jd.kinematics(four_bar(), 1.0)


def test_drives_that_contradict_each_other():
    model = four_bar()
    at = jd.assemble(model, {"left.angle": 1.0})
    held = at["first.angle"]
    text = "model 'four_bar': the drives contradict each other at t = 0 s, joint '"
    with pytest.raises(ModelError, match=says(text)):
        jd.kinematics(model, 1.0, driven={"left.angle": sway, "first.angle": held}, near=at)


def test_a_drive_that_jumps():
    drive = {"left.angle": lambda t: 1.0 + 0.5 * jd.where(t < 0.55, 0.0, 1.0)}
    text = "model 'four_bar' stops at t = 0.5"
    with pytest.raises(jd.IntegrationError, match=says(text)) as caught:
        jd.kinematics(four_bar(), 1.0, driven=drive, sample=0.1)
    assert "the constraints cannot hold beyond it. Likely causes: a drive that jumps" in str(
        caught.value
    )
    assert len(caught.value.solution.time) == 6
