"""Limits of contact forces in runs from event to event: where they are watched, and that they hold.

Indicators of modes that begin at their limits, but for rounding, begin a slack above zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jourdain.equations.contact.contact_points import SLOW, UNSEEN
from jourdain.simulation.contact.events.crowding import MANY
from jourdain.simulation.contact.events.modes import (
    CLOSED,
    RESTS,
    SLACK_N,
    SLACK_T,
    STICKS,
    Decision,
    Modes,
)
from jourdain.simulation.contact.rows import Contacts, Rows, Touch
from jourdain.simulation.tolerances import (
    BEYOND,
    BRIEF,
    FIXED,
    JUMPED,
    LOST_LOAD,
    NO_NUMBER,
    ROUNDING,
    SLIDES,
    for_motions,
)
from jourdain.solvers.sizes import DOUBT, with_noise

TINY = 1e-250
"""An indicator that is above zero."""


def give_slack(
    contacts: Contacts, rows: Rows, found: Decision, values: Any, q: Any, v: Any, errors: Any
) -> None:
    """Let indicators that begin at zero, but for rounding, begin above it.

    Parameters
    ----------
    contacts, rows
        The contacts and their rows at the state.
    found : Decision
        Modes, which are changed, and how large accelerations must be to count.
    values : (2 n,)
        Indicators at the state.
    q, v : (n_q,), (n_v,)
        State.
    errors : (n_q + n_v,)
        Errors of the state just after the start, by the integrator.
    """
    numbers = found.modes.numbers
    own = np.maximum(np.diag(rows.G), 0.0)
    fastest = float(np.abs(v).max(initial=0.0))
    rounding = ROUNDING * (np.abs(rows.W).sum(axis=1) * fastest + np.abs(rows.u))
    furthest = float(np.abs(contacts.system.of_tree(q)).max(initial=0.0))  # no pressures of laws
    brief = contacts.brevity * BRIEF
    rounding = rounding + brief * found.tolerance + np.abs(rows.W) @ errors[len(q) :] + TINY
    for k, x in enumerate(contacts.touches):
        tangents = list(x.tangents)
        if x.normal is not None and numbers[k, CLOSED] > 0.5:
            numbers[k, SLACK_N] = _slack(values[2 * k], _least(found, own, [x.normal]))
        elif x.normal is not None and numbers[k, RESTS]:  # the others hold it where it is now
            numbers[k, SLACK_N] -= min(0.0, values[2 * k] - numbers[k, SLACK_N])
        elif x.normal is not None:
            size = rounding[x.normal]
            if x.has_gap:
                size = ROUNDING * furthest + brief * 1e-8 * size
            lingers = rows.u[x.normal] <= SLOW  # as after a detachment, not after a rebound
            numbers[k, SLACK_N] = (
                _slack(values[2 * k], size) if lingers else max(0.0, -values[2 * k])
            )
        if tangents and numbers[k, SLACK_T] < UNSEEN:
            if x.is_lock:
                numbers[k, SLACK_T] = max(0.0, TINY - values[2 * k + 1])
            elif numbers[k, STICKS] > 0.5:
                numbers[k, SLACK_T] = _slack(values[2 * k + 1], _least(found, own, tangents))
            elif values[2 * k + 1] <= SLOW:
                numbers[k, SLACK_T] = rounding[tangents].max() - min(values[2 * k + 1], 0.0)


def _least(found: Decision, own: Any, used: list[int]) -> float:
    """Forces that rows cannot tell from none; of rows that answer, for others' are endless."""
    answers = [k for k in used if own[k] > FIXED * own[used].max()]
    return float((10.0 * found.tolerance[answers] / own[answers]).max(initial=0.0))


def add_noise(
    contacts: Contacts, modes: Modes, state: tuple[Any, ...], sizes: Any, crowding: int
) -> None:
    """Let indicators that are zero but for what the integration tells begin above zero.

    Where all forces begin at exactly zero, nothing else tells what is next to nothing. Conditions
    of locks often do: one that closes where a coordinate passes a value holds it at that value.

    Parameters
    ----------
    contacts : Contacts
        The contacts.
    modes : Modes
        Modes, which are changed.
    state : q, v, u, t
        State, and inputs with these modes.
    sizes : (n_q + n_v,)
        Largest values of the state so far.
    crowding : int
        Events in a row; if there are many, all contacts count, else locks.
    """
    listed = [k for k, x in enumerate(contacts.touches) if x.is_lock or crowding >= MANY]
    if not listed:
        return
    values, noise = noise_of(contacts, state, sizes)
    for k in listed:
        numbers = modes.numbers[k]
        for j, place in ((2 * k, SLACK_N), (2 * k + 1, SLACK_T)):
            if numbers[place] < UNSEEN and abs(values[j] - numbers[place]) <= noise[j]:
                numbers[place] = max(numbers[place], DOUBT * noise[j])


def noise_of(contacts: Contacts, state: tuple[Any, ...], sizes: Any) -> tuple[Any, Any]:
    """Indicators at a state, and how much of them is rounding of the integration."""
    n, n_q = 2 * len(contacts.touches), len(state[0])

    def indicators(y: Any) -> Any:
        found = contacts.kernels.indicators(y[:n_q], y[n_q:], *state[2:], contacts.p)
        return found[0][:n].copy()

    return with_noise(indicators, np.concatenate(state[:2]), sizes)


