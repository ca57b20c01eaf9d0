"""Numbers of a function that is traced on symbols first, to compare with those of floats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import casadi as ca
import numpy as np

from jourdain import math


def traced_values(function: Callable[..., Sequence[Any]], *arguments: Any) -> list[Any]:
    """Trace a function of numbers and vectors; evaluate the graph at the arguments.

    Parameters
    ----------
    function : function of the arguments
        Returns a list of numbers and vectors.
    arguments : float or (n,)
        Where to evaluate.

    Returns
    -------
    list of (n,)
        What the function returns, as flat arrays.
    """
    sizes = [np.size(x) for x in arguments]
    symbols = [ca.SX.sym(f"x{k}", n) for k, n in enumerate(sizes)]
    results = [ca.SX(math.vector(r)) for r in function(*symbols)]
    found = ca.Function("traced", symbols, results).call([ca.DM(x) for x in arguments])
    return [np.array(x, dtype=float).reshape(-1) for x in found]
