"""Contours: outlines of bodies where they can touch; each in a file of its own."""

from jourdain.model.contours.contour import Contour
from jourdain.model.contours.half_space import HalfSpace
from jourdain.model.contours.pairs import ContactPoint, tangents
from jourdain.model.contours.point import Point
from jourdain.model.contours.registry import all_contours
from jourdain.model.contours.sphere import Sphere

__all__ = [
    "ContactPoint",
    "Contour",
    "HalfSpace",
    "Point",
    "Sphere",
    "all_contours",
    "tangents",
]
