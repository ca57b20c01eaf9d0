"""How many motions a joint leaves free, and how many it constrains."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from jourdain.model.drive import members
from jourdain.model.elements import JointElement
from jourdain.model.laws.equal import Equal
from jourdain.model.model import Model

_QUATERNION = {"w", "x", "y", "z"}


def driven_coordinates(joint: JointElement) -> tuple[str, ...]:
    """Position coordinates of a joint that are given functions of time.

    A drive names one coordinate, or a vector: ``position`` stands for its components
    ``position.x``, ``position.y`` and ``position.z``.
    """
    found = {name for key in joint.driven for name in members(joint.kind, key)}
    return tuple(name for name in joint.kind.coordinates if name in found) if found else ()


def freedoms(joint: JointElement) -> int:
    """Count of velocity coordinates that are not driven.

    The four components of a driven quaternion take away three.
    """
    driven = driven_coordinates(joint)
    return len(joint.kind.velocities) - len(driven) + _quaternions(driven)


def position_freedoms(joint: JointElement) -> int:
    """Count of independent position coordinates that are not driven.

    A quaternion counts three. More than `freedoms` in a nonholonomic joint.
    """
    free = [name for name in joint.kind.coordinates if name not in driven_coordinates(joint)]
    return len(free) - _quaternions(free)


def _quaternions(names: Iterable[str]) -> int:
    """Count of whole quaternions among names of coordinates."""
    components = defaultdict(set)
    for name in names:
        stem, _, component = name.rpartition(".")
        components[stem].add(component)
    return sum(found == _QUATERNION for found in components.values())


def constrained_modes(joint: JointElement) -> int:
    """Count of relative motions that a joint locks or drives, at most 6.

    It is the weight of the joint in the choice of the tree, and the count of its constraint rows
    on velocity level when it is cut.
    """
    return 6 - freedoms(joint)


def held_rows(model: Model) -> dict[str, int]:
    """Constraint rows of the connections that hold a measure.

    A composite has those of its held parts beyond the ones that place its nodes.
    """
    inside = {name for c in model.composites.values() for name in c.member_names}
    rows = {
        c.name: c.measure.size
        for c in model.connections.values()
        if isinstance(c.law, Equal) and c.name not in inside
    }
    composites = (c for c in model.composites.values() if c.is_kinematic)
    return rows | {c.name: n for c in composites if (n := c.n_held - len(c.coordinates))}
