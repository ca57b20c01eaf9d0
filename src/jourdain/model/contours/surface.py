"""A surface by a function of two parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jourdain.errors import ModelError
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.curve import interval, require_function
from jourdain.spatial import check


class Surface(Contour):
    """Smooth convex outline as a function of two parameters.

    Where it touches is followed by its parameters; see `jourdain.equations.contact_parameters`.
    Contact must stay away from poles, where the two tangents have one direction.

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
    span: Any

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
