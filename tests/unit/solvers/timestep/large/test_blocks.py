"""Small matrices of groups of rows."""

import numpy as np
import pytest

from jourdain.solvers.timestep.large.blocks import invert, onto_disc


@pytest.mark.parametrize("n", [1, 2, 3])
def test_inverses(n):
    root = np.random.default_rng(n).normal(size=(n, n))
    A, B = (root @ root.T + 0.1 * np.eye(n)).ravel(), np.zeros(n * n)
    invert(A, 0, n, B, 0)
    np.testing.assert_allclose(B.reshape(n, n) @ A.reshape(n, n), np.eye(n), atol=1e-10)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_matrix_without_inverse_gives_zero(n):
    B = np.ones(n * n)
    invert(np.zeros(n * n) if n == 1 else np.ones(n * n), 0, n, B, 0)
    assert not B.any()


def test_onto_a_disc():
    w = np.array([*np.zeros(8), 2.0, 3.0, 4.0])
    onto_disc(w, 1, 3, 2.5)
    np.testing.assert_allclose(w[8:], [2.0, 1.5, 2.0])
    onto_disc(w, 1, 3, 10.0)
    np.testing.assert_allclose(w[8:], [2.0, 1.5, 2.0])
