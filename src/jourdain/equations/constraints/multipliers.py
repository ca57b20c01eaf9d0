"""Constrained motion of a tree: multipliers from a sparse factorisation that drops repeated rows.

    M dv/dt = f + Pᵀ λ,   P dv/dt + γ = 0                                     (CD-1)
    M = Lᵀ D L (RD-7),   Y = L⁻ᵀ Pᵀ,   G = Yᵀ D⁻¹ Y,   y_f = L⁻ᵀ f            (CD-2)
    G λ = −(γ + Yᵀ D⁻¹ y_f),   dv/dt = L⁻¹ D⁻¹ (y_f + Y λ)                    (CD-3)

L⁻ᵀ fills a row only along the paths of its bodies, which it covers already; G is as sparse as the
loops are apart. G = L_G D_G L_Gᵀ has pivots ≥ 0. A row depends on the rows before it, and is
dropped, λ = 0, if its pivot is below ε times the size its diagonal would have if no terms of the
row cancelled (CD-4). As G is positive semidefinite, the rest of that column is zero as well.

The elimination is written once, for any arithmetic: on expressions it becomes straight-line code,
on cells of memory a list of operations for a loop (`codegen.tape`).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any, Protocol

import casadi as ca

from jourdain.equations.recursion.composite_body import Entries

# Part of a row's own squared size that must be left for it to count. Where rows are about to
# depend on others, rounding is divided by the root of it, in velocities and again in forces.
DEPENDENT = 1e-7
NOISE = 1e-22
"""Part of a row's squared size that rounding may put into entries that are zero."""

Row = dict[int, Any]
"""Entries by velocity coordinate."""


class Arithmetic(Protocol):
    """What the elimination asks of its numbers; None is a number known to be zero.

    A result may take the place of the first argument of `less` and `more`.
    """

    def product(self, a: Any, b: Any) -> Any:
        """A b."""

    def less(self, c: Any, a: Any, b: Any) -> Any:
        """C − a b."""

    def more(self, c: Any, a: Any, b: Any) -> Any:
        """C + a b."""

    def inverse(self, a: Any) -> Any:
        """1 / a."""

    def pivot(self, a: Any, size: Any) -> Any:
        """1 / a, or 0 where a is rounding in a row of this size (CD-4)."""

    def copied(self, a: Any) -> Any:
        """A that can be changed without a change of ``a``."""

    def plus(self, c: Any, a: Any) -> Any:
        """C + a."""

    def noise(self, a: Any) -> Any:
        """``NOISE`` times a."""

    def larger(self, c: Any, a: Any) -> Any:
        """The larger of two numbers ≥ 0."""

    def share(self, a: Any, size: Any) -> Any:
        """A² / size, or 0 where the size is 0."""

    def counted(self, a: Any, share: Any) -> Any:
        """1 / a, or 0 where the share that is left of a row is rounding (CD-9)."""


class _Expressions:
    """Arithmetic on expressions."""

    def product(self, a: Any, b: Any) -> Any:
        return a * b

    def less(self, c: Any, a: Any, b: Any) -> Any:
        return -(a * b) if c is None else c - a * b

    def more(self, c: Any, a: Any, b: Any) -> Any:
        return a * b if c is None else c + a * b

    def inverse(self, a: Any) -> Any:
        return 1.0 / a

    def pivot(self, a: Any, size: Any) -> Any:
        counts = a > DEPENDENT * size
        return ca.if_else(counts, 1.0 / ca.if_else(counts, a, 1.0), 0.0)

    def copied(self, a: Any) -> Any:
        return a

    def plus(self, c: Any, a: Any) -> Any:
        return c + a

    def noise(self, a: Any) -> Any:
        return NOISE * a

    def larger(self, c: Any, a: Any) -> Any:
        return ca.fmax(c, a)

    def share(self, a: Any, size: Any) -> Any:
        counts = size > 0.0
        return ca.if_else(counts, a * a / ca.if_else(counts, size, 1.0), 0.0)

    def counted(self, a: Any, share: Any) -> Any:
        counts = ca.logic_and(share > DEPENDENT, a > 0.0)
        return ca.if_else(counts, 1.0 / ca.if_else(counts, a, 1.0), 0.0)


