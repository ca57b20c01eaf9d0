"""Functions of one variable with which beams are described, and sums over Gauss points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.polynomial import Legendre, Polynomial

SPLINE_DEGREE = 5


@dataclass(frozen=True)
class Family:
    """Functions on [0, 1].

    Parameters
    ----------
    orders : tuple of function
        Values, first and second derivatives (k, n) of all n functions at k places.
    breaks : tuple of float
        Ends of the intervals in which they are smooth.
    """

    orders: tuple[Callable[[Any], Any], ...]
    breaks: tuple[float, ...] = (0.0, 1.0)

    def with_kinks(self, places: Sequence[float], powers: Sequence[int]) -> Family:
        """Family with functions (ξ − a)^p, zero before a: bending that changes its law there."""
        kinks = [_kink(a, p) for a in places for p in powers]
        if not kinks:
            return self
        orders = tuple(
            partial(_joined, own, _listed([kink[order] for kink in kinks]))
            for order, own in enumerate(self.orders)
        )
        return Family(orders, tuple(sorted({*self.breaks, *places})))


def polynomials(n: int, zeros: int) -> Family:
    """Legendre polynomials on [0, 1] times ξ^zeros: zero there, with ``zeros`` − 1 derivatives."""
    first = Polynomial([0.0] * zeros + [1.0])
    own = [first * Legendre.basis(k, [0, 1]).convert(kind=Polynomial) for k in range(n)]
    orders = ([p.deriv(order) if order else p for p in own] for order in range(3))
    return Family(tuple(_listed(functions) for functions in orders))


def splines(n: int, zeros: int) -> Family:
    """Quintic B-splines on equal intervals of [0, 1], without those that break ``zeros``."""
    from scipy.interpolate import BSpline  # noqa: PLC0415  heavy

    degree = SPLINE_DEGREE
    spans = max(n + zeros - degree, 1)
    inner = np.linspace(0.0, 1.0, spans + 1)
    knots = np.concatenate([[0.0] * degree, inner, [1.0] * degree])
    own = BSpline(knots, np.eye(spans + degree)[:, zeros : zeros + n], degree)
    return Family(tuple(own.derivative(k) if k else own for k in range(3)), tuple(inner))


def eigenfunctions(ends: tuple[str, str]) -> Callable[[int, int], Family]:
    """Family of the eigenfunctions of a uniform beam (``zeros`` = 2), or bar (1), by its ends.

    A beam that may turn, or move, at ξ = 0 is seen from its end there: only its bending counts.
    """

    def family(n: int, zeros: int) -> Family:
        if zeros == 1:
            made = [_bar(k, *(end == "free" for end in ends)) for k in range(n)]
        else:
            made = [_bending(root, ends) for root in _roots(n, ends)]
        return Family(tuple(_listed([one[order] for one in made]) for order in range(3)))

    return family


_ENDS = ("clamped", "pinned", "free")
FAMILIES: dict[str, Callable[[int, int], Family]] = {
    "polynomials": polynomials,
    "splines": splines,
    **{f"{a}-{b}": eigenfunctions((a, b)) for a in _ENDS for b in _ENDS},
}


def _joined(one: Callable[[Any], Any], other: Callable[[Any], Any], xi: Any) -> Any:
    return np.concatenate([one(xi), other(xi)], axis=-1)


def _kink(a: float, power: int) -> list[Callable[[Any], Any]]:
    """Function (ξ − a)^p where ξ > a, with its derivatives."""

    def value(order: int, xi: Any) -> Any:
        beyond = np.maximum(np.asarray(xi, dtype=float) - a, 0.0)
        factor = float(np.prod(np.arange(power - order + 1, power + 1)))
        left = power - order
        return factor * np.where(beyond > 0.0, beyond**left, 0.0) if left >= 0 else 0.0 * beyond

    return [partial(value, order) for order in range(3)]


def _listed(functions: Sequence[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    return lambda xi: np.stack([f(xi) for f in functions], axis=-1)


def _bar(k: int, starts_free: bool, ends_free: bool) -> list[Callable[[Any], Any]]:
    rate = (k + (1.0 if starts_free == ends_free else 0.5)) * np.pi
    turn, shift = (0.5 * np.pi, 1.0) if starts_free else (0.0, 0.0)  # cos(x) − 1, or sin(x)
    return [
        lambda xi: np.sin(rate * xi + turn) - shift,
        lambda xi: rate * np.cos(rate * xi + turn),
        lambda xi: -(rate**2) * np.sin(rate * xi + turn),
    ]


_ZERO = {"clamped": (0, 1), "pinned": (0, 2), "free": (2, 3)}  # derivatives that are zero there


def _waves(b: float, xi: Any, order: int) -> Any:
    """Derivatives, over b^order, of sin bξ, cos bξ, exp(−bξ) and exp(−b(1 − ξ)): (k, 4)."""
    x = b * np.asarray(xi, dtype=float)
    turn = x + order * np.pi / 2.0
    sign = (-1.0) ** order
    return np.stack([np.sin(turn), np.cos(turn), sign * np.exp(-x), np.exp(x - b)], axis=-1)


def _conditions(b: float, ends: tuple[str, str]) -> Any:
    """Matrix (4, 4) of what is zero at the ends."""
    return np.array([
        _waves(b, float(k), order) for k, end in enumerate(ends) for order in _ZERO[end]
    ])  # fmt: skip


def _roots(n: int, ends: tuple[str, str]) -> list[float]:
    """The lowest n numbers β > 0 for which the conditions at both ends can be met."""
    from scipy.optimize import brentq  # noqa: PLC0415  heavy

    def determinant(b: float) -> float:
        return float(np.linalg.det(_conditions(b, ends)))

    found: list[float] = []
    step, b = 0.1, 1.0  # roots lie about π apart, the first one at 1.8
    while len(found) < n:
        if determinant(b) * determinant(b + step) < 0.0:
            found.append(float(brentq(determinant, b, b + step, xtol=1e-15, rtol=1e-15)))
        b += step
    return found


def _bending(b: float, ends: tuple[str, str]) -> list[Callable[[Any], Any]]:
    """Shape that meets the conditions, with its derivatives; flat and zero at ξ = 0."""
    weights = np.linalg.svd(_conditions(b, ends))[2][-1]
    start, slope = (float(_waves(b, 0.0, order) @ weights) for order in (0, 1))
    return [
        lambda xi: _waves(b, xi, 0) @ weights - start - slope * b * np.asarray(xi, dtype=float),
        lambda xi: b * (_waves(b, xi, 1) @ weights - slope),
        lambda xi: b**2 * (_waves(b, xi, 2) @ weights),
    ]


def gauss(breaks: Sequence[float], count: int) -> tuple[Any, Any]:
    """Places and weights of Gauss's rule with ``count`` points in every interval."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    left, right = np.asarray(breaks[:-1]), np.asarray(breaks[1:])
    half = 0.5 * (right - left)
    places = (left + half)[:, None] + half[:, None] * nodes
    return places.ravel(), (half[:, None] * weights).ravel()
