"""Measures inside composites: poses, rates and names of nodes."""

import numpy as np
import pytest

from jourdain import math
from jourdain.equations.connections.scene import Scene
from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.composites.inside import Inside, InsideView
from jourdain.model.composites.node import Node
from jourdain.model.elements import Frame
from jourdain.model.joints import Revolute
from jourdain.model.measures import Coordinate, Distance, Rolling

ARM = Node("arm", on=Frame("rod", (1.0, 0.0, 0.0)), kind=Revolute("z"))
TIP = Node("tip", on=ARM)
NAMES = (*ARM.coordinates, *TIP.coordinates)
TURN = math.rotation_x(0.4)


def inside(measure):
    return Inside(measure, "machine", (ARM, TIP), NAMES)


@pytest.fixture
def at():
    values = {
        "arm.angle": 0.3,
        "tip.position.x": 0.5,
        "tip.position.y": 0.1,
        "tip.position.z": -0.2,
    }
    rates = {"arm.angle": 2.0, "tip.position.y": 0.7}
    return Snapshot(
        {"rod": (TURN, np.array((0.0, 1.0, 0.0)))},
        {f"machine.{name}": x for name, x in values.items()},
        twists={"rod": (np.array((0.1, 0.2, 0.3)), np.array((1.0, 0.0, 0.0)))},
        velocities={f"machine.{name}": x for name, x in rates.items()},
    )


def test_pose_of_a_node_on_a_node(at):
    R, r = InsideView(at, inside(Coordinate("arm.angle"))).pose(TIP.at(0.0, 0.0, 1.0))
    own = math.rotation_z(0.3)
    place = (1.0, 0.0, 0.0) + own @ (0.5, 0.1, -0.2 + 1.0)
    assert np.allclose(R, TURN @ own, atol=1e-15)
    assert np.allclose(r, (0.0, 1.0, 0.0) + TURN @ place, atol=1e-15)


def test_relative_poses(at):
    view = InsideView(at, inside(Coordinate("arm.angle")))
    R, r = view.relative(TIP, ARM)
    assert np.allclose(R, np.eye(3), atol=1e-15)
    assert np.allclose(r, (0.5, 0.1, -0.2), atol=1e-15)


def test_twist_of_a_node(at):
    """Angular velocities add up; the velocity is that of rigid motion and of the coordinates."""
    w, u = InsideView(at, inside(Coordinate("arm.angle"))).twist(TIP)
    turning = np.array((0.1, 0.2, 0.3)) + TURN @ (0.0, 0.0, 2.0)
    arm = TURN @ (1.0, 0.0, 0.0)
    out = TURN @ math.rotation_z(0.3) @ (0.5, 0.1, -0.2)
    slide = TURN @ math.rotation_z(0.3) @ (0.0, 0.7, 0.0)
    base = np.array((1.0, 0.0, 0.0)) + np.cross((0.1, 0.2, 0.3), arm)
    assert np.allclose(w, turning, atol=1e-9)
    assert np.allclose(u, base + np.cross(turning, out) + slide, atol=1e-9)


def test_twists_of_bodies_pass(at):
    w, _ = InsideView(at, inside(Coordinate("arm.angle"))).twist(Frame("rod"))
    assert np.array_equal(w, (0.1, 0.2, 0.3))


def test_coordinates_are_those_inside_first(at):
    view = InsideView(at, inside(Coordinate("arm.angle")))
    assert (view.coordinate("arm.angle"), view.velocity("arm.angle")) == (0.3, 2.0)
    assert view.t == 0.0


def test_frames_are_those_on_bodies():
    measure = inside(Distance(TIP, Frame("world", (1.0, 0.0, 0.0))))
    assert measure.frames == (Frame("world", (1.0, 0.0, 0.0)), Frame("rod", (1.0, 0.0, 0.0)))
    assert (measure.unit, measure.rate_unit, measure.force_unit) == ("m", "m/s", "N")
    assert str(measure) == "Distance(tip, world(1, 0, 0))"


def test_measures_of_velocities_work_inside(at):
    slip = inside(Rolling(TIP, Frame("world"), 0.1))
    assert slip.value(at) is None
    assert np.shape(slip.rate(at)) == (slip.size,)


def test_symbols_are_those_of_bodies_and_internal_coordinates():
    scene = Scene([f"machine.{name}" for name in NAMES], "here")
    value = inside(Distance(TIP, Frame("world"))).value(scene)
    assert value.numel() == 1
    assert set(scene.coordinates) == {f"machine.{name}" for name in NAMES}
    assert set(scene.moving) == {"rod"}
