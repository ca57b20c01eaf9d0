"""Forces of contacts that rest, as far inside of their laws as the loads allow.

Where more contacts rest than needed, forces may be changed without any effect on the motion. A
linear programme finds those with the largest margin; the discs of friction are approached by
tangents of theirs, added where a solution lies outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linprog

from jourdain.simulation.tolerances import NO_MARGIN, NO_RESPONSE

_ROUNDS = 40  # of tangents that are added
_SIDES = 8  # of the first polygon around a disc
_TOLERANCES = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


@dataclass(frozen=True)
class Cone:
    """Set of the forces of one block: pressing, or friction within an ellipse.

    Parameters
    ----------
    places : tuple of int
        Places of its forces among the variables.
    limit : array, optional
        Half axes of the ellipse, for unit normal force if it leans on one; None: it presses.
    normal : int, optional
        Place of the normal force it leans on.
    """

    places: tuple[int, ...]
    limit: Any = None
    normal: int | None = None

    def reserve(self, x: Any) -> float:
        """Distance of forces from the end of the set, as a normal force or a part of the limit."""
        if self.limit is None:
            return float(x[self.places[0]])
        hold = 1.0 if self.normal is None else float(x[self.normal])
        return hold - float(np.linalg.norm(x[list(self.places)] / self.limit))

    def tangents(self, x: Any | None, n: int) -> list[Any]:
        """Sides of the set: rows a with ``a x + constant ≥ margin``."""
        if self.limit is None:
            row = np.zeros(n)
            row[self.places[0]] = 1.0
            return [row]
        if len(self.places) == 1:
            ways = np.array([[1.0], [-1.0]])
        elif x is None:
            turns = 2.0 * np.pi * np.arange(_SIDES) / _SIDES
            ways = np.stack([np.cos(turns), np.sin(turns)], axis=1)
        else:
            part = x[list(self.places)] / self.limit
            ways = (part / max(float(np.linalg.norm(part)), 1e-300))[None, :]
        rows = []
        for way in ways:
            row = np.zeros(n)
            row[list(self.places)] = -way / self.limit
            if self.normal is not None:
                row[self.normal] = 1.0
            rows.append(row)
        return rows

    @property
    def constant(self) -> float:
        """What is added to the rows of `tangents`."""
        return 1.0 if self.limit is not None and self.normal is None else 0.0


def largest_margin(
    responses: Any, x: Any, cones: Sequence[Cone], units: Any, wanted: Sequence[int]
) -> Any | None:
    """Forces with the same effect as x, as far as can be from the limits of some; None if none.

    Parameters
    ----------
    responses : (m, n)
        What the forces cause.
    x : (n,)
        Forces, scaled to about one.
    cones : sequence of Cone
        Sets of the forces.
    units : (c,)
        What a margin of one is in the reserve of each set.
    wanted : sequence of int
        Sets whose margins count; the others need only hold.
    """
    n = len(x)
    _, sizes, ways = np.linalg.svd(responses)
    held = ways[: int(np.sum(sizes > NO_RESPONSE * sizes.max(initial=0.0)))]
    equal = np.hstack([held, np.zeros((len(held), 1))])
    cost = np.zeros(n + 1)
    cost[n] = -1.0
    rows: list[Any] = []
    right: list[float] = []

    def add(k: int, at: Any) -> None:
        for row in cones[k].tangents(at, n):
            rows.append(np.append(-row, units[k] if k in wanted else 0.0))
            right.append(cones[k].constant - 2.0 * NO_MARGIN * units[k])

    for k in range(len(cones)):
        add(k, None)
    for _ in range(_ROUNDS):
        found = linprog(
            cost, np.array(rows), right, equal, held @ x, [*[(None, None)] * n, (0.0, 1.0)],
            method="highs", options=_TOLERANCES,
        )  # fmt: skip
        if found.status != 0:
            return None
        y, margin = found.x[:n], float(found.x[n])
        short = [
            k
            for k, cone in enumerate(cones)
            if cone.reserve(y) < (margin * units[k] if k in wanted else 0.0) - NO_MARGIN * units[k]
        ]
        if not short:
            return y if all(cone.reserve(y) >= 0.0 for cone in cones) else None
        for k in short:
            add(k, y)
    return None
