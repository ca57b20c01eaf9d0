"""Integrators of phases between events: another one takes over where they are stiff."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jourdain.simulation.choice import is_bound_by_stability
from jourdain.simulation.methods import EventDriven
from jourdain.solvers import Dop853, Integrator, Run

CHUNK = 2000
"""Steps between two looks at whether a run is interrupted, or stiff."""
_MANY_STEPS = 4000  # steps of a run from which on it may turn out to be stiff


class Integrators:
    """Integrator in use.

    Parameters
    ----------
    method : EventDriven
        Integrators of phases that are not stiff, and that are.
    """

    def __init__(self, method: EventDriven) -> None:
        self._method, self.is_stiff = method, False

    @property
    def now(self) -> Integrator:
        """Integrator of the present phase."""
        method = self._method
        return method.stiff if self.is_stiff and method.stiff else method.integrator

    @staticmethod
    def steps_to_look(run: Run) -> int:
        """Steps until the next look, at round numbers, so that resumed runs look there too."""
        return CHUNK - _tried(run) % CHUNK

    def turns_stiff(self, run: Run, behind: int, rates: Callable[[Any], Any]) -> bool:
        """Whether stability alone keeps the steps of `Dop853` short.

        Parameters
        ----------
        run : Run
            The phase.
        behind : int
            Steps of earlier phases.
        rates : function of the state
            Its rates now.
        """
        can_change = self._method.stiff is not None and isinstance(self.now, Dop853)
        has_begun = behind + run.counts["steps"] >= _MANY_STEPS
        if not (can_change and has_begun) or _tried(run) % CHUNK:
            return False
        return is_bound_by_stability(rates, run.y, run.step)


def _tried(run: Run) -> int:
    """Steps of a run, accepted or rejected."""
    counts = run.counts
    return int(counts["steps"] + counts["rejected"])
