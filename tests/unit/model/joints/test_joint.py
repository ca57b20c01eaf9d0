"""The contract of joint kinds."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from jourdain import math
from jourdain.model.joints import Joint, Product, Revolute
from jourdain.model.joints.joint import velocity_name


class Rocker(Joint):
    radius: float
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        return math.rotation_y(q[0]), (self.radius * q[0], 0, self.radius)


@pytest.mark.parametrize(
    ("coordinate", "velocity"),
    [
        ("angle", "rate"),
        ("angle_2", "rate_2"),
        ("position", "velocity"),
        ("position.x", "velocity.x"),
        ("position_3.y", "velocity_3.y"),
        ("heading", "heading_rate"),
        ("angles", "angles_rate"),
    ],
)
def test_velocity_names(coordinate, velocity):
    assert velocity_name(coordinate) == velocity


def test_user_kind_is_a_frozen_value():
    assert Rocker(0.2) == Rocker(0.2) != Rocker(0.3)
    assert repr(Rocker(0.2)) == "Rocker(radius=0.2)"
    with pytest.raises(FrozenInstanceError):
        Rocker(0.2).radius = 0.3


def test_defaults():
    kind = Rocker(0.2)
    assert kind.velocities == {"rate": "rad/s"}
    assert kind.start() == (0.0,)
    assert kind.rates([0.0]) is None
    assert kind.modes([0.0], 0.0) is None
    assert kind.canonical() == (kind, None)


def test_unitless_coordinates_have_rates_per_second():
    class Dial(Joint):
        coordinates = {"ratio": "1"}

    assert Dial().velocities == {"ratio_rate": "1/s"}


def test_product_takes_poses_of_plain_tuples():
    R, r = (Revolute("z") * Rocker(0.2)).pose([np.pi / 2, 0.5], 0.0)
    assert isinstance(Revolute("z") * Rocker(0.2), Product)
    np.testing.assert_allclose(r, (0.0, 0.1, 0.2), atol=1e-16)
    np.testing.assert_allclose(R, math.rotation_z(np.pi / 2) @ math.rotation_y(0.5), atol=1e-16)


def test_repr_shows_functions_by_name():
    class OnCurve(Joint):
        curve: object
        size: float = 2.0
        coordinates = {"angle": "rad"}

    assert repr(OnCurve(velocity_name)) == "OnCurve(curve=velocity_name, size=2.0)"
    assert repr(Revolute("y") * Rocker(0.5)) == (
        "Product(factors=(Revolute(axis='y'), Rocker(radius=0.5)))"
    )
    assert repr(Joint()) == "Joint()"
