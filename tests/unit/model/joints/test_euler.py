"""Euler joint."""

import numpy as np

from jourdain.model.joints import Euler, Revolute


def test_turns_about_z_x_z_in_turn(rng):
    q = rng.uniform(-np.pi, np.pi, 3)
    series = Revolute("z") * Revolute("x") * Revolute("z")
    np.testing.assert_allclose(Euler().pose(q, 0.0)[0], series.pose(q, 0.0)[0], atol=1e-15)
    assert Euler().coordinates == series.coordinates
    assert Euler().velocities == series.velocities


def test_nutation_is_the_angle_between_the_z_axes(rng):
    precession, nutation, spin = rng.uniform(0.1, 3.0, 3)
    R, _ = Euler().pose([precession, nutation, spin], 0.0)
    figure = np.sin(nutation) * np.array((np.sin(precession), -np.cos(precession)))
    np.testing.assert_allclose(R[:, 2], (*figure, np.cos(nutation)), atol=1e-15)


def test_angular_velocity_of_a_top(rng, twist):
    """Euler's kinematic equations in the axes of the body."""
    q, v = rng.uniform(0.2, 2.8, 3), rng.normal(size=3)
    s2, c2, s3, c3 = np.sin(q[1]), np.cos(q[1]), np.sin(q[2]), np.cos(q[2])
    expected = (
        v[0] * s2 * s3 + v[1] * c3,
        v[0] * s2 * c3 - v[1] * s3,
        v[0] * c2 + v[2],
    )
    np.testing.assert_allclose(twist(Euler(), q, v)[0], expected, atol=1e-10)
