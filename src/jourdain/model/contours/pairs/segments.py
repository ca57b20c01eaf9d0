"""Where two segments in space cross."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.contours.pairs.pair import ContactPoint

PARALLEL = 1e-4
"""Sine of the angle below which lines count as parallel: their ends touch then."""


def crossing(a: tuple[Any, Any, Any], b: tuple[Any, Any, Any], up: Any) -> tuple[Any, ContactPoint]:
    """Closest points of two lines, and whether they lie on both segments.

    Parameters
    ----------
    a, b : (middle, unit vector, half length)
        The segments.
    up : (3,) or None
        Half-space of directions the normal is chosen from; None for that from a to b.

    Returns
    -------
    valid, ContactPoint
        Whether the segments cross.
    """
    (c_a, u, h_a), (c_b, w, h_b) = a, b
    offset = c_b - c_a
    axis, k = math.cross(u, w), math.dot(u, w)
    square = math.dot(axis, axis)
    apart = square > PARALLEL**2
    D = math.where(apart, square, 1.0)
    along_u, along_w = math.dot(u, offset), math.dot(w, offset)
    s, t = (along_u - k * along_w) / D, (k * along_u - along_w) / D
    inside = math.both(math.absolute(s) < h_a, math.absolute(t) < h_b)
    unit = axis / math.sqrt(D)
    normal = math.where(math.dot(unit, offset if up is None else up) < 0.0, -unit, unit)
    point_a, point_b = c_a + s * u, c_b + t * w
    found = ContactPoint(math.dot(normal, offset), normal, point_a, point_b)
    return math.both(apart, inside), found
