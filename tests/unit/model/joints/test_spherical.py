"""Spherical joint."""

import numpy as np
import pytest

from jourdain import math
from jourdain.model.joints import Spherical


def test_quaternion_has_the_scalar_first():
    half = 0.35
    R, r = Spherical().pose([np.cos(half), 0.0, np.sin(half), 0.0], 0.0)
    np.testing.assert_allclose(R, math.rotation_y(2 * half), atol=1e-15)
    np.testing.assert_array_equal(r, np.zeros(3))


def test_length_of_the_quaternion_does_not_matter(rng):
    q = rng.normal(size=4)
    R, scaled = Spherical().pose(q, 0.0)[0], Spherical().pose(1.7 * q, 0.0)[0]
    np.testing.assert_allclose(scaled, R, atol=1e-15)


@pytest.mark.parametrize("length", [1.0, 1.3])
def test_velocities_are_the_angular_velocity_in_child_axes(length, rng, twist):
    q = rng.normal(size=4)
    q *= length / np.linalg.norm(q)
    v = rng.normal(size=3)
    angular, linear = twist(Spherical(), q, v)
    np.testing.assert_allclose(angular, v, atol=1e-10)
    np.testing.assert_array_equal(linear, np.zeros(3))


def test_rates_keep_the_length(rng):
    q = rng.normal(size=4)
    np.testing.assert_allclose(q @ Spherical().rates(q), np.zeros(3), atol=1e-15)


def test_rates_are_half_a_quaternion_product(rng):
    q, v = rng.normal(size=4), rng.normal(size=3)
    expected = 0.5 * math.quaternion_product(q, (0.0, *v))
    np.testing.assert_allclose(Spherical().rates(q) @ v, expected, atol=1e-15)


def test_names():
    assert list(Spherical().coordinates) == [f"orientation.{k}" for k in "wxyz"]
    assert Spherical().velocities == {f"angular_velocity.{k}": "rad/s" for k in "xyz"}
