"""How much flexible bodies deform in a run: shapes are for small deformations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jourdain.model.flexible.kinds import Section

if TYPE_CHECKING:
    from jourdain.results.solution import Solution

ROUGH = 0.2
"""Turn [rad] within a body beyond which its shapes are rough."""
MOST = 0.7
"""Turn [rad] within a body beyond which results are not worth their name."""


def largest_turns(solution: Solution) -> dict[str, float]:
    """Largest turn [rad] of a section of each flexible body against its frame."""
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
        places = [kind.place for kind in kinds if isinstance(kind, Section)]
        sizes = [0.0]
        for place in places:
            turns = d @ place.T.T + 0.5 * np.einsum("aij,ti,tj->ta", place.T2, d, d)
            sizes.append(float(np.sqrt((turns**2).sum(axis=1)).max()))
        found[joint.name.removesuffix(".elastic")] = max(sizes)
    return found
