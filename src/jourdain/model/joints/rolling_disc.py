"""Rolling disc: nonholonomic motion on a plane."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.joints.joint import Joint
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField
from jourdain.spatial.parameter import Expression


class RollingDisc(Joint):
    """Coin or wheel: a thin disc rolls without slip on the x-y plane of the parent.

    The child origin is the centre of the disc, its y axis the axle. The orientation is
    ``Rz(heading) Rx(lean) Ry(spin)``; upright at zero lean, and a positive spin rate rolls the
    disc forward, along (cos heading, sin heading). The position is that of the contact point,
    which moves by ``radius * spin_rate`` and cannot move otherwise::

        from the right            from behind

           z                          z
           |   .--.                   |    / disc
           |  ( o  )--> heading       |   o   lean > 0: to the right
        ---+---`--'-------- x    y ---+--/---------
             contact point

    ==========  =====  ============  =======
    coordinate  unit   velocity      unit
    ==========  =====  ============  =======
    position.x  m
    position.y  m
    heading     rad    heading_rate  rad/s
    lean        rad    lean_rate     rad/s
    spin        rad    spin_rate     rad/s
    ==========  =====  ============  =======

    Parameters
    ----------
    radius : float or Parameter [m]
        Radius of the disc, positive.

    Examples
    --------
    >>> import jourdain as jd
    >>> R, r = jd.RollingDisc(0.3).pose([1.0, 2.0, 0.0, 0.0, 0.0], 0.0)
    >>> r
    array([1. , 2. , 0.3])
    """

    radius: NumberField
    coordinates = {
        "position.x": "m",
        "position.y": "m",
        "heading": "rad",
        "lean": "rad",
        "spin": "rad",
    }
    velocities = {"heading_rate": "rad/s", "lean_rate": "rad/s", "spin_rate": "rad/s"}

    def __post_init__(self) -> None:
        if isinstance(self.radius, Expression) or not math.is_symbolic(self.radius):
            radius = check.number(self.radius, "radius of RollingDisc", positive=True, unit="m")
            object.__setattr__(self, "radius", radius)

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Contact point, up the leaning disc by the radius, and the three rotations."""
        leaning = math.rotation_z(q[2]) @ math.rotation_x(q[3])
        centre = math.vector(q[0], q[1], 0) + leaning @ math.vector(0, 0, self.radius)
        return leaning @ math.rotation_y(q[4]), centre

    def rates(self, q: Any) -> Any:
        """Contact point runs forward by the radius times the spin rate."""
        forward = self.radius * math.cos(q[2]), self.radius * math.sin(q[2])
        return math.matrix(
            ((0, 0, forward[0]), (0, 0, forward[1]), (1, 0, 0), (0, 1, 0), (0, 0, 1))
        )
