"""Mass matrix of a tree that is regular only together with its constraints.

    M' = M + Pᵀ ρ P,   M' dv/dt = f + Pᵀ λ',   P dv/dt + γ = 0,   λ = λ' + ρ γ     (CD-8)

has the motion of (CD-1) for any ρ > 0, and M' is regular wherever masses and constraints together
leave no motion without inertia. ρ only keeps numbers of one size.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any

import casadi as ca

from jourdain.equations.constraints.multipliers import DEPENDENT, Factored, Row
from jourdain.equations.constraints.orthogonal import OrthogonalFactored
from jourdain.equations.recursion.composite_body import Entries, entries, supports

_NONE = 1e-12  # part of the largest mass that counts as zero


def weights(M: Entries, rows: Sequence[Row], sizes: Sequence[Row]) -> list[Any]:
    """Weight ρ of each row: the mass that its coordinates with inertia set against it.

    What they move along with them then has the inertia that constraints give it. Rows of which
    only rounding is left, against the squared ``sizes`` of their entries, hold nothing: 0.
    """
    own = {k: M[k, k] for k, _ in M if (k, k) in M}
    largest = ca.SX(0)
    for mass in own.values():
        largest = ca.fmax(largest, mass)
    found = []
    for row, terms in zip(rows, sizes, strict=False):
        response, size, counts = ca.SX(0), ca.SX(0), ca.SX(0)
        for k, x in row.items():
            counts = ca.fmax(counts, x * x > DEPENDENT * terms[k])
            mass = ca.SX(own.get(k, 0.0))
            has_mass = mass > _NONE * largest
            response += ca.if_else(has_mass, x * x / ca.if_else(has_mass, mass, 1.0), 0.0)
            size += x * x
        rest = largest / ca.if_else(size > 0.0, size, 1.0)
        own_rho = ca.if_else(response > 0.0, 1.0 / ca.if_else(response > 0.0, response, 1.0), rest)
        found.append(ca.if_else(counts, own_rho, 0.0))
    return found


def add_rows(M: Entries, rows: Sequence[Row], rho: Sequence[Any]) -> Entries:
    """Lower triangle of M + Pᵀ ρ P by the numbers of coordinates."""
    found: Entries = {}
    for (i, j), value in M.items():
        found[max(i, j), min(i, j)] = value
    for row, weight in zip(rows, rho, strict=True):
        for i, x in row.items():
            for j, y in row.items():
                if j <= i:
                    found[i, j] = found.get((i, j), 0.0) + weight * x * y
    return found


def factors(tree: Any, rows: Sequence[Row], sizes: Sequence[Row], n_lasting: int) -> Factored:
    """Masses of a tree and constraint rows, factored; the first n rows always hold."""
    M = entries(tree.links, tree.layout, tree._tree, tree.gravity)
    kind = OrthogonalFactored if tree.has_wide_inertias else Factored
    if not tree.leans_on_constraints:
        return kind(M, rows, sizes, *supports(tree.links, tree.layout))
    held = rows[:n_lasting]
    rho = weights(M, held, sizes)
    whole, order, all_before = filled(add_rows(M, held, rho), tree.layout.n_v)
    return kind(whole, rows, sizes, order, all_before, rho=rho)


def filled(M: Entries, n: int) -> tuple[Entries, list[int], dict[int, list[int]]]:
    """Entries with room for what elimination fills, and order and supports for `Factored`.

    Coordinates that meet the fewest others go first, so that networks stay as sparse as they are.
    """
    near: dict[int, set[int]] = {k: set() for k in range(n)}
    for i, j in M:
        if i != j and not ca.SX(M[i, j]).is_zero():
            near[i].add(j)
            near[j].add(i)
    supports, order = {}, []
    waiting = [(len(others), -k) for k, others in near.items()]
    heapq.heapify(waiting)
    while near:
        count, k = heapq.heappop(waiting)
        if -k not in near or count != len(near[-k]):
            continue  # it has other neighbours now
        others = supports[-k] = near.pop(-k)
        order.append(-k)
        for i in others:
            near[i] = (near[i] | others) - {i, -k}
            heapq.heappush(waiting, (len(near[i]), -i))
    order.reverse()
    rank = {k: place for place, k in enumerate(order)}
    listed = {k: sorted(others, key=rank.__getitem__) for k, others in supports.items()}
    pairs = [(k, i) for k in order for i in [*listed[k], k]]
    whole = {(k, i): ca.SX(M.get((max(k, i), min(k, i)), 0.0)) for k, i in pairs}
    return whole, order, listed
