"""Point on a curve."""

import numpy as np

from jourdain import math
from jourdain.model.joints import Fixed, PointOnCurve, Revolute, Screw, Spherical


def circle(s):
    return math.vector(0.5 * math.cos(s / 0.5), 0.5 * math.sin(s / 0.5), 0)


def test_origin_is_on_the_curve_and_orientation_free(rng):
    q = rng.normal(size=5)
    R, r = PointOnCurve(circle).pose(q, 0.0)
    np.testing.assert_array_equal(r, circle(q[0]))
    np.testing.assert_array_equal(R, math.rotation_quaternion(q[1:]))


def test_arc_length_gives_the_speed(twist):
    _, linear = twist(PointOnCurve(circle, Fixed(), "m"), [0.4], [1.5])
    np.testing.assert_allclose(linear, 1.5 * np.array((-np.sin(0.8), np.cos(0.8), 0.0)), atol=1e-10)


def test_a_screwing_orientation_stays_on_the_curve():
    _, r = PointOnCurve(circle, Screw("x", 0.3)).pose([0.4, 2.0], 0.0)
    np.testing.assert_array_equal(r, circle(0.4))


def test_angular_velocity_in_child_axes(rng, twist):
    q, v = rng.normal(size=5), rng.normal(size=4)
    q[1:] /= np.linalg.norm(q[1:])
    np.testing.assert_allclose(twist(PointOnCurve(circle), q, v)[0], v[1:], atol=1e-10)


def test_names():
    hinge = PointOnCurve(circle, Revolute("z"), "m")
    assert hinge.coordinates == {"parameter": "m", "angle": "rad"}
    assert hinge.velocities == {"parameter_rate": "m/s", "rate": "rad/s"}
    ball = PointOnCurve(circle)
    assert ball.orientation == Spherical()
    assert ball.velocities["parameter_rate"] == "1/s"
    assert ball.start() == (0.0, 1.0, 0.0, 0.0, 0.0)
    assert hinge.rates([0.1, 0.2]) is None


def test_words_shared_with_the_orientation_are_numbered():
    class Dial(Revolute):
        coordinates = {"parameter": "rad"}

    kind = PointOnCurve(circle, Dial("z"), "m")
    assert kind.coordinates == {"parameter_1": "m", "parameter_2": "rad"}
    assert kind.velocities == {"parameter_rate_1": "m/s", "parameter_rate_2": "rad/s"}
