"""Impacts of several contacts at once: Newton's and Poisson's laws with friction.

    u⁺ = u⁻ + G Λ,   v⁺ = v⁻ + M_c⁻¹ Wᵀ Λ                                     (CT-3)
    Newton: 0 ≤ u_N⁺ + e u_N⁻ ⊥ Λ_N ≥ 0,   friction acts on u_T⁺               (CT-4)
    Poisson: compression with e = 0 gives Λ_C; then Λ_NE ≥ e Λ_NC              (CT-5)

The work of the impulses is ½ Λᵀ (u⁺ + u⁻) (Pfeiffer 3.220).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.analysis.contact.rows import Contacts, Rows, Touch
from jourdain.errors import IntegrationError
from jourdain.model.laws import Poisson
from jourdain.solvers.nonsmooth import Disc, Friction, HalfLine, Problem, Segment, solve

_LIMIT = 1e-9  # residual of a solution that counts
_ROUNDS = 200


@dataclass(frozen=True)
class Impact:
    """Result of an impact.

    Parameters
    ----------
    impulses : (m,) [N s]
        Along all rows.
    after : (m,) [m/s]
        Velocities of the rows after it.
    dv : (n_v,)
        Change of the velocities.
    energy : float [J]
        Energy gained; negative: lost.
    residual : float
        Of the solution.
    """

    impulses: Any
    after: Any
    dv: Any
    energy: float
    residual: float


def impact(contacts: Contacts, rows: Rows, closed: Sequence[int], t: float) -> Impact:
    """Impact of the closed touchings.

    Raises
    ------
    IntegrationError
        If the impact equations find no solution; the text names the contacts.
    """
    touches = [(k, contacts.touches[k]) for k in closed if not contacts.touches[k].is_dry]
    e = contacts.restitutions(rows)
    is_poisson = [isinstance(x.impact, Poisson) for _, x in touches]
    if any(is_poisson):
        impulses, residual = _poisson(rows, touches, e, t)
    else:
        impulses, residual = _newton(rows, touches, e, t)
    after = rows.u + rows.G @ impulses
    energy = 0.5 * float(impulses @ (after + rows.u))
    return Impact(impulses, after, rows.B.T @ impulses, energy, residual)


def _newton(rows: Rows, touches: Any, e: Any, t: float) -> tuple[Any, float]:
    c = rows.u.copy()
    for k, x in touches:
        c[x.normal] += e[k] * min(rows.u[x.normal], 0.0)
        c[list(x.tangents)] += x.tangential_restitution * rows.u[list(x.tangents)]
    return solved(rows.G, c, coulomb_blocks(rows, touches), touches, t, "impact")


def coulomb_blocks(rows: Rows, touches: Any) -> list[Any]:
    """Blocks of contacts with Coulomb's friction."""
    blocks: list[Any] = []
    for k, x in touches:
        blocks.append(HalfLine(x.normal))
        if x.tangents:
            mu = rows.capacity[k]
            both = (float(mu[0]), float(mu[1]))
            given = both[0] if len(x.tangents) == 1 or both[0] == both[1] else both
            blocks.append(Friction(x.normal, x.tangents, given))
    return blocks


def _poisson(rows: Rows, touches: Any, e: Any, t: float) -> tuple[Any, float]:
    blocks = coulomb_blocks(rows, touches)
    first, residual = solved(rows.G, rows.u, blocks, touches, t, "compression")
    between = rows.u + rows.G @ first
    total, worst = first.copy(), residual
    normal_now = {k: e[k] * first[x.normal] for k, x in touches}
    second = np.zeros_like(first)
    for _ in range(_ROUNDS):  # the bounds of friction follow the normal impulses
        c = between - _offset(rows, touches, e, first)
        expansion = _expansion_blocks(rows, touches, e, first, normal_now)
        found, worst = solved(rows.G, c, expansion, touches, t, "expansion")
        change = np.abs(found - second).max(initial=0.0)
        second = found
        normal_now = {k: float(found[x.normal]) for k, x in touches}
        if change <= 1e-15 + 1e-14 * np.abs(found).max(initial=0.0):
            break
    return total + second, max(residual, worst)


def _offset(rows: Rows, touches: Any, e: Any, first: Any) -> Any:
    """Velocity that stored impulses would cause, from which the newer law counts (3.206)."""
    stored = np.zeros(len(first))
    for k, x in touches:
        stored[x.normal] = e[k] * first[x.normal]
        for row in x.tangents:
            stored[row] = e[k] * x.tangential_restitution * first[row]
    offset = np.zeros(len(first))
    for _, x in touches:
        if isinstance(x.impact, Poisson) and x.impact.tangential == "beitelschmidt":
            tangents = list(x.tangents)
            offset[tangents] = rows.G[tangents] @ stored
    return offset


def _expansion_blocks(rows: Rows, touches: Any, e: Any, first: Any, normal_now: Any) -> list[Any]:
    blocks: list[Any] = []
    for k, x in touches:
        blocks.append(Segment(x.normal, float(e[k] * first[x.normal]), np.inf))
        if not x.tangents:
            continue
        radius = float(rows.capacity[k][0] * max(normal_now[k], 0.0))
        if len(x.tangents) == 2:
            blocks.append(Disc(x.tangents, radius))
            continue
        row = x.tangents[0]
        lower, upper = -radius, radius
        stores = isinstance(x.impact, Poisson) and x.impact.tangential != "coulomb"
        if stores and first[row] != 0.0:
            back = float(e[k] * x.tangential_restitution * first[row])
            back = float(np.clip(back, -radius, radius))
            lower, upper = (back, radius) if first[row] > 0.0 else (-radius, back)
        blocks.append(Segment(row, lower, upper))
    return blocks


def solved(
    G: Any,
    c: Any,
    blocks: list[Any],
    touches: Sequence[tuple[int, Touch]],
    t: float,
    what: str,
    *,
    start: Any = None,
    tol: float = 1e-13,
) -> tuple[Any, float]:
    """Solution of the rows that blocks name; zero elsewhere. It is searched from ``start``.

    Raises
    ------
    IntegrationError
        If there is none; the text names the contacts with the largest residual.
    """
    used = [row for block in blocks for row in block.rows]
    place = {row: k for k, row in enumerate(used)}
    small = [_moved(block, place) for block in blocks]
    first = None if start is None else start[used]
    found = solve(Problem(G[np.ix_(used, used)], c[used], tuple(small)), first, tol=tol)
    if not found.residual <= _LIMIT:
        names = ", ".join(repr(x.name) for _, x in touches[:6])
        raise IntegrationError(
            f"the {what} equations of the contacts {names} at t = {t:.9g} s find no solution: "
            f"residual {found.residual:.2g}. Likely cause: friction so large that none exists "
            "(Painlevé), or constraints that contradict the contacts."
        )
    impulses = np.zeros(len(c))
    impulses[used] = found.r
    return impulses, float(found.residual)


def _moved(block: Any, place: dict[int, int]) -> Any:
    if isinstance(block, HalfLine):
        return HalfLine(place[block.row])
    if isinstance(block, Segment):
        return Segment(place[block.row], block.lower, block.upper)
    if isinstance(block, Disc):
        return Disc(tuple(place[r] for r in block.rows), block.radius)  # type: ignore[arg-type]
    rows = tuple(place[r] for r in block.rows)
    return Friction(place[block.normal], rows, block.mu)
