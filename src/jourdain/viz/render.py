"""Shaded pictures of scenes, computed point by point: depth, normals, shadows on a floor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jourdain.viz.camera import Camera
from jourdain.viz.scene import Part, rgb

_LIGHT = np.array((0.38, -0.42, 0.82)) / np.linalg.norm((0.38, -0.42, 0.82))
_PAPER, _LINE, _SHADOW, _PATH = (rgb(c) for c in ("#ffffff", "#c3ccd6", "#ccd4dd", "#7b8794"))


class _Canvas:
    """What the camera sees at each point: 1/depth, number of the part (0: none) and normal."""

    def __init__(self, camera: Camera) -> None:
        shape = (camera.height, camera.width)
        self.camera = camera
        self.inverse = np.zeros(shape)
        self.part = np.zeros(shape, dtype=int)
        self.normal = np.zeros((*shape, 3))

    def add(self, points: Any, normals: Any, triangles: Any, number: int) -> None:
        """Enter the triangles that face the camera, where nothing nearer is."""
        seen = self.camera.project(points)
        for corners in triangles[_area(seen[triangles]) < 0.0]:
            a, b, c = seen[corners]
            for window, (u, v, w) in _inside(a, b, c, self.part.shape):
                inverse = u * a[2] + v * b[2] + w * c[2]
                nearer = (np.minimum(np.minimum(u, v), w) >= 0.0) & (inverse > self.inverse[window])
                self.inverse[window][nearer] = inverse[nearer]
                self.part[window][nearer] = number
                weights = np.stack([u[nearer], v[nearer], w[nearer]], axis=-1)
                self.normal[window][nearer] = weights @ normals[corners]


def render(
    parts: Sequence[Part], poses: Any, camera: Camera, floor: float, paths: Sequence[Any] = ()
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
    bodies, shade = _Canvas(camera), _Canvas(camera)
    for number, (part, pose) in enumerate(zip(parts, poses, strict=True), 1):
        mesh = part.mesh.moved(pose[:3, 3], pose[:3, :3])
        bodies.add(mesh.points, mesh.normals, mesh.triangles, number)
        fall = (mesh.points[:, 2:] - floor) / _LIGHT[2]
        shade.add(mesh.points - fall * _LIGHT, mesh.normals, mesh.triangles, number)
    image = _floor(camera, floor, shade.part > 0, max(1e-9, _width(parts, poses)))
    colours = np.array([(0.0, 0.0, 0.0), *(rgb(part.colour) for part in parts)])
    hit = bodies.part > 0
    image[hit] = _shaded(colours[bodies.part[hit]], bodies.normal[hit], -camera.rays()[hit])
    for curve in paths:
        _draw_curve(image, bodies.inverse, camera.project(curve))
    return image


def _area(seen: Any) -> Any:
    """Twice the area of triangles (n, 3, 3) in the picture; negative when seen from outside."""
    (ax, ay), (bx, by), (cx, cy) = (seen[:, k, :2].T for k in range(3))
    return (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)


def _inside(a: Any, b: Any, c: Any, shape: tuple[int, int]) -> Any:
    """Window of the picture around a triangle and the weights of the corners in it, if any."""
    corners = np.array([a[:2], b[:2], c[:2]])
    left, top = np.maximum(np.floor(corners.min(axis=0) - 0.5), 0).astype(int)
    right, bottom = np.minimum(np.ceil(corners.max(axis=0) + 0.5), shape[::-1]).astype(int)
    if left >= right or top >= bottom:
        return
    x, y = np.arange(left, right) + 0.5, np.arange(top, bottom)[:, np.newaxis] + 0.5
    area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
    v = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area
    w = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area
    yield (slice(top, bottom), slice(left, right)), (1.0 - v - w, v, w)


def _shaded(colour: Any, normal: Any, to_eye: Any) -> Any:
    """Colours in the light of a sun and of the sky, with a slight gloss."""
    unit, view = (a / np.linalg.norm(a, axis=-1, keepdims=True) for a in (normal, to_eye))
    half = (view + _LIGHT) / np.linalg.norm(view + _LIGHT, axis=-1, keepdims=True)
    sun = np.clip(unit @ _LIGHT, 0.0, 1.0)[:, np.newaxis]
    sky = 0.5 + 0.5 * unit[:, 2:]
    gloss = np.clip(np.sum(unit * half, axis=-1, keepdims=True), 0.0, 1.0) ** 50
    return np.clip(colour * (0.30 + 0.30 * sky + 0.62 * sun) + 0.22 * gloss, 0.0, 1.0)


def _width(parts: Sequence[Part], poses: Any) -> float:
    places = np.concatenate([p.mesh.points @ T[:3, :3].T + T[:3, 3] for p, T in zip(parts, poses, strict=True)])
    return float((places.max(axis=0) - places.min(axis=0)).max())


def _floor(camera: Camera, height: float, shadow: Any, width: float) -> Any:
    """Floor with a square grid that fades into the distance, and the shadows on it."""
    rays = camera.rays()
    with np.errstate(divide="ignore"):
        reach = (height - camera.eye[2]) / rays[..., 2:]
    reach = np.where(reach > 0.0, reach, 1e6)
    spot = camera.eye + reach * rays
    step = grid_step(width)
    across = reach / camera.focus / step  # width of a point on the floor, in squares
    slant = np.abs(rays[..., 2:]) / np.linalg.norm(rays, axis=-1, keepdims=True)
    off = np.abs(spot[..., :2] / step - np.round(spot[..., :2] / step))
    line = np.clip(1.5 - off / (across / np.maximum(slant, 0.2)), 0.0, 1.0).max(axis=-1, keepdims=True)
    near = camera.eye + (height - camera.eye[2]) / min(-1e-9, -camera.axes[2, 2]) * -camera.axes[2]
    far = np.linalg.norm(spot[..., :2] - near[:2], axis=-1, keepdims=True) / (4.0 * width)
    fade = np.clip(1.0 - far, 0.0, 1.0) ** 1.5
    image = np.where(shadow[..., np.newaxis], _SHADOW, _PAPER)
    return image + fade * line * 0.8 * (np.minimum(_LINE, image) - image)


def grid_step(width: float) -> float:
    """Round length [m], about an eighth of a width [m]."""
    power = 10.0 ** np.floor(np.log10(width / 4.0))
    return float(max(k * power for k in (0.5, 1.0, 2.0, 5.0) if k * power <= width / 4.0))


def _draw_curve(image: Any, inverse: Any, seen: Any) -> None:
    """Dots along a curve where no body is before it."""
    lengths = np.linalg.norm(np.diff(seen[:, :2], axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    marks = np.arange(0.0, along[-1], 0.7)
    dots = np.stack([np.interp(marks, along, seen[:, k]) for k in range(3)], axis=-1)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            x, y = np.floor(dots[:, :2]).astype(int).T + ((dx,), (dy,))
            kept = (x >= 0) & (x < image.shape[1]) & (y >= 0) & (y < image.shape[0])
            x, y, depth = x[kept], y[kept], dots[kept, 2]
            free = depth > inverse[y, x]
            image[y[free], x[free]] = _PATH
