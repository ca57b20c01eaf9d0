"""Capacities of shift elements over a sequence of gears (4.F38, 4.F40)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from jourdain.errors import ModelError
from jourdain.math import Table


def shift_program(
    gears: Mapping[Any, Collection[str]],
    sequence: Sequence[tuple[float, Any]],
    torques: Mapping[str, float],
    *,
    ramp: float = 0.4,
    release: tuple[float, float] = (0.25, 0.75),
) -> dict[str, Table]:
    """Capacities [N m] of friction elements over time, for a sequence of gears.

    At each shift the elements that come are closed over ``ramp``; those that go are opened within
    it. Freewheels have no torque here: they release by themselves.

    Parameters
    ----------
    gears : mapping of gear to collection of str
        Table of gears, as that of `Transmission`.
    sequence : sequence of (float, gear) [s]
        Times at which gears begin, in order; the first is engaged from the start.
    torques : mapping of str to float [N m]
        Capacity of each friction element when it is closed.
    ramp : float [s]
        Time that a shift takes.
    release : (float, float)
        Parts of the ramp at which elements that go begin and end to open.

    Examples
    --------
    >>> from jourdain.library import powertrain as pt
    >>> gears = {1: {"A"}, 2: {"B"}}
    >>> found = pt.shift_program(gears, [(0.0, 1), (2.0, 2)], {"A": 300.0, "B": 200.0})
    >>> [round(float(found[name](2.2)), 6) for name in "AB"]
    [150.0, 100.0]
    """
    known = {gear for _, gear in sequence} - set(gears)
    if known or not sequence:
        raise ModelError(
            f"the sequence has the gears {sorted(map(str, known))}, which the table does not have."
            if known
            else "the sequence of a shift program is empty: give (0.0, gear) to begin with."
        )
    times = [t for t, _ in sequence]
    if any(b < a + ramp for a, b in pairwise(times[1:])):
        raise ModelError(
            f"gears follow each other within {ramp:g} s, the time of a shift: give later times, or "
            "a shorter ramp."
        )
    found = {}
    for name, torque in torques.items():
        is_closed = name in gears[sequence[0][1]]
        points = [(times[0], torque * is_closed)]
        for t, gear in sequence[1:]:
            if (name in gears[gear]) == is_closed:
                continue
            is_closed = not is_closed
            begin, end = (0.0, 1.0) if is_closed else release
            points += [
                (t + begin * ramp, torque * (not is_closed)),
                (t + end * ramp, torque * is_closed),
            ]
        points.append((points[-1][0] + 1.0, points[-1][1]))
        found[name] = Table([t for t, _ in points], [x for _, x in points])
    return found
