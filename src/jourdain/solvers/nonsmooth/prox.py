"""Projections on convex sets (prox) with their generalised Jacobians.

``prox_C(z)`` is the point of C nearest to z; ``r = prox_C(r - ρ u) ⇔ -u ∈ N_C(r)`` for ``ρ > 0``.
All functions take many points at once: the last axis holds the components of one point.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def half_line(z: Array) -> Array:
    """Project numbers on ``[0, ∞)``."""
    return np.maximum(z, 0.0)


def interval(z: Array, lower: Array | float, upper: Array | float) -> Array:
    """Project numbers on ``[lower, upper]``."""
    return np.minimum(np.maximum(z, lower), upper)


def disc(z: Array, radius: Array | float) -> Array:
    """Project points on the disc (ball) of a radius around the origin."""
    radius = np.maximum(radius, 0.0)
    size = np.linalg.norm(z, axis=-1)
    factor = np.where(size > radius, radius / np.where(size > 0.0, size, 1.0), 1.0)
    return z * factor[..., None]


def cone(z: Array, mu: Array | float) -> Array:
    """Project points on the second-order cone ``|z[1:]| ≤ mu z[0]``."""
    mu = np.asarray(mu, dtype=float)
    size = np.linalg.norm(z[..., 1:], axis=-1)
    is_in, is_polar = size <= mu * z[..., 0], mu * size <= -z[..., 0]
    normal = (z[..., 0] + mu * size) / (1.0 + mu * mu)
    ratio = mu * normal / np.where(size > 0.0, size, 1.0)
    edge = np.concatenate([normal[..., None], z[..., 1:] * ratio[..., None]], axis=-1)
    return np.where(is_in[..., None], z, np.where(is_polar[..., None], 0.0, edge))


def ellipse(z: Array, axes: Array) -> Array:
    """Project points of the plane on the ellipse with given half axes, filled.

    The nearest point is ``a² z / (a² + t)`` with ``t ≥ 0`` such that it lies on the ellipse:
    a convex decreasing function of t, found by Newton's method from the left.
    """
    a2 = np.broadcast_to(np.asarray(axes, dtype=float) ** 2, z.shape)
    outside = _level(z, a2, np.zeros(z.shape[:-1])) > 0.0
    t = np.zeros(z.shape[:-1])
    for _ in range(60):
        level = _level(z, a2, t)
        slope = -2.0 * np.sum(a2 * z**2 / np.maximum(a2 + t[..., None], 1e-300) ** 3, axis=-1)
        step = np.where(outside & (slope < 0.0), -level / np.where(slope < 0.0, slope, -1.0), 0.0)
        t = t + np.maximum(step, 0.0)
        if (np.abs(step) <= 1e-16 * t).all():
            break
    scale = a2 / np.where(a2 + t[..., None] > 0.0, a2 + t[..., None], 1.0)
    return np.where(outside[..., None], z * scale, np.where(a2 > 0.0, z, 0.0))


def _level(z: Array, a2: Array, t: Array) -> Array:
    """``Σ (a z / (a² + t))² - 1``: positive where t is too small; rows with a = 0 drop out."""
    return np.asarray(np.sum(a2 * z**2 / np.maximum(a2 + t[..., None], 1e-300) ** 2, axis=-1) - 1.0)
