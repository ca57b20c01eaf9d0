"""Basic points and unit vectors."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain import math
from jourdain.formulations import natural
from jourdain.formulations.skeleton import Skeleton
from jourdain.formulations.transformation import joint_points
from jourdain.testing.states import random_state

HOLONOMIC = (jd.Revolute("x"), jd.Spherical(), jd.Universal("x", "z"), jd.Prismatic("y"))


def transformed(system, q, v, t):
    skeleton = Skeleton(system)
    posture = skeleton.move(q, v, t)
    none = np.zeros((len(skeleton.segments), 6))
    return skeleton, posture, natural.transformation(skeleton, posture, v, none)


def coordinates(posture):
    """Natural coordinates (n, 4, 3): basic point and unit vectors."""
    return np.concatenate([joint_points(posture)[:, None], natural.unit_vectors(posture)], axis=1)


def test_mass_matrix_gives_the_kinetic_energy(moving, driven_rotor_energy):
    system, q, v, _, t = moving
    _, _, z = transformed(system, q, v, t)
    velocity = z.R @ v + z.excited
    energy = 0.5 * np.einsum("ki,kij,kj->", velocity, z.mass, velocity)
    rotor = 0.5 * Skeleton(system).rotors @ v**2
    rotor += driven_rotor_energy(system, q, t)
    np.testing.assert_allclose(energy + rotor, system.energy(q, v, t)[0], rtol=1e-13)


def test_mass_matrix_is_constant(moving):
    system, q, v, _, t = moving
    here = transformed(system, q, v, t)[2].mass
    q2, v2, _, t2 = random_state(system, 99)
    np.testing.assert_array_equal(here, transformed(system, q2, v2, t2)[2].mass)


def test_rates_of_r_by_differences(moving):
    """q̈ = R θ̈ + Ṙ θ̇ (3.6): the bias is the rate of the velocity at constant θ̇."""
    system, q, v, _, t = moving
    step = 1e-5
    dq = system.coordinate_rates(q, v, t)
    ahead, behind = (transformed(system, q + s * dq, v, t + s)[2] for s in (step, -step))
    difference = (ahead.R @ v + ahead.excited - behind.R @ v - behind.excited) / (2 * step)
    np.testing.assert_allclose(transformed(system, q, v, t)[2].bias, difference, atol=2e-8)


def test_unit_vectors_keep_their_products(moving):
    """Ψ_q R = 0 (3.5) for u_a · u_b = δ_ab of every body."""
    system, q, v, _, t = moving
    _, posture, z = transformed(system, q, v, t)
    for u, R, excited in zip(natural.unit_vectors(posture), z.R, z.excited, strict=True):
        for a in range(3):
            for b in range(a + 1):
                row = np.zeros((4, 3))
                row[a + 1] += u[b]
                row[b + 1] += u[a]
                np.testing.assert_allclose(row.reshape(-1) @ R, 0.0, atol=1e-13)
                assert abs(row.reshape(-1) @ excited) < 1e-13


def on_body(posture, number, segment_frame, z):
    """Linear map (4,) from a body's natural coordinates to a point or direction fixed on it."""
    if number == 0:
        return None
    outer = posture.segments[number - 1].outer
    weights = outer.rotation.T @ (segment_frame - (outer.position if z else 0.0))
    return np.array([float(z), *weights])


def constraint_rows(posture):
    """Jacobian Ψ_q of shared points and axes of the chain of HOLONOMIC kinds, row by row."""
    n = len(posture.segments)
    u = natural.unit_vectors(posture)
    rows = []

    def share(k, inner, outer, is_point):
        for axis in np.eye(3):
            row = np.zeros((n, 4, 3))
            row[k - 1] += np.outer(outer, axis)
            if inner is not None:
                row[k - 2] -= np.outer(inner, axis)
            rows.append(row)

    for k, (s, kind) in enumerate(zip(posture.segments, HOLONOMIC, strict=True), 1):
        inner = on_body(posture, s.inboard, s.inner.position, True)
        if not isinstance(kind, jd.Prismatic):
            share(k, inner, on_body(posture, k, s.outer.position, True), True)
        if isinstance(kind, jd.Revolute):
            axes = (s.inner.rotation[:, 0], s.outer.rotation[:, 0])
            share(
                k, on_body(posture, k - 1, axes[0], False), on_body(posture, k, axes[1], False), 0
            )
        if isinstance(kind, jd.Universal):  # x on the inner body stays normal to z on the outer
            x = on_body(posture, k - 1, s.inner.rotation[:, 0], False)
            z = on_body(posture, k, s.outer.rotation[:, 2], False)
            row = np.zeros((n, 4, 3))
            row[k - 2] += np.outer(x, z[1:] @ u[k - 1])
            row[k - 1] += np.outer(z, x[1:] @ u[k - 2])
            rows.append(row)
        if isinstance(kind, jd.Prismatic):  # no rotation: all axes shared
            for a in range(3):
                pair = (s.inner.rotation[:, a], s.outer.rotation[:, a])
                share(k, *(on_body(posture, k - 1 + b, pair[b], False) for b in (0, 1)), 0)
    return np.array(rows).reshape(len(rows), -1)


