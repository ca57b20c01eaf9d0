"""Every built-in measure, for tests that must hold for all of them."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.math import Polynomial, Table
from jourdain.model.elements import WORLD, Frame
from jourdain.model.measures.angle import Angle
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.measures.distance import Distance
from jourdain.model.measures.formula import Formula
from jourdain.model.measures.measure import Measure
from jourdain.model.measures.on_curve import OnCurve
from jourdain.model.measures.on_surface import OnSurface
from jourdain.model.measures.path_length import PathLength
from jourdain.model.measures.rate import Rate
from jourdain.model.measures.relative import Relative
from jourdain.model.measures.rolling import DiscHeight, Rolling

BODIES = ("a", "b")
"""Bodies that the measures refer to, besides the world."""
COORDINATES = ("j.angle", "s")
"""Coordinates that the measures refer to."""

_A, _B, _WORLD = Frame("a", (0.1, 0.2, 0.0)), Frame("b", (0.0, -0.1, 0.3)), Frame(WORLD)
_DRUM = Frame(WORLD, (0.0, 2.0, 0.5))
_TURNED = Frame("a", (0.0, 0.0, 0.1), ((0.0, -0.6, 0.8), (1.0, 0.0, 0.0), (0.0, 0.8, 0.6)))


def torus(r: Any) -> Any:
    """Zero on a torus about z with the radii 0.5 m and 0.1 m [m^2]."""
    off = math.sqrt(r[0] * r[0] + r[1] * r[1]) - 0.5
    return off * off + r[2] * r[2] - 0.01


def swinging_height(at: Any) -> Any:
    """Height [m] of a point of body b above a moving floor, and of another one."""
    floor = 0.1 * math.sin(at.t + at.coordinate("s"))
    return math.vector(at.pose(_B)[1][2] - floor, at.relative(_B, _TURNED)[1][2])


def gliding(at: Any) -> Any:
    """Speed [m/s] of body b along its own x axis."""
    return math.dot(at.pose(_B)[0][:, 0], at.twist(_B)[1])


def all_measures() -> tuple[Measure, ...]:
    """Representative instances of every built-in measure; a new one adds one line."""
    gear = 20.0 * Coordinate("j.angle", "rad") - 3.0 * Coordinate("s", "m")
    cam = Table((0.0, 1.5, 3.0, 2.0 * math.pi), (0.3, 0.4, 0.35, 0.3), "cubic", "repeat")
    plain = (
        Distance(_A, _B),
        *(Coordinate("j.angle", "rad"), Coordinate("s", "m")),
        *(Relative(_TURNED, _B, "pose", axes) for axes in ("start", "end", "world")),
        *(Relative(_TURNED, _B, "pose", axes, "vector") for axes in ("start", "end", "world")),
        *(Relative(_WORLD, _A, words) for words in ("x", "rz", "y rx", "rotation")),
        *(Angle(_A, _TURNED, axis) for axis in ("x", "-y", (0.6, 0.0, 0.8))),
        *(Angle(_A, _B, axis) for axis in ("z", (0.0, 0.8, 0.6))),
        PathLength((_A, _B, _TURNED, _WORLD)),
        *(PathLength((_A, _B), _DRUM, 0.5, axis) for axis in ("x", (0.8, 0.0, 0.6))),
        *(PathLength((_A, _B), _DRUM, 0.5, axis, lifts=True) for axis in ("x", "-x", "z")),
        OnCurve(_B, _A, Polynomial((0.1, 0.5, -0.3))),
        OnCurve(_A, _TURNED, cam, polar=True),
        OnSurface(_B, _TURNED, torus, "m^2"),
        *(DiscHeight(_A, _B, 0.2, axis) for axis in ("z", None)),
        *(Rolling(_A, _B, 0.2, axis=axis) for axis in ("z", (0.6, 0.8, 0.0), None)),
        *(Rolling(_A, _B, 0.2, other, "z") for other in (0.5, -0.7)),
        Formula(swinging_height, unit="m", size=2),
        Formula(speed=gliding),
        *(Rate(Distance(_A, _B)), Rate(Relative(_TURNED, _B, "pose"))),
    )
    slip = 2.0 * Rolling(_A, _B, 0.1) + Relative(_WORLD, _A, "xy")
    return (*plain, gear, Distance(_A, _B) + gear, slip)
