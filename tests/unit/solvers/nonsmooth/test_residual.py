"""Natural map: zero for solutions only; blind to the unit of impulses when weighted."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.solvers.nonsmooth import (
    Friction,
    HalfLine,
    Layout,
    Problem,
    block_residuals,
    natural_map,
    residual,
)
from jourdain.solvers.nonsmooth.residual import weights, worst_blocks

MU = 0.5
BLOCKS = (HalfLine(0), Friction(0, (1, 2), MU))


@pytest.mark.parametrize(
    ("r", "u"),
    [
        ((0.0, 0.0, 0.0), (1.0, 2.0, 3.0)),  # open
        ((2.0, 0.6, 0.8), (0.0, -0.3, -0.4)),  # sliding
        ((2.0, 0.3, 0.4), (0.0, 0.0, 0.0)),  # sticking
    ],
)
def test_zero_for_the_states_of_a_contact(r, u):
    F = natural_map(Layout.contacts([MU]), np.array(r), np.array(u))
    np.testing.assert_allclose(F, 0.0, atol=1e-15)


@pytest.mark.parametrize(
    ("r", "u"),
    [
        ((-1.0, 0.0, 0.0), (0.0, 0.0, 0.0)),  # pulls
        ((0.0, 0.0, 0.0), (-1.0, 0.0, 0.0)),  # penetrates
        ((1.0, 0.0, 0.0), (1.0, 0.0, 0.0)),  # pushes while it opens
        ((2.0, 0.6, 0.8), (0.0, 0.3, 0.4)),  # friction along the motion
        ((2.0, 0.3, 0.4), (0.0, -0.3, -0.4)),  # slides below its capacity
        ((2.0, 0.9, 1.2), (0.0, 0.0, 0.0)),  # above its capacity
    ],
)
def test_not_zero_for_states_that_cannot_be(r, u):
    F = natural_map(Layout.contacts([MU]), np.array(r), np.array(u))
    assert np.linalg.norm(F) > 0.1


def test_the_cone_formula():
    """``r - P_K(r - (u + mu |u_T| n))`` for a point outside K and its polar."""
    r, u = np.array([1.0, 2.0, 0.0]), np.array([0.5, 0.0, 3.0])
    z = r - u - [MU * 3.0, 0.0, 0.0]
    size = np.hypot(z[1], z[2])
    normal = (z[0] + MU * size) / (1 + MU**2)
    expected = r - [normal, MU * normal * z[1] / size, MU * normal * z[2] / size]
    np.testing.assert_allclose(natural_map(Layout.contacts([MU]), r, u), expected, rtol=1e-14)


def test_weights_make_the_residual_blind_to_units(rng):
    J = rng.normal(size=(3, 4))
    c, r = rng.normal(size=3), rng.normal(size=3)
    one = Problem(J @ J.T, c, BLOCKS)
    other = Problem(1e6 * J @ J.T, 1e-3 * c, BLOCKS)
    expected = residual(one, r, weights(one))
    assert residual(other, 1e-9 * r, weights(other)) == pytest.approx(expected, rel=1e-12)


def test_the_worst_block_comes_first():
    problem = Problem(np.eye(2), [-1.0, -3.0], [HalfLine(0), HalfLine(1)])
    np.testing.assert_allclose(block_residuals(problem, np.zeros(2)), [1 / 10**0.5, 3 / 10**0.5])
    assert worst_blocks(problem, np.zeros(2)) == (1, 0)
