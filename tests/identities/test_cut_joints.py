"""A joint that is cut moves and carries loads exactly as the same joint in the tree."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.model.joints import all_joint_kinds
from jourdain.testing import all_user_kinds, random_coordinates


def each_type_once():
    """All kinds; further instances of a type are left to the slow tests."""
    cases, seen = [], set()
    for kind in (*all_joint_kinds(), *all_user_kinds()):
        again = type(kind) in seen
        seen.add(type(kind))
        cases.append(pytest.param(kind, id=repr(kind), marks=[pytest.mark.slow] * again))
    return cases


RTOL = 1e-10


def held_body(kind, rng, *, driven=None):
    """A body on one joint, its frames anywhere."""
    model = jd.Model("held", gravity=(1.0, -2.0, -9.0))
    moments = ((0.4, 0.05, -0.03), (0.05, 0.3, 0.02), (-0.03, 0.02, 0.5))
    inertia = jd.Inertia(1.3, com=(0.1, -0.2, 0.15), moments=moments)
    body = model.add_body("body", inertia)
    turns = [jd.math.rotation_quaternion(rng.normal(size=4)) for _ in range(2)]
    places = rng.uniform(-0.5, 0.5, (2, 3))
    ends = model.world.at(*places[0], rotation=turns[0]), body.at(*places[1], rotation=turns[1])
    model.add_joint("joint", *ends, kind, driven=driven)
    return model


def as_free_body(tree, q, v, t):
    """The same motion of the body in the coordinates of a free joint, then those of the joint."""
    poses, twists, _ = tree.kinematics(q, v, np.zeros(len(v)), t)
    R, w = poses[0, :3, :3], twists[0]
    turn = Rotation.from_matrix(R).as_quat(scalar_first=True)
    return np.concatenate([poses[0, :3, 3], turn, q]), np.concatenate([w[3:], R.T @ w[:3]])


def require_equal_motion(model, q, v, tau, t):
    """Compare a body on a joint with a free body that the joint, cut, holds."""
    tree = jd.compile(model, execution=jd.Plain())
    with_loop = model.copy()
    with_loop.add_joint("free", with_loop.world, "body", jd.Free())
    loop = jd.compile(with_loop, cut="joint")
    vdot = tree.forward_dynamics(q, v, tau, t)
    body = tree.kinematics(q, v, vdot, t)
    loads = tree.loads(q, v, vdot, t)
    z, u = as_free_body(tree, q, v, t)
    assert np.abs(loop.answers("position_errors", z, u, t=t)).max(initial=0.0) < 1e-13
    udot = loop.answers("vdot", z, u, t=t, extra=tau)
    np.testing.assert_allclose(loop.kinematics(z, u, udot, t)[2], body[2], rtol=RTOL, atol=1e-10)
    rates = loop.answers("zdot", z, u, t=t, extra=tau)
    np.testing.assert_allclose(rates[7:], tree.coordinate_rates(q, v, t), rtol=RTOL, atol=1e-11)
    found = loop.answers("cut_motion", z, u, t=t, extra=tau)
    np.testing.assert_allclose(found[-6:], loads.interaction[0], rtol=RTOL, atol=1e-9)
    return found, vdot


@pytest.mark.parametrize("kind", each_type_once())
def test_one_body_on_a_cut_joint(kind, rng):
    """Accelerations, rates of coordinates, velocities and the whole load, with applied forces."""
    t = 0.7
    model = held_body(kind, rng)
    q = random_coordinates(kind, rng, t=t)
    v, tau = rng.uniform(-1.0, 1.0, (2, len(kind.velocities)))
    found, vdot = require_equal_motion(model, q, v, tau, t)
    expected = np.concatenate([q, v, vdot])
    np.testing.assert_allclose(found[:-6], expected, rtol=RTOL, atol=1e-10)


DRIVEN = {
    "revolute": (jd.Revolute("z"), {"angle": lambda t: 0.3 * jd.sin(2.0 * t)}),
    "cylindrical": (jd.Cylindrical("x"), {"position": lambda t: 0.2 * t * t}),
    "spherical": (jd.Prismatic("x") * jd.Revolute("y"), {"angle": jd.sin}),
}


@pytest.mark.parametrize("case", DRIVEN)
def test_a_driven_joint_is_cut(case, rng):
    kind, drives = DRIVEN[case]
    model = held_body(kind, rng, driven=drives)
    names = jd.compile(model, execution=jd.Plain()).names
    q, v = rng.uniform(-1.0, 1.0, len(names.q)), rng.uniform(-1.0, 1.0, len(names.v))
    require_equal_motion(model, q, v, rng.normal(size=len(v)), 0.7)
