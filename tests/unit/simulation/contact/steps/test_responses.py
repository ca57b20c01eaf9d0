"""Responses of constrained masses: sparse and dense answers agree."""

import numpy as np
import pytest

from jourdain.simulation.contact.steps import responses
from jourdain.solvers.timestep.records import Machine


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


def machine(entries, n_v, n_c):
    """What the answers ask of the record of a machine."""
    places = [(i, j) for i, j in entries if i >= j]
    mass, P = ([x for x in places if (x[0] >= n_v) == is_row] for is_row in (False, True))

    def listed(numbers, first=0):
        return np.array(numbers, dtype=np.int64).reshape(-1) - first

    return Machine(
        n_v=n_v, n_c=n_c, n_mass=len(mass), n_constraint_entries=len(P),
        mass=np.array([entries[x] for x in mass]), P=np.array([entries[x] for x in P]),
        mass_row=listed([i for i, _ in mass]), mass_column=listed([j for _, j in mass]),
        P_row=listed([i for i, _ in P], n_v), P_column=listed([j for _, j in P]),
    )  # fmt: skip


def dense(entries, n):
    K = np.zeros((n, n))
    for place, value in entries.items():
        K[place] = value
    return K


@pytest.mark.parametrize("seed", range(3))
def test_sparse_is_dense(seed):
    K, right = random_matrix(250, 40, seed)
    found = responses.solved(machine(K, 250, 40), right)
    left = dense(K, 290) @ found - right
    scale = np.abs(dense(K, 290)) @ np.abs(found) + np.abs(right)
    assert np.max(np.abs(left) / scale) < 1e-12


def test_repeated_constraints_have_the_smallest_solution():
    """As they always had: motion is unique, forces are those of least squares."""
    K, right = random_matrix(250, 40, 1, repeats=True)
    right[-1] = right[-40]  # the same right side as the constraint that it repeats
    expected = np.linalg.lstsq(dense(K, 290), right, rcond=1e-12)[0]
    np.testing.assert_array_equal(responses.solved(machine(K, 250, 40), right), expected)


def test_without_constraints():
    K, right = random_matrix(250, 0, 2)
    expected = right / np.array([[K[k, k]] for k in range(250)])
    np.testing.assert_allclose(responses.solved(machine(K, 250, 0), right), expected, rtol=1e-12)
