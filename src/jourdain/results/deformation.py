"""How much flexible bodies deform in a run: shapes are for small deformations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jourdain.model.flexible.kinds import Section
from jourdain.model.flexible.solid import turn_of

if TYPE_CHECKING:
    from jourdain.results.solution import Solution

ROUGH = 0.2
"""Turn [rad] within a body beyond which its shapes are rough."""


def largest_turns(solution: Solution) -> dict[str, float]:
    """Largest turn [rad] of a section or gauge of each flexible body against its frame."""
    found = dict[str, float]()
    if not any(".elastic." in name for name in solution.channels):
        return found
    model = solution.system.model
    for link in solution.system.description.links:
        if link.block is None or not len(solution.time):
            continue
        joint = link.joint
        names = [f"{joint.name}.{name}" for name in joint.joint.kind.coordinates]
        d = np.stack([solution.values(name) for name in names], axis=-1)
        kinds = [j.kind for j in model.joints.values() if j.parent.body == link.name]
        sections = [(kind.place.T, kind.place.T2) for kind in kinds if isinstance(kind, Section)]
        solid = model.bodies[link.name].elastic
        most = max((turn_of(*own, d) for own in sections), default=0.0)
        most = most if solid is None else max(most, solid.largest_turn(d))
        found[joint.name.removesuffix(".elastic")] = most
    return found
