"""Independent rows of sparse constraints: those of closed loops in a plane repeat others."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import qr
from scipy.sparse.linalg import splu

from jourdain.errors import SingularSystemError

_SOFT = 1e-10  # added to the diagonal, so that rows that repeat others have small pivots
_SMALL = 1e-6  # pivot of a row that may repeat others
_NONE = 1e-7  # part of a row that others do not have, below which it repeats them
_DOUBT = 1e-4  # part below which a position is singular
_ROUNDING = 1e-14  # part of the largest row: what is smaller is rounding of a row that is zero


def independent_rows(G: Any, where: str) -> Any:
    """Numbers of rows of a sparse matrix that do not repeat others, rising.

    Parameters
    ----------
    G : sparse (m, n)
        Rows, of which some may be combinations of others.
    where : str
        Whose they are, for the error.

    Raises
    ------
    SingularSystemError
        If a row nearly repeats others.
    """
    m = G.shape[0]
    sizes = np.sqrt(np.asarray(G.multiply(G).sum(axis=1)).ravel())
    real = sizes > _ROUNDING * sizes.max(initial=0.0)
    scaled = sparse.diags_array(np.where(real, 1.0 / np.where(real, sizes, 1.0), 0.0)) @ G.tocsr()
    soft = (scaled @ scaled.T + _SOFT * sparse.identity(m)).tocsc()
    factors = splu(
        soft,
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    pivots = np.abs(factors.U.diagonal())[factors.perm_c]
    doubtful = np.flatnonzero(pivots < _SMALL)
    if not len(doubtful):
        return np.arange(m)
    sure = np.flatnonzero(pivots >= _SMALL)
    left = _left(scaled[sure], scaled[doubtful])
    back = _not_repeated(left, where)
    return np.sort(np.concatenate([sure, doubtful[back]]))


def _left(rows: Any, others: Any) -> Any:
    """What other rows have beside a set of independent ones, dense (k, n)."""
    left = others.toarray()
    if not rows.shape[0]:
        return left
    factors = splu((rows @ rows.T).tocsc())
    for _ in range(2):
        left = left - (rows.T @ factors.solve(rows @ left.T)).T
    return left


def _not_repeated(left: Any, where: str) -> Any:
    """Numbers of rows that are independent of each other."""
    R, order = qr(left.T, mode="r", pivoting=True)
    pivots = np.abs(np.diagonal(R))
    if np.any((pivots > _NONE) & (pivots < _DOUBT)):
        raise SingularSystemError(
            f"{where} is in a singular position: one of its constraints nearly repeats the others "
            f"(by {pivots[pivots > _NONE].min():.1e} of its size), so the linear equations have no "
            "meaning here. Next: linearise about another position."
        )
    return order[: int(np.sum(pivots > _NONE))]
