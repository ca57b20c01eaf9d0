"""What a picture shows besides bodies: joints, springs, dampers, rods and ropes, as on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from jourdain.model.elements import Frame
from jourdain.results import Solution
from jourdain.spatial.parameter import evaluate
from jourdain.spatial.solid import Shape
from jourdain.viz.pages.keyframes import Keyframes
from jourdain.viz.pages.watch import Watch, courses
from jourdain.viz.shapes.drawables import Furniture, Hinge, Moving, Place, Stretch
from jourdain.viz.shapes.furniture import furniture
from jourdain.viz.shapes.glyphs import glyph_size, glyphs
from jourdain.viz.shapes.mesh import Mesh, frame_along, joined, rod, shape_mesh, swept
from jourdain.viz.shapes.scene import Part

_ON_PARENT, _ON_CHILD = "#5b6674", "#aeb8c4"
_WIDE = {"spring": 0.9, "strut": 0.9, "damper": 0.75, "rod": 0.35}  # radii, in glyphs
_THIN = 0.22  # radius of a rope, in glyphs
_TURNS, _WIRE = 9, 0.16  # of a spring; radius of its wire, in its own
_FINE = 14  # points on a turn
_POT, _PISTON, _INSIDE = 0.55, 0.35, 0.5  # of a damper: length, thickness, beside a spring


class Fittings:
    """Joints and connections at some moments.

    Parameters
    ----------
    solution : Solution
        The run.
    moments : Solution
        The run at the moments.
    poses : (n, n_bodies, 4, 4) [1, m]
        Poses of the bodies then.
    parts : sequence of Part
        The bodies, whose sizes the glyphs follow.
    """

    def __init__(self, solution: Solution, moments: Solution, poses: Any, parts: Any) -> None:
        model, names = solution.model, solution.system.names.parameters
        p = solution.system.parameter_array(solution.parameters)
        self._values = dict(zip(names, p.tolist(), strict=True))
        self._poses, self._moments, self._run = poses, moments, solution
        self._numbers = {name: k for k, name in enumerate(model.bodies)}
        lengths = [float(np.ptp(part.mesh.points, axis=0).max()) for part in parts]
        self.small = glyph_size(lengths, model)
        wanted = (Stretch, Hinge)
        own = furniture(model, self._values).drawables
        self._own = Furniture(tuple(d for d in own if isinstance(d, wanted)))
        self._courses = self._moved()
        self._ways = {
            s.name: np.stack([self._way(place) for place in s.through], axis=1)
            for s in self._own.of(Stretch)
            if s.kind != "hidden"
        }

    def _moved(self) -> Mapping[Moving, Any]:
        moving = self._own.moving()
        if not moving:
            return {}
        from scipy.spatial.transform import Rotation  # noqa: PLC0415

        n, bodies = self._poses.shape[:2]
        turns = Rotation.from_matrix(self._poses[..., :3, :3].reshape(-1, 3, 3)).as_quat()
        turns = np.roll(turns, 1, axis=-1).reshape(n, bodies, 4)
        frames = Keyframes(self._moments, self._moments.time, self._poses[..., :3, 3], turns)
        return courses(Watch(frames, self._numbers, self._values), n, moving)

    def _way(self, place: Place) -> Any:
        """Positions (n, 3) [m] of a place."""
        if isinstance(place, Moving):
            return self._courses[place]
        if isinstance(place, str):
            return self._moments.values(place)
        poses, point = self._frame(place)
        return poses[:, :3, :3] @ point + poses[:, :3, 3]

    def _frame(self, frame: Frame) -> tuple[Any, Any]:
        """Poses (n, 4, 4) of the body of a frame, and its position on it [m]."""
        point = np.array(evaluate(frame.position, self._values), dtype=float)
        body = self._numbers.get(frame.body)
        n = len(self._poses)
        return (np.tile(np.eye(4), (n, 1, 1)) if body is None else self._poses[:, body]), point

    @property
    def points(self) -> Any:
        """All ends of what stretches (m, 3) [m]."""
        return np.concatenate([np.zeros((0, 3)), *(w.reshape(-1, 3) for w in self._ways.values())])

    def at(self, k: int) -> list[Part]:
        """Parts to draw at a moment, in the world."""
        return [*self._stretches(k), *self._glyphs(k)]

    def _stretches(self, k: int) -> Iterator[Part]:
        for own in self._own.of(Stretch):
            if own.name in self._ways:
                way = self._ways[own.name]
                radius = own.radius or _WIDE.get(own.kind, _THIN) * self.small
                rest = float(np.linalg.norm(way[:, 1] - way[:, 0], axis=1).mean())
                pairs = zip(way[k], way[k][1:], strict=False)
                made = [
                    stretched(own.kind, a, b, radius, rest)
                    for a, b in pairs
                    if np.linalg.norm(b - a) > 1e-9
                ]
                yield Part(own.name, own.colour, joined(made))

    def _glyphs(self, k: int) -> Iterator[Part]:
        for own in self._own.of(Hinge):
            travel = self._travel(own.name)
            for kind, axis in glyphs(own.kind):
                sides = _GLYPHS.get(kind, _other)(*(x / self.small for x in travel))
                ends = zip((own.parent, own.child), sides, (_ON_PARENT, _ON_CHILD), strict=True)
                for end, shapes, colour in ends:
                    if shapes:
                        yield Part(own.name, colour, self._placed(end, axis, shapes, k))

    def _placed(self, end: Frame, axis: Any, shapes: list[Shape], k: int) -> Mesh:
        made = joined([mesh for mesh in map(shape_mesh, shapes) if mesh is not None])
        turn = np.array(end.rotation, dtype=float) @ frame_along(np.array(axis))
        poses, point = self._frame(end)
        pose = poses[k]
        large = Mesh(self.small * made.points, made.normals, made.triangles)
        return large.moved(point, turn).moved(pose[:3, 3], pose[:3, :3])

    def _travel(self, name: str) -> tuple[float, float]:
        """Least and largest way along a joint [m], with zero."""
        channel = self._run.channels.get(f"{name}.position")
        if channel is None or channel.labels:
            return 0.0, 0.0
        values = self._run.values(channel.name)
        return min(0.0, float(values.min())), max(0.0, float(values.max()))


def stretched(kind: str, start: Any, end: Any, radius: float, rest: float) -> Mesh:
    """Spring, damper, strut, rod or rope from one point to another [m]."""
    if kind not in ("spring", "damper", "strut"):
        return rod(start, end, radius)
    line = end - start
    length = float(np.linalg.norm(line))
    turn = frame_along(line / length)
    parts = []
    if kind in ("spring", "strut"):
        s = np.linspace(0.0, 1.0, _TURNS * _FINE)
        angle, ramp = 2.0 * np.pi * _TURNS * s, np.minimum(1.0, 12.0 * np.minimum(s, 1.0 - s))
        curve = np.column_stack([ramp * np.cos(angle), ramp * np.sin(angle)]) * radius
        way = np.column_stack([curve, length * s])
        parts.append(swept(way, _WIRE * radius).moved(start, turn))
    if kind in ("damper", "strut"):
        own = radius * (_INSIDE if kind == "strut" else 1.0)
        pot = min(_POT * rest, length) / length
        shape = shape_mesh(Shape("cylinder", (own, pot * length), (0.0, 0.0, 0.5 * pot * length)))
        parts += [shape.moved(start, turn)] if shape is not None else []
        parts.append(rod(start, end, _PISTON * own))
    return joined(parts)


Sides = tuple[list[Shape], list[Shape]]


def _tube(inner: float, outer: float, length: float, z: float = 0.0) -> Shape:
    return Shape("tube", (inner, outer, length), (0.0, 0.0, z))


def _cylinder(radius: float, length: float) -> Shape:
    return Shape("cylinder", (radius, length))


def _ball(radius: float) -> Shape:
    return Shape("ball", (radius,))


def _revolute(*_: float) -> Sides:
    return [_tube(0.62, 1.0, 0.5, 0.75), _tube(0.62, 1.0, 0.5, -0.75)], [_cylinder(0.55, 2.6)]


def _prismatic(low: float, high: float) -> Sides:
    rail = Shape("box", (0.36, 0.36, high - low + 3.0), (0.0, 0.0, 0.5 * (low + high)))
    return [rail], [_tube(0.5, 0.95, 1.8)]


def _other(*_: float) -> Sides:
    return [], [_ball(0.9)]


_GLYPHS: Mapping[str, Callable[..., Sides]] = {
    "revolute": _revolute,
    "prismatic": _prismatic,
    "cylindrical": lambda *_: ([_cylinder(0.45, 6.0)], [_tube(0.5, 1.0, 2.2)]),
    "screw": lambda *_: ([_cylinder(0.5, 5.0)], [_tube(0.62, 1.1, 1.2)]),
    "universal": lambda *_: ([], [_ball(0.55)]),
    "pin": lambda *_: ([_cylinder(0.4, 2.6)], []),
    "planar": lambda *_: ([Shape("box", (4.4, 4.4, 0.12))], [_tube(0.4, 1.0, 0.5)]),
    "fixed": lambda *_: ([Shape("box", (1.3, 1.3, 1.3))], []),
    "none": lambda *_: ([], []),
}
"""Glyphs of unit radius about z: what is on the parent, what is on the child."""
