"""Motion of bodies and frames."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results import Solution
from jourdain.results.channels.body_motion import quaternions


def turned(vectors, orientations):
    """Vectors in body axes brought to world axes."""
    matrices = np.array([jd.rotation_quaternion(tuple(q)) for q in orientations])
    return np.einsum("nij,nj->ni", matrices, vectors)


def test_a_pendulum_tip(swing):
    angle, rate = swing.values("hinge.angle"), swing.values("hinge.rate")
    bend = swing.values("hinge.angular_acceleration")
    s, c, length = np.sin(angle), np.cos(angle), 0.9
    zero = np.zeros_like(s)
    position = np.stack((0.3 - length * s, zero + 0.1, 2.0 - length * c), axis=-1)
    velocity = length * np.stack((-c * rate, zero, s * rate), axis=-1)
    acceleration = length * np.stack(
        (s * rate**2 - c * bend, zero, c * rate**2 + s * bend), axis=-1
    )
    np.testing.assert_allclose(swing.values("tip.position"), position, atol=1e-14)
    np.testing.assert_allclose(swing.values("tip.velocity"), velocity, atol=1e-13)
    np.testing.assert_allclose(swing.values("tip.acceleration"), acceleration, atol=1e-12)
    expected = np.stack((np.cos(angle / 2), zero, np.sin(angle / 2), zero), axis=-1)
    np.testing.assert_allclose(swing.values("tip.orientation"), expected, atol=1e-14)


def test_a_floating_body_is_its_coordinates(mixture):
    """Names that coordinate and body share mean the same numbers."""
    poses, twists, accelerations = mixture.trajectory.motion
    ball = list(mixture.model.bodies).index("ball")
    np.testing.assert_allclose(mixture.values("ball.position"), poses[:, ball, :3, 3], atol=1e-14)
    np.testing.assert_allclose(mixture.values("ball.velocity"), twists[:, ball, 3:], atol=1e-13)
    found = mixture.values("ball.acceleration")
    np.testing.assert_allclose(found, accelerations[:, ball, 3:], atol=1e-12)
    found = mixture.values("ball.orientation")
    np.testing.assert_allclose(found, quaternions(poses[:, ball, :3, :3]), atol=1e-12)


@pytest.mark.parametrize("name", ["ball", "arm", "tip", "drum"])
@pytest.mark.parametrize("quantity", ["angular_velocity", "angular_acceleration"])
def test_own_axes_and_world_axes(mixture, name, quantity):
    own, world = (mixture.values(f"{name}.{quantity}{more}") for more in ("", "_world"))
    expected = turned(own, mixture.values(f"{name}.orientation"))
    np.testing.assert_allclose(world, expected, atol=1e-11)
    assert np.abs(own).max() > 0.1


def test_velocities_are_the_slopes_of_positions(mixture):
    step = 1e-4
    t = np.array((0.1, 0.2, 0.35))
    before, here, after = (mixture.at(t + dt) for dt in (-step, 0.0, step))
    for name in ("arm", "tip", "drum"):
        slope = (after.values(f"{name}.position") - before.values(f"{name}.position")) / (2 * step)
        np.testing.assert_allclose(here.values(f"{name}.velocity"), slope, atol=1e-6)
        slope = (after.values(f"{name}.velocity") - before.values(f"{name}.velocity")) / (2 * step)
        np.testing.assert_allclose(here.values(f"{name}.acceleration"), slope, atol=1e-3)


def test_a_frame_of_the_world_rests():
    model = jd.Model("still")
    model.add_body("ball", jd.solid.ball(1.0, 0.1))
    model.add_frame("corner", model.world.at(1, 2, 3, rotation=jd.rotation_z(np.pi / 2)))
    system = jd.compile(model, execution=jd.Plain())
    q, v = system.state()
    sol = Solution(system, [0.0], [q], [v])
    assert sol.values("corner.position").tolist() == [[1.0, 2.0, 3.0]]
    half = np.sqrt(0.5)
    np.testing.assert_allclose(sol.values("corner.orientation"), [(half, 0, 0, half)], atol=1e-15)
    assert not np.any(sol.values("corner.velocity"))


def test_quaternions_do_not_jump():
    angles = np.linspace(0.0, 15.0, 200)
    found = quaternions(np.array([jd.rotation_x(a) for a in angles]))
    expected = np.stack((np.cos(angles / 2), np.sin(angles / 2), 0 * angles, 0 * angles), axis=-1)
    np.testing.assert_allclose(found, expected, atol=1e-14)


def test_no_rotations_no_quaternions():
    assert quaternions(np.zeros((0, 3, 3))).shape == (0, 4)
