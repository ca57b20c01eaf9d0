"""Algebra of many second-order cones of dimension three at once, for the interior-point method.

Points are rows ``(x0, x1, x2)`` with ``x0 ≥ |(x1, x2)|``; unused components are zero, so that half
lines and plane cones are special cases. Products are Jordan products (Alizadeh & Goldfarb 2003).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SMALL = 1e-300


def determinant(x: Array) -> Array:
    """``x0² - |x1|²``, without cancellation of squares."""
    size = np.hypot(x[:, 1], x[:, 2])
    return np.asarray((x[:, 0] - size) * (x[:, 0] + size))


def times(x: Array, y: Array) -> Array:
    """Jordan product ``(xᵀy, x0 y1 + y0 x1)``."""
    z = x[:, :1] * y + y[:, :1] * x
    z[:, 0] = (x * y).sum(axis=1)
    return z


def divide(z: Array, x: Array) -> Array:
    """The y with ``times(x, y) = z``."""
    first = x[:, 0] * z[:, 0] - (x[:, 1:] * z[:, 1:]).sum(axis=1)
    y = np.empty_like(z)
    y[:, 0] = first / np.maximum(determinant(x), SMALL)
    y[:, 1:] = (z[:, 1:] - y[:, :1] * x[:, 1:]) / x[:, :1]
    return y


def scaling(x: Array, y: Array) -> tuple[Array, Array]:
    """Nesterov–Todd scaling: symmetric matrices W and their inverses with ``W x = W⁻¹ y``."""
    root_x = np.sqrt(np.maximum(determinant(x), SMALL))
    root_y = np.sqrt(np.maximum(determinant(y), SMALL))
    a, b = x / root_x[:, None], y / root_y[:, None]
    gamma = np.sqrt(0.5 * (1.0 + (a * b).sum(axis=1)))
    v = (b + np.array([1.0, -1.0, -1.0]) * a) / (2.0 * gamma[:, None])
    W = v[:, :, None] * v[:, None, :] / (1.0 + v[:, 0])[:, None, None]
    W[:, 0, :] = v
    W[:, :, 0] = v
    W[:, [1, 2], [1, 2]] += 1.0
    inverse = W.copy()
    inverse[:, 0, 1:] *= -1.0
    inverse[:, 1:, 0] *= -1.0
    beta = np.sqrt(root_y / root_x)[:, None, None]
    return beta * W, inverse / beta


def longest_step(x: Array, d: Array) -> float:
    """Largest step from x along d that stays in all cones."""
    a, c = d[:, 0] ** 2 - (d[:, 1:] ** 2).sum(axis=1), determinant(x)
    b = x[:, 0] * d[:, 0] - (x[:, 1:] * d[:, 1:]).sum(axis=1)
    root = b * b - a * c
    q = -(b + np.copysign(np.sqrt(np.maximum(root, 0.0)), b))
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = np.stack([q / a, c / q, -x[:, 0] / d[:, 0]])
    steps[:2, root < 0.0] = np.inf
    steps[~((steps > 0.0) & np.isfinite(steps))] = np.inf
    return float(steps.min(initial=np.inf))
