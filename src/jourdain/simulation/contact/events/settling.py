"""States that are moved onto what is closed now."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.simulation.tolerances import CLOSED_TO

_TRIALS = 8


def settled(projection: Any, state: tuple[Any, Any, Any, float], p: Any) -> Any:
    """State whose positions and velocities fulfil what is closed.

    Parameters
    ----------
    projection : Kernel
        Corrections of q and v, and the errors.
    state : (q, v, u, t)
        State, inputs with modes, and time.
    p : array
        Parameters.
    """
    q, v, u, t = state
    for _ in range(_TRIALS):
        dq, dv, errors = projection(q, v, u, t, p)
        if errors[0] <= CLOSED_TO:
            break
        q = q + dq
    return np.concatenate([q, v + dv])
