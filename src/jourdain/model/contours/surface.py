"""A surface by a function of two parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.curve import interval, require_function
from jourdain.model.contours.geometry.nearest import furthest, nearest
from jourdain.spatial import check
from jourdain.spatial.annotations import Number, Takes


class Surface(Contour):
    """Smooth convex outline as a function of two parameters.

    It touches planes, points, spheres and other surfaces where the best of a number of samples and
    Newton's method lead to. The contact parameters of two surfaces are states of a simulation,
    ``contact.contact_1`` to ``contact.contact_4``: they are looked for at the start only, and
    follow the motion from there. Contact of two surfaces must stay away from poles, where one
    parameter moves nothing; planes, points and spheres may come over poles at ends of the span, if
    the other parameter goes round once in its own.
    Points and spheres may also touch a hollow one, such as a bowl, if they are bent more than it
    is.

    Parameters
    ----------
    frame : Frame or Body
        Axes in which the points are given.
    function : function of two numbers
        Point (3,) [m] of the surface. The tangents along the first and the second parameter and
        the outward normal are a right-handed triple.
    span : ((2,), (2,))
        Parameters between which contact is looked for.
    """

    function: Callable[[Any, Any], Any]
    span: Takes[Sequence[Sequence[Number]], Any]

    def __post_init__(self) -> None:
        super().__post_init__()
        example = "lambda u, v: (jd.cos(u), jd.sin(u), v)"
        require_function(self.function, "Surface", example)
        if not isinstance(self.span, list | tuple) or len(self.span) != 2:
            raise ModelError(
                f"span of Surface is {check.shown(self.span)}: give an interval for each of the "
                "two parameters, such as ((0.0, 6.28), (-1.0, 1.0))."
            )
        names = ("first", "second")
        spans = (interval(s, f"{n} span of Surface") for s, n in zip(self.span, names, strict=True))
        object.__setattr__(self, "span", tuple(spans))

    @property
    def n_extremes(self) -> int:
        """One point."""
        return 1

    def extremes(self, direction: Any) -> tuple[Any, ...]:
        """The furthest point."""
        return (furthest(self.function, self.span, direction).point,)

    def surface(self, p: Any) -> tuple[Any, Any]:
        """Distance from the nearest point."""
        found = nearest(self.function, self.span, p)
        across = math.cross(found.tangents[:, 0], found.tangents[:, 1])
        normal = across / math.norm(across)
        return math.dot(normal, p - found.point), normal
