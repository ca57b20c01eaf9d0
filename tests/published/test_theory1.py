"""Printed examples on joints: the trough of Schwertassek & Senger, the universal joint of Slaats.

Schwertassek, Senger, Representation of joints in multibody systems, Z. angew. Math. Mech. 68
(1988) 111-119, section 5: Eqs. 5.2 to 5.10. Slaats, A brief literature survey of recursive
formulations in multibody dynamics, report 91.057, Eindhoven 1991, appendix C.
"""

from typing import Any

import numpy as np
import pytest

import jourdain as jd

ALPHA = 0.4
SINE, COSINE = np.sin(ALPHA), np.cos(ALPHA)
LOCKED = np.eye(6)[:, [0, 1, 2, 5]]


class Trough(jd.Joint):
    """Body on a skewed trough that slides in another trough (5.3)."""

    alpha: float
    height: float
    coordinates = {"position": "m", "excitation": "m"}

    def pose(self, q, t):
        s, eta = q[0], q[1]
        return np.eye(3), (s + eta * jd.sin(self.alpha), eta * jd.cos(self.alpha), self.height)


class ExcitedTrough(jd.Joint):
    """The same with the excitation as a given function of time."""

    alpha: float
    height: float
    excitation: Any
    coordinates = {"position": "m"}

    def pose(self, q, t):
        return Trough(self.alpha, self.height).pose((q[0], self.excitation(t)), t)


def require_printed_modes(modes):
    """Compare with (5.4a), (5.4b); the first ψ̄ of (5.4b) is ψ, a printing error."""
    e = np.eye(6)
    tolerance = {"rtol": 0, "atol": 2e-16}
    np.testing.assert_array_equal(modes.free, e[:, [3]])
    np.testing.assert_allclose(modes.excited[:, 0], SINE * e[3] + COSINE * e[4], **tolerance)
    np.testing.assert_array_equal(modes.locked, LOCKED)
    np.testing.assert_allclose(modes.free_dual[:, 0], e[3] - np.tan(ALPHA) * e[4], **tolerance)
    np.testing.assert_allclose(modes.excited_dual[:, 0], e[4] / COSINE, **tolerance)
    np.testing.assert_allclose(modes.locked_dual, LOCKED, **tolerance)


def test_trough_with_a_driven_coordinate():
    modes = jd.mode_vectors(Trough(ALPHA, 0.2), (0.7, -0.3), driven=("excitation",))
    require_printed_modes(modes)


@pytest.mark.parametrize("t", [0.0, 1.7])
def test_trough_with_explicit_time(t):
    modes = jd.mode_vectors(ExcitedTrough(ALPHA, 0.2, lambda time: time), (0.7,), t)
    require_printed_modes(modes)


def test_trough_duals_times_modes():
    modes = jd.mode_vectors(Trough(ALPHA, 0.2), (0.7, -0.3), driven=("excitation",))
    basis = np.hstack((modes.free, modes.excited, modes.locked))
    dual = np.hstack((modes.free_dual, modes.excited_dual, modes.locked_dual))
    np.testing.assert_allclose(dual.T @ basis, np.eye(6), rtol=0, atol=2e-16)


def test_trough_interactions():
    """Generalised forces (5.9), (5.10) are projections on modes; A = ψ λ + ψ̄ λ̄ (3.28)."""
    modes = jd.mode_vectors(Trough(ALPHA, 0.2), (0.7, -0.3), driven=("excitation",))
    torque_e, torque_z = np.array((0.3, -0.2, 0.5)), np.array((-1.0, 0.4, 0.9))
    force_e, force_z = np.array((2.0, -1.5, 0.7)), np.array((0.0, 3.0, -0.6))
    A = np.concatenate((torque_e + torque_z, force_e + force_z))
    generalised = modes.free.T @ A
    constrained = np.hstack((modes.excited, modes.locked)).T @ A
    np.testing.assert_allclose(generalised, force_e[:1], rtol=1e-15)
    first = force_e[0] * SINE + (force_e[1] + force_z[1]) * COSINE
    expected = (first, *(torque_e + torque_z), force_e[2] + force_z[2])
    np.testing.assert_allclose(constrained, expected, rtol=1e-15)
    dual = np.hstack((modes.excited_dual, modes.locked_dual))
    np.testing.assert_allclose(modes.free_dual @ generalised + dual @ constrained, A, atol=1e-15)


@pytest.mark.parametrize("execution", [jd.Plain(), jd.Unrolled(), jd.Looped()], ids=repr)
@pytest.mark.parametrize("explicit", [False, True])
def test_trough_in_a_machine(execution, explicit):
    """Positions (5.3) and G = φ g + φ̄_κ κ (3.10) of the moving body, both ways of excitation."""
    eta, kappa, kappa_rate = (lambda t: 0.3 * jd.sin(2.0 * t)), 0.6, -1.2

    model = jd.Model("trough")
    ball = model.add_body("ball", jd.Inertia(1.0))
    if explicit:
        model.add_joint("trough", model.world, ball, ExcitedTrough(ALPHA, 0.2, eta))
    else:
        drives = {"excitation": eta}
        model.add_joint("trough", model.world, ball, Trough(ALPHA, 0.2), driven=drives)
    system = jd.compile(model, execution=execution)
    assert system.names.v == ("trough.velocity",)
    s, g, t = 0.7, -0.4, 0.35
    poses, twists, accelerations = system.kinematics([s], [g], [0.9], t)
    phase, e = 2.0 * t, np.array((SINE, COSINE, 0.0))
    z = np.array((s, 0.0, 0.2)) + eta(t) * e
    np.testing.assert_allclose(poses[0, :3, 3], z, rtol=1e-15)
    np.testing.assert_array_equal(poses[0, :3, :3], np.eye(3))
    G = np.array((g, 0.0, 0.0)) + kappa * np.cos(phase) * e
    np.testing.assert_allclose(twists[0], (0, 0, 0, *G), rtol=1e-14)
    a = np.array((0.9, 0.0, 0.0)) + kappa_rate * np.sin(phase) * e
    np.testing.assert_allclose(accelerations[0], (0, 0, 0, *a), rtol=1e-14)


