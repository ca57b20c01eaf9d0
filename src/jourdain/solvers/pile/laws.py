"""Laws of contacts: their coefficients, and those that are functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jourdain.solvers.pile.phases import COEFFICIENTS, IS_GIVEN, MU, E
from jourdain.solvers.pile.units import PairLaw, Singles


def law_coefficients(laws: Sequence[PairLaw], singles: Singles | None) -> Any:
    """Coefficients (n, 3) of the laws, then of single contacts; zero for functions."""
    rows = [
        [0.0 if callable(x) else x for x in (law.friction, law.restitution)] + [0.0] for law in laws
    ]
    found = np.array(rows, dtype=float).reshape(-1, COEFFICIENTS)
    if singles is None:
        return found
    more = np.zeros((len(singles), COEFFICIENTS))
    more[:, MU], more[:, E] = singles.friction, singles.restitution
    more[:, IS_GIVEN] = singles.is_dry
    return np.concatenate([found, more])


def fill_laws(laws: Sequence[PairLaw], numbers: Any, rates: Any, friction: Any, e: Any) -> None:
    """Write coefficients that are functions, from the velocities (n, 3) of the contacts."""
    for k, law in enumerate(laws):
        if callable(law.friction) or callable(law.restitution):
            own = numbers == k
            if callable(law.friction):
                friction[own] = law.friction(np.linalg.norm(rates[own, 1:], axis=1))
            if callable(law.restitution):
                e[own] = law.restitution(np.maximum(-rates[own, 0], 0.0))
