"""Prismatic joint: one translation."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain import math
from jourdain.model.joints.axis import frame_about
from jourdain.model.joints.joint import Joint
from jourdain.spatial import check
from jourdain.spatial.annotations import AxisField


class Prismatic(Joint):
    """Slider: the child moves along an axis without turning.

    The position counts along the axis, from the parent origin to the child origin::

        parent |------ position > 0 ----->[child]   axis to the right

    ==========  =====  ========  =======
    coordinate  unit   velocity  unit
    ==========  =====  ========  =======
    position    m      velocity  m/s
    ==========  =====  ========  =======

    Parameters
    ----------
    axis : str or (3,) [1]
        ``"x"``, ``"y"``, ``"z"``, the same with a minus sign, or a unit vector.

    Examples
    --------
    >>> import jourdain as jd
    >>> R, r = jd.Prismatic("x").pose([0.25], 0.0)
    >>> r
    array([0.25, 0.  , 0.  ])
    """

    axis: AxisField
    coordinates = {"position": "m"}

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", check.unit_axis(self.axis, "axis of Prismatic"))

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Translation by the position along the axis."""
        return np.eye(3), q[0] * math.axis_vector(self.axis)

    def canonical(self) -> tuple[Joint, Any]:
        """Slider along z in turned frames."""
        return (self, None) if self.axis == "z" else (Prismatic("z"), frame_about(self.axis))
