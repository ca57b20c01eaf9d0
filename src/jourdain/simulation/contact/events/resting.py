"""Contacts that are closed at an instant, that rest, or that have just rebounded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from jourdain.simulation.contact.events.modes import Modes, held_rows
from jourdain.simulation.contact.rows import Contacts, Rows
from jourdain.simulation.tolerances import (
    APPROACHES,
    CLOSED,
    LEFT_OF_HELD,
    LEFT_OF_SLIDING,
    ROUNDING,
    SLIDES,
    for_motions,
)


def touching_now(contacts: Contacts, rows: Rows, modes: Modes) -> list[int]:
    """Numbers of the contacts without a gap, and of freewheels without slip."""
    found = []
    for k, x in enumerate(contacts.touches):
        if x.normal is None:
            continue
        near = rows.gaps[k] <= CLOSED if x.has_gap else rows.u[x.normal] <= CLOSED
        if near or modes.is_closed(k):
            found.append(k)
    return found


def with_freewheels(contacts: Contacts, touching: list[int]) -> list[int]:
    """What touches, and all freewheels, which take part in every impact."""
    free = [k for k, x in enumerate(contacts.touches) if x.is_freewheel]
    return sorted({*touching, *free})


def approach(contacts: Contacts, rows: Rows, k: int) -> float:
    """Speed [m/s] at which the gap of a contact closes."""
    return -float(rows.u[contacts.touches[k].normal])


def meets(contacts: Contacts, rows: Rows, k: int, v: Any) -> bool:
    """Whether a contact closes faster than errors of the velocities v explain."""
    speeds = float(np.abs(rows.W[contacts.touches[k].normal]) @ np.abs(v))
    return approach(contacts, rows, k) > for_motions(APPROACHES, speeds)


def rests(contacts: Contacts, rows: Rows, k: int, q: Any, rest_speed: float) -> bool:
    """Whether a contact without a gap rests: it parts too slowly to count, or not at all.

    Rebounds do not count below ``rest_speed``, nor where their height is lost in rounding.
    """
    speed = -approach(contacts, rows, k)
    if speed <= rest_speed:
        return True
    pull = max(0.0, -float(rows.acceleration[contacts.touches[k].normal]))
    height = ROUNDING * float(np.abs(q).max(initial=0.0))
    return speed <= float(np.sqrt(2.0 * pull * height))


def parting_now(contacts: Contacts, rows: Rows, modes: Modes) -> list[int]:
    """Rows of the gaps of open contacts that have none yet and part."""
    return [
        x.normal
        for k, x in enumerate(contacts.touches)
        if x.normal is not None and x.has_gap and not modes.is_closed(k)
        if rows.gaps[k] < CLOSED and rows.u[x.normal] > 0.0
    ]


def shortest_rise(rows: Rows, parting: list[int], vdot: Any) -> float:
    """Shortest time [s] until gaps that part stop opening, at accelerations vdot."""
    pulls = -(rows.W @ vdot + rows.bias)[parting]
    rises = rows.u[parting][pulls > 0.0] / pulls[pulls > 0.0]
    return float(rises.min(initial=np.inf))


def stopping(contacts: Contacts, rows: Rows, modes: Modes, fired: Iterable[int], v: Any) -> Any:
    """Change of the velocities v that ends sliding which passes zero; locks end it by impulses.

    Parameters
    ----------
    contacts, rows, modes
        The contacts, their rows at the state, their modes.
    fired : iterable of int
        Numbers of the indicators that have reached zero.
    v : (n_v,)
        Velocities.
    """
    sliding = (contacts.touches[k // 2] for k in fired if k % 2 and not modes.sticks(k // 2))
    stopped = [row for x in sliding if not x.is_lock for row in x.tangents]
    if not stopped or np.abs(rows.u[stopped]).max() >= LEFT_OF_SLIDING * (
        1.0 + np.abs(rows.u).max()
    ):
        return np.zeros(len(v))
    used = [*held_rows(contacts, modes), *stopped]
    G = rows.G[np.ix_(used, used)]
    dv = rows.B[used].T @ np.linalg.lstsq(G, -rows.u[used], rcond=1e-12)[0]
    is_small = np.abs(dv).max(initial=0.0) <= LEFT_OF_SLIDING * (1.0 + np.abs(v).max(initial=0.0))
    return dv if is_small else np.zeros(len(v))  # not at a dead point


def leave_their_rows(contacts: Contacts, rows: Rows, modes: Modes, y: Any) -> bool:
    """Whether closed contacts move along their normals, faster than errors of the velocities.

    What has rolled on its rim and lies flat touches with another point at once.
    """
    v = y[len(contacts.system.names.q) :]
    normals = [contacts.touches[k].normal for k in modes.closed if contacts.touches[k].has_gap]
    speeds = np.abs(rows.W[normals]) @ np.abs(v)
    return bool(np.any(np.abs(rows.u[normals]) > SLIDES + LEFT_OF_HELD * speeds))
