"""What connections look like: springs, dampers, rods, ropes, and points of contact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from jourdain.math import axis_vector
from jourdain.model.composites.inside import Inside, InsideView
from jourdain.model.connection import Connection
from jourdain.model.contact_group import ContactGroup
from jourdain.model.contours import HalfSpace, tangents
from jourdain.model.elements import WORLD, Frame, with_values
from jourdain.model.joints.axis import frame_about
from jourdain.model.laws import (
    Actuator,
    Damper,
    Equal,
    Force,
    Law,
    Maxwell,
    Motor,
    Servo,
    SetValued,
    Spring,
)
from jourdain.model.laws.beam import Bar, Beam
from jourdain.model.laws.law import SumLaw
from jourdain.model.measures import Distance, Gap, PathLength, Relative, Sum
from jourdain.model.model import Model
from jourdain.spatial.parameter import evaluate
from jourdain.viz.shapes.drawables import TEAL, Arrow, Drawable, Line, Marker, Moving, Stretch

_ROUND = 13  # points of a rope on a cylinder
_SPRINGS, _DAMPERS = (Spring, Maxwell), (Damper, Actuator, Force, Motor, Servo)


def connection_drawables(model: Model, values: Any, size: float) -> Iterator[Drawable]:
    """Yield what is seen of the connections of a model.

    Parameters
    ----------
    model : Model
        The machine.
    values : mapping of str to float
        Values of all parameters.
    size : float [m]
        Size of the planes that bodies can touch.
    """
    planes: dict[HalfSpace, None] = {}
    drawn: list[Drawable] = []
    for connection in model.connections.values():
        measure = with_values(connection.measure, values)
        drawn += _drawn(connection, measure)
        planes |= dict.fromkeys(_planes(measure))
    yield from _one_between_two(drawn)
    for element in model.composites.values():
        inside: Any = with_values(model.connections[element.inner_names[0]].measure, values)
        for node in element.composite.nodes:
            yield Marker(f"{element.name}.{node.name}", _seen(inside, node.at()), colour=TEAL)
    for group in model.contact_groups.values():
        planes |= dict.fromkeys(_planes(with_values(group, values)))
    for k, plane in enumerate(planes, 1):
        if plane.frame.body != WORLD or _tilt(plane, model, values) < 1e-6:
            continue  # the floor of the page shows it
        yield Line(f"plane {k}", _outline(plane, size), plane.frame)


def _one_between_two(drawn: list[Drawable]) -> Iterator[Drawable]:
    """What is drawn, with one thing to be seen between the same ends: the others are in it.

    A spring and a damper are a strut; stops of a cylinder are inside of it.
    """
    kinds: dict[tuple[Any, ...], set[str]] = {}
    stretches = [d for d in drawn if isinstance(d, Stretch) and d.kind != "rope"]
    for stretch in stretches:
        kinds.setdefault(stretch.through, set()).add(stretch.kind)
    for own in drawn:
        if not isinstance(own, Stretch) or own.through not in kinds:
            yield own
            continue
        among, kind = kinds[own.through], "hidden"
        if among and own.kind != "rope":
            kind = "strut" if {"spring", "damper"} <= among or "strut" in among else own.kind
            kinds[own.through] = set()
        yield replace(own, kind=kind)


def _drawn(connection: Connection, measure: Any) -> Iterator[Drawable]:
    name = connection.name
    if isinstance(measure, Inside):
        yield from _drawn_inside(connection, measure)
    elif isinstance(measure, Sum):
        for _, part in measure.terms:
            yield from (d for d in _drawn(connection, part) if not isinstance(d, Arrow))
    elif isinstance(measure, Distance):
        kind = stretch_kind(connection.law)
        yield Stretch(name, kind, (measure.start, measure.end))
        if not isinstance(connection.law, SetValued):
            yield Arrow(name, "force", measure.end, Moving(partial(_pull, name, measure)))
    elif isinstance(measure, PathLength):
        yield Stretch(name, "rope", _rope(measure))
    elif isinstance(measure, Relative):
        yield Marker(name, measure.end, colour=TEAL)
    elif isinstance(measure, Gap):
        yield from _contacts(connection, measure)


def _drawn_inside(connection: Connection, inside: Inside) -> Iterator[Stretch]:
    """Parts of composites along lines, between bodies and nodes."""
    whole = inside.measure
    for measure in (m for _, m in whole.terms) if isinstance(whole, Sum) else (whole,):
        if isinstance(measure, Distance | PathLength) and getattr(measure, "over", None) is None:
            ends = measure.points if isinstance(measure, PathLength) else measure.frames
            kind = "rope" if isinstance(measure, PathLength) else stretch_kind(connection.law)
            yield Stretch(connection.name, kind, tuple(_seen(inside, frame) for frame in ends))


def _seen(inside: Inside, frame: Frame) -> Frame | Moving:
    """A frame, or where it is if it is on a node."""
    if all(frame.body != node.name for node in inside.nodes):
        return frame
    return Moving(partial(_node_point, inside, frame))


def _node_point(inside: Inside, frame: Frame, at: Any) -> Any:
    return np.asarray(InsideView(at, inside).pose(frame)[1], dtype=float)


def stretch_kind(law: Any) -> str:
    """Look of a law along a line: ``spring``, ``damper``, ``strut`` (both), ``rod`` or ``rope``."""
    if isinstance(law, Equal | Bar | Beam):
        return "rod"
    if isinstance(law, SetValued):
        return "rope"
    parts = law.parts if isinstance(law, SumLaw) else (law,)
    springs, dampers = (any(isinstance(p, k) for p in parts) for k in (_SPRINGS, _DAMPERS))
    if springs and dampers:
        return "strut"
    return "spring" if springs or any(isinstance(p, Law) for p in parts) else "damper"


def _pull(name: str, measure: Distance, at: Any) -> Any:
    """Force on the end [N]: along the line, outwards if positive."""
    line = at.pose(measure.end)[1] - at.pose(measure.start)[1]
    return at.quantity(f"{name}.force") * line / max(float(np.linalg.norm(line)), 1e-300)


def _rope(measure: PathLength) -> tuple[Any, ...]:
    if measure.over is None:
        return measure.points
    around = (Moving(partial(_rope_point, measure, k)) for k in range(_ROUND))
    return measure.points[0], *around, measure.points[1]


def _rope_point(measure: PathLength, k: int, at: Any) -> Any:
    return at.once(measure, lambda: wrapped_points(measure, at))[k]


def wrapped_points(measure: PathLength, at: Any) -> Any:
    """Points (n, 3) [m] in the world of a rope on its cylinder, from one tangent to the other."""
    turn, radius = np.asarray(frame_about(measure.axis), dtype=float), float(measure.radius)
    p, q = (turn.T @ at.relative(point, measure.over)[1] for point in measure.points)
    share = np.linspace(0.0, 1.0, _ROUND)[:, np.newaxis]
    between = 0.5 * np.pi + np.arctan2(-p[:2] @ q[:2], p[0] * q[1] - p[1] * q[0])
    tangent = [np.sqrt(max(x[:2] @ x[:2] - radius**2, 0.0)) for x in (p, q)]
    covered = [np.arctan2(length, radius) for length in tangent]
    wrap = between - sum(covered)
    wrap = wrap if measure.lifts else wrap % (2.0 * np.pi)
    if wrap <= 0.0:
        local = p + share * (q - p)
    else:
        first = np.arctan2(p[1], p[0]) + covered[0]
        angle = first + share[:, 0] * wrap
        along = (tangent[0] + radius * wrap * share[:, 0]) / (sum(tangent) + radius * wrap)
        height = p[2] + along * (q[2] - p[2])
        local = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), height])
    R, r = at.pose(measure.over)
    return local @ (R @ turn).T + r


def _contacts(connection: Connection, measure: Gap) -> Iterator[Drawable]:
    names = [f"{connection.name}.{k + 1}" for k in range(measure.n_points)]
    for k, name in enumerate(names if measure.n_points > 1 else [connection.name]):
        active = f"{name}.normal_force" if isinstance(connection.law, SetValued) else ""
        place = Moving(partial(_contact_point, measure, k))
        yield Marker(name, place, active)
        if active:
            vector = Moving(partial(_contact_force, measure, k, name))
            yield Arrow(name, "force", place, vector)


def _contact(measure: Gap, k: int, at: Any) -> Any:
    return at.once(measure, lambda: measure.points(at))[k]


def _contact_point(measure: Gap, k: int, at: Any) -> Any:
    found = _contact(measure, k, at)
    return 0.5 * (np.asarray(found.point_a, dtype=float) + np.asarray(found.point_b, dtype=float))


def _contact_force(measure: Gap, k: int, name: str, at: Any) -> Any:
    """Force on contour b [N] in world axes."""
    normal = np.asarray(_contact(measure, k, at).normal, dtype=float)
    force = at.quantity(f"{name}.normal_force") * normal
    for tangent, part in zip(tangents(normal), at.quantity(f"{name}.friction_force"), strict=True):
        force = force + part * np.asarray(tangent, dtype=float)
    return force


def _planes(given: Any) -> Iterator[HalfSpace]:
    """Planes of the world among the contours of a gap or of a group."""
    if isinstance(given, Gap | ContactGroup):
        for contour in given.contours if isinstance(given, ContactGroup) else (given.a, given.b):
            if isinstance(contour, HalfSpace) and contour.frame.body == WORLD:
                yield contour


def _tilt(plane: HalfSpace, model: Model, values: Any) -> float:
    """Sine of the angle between a plane of the world and the ground."""
    gravity = np.array(evaluate(model.gravity, values), dtype=float)
    return float(np.linalg.norm(np.cross(_normal(plane), gravity))) / (
        float(np.linalg.norm(gravity)) or 1.0
    )


def _normal(plane: HalfSpace) -> Any:
    turn = np.array(plane.frame.rotation, dtype=float)
    return turn @ np.asarray(axis_vector(plane.normal), dtype=float)


def ground_height(model: Model, values: Any, turn: Any) -> float | None:
    """Height [m] of the level plane that bodies can touch, in axes turned by ``turn``."""
    connections = (with_values(c.measure, values) for c in model.connections.values())
    found = [*connections, *(with_values(g, values) for g in model.contact_groups.values())]
    for given in found:
        for plane in _planes(given):
            if _tilt(plane, model, values) < 1e-6:
                return float((turn @ np.array(plane.frame.position, dtype=float))[2])
    return None


def _outline(plane: HalfSpace, size: float) -> Any:
    """Square with its middle lines, in the plane."""
    walk = [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1), (-1, 0), (1, 0), (1, 1), (0, 1), (0, -1)]
    corners = 0.5 * size * np.array([(*corner, 0.0) for corner in walk], dtype=float)
    return corners @ np.asarray(frame_about(plane.normal), dtype=float).T
