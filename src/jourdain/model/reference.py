"""Where the bodies are when every joint is in its reference position, in numbers."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain import math
from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.connection import Connection
from jourdain.model.drive import members
from jourdain.model.elements import WORLD, Frame, JointElement, with_values
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.unilateral import Coulomb, Unilateral
from jourdain.spatial.parameter import evaluate, values_in_force

if TYPE_CHECKING:
    from jourdain.model.model import Model

Pose = tuple[Any, Any]


def reference(model: Model, values: Mapping[str, float]) -> Snapshot:
    """Rest at time zero, driven coordinates where they begin.

    Joints that close loops do not count, nor do those that cannot be evaluated: what hangs on
    them stands at the origin.

    Parameters
    ----------
    model : Model
        The model.
    values : mapping of str to float
        Values of all its parameters.
    """
    poses: dict[str, Pose] = {WORLD: (np.eye(3), np.zeros(3))}
    coordinates = {name: 0.0 for name in model.coordinates}
    by_body = defaultdict(list)
    for name in model.movable.keys() - model.joints.keys():  # elastic coordinates
        coordinates |= _coordinates(model.movable[name], values)
    for joint in model.joints.values():
        by_body[joint.parent.body].append(joint)
        by_body[joint.child.body].append(joint)
        coordinates |= _coordinates(joint, values)
    for element in model.composites.values():
        begin = element.composite.start_values
        coordinates |= dict(zip(element.coordinates, begin, strict=True))
    known = (coordinates, values)
    waiting = deque([WORLD, *model.bodies])
    while waiting:
        body = waiting.popleft()
        poses.setdefault(body, poses[WORLD])
        for joint in by_body.pop(body, ()):
            other = joint.child.body if body == joint.parent.body else joint.parent.body
            if other not in poses and (pose := _neighbour(joint, body, poses[body], *known)):
                poses[other] = pose
                waiting.appendleft(other)
    tables: dict[str, dict[str, Any]] = {
        "multipliers": {},
        "forces": {},
        "states": {},
        "inputs": {},
    }
    for connection in (*model.connections.values(), *model.states.values()):
        tables["multipliers"] |= _forces(connection)
        tables["forces"] |= _forces(connection) or {connection.name: _zeros(connection)}
        tables["states"] |= _states(connection)
        tables["inputs"] |= dict.fromkeys(_names(connection, "inputs"), 0.0)
    tables["rates"] = dict.fromkeys(tables["states"], 0.0)
    return Snapshot(poses, coordinates, **tables, where=f"model {model.name!r}")


def _states(connection: Connection) -> dict[str, float]:
    """States of a law by their full names, as they start."""
    names = _names(connection, "states")
    try:
        start = map(float, connection.law.start())  # type: ignore[union-attr]
        return dict(zip(names, start, strict=True)) if names else {}
    except Exception:  # user code; told where laws are checked
        return dict.fromkeys(names, 0.0)


def _names(connection: Connection, table: str) -> list[str]:
    """Full names of the states or inputs of a law; none where it cannot tell them."""
    try:
        return [f"{connection.name}.{name}" for name in getattr(connection.law, table, {})]
    except Exception:  # user code; told where laws are checked
        return []


def _zeros(connection: Connection) -> Any:
    n = connection.measure.size
    return np.zeros(n) if n > 1 else 0.0


def _forces(connection: Connection) -> dict[str, Any]:
    """Forces of a constraint or a contact that laws may ask for, all zero."""
    name = connection.name
    if isinstance(connection.law, Equal):
        return {name: _zeros(connection)}
    if not isinstance(connection.law, Unilateral | Coulomb):
        return {}
    points = int(connection.measure.n_points)
    return {name if points == 1 else f"{name}.{k + 1}": 0.0 for k in range(points)}


def _coordinates(joint: JointElement, values: Mapping[str, float]) -> dict[str, float]:
    """Coordinates of a joint by their full names."""
    kind = joint.kind
    try:
        found = dict(zip(kind.coordinates, map(float, kind.start()), strict=True))
        for key, function in joint.driven.items():
            with values_in_force(values), np.errstate(all="ignore"):
                held = np.reshape(evaluate(function(0.0), values), -1).astype(float)
            found |= zip(members(kind, key), map(float, held), strict=True)
    except Exception:  # user code; told where joints are checked
        return dict.fromkeys((f"{joint.name}.{name}" for name in kind.coordinates), 0.0)
    return {f"{joint.name}.{name}": x for name, x in found.items()}


def _neighbour(
    joint: JointElement,
    body: str,
    pose: Pose,
    coordinates: Mapping[str, float],
    values: Mapping[str, float],
) -> Pose | None:
    """Pose of the body at the other end of a joint; None if the joint cannot be evaluated."""
    q = [coordinates[f"{joint.name}.{name}"] for name in joint.kind.coordinates]
    parts = (joint.kind, joint.parent, joint.child)
    try:
        kind, *ends = (with_values(part, values) for part in parts) if values else parts
        with np.errstate(all="ignore"):
            R, r = kind.pose(np.array(q), 0.0)
        parent, child = map(_placed, ends)
        whole = _after(_after(parent, (np.asarray(R, dtype=float), math.vector(r))), _back(child))
    except Exception:  # user code; told where joints are checked
        return None
    return _after(pose, whole if body == joint.parent.body else _back(whole))


def _placed(frame: Frame) -> Pose:
    return np.array(frame.rotation), math.vector(frame.position)


def _after(first: Pose, second: Pose) -> Pose:
    return first[0] @ second[0], first[1] + first[0] @ second[1]


def _back(pose: Pose) -> Pose:
    return pose[0].T, -pose[0].T @ pose[1]
