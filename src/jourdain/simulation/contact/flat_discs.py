"""Discs that come to lie flat on a half-space although only their lowest point can touch.

A flat disc has no lowest point: the one that there is jumps from side to side, and its forces with
it. Where

    max(sin²θ / ε², g / (ε r)) falls to 1                                     (CT-26)

with the angle θ between axis and normal, the gap g and the radius r, the disc lies flat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from jourdain.errors import IntegrationError
from jourdain.model.contours import Disc, HalfSpace
from jourdain.model.measures.gap import Gap
from jourdain.simulation.event import Event
from jourdain.spatial.parameter import evaluate
from jourdain.system import System
from jourdain.system.contact.tilt import tilt_function
from jourdain.system.state import function_values
from jourdain.system.user_functions import TracedFunction

FLAT = 0.03
"""Angle [rad], and part of the radius, up to which a disc lies flat and touches."""


def flat_events(system: System) -> dict[str, Event]:
    """Events at which discs without rim points come to lie flat, by the names of their contacts."""
    model = system.model
    values = {p.name: p.value for p in system.description.parameters.values()}
    found = {}
    for name, connection in model.connections.items():
        gap = connection.measure
        if not isinstance(gap, Gap) or not connection.law.is_set_valued:
            continue
        for disc, plane in ((gap.a, gap.b), (gap.b, gap.a)):
            if isinstance(disc, Disc) and isinstance(plane, HalfSpace) and not disc.rim_points:
                radius = evaluate(disc.radius, values)
                value = tilt_function(system, name, (disc, plane), radius, FLAT)
                if value is not None:
                    function = TracedFunction(value, ("flat disc", name))
                    found[name] = Event(function, direction=-1, terminal=True)
    return found


def require_tilted(system: System, events: Mapping[str, Event], y: Any, t: float, p: Any) -> None:
    """Refuse a start at which a disc lies flat.

    Raises
    ------
    IntegrationError
        If one does; the text names its contact.
    """
    if not events:
        return
    q, v = np.split(y[None, :], [len(system.names.q)], axis=1)
    functions = {name: event.function for name, event in events.items()}
    values = function_values(system, functions, "event", q, v, np.array([t]), p)
    for name, (value,) in zip(events, values, strict=True):
        if value <= 0.0:
            raise _flat(name, t)


def require_no_flat_disc(names: Iterable[str], ledger: list[Any], t: float) -> None:
    """Refuse to go on where a disc has come to lie flat.

    Raises
    ------
    IntegrationError
        If one has; the text names its contact.
    """
    flat = {event.name for event in ledger[-5:] if event.kind == "event"}
    for name in flat & set(names):
        raise _flat(name, t)


def _flat(name: str, t: float) -> IntegrationError:
    return IntegrationError(
        f"contact {name!r}: its Disc comes to lie flat on the half-space at t = {t:.6g} s, within "
        f"{FLAT:g} rad, but only its lowest point can touch, which a flat disc does not have. Give "
        "it points on its rim, such as jd.Disc(..., rim_points=4), which carry it."
    )
