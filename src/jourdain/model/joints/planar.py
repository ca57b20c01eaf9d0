"""Planar joint: motion in a plane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jourdain import math
from jourdain.model.joints.axis import frame_about
from jourdain.model.joints.joint import Joint
from jourdain.spatial import check
from jourdain.spatial.annotations import AxisField, preset


class Planar(Joint):
    """Body on a table: the child slides in a plane and turns about its normal.

    The positions are components along two axes **of the parent** in the plane; the angle counts
    by the right-hand rule about the normal. The in-plane axes follow the normal in the cycle
    x, y, z, so that first, second and normal are right-handed::

        normal "z"            normal "x"            normal "y"
         y                     z                     x
         |  o child            |  o child            |  o child
         | /angle              | /angle              | /angle
         +------ x             +------ y             +------ z

    =============  =====  =============  =======
    coordinate     unit   velocity       unit
    =============  =====  =============  =======
    position.x     m      velocity.x     m/s
    position.y     m      velocity.y     m/s
    angle          rad    rate           rad/s
    =============  =====  =============  =======

    With another letter as normal the components carry the letters of the sketch. With a vector
    as normal they are ``position_1`` and ``position_2``, along the x and y axes carried over by
    the shortest rotation from z to the normal (for a normal below the x-y plane: after half a
    turn about x).

    Parameters
    ----------
    normal : str or (3,) [1]
        ``"x"``, ``"y"``, ``"z"``, the same with a minus sign, or a unit vector.

    Examples
    --------
    >>> import jourdain as jd
    >>> list(jd.Planar("y").coordinates)
    ['position.z', 'position.x', 'angle']
    """

    normal: AxisField = preset(default="z")

    def __post_init__(self) -> None:
        object.__setattr__(self, "normal", check.unit_axis(self.normal, "normal of Planar"))

    @property
    def coordinates(self) -> Mapping[str, str]:
        """Two components of the position and the angle."""
        names = {"x": (".y", ".z"), "y": (".z", ".x"), "z": (".x", ".y")}
        first, second = names.get(str(self.normal), ("_1", "_2"))
        return {f"position{first}": "m", f"position{second}": "m", "angle": "rad"}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Translation in the plane, rotation about its normal."""
        A = frame_about(self.normal)
        return math.rotation(self.normal, q[2]), q[0] * A[:, 0] + q[1] * A[:, 1]

    def canonical(self) -> tuple[Joint, Any]:
        """Motion in the x-y plane of turned frames."""
        return (self, None) if self.normal == "z" else (Planar("z"), frame_about(self.normal))
