"""What users read when a model is written wrongly."""

import numpy as np
import pytest

from jourdain import math
from jourdain.errors import JourdainError, ModelError, UnknownNameError
from jourdain.model import Body, Model
from jourdain.model.joints.joint import Joint
from jourdain.spatial import check, solid
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter


class Hinge(Joint):
    """Turns about an axis by an angle."""

    axis: str
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        return math.rotation(self.axis, q[0]), (0, 0, 0)


class Socket(Joint):
    """Turns by a quaternion."""

    coordinates = {f"orientation.{c}": "1" for c in "wxyz"}


LENGTH = Parameter("length", 0.3, "m")
ZERO = Parameter("zero", 0.0)


def machine():
    model = Model("machine")
    model.add_body("crank", Inertia(1.0))
    model.add_body("rod", Inertia(1.0))
    model.add_joint("main", "world", "crank", Hinge("z"))
    return model


def join(parent="world", child="rod", kind=None, **options):
    return machine().add_joint("pin", parent, child, kind or Hinge("z"), **options)


CASES = [
    # numbers, vectors, rotations, axes, names
    (
        lambda: check.number("2", "mass of the rod"),
        ModelError,
        "mass of the rod is '2': give a number.",
    ),
    (
        lambda: check.number(np.inf, "mass of the rod"),
        ModelError,
        "mass of the rod is inf: give a finite number.",
    ),
    (
        lambda: check.number(1 / ZERO, "mass of the rod"),
        ModelError,
        "mass of the rod is 1 / zero, which cannot be evaluated at the values of its "
        "parameters (float division by zero). Change them.",
    ),
    (
        lambda: solid.ball(1.0, -LENGTH),
        ModelError,
        "radius of the ball is -length = -0.3 m: it must be positive.",
    ),
    (
        lambda: solid.ball(-1.0, 0.1),
        ModelError,
        "mass of the ball is -1 kg: it must be zero or positive.",
    ),
    (
        lambda: Model("machine", gravity=9.81),
        ModelError,
        "gravity is 9.81: give three numbers such as (0.0, 0.0, -9.81).",
    ),
    (
        lambda: Model("machine", gravity=(0, 0, np.nan)),
        ModelError,
        "component z of gravity is nan: give a finite number.",
    ),
    (
        lambda: machine().world.at(rotation=(1, 0, 0, 0)),
        ModelError,
        "rotation of the frame on body 'world' is (1, 0, 0, 0): give a 3×3 matrix such as "
        "jd.rotation_z(0.5); for a quaternion use jd.rotation_quaternion((w, x, y, z)).",
    ),
    (
        lambda: machine().world.at(rotation=1.01 * np.eye(3)),
        ModelError,
        "rotation of the frame on body 'world' is no rotation matrix: RᵀR differs from the "
        "identity by 0.0201 (limit 1e-09). Its columns are the unit vectors of the turned axes; "
        "make it with jd.rotation_x, jd.rotation_y, jd.rotation_z or jd.rotation.",
    ),
    (
        lambda: check.rotation(np.diag([1, 1, -1]), "rotation"),
        ModelError,
        "rotation is no rotation matrix: its axes are left-handed (determinant -1). Its columns "
        "are the unit vectors of the turned axes; make it with jd.rotation_x, jd.rotation_y, "
        "jd.rotation_z or jd.rotation.",
    ),
    (
        lambda: check.rotation(((LENGTH, 0, 0), (0, 1, 0), (0, 0, 1)), "rotation"),
        ModelError,
        "an entry of rotation is the parameter expression length: only plain numbers can stand "
        "here. For a direction that changes, put a driven joint in between.",
    ),
    (
        lambda: solid.cylinder(1.0, 0.1, 0.2, axis=(3, 0, 4)),
        ModelError,
        "axis of the cylinder is (3, 0, 4) with length 5: it must have unit length. "
        "Use (0.6, 0.0, 0.8).",
    ),
    (
        lambda: solid.cylinder(1.0, 0.1, 0.2, axis=(0, 0, 0)),
        ModelError,
        "axis of the cylinder is (0, 0, 0) with length 0: it must have unit length. "
        "Give the direction of the axis.",
    ),
    (
        lambda: solid.cylinder(1.0, 0.1, 0.2, axis="w"),
        ModelError,
        "axis of the cylinder is 'w': give one of 'x', 'y', 'z', '-x', '-y', '-z' or a unit "
        "vector.",
    ),
    (
        lambda: Model("machine").add_body("crank.pin", Inertia(1.0)),
        ModelError,
        "body name 'crank.pin' contains a dot, which separates group, element and quantity in "
        "'group.element.quantity'. Use 'crank_pin', or add it through model.group('crank').",
    ),
    (
        lambda: Model("machine").add_body(" rod\n", Inertia(1.0)),
        ModelError,
        "body name ' rod\\n' contains control characters or surrounding blanks. Use 'rod'.",
    ),
    (lambda: Model(""), ModelError, "model name '' has 0 characters: give 1 to 80 characters."),
    (lambda: Model(3), ModelError, "model name 3 is no text: the name comes first, in quotes."),
    (
        lambda: Model("machine").add_body("world", Inertia(1.0)),
        ModelError,
        "body name 'world' is taken by the fixed ground, model.world.",
    ),
    # inertias and solids
    (lambda: Inertia(-1.0), ModelError, "inertia has the mass -1 kg: a mass cannot be negative."),
    (
        lambda: Inertia(1.0, moments=(0.9, 0.1, 0.2)),
        ModelError,
        "inertia has principal moments (0.9, 0.1, 0.2) kg m^2, which no rigid body can have:\n"
        "  the largest exceeds the sum of the other two. "
        "Check that the inertia is about the centre of mass and in body axes.",
    ),
    (
        lambda: Inertia(1.0, moments=((1, 2, 0), (2, 1, 0), (0, 0, 1))),
        ModelError,
        "inertia has principal moments (-1, 1, 3) kg m^2, which no rigid body can have:\n"
        "  one is negative. Check the signs of moments and products of inertia.",
    ),
    (
        lambda: Inertia(1.0, moments=((1, 0.1, 0), (0.2, 1, 0), (0, 0, 1))),
        ModelError,
        "inertia has moments that are not symmetric: 0.1 kg m^2 in place xy, 0.2 in place yx.\n"
        "  Give the same product of inertia in both places.",
    ),
    (
        lambda: Inertia(1.0, moments=np.eye(2)),
        ModelError,
        "moments of the inertia are an array of shape (2, 2): give the 3 principal moments or a "
        "3×3 matrix [kg m^2].",
    ),
    (
        lambda: Inertia(1.0, moments=((1, 0), (0, 1), (0, 0))),
        ModelError,
        "row x of the moments of the inertia is (1, 0): give three numbers such as "
        "(0.0, 0.0, 0.3).",
    ),
    (
        lambda: Inertia(1.0, com=(0, "low", 0)),
        ModelError,
        "component y of com of the inertia is 'low': give a number.",
    ),
    (
        lambda: Inertia(ZERO, (0, 0, 0)) + Inertia(ZERO, (1, 0, 0)),
        ModelError,
        "the combined inertias have no centre of mass: their mass zero + zero is zero at the "
        "nominal values of its parameters. Give a nominal value above zero.",
    ),
    (
        lambda: solid.rod(1.0, end=(0, 0, 1), start=(0, 0, 1)),
        ModelError,
        "the rod starts and ends at (0, 0, 1) m: give two points.",
    ),
    (
        lambda: solid.tube(1.0, 0.2, 0.1, 1.0),
        ModelError,
        "the tube has inner_radius 0.2 m and outer_radius 0.1 m: the outer radius must be the "
        "larger one. Exchange the two.",
    ),
    (
        solid.compound,
        ModelError,
        "compound got no solids. Give at least one, such as jd.solid.box(...).",
    ),
    (
        lambda: solid.compound(2.0),
        ModelError,
        "compound got 2.0, which is no solid. Make the parts with jd.solid.box(...), "
        "jd.solid.rod(...) and so on.",
    ),
    (
        lambda: solid.compound([solid.ball(1.0, 0.1)]),
        ModelError,
        "compound got a list. Give its members, jd.solid.compound(*parts).",
    ),
    # elements of a model
    (
        lambda: machine().add_body("piston"),
        ModelError,
        "body 'piston' needs a solid or an inertia, but got nothing. Give it one, for example "
        "jd.solid.rod(mass=1.0, end=(0.3, 0, 0)) or jd.Inertia(mass=1.0, moments=(0.1, 0.1, 0.1)); "
        "a massless body has jd.Inertia(mass=0.0).",
    ),
    (
        lambda: machine().add_body("piston", solid.ball(1.0, 0.1), colour="red"),
        ModelError,
        "the colour of body 'piston' is 'red'. Give it as '#rrggbb', two hexadecimal digits each "
        "for red, green and blue, for example '#4477aa'.",
    ),
    (
        lambda: machine().add_body("piston", solid.ball(1.0, 0.1), opacity=0.0),
        ModelError,
        "opacity of body 'piston' is 0: it must be above 0 and at most 1.",
    ),
    (
        lambda: machine().add_coordinate("main", 1.0),
        ModelError,
        "model 'machine' already has a joint 'main'. Elements and groups have different names, "
        "because results are addressed as 'element.quantity'; only a body and a joint may share "
        "one. Call the new coordinate 'main_coordinate'.",
    ),
    (
        lambda: machine().group("rod"),
        ModelError,
        "model 'machine' already has a body 'rod'. Elements and groups have different names, "
        "because results are addressed as 'element.quantity'; only a body and a joint may share "
        "one. Call the new group 'rod_group'.",
    ),
    (
        lambda: machine().group("oil").group("tank.left"),
        ModelError,
        "group name 'tank.left' contains a dot, which separates group, element and quantity in "
        "'group.element.quantity'. Use 'tank_left', or add it through model.group('tank').",
    ),
    (
        lambda: machine().add_body("rod", Inertia(1.0)),
        ModelError,
        "model 'machine' already has a body 'rod'. Elements and groups have different names, "
        "because results are addressed as 'element.quantity'; only a body and a joint may share "
        "one. Call the new body 'rod_2'.",
    ),
    (
        lambda: machine().joint("mian"),
        UnknownNameError,
        "no joint 'mian' in model 'machine'. Joints: main. Did you mean 'main'?",
    ),
    (
        lambda: join(parent="crnk"),
        UnknownNameError,
        "no body 'crnk' in model 'machine'. Bodies: world, crank, rod. Did you mean 'crank'?",
    ),
    (
        lambda: join(parent=Body("piston", Inertia(1.0))),
        ModelError,
        "joint 'pin': the parent is on body 'piston', which belongs to another model, not to "
        "'machine'. Use a body that this model's add_body returned.",
    ),
    (
        lambda: join(child=(0, 0, 1)),
        ModelError,
        "joint 'pin': the child is (0, 0, 1), which is no body and no frame. Give a body, "
        "body.at(x, y, z), or the name of one of them; the ground is model.world.",
    ),
    (
        lambda: join(parent="rod"),
        ModelError,
        "joint 'pin' joins body 'rod' to itself. A joint needs two bodies: change its parent or "
        "its child.",
    ),
    (
        lambda: join(kind=Hinge),
        ModelError,
        "joint 'pin': its kind is the class Hinge. Write Hinge(axis=...).",
    ),
    (
        lambda: join(kind="hinge"),
        ModelError,
        "joint 'pin': its kind is 'hinge'. Give a joint kind, for example jd.Revolute(\"z\").",
    ),
    (
        lambda: join(driven={"angel": 1.0}),
        UnknownNameError,
        "no coordinate 'angel' in joint 'pin'. Coordinates: angle. Did you mean 'angle'?",
    ),
    (
        lambda: join(driven={"pin.angle": 1.0}),
        UnknownNameError,
        "no coordinate 'pin.angle' in joint 'pin'. Coordinates: angle. Did you mean 'angle'?",
    ),
    (
        lambda: join(driven=np.sin),
        ModelError,
        "joint 'pin': driven is <ufunc 'sin'>. Name the coordinate it drives, for example "
        "driven={'angle': lambda t: 2.0 * t}.",
    ),
    (
        lambda: join(driven={"angle": "fast"}),
        ModelError,
        "joint 'pin': the driven value of 'angle' is 'fast': give a number to hold it, or a "
        "function of time such as lambda t: 2.0 * t.",
    ),
    (
        lambda: join(kind=Socket(), driven={"orientation": 1.0}),
        ModelError,
        "joint 'pin': the driven value of 'orientation' is 1.0: give 4 numbers to hold it, or a "
        "function of time such as lambda t: (..., ..., ..., ...).",
    ),
    (
        lambda: join(kind=Socket(), driven={"orientation": (1, 0, 0, 0), "orientation.x": 0.0}),
        ModelError,
        "joint 'pin': coordinate 'orientation.x' is driven twice, by 'orientation' and by "
        "'orientation.x'. Keep one of them.",
    ),
    (
        lambda: machine().add_coordinate("shaft", -0.1),
        ModelError,
        "inertia of coordinate 'shaft' is -0.1: it must be zero or positive.",
    ),
    (
        lambda: machine().add_coordinate("shaft", 0.1, unit=" "),
        ModelError,
        "coordinate 'shaft' has the unit ' ': give a text such as 'rad' or 'm'.",
    ),
    (
        lambda: machine().add_coordinate("shaft", 0.1, driven="fast"),
        ModelError,
        "coordinate 'shaft': the driven value is 'fast': give a number to hold it, or a function "
        "of time such as lambda t: 2.0 * t.",
    ),
    (
        lambda: machine().add_frame("tip", None),
        ModelError,
        "frame 'tip': the place is None, which is no body and no frame. Give a body, "
        "body.at(x, y, z), or the name of one of them; the ground is model.world.",
    ),
]


