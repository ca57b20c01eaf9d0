"""Where the bodies are when every joint is in its reference position, in numbers."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain import math
from jourdain.model.drive import members
from jourdain.model.elements import WORLD, Frame, JointElement, with_values
from jourdain.model.laws.equal import Equal
from jourdain.model.snapshot import Snapshot
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
    for joint in model.joints.values():
        by_body[joint.parent.body].append(joint)
        by_body[joint.child.body].append(joint)
        coordinates |= _coordinates(joint, values)
    waiting = deque([WORLD, *model.bodies])
    while waiting:
        body = waiting.popleft()
        poses.setdefault(body, poses[WORLD])
        for joint in by_body.pop(body, ()):
            found = _neighbour(joint, body, poses[body], coordinates, values)
            if found and found[0] not in poses:
                poses[found[0]] = found[1]
                waiting.appendleft(found[0])
    multipliers = {
        c.name: np.zeros(c.measure.size) if c.measure.size > 1 else 0.0
        for c in model.connections.values()
        if isinstance(c.law, Equal)
    }
    where = f"model {model.name!r}"
    return Snapshot(poses, coordinates, multipliers=multipliers, where=where)


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
) -> tuple[str, Pose] | None:
    """Body at the other end of a joint, and its pose."""
    q = [coordinates[f"{joint.name}.{name}"] for name in joint.kind.coordinates]
    try:
        with np.errstate(all="ignore"):
            R, r = with_values(joint.kind, values).pose(np.array(q), 0.0)
        parent, child = (_placed(with_values(f, values)) for f in (joint.parent, joint.child))
        whole = _after(_after(parent, (np.asarray(R, dtype=float), math.vector(r))), _back(child))
    except Exception:  # user code; told where joints are checked
        return None
    if body == joint.parent.body:
        return joint.child.body, _after(pose, whole)
    return joint.parent.body, _after(pose, _back(whole))


def _placed(frame: Frame) -> Pose:
    return np.array(frame.rotation), math.vector(frame.position)


def _after(first: Pose, second: Pose) -> Pose:
    return first[0] @ second[0], first[1] + first[0] @ second[1]


def _back(pose: Pose) -> Pose:
    return pose[0].T, -pose[0].T @ pose[1]
