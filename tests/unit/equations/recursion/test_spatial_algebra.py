"""Spatial vectors in blocks against the same with 6×6 matrices."""

from types import SimpleNamespace

import casadi as ca
import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.recursion import spatial_algebra as sp

ATOL = 1e-14


@pytest.fixture
def own(rng):
    spread = rng.normal(size=(3, 3))
    com, mass = rng.normal(size=3), 1.7
    J_com = np.trace(spread @ spread.T) * np.eye(3) - spread @ spread.T
    d = jd.math.skew(com)
    return SimpleNamespace(
        R_in=jd.rotation_quaternion(rng.normal(size=4)),
        p_in=rng.normal(size=3),
        m=mass,
        h=mass * com,
        J=J_com - mass * d @ d,
    )


def matrix_of(own):
    """X that carries motion outboard."""
    X = np.zeros((6, 6))
    X[:3, :3] = X[3:, 3:] = own.R_in.T
    X[3:, :3] = -own.R_in.T @ jd.math.skew(own.p_in)
    return X


def inertia_of(own):
    H = jd.math.skew(own.h)
    return np.block([[own.J, H], [H.T, own.m * np.eye(3)]])


def full(blocks):
    J, H, M = blocks
    return np.block([[J, H], [H.T, M]])


def test_motion_outward_and_forces_inward_are_transposes(own, rng):
    V, F = rng.normal(size=(2, 6))
    X = matrix_of(own)
    np.testing.assert_allclose(sp.to_outboard(own, V), X @ V, atol=ATOL)
    np.testing.assert_allclose(sp.to_inboard(own, F), X.T @ F, atol=ATOL)


def test_cross_product_of_motions(rng):
    V, G = rng.normal(size=(2, 6))
    W, U = jd.math.skew(V[:3]), jd.math.skew(V[3:])
    matrix = np.block([[W, np.zeros((3, 3))], [U, W]])
    np.testing.assert_allclose(sp.cross_twist(V, G), matrix @ G, atol=ATOL)
    np.testing.assert_allclose(sp.cross_twist(V, V), 0, atol=ATOL)


def test_momentum_is_inertia_times_velocity(own, rng):
    V = rng.normal(size=6)
    np.testing.assert_allclose(sp.momentum(own, V), inertia_of(own) @ V, atol=ATOL)


def test_packing_is_reversible(own):
    np.testing.assert_allclose(full(sp.unpack(sp.rigid(own))), inertia_of(own), atol=ATOL)
    assert sp.rigid(own).shape == (21,)


def test_products_with_vectors_and_matrices(own, rng):
    blocks, S = sp.unpack(sp.rigid(own)), rng.normal(size=(6, 2))
    np.testing.assert_allclose(sp.multiply(blocks, S), inertia_of(own) @ S, atol=ATOL)
    np.testing.assert_allclose(sp.multiply(blocks, S[:, 0]), inertia_of(own) @ S[:, 0], atol=ATOL)


def test_reduced_inertia_lets_the_joint_move(own, rng):
    blocks, S = sp.unpack(sp.rigid(own)), rng.normal(size=(6, 2))
    U = sp.multiply(blocks, S)
    K = sp.invert(S.T @ U) @ U.T
    rest = full(sp.reduced(blocks, U, K))
    np.testing.assert_allclose(rest, inertia_of(own) - U @ K, atol=1e-12)
    np.testing.assert_allclose(rest @ S, 0, atol=1e-12)


def test_inertia_inboard(own):
    X = matrix_of(own)
    found = full(sp.unpack(sp.inertia_to_inboard(own, sp.unpack(sp.rigid(own)))))
    np.testing.assert_allclose(found, X.T @ inertia_of(own) @ X, atol=1e-13)


def test_symmetric_takes_the_upper_triangle():
    A = np.array([[1.0, 2, 3], [9, 4, 5], [9, 9, 6]])
    np.testing.assert_array_equal(sp.symmetric(A), [[1, 2, 3], [2, 4, 5], [3, 5, 6]])


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_inverse_of_positive_definite_matrices(n, rng):
    A = rng.normal(size=(n, n))
    D = A @ A.T + n * np.eye(n)
    np.testing.assert_allclose(sp.invert(D) @ D, np.eye(n), atol=1e-13)


@pytest.mark.parametrize("axis", "xyz")
def test_turn_about_a_coordinate_axis(axis, rng):
    """The short way takes any matrix, not only symmetric ones."""
    A, R = rng.normal(size=(3, 3)), getattr(jd, f"rotation_{axis}")(0.7)
    np.testing.assert_allclose(sp.turned(R, A), R @ A @ R.T, atol=ATOL)


def test_turn_about_a_coordinate_axis_takes_half_the_products():
    angle, A = ca.SX.sym("angle"), ca.SX.sym("A", 3, 3)
    R = jd.rotation_y(angle)
    counts = []
    for B in (sp.turned(R, A), R @ A @ R.T):
        f = ca.Function("f", [angle, A], [B], {"cse": True})
        kinds = [f.instruction_id(k) for k in range(f.n_instructions())]
        counts.append(kinds.count(ca.OP_MUL))
    assert counts == [12, 24]


def test_turn_about_any_axis(own, rng):
    A = rng.normal(size=(3, 3))
    np.testing.assert_allclose(sp.turned(own.R_in, A), own.R_in @ A @ own.R_in.T, atol=ATOL)
