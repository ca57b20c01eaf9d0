"""A point against a surface of another body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jourdain.errors import ModelError
from jourdain.model.measures.measure import FrameField, Measure
from jourdain.model.measures.on_curve import check_place
from jourdain.spatial import check


class OnSurface(Measure):
    """Value of a function at a point: zero where the point is on the surface ``F(r) = 0``.

    Several functions at once make curves and points: give the number of them as ``size``.

    Parameters
    ----------
    point : Frame or Body
        The point.
    frame : Frame or Body
        In whose axes the function takes the position r.
    function : function of r (3,) [m]
        Its value, or ``size`` values; its gradient must not vanish on the surface.
    unit : str
        Unit of the value.
    size : int
        Number of values.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("bowl")
    >>> ball = model.add_body("ball", jd.solid.ball(mass=0.1, radius=0.01))
    >>> sphere = jd.OnSurface(ball, model.world, lambda r: jd.norm(r) - 0.5)
    """

    point: FrameField
    frame: FrameField
    function: Callable[[Any], Any]
    unit: str = "m"
    size: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_place(self)
        if not callable(self.function):
            raise ModelError(
                f"function of OnSurface is {check.shown(self.function)}: give a function of the "
                "position, for example lambda r: jd.norm(r) - 0.5."
            )

    def value(self, at: Any) -> Any:
        """Value of the function."""
        return self.function(at.relative(self.point, self.frame)[1])
