"""Models out of tables: what is left out, what is accepted, and what is told."""

import tomllib

import pytest

from jourdain.io.reading import model_of
from jourdain.io.text.section import MOST_MISTAKES, ContentError
from jourdain.math import Sine
from jourdain.model import Constant, Model
from jourdain.model.joints import Fixed, Free, Planar, Revolute
from jourdain.model.laws import Damper, Spring
from jourdain.model.measures import Coordinate
from jourdain.spatial import solid
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter

TOP = 'format = "jourdain-1"\nname = "machine"\n'
BODY = "body.rod.mass = 1.0\n"


def read(text):
    return model_of(tomllib.loads(TOP + text))


def mistakes(text):
    with pytest.raises(ContentError) as error:
        read(text)
    return error.value.found


def machine():
    model = Model("machine")
    model.add_body("rod", Inertia(1.0))
    return model


def test_a_small_file():
    assert read(BODY) == machine()


def test_elements_may_stand_in_any_order_and_refer_to_later_ones():
    expected = machine()
    ball = expected.add_body("ball", solid.ball(1.0, 0.1))
    tip = expected.add_frame("tip", ball.at(1, 0, 0))
    expected.add_joint("pin", tip, "rod", Fixed())
    text = """
    joint.pin = { kind = "Fixed", child = "rod", parent = "tip" }
    frame.tip = { position = [1, 0, 0], body = "ball" }
    body.rod.mass = 1
    body.ball = { solid = "ball", radius = 0.1, mass = 1 }
    """
    assert read(text) == expected


def test_the_order_of_the_file_is_the_order_of_the_model():
    names = ["c", "a", "b"]
    model = read("".join(f"body.{n}.mass = 1\n" for n in names))
    assert list(model.bodies) == names


def test_gravity_is_optional():
    assert read(BODY).gravity == (0.0, 0.0, -9.81)
    g = Parameter("g", 1.62, "m/s^2")
    lunar = read(
        'gravity = [0, 0, "=-g"]\nparameters.g = { value = 1.62, unit = "m/s^2" }\n' + BODY
    )
    assert lunar.gravity == (0.0, 0.0, -g)


def test_parameters_with_and_without_units():
    model = read(
        'parameters = { a = 2, b = { value = 0.5, unit = "m" } }\nbody.rod.mass = "=a * b"'
    )
    assert model.parameters == {"a": Parameter("a", 2), "b": Parameter("b", 0.5, "m")}


@pytest.mark.parametrize(
    "text",
    [
        '"position.x" = 0.5\n"position.y" = { function = "Sine", amplitude = 1, frequency = 2 }',
        'position.x = 0.5\nposition.y = { function = "Sine", amplitude = 1, frequency = 2 }',
        'position = { x = 0.5, y = { function = "Sine", amplitude = 1, frequency = 2 } }',
    ],
)
def test_components_are_driven_with_and_without_quotes(text):
    model = read(
        BODY
        + '[joint.j]\nparent = "world"\nchild = "rod"\nkind = "Planar"\n[joint.j.driven]\n'
        + text
    )
    expected = machine()
    driven = {"position.x": 0.5, "position.y": Sine(1, 2)}
    expected.add_joint("j", "world", "rod", Planar(), driven=driven)
    assert model == expected


def test_groups_are_held_by_several_numbers():
    joint = 'parent = "world", child = "rod", kind = "Free", driven.position = [1, 2, 3]'
    model = read(f"{BODY}joint.j = {{ {joint} }}")
    assert model.joints["j"].kind == Free()
    assert model.joints["j"].driven == {"position": Constant((1.0, 2.0, 3.0))}


def test_scalar_coordinates():
    model = read('coordinate.flow = { inertia = 0.1, unit = "m^3", driven = 2.0 }')
    expected = Model("machine")
    expected.add_coordinate("flow", 0.1, unit="m^3", driven=2.0)
    assert model == expected


def test_a_wrong_body_is_told_once_though_joints_need_it():
    found = mistakes(
        'body.rod = { solid = "rod", mass = 1 }\n'
        'joint.pin = { parent = "world", child = "rod", kind = "Fixed" }'
    )
    assert [path for path, _ in found] == [("body", "rod")]


def test_a_wrong_parameter_is_told_once_though_bodies_need_it():
    found = mistakes('parameters.m = "heavy"\nbody.rod.mass = "=m"')
    assert [path for path, _ in found] == [("parameters", "m", "value")]


def test_a_wrong_name_of_the_model_does_not_hide_other_mistakes():
    text = 'format = "jourdain-1"\nname = 3\nbody.rod.mas = 1'
    with pytest.raises(ContentError) as error:
        model_of(tomllib.loads(text))
    assert [path for path, _ in error.value.found] == [("name",), ("body", "rod", "mas")]


def test_both_ends_and_the_kind_are_told_at_once():
    found = mistakes(BODY + 'joint.pin = { parent = "wrld", child = "rdo", kind = "Revolut" }')
    assert [path[2] for path, _ in found] == ["parent", "child", "kind"]


def test_a_wrong_joint_is_told_once_though_connections_need_it():
    found = mistakes(
        BODY
        + """
        joint.pin = { parent = "world", child = "rod", kind = "Revolut" }
        connection.c = { measure = { kind = "Coordinate", name = "pin.angle" }, law = "Equals" }
        """
    )
    assert [path for path, _ in found] == [
        ("joint", "pin", "kind"),
        ("connection", "c", "law", "kind"),
    ]


def test_connections():
    model = read(
        BODY
        + """
        joint.pin = { parent = "world", child = "rod", kind = "Revolute", axis = "z" }
        connection.c.measure = { kind = "Coordinate", name = "pin.angle" }
        connection.c.law = [{ kind = "Spring", stiffness = 2 }, { kind = "Damper", damping = 1 }]
        """
    )
    assert model.connection("c").measure == Coordinate("pin.angle", "rad")
    assert model.connection("c").law == Spring(2.0) + Damper(1.0)


def test_thousands_of_mistakes_are_cut_off():
    found = mistakes("".join(f"body.b{k}.mas = 1\n" for k in range(1000)))
    assert len(found) == MOST_MISTAKES


def test_thousands_of_joints_are_read_in_no_time():
    n = 1500
    bodies = "".join(f"body.b{k}.mass = 1\n" for k in range(n))
    joints = "".join(
        f'joint.j{k} = {{ parent = "b{k - 1}", child = "b{k}", kind = "Revolute", axis = "z" }}\n'
        for k in range(1, n)
    )
    model = read(bodies + joints)
    assert len(model.joints) == n - 1
    assert model.joints["j7"].kind == Revolute("z")
