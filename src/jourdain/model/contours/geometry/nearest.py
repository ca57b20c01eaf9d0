"""Points of outlines by functions: best sample, then Newton's method, without deciding in Python.

Near the poles of a surface steps are those of other parameters, which have none there (`poles`).

The last two steps from converged parameters make first and second derivatives of what follows
exact: the error of a Newton step and of its derivatives is quadratic in the error before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from jourdain import math
from jourdain.model.contours.geometry.choice import greatest
from jourdain.model.contours.geometry.poles import is_near_one, poles_of

SAMPLES = {1: 32, 2: 12}
"""Number of samples of each parameter, by number of parameters."""
STEPS = 6


@dataclass(frozen=True)
class Place:
    """An outline at parameters c: point, tangents (3, n), and their derivatives."""

    c: Any
    point: Any
    tangents: Any
    seconds: list[Any]

    def along(self, direction: Any, is_at_pole: Any = False) -> tuple[Any, Any]:
        """Derivatives of ``direction · point`` by the parameters, and second ones.

        At poles second ones count along the normal only, which is all of them at the point that is
        looked for, and does not depend on the parameters elsewhere.
        """
        n = range(len(self.seconds))
        slope = [math.dot(direction, self.tangents[:, k]) for k in n]
        if len(slope) > 1:
            across = math.cross(self.tangents[:, 0], self.tangents[:, 1])
            normal = across / math.norm(across)
            direction = math.where(is_at_pole, math.dot(direction, normal) * normal, direction)
        return slope, [[math.dot(direction, self.seconds[k][:, j]) for j in n] for k in n]


def place(function: Callable[..., Any], c: Any) -> Place:
    """Outline at parameters."""
    return Place(c, *math.derivatives(function, *[c[k] for k in range(_count(c))]))


def furthest(function: Callable[..., Any], spans: Any, direction: Any) -> Place:
    """Point of an outline that is furthest along a direction."""
    samples = [(math.dot(direction, x), c) for c, x in sampled(function, spans)]

    def step(at: Place, is_at_pole: Any) -> Any:
        return solved(*at.along(direction, is_at_pole))

    return followed(function, spans, greatest(samples)[1], step)


def nearest(function: Callable[..., Any], spans: Any, p: Any) -> Place:
    """Point of an outline that is nearest to a point."""
    samples = [(-math.dot(p - x, p - x), c) for c, x in sampled(function, spans)]

    def step(at: Place, is_at_pole: Any) -> Any:
        slope, second = at.along(p - at.point, is_at_pole)
        T, n = at.tangents, range(len(slope))
        curved = [[second[k][j] - math.dot(T[:, k], T[:, j]) for j in n] for k in n]
        return solved(slope, curved)

    return followed(function, spans, greatest(samples)[1], step)


def followed(function: Any, spans: Any, c: Any, step: Callable[[Place, Any], Any]) -> Place:
    """Newton's method from a sample; no step is longer than the distance of two samples."""
    longest = np.array([(end - start) / SAMPLES[len(spans)] for start, end in spans])
    poles = poles_of(function, spans)
    for _ in range(STEPS):
        is_at_pole = is_near_one(poles, c)
        way = math.vector(step(place(function, c), is_at_pole))
        new = c - math.clip(way, -longest, longest)
        for pole in poles:
            new = math.where(pole.is_near(c), pole.moved(c, way, longest[pole.number]), new)
        c = new
    return place(function, c)


def sampled(function: Callable[..., Any], spans: Any, n: int = 0) -> list[tuple[Any, Any]]:
    """Parameters and points of an outline all over its spans, n of each parameter."""
    n = n or SAMPLES[len(spans)]
    lines = (start + (end - start) * (np.arange(n) + 0.5) / n for start, end in spans)
    return [(np.array(c), math.vector(function(*c))) for c in product(*lines)]


def solved(rhs: Any, matrix: Any) -> Any:
    """Solution of one or two linear equations."""
    if len(rhs) == 1:
        return [rhs[0] / matrix[0][0]]
    (a, b), (c, d) = matrix
    D = a * d - b * c
    return [(d * rhs[0] - b * rhs[1]) / D, (a * rhs[1] - c * rhs[0]) / D]


def _count(c: Any) -> int:
    return int(np.prod(c.shape))
