"""Point on a surface."""

import numpy as np

from jourdain import math
from jourdain.model.joints import Fixed, PointOnSurface


def sphere(u, v):
    return 0.5 * math.vector(math.cos(v) * math.cos(u), math.cos(v) * math.sin(u), math.sin(v))


def test_origin_is_on_the_surface_and_orientation_free(rng):
    q = rng.normal(size=6)
    R, r = PointOnSurface(sphere).pose(q, 0.0)
    np.testing.assert_array_equal(r, sphere(q[0], q[1]))
    np.testing.assert_array_equal(R, math.rotation_quaternion(q[2:]))


def test_velocity_is_tangent(rng, twist):
    q, v = rng.normal(size=2), rng.normal(size=2)
    _, linear = twist(PointOnSurface(sphere, Fixed()), q, v)
    assert abs(linear @ sphere(*q)) < 1e-10
    speed = 0.5 * np.hypot(v[0] * np.cos(q[1]), v[1])
    np.testing.assert_allclose(np.linalg.norm(linear), speed, atol=1e-10)


def test_angular_velocity_in_child_axes(rng, twist):
    q, v = rng.normal(size=6), rng.normal(size=5)
    q[2:] /= np.linalg.norm(q[2:])
    np.testing.assert_allclose(twist(PointOnSurface(sphere), q, v)[0], v[2:], atol=1e-10)


def test_names():
    kind = PointOnSurface(sphere, Fixed(), "rad")
    assert kind.coordinates == {"parameter_1": "rad", "parameter_2": "rad"}
    assert kind.velocities == {"parameter_rate_1": "rad/s", "parameter_rate_2": "rad/s"}
    assert PointOnSurface(sphere).start() == (0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    assert PointOnSurface(sphere).velocities["parameter_rate_1"] == "1/s"
