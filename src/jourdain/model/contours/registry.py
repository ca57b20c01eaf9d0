"""Every built-in contour, for tests that must hold for all of them."""

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
from jourdain.model.contours.point import Point
from jourdain.model.contours.polygon import Polygon
from jourdain.model.contours.polyhedron import Polyhedron
from jourdain.model.contours.sphere import Sphere
from jourdain.model.contours.surface import Surface
from jourdain.model.elements import Frame

PYRAMID = ((0.3, 0.2, 0), (-0.3, 0.2, 0), (-0.3, -0.2, 0), (0.3, -0.2, 0), (0.1, 0.0, 0.4))


def ellipse(s: Any) -> Any:
    """Point [m] of an ellipse with the semi-axes 0.4 m and 0.2 m."""
    return math.vector(0.4 * math.cos(s), 0.2 * math.sin(s), 0.0)


def ellipsoid(u: Any, v: Any) -> Any:
    """Point [m] of an ellipsoid with the semi-axes 0.4 m, 0.3 m and 0.2 m."""
    across = math.cos(v)
    return math.vector(0.4 * math.cos(u) * across, 0.3 * math.sin(u) * across, 0.2 * math.sin(v))


def all_contours(frame: Frame) -> tuple[Contour, ...]:
    """Representative instances of every built-in contour; a new one adds one line."""
    return (
        Point(frame),
        Sphere(frame, 0.3),
        HalfSpace(frame),
        HalfSpace(frame, (0.6, 0.0, 0.8)),
        Capsule(frame, 0.1, 0.5, "x"),
        Cylinder(frame, 0.2, 0.5),
        Cylinder(frame, 0.3, 0.2, (0.0, 0.6, 0.8), rim_points=0),
        Box(frame, (0.3, 0.4, 0.6)),
        Disc(frame, 0.25, "y", rim_points=3),
        Circle(frame, 0.3),
        Polygon(frame, ((-0.2, -0.2), (0.3, -0.1), (0.25, 0.2), (-0.1, 0.3))),
        Polyhedron(frame, ((0, 0, 0.4), (0.3, 0, -0.2), (-0.2, 0.3, -0.1), (-0.2, -0.2, -0.2))),
        Polyhedron(frame, PYRAMID, ((0, 1, 2, 3), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4))),
        Curve(frame, ellipse, (0.0, 2.0 * math.pi)),
        Surface(frame, ellipsoid, ((0.0, 2.0 * math.pi), (-1.2, 1.2))),
    )
