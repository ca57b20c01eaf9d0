"""Two capsules."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.contours.capsule import Capsule
from jourdain.model.contours.pairs.ball import touch
from jourdain.model.contours.pairs.pair import ContactPoint, Pose, add_pair
from jourdain.model.contours.pairs.segments import crossing


def points(a: Capsule, b: Capsule, at_a: Pose, at_b: Pose) -> list[ContactPoint]:
    """Both ends of each against the other, which carry parallel ones, and the crossing."""
    return [
        *(touch(a, at_a, at_b[1] + at_b[0] @ end, b.radius) for end in b.ends),
        *(touch(b, at_b, at_a[1] + at_a[0] @ end, a.radius).swapped() for end in a.ends),
        _crossed(a, b, at_a, at_b),
    ]


def _crossed(a: Capsule, b: Capsule, at_a: Pose, at_b: Pose) -> ContactPoint:
    valid, lines = crossing(_segment(a, at_a), _segment(b, at_b), None)
    r_a, r_b, n = a.radius, b.radius, lines.normal
    gap, ends = lines.gap - r_a - r_b, (lines.point_a + r_a * n, lines.point_b - r_b * n)
    return ContactPoint(gap, n, *ends).only_if(valid)


def _segment(capsule: Capsule, at: Pose) -> tuple[Any, Any, Any]:
    return at[1], at[0] @ math.axis_vector(capsule.axis), 0.5 * capsule.length


add_pair(Capsule, Capsule, points, 5)
