"""Coefficients of Radau IIA against what they must fulfil."""

import numpy as np
import pytest

from jourdain.solvers.ode.radau import AT_C, AT_E, AT_MU, AT_T, AT_TI, coefficients

NUMBERS, EXTENSION = coefficients()
C = NUMBERS[AT_C : AT_C + 3]


def test_eigenvalues_and_transformation_give_collocation_of_order_five():
    """A = T Λ⁻¹ T⁻¹ integrates t², t, 1 exactly up to every node, and t⁴ up to the last one."""
    T, back = (NUMBERS[at : at + 9].reshape(3, 3) for at in (AT_T, AT_TI))
    real, alpha, beta = NUMBERS[AT_MU : AT_MU + 3]
    eigen = np.array([[real, 0, 0], [0, alpha, -beta], [0, beta, alpha]])
    A = T @ np.linalg.inv(eigen) @ back
    for k in range(3):
        np.testing.assert_allclose(A @ C**k, C ** (k + 1) / (k + 1), atol=1e-14)
    for k in range(5):
        assert A[2] @ C**k == pytest.approx(1.0 / (k + 1), abs=1e-14)


def test_error_estimate_is_blind_to_cubics():
    """E·z + h f₀ is zero for y = t, t² and t³, where z = cᵏ: it compares with order three."""
    E = NUMBERS[AT_E : AT_E + 3]
    np.testing.assert_allclose([E @ C, E @ C**2, E @ C**3], [-1.0, 0.0, 0.0], atol=1e-14)
    assert abs(E @ C**4) > 0.01


def test_extension_passes_through_the_stages():
    x = C[:, None] ** np.arange(1, 4)
    np.testing.assert_allclose(EXTENSION @ x.T, np.eye(3), atol=1e-13)
