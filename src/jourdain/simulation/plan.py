"""Which method and step suit a model: pure functions of counts and time scales."""

from __future__ import annotations

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
_PARTS = {"vibration": 50.0, "flight": 20.0}  # in which the shortest one is divided


@dataclass(frozen=True)
class TimeScales:
    """Times [s] that a step has to resolve; infinite where there are none.

    Parameters
    ----------
    vibration : float
        Shortest period of a vibration at the start.
    flight : float
        Time until bodies meet at the speed they have at the start, the middle one of all.
    """

    vibration: float = float("inf")
    flight: float = float("inf")


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
    }
    why = min(steps, key=lambda name: steps[name])
    if steps[why] < shortest:
        return shortest, f"{MOST_STEPS} steps, which are too long for {why.split(' as ')[0]}"
    return steps[why], why


def integrator_for(fastest: complex, length: float) -> tuple[Integrator, str]:
    """Integrator for a system without contacts by its fastest mode [1/s], and the reason."""
    steps = abs(fastest) * length / EXPLICIT_LIMIT
    if -fastest.real > DAMPED * abs(fastest) and steps > MANY_EXPLICIT_STEPS:
        return Radau5(), (
            f"stiff: a mode dies out in {1 / abs(fastest.real):.1e} s, an explicit method would "
            f"need some {steps:.0e} steps"
        )
    return Dop853(), "not stiff at the start: explicit method of high order"
