"""Poses as robot files write them, and as they are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jourdain.io.robots.description import Place
from jourdain.io.robots.xml import Node
from jourdain.spatial.pose import IDENTITY, Matrix, moved_point, product, transpose


def place_of(position: Sequence[float], R: Any) -> Place:
    """Build a place from a position and a rotation matrix."""
    x, y, z = (float(c) for c in position)
    return Place((x, y, z), rows(R))


def rows(R: Any) -> Matrix:
    """Rotation matrix as it is kept; exactly the identity where nothing turns."""
    R = np.asarray(R, dtype=float)
    if np.array_equal(R, np.eye(3)):
        return IDENTITY
    return tuple(tuple(row) for row in (R + 0.0).tolist())


def fixed_axes(roll: float, pitch: float, yaw: float) -> Matrix:
    """Rotation by angles [rad] about the fixed axes x, y, z in turn: ``Rz Ry Rx``."""
    if roll == pitch == yaw == 0.0:
        return IDENTITY
    return rows(_about(2, yaw) @ _about(1, pitch) @ _about(0, roll))


def origin(node: Node | None) -> Place:
    """Read an ``<origin xyz rpy>`` of a URDF file, or the like."""
    if node is None:
        return Place()
    turn = fixed_axes(*node.numbers("rpy", 3, (0, 0, 0)))
    return place_of(node.numbers("xyz", 3, (0, 0, 0)), turn)


def angles_of(R: Any) -> tuple[float, float, float]:
    """Angles [rad] about the fixed axes x, y, z of a rotation."""
    R = np.asarray(R, dtype=float)
    pitch = float(np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0])))
    if np.hypot(R[0, 0], R[1, 0]) < 1e-9:  # roll and yaw turn about the same line
        return float(np.arctan2(-R[1, 2], R[1, 1])), pitch, 0.0
    return float(np.arctan2(R[2, 1], R[2, 2])), pitch, float(np.arctan2(R[1, 0], R[0, 0]))


def inside(outer: Place, inner: Place) -> Place:
    """Place on a place: the inner one, seen from where the outer one is seen from."""
    position = moved_point(inner.position, outer.position, outer.rotation)
    return Place(position, product(outer.rotation, inner.rotation))


def seen_from(outer: Place, inner: Place) -> Place:
    """Inner place as the outer one sees it."""
    back = transpose(outer.rotation)
    away = tuple(a - b for a, b in zip(inner.position, outer.position, strict=True))
    position = moved_point(away, (0.0, 0.0, 0.0), back)
    return Place(position, product(back, inner.rotation))


def turn_to(direction: Any) -> Matrix:
    """Smallest rotation that takes z to a direction."""
    from scipy.spatial.transform import Rotation  # noqa: PLC0415

    z, d = np.array((0.0, 0.0, 1.0)), np.asarray(direction, dtype=float)
    d = d / np.linalg.norm(d)
    axis, cosine = np.cross(z, d), float(z @ d)
    sine = float(np.linalg.norm(axis))
    if sine < 1e-14:
        return IDENTITY if cosine > 0 else rows(np.diag((1.0, -1.0, -1.0)))
    return rows(Rotation.from_rotvec(axis / sine * np.arctan2(sine, cosine)).as_matrix())


def axis_word(axis: Any) -> Any:
    """Letter of an axis where it has one, else its numbers."""
    for k, letter in enumerate("xyz"):
        if np.array_equal(np.abs(axis), np.eye(3)[k]):
            return letter if axis[k] > 0 else f"-{letter}"
    return tuple(axis.tolist())


def _about(axis: int, angle: float) -> Any:
    c, s = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R
