"""Impacts of several contacts at once: Newton's and Poisson's laws with friction.

    u⁺ = u⁻ + G Λ,   v⁺ = v⁻ + M_c⁻¹ Wᵀ Λ                                     (CT-3)
    Newton: 0 ≤ u_N⁺ + e u_N⁻ ⊥ Λ_N ≥ 0,   friction acts on u_T⁺ + e_T u_T⁻     (CT-4)
    Poisson: compression with e = 0 gives Λ_C; then Λ_NE ≥ e Λ_NC              (CT-5)

The work of the impulses is ½ Λᵀ (u⁺ + u⁻) (Pfeiffer 3.220).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from jourdain.errors import IntegrationError
from jourdain.model.laws import Poisson
from jourdain.simulation.contact.rows import Contacts, Rows, Touch, frictions, locked
from jourdain.simulation.tolerances import NO_NUMBER, SOLVED, SOLVED_WELL
from jourdain.solvers import REMEDY, Status
from jourdain.solvers.nonsmooth import Disc, Friction, HalfLine, Problem, Segment, solve
from jourdain.solvers.nonsmooth.small.dense_solver import dense_solver

_EXACT = 24  # rows up to which problems are solved to rounding
_SWEPT = 100  # rows up to which sweeps find rounding


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
    works : (m,) [J]
        Work of the impulses along all rows, ½ Λ (u⁺ + u⁻); negative: lost.
    residual : float
        Of the solution.
    """

    impulses: Any
    after: Any
    dv: Any
    works: Any
    residual: float

    @property
    def energy(self) -> float:
        """Energy gained [J]; negative: lost."""
        return float(self.works.sum())


def impact(
    contacts: Contacts, rows: Rows, closed: Sequence[int], t: float, e: Any = None
) -> Impact:
    """Impact of the closed contact points with restitutions ``e``, by default those of their laws.

    Raises
    ------
    IntegrationError
        If the impact equations find no solution; the text names the contacts.
    """
    touches = [(k, contacts.touches[k]) for k in closed if not contacts.touches[k].is_dry]
    e = contacts.restitutions(rows) if e is None else e
    locks = _Locks(contacts, rows)
    is_poisson = [isinstance(x.impact, Poisson) for _, x in touches]
    if any(is_poisson):
        impulses, residual = _poisson(contacts, locks.held, touches, e, t)
    else:
        impulses, residual = _newton(contacts, locks.held, rows.u, touches, e, t)
    impulses = locks.with_own(impulses)
    after = rows.u + rows.G @ impulses
    locks.require_closed(after, t)
    works = 0.5 * impulses * (after + rows.u)
    return Impact(impulses, after, rows.B.T @ impulses, works, residual)


class _Locks:
    """Locks that hold in an impact: all others see a machine in which they are constraints.

        Λ_L = −G_LL⁺ (u_L⁻ + G_LC Λ_C),   u⁺ = u' + G' Λ_C,
        G' = G − G_·L G_LL⁺ G_L·,   u' = u⁻ − G_·L G_LL⁺ u_L⁻                  (CT-24)

    Where more lock than the machine can tell apart, the smallest impulses are taken.
    """

    def __init__(self, contacts: Contacts, rows: Rows) -> None:
        self.touches = [contacts.touches[k] for k in locked(contacts.touches, rows)]
        self.own, self.rows, self.held = [r for x in self.touches for r in x.tangents], rows, rows
        if self.own:
            own = self.own
            self._inverse = np.linalg.pinv(rows.G[np.ix_(own, own)], rcond=1e-12, hermitian=True)
            part = rows.G[:, own] @ self._inverse
            u, B = rows.u - part @ rows.u[own], rows.B - part @ rows.B[own]
            self.held = replace(rows, u=u, B=B)

    def with_own(self, impulses: Any) -> Any:
        """Impulses of contacts, and of the locks that answer."""
        if not self.own:
            return impulses
        found, own = impulses.copy(), self.own
        found[own] = 0.0
        found[own] = -self._inverse @ (self.rows.u[own] + self.rows.G[own] @ found)
        return found

    def require_closed(self, after: Any, t: float) -> None:
        """Refuse locks that no impulse can close."""
        speed = np.abs(self.rows.u).max(initial=0.0)
        for x in self.touches:
            left = float(np.abs(after[list(x.tangents)]).max())
            if left > SOLVED * speed:
                raise IntegrationError(
                    f"connection {x.name!r} locks at t = {t:.9g} s, but still moves at {left:.3g} "
                    "then. Likely cause: driven coordinates or constraints move what it should "
                    "hold. Next: lock where they stand still, or put a compliant part between."
                )


