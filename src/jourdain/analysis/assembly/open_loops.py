"""Words for constraints that do not hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jourdain.errors import AssemblyError
from jourdain.system import System

_OPEN = 1e-8  # error [m, rad] worth a word


def worst_row(system: System, rows: Any) -> str:
    """Name the joint or connection with the largest error of its rows."""
    sizes = {
        name: np.abs(rows[place]).max(initial=0.0) for name, place in system.constraint_rows.items()
    }
    name = max(sizes, key=lambda n: sizes[n])
    return f"{'joint' if name in system.model.joints else 'connection'} {name!r}"


def opposed(system: System, rows: Any) -> list[str]:
    """Names of joints and connections that fight, from what is left of their rows in the mean.

    What is left by least squares is the combination of rows that contradicts itself: those that
    could follow have no part in it.
    """
    most = 1e-3 * np.abs(rows).max(initial=0.0)
    places = system.constraint_rows.items()
    return [name for name, place in places if np.abs(rows[place]).max(initial=0.0) > most]


def open_loops(system: System, errors: Any, t: float, held: Sequence[str]) -> AssemblyError:
    """Error that tells which loops stay open, by how much, and the likely cause.

    Parameters
    ----------
    system : System
        The compiled machine.
    errors : array
        Position errors: six of each cut joint, then those of held measures.
    t : float [s]
        Time.
    held : sequence of str
        Coordinates that may not move.
    """
    cause = (
        f"held are {', '.join(map(repr, held))}: let some of them free, or give other values"
        if held
        else "lengths that do not reach, or frames that do not fit; or give rough positions with "
        "near={...}"
    )
    return AssemblyError(
        f"model {system.model.name!r} cannot be assembled at t = {t:g} s:\n"
        + "\n".join(_lines(system, errors))
        + f"\n  Likely cause: {cause}."
    )


def _lines(system: System, errors: Any) -> list[str]:
    lines, start = [], 0
    for cut in system.topology.cuts:
        turn, gap = (np.linalg.norm(errors[start + k : start + k + 3]) for k in (0, 3))
        start += 6
        if max(turn, gap) > _OPEN:
            loop = " - ".join(system.topology.loop(cut.name))
            lines.append(
                f"  the loop {loop} stays open at joint {cut.name!r} by {gap:.4g} m and "
                f"{2.0 * np.arctan(0.5 * turn):.4g} rad"
            )
    for name, place in system.held_positions.items():
        size = np.abs(errors[place]).max(initial=0.0)
        if size > _OPEN:
            lines.append(f"  connection {name!r} is off by {size:.4g}")
    return lines
