"""Poses written as tuples, whose entries are numbers or parameter expressions.

A pose is a position (3,) [m] and a rotation (3, 3) whose columns are the turned axes. Products
with 0 and 1 are left out, so that expressions stay short.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from functools import reduce
from typing import Any

Vector = tuple[Any, Any, Any]
Matrix = tuple[tuple[Any, ...], ...]

ORIGIN: Vector = (0.0, 0.0, 0.0)
IDENTITY: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def total(terms: Iterable[Any]) -> Any:
    """Sum of the terms that are not zero."""
    return reduce(operator.add, [term for term in terms if term != 0.0] or [0.0])


def times(a: Any, b: Any) -> Any:
    """Product of two numbers or expressions."""
    if a == 0.0 or b == 0.0:
        return 0.0
    if a == 1.0:
        return b
    return a if b == 1.0 else a * b


def dot(a: Iterable[Any], b: Iterable[Any]) -> Any:
    """Scalar product of two vectors."""
    return total(times(x, y) for x, y in zip(a, b, strict=True))


def product(A: Matrix, B: Matrix) -> Matrix:
    """Product of two matrices."""
    return tuple(tuple(dot(row, column) for column in zip(*B, strict=True)) for row in A)


def transpose(A: Matrix) -> Matrix:
    """Matrix with rows and columns exchanged."""
    return tuple(zip(*A, strict=True))


def difference(a: Vector, b: Vector) -> Vector:
    """Vector from b to a."""
    pairs = zip(a, b, strict=True)
    x, y, z = (0.0 if u == v else u if v == 0.0 else u - v for u, v in pairs)
    return x, y, z


def along(a: Vector, factor: Any, d: Vector) -> Vector:
    """Point reached from a by a multiple of d: ``a + factor · d``."""
    x, y, z = (total((u, times(factor, v))) for u, v in zip(a, d, strict=True))
    return x, y, z


def moved_point(point: Vector, position: Vector, rotation: Matrix) -> Vector:
    """Place of a point of a frame that has the given pose: ``position + rotation · point``."""
    x, y, z = (total((p, dot(row, point))) for p, row in zip(position, rotation, strict=True))
    return x, y, z
