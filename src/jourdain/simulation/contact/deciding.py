"""Modes just after an instant, forces shared out where not all that rests can be held."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.simulation.contact.modes import Decision, decide
from jourdain.simulation.contact.rows import Contacts, Rows
from jourdain.simulation.contact.sharing import share

# [s] to look ahead where forces are at their limits. Short: what is thought to stay is found
# out by its indicator, what is thought to leave before it does chatters.
_AHEAD = (1e-9, 1e-8)


def decide_after(
    contacts: Contacts, rows: Rows, resting: list[int], state: tuple[Any, Any, Any, float]
) -> Decision:
    """Modes just after now: where forces are at their limits, a little later tells.

    Parameters
    ----------
    contacts, rows
        The contacts and their rows at the state.
    resting : list of int
        Touchings with no gap and no rate of it.
    state : q, v, sampled inputs, t
        State.
    """
    q, v, held, t = state
    now = found = _shared(contacts, rows, resting, t)
    for ahead in _AHEAD:
        at_limit = found.at_limit(contacts)
        if not at_limit:
            break
        u = np.concatenate([held, found.modes.numbers.ravel()])
        qdot, vdot = contacts.kernels.rates(q, v, u, t, contacts.p)
        later = contacts.rows(q + ahead * qdot, v + ahead * vdot, u, t + ahead)
        then = _shared(contacts, later, _closed(contacts, found), t + ahead, found.sliding)
        left = found.resting - then.resting
        if left and not left & at_limit:  # not now, but within the time that was looked ahead
            break
        found = then
    if found is now:
        return now
    return _shared(contacts, rows, _closed(contacts, found), t, found.sliding)


def _closed(contacts: Contacts, found: Decision) -> list[int]:
    return [k for k in found.modes.closed if contacts.touches[k].normal is not None]


def _shared(
    contacts: Contacts, rows: Rows, closed: list[int], t: float, sliding: Any = None
) -> Decision:
    found = decide(contacts, rows, closed, t, sliding)
    share(contacts, rows, found)
    return found
