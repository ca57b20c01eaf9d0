"""Responses of constrained masses to impulses, for what is rare: dense, or sparse where large."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

_LARGE = 200  # rows from which on sparse factors are quicker
_SINGULAR = 1e-10  # part of the largest pivot below which a constraint repeats others


def solved(K: Mapping[tuple[int, int], float], right: Any, n_v: int) -> Any:
    """Solution of ``K x = right``, the smallest where constraints repeat each other.

    Parameters
    ----------
    K : dict of (int, int) to float
        Entries of masses, and of rows of constraints below and beside them.
    right : (n, m)
        Right sides.
    n_v : int
        Number of coordinates.
    """
    n = len(right)
    places = np.array(list(K), dtype=int).reshape(-1, 2)
    whole = sp.csr_array((list(K.values()), (places[:, 0], places[:, 1])), shape=(n, n))
    if n >= _LARGE:
        found = _sparse(whole, right, n_v)
        if found is not None:
            return found
    if n == n_v:
        return np.linalg.solve(whole.toarray(), right)
    return np.linalg.lstsq(whole.toarray(), right, rcond=1e-12)[0]


def _sparse(K: Any, right: Any, n_v: int) -> Any:
    """Solution by sparse factors of the scaled matrix; None if constraints repeat each other."""
    diagonal = np.abs(K.diagonal())
    if not np.all(diagonal[:n_v] > 0.0):
        return None  # what has no inertia by itself is not to be scaled by it
    scale = np.ones(K.shape[0])
    scale[:n_v] = 1.0 / np.sqrt(diagonal[:n_v])
    rows = K[n_v:, :n_v] @ sp.diags_array(scale[:n_v])
    sizes = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    if not np.all(sizes > 0.0):
        return None
    scale[n_v:] = 1.0 / sizes
    S = sp.diags_array(scale)
    try:
        factors = splu((S @ K @ S).tocsc())
    except RuntimeError:  # exactly singular
        return None
    pivots = np.abs(factors.U.diagonal())
    if pivots.min() < _SINGULAR * pivots.max():
        return None
    return scale[:, None] * factors.solve(scale[:, None] * right)
