"""Corners of one body over the face of another one that looks at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jourdain import math
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.pairs.pair import ContactPoint

MARGIN = 1e-6
"""How far faces reach beyond their edges, in parts of their size, so that equal boxes stack."""


@dataclass(frozen=True, slots=True)
class Face:
    """A rectangle, or an edge in a planar problem.

    Parameters
    ----------
    normal : (3,) [1]
        Outward normal.
    middle : (3,) [m]
        Its middle.
    sides : sequence of (unit vector, half length)
        Its extent.
    """

    normal: Any
    middle: Any
    sides: tuple[tuple[Any, Any], ...]

    @property
    def margin(self) -> Any:
        """Distance [m] by which it is taken to reach beyond its edges."""
        return MARGIN * sum(half for _, half in self.sides)

    def beyond(self, p: Any) -> Any:
        """How far a point lies to the side of the face [m]; negative over the face."""
        sides = [math.absolute(math.dot(u, p - self.middle)) - half for u, half in self.sides]
        return sides[0] if len(sides) == 1 else math.maximum(*sides)


def corner(contour: Contour, face: Face, separation: Any, p: Any) -> ContactPoint:
    """A corner p of another body against a contour, in the axes of the contour.

    Bodies apart: the distance of the corner. Bodies that touch or overlap: its height over the
    face that looks at the other body, and no contact to the side of it. The nearest face may be
    another one there, from which the corner must not be pushed away.
    """
    distance, outward = contour.surface(p)
    is_near = separation < face.margin
    gap = math.where(is_near, math.dot(face.normal, p - face.middle), distance)
    normal = math.where(is_near, face.normal, outward)
    room = math.where(is_near, face.margin - face.beyond(p), 0.0)
    return ContactPoint(gap, normal, p - gap * normal, p).only_if(room >= 0.0)


def moved(point: ContactPoint, R: Any, r: Any) -> ContactPoint:
    """Contact point seen from a frame in which its axes have the pose R, r."""
    points = r + R @ point.point_a, r + R @ point.point_b
    return ContactPoint(point.gap, R @ point.normal, *points)
