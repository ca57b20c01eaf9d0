"""Forces of contacts that rest where more rest than the machine can tell apart.

Rows that depend on others need not be held: the others keep them at rest. All get a given force, a
normal force or a share of the capacity of their friction; what changes later is carried by the rows
that are held, which tell when they reach their limits. Given forces are chosen such that those are
as far from their limits as they can be (a linear programme).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linprog

from jourdain.equations.constraints.multipliers import DEPENDENT
from jourdain.equations.contact.contact_points import UNSEEN
from jourdain.simulation.contact.events.margins import Cone, largest_margin
from jourdain.simulation.contact.events.modes import (
    CLOSED,
    FORCE,
    RESTS,
    SLACK_N,
    SLACK_T,
    STICKS,
    WAY,
    Decision,
    resistance,
)
from jourdain.simulation.contact.rows import Contacts, Rows
from jourdain.simulation.tolerances import LITTLE_MARGIN, NO_MARGIN, PLAY, TAKES_PART

_ENOUGH = 1e3  # capacities beyond this part of the forces count as endless
_TOLERANCES = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


@dataclass(frozen=True)
class _Block:
    """Rows of one contact point that rest: its gap, or its sliding velocity."""

    touch: int
    rows: tuple[int, ...]
    is_normal: bool
    capacity: Any


def share(contacts: Contacts, rows: Rows, found: Decision) -> None:
    """Let go of rows that others keep at rest, and give them forces."""
    blocks = _resting(contacts, found)
    rank, groups = _ranked(rows, blocks)
    if not groups:
        return
    forces, numbers = found.forces.copy(), found.modes.numbers
    for group in groups:
        members = [(blocks[k], rank[k] > 0) for k in sorted(group)]
        if all(_is_simple(contacts, block) for block, _ in members):
            _spread(rows, found, members, forces)
        else:
            _open_up(contacts, found, members, forces)
    for block, n in zip(blocks, rank, strict=True):
        own = forces[list(block.rows)]
        together = contacts.together(block.touch)
        if block.is_normal:
            numbers[together, FORCE] = max(own[0], 0.0)
        else:
            is_lock = contacts.touches[block.touch].is_lock
            part = -own if is_lock else _part(block.capacity, own)
            numbers[block.touch, WAY : WAY + len(own)] = part
        if not n and block.is_normal:
            numbers[together, CLOSED], numbers[together, RESTS] = 0.0, 1.0
            numbers[block.touch, SLACK_N] = PLAY
        elif not n:
            numbers[block.touch, STICKS], numbers[block.touch, SLACK_T] = 0.0, UNSEEN


def _part(capacity: Any, force: Any) -> Any:
    """Direction, at most one long, along which a share of the capacity is the force."""
    part = np.where(capacity > 1e-9 * np.abs(force), -force / np.maximum(capacity, 1e-300), 0.0)
    return part / max(1.0, float(np.linalg.norm(part)))


def _resting(contacts: Contacts, found: Decision) -> list[_Block]:
    """Rows that rest, those first that should be held: large reserves, and gaps under load."""
    listed: list[tuple[tuple[float, ...], _Block]] = []
    size = float(np.abs(found.forces).max(initial=0.0))
    for k in found.modes.closed:
        normal = contacts.touches[k].normal
        if normal is not None:
            is_loaded = found.forces[normal] > 1e-9 * size
            rank = (0.0, 0.0) if is_loaded else (2.0, 0.0)
            listed.append((rank, _Block(k, (normal,), True, None)))
    for k in found.modes.sticking:
        x = contacts.touches[k]
        capacity = found.holds(k)[: len(x.tangents)]
        capacity = capacity * (1.0 if x.is_dry else found.forces[x.leans_on])
        rank = (1.0 if capacity.all() else 3.0, -float(capacity.min()))
        listed.append((rank, _Block(k, x.tangents, False, capacity)))
    return [block for _, block in sorted(listed, key=lambda pair: pair[0])]


def _ranked(rows: Rows, blocks: list[_Block]) -> tuple[list[int], list[set[int]]]:
    """Rows of each block that do not depend on those before, and groups of blocks that depend.

    By Gram–Schmidt in the measure of the masses.
    """
    basis: list[tuple[Any, Any, Any]] = []  # direction, its response, in rows of blocks
    rank: list[int] = []
    groups: list[set[int]] = []
    for k, block in enumerate(blocks):
        before = len(basis)
        for row in block.rows:
            own = float(rows.G[row, row])
            w, response, parts = rows.W[row].copy(), rows.B[row].copy(), {k: 1.0}
            for a, b, used in basis:
                part = float(a @ response)
                w, response = w - part * a, response - part * b
                for j, x in used.items():
                    parts[j] = parts.get(j, 0.0) - part * x
            left = float(w @ response)
            if left > DEPENDENT * own > 0.0:
                size = left**0.5
                basis.append((w / size, response / size, {j: x / size for j, x in parts.items()}))
            else:
                weights = {j: abs(x) * float(rows.G[blocks[j].rows[0], blocks[j].rows[0]]) ** 0.5
                           for j, x in parts.items()}  # fmt: skip
                groups.append({j for j, x in weights.items() if x > TAKES_PART * own**0.5} | {k})
        rank.append(len(basis) - before)
    return rank, _joined(groups)


def _joined(groups: list[set[int]]) -> list[set[int]]:
    """Groups that have a block in common as one."""
    found: list[set[int]] = []
    for group in groups:
        apart = [other for other in found if not other & group]
        found = [*apart, group.union(*(other for other in found if other & group))]
    return found


def _is_simple(contacts: Contacts, block: _Block) -> bool:
    """Whether the limits of a block depend on no other force, nor others on its own."""
    x = contacts.touches[block.touch]
    if len(block.rows) > 1:
        return False
    return not (x.tangents or x.turns) if block.is_normal else x.is_dry


def _spread(rows: Rows, found: Decision, group: list[tuple[_Block, bool]], forces: Any) -> None:
    """Change forces such that those that are held are as far from their limits as can be."""
    own = [block.rows[0] for block, _ in group]
    size = float(np.abs(forces[own]).max(initial=0.0))
    if not size > 0.0:
        return
    A = rows.G[np.ix_([block.rows[0] for block, is_held in group if is_held], own)]
    A = A / np.abs(A).max(axis=1)[:, None]
    limits = [
        np.inf if block.is_normal else min(float(block.capacity[0]) / size, _ENOUGH)
        for block, _ in group
    ]
    programme = _Programme(A, A @ (forces[own] / size), limits)
    x, margins = programme.solve([k for k, (_, is_held) in enumerate(group) if is_held])
    if x is None:
        return
    forces[own] = size * x
    for k, (block, _) in enumerate(group):
        unit = size * float(rows.G[own[k], own[k]]) * (1.0 if block.is_normal else limits[k])
        found.reserve[block.touch] = margins[k] * unit if k in margins else np.inf


def _open_up(
    contacts: Contacts, found: Decision, group: list[tuple[_Block, bool]], forces: Any
) -> None:
    """Change forces of contacts that are next to their limits, though others could carry more.

    All get a margin; where there is hardly one left, those that are held have all of it.
    """
    own = [row for block, _ in group for row in block.rows]
    size = float(np.abs(forces[own]).max(initial=0.0))
    if not size > 0.0:
        return
    place = {row: k for k, row in enumerate(own)}
    cones = [_cone(contacts, found, block, place, forces, size) for block, _ in group]
    held = [k for k, (_, is_held) in enumerate(group) if is_held]
    if any(cone is None for cone in cones):
        return
    sets = [cone for cone in cones if cone is not None]
    x = forces[own] / size
    units = [_unit(cone, x) for cone in sets]
    if min(sets[k].reserve(x) / units[k] for k in held) > LITTLE_MARGIN:
        return
    responses = _responses(contacts, found)[own].T
    for wanted in (list(range(len(sets))), held):
        y = largest_margin(responses, x, sets, units, wanted)
        if y is not None:
            forces[own] = size * y
            if min(sets[k].reserve(y) / units[k] for k in held) > LITTLE_MARGIN:
                break
    answers = np.maximum(np.diag(found.rows.G), 0.0)
    left = {block.touch: np.inf for block, _ in group}
    for k, (block, is_held) in enumerate(group):
        if is_held:
            unit = size * float(answers[list(block.rows)].max())
            reserve = sets[k].reserve(forces[own] / size) / units[k]
            left[block.touch] = min(left[block.touch], reserve * unit)
    found.reserve.update(left)


def _cone(
    contacts: Contacts, found: Decision, block: _Block, place: Any, forces: Any, size: float
) -> Cone | None:
    """Set of the forces of a block, in parts of a size; None where they have none."""
    places = tuple(place[row] for row in block.rows)
    if block.is_normal:
        return Cone(places)
    x = contacts.touches[block.touch]
    limit = np.asarray(found.holds(block.touch)[: len(block.rows)], dtype=float)
    normal = None if x.is_dry else place.get(x.leans_on)
    if normal is None:
        limit = limit / size if x.is_dry else limit * forces[x.leans_on] / size
    return Cone(places, limit, normal) if (limit > 0.0).all() else None


def _unit(cone: Cone, x: Any) -> float:
    """Reserve of a set that is a margin of one: its normal force, or the mean of forces."""
    if cone.limit is not None and cone.normal is None:
        return 1.0
    own = abs(float(x[cone.places[0] if cone.normal is None else cone.normal]))
    return max(own, 0.1 * float(np.abs(x).max()))


def _responses(contacts: Contacts, found: Decision) -> Any:
    """Accelerations that unit forces along the rows cause, with the friction of what slides."""
    B = found.rows.B.copy()
    for k, way in found.sliding.items():
        x = contacts.touches[k]
        if not x.is_dry and x.leans_on is not None:
            force = resistance(found.rows.capacity[k], way)
            B[x.leans_on] = B[x.leans_on] - force @ found.rows.B[list(x.tangents)]
    return B


@dataclass(frozen=True)
class _Programme:
    """Forces x of A x = b within their limits; an endless limit belongs to a one-sided row."""

    A: Any
    b: Any
    limits: list[float]

    def solve(self, held: list[int]) -> tuple[Any, dict[int, float]]:
        """Forces with the largest margin of those that are held, and margins.

        Margins are parts of a limit, or of a unit for one-sided rows. Rows that can have none must
        not keep others from it.
        """
        x, margin = self._largest(held)
        if x is None or margin > NO_MARGIN:
            return x, dict.fromkeys(held, margin)
        free = [k for k in held if self._largest([k])[1] > NO_MARGIN]
        if free:
            x, margin = self._largest(free)
        return x, {k: margin if k in free else 0.0 for k in held}

    def _largest(self, held: list[int]) -> tuple[Any, float]:
        """Forces with the largest margin that some rows can have together."""
        n, rows, right = len(self.limits), [], []
        for k in held:
            is_normal = np.isinf(self.limits[k])
            for sign in (-1.0,) if is_normal else (-1.0, 1.0):
                row = np.zeros(n + 1)
                row[k], row[n] = sign, 1.0 if is_normal else self.limits[k]
                rows.append(row)
                right.append(0.0 if is_normal else self.limits[k])
        bounds = [(0.0, None) if np.isinf(limit) else (-limit, limit) for limit in self.limits]
        cost = np.zeros(n + 1)
        cost[n] = -1.0
        found = linprog(
            cost, np.array(rows), right, np.hstack([self.A, np.zeros((len(self.A), 1))]), self.b,
            [*bounds, (0.0, 1.0)], method="highs", options=_TOLERANCES,
        )  # fmt: skip
        return (found.x[:n], float(found.x[n])) if found.status == 0 else (None, 0.0)
