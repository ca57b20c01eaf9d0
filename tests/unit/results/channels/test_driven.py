"""Driven coordinates: values and velocities from the functions of time."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results import Solution
from jourdain.results.channels.driven import drive_values

TIMES = np.linspace(0.0, 2.0, 9)


def solution(kind, driven, **start):
    model = jd.Model("driven", gravity=(0, 0, 0))
    body = model.add_body("body", jd.solid.box(1.0, (0.1, 0.2, 0.3)))
    model.add_joint("joint", model.world, body, kind, driven=driven)
    system = jd.compile(model, execution=jd.Plain())
    q, v = system.state({f"joint.{name}": value for name, value in start.items()})
    rows = len(TIMES)
    return Solution(system, TIMES, np.tile(q, (rows, 1)), np.tile(v, (rows, 1)))


def test_values_and_two_rates():
    sol = solution(jd.Revolute("y"), {"angle": lambda t: jd.sin(2 * t)})
    values, rates, second = drive_values(sol.system.description, TIMES, np.zeros(0))
    np.testing.assert_allclose(values[:, 0], np.sin(2 * TIMES), rtol=0, atol=1e-15)
    np.testing.assert_allclose(rates[:, 0], 2 * np.cos(2 * TIMES), rtol=0, atol=1e-15)
    np.testing.assert_allclose(second[:, 0], -4 * np.sin(2 * TIMES), rtol=0, atol=2e-15)


def test_without_drives_there_is_nothing():
    sol = solution(jd.Revolute("y"), None)
    assert [x.shape for x in drive_values(sol.system.description, TIMES, np.zeros(0))] == [
        (len(TIMES), 0)
    ] * 3


def test_a_driven_angle_has_all_its_channels():
    sol = solution(jd.Cylindrical("z"), {"angle": lambda t: 0.5 * t**2}, velocity=0.3)
    np.testing.assert_allclose(sol.values("joint.angle"), 0.5 * TIMES**2, rtol=1e-15)
    np.testing.assert_allclose(sol.values("joint.rate"), TIMES, rtol=1e-15)
    np.testing.assert_allclose(sol.values("joint.angular_acceleration"), 1.0, rtol=1e-15)
    np.testing.assert_allclose(sol.values("joint.velocity"), 0.3, rtol=1e-15)
    about_z = (0.1**2 + 0.2**2) / 12
    np.testing.assert_allclose(sol.values("joint.applied_torque"), about_z, rtol=1e-13)


def test_a_driven_quaternion_gives_angular_velocity_and_acceleration():
    """Turned about x by t² rad: 2 t rad/s, 2 rad/s²."""

    def turn(t):
        return jd.cos(t**2 / 2), jd.sin(t**2 / 2), 0 * t, 0 * t

    sol = solution(jd.Spherical(), {"orientation": turn})
    expected = np.outer(2 * TIMES, (1, 0, 0))
    np.testing.assert_allclose(sol.values("joint.angular_velocity"), expected, atol=1e-14)
    np.testing.assert_allclose(sol.values("body.angular_velocity"), expected, atol=1e-14)
    bent = sol.values("joint.angular_acceleration")  # by a difference: 1e-16 / 1e-5 s · 4 rad/s
    np.testing.assert_allclose(bent, np.tile((2.0, 0, 0), (len(TIMES), 1)), atol=1e-9)


def test_a_parameter_may_be_in_the_drive():
    speed = jd.Parameter("speed", 2.0)
    model = jd.Model("driven")
    body = model.add_body("body", jd.solid.ball(1.0, 0.1))
    model.add_joint(
        "joint", model.world, body, jd.Revolute("y"), driven={"angle": lambda t: speed * t}
    )
    system = jd.compile(model, execution=jd.Plain())
    empty = np.zeros((2, 0))
    sol = Solution(system, (0.0, 1.0), empty, empty, parameters={"speed": 3.0})
    assert sol.values("joint.angle").tolist() == [0.0, 3.0]
    assert sol.values("joint.rate") == pytest.approx((3.0, 3.0))
