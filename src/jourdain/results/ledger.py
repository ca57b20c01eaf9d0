"""The ledger: contacts from begin to end, impacts, and how what rubs sticks and slides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.equations.mechanism import Mechanism
from jourdain.results.audit import calm_samples, struck_samples
from jourdain.results.statistics import STEPPED

if TYPE_CHECKING:
    from jourdain.results.solution import Solution
    from jourdain.results.statistics import Event

_CLOSES = ("contact", "slip", "stick", "lock", "release")
_MOST_LINES = 40
_SAME = 1e-12  # part of a run by which two times may differ and be one
_NEAR = 0.005  # part of a run within which impacts of one contact share a marker


@dataclass(frozen=True)
class Entry:
    """One line of the ledger.

    Parameters
    ----------
    kind : str
        "impact"; "contact" that lasts; "stick" or "slip" of dry friction and clutches; "lock" of
        what was locked.
    name : str
        Of the contact or friction; of an impact of several, all of them.
    begin, end : float [s]
        When; of an impact both are its time.
    largest_force : float [N, N m]
        Largest normal force, or friction force where nothing presses; NaN of an impact.
    impulse : float [N s, N m s]
        Of the normal force, or of friction: the integral of its size.
    work : float [J]
        That it gives to the machine: of friction while it lasts, of an impact all it gains.
    phases : tuple of (str, float)
        Of a contact with friction: "stick" or "slip", and when each begins [s].
    is_unique : bool
        Whether its forces are; not where more contacts rest than needed.
    """

    kind: str
    name: str
    begin: float
    end: float
    largest_force: float
    impulse: float
    work: float
    phases: tuple[tuple[str, float], ...] = ()
    is_unique: bool = True

    def __str__(self) -> str:
        is_short = self.kind == "impact"
        span = f"{self.begin:.6g}" + ("" if is_short else f" to {self.end:.6g}")
        force = "" if is_short else f"{self.largest_force:.4g}"
        words = " ".join(f"{word} {t:.4g}" for word, t in self.phases[:4])
        more = " …" if len(self.phases) > 4 else ""
        text = f"{self.kind:<8} {self.name:<20} {span:<24} {force:>10} {self.impulse:>10.4g}"
        told = "" if self.is_unique else "  forces are not unique"
        return f"{text} {self.work:>10.3g}  {words}{more}".rstrip() + told


class Ledger(tuple[Entry, ...]):
    """Entries in the order of time; ``print(sol.ledger)`` is a table."""

    __slots__ = ()

    def __str__(self) -> str:
        heads = f"{'kind':<8} {'name':<20} {'time [s]':<24} {'force [N]':>10} {'impulse':>10}"
        lines = [f"{heads} {'work [J]':>10}  phases [s]", *(str(x) for x in self[:_MOST_LINES])]
        rest = len(self) - _MOST_LINES
        return "\n".join([*lines, *([f"and {rest} more"] if rest > 0 else [])])

    def of(self, name: str) -> Ledger:
        """Entries of one contact, impacts with others included."""
        return Ledger(x for x in self if name in x.name.split(", "))


def ledger(solution: Solution) -> Ledger:
    """Ledger of a run: from its events, and the forces at its samples.

    Forces between samples are taken as straight lines: sample closely to know impulses well.
    """
    events = [e for e in solution.events if e.kind != "event"]
    found = [_impact(e) for e in events if e.kind == "impact"]
    if solution.has_model and solution.system.has_contacts:
        for place in _places(solution):
            own = [e for e in events if e.name == place.name]
            found += place.entries(own)
    return Ledger(sorted(found, key=lambda x: (x.begin, x.kind != "impact")))


def markers(solution: Solution) -> list[tuple[str, float]]:
    """Words and times [s] to mark in pictures: events of the user, impacts, contacts that last.

    Impacts of one contact that follow closely share one.
    """
    found = [(e.name, float(e.time)) for e in solution.events if e.kind == "event"]
    near = _NEAR * float(np.ptp(solution.time)) if len(solution.time) else 0.0
    last: dict[str, list[Any]] = {}
    groups: list[list[Any]] = []
    for x in ledger(solution):
        if x.kind != "impact":
            found.append((f"{x.kind} of {x.name}", x.begin))
            if x.kind == "contact" and x.end < solution.time[-1]:
                found.append((f"{x.name} lets go", x.end))
        elif x.name in last and x.begin - last[x.name][2] <= near:
            last[x.name][1:3] = [last[x.name][1] + 1, x.begin]
        else:
            last[x.name] = [x.begin, 1, x.begin, x.name]
            groups.append(last[x.name])
    found += [
        (f"{n} impacts of {name}" if n > 1 else f"impact of {name}", t) for t, n, _, name in groups
    ]
    return sorted(found, key=lambda x: x[1])


def _impact(event: Event) -> Entry:
    normal = sum(abs(x[0]) for x in event.details.get("impulses", ()) if len(x))
    energy = float(event.details.get("energy", np.nan))
    t = float(event.time)
    return Entry("impact", event.name, t, t, float("nan"), float(normal), energy)


@dataclass(frozen=True)
class _Place:
    """Forces and power of one contact point or place of friction over all samples."""

    name: str
    is_dry: bool
    is_lock: bool
    rubs: bool
    time: Any
    force: Any
    power: Any
    is_unique: bool

    def entries(self, events: list[Event]) -> Iterator[Entry]:
        """Entries from its changes."""
        if not len(self.time):
            return
        first, last = float(self.time[0]), float(self.time[-1])
        changes = [(e.kind, float(e.time)) for e in events if e.kind in (*_CLOSES, "detachment")]
        if self.is_dry:
            if not changes or changes[0][1] > first:
                changes.insert(0, ("slip", first))
            for (kind, begin), (_, end) in zip(changes, [*changes[1:], ("", last)], strict=True):
                if not (self.is_lock and kind != "lock"):
                    yield self._entry(kind, begin, end)
            return
        phases: list[tuple[str, float]] = []
        for kind, t in [*changes, ("detachment", last)]:
            if kind == "detachment" and phases:
                own = tuple(phases) if self.rubs else ()
                yield self._entry("contact", phases[0][1], t, own)
                phases = []
            elif kind != "detachment":
                phases.append((kind, t))

    def _entry(
        self, kind: str, begin: float, end: float, phases: tuple[tuple[str, float], ...] = ()
    ) -> Entry:
        is_last = end >= self.time[-1]  # a sample at its end may tell what comes after it
        same = _SAME * (self.time[-1] - self.time[0])
        used = (self.time >= begin) & ((self.time < end - same) | is_last)
        force, impulse, work = 0.0, 0.0, 0.0
        if used.any():
            time = np.concatenate([[begin], self.time[used], [end]])
            sizes, power = (np.pad(x[used], 1, mode="edge") for x in (self.force, self.power))
            force = float(sizes.max())
            impulse, work = float(np.trapezoid(sizes, time)), float(np.trapezoid(power, time))
        numbers = begin, end, force, impulse, work
        return Entry(kind, self.name, *numbers, phases, self.is_unique)


def _places(solution: Solution) -> Iterator[_Place]:
    """Contact points and places of dry friction of a solution."""
    n, run = len(solution.time), solution.trajectory
    points = solution.system.graph[1].contact_points
    rates = run.answers(Mechanism.contact_rates)
    forces = run.extra[:, run.extra.shape[1] - 3 * len(points) :].reshape(n, -1, 3)
    if n > 1 and solution.statistics.method.startswith(STEPPED):
        forces = forces.copy()
        forces[0] = forces[1]  # the start of time steps has none
        forces = forces[calm_samples(struck_samples(solution))]  # impulses belong to impacts
    row = 0
    for k, x in enumerate(points):
        first = row + (x.normal is not None)
        row = first + x.n_tangents
        friction = forces[:, k, 1 : 1 + x.n_tangents]
        normal = forces[:, k, 0] if x.leans_on is not None else np.linalg.norm(friction, axis=1)
        power = np.sum(friction * rates[:, first:row], axis=1)
        is_dry = x.leans_on is None
        if x.lead is None:  # rolling and drilling are told with their contact
            is_unique = x.name not in solution.statistics.not_unique
            own = solution.time, normal, power, is_unique
            yield _Place(x.name, is_dry, x.lock is not None, bool(x.n_tangents), *own)
