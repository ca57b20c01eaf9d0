from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.viz.shapes import scene


def chain(first, second):
    model = jd.Model("chain")
    a, b = model.add_body("a", first), model.add_body("b", second)
    model.add_joint("j1", model.world, a, jd.Revolute("y"))
    model.add_joint("j2", a.at(0, 0, 0.5), b, jd.Revolute("y"))
    return model


def test_colours_take_turns_unless_given():
    model = chain(jd.solid.ball(1, 0.1), jd.solid.ball(1, 0.1))
    parts = scene.make_parts(model, {"b": "#010203"})
    assert [part.colour for part in parts] == [scene.PALETTE[0], "#010203"]
    np.testing.assert_allclose(scene.rgb("#0080ff") * 255, (0, 128, 255))


def test_a_body_without_shape_is_a_bar_between_its_joints():
    model = chain(jd.Inertia(1.0, (0, 0, 0.25)), jd.Inertia(1.0))
    bar, dot = scene.make_parts(model)
    assert bar.mesh.points[:, 2].max() == pytest.approx(0.5 * (1 + 0.04))
    assert bar.mesh.points[:, 2].min() == pytest.approx(-0.5 * 0.04)
    np.testing.assert_allclose(np.linalg.norm(dot.mesh.points, axis=1), 0.05, rtol=1e-12)


def test_a_point_mass_is_seen_too():
    model = chain(jd.solid.point(1.0, (0, 0, 0.5)), jd.solid.point(1.0))
    assert all(len(part.mesh.points) for part in scene.make_parts(model))


def test_corners_hold_all_poses():
    model = chain(jd.solid.box(1, (0.2, 0.2, 0.2)), jd.solid.box(1, (0.2, 0.2, 0.2)))
    system = jd.compile(model, execution=jd.Plain())
    poses = system.poses(np.array([[0.0, 0.0], [np.pi, 0.0]]))
    box = scene.corners(scene.make_parts(model), poses)
    np.testing.assert_allclose(box, [(-0.1, -0.1, -0.6), (0.1, 0.1, 0.6)], atol=1e-12)


@pytest.mark.parametrize(("lowest", "floor"), [(0.0, 0.0), (3.0, 0.0), (-1e-9, 0.0), (-1.0, -1.04)])
def test_the_floor_is_at_zero_or_below_everything(lowest, floor):
    box = np.array([(-1.0, -1.0, lowest), (1.0, 1.0, lowest + 1.0)])
    assert scene.floor_height(box) == pytest.approx(floor)


@pytest.mark.parametrize(("width", "step"), [(0.0, 2e-7), (0.7, 0.1), (1.0, 0.2), (30.0, 5.0)])
def test_the_squares_of_the_floor_are_round(width, step):
    assert scene.grid_step(width) == pytest.approx(step)


def test_a_model_without_bodies_is_refused():
    with pytest.raises(jd.ModelError, match="model 'empty' has no bodies to draw"):
        scene.make_parts(jd.Model("empty"))


def test_a_colour_for_a_missing_body_is_refused():
    model = chain(jd.solid.ball(1, 0.1), jd.solid.ball(1, 0.1))
    with pytest.raises(jd.UnknownNameError, match="no body 'c' in model 'chain'"):
        scene.make_parts(model, {"c": "#000000"})


@pytest.mark.parametrize("colour", ["red", "#12345", "#12345g", "#123456;"])
def test_a_colour_of_another_form_is_refused(colour):
    model = chain(jd.solid.ball(1, 0.1), jd.solid.ball(1, 0.1))
    with pytest.raises(jd.ModelError, match=f"the colour of body 'a' is '{colour}'. Give it as"):
        scene.make_parts(model, {"a": colour})


def test_bodies_have_the_colour_of_their_shapes():
    from dataclasses import replace

    box = jd.solid.box(mass=1.0, size=(1, 1, 1))
    red = replace(box, shapes=(replace(box.shapes[0], colour=(1.0, 0.0, 0.5, 1.0)),))
    model = jd.Model("two")
    model.add_body("red", red)
    model.add_body("plain", box)
    found = scene.chosen_colours(model)
    assert found["red"] == "#ff0080"
    assert scene.chosen_colours(model, {"red": "#000000"})["red"] == "#000000"
    assert found["plain"] != found["red"]
