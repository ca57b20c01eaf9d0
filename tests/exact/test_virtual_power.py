"""Jourdain's principle: loads of ideal joints have no power in motions that the joints allow."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.joints import all_joint_kinds
from jourdain.testing.random_model import random_model
from jourdain.testing.states import random_coordinates, random_state


def body_loads(model, system, q, v, vdot, t):
    """Load on every body that its motion needs, less its weight; at the body frames."""
    poses, twists, accelerations = system.kinematics(q, v, vdot, t)
    g, loads = np.array(model.gravity), []
    for body, pose, V, A in zip(model.bodies.values(), poses, twists, accelerations, strict=True):
        R, (w, alpha) = pose[:3, :3], (V[:3], A[:3])
        c = R @ body.inertia.com
        J = R @ np.array(body.inertia.moments) @ R.T
        force = body.inertia.mass * (A[3:] + np.cross(alpha, c) + np.cross(w, np.cross(w, c)) - g)
        torque = J @ alpha + np.cross(w, J @ w) + np.cross(c, force)
        loads.append(np.concatenate((torque, force)))
    return np.array(loads)


@pytest.mark.parametrize("seed", range(8))
def test_passive_loads_are_orthogonal_to_the_jacobian(seed):
    model = random_model(seed, 9)
    system = jd.compile(model, execution=jd.Plain())
    q, v, _, t = random_state(system, seed)
    vdot = system.forward_dynamics(q, v, None, t)
    loads = body_loads(model, system, q, v, vdot, t)
    J = np.array([system.jacobian(name, q, t) for name in system.names.bodies])
    rotors = {f"{j.name}.{n}": a for j in model.joints.values() for n, a in j.armature.items()}
    of_rotors = vdot * np.array([rotors.get(name, 0.0) for name in system.names.v])
    power = np.einsum("bik,bi->k", J, loads) + of_rotors
    scale = np.einsum("bik,bi->k", np.abs(J), np.abs(loads)) + 1.0
    assert np.abs(power / scale).max() < 1e-12


@pytest.mark.parametrize("kind", all_joint_kinds(), ids=repr)
def test_locked_directions_do_not_move(kind, rng):
    """The rows of a joint as a constraint times the columns of the tree are zero."""
    model = jd.Model("pair")
    carrier, carried = (model.add_body(n, jd.solid.ball(1.0, 0.1)) for n in ("carrier", "carried"))
    turn = jd.rotation_x(0.7) @ jd.rotation_z(-0.4)
    parent, child = carrier.at(0.2, -0.1, 0.3, rotation=turn), carried.at(0.1, 0.2, 0.0)
    model.add_joint("joint", parent, child, kind)
    system = jd.compile(model, execution=jd.Plain())
    q, _ = system.state({"carrier.orientation": (0.8, 0.0, 0.6, 0.0)})
    own = random_coordinates(kind, rng)
    q[[k for k, n in enumerate(system.names.q) if n.startswith("joint.")]] = own
    at_child, at_parent = system.jacobian(child, q), system.jacobian(parent, q)
    pose = system.poses(q)
    R = pose[0, :3, :3] @ turn
    arm = (pose[1, :3, :3] @ child.position + pose[1, :3, 3]) - (
        pose[0, :3, :3] @ parent.position + pose[0, :3, 3]
    )
    relative = at_child - at_parent
    relative[3:] -= np.cross(at_parent[:3].T, arm).T
    G = np.vstack((R.T @ relative[:3], R.T @ relative[3:]))
    vectors = jd.mode_vectors(kind, own)
    np.testing.assert_allclose(vectors.locked_dual.T @ G, 0.0, atol=1e-12)
    np.testing.assert_allclose(
        vectors.free_dual.T @ G[:, 6:], np.eye(vectors.free.shape[1]), atol=1e-12
    )
