from __future__ import annotations

import numpy as np
import pytest

from jourdain.viz.pictures.camera import looking_at
from jourdain.viz.pictures.raster import Raster
from jourdain.viz.shapes.mesh import ball

NEAR, FAR = np.array((0.0, -3.0, 0.0)), np.array((0.0, 3.0, 0.0))


@pytest.fixture
def raster():
    points = np.concatenate([ball(1.0).points + NEAR, ball(1.0).points + FAR])
    return Raster(looking_at(points, (0.0, -90.0), 200, 200))


def radius(raster, centre):
    """Radius of the outline of a unit ball, in points."""
    distance = np.linalg.norm(centre - raster.camera.eye)
    return raster.camera.focus / np.sqrt(distance**2 - 1.0)


def test_a_ball_covers_its_disc(raster):
    raster.add(ball(1.0).moved(NEAR, np.eye(3)), 1)
    area = np.pi * radius(raster, NEAR) ** 2
    assert np.count_nonzero(raster.number == 1) == pytest.approx(area, rel=0.02)


@pytest.mark.parametrize("order", [(NEAR, FAR), (FAR, NEAR)])
def test_the_nearer_thing_wins(raster, order):
    for centre in order:
        raster.add(ball(1.0).moved(centre, np.eye(3)), 1 if centre is NEAR else 2)
    assert raster.number[100, 100] == 1
    assert np.count_nonzero(raster.number == 2) == 0


def test_normals_point_to_the_camera(raster):
    raster.add(ball(1.0).moved(NEAR, np.eye(3)), 1)
    np.testing.assert_allclose(raster.normal[100, 100], (0.0, -1.0, 0.0), atol=0.05)


def test_curves_are_hidden_behind_bodies(raster):
    raster.add(ball(1.0).moved(NEAR, np.eye(3)), 1)
    raster.add_curve(np.array([(-9.0, 3.0, 0.0), (9.0, 3.0, 0.0)]), 2)
    row = raster.number[100]
    assert row[100] == 1
    assert row[0] == row[-1] == 2


def test_what_is_outside_the_picture_is_left_out(raster):
    raster.add(ball(1.0).moved((50.0, 0.0, 0.0), np.eye(3)), 1)
    raster.add(ball(1.0).moved(raster.camera.eye + 2.0 * raster.camera.axes[2], np.eye(3)), 1)
    raster.add_curve(np.array([(50.0, 0.0, 0.0), (60.0, 0.0, 0.0)]), 1)
    assert not raster.number.any()
