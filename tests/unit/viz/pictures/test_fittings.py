"""Joints, springs, dampers and rods in pictures."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.viz.pages.keyframes import body_motion
from jourdain.viz.pictures.fittings import Fittings, stretched
from jourdain.viz.shapes.scene import make_parts

START, END = np.array((0.1, -0.2, 0.3)), np.array((0.5, 0.4, 1.5))


@pytest.mark.parametrize("kind", ["spring", "damper", "strut", "rod", "rope"])
def test_what_stretches_reaches_from_end_to_end(kind):
    mesh = stretched(kind, START, END, 0.05, 1.0)
    line = END - START
    length = np.linalg.norm(line)
    along = (mesh.points - START) @ line / length
    away = np.linalg.norm(mesh.points - START - np.outer(along, line / length), axis=1)
    assert along.min() == pytest.approx(0.0, abs=0.06)
    assert along.max() == pytest.approx(length, abs=0.06)
    assert away.max() < 1.2 * 0.05
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-9)


@pytest.fixture(scope="module")
def sol():
    model = jd.Model("hung")
    arm = model.add_body("arm", jd.solid.rod(1.0, end=(1.0, 0, 0)))
    model.add_joint("pin", model.world.at(0, 0, 1), arm, jd.Revolute("y"))
    tip, wall = arm.at(1.0, 0, 0), model.world.at(1.0, 0, 2.0)
    law = jd.Spring(300.0, free=0.8) + jd.Damper(2.0)
    model.add_connection("strut", jd.Distance(wall, tip), law)
    return jd.simulate(model, 0.4, sample=0.1)


def test_fittings_move_with_their_bodies(sol):
    poses = body_motion(sol)[0]
    fittings = Fittings(sol, sol, poses, make_parts(sol.model))
    for k in (0, 4):
        parts = {part.name: part for part in fittings.at(k)}
        assert set(parts) == {"strut", "pin"}
        tip = poses[k, 0, :3, :3] @ (1.0, 0, 0) + poses[k, 0, :3, 3]
        gaps = np.linalg.norm(parts["strut"].mesh.points - tip, axis=1)
        assert gaps.min() < 1.2 * fittings.small
        centre = parts["pin"].mesh.points.mean(axis=0)
        np.testing.assert_allclose(centre, (0, 0, 1), atol=0.05)


def test_a_picture_has_the_colour_of_a_spring(sol, tmp_path):
    from PIL import Image

    with Image.open(jd.render(sol, tmp_path / "one.png", size=(200, 160))) as opened:
        image = np.asarray(opened.convert("RGB")).astype(int)
    teal = (image[..., 1] > image[..., 0] + 40) & (image[..., 1] > image[..., 2] + 10)
    assert teal.sum() > 30


@pytest.mark.parametrize("gravity", [(0, 0, -9.81), (0, -9.81, 0), (9.81, 0, 0)])
def test_down_is_where_gravity_points(gravity, tmp_path):
    """A bob hangs below its hinge, however the axes of the model lie."""
    from PIL import Image

    model = jd.Model("bob", gravity=gravity)
    down = np.array(gravity) / 9.81
    bob = jd.solid.ball(1.0, 0.25, at=tuple(down)) + jd.solid.rod(0.1, end=tuple(down))
    body = model.add_body("bob", bob, colour="#ff0000")
    axis = "x" if gravity[0] == 0 else "y"
    model.add_joint("pin", model.world, body, jd.Revolute(axis))
    file = jd.render(jd.simulate(model, 0.01), tmp_path / "bob.png", size=(160, 200))
    with Image.open(file) as opened:
        image = np.asarray(opened.convert("RGB")).astype(int)
    rows = np.nonzero((image[..., 0] - image[..., 2] > 90).sum(axis=1) > 18)[0]
    assert rows.mean() > 100  # the ball is in the lower half
