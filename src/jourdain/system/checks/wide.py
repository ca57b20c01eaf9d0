"""Inertias of a system that differ by so many orders that constraints need care."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.spatial.parameter import evaluate
from jourdain.system.description import Description

_WIDE = 1e4  # ratio of inertias from which on rows are made orthogonal


def has_wide_inertias(d: Description) -> bool:
    """Tell whether rows must be made orthogonal (CD-9) because inertias differ by orders.

    Inertias of different units cannot be compared: where constraints are among such coordinates,
    care is taken.
    """
    model = d.model
    if not d.parts.cuts and not d.parts.held and not d.parts.contact_names:
        return False
    values = {p.name: p.value for p in model.parameters.values()}
    coordinates = [c for c in model.coordinates.values() if c.driven is None]
    units = {c.unit for c in coordinates}
    if len(units) > 1 or (coordinates and model.bodies and d.parts.held):
        return True
    bodies = [evaluate((b.inertia.mass, b.inertia.moments), values) for b in model.bodies.values()]
    moments = [np.linalg.eigvalsh(np.array(J, dtype=float))[-1] for _, J in bodies]
    scalars = [evaluate(c.inertia, values) for c in coordinates]
    return any(_is_wide(x) for x in ([m for m, _ in bodies], moments, scalars))


def _is_wide(inertias: list[Any]) -> bool:
    some = [float(x) for x in inertias if x > 0.0]
    return bool(some) and max(some) > _WIDE * min(some)
