"""Algebra of many second-order cones of dimension three at once, for the interior-point method.

Points are rows ``(x0, x1, x2)`` with ``x0 ≥ |(x1, x2)|``; unused components are zero, so that half
lines and plane cones are special cases. Products are Jordan products (Alizadeh & Goldfarb 2003).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from jourdain.codegen.kernel import address
from jourdain.solvers.native import native
from jourdain.solvers.nonsmooth.interior.cone_loops import (
    NONE,
    determinant_at,
    divide_at,
    longest_step_at,
    scaling_at,
    times_at,
)

Array = NDArray[np.float64]


@native("ipp")
def _determinants(n, x, out):
    for k in range(n):
        out[k] = determinant_at(x, 3 * k)
    return 0


@native("ippp")
def _products(n, x, y, out):
    for k in range(n):
        times_at(x, 3 * k, y, 3 * k, out, 3 * k)
    return 0


@native("ippp")
def _quotients(n, z, x, out):
    for k in range(n):
        divide_at(z, 3 * k, x, 3 * k, out, 3 * k)
    return 0


@native("ipppp", is_unrolled=True)
def _scalings(n, x, y, W, inverse):
    for k in range(n):
        scaling_at(x, 3 * k, y, 3 * k, W, 9 * k, inverse)
    return 0


@native("ippp")
def _longest_step(n, x, d, out):
    out[0] = NONE
    for k in range(n):
        out[0] = longest_step_at(x, 3 * k, d, 3 * k, out[0])
    return 0


def _at(x: Array) -> tuple[int, Array]:
    """Address of an array of doubles, and what has it."""
    own = np.ascontiguousarray(x, dtype=float)
    return address(own), own


def determinant(x: Array) -> Array:
    """``x0² - |x1|²``, without cancellation of squares."""
    (at, _kept), out = _at(x), np.empty(len(x))
    _determinants(len(x), at, address(out))
    return out


def times(x: Array, y: Array) -> Array:
    """Jordan product ``(xᵀy, x0 y1 + y0 x1)``."""
    (at_x, _x), (at_y, _y), out = _at(x), _at(y), np.empty((len(x), 3))
    _products(len(x), at_x, at_y, address(out))
    return out


def divide(z: Array, x: Array) -> Array:
    """The y with ``times(x, y) = z``."""
    (at_z, _z), (at_x, _x), out = _at(z), _at(x), np.empty((len(x), 3))
    _quotients(len(x), at_z, at_x, address(out))
    return out


def scaling(x: Array, y: Array) -> tuple[Array, Array]:
    """Nesterov–Todd scaling: symmetric matrices W and their inverses with ``W x = W⁻¹ y``."""
    (at_x, _x), (at_y, _y) = _at(x), _at(y)
    W, inverse = np.empty((len(x), 3, 3)), np.empty((len(x), 3, 3))
    _scalings(len(x), at_x, at_y, address(W), address(inverse))
    return W, inverse


def longest_step(x: Array, d: Array) -> float:
    """Largest step from x along d that stays in all cones."""
    (at_x, _x), (at_d, _d), out = _at(x), _at(d), np.empty(1)
    _longest_step(len(x), at_x, at_d, address(out))
    return float(out[0]) if out[0] < NONE else np.inf
