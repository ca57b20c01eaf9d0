from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.viz.shapes.arms import arms, joint_ends
from jourdain.viz.shapes.bodies import Meshes, shapes
from jourdain.viz.shapes.scene import make_parts

BALL = np.array([(-0.1, -0.1, -2.1), (0.1, 0.1, -1.9)])
FAR = BALL + np.array((5, 0, 0))


def test_a_bar_runs_from_the_joint_into_the_nearest_shape():
    ((start, end, radius),) = arms([(0.0, 0.0, 0.0)], [FAR, BALL])
    np.testing.assert_array_equal(start, (0, 0, 0))
    np.testing.assert_allclose(end, (0, 0, -1.95))
    assert radius == pytest.approx(0.015 * 1.9)


def test_what_touches_needs_no_bar():
    assert list(arms([(0.0, 0.0, -1.895), (0.0, 0.05, -2.0)], [BALL])) == []
    assert list(arms([(0.0, 0.0, 1.0)], [])) == []


def test_two_joints_at_one_place_have_one_bar():
    assert len(list(arms([(0.0, 0.0, 0.0)] * 2, [BALL]))) == 1


@pytest.fixture
def ride():
    model = jd.Model("ride")
    length = jd.Parameter("length", 3.0, "m")
    seat = model.add_body("seat", jd.solid.ball(1.0, 0.1, at=(0, 0, -length)))
    model.add_joint("hinge", model.world, seat, jd.Revolute("y"))
    stone = model.add_body("stone", jd.solid.ball(1.0, 0.1, at=(0, 0, 1)))
    model.add_joint("fly", model.world, stone, jd.Free())
    return model


def test_a_seat_hangs_on_something_and_a_stone_does_not(ride):
    seat, stone = ride.bodies["seat"], ride.bodies["stone"]
    assert [end.position for end in joint_ends(ride, seat)] == [(0.0, 0.0, 0.0)]
    assert joint_ends(ride, stone) == []
    ball, bar = shapes(ride, seat, {"length": 2.0}, 0.05, Meshes())
    np.testing.assert_allclose(bar["size"][:6], (0, 0, 0, 0, 0, -1.95), atol=1e-12)
    assert len(shapes(ride, stone, {"length": 2.0}, 0.05, Meshes())) == 1
    points = make_parts(ride)[0].mesh.points  # with the nominal value
    assert points[:, 2].max() == pytest.approx(0.0, abs=0.1)
    assert points[:, 2].min() == pytest.approx(-3.1, abs=0.01)
