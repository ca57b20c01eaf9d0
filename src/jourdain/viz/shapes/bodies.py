"""Shapes of bodies for the page, with the values that parameters have in a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from jourdain.math import rotation_quaternion
from jourdain.model.elements import Body
from jourdain.model.model import Model
from jourdain.results.channels.body_motion import quaternions
from jourdain.spatial.mesh import Triangles
from jourdain.spatial.parameter import evaluate
from jourdain.spatial.solid import Shape
from jourdain.viz.pages import packing
from jourdain.viz.shapes.arms import arms, joint_ends
from jourdain.viz.shapes.outlines import outlines

_ROD = 0.02  # radius of a rod, in its length
_NOTHING = 1e-9  # radius of what is not to be seen [m]
_MARGIN = 0.02  # of its size by which an outline may be larger than a solid that stands for it
_THIN = 0.035  # radius of a bar between joints, in its length
_IDLE = (0.0, 0.0, 0.0, 1.0)
_CORNERS = np.array([(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)], dtype=bool)


class Meshes:
    """Surfaces of a page, equal ones once."""

    def __init__(self) -> None:
        self._numbers: dict[Triangles, int] = {}

    def number(self, mesh: Triangles) -> int:
        """Place of a surface in the list."""
        return self._numbers.setdefault(mesh, len(self._numbers))

    def content(self) -> list[dict[str, Any]]:
        """Entry of the page."""
        return [
            {
                "points": packing.plain(mesh.points, "f32"),
                "triangles": packing.plain(mesh.triangles, "u32"),
            }
            for mesh in self._numbers
        ]


def shapes(
    model: Model, body: Body, values: Mapping[str, float], small: float, meshes: Meshes
) -> list[Any]:
    """Shapes of a body: its solids, or else its outlines, and bars to joints that lie apart.

    Flat outlines, such as teeth of a wheel, are drawn beside solids too.

    One without any is bars between its joints and a ball at its centre.

    Parameters
    ----------
    model : Model
        The machine.
    body : Body
        One of its bodies.
    values : mapping of str to float
        Values of all parameters.
    small : float [m]
        Radius of a body without any extent.
    meshes : Meshes
        Surfaces of the page.
    """
    drawn = [entry(shape, values, meshes) for shape in body.shapes if shape.kind != "point"]
    touching = [entry(shape, values, meshes) for shape in outlines(model, body.name, values)]
    boxes = [reach(shape) for shape in drawn]
    drawn += [s for s in touching if not boxes or (_is_flat(s) and not _is_inside(s, boxes))]
    if body.piece_of:  # nothing to see of a section but what it carries
        return drawn or [_ball(np.zeros(3), _NOTHING)]
    if not drawn:
        return _bars(model, body, values, small)
    places = [_numbers(end.position, values) for end in joint_ends(model, body)]
    return [*drawn, *(_bar(*arm) for arm in arms(places, [reach(shape) for shape in drawn]))]


def _is_flat(shape: Mapping[str, Any]) -> bool:
    """Whether a shape has no thickness along some axis."""
    extents = np.ptp(reach(shape), axis=0)
    return bool(extents.min() < 1e-9 * extents.max())


def _is_inside(shape: Mapping[str, Any], others: Sequence[Any]) -> bool:
    """Whether a shape lies in one of the boxes (2, 3) [m], but for a margin."""
    box = reach(shape)
    margin = _MARGIN * float(np.max(box[1] - box[0]))
    return any(
        bool(np.all(box[0] >= low - margin) and np.all(box[1] <= high + margin))
        for low, high in others
    )


def entry(shape: Shape, values: Mapping[str, float], meshes: Meshes) -> dict[str, Any]:
    """Shape as an entry of the page."""
    made: dict[str, Any] = {
        "kind": shape.kind,
        "size": [float(x) for x in evaluate(shape.size, values)],
        "position": _numbers(shape.position, values),
        "rotation": quaternion(shape.rotation),
    }
    if shape.mesh is None:
        return made
    points = shape.mesh.points
    ends = [*points.min(axis=0).tolist(), *points.max(axis=0).tolist()]
    return made | {"mesh": meshes.number(shape.mesh), "size": ends}


def thicken_rods(bodies: Sequence[Mapping[str, Any]]) -> None:
    """Give rods radii [m] between one that suits their own length and one that suits all."""
    rods = [s for body in bodies for s in body["shapes"] if s["kind"] == "rod"]
    lengths = [float(np.linalg.norm(rod["size"])) for rod in rods]
    for rod, length in zip(rods, lengths, strict=True):
        rod["radius"] = _ROD * float(np.sqrt(length * np.median(lengths)))


def _bars(model: Model, body: Body, values: Mapping[str, float], small: float) -> list[Any]:
    ends = [end for joint in model.joints.values() for end in (joint.child, joint.parent)]
    joints = [np.array(_numbers(e.position, values)) for e in ends if e.body == body.name]
    centre = np.array(_numbers(body.inertia.com, values))
    places = _distinct([*joints, centre])
    first, others = places[0], places[1:]
    longest = max((float(np.linalg.norm(p - first)) for p in others), default=0.0)
    if longest == 0.0:
        return [_ball(first, small)]
    bars = [_bar(first, p, _THIN * longest) for p in others]
    return [*bars, _ball(centre, 2.2 * _THIN * longest)]


def _bar(start: Any, end: Any, radius: float) -> dict[str, Any]:
    size = [*start.tolist(), *end.tolist(), radius]
    return {"kind": "bar", "size": size, "position": [0.0] * 3, "rotation": _IDLE}


def _distinct(places: list[Any]) -> list[Any]:
    kept: list[Any] = []
    for place in places:
        if not any(np.array_equal(place, other) for other in kept):
            kept.append(place)
    return kept


def _ball(centre: Any, radius: float) -> dict[str, Any]:
    return {"kind": "ball", "size": [radius], "position": centre.tolist(), "rotation": _IDLE}


def quaternion(rotation: Any) -> list[float]:
    """Quaternion x, y, z, w of a rotation matrix, as the page has it."""
    return list(_quaternion(np.array(rotation, dtype=float).tobytes()))


@lru_cache(maxsize=1000)  # most frames of a machine are turned in a few ways
def _quaternion(rotation: bytes) -> tuple[float, ...]:
    w, x, y, z = quaternions(np.frombuffer(rotation).reshape(1, 3, 3))[0].tolist()
    return x, y, z, w


def _numbers(vector: Any, values: Mapping[str, float]) -> list[float]:
    return [float(x) for x in evaluate(vector, values)]


def reach(shape: Mapping[str, Any]) -> Any:
    """Lower and upper corner (2, 3) [m] of a box around a shape in the body frame."""
    kind, size = shape["kind"], np.array(shape["size"], dtype=float)
    if kind == "bar":
        ends = size[:6].reshape(2, 3)
        return np.array([ends.min(axis=0) - size[6], ends.max(axis=0) + size[6]])
    low, high = _ends(kind, size)
    x, y, z, w = shape["rotation"]
    turned = corners(low, high) @ rotation_quaternion((w, x, y, z)).T + shape["position"]
    return np.array([turned.min(axis=0), turned.max(axis=0)])


def corners(low: Any, high: Any) -> Any:
    """Corners (8, 3) of a box."""
    return np.where(_CORNERS, high, low)


def _ends(kind: str, size: Any) -> tuple[Any, Any]:
    """Lower and upper corner of a shape in its own axes."""
    if kind == "mesh":
        return size[:3], size[3:]
    if kind == "rod":
        return np.minimum(0.0, size), np.maximum(0.0, size)
    half = _half(kind, size)
    return (-half * (1.0, 1.0, 0.0), half) if kind == "cone" else (-half, half)


def _half(kind: str, size: Any) -> Any:
    """Half the extents of a shape along its axes."""
    if kind == "box":
        return 0.5 * size
    if kind == "ball":
        return np.repeat(size, 3)
    if kind == "cone":
        return np.array((size[0], size[0], size[1]))
    if kind in ("cylinder", "tube"):
        return np.array((size[-2], size[-2], 0.5 * size[-1]))
    return np.abs(size)