def _newton(
    contacts: Contacts, rows: Rows, before: Any, touches: Any, e: Any, t: float
) -> tuple[Any, float]:
    c = rows.u.copy()
    fastest = float(np.abs(before).max(initial=0.0))
    for k, x in touches:
        c[x.normal] += e[k] * min(before[x.normal], 0.0)
        if before[x.normal] < -SOLVED * fastest:
            c[list(x.tangents)] += x.given_back * before[list(x.tangents)]
    blocks = coulomb_blocks(contacts, rows, touches)
    return solved(rows.G, c, blocks, touches, t, "impact")


def coulomb_blocks(contacts: Contacts, rows: Rows, touches: Any) -> list[Any]:
    """Blocks of contacts with Coulomb's friction."""
    blocks: list[Any] = [HalfLine(x.normal) for _, x in touches]
    for j, normal, tangents in frictions(contacts.touches, [k for k, _ in touches]):
        if rows.capacity[j].any():
            blocks.append(friction_block(normal, tangents, rows.capacity[j]))
    return blocks


def friction_block(normal: int, tangents: tuple[int, ...], capacity: Any) -> Friction:
    """Friction with equal or different coefficients along its tangents."""
    both = float(capacity[0]), float(capacity[1])
    alike = len(tangents) == 1 or both[0] == both[1]
    return Friction(normal, tangents, both[0] if alike else both)


def _poisson(contacts: Contacts, rows: Rows, touches: Any, e: Any, t: float) -> tuple[Any, float]:
    blocks = coulomb_blocks(contacts, rows, touches)
    first, residual = solved(rows.G, rows.u, blocks, touches, t, "compression")
    given = np.zeros_like(first)  # normal impulses that are given back at least
    for k, x in touches:
        first[x.normal] = max(first[x.normal], 0.0)  # without what rounding leaves
        given[x.normal] = e[k] * first[x.normal]
    c = rows.u + rows.G @ (first + given) - _offset(rows, touches, e, first)
    P, Q, parts = _expansion(contacts, rows, touches, e, first)
    size = float(np.linalg.norm(rows.u))
    more, worst = solved(Q @ rows.G @ P, Q @ c, parts, touches, t, "expansion", size)
    return first + given + P @ more, max(residual, worst)


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


def _expansion(
    contacts: Contacts, rows: Rows, touches: Any, e: Any, first: Any
) -> tuple[Any, Any, list[Any]]:
    """Impulses P r of the expansion beyond e Λ_NC, their velocities Q u, and the laws of r.

    The set of friction impulses for Λ_NE = e Λ_NC + r_N is the sum of one for e Λ_NC, which is
    known, and one for r_N. A force in a sum of sets is a sum of forces, each normal to the velocity
    in its own set: tangents appear twice.
    """
    P: list[Any] = []
    Q: list[Any] = []
    blocks: list[Any] = []
    unit = np.eye(len(first))
    for k, x in touches:
        n, given = len(P), float(e[k] * first[x.normal])
        P.append(unit[x.normal].copy())
        Q.append(unit[x.normal])
        blocks.append(HalfLine(n))
        for j, _, tangents in frictions(contacts.touches, (k,)):
            mu, at = rows.capacity[j], len(P)
            if not mu.any():
                continue
            if len(tangents) == 1:
                row = tangents[0]
                stored = float(first[row]) if j == k else 0.0  # turning gives nothing back
                lower, upper, one_sided = _stored(x, e[k], mu[0], given, stored)
                P[n] += one_sided * 0.5 * mu[0] * unit[row]
                along = [unit[row]] * 2
                half = 0.5 if one_sided else 1.0
                blocks.append(Friction(n, (at,), half * float(mu[0])))
                blocks.append(Segment(at + 1, lower, upper))
            else:
                across = unit[list(tangents)]
                along = [*across, *(mu[:, None] * across)]
                blocks.append(friction_block(n, (at, at + 1), mu))
                blocks.append(Disc((at + 2, at + 3), given))
            P += along
            Q += along
    return np.array(P).T, np.array(Q), blocks


