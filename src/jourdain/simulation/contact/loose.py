"""Which bodies of a model hang on the world alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from jourdain.model.elements import WORLD, Body, Frame, JointElement, with_values
from jourdain.model.joints.free import Free
from jourdain.model.measures import Coordinate, Sum, Touch
from jourdain.model.model import Model
from jourdain.model.names import owned
from jourdain.solvers.timestep.free.bodies import FreeBodies
from jourdain.solvers.timestep.free.motion import PROPERTIES
from jourdain.spatial.parameter import nominal
from jourdain.system import System


def loose_bodies(model: Model, inputs: Iterable[str]) -> dict[str, str]:
    """Names of loose bodies, with the names of their free joints.

    A loose body has no joint but a free one between the frames of the world and its own, no
    connection, no input, and inertia about all axes.
    """
    used = {frame.body for c in model.connections.values() for frame in c.measure.frames}
    elements = {*model.bodies, *model.joints}  # automatic free joints have the names of bodies
    read = [x for c in model.connections.values() for x in _read(c.measure)]
    named = {owned(name, elements)[0] for name in (*inputs, *read)}
    found = {}
    for name, own in _joints(model).items():
        free = own[0].name if len(own) == 1 and _is_free(own[0], name) else name
        if (not own or free != name) and not used & {name} and not named & {free, name}:
            found[name] = free
    return {name: joint for name, joint in found.items() if _has_inertia(model.bodies[name])}


def free_bodies(model: Model, inputs: Iterable[str]) -> dict[str, str]:
    """Names of bodies with a free joint alone, with the names of these joints.

    Contacts, springs and inputs may act on them; on those whose centre of mass is not their origin
    nothing but contacts.
    """
    laws = (c for c in model.connections.values() if not c.law.is_set_valued)
    used = {frame.body for c in laws for frame in c.measure.frames}
    named = {owned(name, {*model.bodies, *model.joints})[0] for name in inputs}
    found = {}
    for name, own in _joints(model).items():
        free = own[0].name if len(own) == 1 and _is_free(own[0], name) else name
        is_alone = name not in used and not named & {free, name}
        is_offset = any(nominal(x) != 0.0 for x in model.bodies[name].inertia.com)
        if (not own or free != name) and (is_alone or not is_offset):
            found[name] = free
    return {name: joint for name, joint in found.items() if _has_inertia(model.bodies[name])}


def _joints(model: Model) -> dict[str, list[JointElement]]:
    """Joints of each body."""
    joints: dict[str, list[JointElement]] = {name: [] for name in model.bodies}
    for joint in model.joints.values():
        for body in {joint.parent.body, joint.child.body} & set(joints):
            joints[body].append(joint)
    return joints


def _read(measure: Any) -> Iterator[str]:
    """Coordinates that a measure names."""
    if isinstance(measure, Coordinate):
        yield measure.name
    elif isinstance(measure, Sum):
        for _, part in measure.terms:
            yield from _read(part)
    elif isinstance(measure, Touch):
        yield from _read(measure.normal)
        yield from _read(measure.tangential)


def _is_free(joint: JointElement, body: str) -> bool:
    ends = joint.parent == Frame(WORLD) and joint.child == Frame(body)
    return type(joint.kind) is Free and not joint.driven and not joint.armature and ends


def _has_inertia(body: Body) -> bool:
    moments = np.array(nominal(body.inertia.moments), dtype=float)
    return nominal(body.inertia.mass) > 0.0 and bool(np.linalg.eigvalsh(moments)[0] > 0.0)


def loose_of(system: System, found: Mapping[str, str], values: Mapping[str, float]) -> FreeBodies:
    """Masses and places of the coordinates of loose bodies."""
    names, rows = system.names, []
    for name in found:
        inertia = with_values(system.model.bodies[name].inertia, values)
        moments = np.array(inertia.moments, dtype=float)
        radius = np.sqrt(np.linalg.eigvalsh(moments)[-1] / inertia.mass)
        inverse = np.linalg.inv(moments)
        rows.append([inertia.mass, *inertia.com, *moments.ravel(), *inverse.ravel(), radius])
    return FreeBodies(
        np.array(rows, dtype=float).reshape(len(rows), PROPERTIES),
        np.array([names.q.index(f"{j}.position.x") for j in found.values()], dtype=np.int64),
        np.array([names.v.index(f"{j}.velocity.x") for j in found.values()], dtype=np.int64),
    )
