"""Runs in which flexible bodies deform more than their shapes can describe are not finished."""

from __future__ import annotations

from jourdain.errors import IntegrationError
from jourdain.results import Solution
from jourdain.results.deformation import MOST, largest_turns
from jourdain.simulation.checks.finish import cut_off


def require_small_deformations(solution: Solution) -> None:
    """Raise if a body was deformed so much that its motion is wrong.

    Raises
    ------
    IntegrationError
        Names the body; ``error.solution`` holds what has been computed.
    """
    if not solution.system.is_flexible:
        return
    for name, turn in largest_turns(solution).items():
        if turn > MOST:
            error = IntegrationError(
                f"body {name!r} of model {solution.model_name!r} is deformed too much: its "
                f"sections turn by up to {turn:.3g} rad, and its shapes describe less than "
                f"{MOST:g} rad.\n  Next: check section, material and loads; or take several "
                "shorter beams in a row, joined by jd.Fixed()."
            )
            error.solution = cut_off(solution, len(solution.time))
            raise error
