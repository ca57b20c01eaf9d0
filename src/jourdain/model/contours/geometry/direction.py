"""Directions of vectors that may vanish."""

from __future__ import annotations

from typing import Any

from jourdain import math


def direction(v: Any, otherwise: Any) -> tuple[Any, Any]:
    """Length of a vector and its unit vector; ``otherwise`` where the length is zero."""
    square = math.dot(v, v)
    some = square > 0.0
    length = math.sqrt(math.where(some, square, 1.0))
    return math.where(some, length, 0.0), math.where(some, v / length, otherwise)


def rim_direction(along: Any, axis: Any, side: Any) -> Any:
    """Unit vector across an axis that goes furthest along a vector; ``side`` if none does."""
    return direction(along - math.dot(along, axis) * axis, side)[1]


def sign(x: Any) -> Any:
    """Minus one for negative numbers, else one."""
    return math.where(x < 0.0, -1.0, 1.0)