def test_shared_points_and_axes_stay_shared(make_chain):
    """Ψ_q R = 0 (3.5) for the joint constraints, with all ranks they should have."""
    system = make_chain(*HOLONOMIC)
    q, v, _, t = random_state(system, 4)
    _, posture, z = transformed(system, q, v, t)
    rows = constraint_rows(posture)
    R = z.R.reshape(-1, len(v))
    assert len(rows) == 3 + 3 + 3 + 3 + 1 + 9
    np.testing.assert_allclose(rows @ R, 0.0, atol=1e-13)
    assert np.linalg.matrix_rank(R) == len(v) == 7


@pytest.mark.parametrize("kind", [jd.Revolute("z"), jd.Prismatic("z")], ids=repr)
def test_blocks_are_those_of_the_table(make_chain, kind):
    """R_ij of hinges and slides: [−D u_j; −U_i u_j] and [u_j; 0] (Issa & Arczewski)."""
    system = make_chain(kind, jd.Revolute("y"))
    q, v, _, t = random_state(system, 1)
    _, posture, z = transformed(system, q, v, t)
    points, u = joint_points(posture), natural.unit_vectors(posture)
    axis = u[0, 2]  # z of the outer frame of joint 1
    d = points[1] - points[0]
    is_hinge = isinstance(kind, jd.Revolute)
    expected = -math.skew(d) @ axis if is_hinge else axis
    turned = [-math.skew(x) @ axis if is_hinge else np.zeros(3) for x in u[1]]
    np.testing.assert_allclose(z.R[1, :, 0], np.concatenate([expected, *turned]), atol=1e-14)
    np.testing.assert_array_equal(z.R[0, :, 1], np.zeros(12))  # π* is zero there


def test_floating_base_block_is_that_of_the_table():
    """R_ij = [E, −D; 0, −U] for the velocity and the angular velocity of a floating base."""
    model = jd.Model("floating")
    base = model.add_body("base", jd.solid.ball(1.0, 0.2))
    arm = model.add_body("arm", jd.solid.ball(1.0, 0.2))
    model.add_joint("pin", base.at(0.3, 0.1, 0), arm, jd.Revolute("z"))
    system = jd.compile(model, execution=jd.Plain())
    q, v, _, t = random_state(system, 3)
    _, posture, z = transformed(system, q, v, t)
    points, u = joint_points(posture), natural.unit_vectors(posture)
    turn = posture.bodies[0][1]  # the angular velocity is in the axes of the base
    D, U = math.skew(points[1] - points[0]), np.vstack([math.skew(x) for x in u[1]])
    first = [system.index(f"base.velocity.{k}") for k in "xyz"]
    then = [system.index(f"base.angular_velocity.{k}") for k in "xyz"]
    np.testing.assert_allclose(z.R[1][:, first], np.vstack([np.eye(3), np.zeros((9, 3))]))
    np.testing.assert_allclose(z.R[1][:, then], np.vstack([-D, -U]) @ turn, atol=1e-14)


def test_loads_have_the_power_of_wrenches(moving, rng):
    system, q, v, _, t = moving
    skeleton = Skeleton(system)
    posture = skeleton.move(q, v, t)
    wrenches = rng.normal(size=(4, 6))
    given = natural.transformation(skeleton, posture, v, skeleton.wrenches(wrenches))
    weight = natural.transformation(skeleton, posture, v, np.zeros((4, 6)))
    velocity = given.R @ v + given.excited
    power = np.sum((given.load - weight.load) * velocity)
    np.testing.assert_allclose(power, np.sum(wrenches * system.twists(q, v, t)), rtol=1e-12)
