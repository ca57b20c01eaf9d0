"""Two directions across a normal."""

from __future__ import annotations

from typing import Any

from jourdain import math


def tangents(normal: Any) -> tuple[Any, Any]:
    """Two unit vectors that make a right-handed triple with a unit vector: t₁ × t₂ = n.

    They turn with the normal without a jump except where its z component changes sign. For the
    normal z they are x and y.
    """
    n = math.vector(normal)
    s = math.where(n[2] < 0.0, -1.0, 1.0)
    k = -1.0 / (s + n[2])
    xy = n[0] * n[1] * k
    first = math.vector(1.0 + s * n[0] * n[0] * k, s * xy, -s * n[0])
    return first, math.vector(xy, s + n[1] * n[1] * k, -n[1])
