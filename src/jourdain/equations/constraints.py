"""Constrained motion of a tree: multipliers from a sparse factorisation that drops repeated rows.

    M dv/dt = f + Pᵀ λ,   P dv/dt + γ = 0                                     (CD-1)
    M = Lᵀ D L (RD-7),   Y = L⁻ᵀ Pᵀ,   G = Yᵀ D⁻¹ Y,   y_f = L⁻ᵀ f            (CD-2)
    G λ = −(γ + Yᵀ D⁻¹ y_f),   dv/dt = L⁻¹ D⁻¹ (y_f + Y λ)                    (CD-3)

L⁻ᵀ fills a row only along the paths of its bodies, which it covers already; G is as sparse as the
loops are apart. G = L_G D_G L_Gᵀ has pivots ≥ 0. A row depends on the rows before it, and is
dropped, λ = 0, if its pivot is below ε times the size its diagonal would have if no terms of the
row cancelled (CD-4). As G is positive semidefinite, the rest of that column is zero as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca

from jourdain.equations.composite_body import Entries

# Part of a row's own squared size that must be left for it to count. Where rows are about to
# depend on others, rounding is divided by the root of it, in velocities and again in forces.
DEPENDENT = 1e-7

Row = dict[int, Any]  # velocity coordinate → entry


class Factored:
    """Factors of M and of G for given constraint rows.

    Parameters
    ----------
    M : Entries
        Lower triangle of the mass matrix; replaced by its factors.
    rows : sequence of Row
        Constraint Jacobian P.
    sizes : sequence of Row
        Squared sizes of the entries of P before terms cancel.
    order, supports
        Velocity coordinates in tree order, and those between each and the world.

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
    ) -> None:
        self._M, self._order, self._supports = M, order, supports
        for k in reversed(order):
            for i in reversed(supports[k]):
                ratio = M[k, i] / M[k, k]
                for j in [*supports[i], i]:
                    M[i, j] = M[i, j] - ratio * M[k, j]
                M[k, i] = ratio
        self._Y = [self._half(row) for row in rows]
        self.sizes = [sum(x / M[k, k] for k, x in size.items()) for size in sizes]
        self._factor_G()

    @property
    def pivots(self) -> list[Any]:
        """Pivots D of the mass matrix by velocity coordinate."""
        return [self._M[k, k] for k in sorted(self._order)]

    def _half(self, x: Row) -> Row:
        """L⁻ᵀ x; entries that are structurally zero are left out."""
        y = {k: value for k, value in x.items() if not _is_zero(value)}
        for k in reversed(self._order):
            if k in y:
                for i in self._supports[k]:
                    y[i] = y.get(i, 0.0) - self._M[k, i] * y[k]
        return y

    def _dot(self, one: Row, other: Row) -> Any:
        """One part of Yᵀ D⁻¹ Y."""
        small, large = sorted((one, other), key=len)
        terms = [small[k] * large[k] / self._M[k, k] for k in small if k in large]
        return sum(terms[1:], terms[0]) if terms else None

    def _factor_G(self) -> None:  # noqa: N802
        """G = L_G D_G L_Gᵀ, rows of the fewest neighbours first (CD-4)."""
        n = len(self._Y)
        G: dict[tuple[int, int], Any] = {}
        for i in range(n):
            for j in range(i + 1):
                value = self._dot(self._Y[i], self._Y[j])
                if value is not None:
                    G[i, j] = G[j, i] = value
        near = {i: {j for j in range(n) if j != i and (i, j) in G} for i in range(n) if (i, i) in G}
        self._steps: list[tuple[int, Any, dict[int, Any]]] = []
        while near:
            k = min(near, key=lambda i: (len(near[i]), i))
            counts = G[k, k] > DEPENDENT * self.sizes[k]
            inverse = ca.if_else(counts, 1.0 / ca.if_else(counts, G[k, k], 1.0), 0.0)
            ratios = {i: G[i, k] * inverse for i in sorted(near[k])}
            for i, ratio in ratios.items():
                for j in ratios:
                    if j <= i:
                        G[i, j] = G[j, i] = G.get((i, j), 0.0) - ratio * G[k, j]
                near[i] = (near[i] | near[k]) - {i, k}
            del near[k]
            self._steps.append((k, inverse, ratios))

    def multipliers(self, right: Sequence[Any]) -> list[Any]:
        """Solution λ of G λ = right; zero for rows that are dropped."""
        x = [ca.SX(value) for value in right]
        for k, _, ratios in self._steps:
            for i, ratio in ratios.items():
                x[i] = x[i] - ratio * x[k]
        solution = [ca.SX(0)] * len(x)
        for k, inverse, ratios in reversed(self._steps):
            solution[k] = x[k] * inverse
            for i, ratio in ratios.items():
                solution[k] = solution[k] - ratio * solution[i]
        return solution

    def accelerations(self, f: Row, bias: Sequence[Any]) -> tuple[Row, list[Any]]:
        """Accelerations and multipliers for forces f and row biases γ (CD-3)."""
        y = self._half(f)
        right = []
        for row, gamma in zip(self._Y, bias, strict=True):
            part = self._dot(row, y)
            right.append(-gamma if part is None else -gamma - part)
        multipliers = self.multipliers(right)
        return self._back(y, multipliers), multipliers

    def correction(self, errors: Sequence[Any]) -> Row:
        """Smallest change of the velocities, in the measure of M, that takes errors away."""
        multipliers = self.multipliers([-e for e in errors])
        return self._back({}, multipliers)

    def _back(self, y: Row, multipliers: Sequence[Any]) -> Row:
        """L⁻¹ D⁻¹ (y + Y λ)."""
        total = dict(y)
        for row, factor in zip(self._Y, multipliers, strict=True):
            for k, value in row.items():
                total[k] = total.get(k, 0.0) + value * factor
        x: Row = {}
        for k in self._order:
            value = total.get(k, ca.SX(0)) / self._M[k, k]
            for i in self._supports[k]:
                value = value - self._M[k, i] * x[i]
            x[k] = value
        return x


def _is_zero(value: Any) -> bool:
    return bool(ca.SX(value).is_zero())
