from __future__ import annotations

import pytest

from jourdain.model.elements import Frame, JointElement
from jourdain.model.joints import (
    Fixed,
    Free,
    Prismatic,
    Revolute,
    RollingDisc,
    Skate,
    Spherical,
)
from jourdain.model.joints.registry import all_joint_kinds
from jourdain.topology.freedoms import constrained_modes, driven_coordinates, freedoms


def _joint(kind, *driven):
    return JointElement("j", Frame("world"), Frame("b"), kind, {d: float for d in driven})


@pytest.mark.parametrize("kind", all_joint_kinds(), ids=repr)
def test_freedoms_and_constrained_modes_make_six(kind):
    joint = _joint(kind)
    assert freedoms(joint) == len(kind.velocities)
    assert freedoms(joint) + constrained_modes(joint) == 6


@pytest.mark.parametrize(
    ("kind", "driven", "count"),
    [
        (Fixed(), (), 0),
        (Revolute("z"), ("angle",), 0),
        (Prismatic("x") * Revolute("z"), ("angle",), 1),
        (Free(), ("position.x",), 5),
        (Free(), ("position",), 3),
        (Free(), ("orientation",), 3),
        (Free(), ("position", "orientation"), 0),
        (Spherical(), tuple(f"orientation.{c}" for c in "wxyz"), 0),
        (Skate(), ("angle",), 1),
        (RollingDisc(0.3), ("lean", "heading"), 1),
    ],
)
def test_driven_coordinates_are_no_freedoms(kind, driven, count):
    assert freedoms(_joint(kind, *driven)) == count
    assert constrained_modes(_joint(kind, *driven)) == 6 - count


def test_a_driven_vector_means_its_components():
    joint = _joint(Free(), "position")
    assert driven_coordinates(joint) == ("position.x", "position.y", "position.z")


def test_driven_coordinates_come_in_the_order_of_the_kind():
    joint = _joint(Prismatic("x") * Revolute("z"), "angle", "position")
    assert driven_coordinates(joint) == ("position", "angle")
