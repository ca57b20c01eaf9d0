"""Flexible bodies as parts of a machine: rods and free bodies, or arms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jourdain.model.elements import JointElement
from jourdain.model.flexible.kinds import Elastic
from jourdain.model.flexible.solid import FlexibleSolid
from jourdain.model.laws.equal import Equal
from jourdain.model.model import Model
from jourdain.spatial.pose import ORIGIN
from jourdain.topology.tree import Topology


def flexible_bodies(model: Model, topology: Topology) -> dict[str, FlexibleSolid]:
    """Flexible bodies by name, each with the frame of deformations that suits its part (F9).

    Which joint of a loop is cut makes no difference.
    """
    own = {name: b.elastic for name, b in model.bodies.items() if b.elastic is not None}
    if not own:
        return {}
    fixed = [joint for joint in model.joints.values() if not joint.kind.coordinates]
    joined, held = (_places(own, joints) for joints in (model.joints.values(), fixed))
    rods = _rods(model, topology) - {name for name, places in held.items() if ORIGIN in places}
    return {
        name: solid.fastened(name in rods, joined[name], held[name]) for name, solid in own.items()
    }


def _places(bodies: Iterable[str], joints: Iterable[JointElement]) -> dict[str, list[Any]]:
    """Where joints are on bodies."""
    frames = [frame for joint in joints for frame in (joint.parent, joint.child)]
    return {name: [f.position for f in frames if f.body == name] for name in bodies}


def elastic_coordinates(model: Model, topology: Topology) -> dict[str, str]:
    """Elastic coordinates with their units, of bodies that have not been taken apart yet."""
    if any(isinstance(joint.kind, Elastic) for joint in model.joints.values()):
        return {}
    bodies = flexible_bodies(model, topology).items()
    return {
        f"{body}.elastic.{x}": unit for body, own in bodies for x, unit in own.coordinates.items()
    }


def _rods(model: Model, topology: Topology) -> set[str]:
    """Bodies in loops of joints and constraints, and free ones."""
    ends = [(joint.parent.body, joint.child.body) for joint in topology.cuts]
    for c in model.connections.values():
        if isinstance(c.law, Equal):
            bodies = [frame.body for frame in c.measure.frames]
            ends += [(bodies[0], other) for other in bodies[1:]]
    found = {joint.outboard for joint in topology.tree if joint.automatic}
    for one, other in ends:
        paths = [_path(topology, topology.number.get(body, 0)) for body in (one, other)]
        found |= {topology.names[k] for k in paths[0] ^ paths[1]}
    return found


def _path(topology: Topology, number: int) -> set[int]:
    """Numbers of the bodies from one to the world."""
    found = set[int]()
    while number:
        found.add(number)
        number = topology.tree[number - 1].inboard
    return found
