from __future__ import annotations

import re

import pytest

import jourdain as jd
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
