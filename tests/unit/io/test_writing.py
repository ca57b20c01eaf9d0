"""Text of models: its form, and what it refuses."""

import pytest

from jourdain import math
from jourdain.errors import FormatError, ModelError
from jourdain.io import dumps, loads
from jourdain.model import Model
from jourdain.model.joints import Joint, PointOnSurface, Prismatic, Revolute
from jourdain.model.laws import Spring
from jourdain.model.measures import Coordinate, Formula
from jourdain.spatial import solid
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter


class Slot(Joint):
    """A kind of the user."""

    coordinates = {"position": "m"}

    def pose(self, q, t):
        return math.rotation_z(0.0), (q[0], 0, 0)


def crank_drive():
    length, speed = Parameter("reach", 0.1, "m"), Parameter("speed", 100)
    model = Model("crank drive", gravity=(0, 0, 0))
    crank = model.add_body("crank", solid.rod(1.0, (length, 0, 0)))
    slide = model.add_body("left slide", solid.box(0.5, (0.1, 0.1, 0.2), at=(0, 0, 0.1)))
    model.add_frame("pin", crank.at(length, 0, 0))
    model.add_coordinate("governor", 0.01, driven=math.Ramp(0, 1, 0, 5))
    turning = {"angle": math.Polynomial((0, speed))}
    model.add_joint("main", model.world, crank, Revolute("y"), driven=turning)
    placed = crank.at(length, 0, 0, rotation=math.rotation_x(1))
    model.add_joint("slot", placed, slide, Revolute("y") * Prismatic("x"))
    return model


TEXT = """\
# Model for Jourdain. Units: m, kg, s, rad, N, and what is made of them.
format = "jourdain-1"
name = "crank drive"
gravity = [0.0, 0.0, 0.0]

[parameters]
reach = { value = 0.1, unit = "m" }
speed = 100

[body.crank]
solid = "rod"
mass = 1.0
end = ["=reach", 0.0, 0.0]

[body."left slide"]
solid = "box"
mass = 0.5
size = [0.1, 0.1, 0.2]
at = [0.0, 0.0, 0.1]

[frame.pin]
body = "crank"
position = ["=reach", 0.0, 0.0]

[coordinate.governor]
inertia = 0.01
unit = "rad"
driven = { function = "Ramp", start = 0.0, end = 1.0, from_value = 0.0, to_value = 5.0 }

[joint.main]
parent = "world"
child = "crank"
kind = "Revolute"
axis = "y"
driven = { angle = { function = "Polynomial", coefficients = [0.0, "=speed"] } }

[joint.slot]
parent = { body = "crank", position = ["=reach", 0.0, 0.0], rotation = { axis = "x", angle = 1.0 } }
child = "left slide"
kind = [{ kind = "Revolute", axis = "y" }, { kind = "Prismatic", axis = "x" }]
"""


def test_the_form_of_a_file():
    model = crank_drive()
    assert dumps(model) == TEXT
    assert loads(TEXT) == model


def test_what_is_python_code_is_named_and_nothing_is_written():
    model = crank_drive()
    model.add_body("bead", Inertia(1.0))
    model.add_body("cart", Inertia(1.0))
    model.add_joint("a", "world", "bead", Slot())
    model.add_joint("b", "world", "cart", Revolute("z"), driven={"angle": lambda t: t})
    model.add_joint("c", "bead", "cart", PointOnSurface(lambda u, v: (u, v, 0)))
    model.add_coordinate("shaft", 1.0, driven=lambda t: t)
    model.add_connection("d", Coordinate("shaft"), abs)
    model.add_connection("e", Formula(abs), Spring(1.0))
    with pytest.raises(FormatError) as error:
        dumps(model)
    lines = str(error.value).splitlines()
    assert lines[0] == "model 'crank drive' cannot be written to a file:"
    assert [line.split(" is ")[0] for line in lines[1:]] == [
        "  1. coordinate 'shaft': the drive",
        "  2. joint 'a': its kind",
        "  3. joint 'b': the drive of 'angle'",
        "  4. joint 'c': the surface of its kind PointOnSurface",
        "  5. connection 'd': its law",
        "  6. connection 'e': its measure",
    ]
    assert "Use jd.Sine, jd.Polynomial, jd.Ramp or jd.Table" in lines[3]


def test_a_unit_of_half_a_character():
    model = Model("machine")
    model.add_coordinate("shaft", 1.0, unit="\udcff")
    with pytest.raises(FormatError, match=r"coordinate 'shaft': the unit is '.udcff'"):
        dumps(model)


def test_an_expression_that_holds_something_else():
    model = Model("machine")
    model.add_coordinate("shaft", Parameter("p", 1.0) * True)
    assert loads(dumps(model)) == model
    shifted = Parameter("p", 1.0)
    for _ in range(300):
        shifted = shifted + 1.0
    model.add_coordinate("deep", shifted)
    with pytest.raises(FormatError, match="coordinate 'deep': the inertia is nested more than 200"):
        dumps(model)


def test_two_parameters_of_one_name():
    model = Model("machine")
    model.add_coordinate("a", Parameter("p", 1.0))
    model.add_coordinate("b", Parameter("p", 2.0))
    with pytest.raises(ModelError, match="two different parameters are called 'p'"):
        dumps(model)
