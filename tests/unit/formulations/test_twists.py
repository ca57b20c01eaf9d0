"""Sol's matrices of vectors."""

from __future__ import annotations

import numpy as np

import jourdain as jd
from jourdain.formulations.skeleton import Skeleton
from jourdain.formulations.twists import centres, transformation, tree_vectors


def at_centre(system, q, t, motion, rotation):
    """Body motions [angular; linear] of the system, carried to the centres of mass."""
    poses = system.poses(q, t)
    moved = []
    for segment in Skeleton(system).segments:
        k = system.names.bodies.index(segment.name)
        arm = poses[k, :3, :3] @ segment.com
        w, x = motion[k, :3], motion[k, 3:]
        turned = np.cross(rotation[k], np.cross(rotation[k], arm)) if rotation is not None else 0.0
        moved.append(np.concatenate([w, x + np.cross(w, arm) + turned]))
    return np.array(moved)


def test_velocities_are_the_twists_of_the_system(moving):
    system, q, v, _, t = moving
    skeleton = Skeleton(system)
    transformed = transformation(skeleton, skeleton.move(q, v, t), v, np.zeros((4, 6)))
    expected = at_centre(system, q, t, system.twists(q, v, t), None)
    np.testing.assert_allclose(transformed.R @ v + transformed.excited, expected, atol=1e-13)


def test_accelerations_are_those_of_the_system(moving):
    system, q, v, vdot, t = moving
    skeleton = Skeleton(system)
    transformed = transformation(skeleton, skeleton.move(q, v, t), v, np.zeros((4, 6)))
    _, twists, accelerations = system.kinematics(q, v, vdot, t)
    expected = at_centre(system, q, t, accelerations, twists[:, :3])
    np.testing.assert_allclose(transformed.R @ vdot + transformed.bias, expected, atol=1e-12)


def test_mode_vectors_stand_in_the_column_of_their_joint(moving):
    system, q, v, _, t = moving
    skeleton = Skeleton(system)
    tree = tree_vectors(skeleton, skeleton.move(q, v, t), v)
    for k, segment in enumerate(skeleton.segments):
        others = np.setdiff1d(np.arange(skeleton.n_v), segment.v)
        assert not np.any(tree.W[others, k])
        assert not np.any(tree.V[others, k])


def test_pendulum_has_its_textbook_vectors(make_chain):
    model = jd.Model("pendulum", gravity=(0, 0, -9.81))
    bob = model.add_body("bob", jd.solid.point(2.0, (0.5, 0, 0)))
    model.add_joint("pin", model.world, bob, jd.Revolute("y"))
    skeleton = Skeleton(jd.compile(model, execution=jd.Plain()))
    v = np.array([3.0])
    posture = skeleton.move([0.0], v, 0.0)
    tree = tree_vectors(skeleton, posture, v)
    np.testing.assert_allclose(centres(posture), [[0.5, 0, 0]])
    np.testing.assert_allclose(tree.W[0, 0], [0, 1, 0])
    np.testing.assert_allclose(tree.U[0, 0], [0, 0, -0.5])
    np.testing.assert_allclose(tree.U_oo, [[-0.5 * 9, 0, 0]], atol=1e-15)
