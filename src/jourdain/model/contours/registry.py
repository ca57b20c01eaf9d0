"""Every built-in contour, for tests that must hold for all of them."""

from __future__ import annotations

from jourdain.model.contours.contour import Contour
from jourdain.model.contours.half_space import HalfSpace
from jourdain.model.contours.point import Point
from jourdain.model.contours.sphere import Sphere
from jourdain.model.elements import Frame


def all_contours(frame: Frame) -> tuple[Contour, ...]:
    """Representative instances of every built-in contour; a new one adds one line."""
    return (
        Point(frame),
        Sphere(frame, 0.3),
        HalfSpace(frame),
        HalfSpace(frame, (0.6, 0.0, 0.8)),
    )
