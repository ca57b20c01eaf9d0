from __future__ import annotations

import numpy as np
import pytest

from jourdain.viz.pictures.camera import looking_at
from jourdain.viz.pictures.render import render
from jourdain.viz.shapes.mesh import ball
from jourdain.viz.shapes.scene import Part

BALL = Part("ball", "#cc2200", ball(0.5))
WHITE = (1.0, 1.0, 1.0)


def image(height=0.5, view=(30.0, -60.0), **options):
    pose = np.eye(4)
    pose[2, 3] = height
    points = BALL.mesh.points + pose[:3, 3]
    return render([BALL], [pose], looking_at(points, view, 90, 60), **options)


def test_values_are_colours():
    picture = image()
    assert picture.shape == (60, 90, 3)
    assert picture.min() >= 0.0
    assert picture.max() <= 1.0 + 1e-12


def test_the_ball_is_red_and_brighter_above():
    picture = image()
    top, bottom = picture[12, 45], picture[48, 45]
    assert top[0] > 2.0 * top[2]
    assert top.sum() > bottom.sum()


def test_the_shadow_is_on_the_floor_beside_it():
    lit = image(floor=-1e6)  # the floor is too far away to be seen
    dark = image()
    changed = np.abs(lit - dark).sum(axis=-1) > 0.05
    assert changed.any()
    assert np.all(dark[changed].mean(axis=0) < 1.0)


def test_from_below_there_is_no_floor():
    assert tuple(image(view=(-30.0, 0.0))[0, 0]) == WHITE


def test_curves_are_drawn():
    line = np.array([(-2.0, 0.0, 1.2), (2.0, 0.0, 1.2)])
    assert np.any(image(paths=[line]) != image())


@pytest.mark.parametrize("corner", [(0, 0), (0, -1)])
def test_the_background_is_white(corner):
    np.testing.assert_allclose(image(view=(1.0, 0.0))[corner], WHITE, atol=0.02)


def test_what_is_seen_through_lets_light_by():
    pose, points = np.eye(4), BALL.mesh.points
    camera = looking_at(points, (0.0, -90.0), 90, 60)
    full, half = (
        render([Part("ball", "#cc2200", BALL.mesh, opacity=x)], [pose], camera, floor=-9.0)
        for x in (1.0, 0.5)
    )
    np.testing.assert_allclose(
        (1.0 - half).mean(axis=(0, 1)), 0.5 * (1.0 - full).mean(axis=(0, 1)), rtol=0.05
    )
