"""Multipliers where inertias differ by many orders: rows are made orthogonal one after the other.

A pivot of (CD-3) is what is left of a row's response when the rows before it hold. Where one
inertia is 1e-9 of another, next to nothing is left by that measure although the row is as
independent as can be: all that is left lies in the heavy coordinates. Here the rows themselves are
reduced, in the measure of the masses,

    r_k = Y_k − Σ_j L_kj r_j,   L_kj = r_jᵀ D⁻¹ Y_k / d_j,   d_k = r_kᵀ D⁻¹ r_k      (CD-9)

so that d_k is a sum of squares and not a difference of large numbers. A row depends on those before
it if in *every* coordinate next to nothing is left of the terms that make it up. Rows are reduced
twice, and accelerations are found twice, the second time for what rounding has left:

    w = D⁻¹ L⁻ᵀ f,   w ← w − Σ_k D⁻¹ r_k e_k / d_k,   e_k = γ_k + Y_kᵀ w − Σ_j L_kj e_j     (CD-10)
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any

from jourdain.equations.constraints.multipliers import Factored, Row

_ROUNDS = 2


class OrthogonalFactored(Factored):
    """Factors of M, and of G for rows made orthogonal.

    Parameters
    ----------
    M, rows, sizes, order, supports, arithmetic, rho
        As of `Factored`.
    """

    def _take_sizes(self, sizes: Sequence[Row]) -> None:
        super()._take_sizes(sizes)
        self._terms = [self._half_sizes(size, y) for size, y in zip(sizes, self._Y, strict=True)]

    def _half_sizes(self, size: Row, y: Row) -> Row:
        """Squared sizes of the terms of L⁻ᵀ x."""
        at = self._at
        total = None
        for value in size.values():
            total = at.copied(value) if total is None else at.plus(total, value)
        terms: Row = {}
        if total is None:
            return terms
        for k in y:
            terms[k] = at.noise(total)
            if k in size:
                terms[k] = at.plus(terms[k], size[k])
        for k in sorted(y, key=self._rank.__getitem__, reverse=True):
            for i in self._supports[k]:
                ratio = self._M[k, i]
                terms[i] = at.more(terms[i], at.product(ratio, ratio), terms[k])
        return terms

    def _factor_G(self) -> None:  # noqa: N802
        """Rows r_k and factors L, rows of the fewest neighbours first (CD-9)."""
        at = self._at
        r = [{k: at.copied(value) for k, value in row.items()} for row in self._Y]
        near = self._meeting()
        self._steps: list[tuple[int, Any, dict[int, Any]]] = []
        self._reduced, self._reduced_scaled = r, [Row() for _ in r]
        waiting = [(len(others), i) for i, others in near.items()]
        heapq.heapify(waiting)
        while near:
            count, k = heapq.heappop(waiting)
            if k not in near or count != len(near[k]):
                continue  # it has other neighbours now
            z = self._reduced_scaled[k] = self._scaled(r[k])
            inverse = self._counted(self._sum(None, r[k], z), r[k], self._terms[k])
            ratios: dict[int, Any] = {}
            for i in sorted(near[k]):
                for _ in range(_ROUNDS):
                    inner = self._sum(None, z, r[i])
                    if inner is not None:
                        ratio = at.product(inner, inverse)
                        self._reduce(i, k, ratio)
                        ratios[i] = at.plus(ratios[i], ratio) if i in ratios else ratio
                near[i] = (near[i] | near[k]) - {i, k}
                heapq.heappush(waiting, (len(near[i]), i))
            del near[k]
            self._steps.append((k, inverse, ratios))

    def _meeting(self) -> dict[int, set[int]]:
        """For each row that is not empty, the others with a coordinate in common."""
        meets: dict[int, set[int]] = {}
        for i, row in enumerate(self._Y):
            for k in row:
                meets.setdefault(k, set()).add(i)
        rows = enumerate(self._Y)
        return {i: set().union(*(meets[k] for k in row)) - {i} for i, row in rows if row}

    def _counted(self, pivot: Any, r: Row, terms: Row) -> Any:
        """1 / pivot, or 0 where in no coordinate enough is left of the terms of a row."""
        share = None
        for k, value in r.items():
            part = self._at.share(value, terms[k])
            share = part if share is None else self._at.larger(share, part)
        return self._at.counted(pivot, share)

    def _reduce(self, i: int, k: int, ratio: Any) -> None:
        """Take the reduced row k from row i."""
        at = self._at
        square = at.product(ratio, ratio)
        own, terms = self._reduced[i], self._terms[i]
        for j, value in self._reduced[k].items():
            own[j] = at.less(own.get(j), ratio, value)
            terms[j] = at.more(terms.get(j), square, self._terms[k][j])

    def _approach(self, w: Row, right: Sequence[Any]) -> list[Any]:
        """Change w such that Y w = −right, to first accuracy; return −λ of the change."""
        at, x = self._at, list(right)
        for k, inverse, ratios in self._steps:
            if x[k] is None:
                continue
            for i, ratio in ratios.items():
                x[i] = at.less(x[i], ratio, x[k])
            x[k] = at.product(x[k], inverse)
            for j, value in self._reduced_scaled[k].items():
                w[j] = at.less(w.get(j), value, x[k])
        for k, _, ratios in reversed(self._steps):
            for i, ratio in ratios.items():
                if x[i] is not None:
                    x[k] = at.less(x[k], ratio, x[i])
        return x

    def _settled(self, w: Row, bias: Sequence[Any]) -> list[Any]:
        """Change w such that Y w = −bias; return −λ."""
        found: list[Any] = [None] * len(bias)
        for _ in range(_ROUNDS):
            left = [
                self._sum(None if gamma is None else self._at.copied(gamma), row, w)
                for row, gamma in zip(self._Y, bias, strict=True)
            ]
            for k, more in enumerate(self._approach(w, left)):
                if more is not None:
                    found[k] = more if found[k] is None else self._at.plus(found[k], more)
        return found

    def reactions(self, f: Row, bias: Sequence[Any]) -> tuple[Row, list[Any]]:
        """Accelerations, and −λ, for forces and biases (CD-10)."""
        w = self._scaled(self._half(f))
        turned = self._settled(w, bias)
        return self._whole(w), turned

    def correction(self, errors: Sequence[Any]) -> Row:
        """Smallest change of the velocities, in the measure of M, that takes errors away."""
        w: Row = {}
        self._settled(w, errors)
        return self._whole(w)
