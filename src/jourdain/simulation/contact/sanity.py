"""What numbers of contacts must be in a run: laws that depend on parameters, speeds or places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.equations.contact.contact_points import SLOW
from jourdain.errors import AssemblyError, IntegrationError, ModelError, SingularSystemError
from jourdain.simulation.tolerances import (
    LEFT_OF_HELD,
    LOST_ACCELERATION,
    NEAR,
    NO_ACCELERATION,
    OVERLAP,
    SAME_COEFFICIENT,
)

if TYPE_CHECKING:
    from jourdain.simulation.contact.events.modes import Modes
    from jourdain.simulation.contact.rows import Contacts, Rows, Touch


def require_apart(touches: Iterable[Touch], gaps: Any) -> None:
    """Refuse a start at which contacts overlap.

    Raises
    ------
    AssemblyError
        If one does; the text names it.
    """
    for x, gap in zip(touches, gaps, strict=True):
        if x.has_gap and gap < -OVERLAP:
            raise AssemblyError(
                f"contact {x.name!r} overlaps by {-gap:.3g} m at the start. Move the bodies "
                "apart, or give start values at which they only touch."
            )


def require_seen(
    contacts: Contacts, gaps: Any, is_closed: Callable[[int], bool], state: tuple[Any, ...]
) -> None:
    """Refuse to go on where an open contact has closed unseen.

    Raises
    ------
    IntegrationError
        If one has, at a state q, v, u, t; the text names it.
    """
    size = max(1.0, 1e-3 * float(np.abs(state[0]).max(initial=0.0)))
    for k, x in enumerate(contacts.touches):
        if x.has_gap and not is_closed(k) and gaps[k] < -OVERLAP * size:
            raise IntegrationError(
                f"contact {x.name!r} overlaps by {-gaps[k]:.3g} m at t = {state[3]:.9g} s: it "
                "was passed within one step. Take smaller steps, for example with "
                "method=jd.EventDriven(jd.Dop853(rtol=1e-9, max_step=1e-3))."
            )


def require_held(contacts: Contacts, rows: Rows, modes: Modes, state: tuple[Any, ...]) -> None:
    """Refuse to go on where what contacts hold accelerates in a state q, v, u, t.

    Only machines whose inertias differ by orders lose responses in rounding.

    Raises
    ------
    SingularSystemError
        If a row does; the text names its contact.
    """
    touches = contacts.touches
    normals = [touches[k].normal for k in modes.closed]
    tangents = [row for k in modes.sticking for row in touches[k].tangents]
    held = [row for row in (*normals, *tangents) if row is not None]
    if not held or not contacts.system.graph[1].has_wide_inertias:
        return
    vdot = contacts.kernels.rates(*state, contacts.p)[1]
    left = np.abs(rows.W[held] @ vdot + rows.bias[held])
    terms = np.abs(rows.W[held]) @ np.abs(vdot) + np.abs(rows.bias[held])
    loads = np.abs(rows.W) @ np.abs(rows.vdot) + np.abs(rows.bias)  # what forces would hold back
    forces = np.abs(contacts.kernels.contact_forces(*state, contacts.p)[0]).max()
    answers = np.abs(rows.G[held]).max() * forces
    rounding = LOST_ACCELERATION * max(loads.max(), terms.max(), answers) + NO_ACCELERATION
    k = int(np.argmax(left - LEFT_OF_HELD * terms))
    if left[k] > LEFT_OF_HELD * terms[k] + rounding:
        owner = next(x for x in contacts.touches if held[k] in (x.normal, *x.tangents))
        raise SingularSystemError(
            f"{owner.name!r} is held, but accelerates with {left[k]:.3g} at t = {state[3]:.9g} s: "
            "its response to forces is lost in rounding beside that of others. Likely cause: "
            "inertias that differ by more than 1e12 and are tied to each other. Next: leave the "
            "smallest inertias out (a massless connection, or inertia 0), or make them larger."
        )


def require_known_forces(names: Sequence[str], method: str) -> None:
    """Refuse laws that ask for forces of contacts in time steps, which find them at the end.

    Raises
    ------
    ModelError
        If there are names of connections with such laws.
    """
    if names:
        raise ModelError(
            f"connection {names[0]!r}: its law asks for the force of a contact, which {method} "
            "does not know before a step is made. Use method=jd.EventDriven(), or jd.Coulomb "
            "on jd.Touch(normal, tangential), whose friction belongs to its normal force."
        )


def require_restitution(x: Touch, e: float, speed: float | None = None) -> float:
    """Restitution of a contact, if it is one.

    Raises
    ------
    ModelError
        If a number is none.
    IntegrationError
        If a function gives none at a speed of approach.
    """
    if 0.0 <= e <= 1.0:
        return e
    where = "" if speed is None else f" at an approach of {speed:g} m/s"
    raise (ModelError if speed is None else IntegrationError)(
        f"contact {x.name!r} has the restitution {e:g}{where}: it goes from 0 (no rebound) to 1 "
        "(no loss). Change the parameter or the function."
    )


def require_friction(contacts: Contacts, gaps: Any, capacity: Any, t: float) -> None:
    """Refuse friction below zero of what touches.

    Raises
    ------
    IntegrationError
        If there is some; the text names the contact.
    """
    if capacity.min(initial=0.0) >= 0.0:
        return
    wrong = ~(capacity >= 0.0).all(axis=1)
    for k in np.flatnonzero(wrong):
        x = contacts.touches[k]
        if x.is_lock:
            raise IntegrationError(
                f"connection {x.name!r}: when of Locked is NaN at t = {t:.9g} s. Next: look at "
                "its function and at the inputs that it asks for."
            )
        if x.tangents and _is_near(contacts, gaps, x):
            word = "capacity" if x.is_dry else "coefficient of friction"
            raise IntegrationError(
                f"contact {x.name!r} has the {word} {capacity[k].min():.6g} at t = {t:.9g} s: it "
                "must be at least 0. Change the parameter, or bound the function from below, for "
                "example with jd.maximum(..., 0.0)."
            )


def require_static(contacts: Contacts, u: Any, capacity: Any, static: Any, t: float) -> None:
    """Refuse contact points at rest that hold less than while they slide.

    Raises
    ------
    IntegrationError
        If there is one; the text names it.
    """
    for k, x in enumerate(contacts.touches):
        rests = x.has_static and np.abs(u[list(x.tangents)]).max() <= SLOW
        if rests and not (static[k] >= (1.0 - SAME_COEFFICIENT) * capacity[k]).all():
            raise IntegrationError(
                f"contact {x.name!r} has static friction {static[k].min():.6g} and sliding "
                f"friction {capacity[k].max():.6g} at t = {t:.9g} s: what sticks holds at least as "
                "much as what slides. Change the parameters or functions, or leave static= away."
            )


def require_directions(contacts: Contacts, found: list[Any], t: float) -> None:
    """Refuse what touches without a direction; leave out what is apart and has none.

    Raises
    ------
    IntegrationError
        If there is some; the text names the contact.
    """
    gaps, u, bias, _, W, B, _ = found
    with np.errstate(invalid="ignore", over="ignore"):
        if isfinite(u.sum() + bias.sum() + W.sum() + B.sum()):
            return
    rows = np.isfinite(u) & np.isfinite(bias) & np.isfinite(W).all(axis=1)
    rows &= np.isfinite(B).all(axis=1)
    for x in contacts.touches:
        own = [r for r in (x.normal, *x.tangents) if r is not None and not rows[r]]
        if own and _is_near(contacts, gaps, x):
            raise IntegrationError(
                f"contact {x.name!r} has no direction at t = {t:.9g} s: its measure has no "
                "derivative there. Likely causes: the two points of a distance coincide, or a "
                "normal is zero. Start elsewhere, or use another measure."
            )
        for values in (u, bias, W, B):
            values[own] = 0.0


def blame_directions(contacts: Contacts, found: list[Any], t: float) -> None:
    """Name a contact whose rows are no numbers, for runs that have failed because of it.

    Raises
    ------
    IntegrationError
        If there is one.
    """
    gaps, u, bias, _, W, _, _ = found
    rows = np.isfinite(u) & np.isfinite(bias) & np.isfinite(W).all(axis=1)
    for k, x in enumerate(contacts.touches):
        own = [r for r in (x.normal, *x.tangents) if r is not None]
        if not (rows[own].all() and np.isfinite(gaps[k])):
            raise IntegrationError(
                f"contact {x.name!r} has no direction at t = {t:.9g} s, though it is apart. Likely "
                "causes: it is nearest at a pole or beyond an end of a curve or surface; or two "
                "points of a distance coincide. Start elsewhere, or write the surface with its "
                "poles elsewhere."
            )


def _is_near(contacts: Contacts, gaps: Any, x: Touch) -> bool:
    """Tell whether a contact point can act now."""
    for k, other in enumerate(contacts.touches):
        if x.leans_on is not None and other.normal == x.leans_on:
            return not other.has_gap or bool(gaps[k] <= NEAR)
    return True
