"""Damping of the modes of flexible bodies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.flexible.plain import plain_number
from jourdain.spatial import check


@dataclass(frozen=True)
class Rayleigh:
    """Damping in proportion to the masses and stiffnesses of the modes.

    The damping ratio of a mode with the angular frequency ω is ``mass / 2ω + stiffness ω / 2``. It
    is internal: the motion of the body as a whole is not damped.

    Parameters
    ----------
    mass : float [1/s]
        Factor of the mass.
    stiffness : float [s]
        Factor of the stiffness.
    """

    mass: float = 0.0
    stiffness: float = 0.0

    def __post_init__(self) -> None:
        plain_number(self.mass, "mass of Rayleigh", nonnegative=True)
        plain_number(self.stiffness, "stiffness of Rayleigh", nonnegative=True)


Damping = float | tuple[float, ...] | Rayleigh
"""Damping ratio of all modes, of each mode, or Rayleigh's."""


def damping_of(given: Any, what: str) -> Damping:
    """Check a damping."""
    if isinstance(given, Rayleigh):
        return given
    if isinstance(given, list | tuple | np.ndarray):
        return tuple(plain_number(x, f"a damping of {what}", nonnegative=True) for x in given)
    if isinstance(given, bool | str | dict):
        raise ModelError(
            f"damping of {what} is {check.shown(given)}: give a damping ratio such as 0.01, one "
            "for each mode, or jd.flexible.Rayleigh(mass, stiffness)."
        )
    return plain_number(given, f"damping of {what}", nonnegative=True)


def coefficients(damping: Damping, masses: Any, stiffness: Any) -> Any:
    """Damping coefficients (n,) of modes with these masses and stiffnesses (n,)."""
    if isinstance(damping, Rayleigh):
        return damping.mass * masses + damping.stiffness * stiffness
    ratios = np.asarray(damping, dtype=float)
    if ratios.ndim and len(ratios) != len(masses):
        raise ModelError(
            f"a flexible body has {len(masses)} modes, but damping ratios for {len(ratios)}: give "
            "one for each, the lowest mode first, or one number for all."
        )
    return 2.0 * ratios * np.sqrt(stiffness * masses)
