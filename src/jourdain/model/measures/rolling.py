"""Rolling: how fast two bodies slip where they touch."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.elements import Frame
from jourdain.model.measures.measure import FrameField, Measure, require_frame
from jourdain.spatial import check
from jourdain.spatial.annotations import AxisOrNoneField, NumberField, NumberOrNoneField, preset
from jourdain.spatial.parameter import nominal


class DiscHeight(Measure):
    """Height [m] of the lowest point of a thin disc, or of a ball, above a plane.

    With `Equal` the disc stays on the plane; it may tilt.

    Parameters
    ----------
    wheel : Frame or Body
        Centre of the disc, with its axes.
    plane : Frame or Body
        Plane: x and y of this frame, with z outwards.
    radius : float [m]
        Radius.
    axis : str or (3,) [1], optional
        Axis of the disc in the axes of ``wheel``; None for a ball.
    """

    wheel: FrameField
    plane: FrameField
    radius: NumberField
    axis: AxisOrNoneField = preset(default="y")

    def __post_init__(self) -> None:
        super().__post_init__()
        _check(self, "plane")

    def value(self, at: Any) -> Any:
        """Height of the centre less the reach of the disc."""
        return at.relative(self.wheel, self.plane)[1][2] - self.radius * _steepness(self, at)[1]


class Rolling(Measure):
    """Velocity [m/s] with which a wheel slips on a plane, or on another wheel.

    With `Equal` the wheel rolls. On a plane there are two components, along x and y of the plane,
    which no position has as rate: a nonholonomic constraint. The contact itself is another
    connection, see `DiscHeight`. On another wheel there is one component, along the tangent;
    both are on parallel axes whose distance is held by the rest of the machine.

    Parameters
    ----------
    wheel : Frame or Body
        Centre of the wheel, with its axes.
    on : Frame or Body
        Plane: x and y of this frame, with z outwards. Or centre of the other wheel.
    radius : float [m]
        Radius of the wheel.
    on_radius : float [m], optional
        Radius of the other wheel, negative for a ring around the first; without it, a plane.
    axis : str or (3,) [1], optional
        Axis of the wheel in the axes of ``wheel``; None for a ball on a plane.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("coin")
    >>> coin = model.add_body("coin", jd.solid.cylinder(mass=0.01, radius=0.01, length=0.002))
    >>> no_slip = jd.Rolling(coin, model.world, radius=0.01, axis="z")
    >>> no_slip.size
    2
    """

    wheel: FrameField
    on: FrameField
    radius: NumberField
    on_radius: NumberOrNoneField = preset(default=None)
    axis: AxisOrNoneField = preset(default="y")

    def __post_init__(self) -> None:
        super().__post_init__()
        _check(self, "on")
        if self.on_radius is None:
            return
        other = check.number(self.on_radius, "on_radius of Rolling")
        object.__setattr__(self, "on_radius", other)
        if self.axis is None:
            raise ModelError("Rolling of a ball on a wheel is not known: give the axis of a wheel.")
        if nominal(self.radius) + nominal(other) == 0.0:
            raise ModelError(
                f"Rolling has the radius {self.radius} m in a ring of the same radius: "
                "they touch everywhere. Give the ring a larger one."
            )

    @property
    def size(self) -> int:  # type: ignore[override]
        """Number of components: two on a plane, one on a wheel."""
        return 2 if self.on_radius is None else 1

    def rate(self, at: Any) -> Any:
        """Velocity of the wheel relative to the other body where they touch."""
        R, p = at.pose(self.wheel)
        R_on, p_on = at.pose(self.on)
        if self.on_radius is None:
            contact = p - self.radius * _steepness(self, at)[0]
        else:
            contact = p + self.radius / (self.radius + self.on_radius) * (p_on - p)
        slip = _velocity(at, self.wheel, contact) - _velocity(at, self.on, contact)
        if self.on_radius is None:
            along = R_on.T @ slip
            return math.vector(along[0], along[1])
        tangent = math.cross(R @ math.axis_vector(self.axis), p_on - p)
        return math.dot(tangent, slip) / math.norm(tangent)


def _velocity(at: Any, frame: Frame, place: Any) -> Any:
    """Velocity of the point of a body that is at a place."""
    w, v = at.twist(frame)
    return v + math.cross(w, place - at.pose(frame)[1])


def _steepness(measure: Any, at: Any) -> tuple[Any, Any]:
    """Direction in the disc, in world axes, that goes up from the plane most; and how much."""
    plane = measure.plane if isinstance(measure, DiscHeight) else measure.on
    normal = at.pose(plane)[0][:, 2]
    if measure.axis is None:
        return normal, 1.0
    axis = at.pose(measure.wheel)[0] @ math.axis_vector(measure.axis)
    up = normal - math.dot(normal, axis) * axis
    return up / math.norm(up), math.norm(up)


def _check(measure: Any, other: str) -> None:
    word = type(measure).__name__
    for name in ("wheel", other):
        require_frame(getattr(measure, name), f"{word}: {name}")
    radius = check.number(measure.radius, f"radius of {word}", positive=True, unit="m")
    object.__setattr__(measure, "radius", radius)
    if measure.axis is not None:
        axis = check.unit_axis(measure.axis, f"axis of {word}")
        object.__setattr__(measure, "axis", axis)
