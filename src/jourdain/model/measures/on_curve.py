"""A point against a curve of another body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.measures.measure import FrameField, Measure, require_frame
from jourdain.spatial import check


class OnCurve(Measure):
    """Height [m] of a point above a plane curve ``y = curve(x)``, or ``r = curve(angle)``.

    With `Equal` the point stays on the curve; the force is normal to it. The curve lies in the
    x-y plane of a frame, and z does not matter: it is a surface seen along z. In polar form it is
    the pitch curve of a cam, on which the centre of the roller moves.

    Parameters
    ----------
    point : Frame or Body
        The point.
    frame : Frame or Body
        In whose x-y plane the curve lies.
    curve : function
        Height [m] at x [m]; or radius [m] at the angle [rad] from x towards y, for example a
        `jourdain.Table` with ``outside="repeat"``.
    polar : bool
        Whether the curve is given in polar form.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("slide")
    >>> bead = model.add_body("bead", jd.solid.ball(mass=0.1, radius=0.01))
    >>> parabola = jd.OnCurve(bead, model.world, jd.Polynomial((0.0, 0.0, 0.5)))
    """

    point: FrameField
    frame: FrameField
    curve: Callable[[Any], Any]
    polar: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_place(self)
        if not callable(self.curve):
            raise ModelError(
                f"curve of OnCurve is {check.shown(self.curve)}: give a function of one number, "
                "for example lambda x: 0.5 * x**2."
            )
        if not isinstance(self.polar, bool):
            raise ModelError(f"polar of OnCurve is {check.shown(self.polar)}: give True or False.")

    def value(self, at: Any) -> Any:
        """Height above the curve."""
        r = at.relative(self.point, self.frame)[1]
        if self.polar:
            radius = math.sqrt(r[0] * r[0] + r[1] * r[1])
            return radius - self.curve(math.atan2(r[1], r[0]))
        return r[1] - self.curve(r[0])


def check_place(measure: Any) -> None:
    """Check the point and the frame of a measure."""
    for name in ("point", "frame"):
        require_frame(getattr(measure, name), f"{type(measure).__name__}: {name}")
