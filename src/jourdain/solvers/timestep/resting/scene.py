"""Contacts of free bodies in a step as arrays, for methods that look at many at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.codegen.kernel import address
from jourdain.solvers.timestep.resting.terms import masses_into, rows_into

OPEN = 1e300
"""Velocity asked for that marks a contact as open: it holds nothing."""


@dataclass(frozen=True)
class Scene:
    """Contacts of a step after its sweeps; impulses r and velocities x are changed in place.

    Parameters
    ----------
    middle : (n, 22)
        What is known of the free bodies in the middle of the step.
    radius, old, free, x : (6 n,)
        Lengths of columns; velocities before the step, without contacts, and now.
    arms : (m, 15)
        Axes of the contacts, and arms from the bodies.
    pairs : (m, 2) of int
        Free bodies of each contact; −1 for the world, n for other units.
    mu, c : (m,), r : (m, 3)
        Friction, velocities that are asked for, impulses.
    lead : (m,) of int
        For contacts that resist turning the one that limits them; −1 for others.
    tolerance : float [m/s]
        Velocity that is none.
    lost : (1,) [m/s]
        Largest velocity within the tolerance that was taken from a body.
    """

    middle: Any
    radius: Any
    old: Any
    free: Any
    x: Any
    arms: Any
    pairs: Any
    mu: Any
    c: Any
    r: Any
    lead: Any
    tolerance: float
    lost: Any

    def masses(self, units: Any) -> tuple[Any, Any]:
        """Mass matrices (n, 6, 6) and their inverses."""
        both = np.zeros((2, len(units), 6, 6))
        M, inverse = both
        masses_into(len(units), address(units), address(self.middle), address(M), address(inverse))
        return M, inverse

    def rows(self, contacts: Any) -> Any:
        """Rows (m, 2, 3, 6) of free bodies times their limits for a normal impulse of one."""
        S = np.empty((len(contacts), 2, 3, 6))
        given = contacts, self.arms, self.mu, self.lead, S
        rows_into(len(contacts), *map(address, given))
        return S

    def limits(self, contacts: Any) -> Any:
        """Limits (m, 3) of impulses for a normal impulse of one, which is one itself."""
        limits = np.repeat(self.mu[contacts][:, None], 3, axis=1)
        limits[self.lead[contacts] < 0, 0] = 1.0
        return limits
