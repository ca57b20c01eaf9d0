"""Eigenvalues of a matrix whose zeros are found from null spaces, not from small numbers.

Free motions have Jordan blocks, which rounding turns into eigenvalues of 1e-8 and more. With Q an
orthonormal basis of the null space of A, the eigenvalues of A are zeros and those of Q_⊥ᵀ A Q_⊥;
this is repeated until nothing is left that is zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import eig, matrix_balance

_NONE = 1e-11  # part of the largest singular value that counts as zero


@dataclass(frozen=True)
class Deflated:
    """Eigenvalues that are not zero with right and left vectors, and the null space.

    Parameters
    ----------
    values : (k,) complex [1/s]
        Eigenvalues that are not zero.
    right, left : (n, k) complex
        Their vectors, left ones with yᴴ x = 1.
    null : (n, m)
        Null space of the matrix.
    n_zeros : int
        Zeros with their multiplicity.
    """

    values: Any
    right: Any
    left: Any
    null: Any
    n_zeros: int


def deflated(A: Any) -> Deflated:
    """Eigenvalues and vectors of a real matrix, zeros apart."""
    n = len(A)
    if not n:
        none = np.zeros((0, 0))
        return Deflated(np.zeros(0), none, none, none, 0)
    balanced, (scale, _) = matrix_balance(A, permute=False, separate=True)
    basis, levels = np.eye(n), []
    null = None
    B = balanced
    while len(B):
        _, sizes, rows = np.linalg.svd(B)
        kernel = sizes <= _NONE * max(float(np.linalg.norm(balanced, 2)), 1e-300)
        if not kernel.any():
            break
        Q, rest = rows[kernel].T, rows[~kernel].T
        null = basis @ Q if null is None else null
        levels.append((Q, rest, Q.T @ B @ rest))
        basis, B = basis @ rest, rest.T @ B @ rest
    n_zeros = n - len(B)
    values, left, right = eig(B, left=True) if len(B) else (np.zeros(0), B, B)
    left = basis @ left
    for Q, rest, coupling in reversed(levels):
        right = Q @ (coupling @ right / values) + rest @ right
    right, left = scale[:, None] * right, left / scale[:, None]
    sizes = np.einsum("ik,ik->k", left.conj(), right)
    left = left / np.where(sizes == 0.0, 1.0, sizes).conj()
    null = np.zeros((n, 0)) if null is None else scale[:, None] * null
    return Deflated(values, right, left, null, n_zeros)
