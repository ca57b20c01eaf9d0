"""Events of the user between phases: what passes zero where a phase ends is noted once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jourdain.simulation.tolerances import LOOKS_BACK

_TOGETHER = 0.1  # part of that way within which zero is reached at the end of a phase


class UserEvents:
    """Sides of zero on which the event functions of the user are.

    A function that reaches zero where a phase ends has been noted there, or not, by rounding. The
    next phase begins on the side behind zero if it has, else on the side from which it came.

    Parameters
    ----------
    listed : list of (str, float, bool)
        Names, directions and terminality.
    values_at : function of q, v, u, t
        Values of the event functions.
    """

    def __init__(
        self, listed: Sequence[tuple[str, float, bool]], values_at: Callable[..., Any]
    ) -> None:
        self.listed, self._values_at = listed, values_at
        self._sides = np.zeros(len(listed))

    def begin(self, values: Any, sides: Any) -> None:
        """Let functions that were at zero begin on the side that is known."""
        is_late = (self._sides != 0.0) & (np.sign(values) != self._sides)
        values[is_late] = self._sides[is_late] * 1e-250
        sides[self._sides != 0.0] = self._sides[self._sides != 0.0]
        self.forget()

    def forget(self) -> None:
        """Take the sides of the next phase as they are, as after an impact."""
        self._sides = np.zeros(len(self.listed))

    def end(
        self, state: tuple[Any, Any, Any, float], rates: Sequence[Any], noted: Mapping[int, float]
    ) -> None:
        """Find the sides of functions that reach zero where a phase ends.

        Parameters
        ----------
        state : q, v, u, t
            End of the phase.
        rates : dq/dt, dv/dt
            Rates there.
        noted : mapping of int to float [s]
            Times of the last passages that the phase has noted.
        """
        q, v, u, t = state
        now = self._values_at(*state)
        before = self._values_at(
            q - LOOKS_BACK * rates[0], v - LOOKS_BACK * rates[1], u, t - LOOKS_BACK
        )
        together = np.abs(now) <= _TOGETHER * np.abs(now - before)
        is_noted = [t - noted.get(k, -np.inf) <= _TOGETHER * LOOKS_BACK for k in range(len(now))]
        self._sides = np.where(together, np.sign(before) * np.where(is_noted, -1.0, 1.0), 0.0)
