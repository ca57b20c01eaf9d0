"""Locks in runs from event to event: which hold, and which of these move still."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from jourdain.equations.contact.contact_points import ENDLESS, UNSEEN
from jourdain.simulation.contact.events.limits import noise_of
from jourdain.simulation.contact.events.modes import SLACK_T, Modes
from jourdain.simulation.contact.rows import Contacts, Rows, locked
from jourdain.simulation.tolerances import STILL
from jourdain.solvers.sizes import DOUBT


def lock_states(
    contacts: Contacts, modes: Modes, state: Any, sizes: Any, fired: Any
) -> dict[int, bool]:
    """Numbers of locks, and whether they hold from now on.

    Parameters
    ----------
    contacts : Contacts
        The contacts.
    modes : Modes
        Modes up to now.
    state : q, v, inputs and modes, t
        State.
    sizes : (n_q + n_v,)
        Largest values of the state so far: what lies within their rounding stays as it is.
    fired : sequence of int
        Indicators that have just passed zero: such a lock is on its way, whatever rounding tells.
    """
    listed = [k for k, x in enumerate(contacts.touches) if x.is_lock]
    if not listed:
        return {}
    values, noise = noise_of(contacts, state, sizes)
    found = {}
    for k in listed:
        slack, holds = modes.numbers[k, SLACK_T], modes.sticks(k)
        stays = values[2 * k + 1] - (0.0 if slack >= UNSEEN else slack)
        limit = -DOUBT * noise[2 * k + 1]
        goes = 2 * k + 1 in fired or bool(stays <= limit if holds else stays < limit)
        found[k] = holds != goes
    return found


def switched(rows: Rows, locks: Mapping[int, bool]) -> Rows:
    """Rows with the capacities of locks as they are from now on."""
    if not locks:
        return rows
    capacity, static = rows.capacity.copy(), rows.static.copy()
    for k, holds in locks.items():
        capacity[k] = static[k] = ENDLESS if holds else 0.0
    return replace(rows, capacity=capacity, static=static)


def moving_locks(contacts: Contacts, rows: Rows, v: Any) -> bool:
    """Whether a lock that holds moves still, so that an impulse must close it."""
    own = [row for k in locked(contacts.touches, rows) for row in contacts.touches[k].tangents]
    size = np.abs(rows.W[own]) @ np.abs(v) + np.abs(rows.drift(v)[own])
    return bool((np.abs(rows.u[own]) > STILL * size).any())
