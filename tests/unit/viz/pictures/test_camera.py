from __future__ import annotations

import numpy as np
import pytest

from jourdain.viz.pictures.camera import looking_at

VIEWS = pytest.mark.parametrize("view", [(20.0, -60.0), (0.0, 0.0), (89.0, 30.0), (-30.0, 200.0)])
SIZE = 640, 360


@VIEWS
def test_all_points_are_in_the_picture_and_fill_it(view, rng):
    points = rng.normal(size=(40, 3)) * (1.0, 2.0, 0.5) + (5.0, 0.0, 1.0)
    seen = looking_at(points, view, *SIZE).project(points)
    filled = np.abs(seen[:, :2] / SIZE - 0.5).max(axis=0) * 2.0
    assert filled.max() == pytest.approx(0.9)
    middle = 0.5 * (seen[:, :2].min(axis=0) + seen[:, :2].max(axis=0))
    assert np.abs(middle / SIZE - 0.5).max() < 0.1
    assert np.all(seen[:, 2] > 0.0)


@VIEWS
def test_rays_go_through_the_points_that_are_projected_there(view, rng):
    points = rng.normal(size=(40, 3))
    camera = looking_at(points, view, *SIZE)
    column, row, inverse = camera.project(points).T
    reached = camera.eye + camera.rays(row - 0.5, column - 0.5) / inverse[:, np.newaxis]
    np.testing.assert_allclose(reached, points, atol=1e-12)


def test_up_is_up_and_right_is_right():
    camera = looking_at(np.eye(3), (10.0, -90.0), *SIZE)  # along y, x to the right
    left, right, above = camera.project([(0, 0, 0), (1, 0, 0), (0, 0, 1)])
    assert right[0] > left[0]
    assert above[1] < left[1]


def test_points_behind_the_camera_are_infinitely_far():
    camera = looking_at(np.eye(3), (10.0, -90.0), *SIZE)
    assert camera.project(camera.eye + camera.axes[2])[2] == 0.0
