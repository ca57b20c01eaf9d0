"""Contacts and dry friction of a solution, place by place, over all samples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations.contact.contact_points import ENDLESS
from jourdain.equations.mechanism import Mechanism
from jourdain.results import Solution

AT_REST = 1e-7
"""Velocity [m/s, rad/s] that counts as none: the default rest_speed of EventDriven."""
_STEPPED = ("MoreauJean", "NonsmoothAlpha")
_ROUNDING = 1e-12  # part of the largest force that is lost
_SAME_STEP = 1e-6  # part of a step by which an impact may be noted beside its sample


@dataclass(frozen=True)
class Place:
    """One contact, stop or place of dry friction.

    Parameters
    ----------
    name : str
        Name.
    gap : (n,) [m, rad] or None
        Gap; None for dry friction, rolling, drilling, and limits of a velocity.
    gap_rate : (n,) [m/s, rad/s] or None
        Rate of the gap, or the velocity that has a limit.
    normal : (n,) [N, N m]
        Normal force; of rolling and drilling that of their contact; of dry friction zero.
    slip : (n, n_tangents) [m/s, rad/s]
        Sliding velocity.
    friction : (n, n_tangents) [N, N m]
        Friction force or moment.
    limits, holds : (n, n_tangents) [N, N m]
        Half axes of the set of friction forces, sliding and at rest: μ times the normal force, or
        the capacity.
    spread : (n,) [N, N m]
        Change of these since the sample before, where μ or the capacity is a function.
    bias : (n, n_tangents) [m/s^2, rad/s^2]
        Rate of the sliding velocity by the motion of its directions.
    """

    name: str
    gap: Any
    gap_rate: Any
    normal: Any
    slip: Any
    friction: Any
    limits: Any
    holds: Any
    spread: Any
    bias: Any

    @property
    def reach(self) -> Any:
        """Size of the friction force in the direction in which it acts, as part of its set (n,).

        At most 1 within the set; infinite for a force where none is allowed.
        """
        rests = np.linalg.norm(self.slip, axis=1) <= AT_REST
        limits = np.where(rests[:, np.newaxis], self.holds, self.limits)
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.where(self.friction == 0.0, 0.0, self.friction / limits)
        return np.linalg.norm(parts, axis=1)

    @property
    def excess(self) -> Any:
        """By how much the friction force lies outside its set (n,) [N, N m]."""
        size, reach = np.linalg.norm(self.friction, axis=1), self.reach
        return np.where(reach > 1.0, size * (1.0 - 1.0 / np.maximum(reach, 1.0)), 0.0)

    @property
    def missing_power(self) -> Any:
        """Power that friction takes less than it has to (n,) [W]: h(γ) + F·γ, zero by the law."""
        most = np.linalg.norm(self.limits * self.slip, axis=1)
        return most + np.sum(self.friction * self.slip, axis=1)


def _near(values: Any, choose: Any) -> Any:
    """Least or largest of values and those of two samples before and after."""
    found = values.copy()
    for k in (1, 2):
        found[k:] = choose(found[k:], values[:-k])
        found[:-k] = choose(found[:-k], values[k:])
    return found


class ContactSamples:
    """All places of a solution, and what its method says about their samples.

    Parameters
    ----------
    solution : Solution
        The run.
    """

    def __init__(self, solution: Solution) -> None:
        self.solution, self.time = solution, solution.time
        text = solution.statistics.method
        self.is_stepped = text.startswith(_STEPPED)
        found = re.search(r"\bdt=(?:np\.float64\()?([\d.e+-]+)", text) if self.is_stepped else None
        self.step = float(found[1]) if found else 0.0
        self.corrects_positions = "corrects_positions=False" not in text

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Contacts, stops and dry friction in the order of adding."""
        return tuple(self._places()) if self.solution.system.has_contacts else ()

    def _places(self) -> Iterator[Place]:
        n, run = len(self.time), self.solution.trajectory
        points = self.solution.system.graph[1].contact_points
        rates, bias = run.answers(Mechanism.contact_rates), run.answers(Mechanism.contact_bias)
        gaps = run.answers(Mechanism.gaps)
        capacities = run.answers(Mechanism.capacities).reshape(n, -1, 2)
        static = run.answers(Mechanism.static_capacities).reshape(n, -1, 2)
        forces = run.extra[:, -3 * len(points) :].reshape(n, -1, 3)
        row = 0
        for k, x in enumerate(points):
            first = row + (x.normal is not None)
            row = first + x.n_tangents
            normal, friction = forces[:, k, 0], forces[:, k, 1 : 1 + x.n_tangents]
            # NaN: a contact that is open and has no direction, as a rope of no length
            scale = np.ones(n) if x.leans_on is None else np.maximum(normal, 0.0)
            capacity = capacities[:, k, : x.n_tangents]
            change = np.abs(np.diff(capacity, axis=0, prepend=capacity[:1]))
            spread = scale * change.max(axis=1, initial=0.0)
            holds = static[:, k, : x.n_tangents]
            if x.lock is not None:  # where it switches, samples belong to either side
                doubtful = run.doubtful_locks[:, k, np.newaxis]
                capacity = np.where(doubtful, 0.0, _near(capacity, np.minimum))
                holds = np.where(doubtful, ENDLESS, _near(holds, np.maximum))
                spread = np.zeros(n)
            yield Place(
                x.name,
                gaps[:, k] if x.normal is not None and x.normal.value is not None else None,
                np.nan_to_num(rates[:, first - 1]) if x.normal is not None else None,
                normal, rates[:, first:row], friction, capacity * scale[:, None],
                holds * scale[:, None], spread,
                bias[:, first:row],
            )  # fmt: skip

    @cached_property
    def load(self) -> float:
        """Largest force of all places [N, N m]."""
        return max(
            (float(np.abs(part).max(initial=0.0)) for x in self.places
             for part in (x.normal, x.friction)), default=0.0,
        )  # fmt: skip

    @cached_property
    def rounding(self) -> float:
        """Force [N, N m] that is rounding beside all that acts, contacts or not: M v̇ + h."""
        x = self.solution
        forces = x.system.inverse_dynamics(x.q, x.v, x.vdot, x.time, parameters=x.parameters)
        return _ROUNDING * float(np.nan_to_num(np.abs(forces)).max(initial=0.0))

    @cached_property
    def fastest(self) -> Any:
        """Largest velocity coordinate of a sample and the one before (n,) [m/s, rad/s]."""
        own = np.abs(self.solution.v).max(axis=1, initial=0.0)
        return np.maximum(own, np.concatenate([own[:1], own[:-1]]))

    @cached_property
    def has_forces(self) -> Any:
        """Samples whose forces belong to their state (n,).

        Time steps give the mean forces of the step that ends in a sample: the start has none, and
        where an input jumps the second sample repeats those of the first.
        """
        if not self.is_stepped:
            return np.ones(len(self.time), dtype=bool)
        return np.concatenate([[False], np.diff(self.time) > 0.0])[: len(self.time)]

    def change_in_a_step(self, values: Any) -> Any:
        """Change of values (n,) in the step that ends in a sample, from that since the last one."""
        since = np.diff(self.time, prepend=self.time[:1])
        part = np.divide(self.step, since, out=np.ones(len(since)), where=since > self.step)
        return part * np.abs(np.diff(values, prepend=values[:1]))

    @cached_property
    def is_struck(self) -> Any:
        """Samples at the end of a time step with an impact, and a start before one (n,)."""
        ends = np.array([e.time for e in self.solution.events if e.kind == "impact"])
        if not len(ends):
            return np.zeros(len(self.time), dtype=bool)
        if not self.is_stepped:
            is_start = np.arange(len(self.time)) == 0
            return is_start & (self.time[0] == ends[0])
        after = np.minimum(np.searchsorted(ends, self.time - _SAME_STEP * self.step), len(ends) - 1)
        return np.abs(ends[after] - self.time) <= _SAME_STEP * self.step

    @cached_property
    def approach(self) -> dict[str, float]:
        """Largest velocity [m/s, rad/s] with which each place was met, in samples and impacts."""
        most = {x.name: float(np.abs(x.gap_rate).max(initial=0.0)) for x in self.places
                if x.gap_rate is not None}  # fmt: skip
        for event in self.solution.events:
            details = event.details
            for name, before in zip(details.get("contacts", ()), details.get("before", ()),
                                    strict=False):  # fmt: skip
                if name in most:
                    most[name] = max(most[name], abs(before[0]))
        return most
