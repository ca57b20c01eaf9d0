"""Which contacts are closed, stick or slide: decided all at once on the level of accelerations.

    0 ≤ g̈_N ⊥ λ_N ≥ 0,   −γ̇_T ∈ N_{D(μ λ_N)}(λ_T) where γ_T = 0,   λ_T = −μ λ_N γ_T/|γ_T| else

(Pfeiffer 3.141–3.146). Sliding contacts add their friction to the column of their normal force. A
row at rest that accelerates leaves rest, along its acceleration; every other row stays at rest.

Where static friction exceeds sliding friction, what is at rest holds up to its static capacity
first. Of what then accelerates, that which is most overloaded has broken away: the same problem is
solved with its sliding capacity, until nothing more breaks away. Each force of the result is in the
set of its mode.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.equations.contact.contact_points import MODE, SLOW, UNSEEN
from jourdain.simulation.contact.impact import friction_block, solved
from jourdain.simulation.contact.rows import Contacts, Rows, frictions, locked
from jourdain.simulation.tolerances import LOST_ACCELERATION, MOVES
from jourdain.solvers.nonsmooth import Disc, HalfLine, Segment
from jourdain.solvers.record import Record, refused

CLOSED, STICKS, WAY, SLACK_N, SLACK_T, FORCE, RESTS = 0, 1, 2, 4, 5, 6, 7
"""Places of the numbers of a mode (see `equations.contact.contact_points`)."""
_ENDLESS = 1e6  # times the forces that would hold everything
_TOGETHER = 1.0 - 1e-6  # part of the largest overload that breaks away with it


@dataclass
class Modes:
    """Modes of all contact points.

    Parameters
    ----------
    numbers : (n, 8)
        Of each contact point: gap held, sliding velocity held, direction of sliding (2), slacks of
        both indicators, given normal force [N], closed without being held.
    """

    numbers: Any

    @staticmethod
    def open(n: int) -> Modes:
        """All apart."""
        return Modes(np.zeros((n, MODE)))

    @staticmethod
    def of(record: Record, n: int) -> Modes:
        """Modes of n contact points, as an earlier run had them."""
        numbers = record.array("modes", MODE * n).reshape(n, MODE)
        if not np.isin(numbers[:, [CLOSED, STICKS, RESTS]], (0.0, 1.0)).all():
            raise refused("'modes' has contacts that are neither open nor closed")
        return Modes(numbers)

    @property
    def closed(self) -> list[int]:
        """Contact points whose gap is zero and stays so."""
        return [k for k in range(len(self.numbers)) if self.is_closed(k)]

    @property
    def sticking(self) -> list[int]:
        """Contact points whose sliding velocity is zero and stays so."""
        return [k for k in range(len(self.numbers)) if self.sticks(k)]

    def is_closed(self, k: int) -> bool:
        """Whether a gap is zero and stays so, held by its own point or by others."""
        return bool(self.numbers[k, CLOSED] > 0.5 or self.numbers[k, RESTS] > 0.5)

    def sticks(self, k: int) -> bool:
        """Whether a sliding velocity is zero and stays so, held by its own point or by others."""
        return bool(self.numbers[k, STICKS] > 0.5 or self.numbers[k, SLACK_T] >= UNSEEN)

    def word(self, k: int) -> str:
        """Mode of one contact point in a word."""
        return "stick" if self.sticks(k) else "slip" if self.is_closed(k) else "open"


def held_rows(contacts: Contacts, modes: Modes) -> list[int]:
    """Rows of closed gaps and of sliding velocities that stick."""
    normals = [contacts.touches[k].normal for k in modes.closed]
    tangents = [r for k in modes.sticking for r in contacts.touches[k].tangents]
    return [row for row in (*normals, *tangents) if row is not None]


@dataclass
class Decision:
    """Modes that the forces want, and the forces.

    Parameters
    ----------
    modes : Modes
        Modes of all contact points; everything that rests is held.
    sliding : dict of int to array
        Directions of the contact points that slide.
    forces, accelerations, tolerance : (m,)
        Forces, accelerations of the rows, and how large one must be to count.
    reserve : dict of int to float
        Of each contact point that rests: distance [m/s^2] of its force from its limit, as the least
        acceleration that this force could cause.
    rows : Rows
        Rows that it was found for, with the capacities that belong to the forces.
    broken : frozenset of int
        What has broken away in spite of static friction, whether it moves yet or not.
    """

    modes: Modes
    sliding: dict[int, Any]
    forces: Any
    accelerations: Any
    tolerance: Any
    reserve: dict[int, float]
    rows: Rows
    broken: frozenset[int] = frozenset()

    def at_limit(self, contacts: Contacts) -> set[int]:
        """Contact points with forces so near their limits that what comes next cannot be told."""
        found = set()
        for k, reserve in self.reserve.items():
            x = contacts.touches[k]
            rows = [row for row in (x.normal, *x.tangents) if row is not None]
            if reserve <= self.tolerance[rows].max():
                found.add(k)
        return found

    def holds(self, k: int) -> Any:
        """Coefficients of friction, or capacities (2,), of a contact point that rests."""
        return (self.rows.capacity if k in self.broken else self.rows.static)[k]

    @property
    def resting(self) -> set[int]:
        """Contact points that are closed without sliding, or stick."""
        return {*self.modes.closed, *self.modes.sticking} - self.sliding.keys()


def decide(
    contacts: Contacts,
    rows: Rows,
    touching: Iterable[int],
    t: float,
    sliding: Mapping[int, Any] | None = None,
    broken: frozenset[int] = frozenset(),
) -> Decision:
    """Modes that the forces want.

    Parameters
    ----------
    contacts, rows
        The contacts and their rows at the state.
    touching : iterable of int
        Contact points with no gap and no rate of it.
    t : float [s]
        Time, for errors.
    sliding : mapping of int to array, optional
        Directions of what slides; by default of what is faster than `SLOW`.
    broken : frozenset of int
        What has broken away at this instant already.
    """
    touches = [(k, contacts.touches[k]) for k in touching]
    rough = with_friction(contacts, [k for k, _ in touches], rows)
    ways = _ways(rows, rough) if sliding is None else dict(sliding)
    problem = _Problem(contacts, rows, touches, rough, ways, t)
    while True:
        found = problem.solved(broken)
        more = problem.overloaded(found)
        if not more:
            return found
        broken |= more


@dataclass(frozen=True)
class _Problem:
    """Accelerations of what touches, with given directions of what slides already."""

    contacts: Contacts
    rows: Rows
    touches: list[tuple[int, Any]]
    rough: list[tuple[int, Any]]
    ways: Mapping[int, Any]
    t: float

    def solved(self, broken: frozenset[int]) -> Decision:
        """Decision, where some that rest have their sliding capacity only."""
        contacts, rows, ways = self.contacts, self.rows, self.ways
        G, c = rows.G.copy(), rows.acceleration.copy()
        for k, x in ((k, contacts.touches[k]) for k in ways):
            force = resistance(rows.capacity[k], ways[k])
            if x.is_dry:
                c = c - rows.G[:, list(x.tangents)] @ force
            else:
                G[:, x.leans_on] = G[:, x.leans_on] - rows.G[:, list(x.tangents)] @ force
        resting = [(k, x) for k, x in self.rough if k not in ways]
        holds = {k: (rows.capacity if k in broken else rows.static)[k] for k, _ in resting}
        most = _most(rows, c, [holds[k][0] for k, x in resting if x.is_dry])
        blocks: list[Any] = [HalfLine(x.normal) for _, x in self.touches if x.normal is not None]
        for k, x in resting:
            blocks.append(sticking_block(x, np.minimum(holds[k], most) if x.is_dry else holds[k]))
        forces, residual = np.zeros(len(c)), 0.0
        if blocks:
            listed = list(enumerate(contacts.touches))
            size = float(np.linalg.norm(c))  # of what slides, too: it is rounded with the rest
            forces, residual = solved(G, c, blocks, listed, self.t, "contact", size)
        terms = np.abs(c) + np.abs(G) @ np.abs(forces)
        tolerance = MOVES * terms + (LOST_ACCELERATION + 10.0 * residual) * terms.max(initial=0.0)
        modes = Modes.open(len(contacts.touches))
        found = Decision(modes, {}, forces, c + G @ forces, tolerance, {}, rows, broken)
        _classify(contacts, rows, found, self.touches, ways)
        return found

    def overloaded(self, found: Decision) -> set[int]:
        """What leaves rest in spite of static friction: those with the largest part of it."""
        parts = {}
        for k in found.sliding.keys() - self.ways.keys() - found.broken:
            x = self.contacts.touches[k]
            if x.has_static:
                own = list(x.tangents)
                most = self.rows.static[k].max() * (1.0 if x.is_dry else found.forces[x.leans_on])
                answer = float(np.diag(self.rows.G)[own].max() * most)
                parts[k] = float(np.linalg.norm(found.accelerations[own])) / max(answer, 1e-300)
        largest = max(parts.values(), default=0.0)
        return {k for k, part in parts.items() if part >= _TOGETHER * largest}


def _most(rows: Rows, c: Any, dry: list[Any]) -> float:
    """Capacity that counts as endless, so that small loads are not lost in the rounding of it."""
    size = float(np.abs(c).max(initial=0.0))
    if not dry or float(max(dry)) * float(rows.G.max()) <= _ENDLESS * size:
        return np.inf
    forces = np.linalg.lstsq(rows.G, c, rcond=1e-12)[0]
    return max(_ENDLESS * float(np.abs(forces).max(initial=0.0)), 1e-300)


def _ways(rows: Rows, rough: Iterable[tuple[int, Any]]) -> dict[int, Any]:
    """Directions of what slides."""
    slips = {k: rows.u[list(x.tangents)] for k, x in rough if not x.is_lock}
    sizes = {k: float(np.linalg.norm(slip)) for k, slip in slips.items()}
    return {k: slip / sizes[k] for k, slip in slips.items() if sizes[k] > SLOW}


def _classify(
    contacts: Contacts, rows: Rows, found: Decision, touches: Any, ways: Mapping[int, Any]
) -> None:
    """Fill in modes: what accelerates leaves rest, along its acceleration."""
    numbers, own = found.modes.numbers, np.diag(rows.G)
    for k, x in touches:
        if found.accelerations[x.normal] <= found.tolerance[x.normal]:
            numbers[contacts.together(k), CLOSED] = 1.0
            found.reserve[k] = float(found.forces[x.normal] * own[x.normal])
    for k, x in with_friction(contacts, found.modes.closed, rows):
        tangents = list(x.tangents)
        way, size = found.accelerations[tangents], found.tolerance[tangents].max()
        if k in ways or np.linalg.norm(way) > size:
            found.sliding[k] = ways[k] if k in ways else way / np.linalg.norm(way)
            numbers[k, WAY : WAY + len(tangents)] = found.sliding[k]
            continue
        numbers[k, STICKS] = 1.0
        limit = found.holds(k)[: len(tangents)]
        limit = limit * (1.0 if x.is_dry else found.forces[x.leans_on])
        left = 0.0
        if limit.all() and (limit > 1e-9 * np.abs(found.forces[tangents])).all():
            part = float(np.linalg.norm(found.forces[tangents] / limit))
            left = (1.0 - part) * float((limit * own[tangents]).min())
        found.reserve[k] = min(left, found.reserve.get(k, np.inf))


def not_unique(contacts: Contacts, rows: Rows, touching: Iterable[int]) -> dict[int, float]:
    """Sliding contacts whose own normal force would pull them together (Painlevé), and by how much.

    The acceleration of such a contact falls with its normal force: where it can open, it could as
    well jam, and the laws do not tell which.
    """
    found = {}
    for k in touching:
        normal = contacts.touches[k].normal
        sliding = [
            (j, list(tangents))
            for j, _, tangents in frictions(contacts.touches, (k,))
            if np.linalg.norm(rows.u[list(tangents)]) > SLOW
        ]
        response = rows.G[normal, normal] - sum(
            rows.G[normal, tangents] @ resistance(rows.capacity[j], rows.u[tangents])
            for j, tangents in sliding
        )
        if sliding and response < 0.0:
            found[k] = float(response)
    return found


def with_friction(
    contacts: Contacts, closed: Iterable[int], rows: Rows | None = None
) -> list[tuple[int, Any]]:
    """Contact points whose friction can act, and locks that hold."""
    can_act = {j for k in closed for j, _, _ in frictions(contacts.touches, (k,))}
    can_act.update(() if rows is None else locked(contacts.touches, rows))
    return [
        (k, x)
        for k, x in enumerate(contacts.touches)
        if (x.is_dry and not x.is_lock) or k in can_act
    ]


def resistance(capacity: Any, slip: Any) -> Any:
    """Friction against a sliding velocity, for unit normal force."""
    if len(slip) == 1:
        return capacity[:1] * np.sign(slip)
    size = np.linalg.norm(capacity * slip)
    return capacity**2 * slip / size if size > 0.0 else 0.0 * slip


def sticking_block(x: Any, capacity: Any) -> Any:
    """Law of the friction of a contact point that sticks."""
    if not x.is_dry:
        return friction_block(x.leans_on, x.tangents, capacity)
    limit = float(capacity[0])
    if len(x.tangents) == 1:
        return Segment(x.tangents[0], -limit, limit)
    return Disc(x.tangents, limit)