class Factored:
    """Factors of M and of G for given constraint rows.

    Parameters
    ----------
    M : Entries
        Lower triangle of the mass matrix; replaced by its factors.
    rows : sequence of Row
        Constraint Jacobian P; what is known to be zero is left out.
    sizes : sequence of Row
        Squared sizes of the entries of P before terms cancel.
    order, supports
        Velocity coordinates in tree order, and those between each and the world: what is left of
        each when those after it are eliminated, in that order.
    arithmetic : Arithmetic
        What the entries are; default expressions.
    rho : sequence
        Weights of the first rows, where M is augmented by them (CD-8).

    Attributes
    ----------
    sizes : list
        Per row: Σ_j |P_ij|² / D_j before terms cancel (CD-4).
    """

    def __init__(
        self,
        M: Entries,
        rows: Sequence[Row],
        sizes: Sequence[Row],
        order: list[int],
        supports: dict[int, list[int]],
        arithmetic: Arithmetic | None = None,
        rho: Sequence[Any] = (),
    ) -> None:
        self._rho = rho
        self._M, self._order, self._supports = M, order, supports
        self._rank = {k: place for place, k in enumerate(order)}
        at = self._at = arithmetic or _Expressions()
        self._D_inv: Row = {}
        for k in reversed(order):
            self._D_inv[k] = at.inverse(M[k, k])
            for n, i in reversed(list(enumerate(supports[k], 1))):
                ratio = at.product(M[k, i], self._D_inv[k])
                for j in supports[k][:n]:
                    M[i, j] = at.less(M[i, j], ratio, M[k, j])
                M[k, i] = ratio
        self._Y = [self._half(row) for row in rows]
        self._Z = [self._scaled(row) for row in self._Y]
        self._take_sizes(sizes)
        self._factor_G()

    def _take_sizes(self, sizes: Sequence[Row]) -> None:
        """Sizes that pivots are compared with (CD-4)."""
        self.sizes = [self._sum(None, size, self._D_inv) for size in sizes]

    @property
    def pivots(self) -> list[Any]:
        """Pivots D of the mass matrix by velocity coordinate."""
        return [self._M[k, k] for k in sorted(self._order)]

    def _half(self, x: Row) -> Row:
        """L⁻ᵀ x; entries that are structurally zero are left out."""
        y = dict(x)
        reached = set(y)
        for k in x:  # the last that a coordinate meets meets all others that it meets
            while self._supports[k] and (k := self._supports[k][-1]) not in reached:
                reached.add(k)
        for k in sorted(reached, key=self._rank.__getitem__, reverse=True):
            for i in self._supports[k]:
                y[i] = self._at.less(y.get(i), self._M[k, i], y[k])
        return y

    def _scaled(self, y: Row) -> Row:
        """D⁻¹ y."""
        return {k: self._at.product(value, self._D_inv[k]) for k, value in y.items()}

    def _sum(self, start: Any, one: Row, other: Row) -> Any:
        """Start + Σ one other; None if nothing is there."""
        small, large = sorted((one, other), key=len)
        for k in small:
            if k in large:
                start = self._at.more(start, small[k], large[k])
        return start

    def _gram(self) -> tuple[dict[tuple[int, int], Any], dict[int, set[int]]]:
        """G = Yᵀ D⁻¹ Y, both triangles, and for each row those it meets."""
        meets: dict[int, list[int]] = {}
        for i, row in enumerate(self._Y):
            for k in row:
                meets.setdefault(k, []).append(i)
        near = {i: {j for k in row for j in meets[k]} for i, row in enumerate(self._Y) if row}
        G: dict[tuple[int, int], Any] = {}
        for i, others in near.items():
            for j in sorted(others):
                if j <= i:
                    G[i, j] = G[j, i] = self._sum(None, self._Y[i], self._Z[j])
        return G, {i: others - {i} for i, others in near.items()}

    def _factor_G(self) -> None:  # noqa: N802
        """G = L_G D_G L_Gᵀ, rows of the fewest neighbours first (CD-4)."""
        G, near = self._gram()
        self._steps: list[tuple[int, Any, dict[int, Any]]] = []
        waiting = [(len(others), i) for i, others in near.items()]
        heapq.heapify(waiting)
        while near:
            count, k = heapq.heappop(waiting)
            if k not in near or count != len(near[k]):
                continue  # it has other neighbours now
            inverse = self._at.pivot(G[k, k], self.sizes[k])
            ratios = {i: self._at.product(G[i, k], inverse) for i in sorted(near[k])}
            for i, ratio in ratios.items():
                for j in ratios:
                    if j <= i:
                        G[i, j] = G[j, i] = self._at.less(G.get((i, j)), ratio, G[k, j])
                near[i] = (near[i] | near[k]) - {i, k}
                heapq.heappush(waiting, (len(near[i]), i))
            del near[k]
            self._steps.append((k, inverse, ratios))

    def _solve(self, right: Sequence[Any]) -> list[Any]:
        """Solution of G μ = right; None for rows that are dropped at once."""
        x, at = list(right), self._at
        for k, _, ratios in self._steps:
            if x[k] is not None:
                for i, ratio in ratios.items():
                    x[i] = at.less(x[i], ratio, x[k])
        solution: list[Any] = [None] * len(x)
        for k, inverse, ratios in reversed(self._steps):
            value = None if x[k] is None else at.product(x[k], inverse)
            for i, ratio in ratios.items():
                if solution[i] is not None:
                    value = at.less(value, ratio, solution[i])
            solution[k] = value
        return solution

    def reactions(self, f: Row, bias: Sequence[Any]) -> tuple[Row, list[Any]]:
        """Accelerations, and multipliers with the sign turned, −λ, for forces and biases (CD-3)."""
        y = self._half(f)
        right = [self._sum(gamma, row, y) for row, gamma in zip(self._Z, bias, strict=True)]
        turned = self._solve(right)
        return self._back(y, turned), turned

    def accelerations(self, f: Row, bias: Sequence[Any]) -> tuple[Row, list[Any]]:
        """Accelerations and multipliers for forces f and row biases γ, as expressions (CD-3)."""
        vdot, turned = self.reactions(f, bias)
        found = [ca.SX(0) if x is None else ca.SX(-x) for x in turned]
        for k, weight in enumerate(self._rho):
            found[k] += weight * bias[k]
        return vdot, found

    def correction(self, errors: Sequence[Any]) -> Row:
        """Smallest change of the velocities, in the measure of M, that takes errors away."""
        return self._back({}, self._solve(errors))

    def _back(self, y: Row, turned: Sequence[Any]) -> Row:
        """L⁻¹ D⁻¹ (y + Y λ); what nothing moves is left out."""
        total, at = dict(y), self._at
        for row, factor in zip(self._Y, turned, strict=True):
            if factor is not None:
                for k, value in row.items():
                    total[k] = at.less(total.get(k), value, factor)
        return self._whole(self._scaled(total))

    def _whole(self, w: Row) -> Row:
        """L⁻¹ w; what nothing moves is left out."""
        x, at = Row(), self._at
        for k in self._order:
            value = w.get(k)
            for i in self._supports[k]:
                if i in x:
                    value = at.less(value, self._M[k, i], x[i])
            if value is not None:
                x[k] = value
        return x
