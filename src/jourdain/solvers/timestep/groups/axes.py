"""Axes of contacts, and motion of the two bodies against each other."""

from __future__ import annotations


def tangents_into(axes, at, side):
    """Two unit vectors across the normal ``axes[at : at + 3]``, behind it.

    They are those of `model.contours.pairs.tangents` with a given sign.
    """
    x, y, z = axes[at], axes[at + 1], axes[at + 2]
    k = -1.0 / (side + z)
    axes[at + 3] = 1.0 + side * x * x * k
    axes[at + 4] = side * x * y * k
    axes[at + 5] = -side * x
    axes[at + 6] = x * y * k
    axes[at + 7] = side + y * y * k
    axes[at + 8] = -y


def along(axes, at, x, i):
    """Component of a vector ``x[i : i + 3]`` along an axis."""
    return axes[at] * x[i] + axes[at + 1] * x[i + 1] + axes[at + 2] * x[i + 2]


def add_motion(g, b, point, p, sign, to, at):
    """Add velocity of a point of a body, and its angular velocity, to six numbers."""
    if b < 0:
        return
    t, o = 6 * b, 12 * b + 9
    x, y = point[p] - g.frames[o], point[p + 1] - g.frames[o + 1]
    z = point[p + 2] - g.frames[o + 2]
    a, c, d = g.twists[t], g.twists[t + 1], g.twists[t + 2]
    to[at] += sign * (g.twists[t + 3] + c * z - d * y)
    to[at + 1] += sign * (g.twists[t + 4] + d * x - a * z)
    to[at + 2] += sign * (g.twists[t + 5] + a * y - c * x)
    to[at + 3] += sign * a
    to[at + 4] += sign * c
    to[at + 5] += sign * d


def motion_into(g, i, j, points, p, q, to, at):
    """Velocity of contour j against contour i at the points p of i and q of j, and spin."""
    for k in range(6):
        to[at + k] = 0.0
    add_motion(g, g.body_of[i], points, p, -1.0, to, at)
    add_motion(g, g.body_of[j], points, q, 1.0, to, at)
