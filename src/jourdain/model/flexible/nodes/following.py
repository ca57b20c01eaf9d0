"""How frames of a body of nodes move: turns of nodes, and frames that follow several of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.flexible.place import Place

_NEIGHBOURS = 12  # nodes that tell how one among them turns
_FLAT = 1e-6  # of the spread of neighbours: below, they lie on a line


def fields_of_turns(r: Any) -> Any:
    """Matrices (N, 3, 3) whose columns are the displacements e × r."""
    return np.cross(np.eye(3), r[:, None, :]).transpose(0, 2, 1)


def turns_of(x: Any, A: Any) -> Any:
    """Turns (N, 3, n) of nodes by the displacements of nodes around them; NaN on a line."""
    from scipy.spatial import cKDTree  # noqa: PLC0415

    count = min(_NEIGHBOURS, len(x))
    found = np.full(A.shape, np.nan)
    if count < 3:
        return found
    around = cKDTree(x).query(x, count)[1]
    for k, members in enumerate(around):
        found[k] = turn_of(x[members] - x[k], A[members] - A[k])
    return found


def turn_of(r: Any, moved: Any) -> Any:
    """Turn (3, n) of points around r = 0 that are moved; NaN if they lie on a line.

    Points in space tell the gradient of the displacement, those of a surface how it turns.
    """
    spread = np.linalg.svd(r, compute_uv=False)
    if len(spread) < 2 or spread[1] <= _FLAT * spread[0]:
        return np.full(moved.shape[1:], np.nan)
    if len(r) > 3 and len(spread) > 2 and spread[2] > _FLAT**0.5 * spread[0]:
        G = np.tensordot(np.linalg.pinv(r), moved, 1)  # G[b, a] = ∂u_a/∂x_b
        pairs = ((1, 2), (2, 0), (0, 1))
        return np.array([0.5 * (G[i, j] - G[j, i]) for i, j in pairs])
    fields = fields_of_turns(r).reshape(-1, 3)
    return np.linalg.lstsq(fields, moved.reshape(len(fields), -1), rcond=None)[0]


def interface_of(name: str, members: Any, x: Any, A: Any, T: Any, B: Any) -> Place:
    """Frame in the middle of some nodes that follows them in the mean."""
    nodes = np.unique(np.asarray(members))
    is_whole = not np.any(nodes != nodes.astype(float).astype(int))
    if not len(nodes) or not is_whole or not 0 <= nodes.min() <= nodes.max() < len(x):
        raise ModelError(
            f"interface {name!r} of from_modes has "
            f"{'nodes that are not there' if len(nodes) else 'no nodes'}: give some of 0 to "
            f"{len(x) - 1}."
        )
    nodes = nodes.astype(int)
    n, middle, mean = A.shape[2], x[nodes].mean(axis=0), A[nodes].mean(axis=0)
    r = x[nodes] - middle
    fields = fields_of_turns(r).reshape(-1, 3)
    spread = np.linalg.svd(r, compute_uv=False)
    on_line = len(spread) < 2 or spread[1] <= _FLAT * max(spread[0], 1e-300)
    flat = (A[nodes] - mean).reshape(len(fields), n)
    turn = T[nodes].mean(axis=0) if on_line else np.linalg.lstsq(fields, flat, rcond=None)[0]
    if not np.isfinite(turn).all():
        raise ModelError(
            f"interface {name!r} of from_modes turns in an unknown way: its nodes lie on a line. "
            "Give more nodes, or rotations=."
        )
    bent = np.zeros((3, n, n)) if B is None else B[nodes].mean(axis=0)
    return Place(middle, mean, bent, turn, np.zeros((3, n, n)))
