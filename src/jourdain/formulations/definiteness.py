"""Whether a mass matrix can be solved with."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.errors import SingularSystemError
from jourdain.formulations.skeleton import Skeleton
from jourdain.system.checks.singular import require_inertia

_ROUNDING = 1e-13  # least eigenvalue of a mass matrix with unit diagonal


def require_definite(M: Any, skeleton: Skeleton, q: Any, t: float) -> None:
    """Raise if a direction of motion has no inertia (Sol F53).

    Parameters
    ----------
    M : (n_v, n_v)
        Mass matrix.
    skeleton : Skeleton
        The system.
    q : (n_q,) [m, rad, 1]
        Position coordinates.
    t : float [s]
        Time.

    Raises
    ------
    SingularSystemError
        Names the joint, its velocity coordinate and what to do.
    """
    if not M.size:
        return
    scale = np.sqrt(np.maximum(np.diag(M), np.finfo(float).tiny))
    values, vectors = np.linalg.eigh(M / np.outer(scale, scale))
    if values[0] > _ROUNDING:
        return
    system = skeleton.system
    require_inertia(system.description, np.asarray(q, dtype=float), float(t), skeleton.p)
    name = system.names.v[int(np.argmax(np.abs(vectors[:, 0])))]
    raise SingularSystemError(
        f"the mass matrix of model {system.model.name!r} is singular at t = {float(t):g} s: with "
        f"a unit diagonal its least eigenvalue is {values[0]:.1e}, along {name!r}.\n"
        f"  Give the bodies outboard of {name.partition('.')[0]!r} mass and moments of inertia, "
        "or drive the coordinate."
    )
