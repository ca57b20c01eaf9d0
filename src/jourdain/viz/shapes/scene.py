"""What there is to see of a model: one coloured mesh for each body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import ModelError, unknown_name
from jourdain.model.elements import Body
from jourdain.model.model import Model
from jourdain.spatial import check
from jourdain.spatial.parameter import nominal
from jourdain.viz.shapes.arms import arms, joint_ends
from jourdain.viz.shapes.mesh import Mesh, ball, joined, rod, shape_mesh
from jourdain.viz.shapes.outlines import outlines

PALETTE = (
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#ee8866", "#44aa99",
    "#9970ab", "#8c8c8c",
)  # fmt: skip
LEVELS = 16
"""Colours of stresses in pictures."""
_THIN = 0.04  # radius of a line between joints, in its length
_NOTHING = 1e-9  # radius of what is not to be seen [m]
_SMALL = 0.05  # radius of a body without any extent [m]


@dataclass(frozen=True, slots=True)
class Part:
    """A body as it is drawn.

    Parameters
    ----------
    name : str
        Name of the body.
    colour : str
        Colour as ``"#rrggbb"``.
    mesh : Mesh
        Surface in the body frame.
    levels : (m,), optional
        Stress of each triangle, from 0 to `LEVELS` - 1, which gives its colour.
    opacity : float
        From 0 to 1: below one it is seen through.
    """

    name: str
    colour: str
    mesh: Mesh
    levels: Any = None
    opacity: float = 1.0


def make_parts(model: Model, colours: Mapping[str, str] | None = None) -> tuple[Part, ...]:
    """Bodies of a model in the order of adding.

    Parameters
    ----------
    model : Model
        The machine. Bodies without shapes become lines between their joints.
    colours : mapping of str to str, optional
        Colours ``"#rrggbb"`` by body; the others take turns.

    Raises
    ------
    ModelError
        If there is no body to draw, or a colour has another form.
    UnknownNameError
        If a colour is given for a body that is not there.
    """
    paint = chosen_colours(model, colours)
    return tuple(
        Part(body.name, paint[body.name], _body_mesh(model, body), opacity=body.opacity)
        for body in model.bodies.values()
    )


def chosen_colours(model: Model, colours: Mapping[str, str] | None = None) -> dict[str, str]:
    """Colours ``"#rrggbb"`` of all bodies: those given, their own or of their shapes, or in turns.

    Raises
    ------
    ModelError
        If there is no body to draw, or a colour has another form.
    UnknownNameError
        If a colour is given for a body that is not there.
    """
    if not model.bodies:
        raise ModelError(f"model {model.name!r} has no bodies to draw. Add some with add_body.")
    given = dict(colours or {})
    for name, colour in given.items():
        if name not in model.bodies:
            raise unknown_name("body", name, model.bodies, f"model {model.name!r}")
        check.colour(colour, f"the colour of body {name!r}")
    wholes = {name: body.piece_of or name for name, body in model.bodies.items()}
    turns = {whole: k for k, whole in enumerate(dict.fromkeys(wholes.values()))}
    own = {name: body.colour or _colour_of_shapes(body) for name, body in model.bodies.items()}
    return {
        name: given.get(name, given.get(whole, own[name] or PALETTE[turns[whole] % len(PALETTE)]))
        for name, whole in wholes.items()
    }


def _colour_of_shapes(body: Body) -> str:
    """Colour of the first shape that has one; empty if none has."""
    for shape in body.shapes:
        if shape.colour is not None:
            return "#" + "".join(f"{round(255 * x):02x}" for x in shape.colour[:3])
    return ""


def corners(parts: tuple[Part, ...], poses: Any) -> Any:
    """Lower and upper corner (2, 3) [m] of a box around the parts at poses (..., n, 4, 4)."""
    frames = np.reshape(poses, (-1, len(parts), 4, 4))
    lower, upper = np.full(3, np.inf), np.full(3, -np.inf)
    for k, part in enumerate(parts):
        low, high = part.mesh.points.min(axis=0), part.mesh.points.max(axis=0)
        box = np.stack(np.meshgrid(*zip(low, high, strict=True)), axis=-1).reshape(-1, 3)
        places = box @ np.swapaxes(frames[:, k, :3, :3], 1, 2) + frames[:, k, np.newaxis, :3, 3]
        lower = np.minimum(lower, places.min(axis=(0, 1)))
        upper = np.maximum(upper, places.max(axis=(0, 1)))
    return np.array([lower, upper])


def floor_height(box: Any) -> float:
    """Height of the floor [m]: zero where the scene stands on it or above, else below the scene."""
    margin = 0.02 * float(np.max(box[1] - box[0]))
    return 0.0 if box[0][2] > -margin else float(box[0][2]) - margin


def grid_step(width: float) -> float:
    """Edge [m] of the squares of a floor below a scene of a width [m]: a round number."""
    quarter = max(width, 1e-6) / 4.0
    power = 10.0 ** np.floor(np.log10(quarter))
    return float(max(k * power for k in (0.5, 1.0, 2.0, 5.0) if k * power <= quarter))


def rgb(colour: str) -> Any:
    """Red, green and blue from 0 to 1 of ``"#rrggbb"``."""
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0


def _body_mesh(model: Model, body: Body) -> Mesh:
    meshes = [mesh for mesh in map(shape_mesh, body.shapes) if mesh is not None]
    if not body.piece_of:
        meshes += _outlined(model, body, meshes)
    if body.piece_of:  # nothing to see of a section but what it carries
        return joined(meshes or [ball(_NOTHING)])
    places = [nominal(end.position) for end in joint_ends(model, body)]
    boxes = [np.array([mesh.points.min(axis=0), mesh.points.max(axis=0)]) for mesh in meshes]
    bars = [rod(*arm) for arm in arms(places, boxes)]
    return joined([*meshes, *bars] if meshes else _lines(model, body))


def _outlined(model: Model, body: Body, solids: list[Mesh]) -> list[Mesh]:
    """Outlines of a body without solids; beside solids the flat ones, such as teeth of a wheel."""
    values = {name: nominal(parameter) for name, parameter in model.parameters.items()}
    found = (shape_mesh(shape) for shape in outlines(model, body.name, values))
    made = [mesh for mesh in found if mesh is not None]
    if not solids:
        return made
    boxes = [(mesh.points.min(axis=0), mesh.points.max(axis=0)) for mesh in solids]
    flat = (m for m in made if np.ptp(m.points, axis=0).min() < 1e-9 * np.ptp(m.points))
    return [
        mesh
        for mesh in flat
        if not any(((mesh.points >= a) & (mesh.points <= b)).all() for a, b in boxes)
    ]


def _lines(model: Model, body: Body) -> list[Mesh]:
    """Bars from the first joint of a body to its other joints and its centre of mass."""
    ends = [end for joint in model.joints.values() for end in (joint.child, joint.parent)]
    places = [end.position for end in ends if end.body == body.name] + [body.inertia.com]
    first, *others = (np.array(nominal(place), dtype=float) for place in places)
    lengths = [float(np.linalg.norm(other - first)) for other in others]
    longest = max(lengths, default=0.0)
    if longest == 0.0:
        return [ball(_SMALL).moved(first, np.eye(3))]
    pairs = zip(others, lengths, strict=True)
    bars = [rod(first, other, _THIN * longest) for other, length in pairs if length > 0.0]
    centre = np.array(nominal(body.inertia.com), dtype=float)
    return [*bars, ball(2.0 * _THIN * longest).moved(centre, np.eye(3))]
