"""Nodes: names, places and kinds."""

import numpy as np
import pytest

from jourdain.model.composites.node import Node, Place, start_number
from jourdain.model.elements import WORLD, Body, Frame
from jourdain.model.joints import Gimbal, Revolute
from jourdain.spatial.inertia import Inertia


def test_a_node_is_a_point_in_the_world():
    node = Node("knot", (1, 2, 3))
    assert node.on == Frame(WORLD)
    assert node.start == (1.0, 2.0, 3.0)
    assert dict(node.coordinates) == {f"knot.position.{x}": "m" for x in "xyz"}
    assert str(node) == "knot"


def test_a_node_starts_in_the_reference_position_of_its_kind():
    assert Node("cross", kind=Gimbal()).start == (0.0, 0.0, 0.0)
    assert Node("cross", 0.3, kind=Revolute("x")).start == (0.3,)


@pytest.mark.parametrize("place", [Body("rod", Inertia(1.0)), Frame("rod"), Node("rod")])
def test_a_node_hangs_on_a_body_a_frame_or_a_node(place):
    assert Node("knot", on=place).on == Frame("rod")


def test_frames_of_a_node():
    assert Node("knot").at(0.1, 0.2, 0.3) == Frame("knot", (0.1, 0.2, 0.3))


def test_places_are_displacements():
    R, r = Place().pose((1.0, 2.0, 3.0), 0.0)
    assert np.array_equal(R, np.eye(3))
    assert r == (1.0, 2.0, 3.0)


def test_start_numbers_are_floats():
    assert isinstance(start_number(1, "start"), float)
