"""States between the samples."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results import Solution

CHECKED = ("hinge.angle", "hinge.rate", "elbow.orientation", "elbow.angular_velocity")


@pytest.fixture(scope="module")
def double(integrate):
    """Runs of a hinge with a ball joint, with few and many samples."""
    model = jd.Model("double")
    rod = model.add_body("rod", jd.solid.rod(1.0, (0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    arm = model.add_body("arm", jd.solid.box(0.7, (0.1, 0.2, 0.3)))
    model.add_joint("elbow", rod.at(0, 0, -0.5), arm.at(0, 0, 0.1), jd.Spherical())
    system = jd.compile(model)
    start = {"hinge.angle": 1.0, "elbow.angular_velocity": (1, 0, 2)}
    return lambda n: integrate(system, start, np.linspace(0.0, 0.8, n + 1))


def test_the_order_of_interpolation_is_six(double):
    """Half the spacing gives 1/64 of the error: fifth degree from both ends."""
    exact = double(160)
    errors = []
    for n in (40, 80):
        between = double(n).at(exact.time)
        errors.append([np.abs(between.values(x) - exact.values(x)).max() for x in CHECKED])
    orders = np.log2(np.divide(*errors))
    assert np.all(orders > 5.5), dict(zip(CHECKED, orders, strict=True))
    assert np.max(errors[1]) < 1e-7


def test_everything_is_there_between_samples(double):
    """Accelerations and loads follow from the interpolated state, so they are as good."""
    exact, between = double(160), double(40)
    found = between.at(exact.time)
    for name in ("elbow.force", "hinge.angular_acceleration", "arm.acceleration"):
        np.testing.assert_allclose(found.values(name), exact.values(name), atol=2e-5)
    assert np.abs(np.linalg.norm(found.values("elbow.orientation"), axis=-1) - 1).max() < 1e-15


def test_samples_are_met(mixture):
    again = mixture.at(mixture.time)
    drift = 1e-12  # of the integration, by which quaternions are brought back to unit length
    np.testing.assert_allclose(again.q, mixture.q, rtol=0, atol=drift)
    np.testing.assert_allclose(again.v, mixture.v, rtol=0, atol=1e-14)
    np.testing.assert_allclose(again.vdot, mixture.vdot, rtol=0, atol=100 * drift)
    np.testing.assert_allclose(again.tau, mixture.tau, rtol=0, atol=1e-14)


def test_free_fall_is_exact():
    """Parabolas are within the reach of the interpolation, whatever the spacing."""
    model = jd.Model("fall")
    model.add_body("ball", jd.solid.ball(1.0, 0.1))
    system = jd.compile(model, execution=jd.Plain())
    t = np.array((0.0, 2.0))
    q, v = (np.tile(x, (2, 1)) for x in system.state({"ball.velocity": (1.0, 0.0, 0.0)}))
    q[1, :3], v[1, 2] = (2.0, 0.0, -0.5 * 9.81 * 4.0), -2 * 9.81
    moment = Solution(system, t, q, v).at(1.2)
    assert moment.values("ball.position") == pytest.approx((1.2, 0.0, -0.5 * 9.81 * 1.44))
    assert moment.values("ball.velocity") == pytest.approx((1.0, 0.0, -1.2 * 9.81))


def test_inputs_do_not_overshoot_and_jump_at_doubled_times():
    """A motor that is switched on at 0.5 s: before, at, and after."""
    model = jd.Model("switch")
    model.add_coordinate("shaft", 1.0)
    system = jd.compile(model, execution=jd.Plain())
    t = np.array((0.0, 0.25, 0.5, 0.5, 0.75, 1.0))
    torque = np.array((0.0, 0.0, 0.0, 2.0, 2.0, 2.0))
    rate = np.where(t > 0.5, 2.0 * (t - 0.5), 0.0)
    angle = np.where(t > 0.5, (t - 0.5) ** 2, 0.0)
    sol = Solution(system, t, angle[:, None], rate[:, None], tau=torque[:, None])
    found = sol.at((0.2, 0.49, 0.5, 0.51, 0.9, 1.0))
    assert found.values("shaft.applied_torque").tolist() == [0.0, 0.0, 2.0, 2.0, 2.0, 2.0]
    expected = (0.0, 0.0, 0.0, 1e-4, 0.16, 0.25)
    np.testing.assert_allclose(found.values("shaft.value"), expected, atol=1e-15)


def test_a_smooth_input_is_followed(integrate):
    model = jd.Model("shaft")
    model.add_coordinate("shaft", 1.0)
    system = jd.compile(model, execution=jd.Plain())
    sol = integrate(
        system, {}, np.linspace(0.0, 1.0, 21), tau=lambda t, q, v: {"shaft.rate": np.exp(t)}
    )
    t = np.linspace(0.0, 1.0, 50)
    found = sol.at(t)
    np.testing.assert_allclose(found.values("shaft.applied_torque"), np.exp(t), atol=1e-4)
    np.testing.assert_allclose(found.values("shaft.rate"), np.exp(t) - 1.0, atol=1e-7)


def test_drives_that_carry_free_coordinates_along():
    """The contact point of a disc with driven spin moves although all its velocities are driven."""
    model = jd.Model("disc")
    disc = model.add_body("disc", jd.solid.ball(1.0, 0.3))
    model.add_joint(
        "roll", model.world, disc, jd.RollingDisc(0.3),
        driven={"spin": lambda t: t**2, "heading": 0.0, "lean": 0.0},
    )  # fmt: skip
    system = jd.compile(model, execution=jd.Plain())
    t = np.array((0.0, 1.0))
    q = np.array([(0.0, 0.0), (0.3, 0.0)])
    sol = Solution(system, t, q, np.zeros((2, 0)))
    assert sol.at(0.6).values("roll.position") == pytest.approx((0.3 * 0.36, 0.0))


def test_one_sample_can_be_asked_for():
    model = jd.Model("shaft")
    model.add_coordinate("shaft", 1.0)
    sol = Solution(jd.compile(model, execution=jd.Plain()), [2.0], [[0.3]], [[1.0]])
    assert sol.at(2.0).values("shaft.value") == 0.3
