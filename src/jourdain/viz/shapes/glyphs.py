"""Glyphs that tell the kinds of joints apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.math import axis_vector
from jourdain.model.joints import (
    ConstantVelocity,
    Cylindrical,
    Euler,
    Fixed,
    Free,
    Gimbal,
    Joint,
    Planar,
    PointOnCurve,
    PointOnSurface,
    Prismatic,
    Revolute,
    RollingDisc,
    Screw,
    Skate,
    Spherical,
    Universal,
)
from jourdain.model.joints.product import Product

_PLAIN: dict[type[Joint], str] = {
    Fixed: "fixed",
    Spherical: "spherical",
    ConstantVelocity: "constant_velocity",
    Gimbal: "gimbal",
    Euler: "gimbal",
    PointOnCurve: "bead",
    PointOnSurface: "bead",
    Free: "none",
    RollingDisc: "none",
    Skate: "none",
}
_WITH_AXIS: dict[type[Joint], str] = {
    Revolute: "revolute",
    Prismatic: "prismatic",
    Cylindrical: "cylindrical",
    Screw: "screw",
}
_Z = (0.0, 0.0, 1.0)


def glyphs(kind: Joint) -> list[tuple[str, tuple[float, float, float]]]:
    """Glyphs of a joint kind with their axes in the frames of the joint.

    A kind that the library does not know is an octahedron.
    """
    exact = type(kind)
    if isinstance(kind, Product):
        return [glyph for factor in kind.factors for glyph in glyphs(factor)]
    if exact in _WITH_AXIS:
        return [(_WITH_AXIS[exact], _direction(kind.axis))]  # type: ignore[attr-defined]
    if isinstance(kind, Planar):
        return [("planar", _direction(kind.normal))]
    if isinstance(kind, Universal):
        pins = (("pin", _direction(axis)) for axis in (kind.first, kind.second))
        return [("universal", _Z), *pins]
    return [(_PLAIN.get(exact, "other"), _Z)]


def word(kind: Joint) -> str:
    """Kind of a joint in words: ``constant velocity``, ``prismatic, revolute``."""
    if isinstance(kind, Product):
        return ", ".join(word(factor) for factor in kind.factors)
    name = type(kind).__name__
    return "".join(f" {c.lower()}" if c.isupper() and k else c for k, c in enumerate(name)).lower()


def _direction(axis: Any) -> tuple[float, float, float]:
    x, y, z = np.asarray(axis_vector(axis), dtype=float)
    return float(x), float(y), float(z)
