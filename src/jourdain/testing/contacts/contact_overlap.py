"""Overlap of bodies in groups of contacts, from their positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.simulation.contact.pile_run import PileRun
from jourdain.simulation.contact.steps.watch import Watch
from jourdain.simulation.methods import MoreauJean
from jourdain.testing.contacts.contact_samples import ContactSamples

_MOST = 12  # samples at which bodies are looked at
_LEFT = 1e-7  # [m] that the correction of positions leaves in a pile at rest


def group_overlap(run: ContactSamples) -> tuple[Any, Any] | None:
    """Deepest overlap at some samples, elsewhere none (n,) [m], and what is allowed; or None."""
    solution = run.solution
    if not solution.model.contact_groups:
        return None
    system, n = solution.system, len(run.time)
    held: dict[str, int] = {}
    p = system.parameter_array(solution.parameters)
    pile = PileRun(system, MoreauJean(run.step), {}, held, p, Watch(system, {}, held)).pile
    deepest = np.zeros(n)
    for k in np.unique(np.linspace(0, n - 1, min(n, _MOST)).astype(int)):
        deepest[k] = pile.deepest(solution.q[k], solution.v[k], run.time[k])[0]
    fastest = run.fastest if run.corrects_positions else run.fastest.max()
    return deepest, _LEFT + run.step * fastest
