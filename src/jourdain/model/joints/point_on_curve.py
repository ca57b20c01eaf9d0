"""Point on a curve: the child origin runs on a given line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.joints.joint import Joint
from jourdain.model.joints.product import numbered
from jourdain.model.joints.spherical import Spherical


class PointOnCurve(Joint):
    """Bead on a wire: the child origin moves on a curve fixed in the parent.

    The bead turns as another kind allows: freely by default, not at all with ``Fixed()``, in the
    plane of the curve with ``Revolute("z")``. The orientation is relative to the parent axes; it
    does not follow the tangent.

    ===============  =====  =================  =======
    coordinate       unit   velocity           unit
    ===============  =====  =================  =======
    parameter        unit   parameter_rate     unit/s
    of orientation          of orientation
    ===============  =====  =================  =======

    Parameters
    ----------
    curve : function of the parameter
        Returns the point (3,) [m] in the parent frame. Write it with `jourdain.math`; its
        derivative must not vanish.
    orientation : Joint
        How the child turns: a kind without translations.
    unit : str
        Unit of the parameter: ``"m"`` for an arc length, ``"rad"`` for an angle.

    Examples
    --------
    >>> import jourdain as jd
    >>> wire = jd.PointOnCurve(lambda s: (s, 0.0, s**2), jd.Fixed())
    >>> R, r = wire.pose([0.5], 0.0)
    >>> r
    array([0.5 , 0.  , 0.25])
    """

    curve: Callable[[Any], Any]
    orientation: Joint = Spherical()
    unit: str = "1"

    def __post_init__(self) -> None:
        if not callable(self.curve):
            raise ModelError(
                f"curve of PointOnCurve is {self.curve!r}, which is no function. Give a function "
                "of the parameter that returns a point [m], for example lambda s: (s, 0, s**2)."
            )
        check_turning(self.orientation, "orientation of PointOnCurve")

    @property
    def coordinates(self) -> Mapping[str, str]:
        """Parameter of the curve, then the coordinates of the orientation."""
        return numbered([{"parameter": self.unit}, self.orientation.coordinates])

    @property
    def velocities(self) -> Mapping[str, str]:
        """Rate of the parameter, then the velocities of the orientation."""
        unit = "1/s" if self.unit == "1" else f"{self.unit}/s"
        return numbered([{"parameter_rate": unit}, self.orientation.velocities])

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Point of the curve, rotation of the orientation kind."""
        R, _ = self.orientation.pose(q[1:], t)
        return R, math.vector(self.curve(q[0]))

    def rates(self, q: Any) -> Any:
        """Identity for the parameter, the rates of the orientation kind after it."""
        turning = self.orientation.rates(q[1:])
        return None if turning is None else math.block_diagonal(np.eye(1), turning)

    def start(self) -> tuple[float, ...]:
        """Parameter zero, orientation in its reference position."""
        return (0.0, *self.orientation.start())


def check_turning(orientation: Any, what: str) -> None:
    """Raise unless ``orientation`` is a joint kind that only turns."""
    if not isinstance(orientation, Joint):
        raise ModelError(
            f"{what} is {orientation!r}, which is no joint kind. "
            "Give for example Spherical(), Fixed() or Revolute('z')."
        )
    moving = [name for name, unit in orientation.coordinates.items() if unit == "m"]
    if moving:
        raise ModelError(
            f"{what} is {orientation!r}, which also moves its child ({', '.join(moving)} in m). "
            "Take a kind that only turns: Spherical(), Fixed() or Revolute('z')."
        )
