from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.elements import Frame
from jourdain.viz.shapes.drawables import Arrow, Hinge, Line, Mark, Marker, Stretch, Trace
from jourdain.viz.shapes.furniture import fixed_points, furniture, trace


def test_joints_frames_and_loads_are_drawn(crane):
    found = furniture(crane, {"length": 2.0})
    assert [hinge.name for hinge in found.of(Hinge)] == ["rail", "pivot", "hook"]
    assert [mark.name for mark in found.of(Mark)] == ["cart", "rope", "load", "ring"]
    forces = [arrow for arrow in found.of(Arrow) if arrow.kind == "force"]
    assert [arrow.vector for arrow in forces] == ["rail.force", "pivot.force", "hook.force"]
    assert forces[0].axes == crane.joints["rail"].parent


def test_weights_act_at_the_centres_of_mass(crane):
    arrows = furniture(crane, {"length": 2.0}).of(Arrow)
    rope = next(arrow for arrow in arrows if (arrow.name, arrow.kind) == ("rope", "weight"))
    assert rope.vector == pytest.approx((0, 0, -9.81))
    assert rope.at.position == crane.bodies["rope"].inertia.com


def test_bodies_without_weight_have_no_arrow():
    model = jd.Model("light", gravity=(0, 0, 0))
    model.add_body("ball", jd.solid.ball(1.0, 0.1))
    assert furniture(model, {}).of(Arrow) == []


def test_extras_come_last(crane):
    marker = Marker("spot", Frame("load"))
    assert furniture(crane, {"length": 2.0}, extras=[marker]).drawables[-1] is marker


def test_fixed_points_are_those_of_the_world(crane):
    turned = Frame("world", (0, 0, 1), jd.rotation_z(np.pi / 2))
    extras = [
        Stretch("rope", "rope", (Frame("world", (1, 2, 3)), Frame("load"), "load.position")),
        Line("edge", [(1, 0, 0)], turned),
        Line("on_body", [(9, 9, 9)], Frame("load")),
    ]
    found = fixed_points(furniture(crane, {"length": 2.0}, extras=extras), {})
    np.testing.assert_allclose(found, [(1, 2, 3), (0, 1, 1)], atol=1e-12)


def test_traces_of_bodies_frames_and_names(crane):
    load = crane.bodies["load"]
    assert trace(crane, "load") == trace(crane, load) == Trace("load", Frame("load"))
    assert trace(crane, "ring").at == crane.frames["ring"]
    assert trace(crane, load.at(0, 0, 1)).at == load.at(0, 0, 1)
    own = Trace("mine", load.at(), "#ff0000")
    assert trace(crane, own) is own
