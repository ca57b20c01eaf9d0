"""Which contacts are closed, stick or slide: decided all at once on the level of accelerations.

    0 ≤ g̈_N ⊥ λ_N ≥ 0,   −γ̇_T ∈ N_{D(μ λ_N)}(λ_T) where γ_T = 0,   λ_T = −μ λ_N γ_T/|γ_T| else

(Pfeiffer 3.141–3.146). Sliding contacts add their friction to the column of their normal force.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.analysis.contact.impact import friction_block, solved
from jourdain.analysis.contact.rows import Contacts, Rows, frictions
from jourdain.equations.touching import MODE, SLOW
from jourdain.solvers.nonsmooth import Disc, HalfLine, Segment
from jourdain.solvers.record import Record, refused
from jourdain.system.contact import ContactKernels

_INSIDE = 1e-9  # part of a friction reserve that must be left to stick
_AHEAD = 1e-7  # [s] to look ahead whether a friction reserve falls
_AT_LIMIT = 1e-7  # part of a friction force that counts as no reserve
_PLAY = 1e-10  # [m] by which a contact that rests without force may close further


@dataclass
class Modes:
    """Modes of all touchings.

    Parameters
    ----------
    numbers : (n, 4)
        Closed, sticks, direction of sliding.
    """

    numbers: Any

    @staticmethod
    def open(n: int) -> Modes:
        """All apart."""
        return Modes(np.zeros((n, MODE)))

    @staticmethod
    def of(record: Record, n: int) -> Modes:
        """Modes of n touchings, as an earlier run had them."""
        numbers = record.array("modes", MODE * n, -1.0 - _INSIDE, 1.0 + _INSIDE).reshape(n, MODE)
        if not np.isin(numbers[:, :2], (0.0, 1.0)).all():
            raise refused("'modes' has contacts that are neither open nor closed")
        return Modes(numbers)

    @property
    def closed(self) -> list[int]:
        """Touchings whose gap is held."""
        return [int(k) for k in np.flatnonzero(self.numbers[:, 0] > 0.5)]

    @property
    def sticking(self) -> list[int]:
        """Touchings whose sliding velocity is held."""
        return [int(k) for k in np.flatnonzero(self.numbers[:, 1] > 0.5)]

    def copy(self) -> Modes:
        """The same, to be changed."""
        return Modes(self.numbers.copy())

    def word(self, k: int) -> str:
        """Mode of one touching in a word."""
        closed, sticks = self.numbers[k, :2] > 0.5
        return "stick" if sticks else "slip" if closed else "open"


def decide(
    contacts: Contacts, rows: Rows, touching: Iterable[int], t: float, slipping: int | None = None
) -> Modes:
    """Modes that the forces want.

    Parameters
    ----------
    contacts, rows
        The contacts and their rows at the state.
    touching : iterable of int
        Touchings with no gap and no rate of it.
    t : float [s]
        Time, for errors.
    slipping : int, optional
        A touching whose friction has just reached its limit: it slides against its friction.
    """
    G, c, sliding = rows.G.copy(), rows.acceleration.copy(), {}
    blocks: list[Any] = []
    touches = [(k, contacts.touches[k]) for k in touching]
    blocks += [HalfLine(x.normal) for _, x in touches if x.normal is not None]
    for k, x in with_friction(contacts, [k for k, _ in touches]):
        slip = rows.u[list(x.tangents)]
        speed = np.linalg.norm(slip)
        if speed > SLOW:
            sliding[k] = slip / speed
            force = resistance(rows.capacity[k], slip)
            if x.is_dry:
                c = c - G[:, list(x.tangents)] @ force
            else:
                G[:, x.leans_on] = G[:, x.leans_on] - rows.G[:, list(x.tangents)] @ force
        else:
            blocks.append(sticking_block(x, rows.capacity[k]))
    if not blocks:
        return _apart(contacts, sliding)
    every = list(enumerate(contacts.touches))
    forces, _ = solved(G, c, blocks, every, t, "contact")
    accelerations = c + G @ forces
    return _modes(contacts, rows, touches, sliding, forces, accelerations, slipping)


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


def with_friction(contacts: Contacts, closed: Iterable[int]) -> list[tuple[int, Any]]:
    """Touchings whose friction can act."""
    can_act = {j for k in closed for j, _, _ in frictions(contacts.touches, (k,))}
    return [(k, x) for k, x in enumerate(contacts.touches) if x.is_dry or k in can_act]


def resistance(capacity: Any, slip: Any) -> Any:
    """Friction against a sliding velocity, for unit normal force."""
    if len(slip) == 1:
        return capacity[:1] * np.sign(slip)
    size = np.linalg.norm(capacity * slip)
    return capacity**2 * slip / size if size > 0.0 else 0.0 * slip


def sticking_block(x: Any, capacity: Any) -> Any:
    """Law of the friction of a touching that sticks."""
    if not x.is_dry:
        return friction_block(x.leans_on, x.tangents, capacity)
    limit = float(capacity[0])
    if len(x.tangents) == 1:
        return Segment(x.tangents[0], -limit, limit)
    return Disc(x.tangents, limit)


def _apart(contacts: Contacts, sliding: dict[int, Any]) -> Modes:
    modes = Modes.open(len(contacts.touches))
    for k, direction in sliding.items():
        modes.numbers[k, 2 : 2 + len(direction)] = direction
    return modes


def _modes(
    contacts: Contacts,
    rows: Rows,
    touches: Any,
    sliding: dict[int, Any],
    forces: Any,
    accelerations: Any,
    slipping: int | None,
) -> Modes:
    modes = _apart(contacts, sliding)
    scale = np.abs(rows.acceleration).max(initial=0.0) + 1e-300
    for k, x in touches:
        pushes = forces[x.normal] * rows.G[x.normal, x.normal] > 1e-12 * scale
        modes.numbers[contacts.together(k), 0] = float(pushes)
        if not pushes:
            modes.numbers[k, 2:4] = (_PLAY, 0.0)
    for k, x in with_friction(contacts, modes.closed):
        if k in sliding:
            modes.numbers[k, 2 : 2 + len(x.tangents)] = sliding[k]
            continue
        tangents = list(x.tangents)
        limit = rows.capacity[k, : len(tangents)] * (1.0 if x.is_dry else forces[x.leans_on])
        part = np.linalg.norm(forces[tangents] / np.maximum(limit, 1e-300)) if limit.all() else 1.0
        moves = np.linalg.norm(accelerations[tangents]) > 1e-9 * scale
        holds = limit * np.diag(rows.G)[tangents] > 1e-9 * scale
        if k == slipping or (moves and (part > 1.0 - _INSIDE or not holds.all())):
            way = -forces[tangents] if k == slipping else accelerations[tangents]
            modes.numbers[k, 2 : 2 + len(tangents)] = way / max(np.linalg.norm(way), 1e-300)
        else:
            modes.numbers[k, 1] = 1.0
    return modes


def leaves_at_once(
    modes: Modes, kernels: ContactKernels, q: Any, v: Any, u: Any, t: float, p: Any
) -> int | None:
    """A touching that sticks at the limit of its friction and is about to exceed it.

    At that limit sticking and sliding satisfy the equations both: what the reserve does next tells
    them apart.
    """
    if not modes.sticking:
        return None
    qdot, vdot = kernels.rates(q, v, u, t, p)
    now = kernels.indicators(q, v, u, t, p)[0]
    soon = kernels.indicators(q + _AHEAD * qdot, v + _AHEAD * vdot, u, t + _AHEAD, p)[0]
    forces = kernels.touching_forces(q, v, u, t, p)[0]
    for k in modes.sticking:
        size = np.abs(forces[3 * k : 3 * k + 3]).max()
        if now[2 * k + 1] <= _AT_LIMIT * size and soon[2 * k + 1] < min(0.0, now[2 * k + 1]):
            return k
    return None
