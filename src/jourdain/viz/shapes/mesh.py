"""Triangles for the shapes of solids."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.spatial.mesh import Triangles
from jourdain.spatial.parameter import nominal
from jourdain.spatial.solid import Shape

_AROUND = 24  # corners of a circle
_ROD = 0.02  # radius of a rod, in its length


@dataclass(frozen=True, slots=True)
class Mesh:
    """A surface of triangles.

    Parameters
    ----------
    points : (n, 3) [m]
        Corners.
    normals : (n, 3) [1]
        Directions outwards at the corners.
    triangles : (m, 3)
        Indices of corners, counter-clockwise seen from outside.
    """

    points: Any
    normals: Any
    triangles: Any

    def moved(self, position: Any, rotation: Any) -> Mesh:
        """Mesh in another frame, where its own frame is at a position [m] and turned."""
        back = np.asarray(rotation, dtype=float).T
        return Mesh(self.points @ back + position, self.normals @ back, self.triangles)


def joined(meshes: list[Mesh]) -> Mesh:
    """All meshes as one."""
    if not meshes:
        return Mesh(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), dtype=int))
    starts = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])
    return Mesh(
        np.concatenate([mesh.points for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate([m.triangles + k for m, k in zip(meshes, starts, strict=False)]),
    )


def shape_mesh(shape: Shape) -> Mesh | None:
    """Mesh of a shape in the body frame; None for a point."""
    size = np.array(nominal(shape.size), dtype=float)
    if shape.kind == "point":
        return None
    mesh = _MESHES[shape.kind](*size) if shape.mesh is None else facets(shape.mesh)
    return mesh.moved(np.array(nominal(shape.position), dtype=float), nominal(shape.rotation))


def facets(surface: Triangles) -> Mesh:
    """Surface with each triangle on its own, so that edges are seen."""
    corners = surface.points[surface.triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(across, axis=1, keepdims=True)
    normals = np.repeat(across / np.where(lengths > 0.0, lengths, 1.0), 3, axis=0)
    return Mesh(corners.reshape(-1, 3), normals, np.arange(len(normals)).reshape(-1, 3))


def rod(start: Any, end: Any, radius: float) -> Mesh:
    """Round bar between two points [m] with hemispherical ends."""
    line = np.asarray(end, dtype=float) - start
    length = float(np.linalg.norm(line))
    angles = np.linspace(-0.5 * np.pi, 0.0, 5)
    cap = np.column_stack([np.cos(angles), np.sin(angles)])  # from the pole to the equator
    normals = np.concatenate([cap, cap[::-1] * (1.0, -1.0)])
    profile = radius * normals + np.repeat(((0.0, 0.0), (0.0, length)), 5, axis=0)
    return _revolved(profile, normals).moved(start, frame_along(line / length))


def swept(way: Any, radius: float, sides: int = 8) -> Mesh:
    """Round wire along points (n, 3) [m]; its ends are open."""
    along = np.gradient(way, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    side = np.cross(along, (0.0, 0.0, 1.0))
    side += 1e-9 * np.array((1.0, 0.0, 0.0))
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    other = np.cross(along, side)
    angles = np.linspace(0.0, 2.0 * np.pi, sides + 1)[np.newaxis, :, np.newaxis]
    normals = np.cos(angles) * side[:, np.newaxis] + np.sin(angles) * other[:, np.newaxis]
    points = way[:, np.newaxis] + radius * normals
    triangles = _grid(len(way) - 1, sides)[:, ::-1]
    return Mesh(points.reshape(-1, 3), normals.reshape(-1, 3), triangles)


def ball(radius: float) -> Mesh:
    """Ball around the origin."""
    return _ellipsoid(radius, radius, radius)


def _ellipsoid(x: float, y: float, z: float) -> Mesh:
    angles = np.linspace(-0.5 * np.pi, 0.5 * np.pi, _AROUND // 2 + 1)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    unit = _revolved(circle, circle)
    normals = unit.points / (x, y, z)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return Mesh(unit.points * (x, y, z), normals, unit.triangles)


def _box(x: float, y: float, z: float) -> Mesh:
    faces = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            turn = np.roll(np.eye(3), axis, axis=0) * (sign, 1.0, sign)  # x outwards
            faces.append(_square().moved((0.0, 0.0, 0.0), turn))
    cube = joined(faces)
    return Mesh(cube.points * (0.5 * x, 0.5 * y, 0.5 * z), cube.normals, cube.triangles)


def _square() -> Mesh:
    """Square of edge 2 at a distance of 1 along x, facing outwards."""
    points = np.array([(1.0, y, z) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    return Mesh(points, np.tile((1.0, 0.0, 0.0), (4, 1)), _grid(1, 1))


def _cylinder(radius: float, length: float) -> Mesh:
    return _tube(0.0, radius, length)


def _tube(inner: float, outer: float, length: float) -> Mesh:
    low, high = -0.5 * length, 0.5 * length
    strips = [
        _strip((inner, low), (outer, low), (0.0, -1.0)),
        _strip((outer, low), (outer, high), (1.0, 0.0)),
        _strip((outer, high), (inner, high), (0.0, 1.0)),
    ]
    if inner > 0.0:
        strips.append(_strip((inner, high), (inner, low), (-1.0, 0.0)))
    return joined(strips)


def _cone(radius: float, height: float) -> Mesh:
    slant = np.array((height, radius)) / np.hypot(radius, height)
    base = _strip((0.0, 0.0), (radius, 0.0), (0.0, -1.0))
    return joined([base, _strip((radius, 0.0), (0.0, height), slant)])


def _strip(start: Any, end: Any, normal: Any) -> Mesh:
    """Surface that a straight line from start to end, (radius, height), leaves around z."""
    return _revolved(np.array((start, end)), np.array((normal, normal)))


def _revolved(profile: Any, normals: Any) -> Mesh:
    """Surface of revolution about z of a profile (radius, height); the outside is on its right."""
    angles = np.linspace(0.0, 2.0 * np.pi, _AROUND + 1)
    turn = np.column_stack([np.cos(angles), np.sin(angles)])
    points, directions = (
        np.concatenate(
            [a[:, np.newaxis, :1] * turn, np.tile(a[:, np.newaxis, 1:], (1, len(turn), 1))], axis=2
        ).reshape(-1, 3)
        for a in (profile, normals)
    )
    return Mesh(points, directions, _grid(len(profile) - 1, _AROUND)[:, ::-1])


def _grid(rows: int, columns: int) -> Any:
    """Triangles of a grid of points."""
    corner = (np.arange(rows)[:, np.newaxis] * (columns + 1) + np.arange(columns)).ravel()
    below, beside = corner + columns + 1, corner + 1
    return np.concatenate(
        [np.column_stack([corner, below, beside]), np.column_stack([below, below + 1, beside])]
    )


def frame_along(direction: Any) -> Any:
    """Rotation whose third column is the direction."""
    side = np.cross(direction, np.eye(3)[np.argmin(np.abs(direction))])
    side /= np.linalg.norm(side)
    return np.column_stack([np.cross(side, direction), side, direction])


def _plain_rod(x: float, y: float, z: float) -> Mesh:
    return rod(np.zeros(3), (x, y, z), _ROD * float(np.linalg.norm((x, y, z))))


_MESHES: dict[str, Callable[..., Mesh]] = {
    "rod": _plain_rod,
    "box": _box,
    "ball": ball,
    "cylinder": _cylinder,
    "tube": _tube,
    "cone": _cone,
    "ellipsoid": _ellipsoid,
}
