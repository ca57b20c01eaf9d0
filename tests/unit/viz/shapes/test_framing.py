from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.viz.pages.animate import still
from jourdain.viz.pages.keyframes import keyframes
from jourdain.viz.shapes.bodies import Meshes, shapes
from jourdain.viz.shapes.framing import Framing, clearest, eye, frame_scene


def framed(model, fixed=(), **start):
    solution = still(model, {k.replace("__", "."): x for k, x in start.items()})
    bodies = [{"shapes": shapes(model, body, {}, 0.05, Meshes())} for body in model.bodies.values()]
    return frame_scene([(keyframes(solution), bodies)], model.gravity).around(fixed)


def boxed(gravity):
    model = jd.Model("box", gravity=gravity)
    model.add_body("box", jd.solid.box(1.0, (2.0, 4.0, 6.0)))
    return framed(model, box__position=(1.0, 2.0, 3.0))


def test_the_box_holds_all():
    scene = boxed((0, 0, -9.81))
    np.testing.assert_allclose(scene.box, ((0, 0, 0), (2, 4, 6)))
    assert (scene.size, scene.machine) == (6.0, pytest.approx(np.sqrt(56)))


def test_the_outline_lies_on_the_scene_and_holds_nearly_all_of_it():
    model = jd.Model("cross")
    model.add_body("rod", jd.solid.box(1.0, (4.0, 0.2, 0.2)))
    scene = framed(model, fixed=[(0, 0, 3.0)])
    corners = np.stack(np.meshgrid((-2, 2), (-0.1, 0.1), (-0.1, 0.1)), axis=-1).reshape(-1, 3)
    points = np.vstack([corners, (0, 0, 3.0)])
    assert {tuple(p) for p in np.round(scene.outline, 9)} <= {tuple(p) for p in points}
    for direction in np.random.default_rng(0).normal(size=(50, 3)):
        reach = np.max(points @ direction) - np.max(scene.outline @ direction)
        assert 0.0 <= reach <= 0.1 * np.linalg.norm(direction)


def test_the_box_holds_fixed_points_too():
    model = jd.Model("box")
    model.add_body("box", jd.solid.box(1.0, (2.0, 2.0, 2.0)))
    scene = framed(model, fixed=[(5, 0, 0), (0, 0, -3)])
    np.testing.assert_allclose(scene.box, ((-1, -1, -3), (5, 1, 1)))
    assert scene.machine == pytest.approx(np.sqrt(12))


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_gravity_points_down(axis, sign):
    gravity = sign * 9.81 * np.eye(3)[axis]
    scene = boxed(tuple(gravity))
    np.testing.assert_allclose(scene.turn @ gravity, (0, 0, -9.81), atol=1e-12)
    np.testing.assert_allclose(scene.turn @ scene.turn.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(scene.turn) == pytest.approx(1.0)


def test_without_gravity_z_points_up():
    np.testing.assert_array_equal(boxed((0, 0, 0)).turn, np.eye(3))


@pytest.mark.parametrize(("thin", "direction"), [(1, -72.0), (0, -18.0)])
def test_plane_machines_are_seen_from_the_side(thin, direction):
    high = np.ones(3)
    high[thin] = 0.1
    assert Framing(np.eye(3), np.array((np.zeros(3), high)), 1.0).view == (14.0, direction)


def test_flat_scenes_are_seen_from_above():
    flat = Framing(np.eye(3), np.array(((0, 0, 0), (1, 1, 0.1))), 1.0)
    assert flat.view[0] > 30.0
    assert flat.content((10.0, 20.0))["view"] == [10.0, 20.0]


def test_the_eye_is_given_in_radians_or_with_a_unit():
    assert eye(None) is None
    assert eye((np.pi / 6, -np.pi / 3)) == pytest.approx((30.0, -60.0))
    assert eye(((30, -60), "deg")) == pytest.approx((30.0, -60.0))


@pytest.mark.parametrize(
    ("view", "message"),
    [
        ((24.0, -46.0), r"24 rad above the horizon.*degrees are view=\(\(25, -60\), 'deg'\)"),
        ((1.0,), r"give two angles \[rad\], such as \(0.4, -1.0\)"),
        ("top", "give two angles"),
        ((float("nan"), 0.0), "give two angles"),
        (((30, -60), "mm"), "view is given in 'mm', but its unit is 'rad'"),
    ],
)
def test_other_views_are_refused(view, message):
    with pytest.raises(ModelError, match=message):
        eye(view)


def test_the_eye_is_where_a_big_body_does_not_stand_in_the_way():
    usual = (22.0, -55.0)
    small = [((x, 0.0, 0.0), (x + 0.2, 0.2, 0.2)) for x in (-0.6, -0.2, 0.2)]
    wall = ((-3.0, -1.5, -1.0), (3.0, -1.0, 3.0))
    assert clearest(usual, np.array([*small, wall])) == (22.0, 55.0)
    behind = ((-3.0, 1.0, -1.0), (3.0, 1.5, 3.0))
    assert clearest(usual, np.array([*small, behind])) == usual
    assert clearest(usual, np.array([*small, wall, behind])) == usual  # no better elsewhere
