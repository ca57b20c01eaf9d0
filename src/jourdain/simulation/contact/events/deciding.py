"""Modes just after an instant, forces shared out where not all that rests can be held."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from jourdain.errors import IntegrationError
from jourdain.simulation.contact.events.modes import Decision, decide, resistance
from jourdain.simulation.contact.events.sharing import share
from jourdain.simulation.contact.rows import Contacts, Rows
from jourdain.simulation.tolerances import SETTLED

# [s] to look ahead where forces are at their limits. Short: what is thought to stay is found
# out by its indicator, what is thought to leave before it does chatters.
_AHEAD = (1e-9, 1e-8)
_SWEEPS = 200  # of capacities that depend on forces


def decide_after(
    contacts: Contacts, rows: Rows, resting: list[int], state: tuple[Any, Any, Any, float]
) -> Decision:
    """Modes just after now: where forces are at their limits, a little later tells.

    Parameters
    ----------
    contacts, rows
        The contacts and their rows at the state.
    resting : list of int
        Contact points with no gap and no rate of it.
    state : q, v, sampled inputs, t
        State.
    """
    q, v, held, t = state
    now = found = _shared(contacts, rows, resting, state)
    for ahead in (contacts.brevity * x for x in _AHEAD):
        at_limit = found.at_limit(contacts)
        if not at_limit:
            break
        u = np.concatenate([held, found.modes.numbers.ravel()])
        qdot, vdot = contacts.kernels.rates(q, v, u, t, contacts.p)
        later = contacts.rows(q + ahead * qdot, v + ahead * vdot, u, t + ahead)
        moved = (q + ahead * qdot, v + ahead * vdot, held, t + ahead)
        then = _shared(contacts, later, _closed(contacts, found), moved, found)
        left = found.resting - then.resting
        if left and not left & at_limit:  # not now, but within the time that was looked ahead
            break
        found = then
    if found is now:
        return now
    return _shared(contacts, rows, _closed(contacts, found), state, found)


def _closed(contacts: Contacts, found: Decision) -> list[int]:
    return [k for k in found.modes.closed if contacts.touches[k].normal is not None]


def _shared(
    contacts: Contacts, rows: Rows, closed: list[int], state: Any, past: Decision | None = None
) -> Decision:
    """Modes and forces, with capacities that fit the forces where capacities ask for them.

    What slides or has broken away in ``past``, an earlier decision of the same instant, stays so.
    """
    capacities, t = contacts.kernels.felt_capacities, state[3]
    known = (None, frozenset[int]()) if past is None else (past.sliding, past.broken)
    found = decide(contacts, rows, closed, t, *known)
    for _ in range(_SWEEPS):
        if capacities is None:
            break
        u = np.concatenate([state[2], found.modes.numbers.ravel()])
        forces = touch_forces(contacts, found)
        both = capacities(state[0], state[1], u, t, contacts.p, forces)
        felt, static = (x.reshape(-1, 2) for x in both)
        change = np.abs(felt - found.rows.capacity).max(initial=0.0)
        change = max(change, np.abs(static - found.rows.static).max(initial=0.0))
        found = decide(contacts, replace(rows, capacity=felt, static=static), closed, t, *known)
        if change <= SETTLED * (np.abs(felt).max(initial=0.0) + np.abs(forces).max(initial=0.0)):
            break
    else:
        raise _unsettled(contacts, t)
    share(contacts, found.rows, found)
    return found


def touch_forces(contacts: Contacts, found: Decision) -> Any:
    """Normal force and friction of every contact point (3 n), sliding friction included."""
    forces = np.zeros((len(contacts.touches), 3))
    for k, x in enumerate(contacts.touches):
        normal = 1.0 if x.is_dry else found.forces[x.leans_on]
        forces[k, 0] = 0.0 if x.normal is None else found.forces[x.normal]
        tangents = list(x.tangents)
        forces[k, 1 : 1 + len(tangents)] = found.forces[tangents]
        if k in found.sliding:
            slip = resistance(found.rows.capacity[k], found.sliding[k])
            forces[k, 1 : 1 + len(tangents)] = -normal * slip
    return forces.ravel()


def _unsettled(contacts: Contacts, t: float) -> IntegrationError:
    names = ", ".join(x.name for x in contacts.touches if callable(x.law.capacity))
    return IntegrationError(
        f"dry friction {names}: the capacities depend on forces that friction itself changes, and "
        f"no forces at t = {t:.9g} s fit together. Likely cause: friction that amplifies its own "
        "capacity without limit (a brake that jams). Next: check the factors of at.force and "
        "at.multiplier in the capacities."
    )
