"""Overlap of bodies in groups of contacts, from their positions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jourdain.model.contact_group import ContactGroup
from jourdain.model.elements import WORLD, with_values
from jourdain.simulation.contact.steps.group_points import apart_pairs, joined_bodies
from jourdain.solvers.collision import ContactFinder
from jourdain.testing.contacts.contact_samples import ContactSamples

_MOST = 12  # samples at which bodies are looked at
_LEFT = 1e-7  # [m] that the correction of positions leaves in a pile at rest


def group_overlap(run: ContactSamples) -> tuple[Any, Any] | None:
    """Deepest overlap at some samples, elsewhere none (n,) [m], and what is allowed; or None."""
    solution = run.solution
    if not solution.model.contact_groups:
        return None
    system, n = solution.system, len(run.time)
    p = system.parameter_array(solution.parameters)
    values = dict(zip(system.names.parameters, p.tolist(), strict=True))
    groups = [with_values(g, values) for g in solution.model.contact_groups.values()]
    joined = joined_bodies(solution.model)
    deepest = np.zeros(n)
    looked_at = np.unique(np.linspace(0, n - 1, min(n, _MOST)).astype(int))
    poses = system.poses(solution.q[looked_at], run.time[looked_at], parameters=p)
    for group in groups:
        finder, touches = ContactFinder(group.contours), _may_touch(group, joined)
        for k, frames in zip(looked_at.tolist(), poses, strict=True):
            found = finder.find(np.array([*_placed(group, system.names.bodies, frames)]), 0.0)
            gaps = [g for a, b, g in zip(found.a, found.b, found.gap, strict=True) if touches[a, b]]
            deepest[k] = max(deepest[k], -min(gaps, default=0.0))
    fastest = run.fastest if run.corrects_positions else run.fastest.max()
    return deepest, _LEFT + run.step * fastest


def _placed(group: ContactGroup, names: Any, frames: Any) -> Iterator[Any]:
    """Poses of the contours: rotation row by row, and position."""
    for contour in group.contours:
        body, turn = contour.frame.body, np.array(contour.frame.rotation, dtype=float)
        place = np.array(contour.frame.position, dtype=float)
        if body != WORLD:
            R, x = frames[names.index(body)][:3, :3], frames[names.index(body)][:3, 3]
            turn, place = R @ turn, R @ place + x
        yield [*turn.ravel(), *place]


def _may_touch(group: ContactGroup, joined: Any) -> Any:
    """Which contours have a law for each other (n, n)."""
    pairs = {frozenset((a, b)) for a, b, _ in group.laws}
    kinds = group.kinds
    touches = np.array([[frozenset((a, b)) in pairs for b in kinds] for a in kinds])
    for i, j in () if group.with_joined else apart_pairs(group, joined):
        touches[i, j] = touches[j, i] = False
    return touches
