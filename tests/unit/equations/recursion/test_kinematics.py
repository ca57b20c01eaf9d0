"""Forward kinematics against closed forms."""

import numpy as np
import pytest

import jourdain as jd

EXECUTIONS = pytest.mark.parametrize(
    "execution", [jd.Plain(), jd.Unrolled(), jd.Looped()], ids=lambda way: type(way).__name__
)


@pytest.fixture
def arm():
    """Two hinges about z, links of 2 m and 1 m along x; body frames at the ends of the links."""
    model = jd.Model("arm")
    upper, lower = (model.add_body(name, jd.Inertia(1.0)) for name in ("upper", "lower"))
    model.add_joint("shoulder", model.world, upper.at(-2, 0, 0), jd.Revolute("z"))
    model.add_joint("elbow", upper, lower.at(-1, 0, 0), jd.Revolute("z"))
    return model


@EXECUTIONS
def test_planar_arm(arm, execution):
    system = jd.compile(arm, execution=execution)
    (a, b), (u, w), (p, s) = (0.4, 0.9), (1.5, -0.7), (0.3, 2.0)
    poses, twists, accelerations = system.kinematics([a, b], [u, w], [p, s])

    def along(angle):
        return np.array((np.cos(angle), np.sin(angle), 0)), np.array(
            (-np.sin(angle), np.cos(angle), 0)
        )

    (e1, n1), (e2, n2) = along(a), along(a + b)
    np.testing.assert_allclose(poses[0, :3, 3], 2 * e1, atol=1e-15)
    np.testing.assert_allclose(poses[1, :3, 3], 2 * e1 + e2, atol=1e-15)
    np.testing.assert_allclose(poses[1, :3, :3], jd.rotation_z(a + b), atol=1e-15)
    np.testing.assert_array_equal(poses[:, 3], [[0, 0, 0, 1]] * 2)
    np.testing.assert_allclose(twists[0], (0, 0, u, *(2 * u * n1)), atol=1e-15)
    np.testing.assert_allclose(twists[1], (0, 0, u + w, *(2 * u * n1 + (u + w) * n2)), atol=1e-15)
    first = 2 * (p * n1 - u**2 * e1)
    np.testing.assert_allclose(accelerations[0], (0, 0, p, *first), atol=1e-14)
    second = first + (p + s) * n2 - (u + w) ** 2 * e2
    np.testing.assert_allclose(accelerations[1], (0, 0, p + s, *second), atol=1e-14)


@EXECUTIONS
def test_sliding_on_a_turning_rod(execution):
    """Coriolis: a bead at distance x on a rod that turns at a driven rate."""
    model = jd.Model("rod")
    rod, bead = (model.add_body(name, jd.Inertia(1.0)) for name in ("rod", "bead"))
    model.add_joint("turn", model.world, rod, jd.Revolute("z"), driven={"angle": lambda t: 3.0 * t})
    model.add_joint("slide", rod, bead, jd.Prismatic("x"))
    system = jd.compile(model, execution=execution)
    x, speed, rate = 0.5, 2.0, 0.25
    poses, twists, accelerations = system.kinematics([x], [speed], [rate], 0.0)
    np.testing.assert_allclose(poses[1, :3, 3], (x, 0, 0), atol=1e-15)
    np.testing.assert_allclose(twists[1], (0, 0, 3, speed, 3 * x, 0), atol=1e-15)
    expected = (0, 0, 0, rate - 9 * x, 2 * 3 * speed, 0)
    np.testing.assert_allclose(accelerations[1], expected, atol=1e-14)


@EXECUTIONS
def test_free_body_velocities(execution):
    """Position rates in axes of the world, angular velocity in axes of the body."""
    model = jd.Model("free")
    model.add_body("body", jd.Inertia(1.0))
    system = jd.compile(model, execution=execution)
    half = np.sqrt(0.5)
    q = (1, 2, 3, half, 0, 0, half)  # a quarter turn about z
    v, vdot = (4, 5, 6, 7, 0, 0), (1, 1, 1, 0, 2, 0)
    poses, twists, accelerations = system.kinematics(q, v, vdot)
    np.testing.assert_allclose(poses[0, :3, 3], (1, 2, 3))
    np.testing.assert_allclose(poses[0, :3, :3], jd.rotation_z(np.pi / 2), atol=1e-15)
    np.testing.assert_allclose(twists[0], (0, 7, 0, 4, 5, 6), atol=1e-14)
    np.testing.assert_allclose(accelerations[0], (-2, 0, 0, 1, 1, 1), atol=1e-14)


@EXECUTIONS
def test_jacobian_of_the_planar_arm(arm, execution):
    system = jd.compile(arm, execution=execution)
    J = system.jacobian(arm.body("lower").at(0.5, 0, 0), [0.0, np.pi / 2])
    expected = [[0, 0], [0, 0], [1, 1], [-1.5, -1.5], [2, 0], [0, 0]]
    np.testing.assert_allclose(J, expected, atol=1e-15)


@EXECUTIONS
def test_coordinate_rates(execution):
    model = jd.Model("skate")
    body = model.add_body("body", jd.Inertia(1.0))
    model.add_joint("ice", model.world, body, jd.Skate())
    model.add_coordinate("shaft", 0.5)
    system = jd.compile(model, execution=execution)
    rates = system.coordinate_rates([1.0, 2.0, 0.3, 9.0], [2.0, 0.7, 5.0])
    np.testing.assert_allclose(rates, (2 * np.cos(0.3), 2 * np.sin(0.3), 0.7, 5.0))
