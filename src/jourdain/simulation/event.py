"""Moments to find during a simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jourdain.errors import ModelError


@dataclass(frozen=True)
class Event:
    """A moment to find: where a function of time and state passes zero.

    A function that only touches zero does not pass it, and one that starts there has not.

    Parameters
    ----------
    function : function of (t, s)
        Written with `jourdain.math`; ``s["main.angle"]`` gives the state by names.
    direction : int
        +1 to find rising passages only, -1 falling ones, 0 both.
    terminal : bool
        Whether the simulation ends there.
    """

    function: Callable[..., Any]
    direction: int = 0
    terminal: bool = False

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ModelError(f"Event has {self.function!r:.60}; give a function of (t, s).")
        if self.direction not in (-1, 0, 1):
            raise ModelError(
                f"Event has the direction {self.direction!r}; give +1 to find rising passages, -1 "
                "for falling ones, or 0 for both."
            )
