"""Coefficients of laws: a number, one for each component, or a matrix."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.spatial import check
from jourdain.spatial.parameter import Expression


def coefficient(value: Any, what: str) -> Any:
    """Check a number, numbers, or a square matrix; return it with tuples."""
    items = value.tolist() if isinstance(value, np.ndarray) else value
    if isinstance(items, Expression | Real) or not isinstance(items, list | tuple) or not items:
        return check.number(items, what)
    if not isinstance(items[0], list | tuple):
        return numbers(items, what)
    if any(not isinstance(row, list | tuple) or len(row) != len(items) for row in items):
        raise ModelError(
            f"{what} is {check.shown(value)}: give a number, one for each component of the "
            "measure, or a square matrix."
        )
    return tuple(numbers(row, what) for row in items)


def numbers(value: Any, what: str) -> Any:
    """Check a number, or one for each component; return a number or a tuple."""
    items = value.tolist() if isinstance(value, np.ndarray) else value
    if isinstance(items, list | tuple):
        return tuple(check.number(x, f"component {k} of {what}") for k, x in enumerate(items, 1))
    return check.number(items, what)


def scaled(factor: Any, vector: Any, what: str) -> Any:
    """Coefficient times the value of a measure, or its rate."""
    if not isinstance(factor, tuple):
        return factor * vector
    matching(factor, vector, what)
    if isinstance(factor[0], tuple):
        return math.matrix(factor) @ math.vector(vector)
    return math.vector(factor) * math.vector(vector)


def column(value: Any) -> Any:
    """Number as it is, numbers as a vector."""
    return math.vector(value) if isinstance(value, tuple) else value


def matching(value: Any, vector: Any, what: str) -> None:
    """Refuse numbers that are not as many as the components of a measure."""
    n = math.vector(vector).shape[0]
    if isinstance(value, tuple) and len(value) != n:
        form = f"a {len(value)}×{len(value)} matrix" if isinstance(value[0], tuple) else len(value)
        raise ModelError(
            f"{what} has {form}{' numbers' * (form == len(value))}, but the measure has {n} "
            f"component{'s' * (n > 1)}. Give one number for all of them, or as many as there are."
        )
