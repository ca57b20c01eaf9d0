"""Every built-in joint kind, for tests that must hold for all of them."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.model.joints.constant_velocity import ConstantVelocity
from jourdain.model.joints.cylindrical import Cylindrical
from jourdain.model.joints.euler import Euler
from jourdain.model.joints.fixed import Fixed
from jourdain.model.joints.free import Free
from jourdain.model.joints.gimbal import Gimbal
from jourdain.model.joints.joint import Joint
from jourdain.model.joints.planar import Planar
from jourdain.model.joints.point_on_curve import PointOnCurve
from jourdain.model.joints.point_on_surface import PointOnSurface
from jourdain.model.joints.prismatic import Prismatic
from jourdain.model.joints.revolute import Revolute
from jourdain.model.joints.rolling_disc import RollingDisc
from jourdain.model.joints.screw import Screw
from jourdain.model.joints.skate import Skate
from jourdain.model.joints.spherical import Spherical
from jourdain.model.joints.universal import Universal


def helix(angle: Any) -> Any:
    """Point [m] of a helix about z with radius 0.4 m and 0.6 m rise per radian."""
    return math.vector(0.4 * math.cos(angle), 0.4 * math.sin(angle), 0.6 * angle)


def saddle(u: Any, v: Any) -> Any:
    """Point [m] of the surface z = u² − v²/2."""
    return math.vector(u, v, u * u - 0.5 * v * v)


def all_joint_kinds() -> tuple[Joint, ...]:
    """Representative instances of every built-in kind; a new kind adds one line."""
    return (
        Fixed(),
        *(Revolute(axis) for axis in ("x", "y", "z", "-y", (0.6, 0.0, 0.8))),
        *(Prismatic(axis) for axis in ("x", "y", "z", "-z", (0.36, 0.48, -0.8))),
        *(Screw(axis, 0.05) for axis in ("x", "z", (0.0, -0.6, 0.8))),
        *(Cylindrical(axis) for axis in ("y", "z", (0.8, 0.0, -0.6))),
        *(Universal(*axes) for axes in (("x", "y"), ("z", "x"), ("y", (0.6, 0.0, 0.8)))),
        ConstantVelocity(),
        Spherical(),
        Gimbal(),
        Euler(),
        *(Planar(normal) for normal in ("x", "y", "z", (0.0, -0.6, 0.8))),
        Free(),
        *(PointOnCurve(helix, kind, "rad") for kind in (Spherical(), Fixed(), Revolute("y"))),
        *(PointOnSurface(saddle, kind, "m") for kind in (Spherical(), Gimbal())),
        Skate(),
        RollingDisc(0.3),
        Prismatic("x") * Revolute("z"),
        Revolute("x") * Fixed() * Universal("y", "z"),
        Planar("y") * Universal("x", "z"),
        Prismatic("x") * Spherical() * Prismatic("z"),
        Screw("z", -0.2) * Planar("x"),
        Skate() * Revolute("y") * Prismatic("z"),
    )
