"""Point on a surface: the child origin runs on a given surface."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.joints.joint import Joint
from jourdain.model.joints.point_on_curve import check_turning
from jourdain.model.joints.product import numbered
from jourdain.model.joints.spherical import Spherical


class PointOnSurface(Joint):
    """Ball in a bowl: the child origin moves on a surface fixed in the parent.

    It turns as another kind allows, freely by default. The orientation is relative to the parent
    axes; it does not follow the surface, and nothing rolls.

    ===============  =====  =================  =======
    coordinate       unit   velocity           unit
    ===============  =====  =================  =======
    parameter_1      unit   parameter_rate_1   unit/s
    parameter_2      unit   parameter_rate_2   unit/s
    of orientation          of orientation
    ===============  =====  =================  =======

    Parameters
    ----------
    surface : function of two parameters
        Returns the point (3,) [m] in the parent frame. Write it with `jourdain.math`; its two
        derivatives must not be parallel.
    orientation : Joint
        How the child turns: a kind without translations.
    unit : str
        Unit of the parameters: ``"m"`` for lengths, ``"rad"`` for angles.

    Examples
    --------
    >>> import jourdain as jd
    >>> bowl = jd.PointOnSurface(lambda u, v: (u, v, u**2 + v**2), jd.Fixed(), "m")
    >>> R, r = bowl.pose([0.5, 1.0], 0.0)
    >>> r
    array([0.5 , 1.  , 1.25])
    """

    surface: Callable[[Any, Any], Any]
    orientation: Joint = Spherical()
    unit: str = "1"

    def __post_init__(self) -> None:
        if not callable(self.surface):
            raise ModelError(
                f"surface of PointOnSurface is {self.surface!r}, which is no function. Give a "
                "function of two parameters that returns a point [m], for example "
                "lambda u, v: (u, v, u * v)."
            )
        check_turning(self.orientation, "orientation of PointOnSurface")

    @property
    def coordinates(self) -> Mapping[str, str]:
        """Parameters of the surface, then the coordinates of the orientation."""
        parameters = {"parameter_1": self.unit, "parameter_2": self.unit}
        return numbered([parameters, self.orientation.coordinates])

    @property
    def velocities(self) -> Mapping[str, str]:
        """Rates of the parameters, then the velocities of the orientation."""
        unit = "1/s" if self.unit == "1" else f"{self.unit}/s"
        rates = {"parameter_rate_1": unit, "parameter_rate_2": unit}
        return numbered([rates, self.orientation.velocities])

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Point of the surface, rotation of the orientation kind."""
        R, _ = self.orientation.pose(q[2:], t)
        return R, math.vector(self.surface(q[0], q[1]))

    def rates(self, q: Any) -> Any:
        """Identity for the parameters, the rates of the orientation kind after them."""
        turning = self.orientation.rates(q[2:])
        return None if turning is None else math.block_diagonal(np.eye(2), turning)

    def start(self) -> tuple[float, ...]:
        """Parameters zero, orientation in its reference position."""
        return (0.0, 0.0, *self.orientation.start())