def _slack(value: float, size: float) -> float:
    """What is added to an indicator so that it begins above zero."""
    return max(size, TINY) - min(value, 0.0) if value <= size else 0.0


def have_jumped(numbers: Any, values: Any, forces: Any) -> bool:
    """Whether forces are beyond their limits: where a limit or a load has jumped.

    Parameters
    ----------
    numbers : (n, 8)
        Modes.
    values, forces : (2 n,), (3 n,)
        Indicators, and forces of the contact points.
    """
    held = numbers[:, [CLOSED, STICKS]].ravel() > 0.5
    least = values[: len(held)][held].min(initial=0.0)
    return bool(least < -JUMPED * np.abs(forces).max(initial=0.0))


def unlawful(
    contacts: Contacts,
    times: Any,
    forces: Any,
    rates: Any,
    capacity: Any,
    static: Any,
    *,
    fastest: Any,
    loads: Callable[[], Any],
    feeling: Sequence[str] = (),
) -> str | None:
    """Sentence about the first sample in which a force is not in the set of its law.

    Parameters
    ----------
    contacts : Contacts
        The contacts.
    times : (s,) [s]
        Times of the samples.
    forces, rates, capacity, static : (s, 3 n), (s, m), (s, 2 n), (s, 2 n)
        Forces of the contact points, velocities of the rows, coefficients of friction or capacities
        of what slides and of what sticks.
    fastest : (m,)
        Largest sizes of the velocities that make up those of the rows.
    loads : function
        Gives forces (s, m) [N, N m] that would keep each row from accelerating: what is small
        beside them is rounding. It is called where a force seems to be wrong.
    feeling : sequence of str
        Names of contact points whose capacities depend on forces of others; they are left out.
    """
    size = np.abs(forces).max(axis=1, initial=0.0)
    for k, x in enumerate(contacts.touches):
        if x.name in feeling or x.is_lock:  # a lock holds, or has no force: its mode tells
            continue
        normal, friction = forces[:, 3 * k], forces[:, 3 * k + 1 : 3 * k + 1 + len(x.tangents)]
        slip = rates[:, list(x.tangents)]
        speed = np.linalg.norm(slip, axis=1)
        own = slice(2 * k, 2 * k + len(x.tangents))
        least = for_motions(SLIDES, float(fastest[list(x.tangents)].max(initial=0.0)))
        limits = np.where((speed > least)[:, None], capacity[:, own], static[:, own])
        limits = limits if x.is_dry else limits * normal[:, None]
        room = BEYOND * (size + limits.max(axis=1, initial=0.0)) + JUMPED * size.max(initial=0.0)
        excess = np.maximum(_excess(friction, limits), -normal * (x.normal is not None))
        pushes = np.sum(friction * slip, axis=1) / np.maximum(speed, least)
        excess = np.maximum(excess, np.where(speed > least, pushes, 0.0))
        if not np.any(excess > room):
            continue
        wrong = excess > room + LOST_LOAD * float(np.max(np.abs(loads()), initial=0.0))
        if wrong.any():
            at = int(np.argmax(wrong))
            return _sentence(x, times[at], normal[at], friction[at], limits[at], slip[at])
    return None


def loads_of_rows(bias: Any, W: Any, B: Any, vdot: Any) -> Any:
    """Forces [N, N m] that would keep rows from accelerating, each by itself (s, m).

    Parameters
    ----------
    bias, W, B, vdot : (s, m), (s, m n_v), (s, m n_v), (s, n_v)
        Of the rows, at samples: see `Rows`.
    """
    n, m = bias.shape
    W, B = W.reshape(n, m, -1), B.reshape(n, m, -1)
    own = np.einsum("sij,sij->si", W, B)
    needed = np.einsum("sij,sj->si", W, vdot) + bias
    return np.where(own > 0.0, np.nan_to_num(needed) / np.where(own > 0.0, own, 1.0), 0.0)


def _excess(friction: Any, limits: Any) -> Any:
    """By how much friction exceeds its limit, an ellipse or an interval."""
    size = np.linalg.norm(friction, axis=1)
    way = friction / np.maximum(size, NO_NUMBER)[:, None]
    part = np.linalg.norm(way / np.maximum(limits, NO_NUMBER), axis=1)
    return size - 1.0 / np.maximum(part, NO_NUMBER) if friction.shape[1] else size


def _sentence(x: Touch, t: float, normal: float, friction: Any, limit: Any, slip: Any) -> str:
    return (
        f"contact {x.name!r} has a normal force of {normal:.6g} and friction of "
        f"{np.array2string(np.asarray(friction), precision=6)} at t = {t:.9g} s, sliding at "
        f"{np.array2string(np.asarray(slip), precision=3)}, which its law does not allow (limit "
        f"{np.array2string(np.asarray(limit), precision=6)}). Likely cause: a force or a capacity "
        "that changes faster than the steps. Take smaller steps, for example "
        "method=jd.EventDriven(jd.Dop853(rtol=1e-9, max_step=1e-3)), or jd.MoreauJean(dt=1e-4)."
    )
