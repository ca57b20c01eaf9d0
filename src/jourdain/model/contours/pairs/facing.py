"""Corners of one body over the face of another one that looks at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jourdain import math
from jourdain.model.contours.pairs.pair import ContactPoint, Pose

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


def corner(face: Face, separation: Any, p: Any, outside: tuple[Any, Any], at: Pose) -> ContactPoint:
    """A corner of another body against a contour at a pose.

    Bodies apart: the distance of the corner. Bodies that touch or overlap: its height over the
    face that looks at the other body, and no contact to the side of it. The nearest face may be
    another one there, from which the corner must not be pushed away.

    Parameters
    ----------
    face : Face
        Face of the contour that looks at the other body.
    separation : float [m]
        Width of the widest slab between the bodies.
    p : (3,) [m]
        Corner in the axes of the contour.
    outside : (float, (3,))
        Distance and normal of a corner that lies outside of the contour.
    at : Pose
        Pose of the contour.
    """
    is_near = separation < face.margin
    gap = math.where(is_near, math.dot(face.normal, p - face.middle), outside[0])
    room = math.where(is_near, face.margin - face.beyond(p), 0.0)
    normal = at[0] @ math.where(is_near, face.normal, outside[1])
    point = at[1] + at[0] @ p
    return ContactPoint(gap, normal, point - gap * normal, point).only_if(room >= 0.0)
