"""Revolute joint."""

import numpy as np
import pytest

from jourdain.model.joints import Revolute


@pytest.mark.parametrize(
    ("axis", "before", "after"), [("x", "y", "z"), ("y", "z", "x"), ("z", "x", "y")]
)
def test_quarter_turn_by_the_right_hand_rule(axis, before, after):
    R, r = Revolute(axis).pose([np.pi / 2], 0.0)
    unit = dict(zip("xyz", np.eye(3), strict=True))
    np.testing.assert_allclose(R @ unit[before], unit[after], atol=1e-16)
    np.testing.assert_allclose(R @ unit[axis], unit[axis], atol=1e-16)
    np.testing.assert_array_equal(r, np.zeros(3))


def test_minus_turns_the_other_way():
    forward, back = Revolute("y").pose([0.7], 0.0)[0], Revolute("-y").pose([-0.7], 0.0)[0]
    np.testing.assert_allclose(back, forward, atol=1e-16)


def test_rate_is_the_angular_velocity_about_the_axis(rng, twist):
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    angular, linear = twist(Revolute(tuple(axis)), [0.4], [1.3])
    np.testing.assert_allclose(angular, 1.3 * axis, atol=1e-10)
    np.testing.assert_array_equal(linear, np.zeros(3))


def test_names():
    assert Revolute("z").coordinates == {"angle": "rad"}
    assert Revolute("z").velocities == {"rate": "rad/s"}


def test_axis_has_one_spelling():
    assert Revolute("-x") == Revolute((-1, 0, 0)) == Revolute(np.array([-1.0, 0.0, 0.0]))
    assert Revolute((0.0, 0.0, 1.0)) == Revolute("z")
