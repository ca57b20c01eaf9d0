"""Newton's and Euler's laws body by body."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.proof.bodies import Bodies


@pytest.fixture
def bodies():
    model = jd.Model("pair", gravity=(0, 0, -10.0))
    model.add_body("stone", jd.Inertia(2.0, (0.5, 0, 0), (0.1, 0.2, 0.3)))
    model.add_body("rotor", jd.Inertia(jd.Parameter("m", 0.0), moments=(0.4, 0.4, 0.7)))
    return Bodies(model)


@pytest.fixture
def motion():
    """Stone turned about z by a right angle at (1, 2, 3), spinning about z and moving along x."""
    poses = np.array([np.eye(4)] * 2)
    poses[0, :3, :3], poses[0, :3, 3] = jd.rotation_z(np.pi / 2), (1, 2, 3)
    twists = np.zeros((2, 6))
    twists[0] = (0, 0, 4.0, 1.0, 0, 0)
    twists[1, 2] = 3.0
    return poses, twists


def test_energy(bodies, motion):
    kinetic, potential = bodies.energy(*motion)
    # The centre of mass lies 0.5 m along y, so it moves with 1 - 4 * 0.5 = -1 m/s along x.
    np.testing.assert_allclose(kinetic, (0.5 * 2.0 + 0.5 * 0.3 * 16.0, 0.5 * 0.7 * 9.0))
    np.testing.assert_allclose(potential, (2.0 * 10.0 * 3.0, 0.0))


def test_momentum(bodies, motion):
    L, P = np.split(bodies.momentum(*motion)[0], 2)
    np.testing.assert_allclose(P, (-2.0, 0, 0), atol=1e-15)
    np.testing.assert_allclose(L, np.cross((1, 2.5, 3), P) + np.array((0, 0, 1.2)), atol=1e-14)


def test_loads(bodies, motion):
    accelerations = np.zeros((2, 6))
    accelerations[0] = (0, 0, 1.0, 0, 0, 2.0)
    torque, force = np.split(bodies.loads(*motion, accelerations)[0], 2)
    # Centripetal 16 * 0.5 against y, tangential 0.5 against x, and the weight that is carried.
    np.testing.assert_allclose(force, 2.0 * np.array((-0.5, -8.0, 12.0)), atol=1e-14)
    spin = np.array((0, 0, 0.3))
    np.testing.assert_allclose(torque, np.cross((0, 0.5, 0), force) + spin, atol=1e-14)


def test_batches(bodies, motion):
    both = [np.stack((x, x)) for x in motion]
    np.testing.assert_array_equal(bodies.momentum(*both)[1], bodies.momentum(*motion))
