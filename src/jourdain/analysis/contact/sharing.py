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

from jourdain.analysis.contact.modes import (
    CLOSED,
    FORCE,
    RESTS,
    SLACK_N,
    SLACK_T,
    STICKS,
    UNSEEN,
    WAY,
    Decision,
)
from jourdain.analysis.contact.rows import Contacts, Rows
from jourdain.equations.constraints import DEPENDENT

_PLAY = 1e-10  # [m, m/s] by which a gap that others hold may close before contacts are asked again
_ENOUGH = 1e3  # capacities beyond this part of the forces count as endless


@dataclass(frozen=True)
class _Block:
    """Rows of one touching that rest: its gap, or its sliding velocity."""

    touch: int
    rows: tuple[int, ...]
    is_normal: bool
    capacity: Any


def share(contacts: Contacts, rows: Rows, found: Decision) -> None:
    """Let go of rows that others keep at rest, and give them forces."""
    blocks = _resting(contacts, rows, found)
    rank = _rank(rows, blocks)
    if all(n == len(block.rows) for n, block in zip(rank, blocks, strict=True)):
        return
    held = [k for k, n in enumerate(rank) if n]
    forces, numbers = _spread(contacts, found, blocks, held), found.modes.numbers
    for block, n in zip(blocks, rank, strict=True):
        own = forces[list(block.rows)]
        together = contacts.together(block.touch)
        if block.is_normal:
            numbers[together, FORCE] = max(own[0], 0.0)
        else:
            numbers[block.touch, WAY : WAY + len(own)] = _part(block.capacity, own)
        if not n and block.is_normal:
            numbers[together, CLOSED], numbers[together, RESTS] = 0.0, 1.0
            numbers[block.touch, SLACK_N] = _PLAY
        elif not n:
            numbers[block.touch, STICKS], numbers[block.touch, SLACK_T] = 0.0, UNSEEN


def _part(capacity: Any, force: Any) -> Any:
    """Direction, at most one long, along which a share of the capacity is the force."""
    part = np.where(capacity > 1e-9 * np.abs(force), -force / np.maximum(capacity, 1e-300), 0.0)
    return part / max(1.0, float(np.linalg.norm(part)))


def _resting(contacts: Contacts, rows: Rows, found: Decision) -> list[_Block]:
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
        capacity = rows.capacity[k, : len(x.tangents)]
        capacity = capacity * (1.0 if x.is_dry else found.forces[x.leans_on])
        rank = (1.0 if capacity.all() else 3.0, -float(capacity.min()))
        listed.append((rank, _Block(k, x.tangents, False, capacity)))
    return [block for _, block in sorted(listed, key=lambda pair: pair[0])]


def _rank(rows: Rows, blocks: list[_Block]) -> list[int]:
    """Number of rows of each block that do not depend on others before, by Gram–Schmidt."""
    basis: list[Any] = []
    found = []
    for block in blocks:
        before = len(basis)
        for row in block.rows:
            own = float(rows.G[row, row])
            w, response = rows.W[row].copy(), rows.B[row].copy()
            for a, b in basis:
                part = float(a @ response)
                w, response = w - part * a, response - part * b
            left = float(w @ response)
            if left > DEPENDENT * own > 0.0:
                basis.append((w / left**0.5, response / left**0.5))
        found.append(len(basis) - before)
    return found


def _spread(contacts: Contacts, found: Decision, blocks: list[_Block], held: list[int]) -> Any:
    """Forces that leave what is held as far from its limits as can be."""
    forces = found.forces.copy()
    size = float(np.abs(forces).max(initial=0.0))
    free = [k for k, b in enumerate(blocks) if len(b.rows) == 1 and _is_simple(contacts, b)]
    if not size > 0.0 or not set(free) - set(held):
        return forces
    own = [blocks[k].rows[0] for k in free]
    equations = [row for k in held for row in blocks[k].rows]
    A = found.G[np.ix_(equations, own)]
    scale = np.maximum(np.abs(A).max(axis=1, initial=0.0), 1e-300)
    A, b = A / scale[:, None], A @ (forces[own] / size) / scale
    limits = [
        np.inf if blocks[k].is_normal else min(float(blocks[k].capacity[0]) / size, _ENOUGH)
        for k in free
    ]
    x = _programme(A, b, limits, [blocks[k].is_normal for k in free], [k in held for k in free])
    if x is not None:
        forces[own] = size * x
    return forces


def _is_simple(contacts: Contacts, block: _Block) -> bool:
    """Whether the limits of a block depend on no other force, nor others on its own."""
    x = contacts.touches[block.touch]
    return x.is_dry if not block.is_normal else not (x.tangents or x.turns)


def _programme(
    A: Any, b: Any, limits: list[float], are_normal: list[bool], are_held: list[bool]
) -> Any:
    """Forces x of A x = b within their limits, those that are held by the largest margin."""
    n = len(limits)
    bounds = [
        (0.0, None) if is_normal else (-limit, limit)
        for limit, is_normal in zip(limits, are_normal, strict=True)
    ]
    rows, right = [], []
    for k in np.flatnonzero(are_held):
        for sign in (-1.0,) if are_normal[k] else (-1.0, 1.0):
            row = np.zeros(n + 1)
            row[k], row[n] = sign, 1.0 if are_normal[k] else limits[k]
            rows.append(row)
            right.append(0.0 if are_normal[k] else limits[k])
    cost = np.zeros(n + 1)
    cost[n] = -1.0
    found = linprog(
        cost, np.array(rows) if rows else None, right if rows else None,
        np.hstack([A, np.zeros((len(A), 1))]), b, [*bounds, (0.0, 1.0)], method="highs",
    )  # fmt: skip
    return found.x[:n] if found.status == 0 else None
