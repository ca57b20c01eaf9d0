"""Sizes of coordinates that a motion has shown, by which errors are judged, in machine code.

Memory from AT_SIZES, with n = n_q + n_v: largest absolute value of every coordinate so far (n), the
absolute tolerance of each in this step (n), room for the projection (n), and the size of every
kind, that is of all coordinates with one unit. In ``ip`` from AT_KINDS: the kind of each coordinate
(n), and of a velocity the kind of its position (n), else -1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from jourdain.solvers.ode.stepping import AT_KINDS, AT_SIZES, ATOL, N_Q, N_V, RTOL

FRACTION = 0.003  # of rtol: error that counts at zero, in parts of the largest value so far
MATES = 0.01  # least size of a coordinate, in parts of the largest with the same unit
NOISE = 2e-15  # error that is rounding, in parts of the size of the kind
AT_REST = 1e-3  # size of a kind before anything of it moves [its unit]
DOUBT = 2.0  # times its noise: what tells whether a lock holds, and is less, tells nothing


def with_noise(function: Callable[[Any], Any], y: Any, sizes: Any) -> tuple[Any, Any]:
    """Values of a function of states, and how much of them is rounding of the integration.

    Parameters
    ----------
    function : callable
        Gives values (..., m) for states.
    y : (..., n)
        States.
    sizes : (n,)
        Largest values of the state so far.
    """
    values = function(y)
    noise = np.zeros_like(values)
    for i, error in enumerate(NOISE * np.maximum(sizes, AT_REST)):
        moved = y.copy()
        moved[..., i] += error
        noise += np.abs(function(moved) - values)
    return values, noise


def kind_size(w, ip, i, h):
    """Size of what has the unit of coordinate i; a velocity moves its position in a step of h."""
    n = ip[N_Q] + ip[N_V]
    at, at_kinds = ip[AT_SIZES] + 3 * n, ip[AT_KINDS]
    size = max(w[at + ip[at_kinds + i]], AT_REST)
    place = ip[at_kinds + n + i]
    return max(size, w[at + place] / h, AT_REST / h) if place >= 0 else size


def set_tolerances(w, ip, dp, h):
    """Absolute tolerances of a step of h [s]: as given, or by the sizes."""
    n, at = ip[N_Q] + ip[N_V], ip[AT_SIZES]
    for i in range(n):
        if dp[ATOL] > 0.0:
            w[at + n + i] = dp[ATOL]
        else:
            others = w[at + 3 * n + ip[ip[AT_KINDS] + i]]
            size = max(w[at + i], MATES * others)
            w[at + n + i] = FRACTION * dp[RTOL] * size + NOISE * kind_size(w, ip, i, h)


def note_sizes(w, ip):
    """Keep the largest values, with those of the state y."""
    n, at = ip[N_Q] + ip[N_V], ip[AT_SIZES]
    for i in range(n):
        w[at + i] = max(w[at + i], abs(w[i]))
        kind = at + 3 * n + ip[ip[AT_KINDS] + i]
        w[kind] = max(w[kind], w[at + i])


def largest_change(w, at_change, at_from, ip, h):
    """Largest entry of a change of y + z, in units of the coordinate's size; z lies at_from."""
    n, at = ip[N_Q] + ip[N_V], ip[AT_SIZES]
    largest = 0.0
    for i in range(n):
        least = 1e-5 * kind_size(w, ip, i, h)
        size = max(w[at + i], abs(w[i] + w[at_from + i]), least)
        largest = max(largest, abs(w[at_change + i]) / size)
    return largest


@lru_cache(maxsize=64)
def kinds(units: tuple[str, ...], n_q: int) -> tuple[Any, int]:
    """Kinds of coordinates, then of the positions that velocities move; and how many there are."""
    names = list(dict.fromkeys([*units[:n_q], *(_moved(x) for x in units[n_q:]), *units[n_q:]]))
    own = [names.index(x) for x in units]
    moved = [-1] * n_q + [names.index(_moved(x)) for x in units[n_q:]]
    return np.array(own + moved, dtype=np.int64), len(names)


def _moved(unit: str) -> str:
    """Unit of the position that a velocity moves."""
    return unit.removesuffix("/s")
