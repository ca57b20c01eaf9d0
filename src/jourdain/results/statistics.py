"""What a run tells about itself: its events and how it was computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

STEPPED = ("MoreauJean", "NonsmoothAlpha")
"""Beginnings of the names of methods in equal steps, whose impacts happen within steps."""


@dataclass(frozen=True)
class Event:
    """A moment that was found.

    Parameters
    ----------
    name : str
        Name of the event as the user gave it.
    time : float [s]
        When.
    q : (n_q,) [m, rad, 1]
        Position coordinates there.
    v : (n_v,) [m/s, rad/s]
        Velocity coordinates there; of an impact, those before it.
    kind : str
        What happened: "event" of the user, or "impact", "detachment", "slip", "stick", "contact"
        (one without friction closes), "lock" and "release" of what is locked, "not_unique"
        (Painlevé: a sliding contact could as well jam).
    details : mapping of str to number or tuple
        Of an impact: ``contacts`` (names), ``impulses`` along their rows, ``before`` and ``after``:
        velocities of the rows, ``v_after``, ``energy`` [J] gained (negative: lost), ``residual`` of
        the solution of the impact equations.
    """

    name: str
    time: float
    q: Any
    v: Any
    kind: str = "event"
    details: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        lost = f", {self.details['energy']:.3g} J" if "energy" in self.details else ""
        return f"<{self.kind} {self.name!r} at {self.time:.9g} s{lost}>"


@dataclass(frozen=True)
class Overlap:
    """Largest overlap of a contact in a run of time steps.

    Parameters
    ----------
    depth : float [unit]
        How deep.
    unit : str
        Unit of the gap.
    name : str
        Contact, or group of contacts.
    time : float [s]
        End of the step.
    """

    depth: float
    unit: str
    name: str
    time: float


@dataclass(frozen=True)
class Statistics:
    """How a solution was computed.

    Parameters
    ----------
    method : str
        Method with its settings.
    reason : str
        Why this method.
    steps, rejected : int
        Numbers of accepted and of rejected steps.
    evaluations : int
        How often the equations of motion were evaluated.
    kinks : int
        How often kinks and jumps of laws, drives and inputs were passed.
    sliding_kinks : int
        Places to which the motion was driven back from both sides, as by friction that is written
        with ``sign``: there it is held to the size of a step only.
    unwatched_kinks : int
        Places with kinks, where they are too many to step onto each.
    wall_time : float [s]
        Duration of the computation.
    status : str
        What the run ended with.
    is_complete : bool
        Whether it came to its end, or to an event that ends it.
    t_end_wanted : float [s]
        Time that it was to reach.
    contact_work : float or None [J]
        Work of all contacts, dry friction and impacts, in models that have any.
    partition_changes : int or None
        How often the choice of dependent coordinates changed, where they are partitioned.
    not_unique : tuple of str
        Contacts whose forces were not unique at some time, because fewer would do. Motion and
        resultant forces are unique all the same.
    residual : float or None
        Largest error of the contact equations in any step, by the natural map: of velocities that
        were to be changed, or for groups of contacts in m/s.
    overlap : Overlap or None
        Largest overlap of a contact at the end of a step, where there is one.
    step_change : float or None
        Largest change of a position, as part of its travel (of an angle at most 1 rad), from a run
        with longer steps to this one; None where there was no such run.
    step_ratio : int
        How many times as long the steps of that run were.
    step_holds_until : float [s]
        Time from which on the change is larger than a thousandth; NaN if it never is.
    """

    method: str = "not known"
    reason: str = ""
    steps: int = 0
    rejected: int = 0
    evaluations: int = 0
    wall_time: float = 0.0
    status: str = "finished"
    is_complete: bool = True
    t_end_wanted: float = float("nan")
    contact_work: float | None = None
    partition_changes: int | None = None
    not_unique: tuple[str, ...] = ()
    residual: float | None = None
    overlap: Overlap | None = None
    kinks: int = 0
    sliding_kinks: int = 0
    unwatched_kinks: int = 0
    step_change: float | None = None
    step_ratio: int = 1
    step_holds_until: float = field(default=float("nan"), compare=False)  # NaN equals nothing

    def __post_init__(self) -> None:
        object.__setattr__(self, "not_unique", tuple(self.not_unique))  # files hold lists


@dataclass(frozen=True)
class Checkpoint:
    """Memory of a run, from which it goes on as if it had not stopped.

    Parameters
    ----------
    facts : mapping
        Names, counts and settings: what JSON can hold.
    numbers : mapping of str to array
        Working memory of the integrator.
    """

    facts: Mapping[str, Any]
    numbers: Mapping[str, Any]