def universal_matrix(q_1, q_2):
    """Matrix C (3.43), (C.6)."""
    s1, c1, s2, c2 = np.sin(q_1), np.cos(q_1), np.sin(q_2), np.cos(q_2)
    return np.array(((c2, 0, s2), (s1 * s2, c1, -s1 * c2), (-c1 * s2, s1, c1 * c2)))


def bryant_matrix(a_1, a_2, a_3):
    """Matrix R (C.3)."""
    s1, s2, s3 = np.sin((a_1, a_2, a_3))
    c1, c2, c3 = np.cos((a_1, a_2, a_3))
    return np.array(
        (
            (c2 * c3, -c2 * s3, s2),
            (c1 * s3 + s1 * s2 * c3, c1 * c3 - s1 * s2 * s3, -s1 * c2),
            (s1 * s3 - c1 * s2 * c3, s1 * c3 + c1 * s2 * s3, c1 * c2),
        )
    )


def test_universal_joint_matrix():
    R, r = jd.Universal("x", "y").pose((0.3, -0.8), 0.0)
    np.testing.assert_allclose(R, universal_matrix(0.3, -0.8), rtol=0, atol=1e-16)
    assert not r.any()


def test_bryant_matrix():
    R, _ = jd.Gimbal().pose((0.3, -0.8, 1.1), 0.0)
    np.testing.assert_allclose(R, bryant_matrix(0.3, -0.8, 1.1), rtol=0, atol=2e-16)


def test_universal_joint_mode_vectors():
    """Columns of (C.14): e_1, and e_2 turned about e_1."""
    free = jd.mode_vectors(jd.Universal("x", "y"), (0.3, -0.8)).free
    expected = ((1, 0, 0, 0, 0, 0), (0, np.cos(0.3), np.sin(0.3), 0, 0, 0))
    np.testing.assert_allclose(free.T, expected, rtol=0, atol=2e-16)


@pytest.fixture
def two_bodies():
    """Two bodies with a universal joint, each a unit distance from it (fig. C.1)."""
    model = jd.Model("two_bodies")
    first = model.add_body("first", jd.Inertia(1.0))
    second = model.add_body("second", jd.Inertia(1.0))
    kind = jd.Prismatic("x") * jd.Prismatic("y") * jd.Prismatic("z") * jd.Gimbal()
    model.add_joint("base", model.world, first, kind)
    model.add_joint("cross", first.at(0, 0, 1), second.at(0, 0, -1), jd.Universal("x", "y"))
    return model


@pytest.mark.parametrize("execution", [jd.Plain(), jd.Unrolled(), jd.Looped()], ids=repr)
def test_two_bodies_with_a_universal_joint(two_bodies, execution):
    """Angular velocities (C.13), (C.16), positions (C.29) to (C.31), velocities (C.20)."""
    r1, alpha, q = np.array((0.2, -0.5, 0.4)), np.array((0.3, -0.8, 1.1)), np.array((0.7, 0.5))
    r1_rate, rates, q_rate = np.array((1.0, 0.3, -2.0)), np.array((0.4, -1.1, 0.6)), (0.9, -0.2)
    system = jd.compile(two_bodies, execution=execution)
    state = np.concatenate((r1, alpha, q)), np.concatenate((r1_rate, rates, q_rate))
    poses, twists = system.poses(state[0]), system.twists(*state)

    R, C = bryant_matrix(*alpha), universal_matrix(*q)
    (sa1, sa2, sa3), (ca1, ca2, ca3) = np.sin(alpha), np.cos(alpha)
    (s1, s2), (c1, c2) = np.sin(q), np.cos(q)
    z = np.array(
        (
            sa2 + ca2 * ca3 * s2 + ca2 * sa3 * s1 * c2 + sa2 * c1 * c2,
            -sa1 * ca2
            + (ca1 * sa3 + sa1 * sa2 * ca3) * s2
            - (ca1 * ca3 - sa1 * sa2 * sa3) * s1 * c2
            - sa1 * ca2 * c1 * c2,
            ca1 * ca2
            + (sa1 * sa3 - ca1 * sa2 * ca3) * s2
            - (sa1 * ca3 + ca1 * sa2 * sa3) * s1 * c2
            + ca1 * ca2 * c1 * c2,
        )
    )
    np.testing.assert_allclose(poses[0, :3, :3], R, atol=1e-15)
    np.testing.assert_allclose(poses[1, :3, :3], R @ C, atol=1e-15)
    np.testing.assert_allclose(poses[1, :3, 3] - r1, z, atol=1e-15)

    w1 = np.array(
        (
            rates[0] + rates[2] * sa2,
            rates[1] * ca1 - rates[2] * sa1 * ca2,
            rates[1] * sa1 + rates[2] * ca1 * ca2,
        )
    )
    w12 = R @ (q_rate[0], q_rate[1] * c1, q_rate[1] * s1)
    b21 = R @ C @ (0, 0, -1)
    velocity = r1_rate + np.cross(w1, z) - np.cross(w12, b21)
    np.testing.assert_allclose(twists[0], (*w1, *r1_rate), atol=2e-15)
    np.testing.assert_allclose(twists[1], (*(w1 + w12), *velocity), atol=3e-15)
