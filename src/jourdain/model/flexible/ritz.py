"""Functions of one variable with which beams are described, and sums over Gauss points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial import Legendre, Polynomial


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


def polynomials(n: int, zeros: int) -> Family:
    """Legendre polynomials on [0, 1] times ξ^zeros: zero there, with ``zeros`` − 1 derivatives."""
    first = Polynomial([0.0] * zeros + [1.0])
    own = [first * Legendre.basis(k, [0, 1]).convert(kind=Polynomial) for k in range(n)]
    orders = ([p.deriv(order) if order else p for p in own] for order in range(3))
    return Family(tuple(_listed(functions) for functions in orders))


def splines(n: int, zeros: int) -> Family:
    """Quintic B-splines on equal intervals of [0, 1], without those that break ``zeros``."""
    from scipy.interpolate import BSpline  # noqa: PLC0415  heavy

    degree, spans = 5, max(n + zeros - 5, 1)
    inner = np.linspace(0.0, 1.0, spans + 1)
    knots = np.concatenate([[0.0] * degree, inner, [1.0] * degree])
    own = BSpline(knots, np.eye(spans + degree)[:, zeros : zeros + n], degree)
    return Family(tuple(own.derivative(k) if k else own for k in range(3)), tuple(inner))


def eigenfunctions(n: int, zeros: int) -> Family:
    """Eigenfunctions of a clamped and free beam (``zeros`` = 2), or of a bar (1)."""
    if zeros == 1:
        rates = [(k + 0.5) * np.pi for k in range(n)]
        made = [_bar(rate) for rate in rates]
    else:
        rates = [_clamped_root(k) for k in range(n)]
        made = [_clamped(rate) for rate in rates]
    return Family(tuple(_listed([one[order] for one in made]) for order in range(3)))


FAMILIES = {"polynomials": polynomials, "splines": splines, "eigenfunctions": eigenfunctions}


def _listed(functions: Sequence[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    return lambda xi: np.stack([f(xi) for f in functions], axis=-1)


def _bar(rate: float) -> list[Callable[[Any], Any]]:
    return [
        lambda xi: np.sin(rate * xi),
        lambda xi: rate * np.cos(rate * xi),
        lambda xi: -(rate**2) * np.sin(rate * xi),
    ]


def _clamped_root(k: int) -> float:
    """Solution of cos β cosh β = −1."""
    b = (k + 0.5) * np.pi
    for _ in range(20):  # Newton's method; converges in a few steps
        b -= (np.cos(b) + 1.0 / np.cosh(b)) / (-np.sin(b) - np.tanh(b) / np.cosh(b))
    return float(b)


def _clamped(b: float) -> list[Callable[[Any], Any]]:
    """Cosh − cos − σ (sinh − sin), written with decaying exponentials."""
    sigma = (np.cosh(b) + np.cos(b)) / (np.sinh(b) + np.sin(b))
    small = np.exp(-b)
    grows = 2.0 * small * (small + np.cos(b) - np.sin(b))  # σ − 1, without cancellation
    grows /= 1.0 - small**2 + 2.0 * small * np.sin(b)

    def value(order: int) -> Callable[[Any], Any]:
        def at(xi: Any) -> Any:
            x = b * np.asarray(xi, dtype=float)
            up, down = -grows / 2.0 * np.exp(x), (1.0 + sigma) / 2.0 * np.exp(-x)
            turn = x + order * np.pi / 2.0
            waves = -np.cos(turn) + sigma * np.sin(turn)
            return b**order * (up + (-1.0) ** order * down + waves)

        return at

    return [value(order) for order in range(3)]


def gauss(breaks: Sequence[float], count: int) -> tuple[Any, Any]:
    """Places and weights of Gauss's rule with ``count`` points in every interval."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    left, right = np.asarray(breaks[:-1]), np.asarray(breaks[1:])
    half = 0.5 * (right - left)
    places = (left + half)[:, None] + half[:, None] * nodes
    return places.ravel(), (half[:, None] * weights).ravel()
