"""Contours as rows of numbers for the search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jourdain.math import axis_vector
from jourdain.model.contours import Box, Capsule, Contour, Cylinder, HalfSpace, Polyhedron, Sphere
from jourdain.model.contours.box import CORNERS
from jourdain.model.contours.geometry.rim import rim_points_of
from jourdain.model.joints.axis import frame_about
from jourdain.solvers.collision import layout as at
from jourdain.solvers.collision.clipping import SIDES
from jourdain.solvers.collision.hulls import FACES
from jourdain.solvers.collision.tables import Tables, hull_faces
from jourdain.spatial.parameter import nominal

Row = tuple[int, int, list[float]]  # kind, start of its table, numbers


def described(contours: Sequence[Contour], tables: Tables) -> tuple[Any, Any]:
    """Integers (n, 3) and numbers (n, 8) of contours; corners and faces go to the tables."""
    rows = [_row(contour, tables) for contour in contours]
    bodies: dict[str, int] = {}
    numbers = [bodies.setdefault(c.frame.body, len(bodies)) for c in contours]
    kinds = [[kind, body, table] for body, (kind, table, _) in zip(numbers, rows, strict=True)]
    shapes = [[*row, *[0.0] * (at.SHAPE - len(row))] for _, _, row in rows]
    n = len(rows)
    return np.array(kinds, np.int64).reshape(n, at.N_KIND), np.array(shapes).reshape(n, at.SHAPE)


def _row(contour: Contour, tables: Tables) -> Row:
    describe = _ROWS.get(type(contour), _other)
    return describe(contour, tables)


def _other(contour: Any, tables: Tables) -> Row:
    return at.OTHER, 0, [0.0] * 7 + [float(nominal(contour.reach))]


def _sphere(contour: Any, tables: Tables) -> Row:
    return at.SPHERE, 0, [nominal(contour.radius)]


def _capsule(contour: Any, tables: Tables) -> Row:
    sizes = 0.5 * nominal(contour.length), nominal(contour.radius)
    return at.CAPSULE, 0, [*axis_vector(contour.axis), *sizes]


def _cylinder(contour: Any, tables: Tables) -> Row:
    A = frame_about(contour.axis)
    half, radius = 0.5 * nominal(contour.length), nominal(contour.radius)
    table = tables.add_rim(rim_points_of(radius, A, contour.rim_points))
    return at.CYLINDER, table, [*A[:, 2], half, radius, *A[:, 0]]


def _box(contour: Any, tables: Tables) -> Row:
    half = 0.5 * np.array(nominal(contour.size))
    return at.BOX, tables.add(half * CORNERS), half.tolist()


def _half_space(contour: Any, tables: Tables) -> Row:
    return at.HALF_SPACE, 0, [*axis_vector(contour.normal)]


def _polyhedron(contour: Any, tables: Tables) -> Row:
    _, _, rings = hull_faces(contour.points)
    if len(rings) > FACES or max(map(len, rings)) > SIDES:
        return _other(contour, tables)
    low, high = contour.points.min(axis=0), contour.points.max(axis=0)
    extent = [*(0.5 * (high - low)), *(0.5 * (high + low))]
    return at.POLYHEDRON, tables.add(contour.points), extent


_ROWS: Mapping[type, Callable[[Any, Tables], Row]] = {
    Sphere: _sphere,
    Capsule: _capsule,
    Cylinder: _cylinder,
    Box: _box,
    HalfSpace: _half_space,
    Polyhedron: _polyhedron,
}
