"""Rolling: the joint kind and the measure tell the same."""

import numpy as np
import pytest

from jourdain import math
from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.elements import Frame
from jourdain.model.joints import RollingDisc
from jourdain.model.measures import DiscHeight, Rolling

A, B, WORLD = Frame("a"), Frame("b"), Frame("world")
STEP = 1e-4


def test_upright_wheel():
    """Rolling along x it turns about y; what is too fast or sideways is slip."""
    r = 0.3
    wheel = Rolling(A, WORLD, r)
    pose = {"a": (np.eye(3), np.array((1.0, 2.0, r)))}
    rolling = Snapshot(pose, twists={"a": (np.array((0, 5.0, 2.0)), np.array((5.0 * r, 0, 0)))})
    np.testing.assert_allclose(wheel.rate(rolling), (0.0, 0.0), atol=1e-15)
    sliding = Snapshot(pose, twists={"a": (np.array((0, 5.0, 0)), np.array((2.0, 0.1, 0)))})
    np.testing.assert_allclose(wheel.rate(sliding), (0.5, 0.1), atol=1e-15)


def test_ball_on_a_turntable():
    """Relative to the plane that moves beneath it."""
    ball = Rolling(A, B, 0.2, axis=None)
    turning = np.array((0.0, 0.0, 3.0))
    place = np.array((0.5, 0.1, 0.2))
    at = Snapshot(
        {"a": (math.rotation_x(0.7), place), "b": (np.eye(3), np.zeros(3))},
        twists={"a": (turning, math.cross(turning, place)), "b": (turning, np.zeros(3))},
    )
    np.testing.assert_allclose(ball.rate(at), (0.0, 0.0), atol=1e-15)
    assert DiscHeight(A, B, 0.2, axis=None).value(at) == pytest.approx(0.0, abs=1e-16)


def test_the_joint_of_a_tilting_disc_neither_slips_nor_lifts(rng):
    kind = RollingDisc(0.3)
    slip, height = Rolling(A, WORLD, 0.3, axis="y"), DiscHeight(A, WORLD, 0.3, axis="y")
    for _ in range(10):
        q = np.array(kind.start()) + rng.uniform(-1, 1, len(kind.coordinates))
        v = rng.normal(size=len(kind.velocities))
        dq = kind.rates(q) @ v
        before, now, after = (kind.pose(q + k * STEP * dq, 0.0) for k in (-1, 0, 1))
        spin = math.axial((after[0] - before[0]) @ now[0].T) / (2 * STEP)
        twist = (spin, (after[1] - before[1]) / (2 * STEP))
        at = Snapshot({"a": now}, twists={"a": twist})
        assert height.value(at) == pytest.approx(0.0, abs=1e-15)
        assert np.linalg.norm(twist[1]) > 1e-2
        np.testing.assert_allclose(slip.rate(at), (0.0, 0.0), atol=2e-7)


def gears(r_1, r_2, w_1, w_2):
    place = np.array((r_1 + r_2, 0.0, 0.4))
    return Snapshot(
        {"a": (np.eye(3), np.zeros(3)), "b": (np.eye(3), place)},
        twists={
            "a": (np.array((0, 0, w_1)), np.zeros(3)),
            "b": (np.array((0, 0, w_2)), np.zeros(3)),
        },
    )


def test_two_wheels():
    assert Rolling(A, B, 0.2, 0.5, "z").rate(gears(0.2, 0.5, 5.0, -2.0)) == pytest.approx(0.0)
    assert Rolling(A, B, 0.2, 0.5, "z").rate(gears(0.2, 0.5, 5.0, 0.0)) == pytest.approx(1.0)


def test_wheel_in_a_ring():
    """Both turn the same way."""
    assert Rolling(A, B, 0.2, -0.5, "z").rate(gears(0.2, -0.5, 5.0, 2.0)) == pytest.approx(0.0)
    assert abs(Rolling(A, B, 0.2, -0.5, "z").rate(gears(0.2, -0.5, 5.0, -2.0))) > 1.0
