"""Forces of dry friction in parallel at samples: no law of motion says which of them carries what.

Whatever method has moved the machine, those that rest share what they carry by one rule: the
smallest sum of squares, each as a part of its limit,

    min Σ λ_i² √G_ii / c_i   with   G λ = G λ_0,   |λ_i| ≤ c_i                     (CT-27)

Parallel brakes then hold in proportion to their capacities. Motion and resultants stay as they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.simulation.contact.rows import Contacts
from jourdain.simulation.tolerances import CLOSED, LOST_RESPONSE, NO_MARGIN


def parallel_rows(contacts: Contacts, names: Any) -> dict[int, int]:
    """Rows of dry friction along one direction whose forces are not unique, by contact point."""
    return {
        k: x.tangents[0]
        for k, x in enumerate(contacts.touches)
        if x.is_dry and not x.is_lock and len(x.tangents) == 1 and x.name in names
    }


def share_parallel(rows: dict[int, int], forces: Any, found: list[Any], static: Any) -> Any:
    """Forces (n, 3 n_points) of samples, in which parallel dry friction has those of (CT-27).

    ``found`` are the numbers of all rows at the samples, ``static`` capacities of what sticks.
    """
    _, rates, _, _, W, B, _ = found
    n, own, points = len(forces), np.array([*rows.values()]), np.array([*rows])
    W, B = (x.reshape(n, rates.shape[1], -1)[:, own] for x in (W, B))
    shared, places = forces.copy(), 3 * points + 1
    for i in range(n):
        limits = static[i, 2 * points]
        rests = (np.abs(rates[i, own]) <= CLOSED) & (limits > 0.0)
        if np.count_nonzero(rests) > 1:
            G = W[i, rests] @ B[i, rests].T
            at = places[rests]
            shared[i, at] = _smallest(G, forces[i, at], limits[rests])
    return shared


def _smallest(G: Any, known: Any, limits: Any) -> Any:
    """Forces of (CT-27): those that would be beyond their limits are at them."""
    weight = np.sqrt(limits / np.sqrt(np.maximum(np.diag(G), 1e-300)))
    forces, is_free = np.zeros(len(known)), np.ones(len(known), dtype=bool)
    for _ in range(len(known)):
        left = G @ known - G[:, ~is_free] @ forces[~is_free]
        scaled = G[:, is_free] * weight[is_free]
        forces[is_free] = weight[is_free] * (np.linalg.pinv(scaled, rcond=LOST_RESPONSE) @ left)
        is_beyond = is_free & (np.abs(forces) > limits)
        if not is_beyond.any():
            break
        forces = np.where(is_beyond, np.clip(forces, -limits, limits), forces)
        is_free &= ~is_beyond
    is_lawful = (np.abs(forces) <= limits).all()
    off = np.abs(G @ (forces - known)).max()
    is_same = off <= NO_MARGIN * (np.abs(G) @ np.abs(known)).max()
    return forces if is_lawful and is_same else known
