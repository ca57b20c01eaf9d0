"""Contours: outlines of bodies where they can touch; each in a file of its own."""

from jourdain.model.contours.box import Box
from jourdain.model.contours.capsule import Capsule
from jourdain.model.contours.circle import Circle
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.curve import Curve
from jourdain.model.contours.cylinder import Cylinder
from jourdain.model.contours.disc import Disc
from jourdain.model.contours.half_space import HalfSpace
from jourdain.model.contours.pairs import ContactPoint, tangents
from jourdain.model.contours.point import Point
from jourdain.model.contours.polygon import Polygon
from jourdain.model.contours.polyhedron import Polyhedron
from jourdain.model.contours.registry import all_contours
from jourdain.model.contours.sphere import Sphere
from jourdain.model.contours.surface import Surface

__all__ = [
    "Box",
    "Capsule",
    "Circle",
    "ContactPoint",
    "Contour",
    "Curve",
    "Cylinder",
    "Disc",
    "HalfSpace",
    "Point",
    "Polygon",
    "Polyhedron",
    "Sphere",
    "Surface",
    "all_contours",
    "tangents",
]
