"""Derivatives of functions that users write, at numbers or symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jourdain.math.scalar import is_symbolic
from jourdain.math.vector import vector


def derivatives(function: Callable[..., Any], *arguments: Any) -> tuple[Any, Any, list[Any]]:
    """Value of a function of n numbers that gives a vector, and its derivatives.

    Returns
    -------
    value : (m,)
        Value.
    first : (m, n)
        Column k is the derivative by argument k.
    second : list of (m, n)
        Item k holds the derivatives of column k.
    """
    import casadi  # noqa: PLC0415

    c = casadi.SX.sym("c", len(arguments))
    x = casadi.SX(vector(function(*casadi.vertsplit(c))))
    first = casadi.jacobian(x, c)
    second = [casadi.jacobian(first[:, k], c) for k in range(len(arguments))]
    at = casadi.SX(vector(*arguments) if len(arguments) > 1 else vector([arguments[0]]))
    placed = casadi.substitute([x, first, *second], [c], [at])
    if not is_symbolic(*arguments) and not any(casadi.symvar(e) for e in placed):
        numbers = [np.array(casadi.evalf(e)) for e in placed]
        return numbers[0][:, 0], numbers[1], numbers[2:]
    return placed[0], placed[1], placed[2:]
