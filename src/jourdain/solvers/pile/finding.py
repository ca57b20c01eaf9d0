"""Contacts of all groups and single ones at given poses, with the number of the law of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jourdain.solvers.collision import Candidates
from jourdain.solvers.pile.units import Group, Singles

_FIELDS = ("pairs", "feature", "gap", "normal", "point_a", "point_b")


def found_contacts(
    groups: Sequence[Group], singles: Singles | None, poses: Any, margin: float
) -> tuple[Candidates, Any]:
    """Candidates with contours numbered through, and the laws, numbered through too."""
    parts, laws, contour, law = [], [], 0, 0
    for group in groups:
        n = len(group.units)
        found = group.finder.find(poses[contour : contour + n], margin)
        own = group.laws_of(found.pairs)
        columns = [getattr(found, field) for field in _FIELDS]
        if (own < 0).any():
            columns, own = [x[own >= 0] for x in columns], own[own >= 0]
        columns[0] = columns[0] + contour
        parts.append(columns)
        laws.append(own + law)
        contour, law = contour + n, law + len(group.laws)
    if singles is not None and len(singles):
        parts.append(list(singles.candidates(contour)))
        laws.append(law + np.arange(len(singles)))
    joined = parts[0] if len(parts) == 1 else [np.concatenate(x) for x in zip(*parts, strict=True)]
    return Candidates(len(joined[0]), *joined), np.concatenate(laws)
