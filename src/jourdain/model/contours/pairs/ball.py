"""Points and spheres against everything that tells the distance of a point."""

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
from jourdain.model.contours.geometry.direction import direction
from jourdain.model.contours.half_space import HalfSpace
from jourdain.model.contours.pairs.pair import ContactPoint, Pose, add_pair
from jourdain.model.contours.point import Point
from jourdain.model.contours.polygon import Polygon
from jourdain.model.contours.polyhedron import Polyhedron
from jourdain.model.contours.sphere import Sphere
from jourdain.model.contours.surface import Surface


def point(other: Contour, tip: Point, at: Pose, at_tip: Pose) -> list[ContactPoint]:
    """Distance of a point from a contour."""
    return [touch(other, at, at_tip[1], 0.0)]


def sphere(other: Contour, ball: Sphere | Circle, at: Pose, at_ball: Pose) -> list[ContactPoint]:
    """Distance of the centre of a sphere or, in its plane, of a circle, less the radius."""
    return [touch(other, at, at_ball[1], ball.radius)]


def touch(other: Contour, at: Pose, centre: Any, radius: Any) -> ContactPoint:
    """Contact of a contour with a sphere of a centre and a radius."""
    R, r = at
    distance, outward = other.surface(R.T @ (centre - r))
    n = R @ outward
    return ContactPoint(distance - radius, n, centre - distance * n, centre - radius * n)


def spheres(a: Sphere, b: Sphere | Point, at_a: Pose, at_b: Pose) -> list[ContactPoint]:
    """Distance of the centres, less the radii, without a turn of axes."""
    radius = b.radius if isinstance(b, Sphere) else 0.0
    length, n = direction(at_b[1] - at_a[1], math.vector(0.0, 0.0, 1.0))
    ends = at_a[1] + a.radius * n, at_b[1] - radius * n
    return [ContactPoint(length - a.radius - radius, n, *ends)]


_SOLID: tuple[type, ...] = (HalfSpace, Capsule, Cylinder, Box, Polyhedron, Surface)
_PLANAR: tuple[type, ...] = (Circle, Capsule, Box, Polygon, Curve)

for kind in _SOLID:
    add_pair(kind, Point, point)
    add_pair(kind, Sphere, sphere)
for kind in _PLANAR:
    add_pair(kind, Circle, sphere)
add_pair(Disc, Sphere, sphere)
add_pair(Sphere, Sphere, spheres)
add_pair(Sphere, Point, spheres)
for kind in (Circle, Polygon, Curve):
    add_pair(kind, Point, point)
