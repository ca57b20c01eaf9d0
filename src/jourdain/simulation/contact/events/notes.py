"""Notes of runs from event to event: impacts, and modes that have changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from jourdain.equations.contact.contact_points import SLOW
from jourdain.results import Event as Found
from jourdain.simulation.contact.events.modes import WAY, Modes, not_unique
from jourdain.simulation.contact.impact import Impact
from jourdain.simulation.contact.rows import Contacts, Rows, Touch, locked
from jourdain.simulation.tolerances import SAME_INSTANT

_SAME_WAY = 0.99  # cosine of the angle between two directions of sliding that count as one


def impact_details(
    contacts: Contacts, rows: Rows, hit: Impact, touching: Sequence[int], place: tuple[Any, ...]
) -> dict[str, Any]:
    """Details of an impact at q, v, u, t; contacts that push, or all that touch."""
    v = place[1]
    pushes = [k for k in touching if hit.impulses[contacts.touches[k].normal] > 0.0]
    pushes += [k for k in locked(contacts.touches, rows) if any(contacts.parts(k, hit.impulses))]
    used = pushes or touching
    return {
        "contacts": tuple(contacts.touches[k].name for k in used),
        "impulses": tuple(contacts.parts(k, hit.impulses) for k in used),
        "before": tuple(contacts.parts(k, rows.u) for k in used),
        "after": tuple(contacts.parts(k, hit.after) for k in used),
        "v_after": tuple((v + hit.dv).tolist()),
        "energy": hit.energy,
        "drive_work": rows.drive_work(v, hit.impulses) + _held_work(contacts, rows, hit, place),
        "residual": hit.residual,
    }


def _held_work(contacts: Contacts, rows: Rows, hit: Impact, place: tuple[Any, ...]) -> float:
    """Work [J] in an impact of what holds measures at values that move.

    Constraints give M Δv − Wᵀ Λ, and do the work ½ (v⁺ + v⁻)ᵀ (M Δv − Wᵀ Λ): none at rest.
    """
    system = contacts.system
    if not system.has_constraints:
        return 0.0
    q, v, _, t = place
    momentum = system.multiply_mass_matrix(q, hit.dv, t, parameters=contacts.p)
    return float((v + 0.5 * hit.dv) @ (momentum - rows.W.T @ hit.impulses))


def jamming(contacts: Contacts, rows: Rows, resting: Sequence[int]) -> list[tuple[str, float]]:
    """Names of contacts that could as well jam, and how their force would pull them together."""
    found = not_unique(contacts, rows, resting)
    return [(contacts.touches[k].name, response) for k, response in found.items()]


def changes(
    contacts: Contacts, old: Modes, new: Modes, rows: Rows, fired: Sequence[int]
) -> Iterator[tuple[str, str]]:
    """Names and kinds of detachments, slips and sticks, also of what stops and turns round."""
    for k, x in enumerate(contacts.touches):
        before, now = old.word(k), new.word(k)
        if x.is_dry:
            before, now = ("slip" if w == "open" else w for w in (before, now))
        goes_on = before == now == "slip" and 2 * k + 1 in fired
        if x.is_lock:
            if before != now:
                yield x.name, "lock" if now == "stick" else "release"
            continue
        if before != now or (goes_on and _stopped(x, old, new, rows, k)):
            yield x.name, "detachment" if now == "open" else now if x.tangents else "contact"


def fresh(
    changed: Iterator[tuple[str, str]], ledger: Sequence[Found], t: float
) -> Iterator[tuple[str, str]]:
    """Leave out what was noted at this instant already: what breaks away begins at zero speed."""
    for name, kind in changed:
        own = next((e for e in reversed(ledger) if e.name == name), None)
        if own is None or own.kind != kind or abs(own.time - t) > SAME_INSTANT * abs(t):
            yield name, kind


def _stopped(x: Touch, old: Modes, new: Modes, rows: Rows, k: int) -> bool:
    """Whether a sliding velocity has passed zero.

    Along one tangent its direction tells: at a dead point no force can take away the velocity that
    is left there. Along two it may turn round without stopping; and what stops goes on another way.
    """
    along = float(old.numbers[k, WAY : WAY + 2] @ new.numbers[k, WAY : WAY + 2])
    is_slow = bool(np.linalg.norm(rows.u[list(x.tangents)]) <= SLOW)
    return along < 0.0 or is_slow if len(x.tangents) == 1 else is_slow and along < _SAME_WAY
