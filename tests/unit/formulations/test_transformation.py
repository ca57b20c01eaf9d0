"""Vector matrices and loads summed along a tree."""

from __future__ import annotations

import numpy as np

import jourdain as jd
from jourdain.formulations.skeleton import Skeleton
from jourdain.formulations.transformation import arms, joint_loads, joint_points, vector_product
from jourdain.formulations.twists import centres


def test_vector_product_is_the_sum_of_cross_products(rng):
    A, B = rng.normal(size=(2, 3, 3)), rng.normal(size=(3, 4, 3))
    expected = [
        [sum(np.cross(A[i, k], B[k, j]) for k in range(3)) for j in range(4)] for i in (0, 1)
    ]
    np.testing.assert_allclose(vector_product(A, B), expected, atol=1e-14)


def test_transposed_vector_product_changes_its_sign(rng):
    """(V * U)ᵀ = −Uᵀ * Vᵀ (Sol A.12)."""
    V, U = rng.normal(size=(2, 3, 3)), rng.normal(size=(3, 4, 3))
    turned = vector_product(U.transpose(1, 0, 2), V.transpose(1, 0, 2))
    np.testing.assert_allclose(vector_product(V, U).transpose(1, 0, 2), -turned, atol=1e-14)


def test_positions_follow_from_the_arms(moving):
    """Sum along the tree: r = −Tᵀ [(B_o + C_o)ᵀ + (B + C)ᵀ 1] (Sol 5.2.17)."""
    system, q, v, _, t = moving
    skeleton = Skeleton(system)
    posture = skeleton.move(q, v, t)
    points = centres(posture)
    from_world = [s.inboard == 0 for s in posture.segments]
    world_row = np.where(np.array(from_world)[:, None], -joint_points(posture), 0.0)
    total = world_row + arms(posture, points).sum(axis=0)
    np.testing.assert_allclose(-skeleton.matrices.T.T @ total, points, atol=1e-14)


def test_arms_have_the_pattern_of_the_location_matrix(moving):
    system, q, v, _, t = moving
    skeleton = Skeleton(system)
    posture = skeleton.move(q, v, t)
    BC = arms(posture, centres(posture))
    assert np.all((np.abs(BC).max(axis=-1) > 0) <= (skeleton.matrices.S != 0))


def test_hanging_weights_pull_at_every_joint_above_them():
    model = jd.Model("ladder", gravity=(0, 0, -10.0))
    upper = model.add_body("upper", jd.solid.point(1.0, (0.5, 0, 0)))
    lower = model.add_body("lower", jd.solid.point(2.0))
    model.add_joint("top", model.world, upper, jd.Fixed())
    model.add_joint("below", lower, upper.at(1.0, 0, 0), jd.Fixed())  # against the tree
    skeleton = Skeleton(jd.compile(model, execution=jd.Plain()))
    posture = skeleton.move([], [], 0.0)
    forces = np.array([[0, 0, -10.0], [0, 0, -20.0]])
    T = skeleton.matrices.T
    loads = joint_loads(posture, centres(posture), T, np.zeros((2, 3)), forces)
    # the world carries 30 N, and 0.5 m · 10 N + 1 m · 20 N about −y
    np.testing.assert_allclose(loads[0], [0, -25.0, 0, 0, 0, 30.0], atol=1e-13)
    # the child of the second joint is the upper body: it is pulled down
    np.testing.assert_allclose(loads[1], [0, 0, 0, 0, 0, -20.0], atol=1e-13)