@pytest.mark.parametrize(("wrong", "error", "text"), CASES, ids=range(len(CASES)))
def test_message(wrong, error, text):
    with pytest.raises(JourdainError) as caught:
        wrong()
    assert type(caught.value) is error
    assert str(caught.value) == text


def test_whole_model_reports_every_problem_with_its_number():
    class Loose(Joint):
        coordinates = {"angle": "rad"}

        def pose(self, q, t):
            return 1.1 * np.eye(3), (0, 0)

    model = Model("machine", gravity=(0, 0, -Parameter("mass", 9.81, "m/s^2")))
    rod = model.add_body("rod", Inertia(Parameter("mass", 1.0, "kg")))
    model.add_joint("pin", model.world, rod, Loose())
    model.add_joint("motor", model.world, rod, Hinge("z"), driven={"angle": lambda t: 1 / t})
    with pytest.raises(ModelError) as caught:
        model.validate()
    assert str(caught.value).splitlines() == [
        "model 'machine' has 4 problems:",
        "  1. two different parameters are called 'mass': 9.81 [m/s^2] and 1 [kg]. "
        "Use one Parameter object in both places, or two names.",
        "  2. joint 'pin': Loose.pose(q, t) at q = (0), t = 0 s: the orientation R is no rotation "
        "matrix: RᵀR differs from the identity by 0.21 (limit 1e-09)",
        "  3. joint 'pin': Loose.pose(q, t) at q = (0), t = 0 s: the position r has the shape "
        "(2,) instead of (3,)",
        "  4. joint 'motor': the driven value of 'angle' at t = 0 s fails: ZeroDivisionError: "
        "float division by zero",
    ]
    with pytest.raises(ModelError, match=r"^model 'machine': two different parameters are called"):
        _ = model.parameters


def test_impossible_inertia_at_given_values_names_the_body():
    model = Model("machine")
    model.add_body("rod", Inertia(1.0, moments=(LENGTH, 0.1, 0.2)))
    with pytest.raises(ModelError) as caught:
        model.validate({"length": 0.9})
    assert str(caught.value).splitlines() == [
        "model 'machine' has 1 problem:",
        "  1. body 'rod': inertia has principal moments (0.9, 0.1, 0.2) kg m^2, which no rigid "
        "body can have:",
        "     the largest exceeds the sum of the other two. "
        "Check that the inertia is about the centre of mass and in body axes.",
    ]


def test_a_point_in_the_place_of_three_numbers():
    with pytest.raises(ModelError) as caught:
        machine().body("rod").at((1.0, 2.0, 3.0))
    assert str(caught.value) == (
        "a frame on body 'rod' at (1.0, 2.0, 3.0): give three numbers, body.at(x, y, z); of a "
        "point p, body.at(*p)."
    )
