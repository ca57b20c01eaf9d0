"""Points fixed to the rim of a disc or a cylinder."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.spatial import check


def rim_points(count: Any, kind: str) -> None:
    """Refuse a number of points that cannot carry.

    Raises
    ------
    ModelError
        If it is no whole number, negative, one or two.
    """
    if type(count) is not int or count < 0 or count in (1, 2):
        raise ModelError(
            f"rim_points of {kind} is {check.shown(count)}: give 0, or a whole number from 3, "
            "which carry it when it lies or stands flat."
        )


def rim_points_of(radius: Any, A: Any, count: int) -> tuple[Any, ...]:
    """Points at equal angles on a circle about the third axis of A."""
    angles = (2.0 * math.pi * k / count for k in range(count))
    return tuple(radius * (math.cos(s) * A[:, 0] + math.sin(s) * A[:, 1]) for s in angles)
