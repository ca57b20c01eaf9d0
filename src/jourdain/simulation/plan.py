"""Which method and step suit a model: pure functions of counts and time scales."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from jourdain.equations.parts import point_names
from jourdain.model.connection import Connection
from jourdain.model.measures.gap import Gap
from jourdain.model.model import Model
from jourdain.simulation.methods import EventDriven, MoreauJean, NonsmoothAlpha
from jourdain.solvers import Dop853, Integrator, Method, Radau5

FOLLOWED_UP_TO = 24
"""Cost of contacts up to which events are followed: as exact, and no slower than small steps."""
SPATIAL_COST = 6
"""Cost of a point of contact of two contours; that of a stop, a clutch or a brake is one."""
GROUPED_BEYOND = 24
"""Points of single contacts beyond which they are taken as groups, whose pairs a loop finds."""
LONGEST_STEP = 1e-3
"""Longest step [s] of time stepping, as long as a run takes no more than the most steps."""
FEWEST_STEPS = 1000
"""Steps of a run, at least."""
MOST_STEPS = 50_000
"""Steps beyond which fast vibrations are stepped over."""
MANY_EXPLICIT_STEPS = 2e4
"""Explicit steps for the sake of stability alone beyond which a system counts as stiff."""
EXPLICIT_LIMIT = 6.0
"""|h λ| up to which `Dop853` is stable."""
DAMPED = 0.5
"""Part of |λ| that must be damping: fast vibrations are not stiff but fast."""
CHANGES = 1e-3
"""Part of its travel by which a position may change with the step; angles: at most [rad]."""
TRIALS = 1.0
"""Time [s] of computing, about, that all runs with shorter steps may take."""
SMALL = 1e-4
"""Part of the travel of all coordinates of a unit, below which that of one does not count."""
STILL_ANGLE = 1e-5
"""Travel of an angle [rad] below which it does not count."""
SLOWEST = 1e-3
"""Part of a gap that closes in a run; slower ones do not limit the step."""
_PARTS = {"vibration": 50.0, "flight": 20.0, "passage": 4.0}  # in which the shortest is divided
_SCALAR, _BODY = 1e-7, 2.5e-5  # [s] of computing in a step: a coordinate or stop, a body in a pile
_FAR = 10.0  # times the change that is allowed, beyond which steps are quartered
_CONVERGES = 0.5  # part of the change before that is left where steps matter


@dataclass(frozen=True)
class TimeScales:
    """Times [s] that a step has to resolve; infinite where there are none.

    Parameters
    ----------
    vibration : float
        Shortest period of a vibration at the start.
    flight : float
        Time until bodies meet at the speed they have at the start, the middle one of all.
    passage : float
        Time in which the fastest body passes the thinnest one of a group of contacts.
    """

    vibration: float = float("inf")
    flight: float = float("inf")
    passage: float = float("inf")


def contact_cost(connections: Iterable[Connection]) -> int:
    """Cost of following the events of set-valued connections."""
    cost = 0
    for c in connections:
        if c.law.is_set_valued:
            each = SPATIAL_COST if isinstance(c.measure, Gap) else 1
            cost += each * len(point_names(c))
    return cost


def follows_events(model: Model) -> bool:
    """Whether a model with contacts goes from event to event by default."""
    if model.contact_groups:
        return False
    is_cheap = contact_cost(model.connections.values()) <= FOLLOWED_UP_TO
    return is_cheap or bool(with_static(model))


def with_static(model: Model) -> list[str]:
    """Names of connections with static friction of their own, which only events know."""
    return [c.name for c in model.connections.values() if c.law.has_static]


def method_for(model: Model, length: float, scales: TimeScales) -> tuple[Method, str]:
    """Method for a model with contacts, and the reason for it.

    Parameters
    ----------
    model : Model
        The machine.
    length : float [s]
        Length of the run.
    scales : TimeScales
        What a step has to resolve.
    """
    if follows_events(model):
        static = with_static(model)
        why = f"static friction of {static[0]!r}" if static else "few contacts"
        return EventDriven(), f"{why}: from event to event"
    dt, why = step_for(length, scales)
    if model.contact_groups:
        return MoreauJean(dt), f"groups of contacts: time stepping with {why}"
    return NonsmoothAlpha(dt), f"many contacts: time stepping of order two with {why}"


def step_for(length: float, scales: TimeScales) -> tuple[float, str]:
    """Step [s] of time stepping, and the reason for it."""
    shortest = length / MOST_STEPS
    steps = {
        "the longest step by default": max(LONGEST_STEP, shortest),
        "a thousandth of the run as step": length / FEWEST_STEPS,
        "a fiftieth of the shortest period as step": scales.vibration / _PARTS["vibration"],
        "a twentieth of the flight between contacts as step": scales.flight / _PARTS["flight"],
        "a quarter of the passage of the thinnest contour as step":
            scales.passage / _PARTS["passage"],
    }  # fmt: skip
    why = min(steps, key=lambda name: steps[name])
    if steps[why] < shortest:
        return shortest, f"{MOST_STEPS} steps, which are too long for {why.split(' as ')[0]}"
    return whole_part(length / FEWEST_STEPS, steps[why]), why


def whole_part(length: float, longest: float) -> float:
    """Longest step of which a length has a whole number."""
    return length / math.ceil(length / longest * (1.0 - 1e-9))


def step_time(model: Model, n_v: int) -> float:
    """Time [s] of computing that a step takes, about."""
    bodies = {c.frame.body for g in model.contact_groups.values() for c in g.contours}
    return _SCALAR * (n_v + contact_cost(model.connections.values())) + _BODY * len(bodies)


def parts_of_step(changes: list[float], passes: float, each: float, run: float) -> int:
    """Number of parts into which a step is to be divided for the next run; 1: it will do.

    Parameters
    ----------
    changes : list of float
        Largest changes of positions, as parts of their travel, from run to run.
    passes : float
        Steps in which the fastest body of the run passed the thinnest contour.
    each : float [s]
        Time of computing of the last run, about.
    run : float [s]
        That of all runs so far.
    """
    if passes < 0.5 * _PARTS["passage"]:
        return math.ceil(_PARTS["passage"] / passes)
    parts = 2
    if changes:
        if changes[-1] <= CHANGES:
            return 1
        if len(changes) > 1 and changes[-1] > _CONVERGES * changes[-2]:
            return 1  # what differs does not depend on the step alone
        parts = 4 if changes[-1] > _FAR * CHANGES else 2
    while parts > 1 and run + parts * each > TRIALS:
        parts //= 2
    return parts


def integrator_for(fastest: complex, length: float) -> tuple[Integrator, str]:
    """Integrator for a system without contacts by its fastest mode [1/s], and the reason."""
    steps = abs(fastest) * length / EXPLICIT_LIMIT
    if -fastest.real > DAMPED * abs(fastest) and steps > MANY_EXPLICIT_STEPS:
        return Radau5(), (
            f"stiff: a mode dies out in {1 / abs(fastest.real):.1e} s, an explicit method would "
            f"need some {steps:.0e} steps"
        )
    return Dop853(), "not stiff at the start: explicit method of high order"
