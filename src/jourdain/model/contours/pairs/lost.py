"""Contact points of smooth outlines that Newton's method does not find."""

from __future__ import annotations

from functools import reduce
from typing import Any

from jourdain import math
from jourdain.model.contours.pairs.pair import OUT_OF_REACH

FOUND = 1e-6
"""Largest cosine between the normal and a tangent, and part of the offset across, of a point."""
DEEP = 0.1
"""Overlap, in parts of the smaller body, that needs no contact point: it cannot be."""


def gap_where_found(gap: Any, height: Any, size: Any, is_found: Any) -> Any:
    """Gap of a contact point, or what a sampled height tells where Newton's method lost it.

    Bodies apart are out of reach, bodies deep in each other overlap; else it is not a number.
    """
    apart = math.where(height > 0.0, OUT_OF_REACH, float("nan"))
    return math.where(is_found, gap, math.where(height < -DEEP * size, -DEEP * size, apart))


def is_contact_point(normal: Any, offset: Any, tangents: Any) -> Any:
    """Tell whether offset and tangents of the second outline fit the normal of the first."""
    across = offset - math.dot(normal, offset) * normal
    errors = [math.norm(across) / math.maximum(math.norm(offset), 1e-3)]
    for k in range(tangents.shape[1]):
        tangent = tangents[:, k]
        errors.append(math.absolute(math.dot(normal, tangent)) / math.norm(tangent))
    return reduce(math.maximum, errors) < FOUND
