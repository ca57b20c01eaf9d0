"""Glyphs that tell the kinds of joints apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
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
from jourdain.model.model import Model
from jourdain.spatial.parameter import nominal

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
_GLYPH = 0.075  # radius of a glyph, in the usual length of a body
_SIDE = 0.3  # radius of a glyph at most, in the distance of two of them
_MANY = 100  # joints on a body that are not compared


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


def glyph_size(lengths: Sequence[float], model: Model) -> float:
    """Radius [m] of the glyphs of joints, for bodies of some lengths [m].

    It is smaller where joints of one body are side by side.
    """
    size = _GLYPH * (float(np.median(lengths)) or 1.0)
    places: dict[str, set[Any]] = {}
    for joint in model.joints.values():
        for end in (joint.parent, joint.child):
            own = tuple(float(nominal(x)) for x in end.position)
            places.setdefault(end.body, set()).add(own)
    gaps = [
        float(np.linalg.norm(np.subtract(a, b)))
        for own in places.values()
        if len(own) < _MANY
        for a, b in combinations(own, 2)
    ]
    return max(min([size, *(_SIDE * gap for gap in gaps if gap > 0.2 * size)]), 0.3 * size)
