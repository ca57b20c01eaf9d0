"""Half-space against everything that tells its extreme points."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.contours.box import Box
from jourdain.model.contours.capsule import Capsule
from jourdain.model.contours.circle import Circle
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.curve import Curve
from jourdain.model.contours.cylinder import Cylinder
from jourdain.model.contours.disc import Disc
from jourdain.model.contours.half_space import HalfSpace
from jourdain.model.contours.pairs.pair import ContactPoint, Pose, add_pair
from jourdain.model.contours.polygon import Polygon
from jourdain.model.contours.polyhedron import Polyhedron
from jourdain.model.contours.surface import Surface


def points(ground: HalfSpace, other: Contour, at: Pose, at_other: Pose) -> list[ContactPoint]:
    """Heights of the extreme points above the plane."""
    (R, r), (R_b, r_b) = at, at_other
    normal = R @ math.axis_vector(ground.normal)
    found = []
    for p in other.extremes(-(R_b.T @ normal)):
        point = r_b + R_b @ p
        gap = math.dot(normal, point - r)
        found.append(ContactPoint(gap, normal, point - gap * normal, point))
    return found


def count(ground: Any, other: Contour) -> int:
    """As many as the other contour has extreme points."""
    return other.n_extremes


_KINDS: tuple[type, ...] = (
    Capsule, Cylinder, Box, Circle, Disc, Polygon, Polyhedron, Curve, Surface,
)  # fmt: skip

for kind in _KINDS:
    add_pair(HalfSpace, kind, points, count)
