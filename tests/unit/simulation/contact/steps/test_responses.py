"""Responses of constrained masses: sparse and dense answers agree."""

import numpy as np
import pytest

from jourdain.simulation.contact.steps import responses


def random_matrix(n_v, n_c, seed, repeats=False):
    """Masses over many orders, and constraints of neighbours; maybe one of them twice."""
    rng = np.random.default_rng(seed)
    entries = {(k, k): 10.0 ** rng.uniform(-3, 9) for k in range(n_v)}
    for i in range(n_c):
        row = n_v + i
        source = np.random.default_rng(1000 + (0 if repeats and i == n_c - 1 else i))
        for j in source.choice(n_v, 3, replace=False):
            entries[row, int(j)] = entries[int(j), row] = source.uniform(-2.0, 2.0)
    return entries, rng.normal(size=(n_v + n_c, 4))


def dense(entries, n):
    K = np.zeros((n, n))
    for place, value in entries.items():
        K[place] = value
    return K


@pytest.mark.parametrize("seed", range(3))
def test_sparse_is_dense(seed):
    K, right = random_matrix(250, 40, seed)
    found = responses.solved(K, right, 250)
    left = dense(K, 290) @ found - right
    scale = np.abs(dense(K, 290)) @ np.abs(found) + np.abs(right)
    assert np.max(np.abs(left) / scale) < 1e-12


def test_repeated_constraints_have_the_smallest_solution():
    """As they always had: motion is unique, forces are those of least squares."""
    K, right = random_matrix(250, 40, 1, repeats=True)
    right[-1] = right[-40]  # the same right side as the constraint that it repeats
    expected = np.linalg.lstsq(dense(K, 290), right, rcond=1e-12)[0]
    np.testing.assert_array_equal(responses.solved(K, right, 250), expected)


def test_without_constraints():
    K, right = random_matrix(250, 0, 2)
    expected = right / np.array([[K[k, k]] for k in range(250)])
    np.testing.assert_allclose(responses.solved(K, right, 250), expected, rtol=1e-12)
