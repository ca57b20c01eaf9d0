"""Projections on convex sets (prox) with their generalised Jacobians.

``prox_C(z)`` is the point of C nearest to z; ``r = prox_C(r - ρ u) ⇔ -u ∈ N_C(r)`` for ``ρ > 0``.
All functions take many points at once: the last axis holds the components of one point. A Jacobian
is the derivative where there is one, else one of its limits.
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


def interval_jacobian(z: Array, lower: Array | float, upper: Array | float) -> Array:
    """Derivative of `interval` by z: one inside, zero outside and at the ends."""
    return np.where((z > lower) & (z < upper), 1.0, 0.0)


def disc(z: Array, radius: Array | float) -> Array:
    """Project points on the disc (ball) of a radius around the origin."""
    size = np.linalg.norm(z, axis=-1)
    return z * _shrink(size, np.maximum(radius, 0.0))[..., None]


def disc_jacobian(z: Array, radius: Array | float) -> tuple[Array, Array]:
    """Derivatives of `disc` by z, a matrix, and by the radius, a vector."""
    size = np.linalg.norm(z, axis=-1)
    n = z / _positive(size)[..., None]
    is_out = np.where(size >= radius, 1.0, 0.0)
    across = np.eye(z.shape[-1]) - is_out[..., None, None] * n[..., :, None] * n[..., None, :]
    shrink = _shrink(size, np.maximum(radius, 0.0))
    return shrink[..., None, None] * across, is_out[..., None] * n


def cone(z: Array, mu: Array | float) -> Array:
    """Project points on the second-order cone ``|z[1:]| ≤ mu z[0]``."""
    mu = np.asarray(mu, dtype=float)
    size = np.linalg.norm(z[..., 1:], axis=-1)
    is_in = (size <= mu * z[..., 0]) & (z[..., 0] >= 0.0)  # also where mu and size are zero
    is_polar = mu * size <= -z[..., 0]
    normal = (z[..., 0] + mu * size) / (1.0 + mu * mu)
    ratio = mu * normal / _positive(size)
    edge = np.concatenate([normal[..., None], z[..., 1:] * ratio[..., None]], axis=-1)
    return np.where(is_in[..., None], z, np.where(is_polar[..., None], 0.0, edge))


def cone_jacobian(z: Array, mu: Array | float) -> Array:
    """Derivative of `cone` by z."""
    mu = np.broadcast_to(np.asarray(mu, dtype=float), z.shape[:-1])[..., None]
    size = np.linalg.norm(z[..., 1:], axis=-1)[..., None]
    n = z[..., 1:] / _positive(size)
    normal = (z[..., :1] + mu * size) / (1.0 + mu * mu)
    slope = np.concatenate([np.ones_like(mu), mu * n], axis=-1) / (1.0 + mu * mu)
    ratio = (mu * normal / _positive(size))[..., None]
    J = np.concatenate([np.ones_like(mu), mu * n], axis=-1)[..., :, None] * slope[..., None, :]
    J[..., 1:, 1:] += ratio * (np.eye(n.shape[-1]) - n[..., :, None] * n[..., None, :])
    is_in = (size <= mu * z[..., :1]) & (z[..., :1] >= 0.0)
    is_polar = mu * size <= -z[..., :1]
    unit = np.eye(z.shape[-1])
    return np.where(is_in[..., None], unit, np.where(is_polar[..., None], 0.0, J))


def ellipse(z: Array, axes: Array) -> Array:
    """Project points of the plane on the filled ellipse with given half axes, zero allowed."""
    a2 = np.broadcast_to(np.asarray(axes, dtype=float), z.shape) ** 2
    return np.asarray(z * a2 / _positive(a2 + _multiplier(z, a2)[..., None]))


def ellipse_jacobian(z: Array, axes: Array) -> Array:
    """Derivative of `ellipse` by z."""
    a2 = np.broadcast_to(np.asarray(axes, dtype=float), z.shape) ** 2
    t = _multiplier(z, a2)[..., None]
    below = _positive(a2 + t)
    D, p = a2 / below, z * a2 / below
    nu = z / below  # p / a²
    rate = nu * D / _positive(np.sum(nu * p / below, axis=-1))[..., None]
    J = D[..., :, None] * np.eye(2)
    return np.where(t[..., None] > 0.0, J - (p / below)[..., :, None] * rate[..., None, :], J)


def _multiplier(z: Array, a2: Array) -> Array:
    """The ``t ≥ 0`` with which ``a² z / (a² + t)`` lies on the ellipse; zero for points inside.

    ``Σ (a z / (a² + t))² = 1`` falls and is convex in t: Newton's method from the left, where one
    term alone is one, cannot fail.
    """
    reach = np.sqrt(a2) * np.abs(z)
    t = np.maximum((reach - a2).max(axis=-1), 0.0)
    for _ in range(50):
        part = reach / _positive(a2 + t[..., None])
        level = np.sum(part**2, axis=-1) - 1.0
        slope = 2.0 * np.sum(part**2 / _positive(a2 + t[..., None]), axis=-1)
        step = np.maximum(level, 0.0) / _positive(slope)
        t = t + step
        if (step <= 1e-16 * t).all():
            break
    return np.asarray(t)


def _shrink(size: Array, radius: Array | float) -> Array:
    """Factor that brings points to the edge, one for points inside."""
    return np.where(size > radius, radius / _positive(size), 1.0)


def _positive(x: Array) -> Array:
    """Denominators, with one in the place of zero."""
    return np.where(x > 0.0, x, 1.0)
