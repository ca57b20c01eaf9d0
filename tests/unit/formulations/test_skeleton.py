"""A system read from its model."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.formulations.skeleton import Skeleton


def test_poses_are_those_of_the_recursion(moving):
    system, q, v, _, t = moving
    skeleton = Skeleton(system)
    R, p = skeleton.move(q, v, t).bodies
    poses = system.poses(q, t)
    np.testing.assert_array_equal(R[0], np.eye(3))
    for k, segment in enumerate(skeleton.segments, 1):
        body = poses[system.names.bodies.index(segment.name)]
        np.testing.assert_allclose(R[k], body[:3, :3], atol=1e-14)
        np.testing.assert_allclose(p[k], body[:3, 3], atol=1e-14)


def test_frames_keep_the_direction_of_the_user():
    model = jd.Model("swing")
    arm = model.add_body("arm", jd.solid.ball(1.0, 0.1))
    model.add_joint("pin", arm.at(0.5, 0, 0), model.world.at(0, 0, 2), jd.Revolute("y"))
    (segment,) = Skeleton(jd.compile(model, execution=jd.Plain())).segments
    assert segment.is_reversed
    assert segment.outer is segment.parent
    assert segment.inner is segment.child
    np.testing.assert_array_equal(segment.outer.position, [0.5, 0, 0])


def test_parameters_take_their_values():
    mass, length = jd.Parameter("mass", 2.0), jd.Parameter("length", 0.5)
    model = jd.Model("pendulum", gravity=(0, 0, -9.81))
    bob = model.add_body("bob", jd.solid.point(mass, (length, 0, 0)))
    model.add_joint("pin", model.world, bob, jd.Revolute("y"))
    model.add_coordinate("rotor", 3 * mass)
    system = jd.compile(model, execution=jd.Plain())
    assert Skeleton(system).segments[0].mass == 2.0
    changed = Skeleton(system, {"mass": 5.0, "length": 0.7})
    assert changed.segments[0].mass == 5.0
    np.testing.assert_allclose(changed.segments[0].com, [0.7, 0, 0])
    np.testing.assert_allclose(changed.rotors, [0.0, 15.0])


def test_driven_scalar_coordinates_have_no_rotor():
    model = jd.Model("shafts")
    model.add_body("box", jd.solid.ball(1.0, 0.1))
    model.add_coordinate("driven", 1.0, driven=lambda t: t)
    model.add_coordinate("free", 4.0)
    rotors = Skeleton(jd.compile(model, execution=jd.Plain())).rotors
    np.testing.assert_array_equal(rotors, [0.0] * 6 + [4.0])


def test_wrenches_follow_the_bodies(moving):
    system, *_ = moving
    skeleton = Skeleton(system)
    loads = np.arange(24.0).reshape(4, 6)
    for segment, load in zip(skeleton.segments, skeleton.wrenches(loads), strict=True):
        np.testing.assert_array_equal(load, loads[system.names.bodies.index(segment.name)])
    np.testing.assert_array_equal(skeleton.wrenches(None), np.zeros((4, 6)))


def test_rows_are_in_the_order_of_loads(moving):
    system, q, v, vdot, t = moving
    skeleton = Skeleton(system)
    joints = [system.topology.tree[i].name for i in skeleton.rows]
    assert joints == list(system.loads(q, v, vdot, t).joints)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("q", (np.zeros((3, 2)), np.zeros(2))), ("v", (np.zeros(2), np.zeros(1)))],
)
def test_batches_are_refused_by_name(make_chain, name, arguments):
    system = make_chain(jd.Revolute("x"), jd.Prismatic("z"))
    text = rf"^{name} has the shape .* one state at a time: give \(2,\)\. Loop over batches\."
    with pytest.raises(ModelError, match=text):
        Skeleton(system).move(*arguments, 0.0)


def test_wrong_wrenches_are_refused(make_chain):
    skeleton = Skeleton(make_chain(jd.Revolute("x")))
    with pytest.raises(ModelError, match=r"wrenches has the shape \(6,\), .* give \(1, 6\)"):
        skeleton.wrenches(np.zeros(6))
