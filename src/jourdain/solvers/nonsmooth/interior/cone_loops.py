"""Algebra of second-order cones of dimension three, for solver loops (see `cones`).

A point ``(x0, x1, x2)`` with ``x0 ≥ |(x1, x2)|`` begins at place i of an array.
"""

from __future__ import annotations

SMALL = 1e-300
NONE = 1e300
"""Step that has no end."""


def determinant_at(x, i):
    """``x0² - |x1|²``, without cancellation of squares."""
    size = (x[i + 1] * x[i + 1] + x[i + 2] * x[i + 2]) ** 0.5
    return (x[i] - size) * (x[i] + size)


def times_at(x, i, y, j, z, k):
    """Jordan product ``(xᵀy, x0 y1 + y0 x1)``; z is another place."""
    z[k] = x[i] * y[j] + x[i + 1] * y[j + 1] + x[i + 2] * y[j + 2]
    z[k + 1] = x[i] * y[j + 1] + y[j] * x[i + 1]
    z[k + 2] = x[i] * y[j + 2] + y[j] * x[i + 2]


def divide_at(z, i, x, j, y, k):
    """The y with ``x ∘ y = z``; y is another place."""
    first = x[j] * z[i] - (x[j + 1] * z[i + 1] + x[j + 2] * z[i + 2])
    y[k] = first / max(determinant_at(x, j), SMALL)
    y[k + 1] = (z[i + 1] - y[k] * x[j + 1]) / x[j]
    y[k + 2] = (z[i + 2] - y[k] * x[j + 2]) / x[j]


def scaling_at(x, i, y, j, W, k, inverse):
    """Nesterov–Todd scaling: symmetric W (3×3) and its inverse with ``W x = W⁻¹ y``."""
    root_x = max(determinant_at(x, i), SMALL) ** 0.5
    root_y = max(determinant_at(y, j), SMALL) ** 0.5
    product = (x[i] * y[j] + x[i + 1] * y[j + 1] + x[i + 2] * y[j + 2]) / root_x / root_y
    half = 0.5 / (0.5 * (1.0 + product)) ** 0.5
    a = half * (y[j] / root_y + x[i] / root_x)
    b = half * (y[j + 1] / root_y - x[i + 1] / root_x)
    c = half * (y[j + 2] / root_y - x[i + 2] / root_x)
    beta = (root_y / root_x) ** 0.5
    W[k] = a
    W[k + 1] = b
    W[k + 2] = c
    W[k + 3] = b
    W[k + 4] = 1.0 + b * b / (1.0 + a)
    W[k + 5] = b * c / (1.0 + a)
    W[k + 6] = c
    W[k + 7] = W[k + 5]
    W[k + 8] = 1.0 + c * c / (1.0 + a)
    for e in range(9):
        side = -1.0 if 1 <= e <= 3 or e == 6 else 1.0
        inverse[k + e] = side * W[k + e] / beta
        W[k + e] *= beta


def nearer(step, other):
    """The smaller one of two steps, if the other is one."""
    return other if other > 0.0 and other < step else step


def longest_step_at(x, i, d, j, step):
    """Largest step from x along d that stays in the cone, up to a given one."""
    a = d[j] * d[j] - (d[j + 1] * d[j + 1] + d[j + 2] * d[j + 2])
    b = x[i] * d[j] - (x[i + 1] * d[j + 1] + x[i + 2] * d[j + 2])
    c = determinant_at(x, i)
    root = b * b - a * c
    if root >= 0.0:
        q = -b - root**0.5 if b >= 0.0 else -b + root**0.5
        if a != 0.0:
            step = nearer(step, q / a)
        if q != 0.0:
            step = nearer(step, c / q)
    if d[j] != 0.0:
        step = nearer(step, -x[i] / d[j])
    return step
