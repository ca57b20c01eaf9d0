from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import UnknownNameError


@pytest.fixture
def names(crane):
    return jd.compile(crane).names


def test_coordinates_follow_the_order_of_adding(names):
    """Floating bodies first, then joints, then scalar coordinates."""
    assert names.q == (
        *(f"ship.position.{c}" for c in "xyz"), *(f"ship.orientation.{c}" for c in "wxyz"),
        "slew.angle", "rope.position", "rope.angle", "winch.value",
    )  # fmt: skip
    assert names.v == (
        *(f"ship.velocity.{c}" for c in "xyz"), *(f"ship.angular_velocity.{c}" for c in "xyz"),
        "slew.rate", "rope.velocity", "rope.rate", "winch.rate",
    )  # fmt: skip
    assert names.bodies == ("ship", "boom", "hook")
    assert names.parameters == ("mass", "reach")


def test_every_coordinate_has_its_unit(names):
    assert names.q_units == ("m",) * 3 + ("1",) * 4 + ("rad", "m", "rad", "rad")
    assert names.v_units == ("m/s",) * 3 + ("rad/s",) * 3 + ("rad/s", "m/s", "rad/s", "rad/s")


def test_order_of_adding_wins_over_the_order_of_the_tree():
    model = jd.Model("reversed")
    for name in ("hand", "arm"):
        model.add_body(name, jd.Inertia(mass=1.0, moments=(1, 1, 1)))
    model.add_joint("wrist", "arm", "hand", jd.Revolute("x"))
    model.add_joint("shoulder", "world", "arm", jd.Prismatic("x"))
    names = jd.compile(model).names
    assert names.q == ("wrist.angle", "shoulder.position")
    assert names.bodies == ("hand", "arm")


def test_driven_coordinates_are_no_coordinates():
    model = jd.Model("table")
    plate = model.add_body("plate", jd.Inertia(mass=1.0, moments=(1, 1, 1)))
    kind = jd.Prismatic("z") * jd.Revolute("z")
    model.add_joint("lift", model.world, plate, kind, driven={"position": lambda t: 0.1 * t})
    names = jd.compile(model).names
    assert (names.q, names.v) == (("lift.angle",), ("lift.rate",))


def test_index_of_one_coordinate(names):
    assert names.index("slew.angle", "model 'crane'") == 7
    assert names.index("slew.rate", "model 'crane'") == 6
    assert names.index("winch.rate", "model 'crane'") == 9


def test_index_of_a_group(names):
    np.testing.assert_array_equal(names.index("ship.position", ""), [0, 1, 2])
    np.testing.assert_array_equal(names.index("ship.orientation", ""), [3, 4, 5, 6])
    np.testing.assert_array_equal(names.index("ship.angular_velocity", ""), [3, 4, 5])


def test_positions_and_velocities_are_told_apart(names):
    for name in ("ship.position", "ship.orientation.w", "rope.position", "winch.value"):
        assert names.is_position(name)
    for name in ("ship.velocity", "ship.angular_velocity.x", "rope.velocity", "winch.rate"):
        assert not names.is_position(name)


@pytest.mark.parametrize(
    "wrong", ["slew", "ship", "slew.angl", "rope", "", ".", "ship.pos", "mass"]
)
def test_elements_and_beginnings_are_no_coordinates(names, wrong):
    with pytest.raises(UnknownNameError, match=f"no coordinate '{wrong}' in model 'crane'"):
        names.index(wrong, "model 'crane'")


def test_text_lists_names_with_units(names):
    text = str(names)
    assert "slew.angle [rad]" in text
    assert "ship.velocity.x [m/s]" in text
    assert text.splitlines()[-1].endswith("ship, boom, hook")


def test_names_cannot_change(names):
    with pytest.raises(dataclasses.FrozenInstanceError):
        names.q = ()


def test_a_scalar_coordinate_goes_by_its_own_name(names):
    assert names.index("winch", "") == names.index("winch.value", "")
    assert names.is_position("winch")


def test_of_a_body_that_joints_hold_those_of_joints_are_to_be_named(names):
    text = "in model 'crane', where body 'hook' is held by joints: name their coordinates. Coord"
    with pytest.raises(UnknownNameError, match=text):
        names.index("hook.position", "model 'crane'")
    with pytest.raises(UnknownNameError, match=r"in model 'crane'\. Coordinates: "):
        names.index("ship.speed", "model 'crane'")
