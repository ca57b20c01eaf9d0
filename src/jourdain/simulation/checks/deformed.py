"""Runs in which flexible bodies deform more than their shapes can describe are not finished."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jourdain.errors import IntegrationError
from jourdain.model.flexible.solid import MOST_TURN
from jourdain.results import Solution
from jourdain.results.deformation import largest_turns
from jourdain.simulation.checks.finish import cut_off
from jourdain.system.checks.singular import share_of_inertia

_LOST = 0.5  # share of an inertia, left by deformation, below which fast motions are wrong
_SMALL = 0.02  # turn [rad] of bodies that are not looked at


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
        if turn > MOST_TURN:
            error = IntegrationError(
                f"body {name!r} of model {solution.model_name!r} is deformed too much: its "
                f"sections turn by up to {turn:.3g} rad, and its shapes describe less than "
                f"{MOST_TURN:g} rad.\n  Next: check section, material and loads; or take several "
                "shorter beams in a row, joined by jd.Fixed()."
            )
            error.solution = cut_off(solution, len(solution.time))
            raise error


def of_deformations(solution: Solution) -> Iterator[str]:
    """Text for the body whose deformation leaves least of the inertia that some rate moves."""
    system = solution.system
    if not system.is_flexible:
        return
    found = []
    for name, turn in largest_turns(solution).items():
        if turn < _SMALL:
            continue
        own = [k for k, x in enumerate(system.names.q) if x.startswith(f"{name}.elastic.")]
        row = int(np.abs(solution.q[:, own]).max(axis=1).argmax())
        p = system.parameter_array(solution.parameters)
        q, t = system.of_tree(solution.q[row]), float(solution.time[row])
        found.append((*share_of_inertia(system.description, q, t, p)[::-1], t, name))
    share, rate, t, name = min(found, default=(1.0, "", 0.0, ""))
    if share < _LOST:
        yield (
            f"body {name!r} is deformed so much at t = {t:.4g} s that its shapes leave {rate!r} "
            f"{max(share, 0.0):.0%} of the inertia it moves: fast vibrations are wrong. Take fewer "
            "modes, or several shorter bodies in a row; where it hangs on a joint that turns "
            "freely, give the joint the inertia of its drive (armature=)."
        )
