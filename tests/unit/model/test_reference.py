"""Bodies in the reference position."""

import numpy as np

from jourdain import math
from jourdain.model import Model
from jourdain.model.joints import Free, Joint, Prismatic, Revolute, Screw
from jourdain.model.laws import Equal, Spring
from jourdain.model.measures import Coordinate, Relative
from jourdain.model.reference import reference
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter

LENGTH = Parameter("length", 0.3, "m")


class Broken(Joint):
    """Has no pose."""

    coordinates = {"angle": "rad"}


def machine():
    model = Model("machine")
    a, b = (model.add_body(name, Inertia(1.0)) for name in "ab")
    drive = {"angle": lambda t: 0.5 + LENGTH * t}
    model.add_joint("hinge", a.at(LENGTH, 0, 0), b.at(0, 0.1, 0), Revolute("z"), driven=drive)
    model.add_joint("base", "world", a.at(0, 0, 0.2, rotation=math.rotation_x(0.3)), Prismatic("x"))
    return model


def test_poses_along_the_tree_whatever_the_order():
    at = reference(machine(), {"length": 0.4})
    R_a = math.rotation_x(-0.3)
    np.testing.assert_allclose(at.poses["a"][0], R_a, atol=1e-15)
    np.testing.assert_allclose(at.poses["a"][1], -R_a @ (0, 0, 0.2), atol=1e-15)
    R_b = R_a @ math.rotation_z(0.5)
    np.testing.assert_allclose(at.poses["b"][0], R_b, atol=1e-15)
    expected = at.poses["a"][1] + R_a @ (0.4, 0, 0) - R_b @ (0, 0.1, 0)
    np.testing.assert_allclose(at.poses["b"][1], expected, atol=1e-15)


def test_joints_against_the_direction_of_the_tree():
    model = Model("machine")
    a = model.add_body("a", Inertia(1.0))
    model.add_joint("screw", a.at(1, 2, 3), "world", Screw("z", 0.1), driven={"angle": 0.7})
    at = reference(model, {})
    R, r = at.poses["a"]
    turned, moved = Screw("z", 0.1).pose([0.7], 0.0)
    np.testing.assert_allclose(R @ turned, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(r + R @ (moved + np.array((1, 2, 3))), np.zeros(3), atol=1e-15)


def test_coordinates_start_where_they_are_driven():
    model = machine()
    model.add_coordinate("shaft", 1.0)
    ball = model.add_body("ball", Inertia(1.0))
    model.add_joint("free", "world", ball, Free(), driven={"position": (1.0, 2.0, 3.0)})
    at = reference(model, {"length": 0.3})
    assert at.coordinate("hinge.angle") == 0.5
    assert at.coordinate("free.position.y") == 2.0
    assert at.coordinate("free.orientation.w") == 1.0
    assert at.coordinate("shaft") == 0.0
    np.testing.assert_allclose(at.poses["ball"][1], (1.0, 2.0, 3.0))


def test_loose_bodies_and_broken_joints_stand_at_the_origin():
    model = machine()
    for name in "cd":
        model.add_body(name, Inertia(1.0))
    model.add_joint("bad", "a", "c", Broken(), driven={"angle": lambda t: 1 / t})
    at = reference(model, {"length": 0.3})
    assert at.coordinate("bad.angle") == 0.0
    for name in "cd":
        np.testing.assert_array_equal(at.poses[name][1], np.zeros(3))


def test_multipliers_are_those_of_constraints():
    model = machine()
    model.add_connection("held", Relative(model.world, model.body("a")), Equal())
    model.add_connection("rod", Coordinate("base.position"), Equal(0.1))
    model.add_connection("soft", Coordinate("base.position"), Spring(1.0))
    at = reference(model, {"length": 0.3})
    assert at.multiplier("rod") == 0.0
    np.testing.assert_array_equal(at.multiplier("held"), np.zeros(3))
    assert set(at.multipliers) == {"held", "rod"}
