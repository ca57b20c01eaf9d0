"""A curve in the plane of motion, by a function: cams, tooth flanks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.geometry.nearest import furthest, nearest, sampled
from jourdain.spatial import check
from jourdain.spatial.annotations import AxisField, SpanField, preset

FLAT = 1e-9
"""Part of the size of a curve that it may run along its axis."""


class Curve(Contour):
    """Smooth convex outline of a planar problem as a function of one parameter.

    It touches where the best of a number of samples and Newton's method lead to. The parameters can
    be followed as well: see `equations.contact.contact_parameters`. Points and circles may also
    touch a hollow one, such as a track, if they are bent more than it is.

    Parameters
    ----------
    frame : Frame or Body
        Axes in which the points are given.
    function : function of one number
        Point (3,) [m] of the curve. With growing parameter it runs to the left round the axis, so
        that the solid lies to its left.
    span : (2,)
        Parameters between which contact is looked for; a closed curve comes round once.
    axis : "x", "y", "z", "-x", ... or unit vector
        Normal of the plane in the axes of the frame.

    Examples
    --------
    >>> from jourdain import math
    >>> from jourdain.model import Model
    >>> from jourdain.model.contours import Curve
    >>> def ellipse(s):
    ...     return math.vector(0.3 * math.cos(s), 0.2 * math.sin(s), 0.0)
    >>> cam = Curve(Model("empty").world, ellipse, (0.0, 2.0 * math.pi))
    """

    function: Callable[[Any], Any]
    span: SpanField
    axis: AxisField = preset(default="z")

    def __post_init__(self) -> None:
        super().__post_init__()
        require_function(self.function, "Curve", "lambda s: (jd.cos(s), jd.sin(s), 0)")
        object.__setattr__(self, "span", interval(self.span, "span of Curve"))
        object.__setattr__(self, "axis", check.unit_axis(self.axis, "axis of Curve"))

    @property
    def n_extremes(self) -> int:
        """One point."""
        return 1

    def extremes(self, direction: Any) -> tuple[Any, ...]:
        """The furthest point; within the plane of the curve."""
        return (furthest(self.function, (self.span,), direction).point,)

    def surface(self, p: Any) -> tuple[Any, Any]:
        """Distance in the plane from the nearest point."""
        self.require_plane()
        axis = math.axis_vector(self.axis)
        found = nearest(self.function, (self.span,), p - math.dot(axis, p) * axis)
        across = math.cross(found.tangents[:, 0], axis)
        normal = across / math.norm(across)
        return math.dot(normal, p - found.point), normal

    def require_plane(self) -> None:
        """Refuse a curve that runs along its axis: it would have no normal in the plane.

        Raises
        ------
        ModelError
            If points of it are not in one plane normal to the axis.
        """
        points = np.array([x for _, x in sampled(self.function, (self.span,))], dtype=float)
        along = points @ np.array(math.axis_vector(self.axis), dtype=float)
        if np.ptp(along) > FLAT * np.ptp(points, axis=0).max():
            thin = "xyz"[int(np.argmin(np.ptp(points, axis=0)))]
            raise ModelError(
                f"Curve runs {np.ptp(along):.3g} m along its axis {self.axis!r}: it must lie in "
                f"a plane normal to it. Change the function, or give axis={thin!r}."
            )


def require_function(value: Any, kind: str, example: str) -> None:
    """Refuse what cannot be called."""
    if not callable(value) or isinstance(value, type):
        raise ModelError(
            f"function of {kind} is {check.shown(value)}: give a function that returns a point, "
            f"such as {example}."
        )


def interval(value: Any, what: str) -> tuple[float, float]:
    """Check the two ends of an interval."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ModelError(f"{what} is {check.shown(value)}: give two numbers, such as (0.0, 6.28).")
    start, end = (check.number(x, f"an end of {what}") for x in value)
    if not start < end:
        raise ModelError(f"{what} goes from {start:g} to {end:g}: the second must be larger.")
    return start, end
