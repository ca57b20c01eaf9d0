"""Shaded pictures of scenes: bodies in the light of a sun, their shadows on a floor with a grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jourdain.viz.pictures.camera import Camera
from jourdain.viz.pictures.raster import Raster
from jourdain.viz.shapes.mesh import Mesh
from jourdain.viz.shapes.scene import LEVELS, Part, grid_step, rgb

_LIGHT = np.array((0.38, -0.42, 0.82)) / np.linalg.norm((0.38, -0.42, 0.82))
_PAPER, _LINE, _SHADOW, _PATH = (rgb(c) for c in ("#ffffff", "#cdd5de", "#ccd4dd", "#7b8794"))
_FINER = 2  # points computed for each point of the picture, across and down


def render(
    parts: Sequence[Part],
    poses: Any,
    camera: Camera,
    *,
    floor: float = 0.0,
    paths: Sequence[Any] = (),
) -> Any:
    """Picture (height, width, 3) with values from 0 to 1.

    Parameters
    ----------
    parts : sequence of Part
        Bodies.
    poses : (n, 4, 4) [1, m]
        Their poses in the world.
    camera : Camera
        Where it is taken from, and how large it is.
    floor : float [m]
        Height of the floor.
    paths : sequence of (n, 3) [m]
        Curves in the world.
    """
    fine = replace(camera, width=_FINER * camera.width, height=_FINER * camera.height)
    seen, shadow = Raster(fine), Raster(fine)
    pairs = zip(parts, poses, strict=True)
    meshes = [part.mesh.moved(pose[:3, 3], pose[:3, :3]) for part, pose in pairs]
    last = len(parts) + LEVELS
    for number, (part, mesh) in enumerate(zip(parts, meshes, strict=True), 1):
        for own, piece in _by_colour(mesh, part.levels, number, len(parts) + 1):
            seen.add(piece, own, part.opacity)
        shadow.add(_fallen(mesh, floor), number, part.opacity)
    for curve in paths:
        seen.add_curve(curve, last + 1)
    colours = np.array([_PAPER, *(rgb(part.colour) for part in parts), *_heat(), _PATH])
    light, dark = _floor(camera, floor, np.concatenate([*(m.points for m in meshes), *paths]))
    bodies, is_dark = _painted(seen, colours, last), (shadow.number > 0) & (seen.number == 0)
    part_free, part_dark = _coarse(seen.number == 0), _coarse(is_dark)
    return _coarse(bodies) + (part_free - part_dark) * light + part_dark * dark


def _by_colour(mesh: Mesh, levels: Any, number: int, first: int) -> Iterator[tuple[int, Mesh]]:
    """Pieces of a mesh with the numbers of their colours: its own, or those of its stresses."""
    if levels is None:
        yield number, mesh
        return
    for level in np.unique(levels):
        triangles = mesh.triangles[levels == level]
        yield first + int(level), replace(mesh, triangles=triangles)


def _heat() -> Any:
    """Colours of stresses, as on the page."""
    at = np.linspace(0.0, 1.0, LEVELS)
    ends = np.array([rgb(c) for c in ("#3b6fb5", "#f0e6a0", "#c8322b")])
    return np.column_stack([np.interp(at, (0.0, 0.5, 1.0), ends[:, k]) for k in range(3)])


def _fallen(mesh: Mesh, floor: float) -> Mesh:
    """Shadow of a mesh."""
    fall = (mesh.points[:, 2:] - floor) / _LIGHT[2]
    return Mesh(mesh.points - fall * _LIGHT, mesh.normals, mesh.triangles)


def _coarse(image: Any) -> Any:
    """Mean over the points that make one point of the picture, (height, width, 1 or 3)."""
    height, width = image.shape[0] // _FINER, image.shape[1] // _FINER
    return image.reshape(height, _FINER, width, _FINER, -1).mean(axis=(1, 3))


def _painted(seen: Raster, colours: Any, n_parts: int) -> Any:
    """Bodies and curves on black."""
    image = np.zeros((*seen.number.shape, 3))
    image[seen.number > n_parts] = colours[-1]
    row, column = np.nonzero((seen.number > 0) & (seen.number <= n_parts))
    to_eye = -seen.camera.rays(row, column)
    colour = colours[seen.number[row, column]]
    image[row, column] = _shaded(colour, seen.normal[row, column], to_eye)
    return image


def _shaded(colour: Any, normal: Any, to_eye: Any) -> Any:
    """Colours (n, 3) in the light of sun and sky, with a slight gloss."""
    unit, view = (a / np.linalg.norm(a, axis=-1, keepdims=True) for a in (normal, to_eye))
    half = (view + _LIGHT) / np.linalg.norm(view + _LIGHT, axis=-1, keepdims=True)
    sun = np.clip(unit @ _LIGHT, 0.0, 1.0)[:, np.newaxis]
    sky = 0.5 + 0.5 * unit[:, 2:]
    gloss = np.clip(np.sum(unit * half, axis=-1, keepdims=True), 0.0, 1.0) ** 50
    return np.clip(colour * (0.30 + 0.30 * sky + 0.62 * sun) + 0.22 * gloss, 0.0, 1.0)


def _floor(camera: Camera, height: float, points: Any) -> tuple[Any, Any]:
    """Floor below points (n, 3) [m], in the light and in the shadow; its grid fades outwards."""
    if camera.eye[2] <= height:  # nothing of it is seen from below
        return _PAPER, _PAPER
    low, high = points.min(axis=0), points.max(axis=0)
    width = float((high - low).max())
    row, column = np.indices((camera.height, camera.width))
    rays = camera.rays(row, column)
    down = (camera.eye[2] - height) / np.maximum(-rays[..., 2:], 1e-9)
    spot = (camera.eye + down * rays)[..., :2]
    step = grid_step(width)
    slope = np.maximum(-rays[..., 2:] / np.linalg.norm(rays, axis=-1, keepdims=True), 0.1)
    point = down / (camera.focus * slope * step)  # size of a point on the floor, in squares
    off = np.abs(spot / step - np.round(spot / step))
    line = np.clip(1.2 - off / point, 0.0, 1.0).max(axis=-1, keepdims=True)
    out = np.linalg.norm(spot - 0.5 * (low + high)[:2], axis=-1, keepdims=True) / width
    fade = np.exp(-(out**2))
    light, dark = (ground + fade * line * (_LINE * ground - ground) for ground in (_PAPER, _SHADOW))
    return light, dark
