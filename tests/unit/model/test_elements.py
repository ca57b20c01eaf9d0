"""Frozen elements: frames, driven coordinates, and the parameters they hold."""

import pickle
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.drive import Constant
from jourdain.model.elements import (
    IDENTITY,
    Body,
    CoordinateElement,
    Frame,
    JointElement,
    parameters_of,
    with_values,
)
from jourdain.model.joints.joint import Joint
from jourdain.spatial import solid
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter

LENGTH = Parameter("length", 0.3, "m")
SPEED = Parameter("speed", 2.0, "rad/s")


class Slider(Joint):
    """Three translations and an angle, scaled by a number."""

    scale: object
    names: tuple = ()
    coordinates = {"angle": "rad", "position.x": "m", "position.y": "m"}

    def pose(self, q, t):
        return math.rotation_z(q[0]), (self.scale * q[1], self.scale * q[2], 0)


def test_frames_of_a_body():
    body = Body("rod", Inertia(1.0))
    turn = math.rotation_x(0.3)
    frame = body.at(1, LENGTH, rotation=turn)
    assert frame == Frame("rod", (1.0, LENGTH, 0.0), tuple(map(tuple, turn.tolist())))
    assert body.at() == Frame("rod")
    assert body.at().rotation == IDENTITY
    assert [str(f) for f in (frame, body.at())] == ["rod(1, length, 0)", "rod"]


def test_wrong_frames_name_their_body():
    body = Body("rod", Inertia(1.0))
    with pytest.raises(ModelError, match="component y of position of the frame on body 'rod'"):
        body.at(0, float("nan"), 0)
    with pytest.raises(ModelError, match="rotation of the frame on body 'rod' is no rotation"):
        body.at(rotation=2 * np.eye(3))


def test_elements_are_frozen_and_hashable():
    joint = JointElement("j", Frame("a"), Frame("b"), Slider(1.0), {"angle": Constant(0.0)})
    for element in (Frame("a"), Body("a", Inertia(1.0)), joint, CoordinateElement("c", 1.0)):
        assert hash(element) == hash(pickle.loads(pickle.dumps(element)))
        assert element == pickle.loads(pickle.dumps(element))
        with pytest.raises(FrozenInstanceError):
            setattr(element, fields(element)[0].name, "other")


def test_driven_coordinates_take_groups_apart():
    def joint(*keys):
        return JointElement("j", Frame("a"), Frame("b"), Slider(1.0), dict.fromkeys(keys, abs))

    assert joint().driven_coordinates == ()
    assert joint("position", "angle").driven_coordinates == ("angle", "position.x", "position.y")
    assert joint("position.y").driven_coordinates == ("position.y",)


def test_parameters_are_found_wherever_they_are():
    kind = Slider(2 * LENGTH, names=("text", (Slider(SPEED), 1.0)))
    joint = JointElement("j", Frame("a", (LENGTH, 0, 0)), Frame("b"), kind)
    assert list(parameters_of(joint)) == [LENGTH, LENGTH, SPEED]
    body = Body("a", *_parts(solid.ball(SPEED, LENGTH)))
    assert set(parameters_of(body)) == {SPEED, LENGTH}
    assert list(parameters_of({"drive": Constant((1.0, SPEED))})) == [SPEED]
    assert list(parameters_of(CoordinateElement("c", LENGTH))) == [LENGTH]


def _parts(made):
    return made.inertia, made.shapes


def test_parameters_are_found_inside_functions():
    inner = Parameter("inner", 1.0)
    assert set(parameters_of(lambda t: inner * t + SPEED)) == {inner, SPEED}
    assert list(parameters_of(lambda t: t)) == []
    assert list(parameters_of(np.sin)) == []


def test_values_take_the_place_of_parameters():
    kind = Slider(2 * LENGTH, names=(SPEED, [LENGTH], Slider(SPEED)))
    filled = with_values(kind, {"length": 0.5, "speed": 3.0})
    assert filled == Slider(1.0, names=(3.0, [0.5], Slider(3.0)))
    assert kind.scale == 2 * LENGTH
    assert with_values(solid.ball(1.0, LENGTH), {"length": 0.2}) == solid.ball(1.0, 0.2)
    assert with_values(Slider, {}) is Slider
