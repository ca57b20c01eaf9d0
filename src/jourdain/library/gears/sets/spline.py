"""The spline: teeth that join two bodies about one axis, with clearance and friction (4.F54)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.bearings.rolling import hold_frames
from jourdain.model.laws.law import ForceLaw
from jourdain.model.measures.measure import FrameField, Measure
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class ToothPlace(Measure):
    """Place of a tooth of b in its gap of a: along the circumference, and outward [m]."""

    a: FrameField
    b: FrameField
    radius: Any
    angle: float
    size = 2

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the components."""
        return "normal", "sliding"

    def value(self, at: Any) -> Any:
        """Both components, in the axes of the gap."""
        c, s = float(math.cos(self.angle)), float(math.sin(self.angle))
        R, r = at.relative(self.b, self.a)
        x = r + R @ math.vector(self.radius * c, self.radius * s, 0.0)
        return math.vector(c * x[1] - s * x[0], c * x[0] + s * x[1] - self.radius)


class SplineLaw(ForceLaw):
    """Force of one tooth: c dz(g, s) and damping, which never pull, and friction (4.F54, 4.F48)."""

    stiffness: Any
    damping: Any
    clearance: Any
    friction: Any
    slow: Any

    def force(self, x: Any, v: Any, at: Any) -> Any:
        """Normal force, and friction −μ |N| v/√(v² + v_c²)."""
        g, rate = x[0], v[0]
        half = 0.5 * self.clearance
        ahead = math.where(
            g > half, math.maximum(0.0, self.stiffness * (g - half) + self.damping * rate), 0.0
        )
        back = math.where(
            g < -half, math.maximum(0.0, -self.stiffness * (g + half) - self.damping * rate), 0.0
        )
        slide = v[1] / math.sqrt(v[1] * v[1] + self.slow * self.slow)
        return math.vector(back - ahead, -self.friction * (ahead + back) * slide)

    def energy(self, x: Any, at: Any) -> Any:
        """Energy of the deflected tooth."""
        half = 0.5 * self.clearance
        beyond = math.maximum(x[0] - half, 0.0) + math.minimum(x[0] + half, 0.0)
        return 0.5 * self.stiffness * beyond**2


class Spline(Part):
    """Straight teeth around an axis that take b along with a (4.F54).

    Each tooth has play to both sides, and slides in its gap with friction: bodies whose axes part,
    or whose rim bends, feel it. The z-axes of the frames are the axis.

    Parameters
    ----------
    a, b : Frame or Body
        The two bodies.
    teeth : int
        Number of teeth.
    radius : float [m]
        Radius at which they touch.
    stiffness, damping : float [N/m, N s/m]
        Of one tooth.
    clearance : float [m]
        Play of a tooth in its gap, both sides together.
    friction : float
        Coefficient of friction.
    slow : float [m/s]
        Speed below which friction fades away.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import gears
    >>> model = jd.Model("coupling", gravity=(0, 0, 0))
    >>> shaft = model.add_body("shaft", jd.solid.cylinder(mass=1.0, radius=0.03, length=0.1))
    >>> joint = model.add_joint("plane", model.world, shaft, jd.Planar("z"))
    >>> part = gears.Spline(model.world, shaft, 12, 0.03, stiffness=1e7, clearance=2e-5)
    >>> spline = model.add("spline", part)
    >>> push = model.add_connection("push", jd.Coordinate("plane.angle"), jd.Force(90.0))
    >>> rest = jd.equilibrium(model, {"plane.angle": 1e-3})
    >>> f"{1e6 * 0.03 * rest['plane.angle']:.2f} µm"  # half of the play, 90/(12 · 0.03 · 1e7)
    '35.00 µm'
    """

    a: FrameField
    b: FrameField
    teeth: int
    radius: NumberField
    stiffness: NumberField
    damping: NumberField = preset(default=0.0)
    clearance: NumberField = preset(default=0.0)
    friction: NumberField = preset(default=0.0)
    slow: NumberField = preset(default=1e-3)

    def __post_init__(self) -> None:
        hold_frames(self)
        if isinstance(self.teeth, bool) or not isinstance(self.teeth, int) or self.teeth < 2:
            raise ModelError(f"teeth of Spline is {check.shown(self.teeth)}: give 2, 3, 4, …")
        for name in ("radius", "stiffness", "slow"):
            check.number(getattr(self, name), f"{name} of Spline", positive=True)
        for name in ("damping", "clearance", "friction"):
            check.number(getattr(self, name), f"{name} of Spline", nonnegative=True)

    def build(self, group: Group) -> Mapping[str, Any]:
        """One connection for each tooth."""
        law = SplineLaw(self.stiffness, self.damping, self.clearance, self.friction, self.slow)
        places = [
            ToothPlace(self.a, self.b, self.radius, 2.0 * math.pi * k / self.teeth)
            for k in range(self.teeth)
        ]
        group.add_connections("teeth", places, law)
        return {"a": self.a, "b": self.b}

    def results(self, name: str) -> Mapping[str, Result]:
        """Torque, and the number of teeth that carry."""
        names = tuple(f"{name}.teeth.{k}.force.normal" for k in range(self.teeth))
        radius = float(np.asarray(self.radius)) if isinstance(self.radius, float | int) else 1.0
        return {
            "torque": Result(
                "N m", f"torque of {name} on b", names, lambda *x: radius * np.sum(x, axis=0)
            ),
            "carrying": Result(
                "1", f"teeth of {name} that carry", names, lambda *x: np.sum(np.abs(x) > 0, axis=0)
            ),
        }