def _stored(
    x: Touch, e: float, mu: float, given: float, first: float
) -> tuple[float, float, float]:
    """Limits of a friction impulse for the given normal impulse, and the side it is kept on."""
    limit = float(mu * given)
    if not (x.impact.stores and first != 0.0):
        return -limit, limit, 0.0
    back = float(np.clip(e * x.tangential_restitution * first, -limit, limit))
    return (back, limit, 1.0) if first > 0.0 else (-limit, back, -1.0)


def solved(
    G: Any, c: Any, blocks: list[Any], touches: Sequence[tuple[int, Touch]], t: float, what: str,
    size: float = 0.0, start: Any = None, *, is_swept: bool = False,
) -> tuple[Any, float]:  # fmt: skip
    """Solution of the rows that blocks name; zero elsewhere.

    Residuals are relative to the size of ``c``, or to ``size`` where that is larger: what is left
    of velocities that have been brought to rest is rounding. ``start`` are impulses to start from;
    small problems are solved anew, to rounding, so that nothing creeps. If ``is_swept``, small
    problems are tried by sweeps in machine code first.

    Raises
    ------
    IntegrationError
        If there is none; the text names the contacts.
    """
    if not np.isfinite(c).all():
        raise IntegrationError(f"{REMEDY[Status.NOT_FINITE]} Next: look at the last good state.")
    c = np.where(np.abs(c) < NO_NUMBER, 0.0, c)
    used, small = _compressed(tuple(blocks))
    own = max(float(np.linalg.norm(c[used])), 1e-300)
    share = max(1.0, size / own)
    if is_swept and len(used) <= _SWEPT:
        r, residual, approach = dense_solver(small, len(used)).solve(
            G[np.ix_(used, used)], c[used], SOLVED_WELL * share
        )
        if residual <= SOLVED_WELL * share and approach <= SOLVED * own * share:
            impulses = np.zeros(len(c))
            impulses[used] = r
            return impulses, residual / share
    r0 = start[used] if start is not None and len(used) > _EXACT else None
    found = solve(Problem(G[np.ix_(used, used)], c[used], small), r0, tol=SOLVED_WELL * share)
    approach = -min((found.u[b.row] for b in small if isinstance(b, HalfLine)), default=0.0)
    # Where constraints leave no response, impulses without bound hide that nothing is stopped.
    residual = max(float(found.residual), approach / own) / share
    if not residual <= SOLVED:
        worst = {row for k in found.worst[:1] for row in blocks[k].rows}
        worst |= {b.row for b, s in zip(blocks, small, strict=True)
                  if isinstance(b, HalfLine) and found.u[s.row] < -SOLVED * own}  # fmt: skip
        raise _unsolved(_culprits(touches, worst, what), t, what, residual)
    impulses = np.zeros(len(c))
    impulses[used] = found.r
    return impulses, residual


@lru_cache(maxsize=64)
def _compressed(blocks: tuple[Any, ...]) -> tuple[list[int], tuple[Any, ...]]:
    """Rows that blocks name, and the blocks with these rows numbered through."""
    used = [row for block in blocks for row in block.rows]
    place = {row: k for k, row in enumerate(used)}
    return used, tuple(_moved(block, place) for block in blocks)


def _culprits(touches: Sequence[tuple[int, Touch]], rows: set[int], what: str) -> list[Touch]:
    """Contacts of some rows; all where rows are not theirs."""
    every = [x for _, x in touches]
    found = [x for x in every if rows & {x.normal, *x.tangents}]
    return found if found and what != "expansion" else every


def _unsolved(touches: list[Touch], t: float, what: str, residual: float) -> IntegrationError:
    names = ", ".join(repr(x.name) for x in touches[:6])
    cause = "other contacts or constraints that contradict them, as where driven parts close on it"
    if any(x.tangents for x in touches):
        cause = "friction so large that none exists (Painlevé), or constraints that contradict them"
    return IntegrationError(
        f"the {what} equations of the contacts {names} at t = {t:.9g} s find no solution: "
        f"residual {residual:.2g}. Likely cause: {cause}."
    )


def _moved(block: Any, place: dict[int, int]) -> Any:
    if isinstance(block, HalfLine):
        return HalfLine(place[block.row])
    if isinstance(block, Segment):
        return Segment(place[block.row], block.lower, block.upper)
    if isinstance(block, Disc):
        return Disc(tuple(place[r] for r in block.rows), block.radius)  # type: ignore[arg-type]
    rows = tuple(place[r] for r in block.rows)
    return Friction(place[block.normal], rows, block.mu)
