from __future__ import annotations

import numpy as np
import pytest

from jourdain.analysis.vibration.deflation import deflated


@pytest.mark.parametrize("seed", range(5))
def test_zeros_of_jordan_blocks_are_exact(seed):
    """Blocks of sizes 3 and 2, hidden by a random change of coordinates."""
    rng = np.random.default_rng(seed)
    J = np.zeros((9, 9))
    J[0, 1] = J[1, 2] = J[3, 4] = 1.0
    J[5:, 5:] = rng.normal(size=(4, 4))
    R = rng.normal(size=(9, 9))
    A = R @ J @ np.linalg.inv(R)
    found = deflated(A)
    assert found.n_zeros == 5
    assert found.null.shape == (9, 2)
    expected = np.linalg.eigvals(J[5:, 5:])
    np.testing.assert_allclose(
        np.sort_complex(found.values), np.sort_complex(expected), rtol=1e-8, atol=1e-10
    )
    size = np.abs(found.right).max()
    assert np.abs(A @ found.right - found.right * found.values).max() < 1e-8 * size
    left = A.T @ found.left.conj() - found.left.conj() * found.values
    assert np.abs(left).max() < 1e-8 * np.abs(found.left).max()
    np.testing.assert_allclose(found.left.conj().T @ found.right, np.eye(4), atol=1e-7)
