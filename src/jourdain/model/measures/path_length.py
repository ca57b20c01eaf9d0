"""Length of a rope, a belt or a muscle."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.joints.axis import frame_about
from jourdain.model.measures.measure import FrameOrNoneField, FramesField, Measure, require_frame
from jourdain.spatial import check
from jourdain.spatial.annotations import AxisField, NumberField, preset


class PathLength(Measure):
    """Length [m] of a line through points, or from one point to another over a cylinder.

    Over a cylinder the line is as short as it can be on its side of it: straight to a tangent
    point, on a helix, and straight on. It glides without friction. Both points lie outside the
    cylinder. A rope stays on its pulley and turns by less than a whole turn; a line that ``lifts``
    is straight where the cylinder is not in the way, as a muscle over a bone is. Longer paths are
    sums, ``PathLength((a, b)) + PathLength((b, c), …)``.

    Parameters
    ----------
    points : tuple of Frame or Body
        Points in their order: two or more; exactly two with a cylinder.
    over : Frame or Body, optional
        A point of the axis of the cylinder, with axes.
    radius : float [m]
        Radius of the cylinder.
    axis : str or (3,) [1]
        Direction of the cylinder in the axes of ``over``. Seen with this axis towards the eye, the
        line runs counter-clockwise about the cylinder.
    lifts : bool
        Whether the line may leave the cylinder. The points then have to be less than three
        quarters of a turn apart, seen from the axis.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("hoist")
    >>> load = model.add_body("load", jd.solid.ball(mass=10.0, radius=0.1))
    >>> drum = model.world.at(0, 0, 2.0)
    >>> rope = jd.PathLength((load, model.world.at(1.0, 0, 0)), over=drum, radius=0.2, axis="y")
    """

    points: FramesField
    over: FrameOrNoneField = preset(default=None)
    radius: NumberField = preset(default=0.0)
    axis: AxisField = preset(default="z")
    lifts: bool = False

    def __post_init__(self) -> None:
        given = tuple(self.points) if isinstance(self.points, list | tuple) else (self.points,)
        object.__setattr__(self, "points", given)
        super().__post_init__()
        for k, point in enumerate(self.points, 1):
            require_frame(point, f"PathLength: point {k}")
        if len(self.points) < 2 or (self.over is not None and len(self.points) > 2):
            wanted = "two or more" if self.over is None else "two, before and after the cylinder"
            raise ModelError(f"PathLength has {len(self.points)} points: give {wanted}.")
        is_wrapped = self.over is not None
        if is_wrapped:
            require_frame(self.over, "PathLength: over")
        radius = check.number(self.radius, "radius of PathLength", positive=is_wrapped, unit="m")
        if not is_wrapped and radius != 0.0:
            raise ModelError("PathLength has a radius but no cylinder: give its frame as over.")
        object.__setattr__(self, "radius", radius)
        object.__setattr__(self, "axis", check.unit_axis(self.axis, "axis of PathLength"))
        if not isinstance(self.lifts, bool):
            raise ModelError(
                f"lifts of PathLength is {check.shown(self.lifts)}: give True or False."
            )

    def value(self, at: Any) -> Any:
        """Sum of the straight parts, or length over the cylinder."""
        if self.over is not None:
            turn = frame_about(self.axis).T
            p, q = (turn @ at.relative(point, self.over)[1] for point in self.points)
            return wrapped_length(p, q, self.radius, lifts=self.lifts)
        places = [at.pose(point)[1] for point in self.points]
        return sum(math.norm(b - a) for a, b in pairwise(places))


def wrapped_length(p: Any, q: Any, radius: Any, *, lifts: bool) -> Any:
    """Shortest length [m] from p to q counter-clockwise about a cylinder along z."""
    straight = [
        math.sqrt(point[0] * point[0] + point[1] * point[1] - radius * radius) for point in (p, q)
    ]
    a, b = _tangent(p, radius, straight[0]), _tangent(q, radius, -straight[1])
    rise = q[2] - p[2]
    if not lifts:
        wrap = math.pi + math.atan2(a[1] * b[0] - a[0] * b[1], -a[0] * b[0] - a[1] * b[1])
        across = straight[0] + straight[1] + radius * wrap
        return math.sqrt(across * across + rise * rise)
    cosine, sine = p[0] * q[0] + p[1] * q[1], p[0] * q[1] - p[1] * q[0]
    between = 0.5 * math.pi + math.atan2(-cosine, sine)  # from −π/2 to 3π/2
    wrap = between - sum(math.atan2(part, radius) for part in straight)
    across = straight[0] + straight[1] + radius * wrap
    return math.where(wrap > 0.0, math.sqrt(across * across + rise * rise), math.norm(q - p))


def _tangent(point: Any, radius: Any, straight: Any) -> tuple[Any, Any]:
    """Direction from the axis to the tangent point, times the squared distance of the point."""
    x, y = point[0], point[1]
    return radius * x - straight * y, radius * y + straight * x
