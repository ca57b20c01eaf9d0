"""The rolling bearing: springs and dampers across the axis and along it, with clearance (5.F19)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain import math
from jourdain.model.elements import Body, Frame
from jourdain.model.laws.damper import Damper
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.spring import Spring
from jourdain.model.measures.measure import FrameField, require_frame
from jourdain.model.measures.relative import Relative
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

_TINY = 1e-12  # [m] the direction of a displacement below this counts as none


class RadialSpring(ForceLaw):
    """Push towards the middle by −c max(0, ρ − s/2) and damping while it touches (5.F19, 4.F52)."""

    stiffness: Any
    damping: Any
    clearance: Any

    def _radius(self, x: Any) -> Any:
        return math.sqrt(math.dot(x, x) + _TINY**2)

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Force on the journal."""
        radius = self._radius(x)
        depth = radius - 0.5 * self.clearance
        direction = x / radius
        approach = math.dot(direction, v)
        push = math.maximum(0.0, self.stiffness * depth + self.damping * approach)
        return -math.where(depth > 0.0, push, 0.0) * direction

    def energy(self, x: Any, at: Any) -> Any:
        """Stored energy."""
        depth = math.maximum(0.0, self._radius(x) - 0.5 * self.clearance)
        return 0.5 * self.stiffness * depth**2

    def dissipation(self, x: Any, v: Any, at: Any) -> Any:
        """Lost power."""
        radius = self._radius(x)
        depth = math.maximum(0.0, radius - 0.5 * self.clearance)
        elastic = self.stiffness * depth * math.dot(x, v) / radius
        return -math.dot(self.force(x, v, at), v) - elastic


class RollingBearing(Part):
    """A rolling bearing between two frames: ζ = c γ + d γ̇ across the axis, and along it (5.F19).

    With a clearance the journal is free inside of it, and is only pushed.

    Parameters
    ----------
    a, b : Frame or Body
        Sleeve and journal; z is the axis.
    stiffness, damping : float [N/m, N s/m]
        Across the axis, alike in all directions.
    clearance : float [m]
        Clearance s as catalogues give it, on the diameter: the journal is free up to s/2.
    axial_stiffness, axial_damping : float [N/m, N s/m]
        Along the axis; zero is free.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import bearings
    >>> model = jd.Model("rotor")
    >>> rotor = model.add_body("rotor", jd.solid.cylinder(2.0, radius=0.05, length=0.1, axis="y"))
    >>> joint = model.add_joint("plane", model.world, rotor, jd.Planar("y"))
    >>> turn = jd.rotation_x(-jd.math.pi / 2)
    >>> ends = model.world.at(rotation=turn), rotor.at(rotation=turn)
    >>> bearing = model.add("bearing", bearings.RollingBearing(*ends, 1e7, 500.0, clearance=2e-5))
    >>> rest = jd.equilibrium(model, {"plane.position.z": -1e-5})
    >>> sorted(f"{1e6 * abs(rest[n]):.2f}" for n in rest if "position" in n)[-1]  # [µm]
    '11.96'
    """

    a: FrameField
    b: FrameField
    stiffness: NumberField
    damping: NumberField = preset(default=0.0)
    clearance: NumberField = preset(default=0.0)
    axial_stiffness: NumberField = preset(default=0.0)
    axial_damping: NumberField = preset(default=0.0)

    def __post_init__(self) -> None:
        hold_frames(self)
        check.number(self.stiffness, "stiffness of RollingBearing", positive=True, unit="N/m")
        for name in ("damping", "clearance", "axial_stiffness", "axial_damping"):
            check.number(getattr(self, name), f"{name} of RollingBearing", nonnegative=True)

    def build(self, group: Group) -> Mapping[str, Any]:
        """Springs and dampers."""
        is_tight = isinstance(self.clearance, float | int) and self.clearance == 0.0
        law = (
            Spring(self.stiffness) + Damper(self.damping)
            if is_tight
            else RadialSpring(self.stiffness, self.damping, self.clearance)
        )
        group.add_connection("radial", Relative(self.a, self.b, "x y"), law)
        if nominal(self.axial_stiffness) > 0.0 or nominal(self.axial_damping) > 0.0:
            axial = Spring(self.axial_stiffness) + Damper(self.axial_damping)
            group.add_connection("axial", Relative(self.a, self.b, "z"), axial)
        return {"a": self.a, "b": self.b}

    def results(self, name: str) -> Mapping[str, Result]:
        """Force and eccentricity."""
        return bearing_results(name, "radial")


def as_frame(value: Any, what: str) -> Frame:
    """Frame of a body, or the frame itself; refuse what is none."""
    made = value.at() if isinstance(value, Body) else value
    require_frame(made, what)
    return made


def hold_frames(part: Any) -> None:
    """Make frames of the bodies that a bearing joins; refuse what is none."""
    for name in ("a", "b"):
        made = as_frame(getattr(part, name), f"{name} of {type(part).__name__}")
        object.__setattr__(part, name, made)


def bearing_results(name: str, own: str) -> dict[str, Result]:
    """Load of a bearing, its direction, and the eccentricity of the journal."""
    force = (f"{name}.{own}.force.x", f"{name}.{own}.force.y")
    place = (f"{name}.{own}.value.x", f"{name}.{own}.value.y")
    return {
        "load": Result("N", f"load that {name} carries", force, np.hypot),
        "load_angle": Result(
            "rad", f"direction of the load of {name}", force, lambda x, y: np.arctan2(-y, -x)
        ),
        "eccentricity": Result("m", f"eccentricity of the journal in {name}", place, np.hypot),
    }
