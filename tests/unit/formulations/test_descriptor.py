"""Free bodies with constraints."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.formulations import twists
from jourdain.formulations.descriptor import Descriptor, solve_saddle
from jourdain.formulations.skeleton import Skeleton

EXACT = 1e-12


@pytest.fixture
def described(moving):
    system, q, v, vdot, t = moving
    skeleton = Skeleton(system)
    posture = skeleton.move(q, v, t)
    return system, (q, v, vdot, t), Descriptor(skeleton, posture, v, np.zeros((4, 6))), posture


def body_rows(system, posture, values):
    """Values of the system by body, in the order of the segments."""
    return values[[system.names.bodies.index(s.name) for s in posture.segments]]


def test_absolute_velocities_are_the_twists_of_the_system(described):
    system, (q, v, _, t), d, posture = described
    expected = body_rows(system, posture, system.twists(q, v, t))
    np.testing.assert_allclose(d.z_dot.reshape(-1, 6), expected, atol=EXACT)


def test_absolute_accelerations_are_those_of_the_system(described):
    system, (q, v, vdot, t), d, posture = described
    z_ddot = np.linalg.solve(d.A, d.phi @ vdot + d.relative_bias)
    expected = body_rows(system, posture, system.spatial_accelerations(q, v, vdot, t))
    np.testing.assert_allclose(z_ddot.reshape(-1, 6), expected, atol=EXACT)


def test_duals(described):
    *_, d, _ = described
    n_v = d.phi.shape[1]
    moving = np.abs(d.phi).sum(axis=0) > 0  # scalar coordinates have no mode
    np.testing.assert_allclose((d.psi.T @ d.phi)[:, moving], np.eye(n_v)[:, moving], atol=EXACT)
    np.testing.assert_allclose(d.psi_c.T @ d.phi, 0.0, atol=EXACT)
    n_c = d.psi_c.shape[1]
    np.testing.assert_allclose(d.psi_c.T @ d.psi_c, np.eye(n_c), atol=EXACT)
    assert n_c + np.sum(moving) == d.size


def test_constraints_are_orthogonal_to_admissible_motion(described):
    """∂Φ/∂z J = 0 and Jᵀ f_p = 0 (Pfeiffer 2.67, 3.3, 3.61; V20), with J by Sol's matrices."""
    system, (_, v, _, _), d, posture = described
    skeleton = Skeleton(system)
    at_centre = twists.transformation(skeleton, posture, v, np.zeros((4, 6)))
    J = at_centre.R.copy()
    arms = posture.bodies[1][1:] - at_centre.points  # from the centres of mass to the body frames
    J[:, 3:] += np.cross(J[:, :3], arms[:, :, None], axis=1)
    J = J.reshape(d.size, -1)
    np.testing.assert_allclose(d.W @ J, 0.0, atol=EXACT)
    _, mu = solve_saddle(d.M, d.W, d.f, d.psi_c.T @ d.relative_bias)
    assert np.abs(mu).max() > 1e-3
    np.testing.assert_allclose(J.T @ (d.W.T @ mu), 0.0, atol=EXACT * np.abs(mu).max())


def test_mass_matrix_of_the_free_bodies_gives_the_kinetic_energy(described, driven_rotor_energy):
    system, (q, v, _, t), d, _ = described
    rotors = 0.5 * Skeleton(system).rotors @ v**2
    energy = 0.5 * d.z_dot @ d.M @ d.z_dot + rotors
    driven = driven_rotor_energy(system, q, t)
    np.testing.assert_allclose(energy + driven, system.energy(q, v, t)[0], rtol=EXACT)


def test_multipliers_of_lagrange_one(rng):
    """λ = (W M⁻¹ Wᵀ)⁻¹ [W M⁻¹ (h − f) − w] with −w, not +w (Pfeiffer 3.64, E25; V08)."""
    n, m = 12, 7
    root = rng.normal(size=(n, n))
    M = root @ root.T + n * np.eye(n)
    W, h, w = rng.normal(size=(m, n)), rng.normal(size=n), rng.normal(size=m)
    inverse = np.linalg.inv(M)
    multipliers = np.linalg.solve(W @ inverse @ W.T, W @ inverse @ h - w)
    z_ddot = -inverse @ (h - W.T @ multipliers)
    assert np.abs(W @ z_ddot + w).max() < EXACT
    ours, mu = solve_saddle(M, W, -h, -w)
    assert np.abs(W @ ours + w).max() < EXACT
    np.testing.assert_allclose(ours, z_ddot, atol=EXACT)
    np.testing.assert_allclose(mu, multipliers, atol=EXACT * np.abs(multipliers).max() * n)
