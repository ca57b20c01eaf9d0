"""What a solution shows besides its bodies: joints, frames, arrows, ways of points.

An element that is new to the program is drawn by adding its drawables to `furniture`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from jourdain.errors import ModelError, unknown_name
from jourdain.model.elements import WORLD, Body, Frame, JointElement
from jourdain.model.flexible.kinds import Elastic, Section
from jourdain.model.model import Model
from jourdain.spatial import check
from jourdain.spatial.parameter import evaluate
from jourdain.viz.shapes.connections import connection_drawables
from jourdain.viz.shapes.drawables import (
    Arrow,
    Drawable,
    Furniture,
    Hinge,
    Line,
    Mark,
    Stretch,
    Trace,
)


def furniture(
    model: Model,
    values: Any,
    traces: Sequence[Any] = (),
    extras: Sequence[Drawable] = (),
    size: float = 1.0,
) -> Furniture:
    """Drawables of a model.

    Parameters
    ----------
    model : Model
        The machine.
    values : mapping of str to float
        Values of all parameters.
    traces : sequence of str, Body or Frame
        Points whose ways are drawn: bodies, frames, or their names.
    extras : sequence of drawables
        What else to draw.
    size : float [m]
        Size of planes that bodies can touch.
    """
    own: list[Drawable] = [
        *_joints(model),
        *_marks(model),
        *_weights(model, values),
        *_loads(model),
    ]
    own += connection_drawables(model, values, size)
    own += [trace(model, place) for place in traces]
    return Furniture((*own, *extras))


def _joints_to_show(model: Model) -> Iterator[JointElement]:
    """Joints but for those inside of flexible bodies."""
    return (j for j in model.joints.values() if not isinstance(j.kind, Elastic | Section))


def _joints(model: Model) -> Iterator[Hinge]:
    for joint in _joints_to_show(model):
        yield Hinge(joint.name, joint.parent, joint.child, joint.kind)


def _marks(model: Model) -> Iterator[Mark]:
    for name, body in model.bodies.items():
        if not body.piece_of or body.piece_of == name:
            yield Mark(name, Frame(name))
    for name, frame in model.frames.items():
        yield Mark(name, frame)


def _loads(model: Model) -> Iterator[Arrow]:
    """Force and torque on the child of each joint, at the child frame, in axes of the parent."""
    for joint in _joints_to_show(model):
        for kind in ("force", "torque"):
            yield Arrow(joint.name, kind, joint.child, f"{joint.name}.{kind}", joint.parent)


def _weights(model: Model, values: Any) -> Iterator[Arrow]:
    gravity = np.array(evaluate(model.gravity, values), dtype=float)
    for body in model.bodies.values():
        weight = float(evaluate(body.inertia.mass, values)) * gravity
        if np.any(weight):
            place = Frame(body.name, body.inertia.com)
            yield Arrow(body.name, "weight", place, tuple(weight.tolist()))


def fixed_points(own: Furniture, values: Any) -> list[Any]:
    """Points (3,) [m] in the world that drawables reach, though no body does."""
    places = [place for stretch in own.of(Stretch) for place in stretch.through]
    frames = [place for place in places if isinstance(place, Frame) and place.body == WORLD]
    points = [np.array(evaluate(frame.position, values), dtype=float) for frame in frames]
    for line in own.of(Line):
        if line.at.body == WORLD:
            turn = np.array(line.at.rotation, dtype=float)
            start = np.array(evaluate(line.at.position, values), dtype=float)
            points += list(np.asarray(line.points, dtype=float) @ turn.T + start)
    return points


def trace(model: Model, place: Any) -> Trace:
    """Way of a body, of a frame, or of what has that name.

    Raises
    ------
    ModelError
        If it is neither.
    UnknownNameError
        If no body and no frame has that name.
    """
    if isinstance(place, Trace):
        return place
    if isinstance(place, str):
        known = {name: Frame(name) for name in model.bodies} | dict(model.frames)
        if place not in known:
            raise unknown_name("body", place, known, f"model {model.name!r}")
        return Trace(place, known[place])
    if not isinstance(place, Body | Frame) or _body(place) not in model.bodies:
        raise ModelError(
            f"cannot trace {check.shown(place)}. Give a body or a frame of model "
            f"{model.name!r} or its name, for example body.at(0.3, 0, 0)."
        )
    frame = Frame(place.name) if isinstance(place, Body) else place
    return Trace(str(frame), frame)


def _body(place: Body | Frame) -> str:
    name = place.name if isinstance(place, Body) else place.body
    return "" if name == WORLD else name
