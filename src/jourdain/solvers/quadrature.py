"""Integrals over time of functions of the state, step by step along the dense output.

The functions are evaluated at the nodes c of Gauss and Legendre in each accepted step, from its
start to where it ends, which may be an event or a kink. With ℓ the Lagrange polynomials of the
nodes, the integral up to the part x of that way is

    ∫ f dt = h Σ_k f(c_k) ∫₀ˣ ℓ_k(ξ) dξ

There are 5 nodes, of order ten over a step, but 9 where samples lie inside of it, where they are of
order ten, too. The functions lie at AT_INTEGRALS in ``w``, m = N_INTEGRALS of them: integrals (m),
values that the kernel writes (m), values at the nodes (9 × m), then for 5 nodes and for 9 the nodes
and the coefficients of ∫ ℓ, integrals at samples.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from jourdain.codegen.translator.loops import call
from jourdain.solvers.ode.stepping import (
    AT_INTEGRALS,
    INTEGRANDS,
    INTEGRANDS_ARGUMENTS,
    N_INTEGRALS,
    N_Q,
    N_QUATERNIONS,
    N_V,
    T_WORK,
    T,
    interpolate,
    normalize,
)  # fmt: skip

FEW, MANY = 5, 9
_TABLE_OF_FEW = FEW + FEW * FEW
TABLE = _TABLE_OF_FEW + MANY + MANY * MANY


def look_inside(w, P, quaternions, ip, dp, h, top, has_samples):
    """Evaluate the functions at the nodes of the part ``top`` of a step of h; return their number.

    Of nodes there are more where samples lie inside.
    """
    n, m, at = ip[N_Q] + ip[N_V], ip[N_INTEGRALS], ip[AT_INTEGRALS]
    if m == 0:
        return FEW
    count, nodes = FEW, at + (2 + MANY) * m
    if has_samples:
        count, nodes = MANY, nodes + _TABLE_OF_FEW
    for k in range(count):
        theta = top * w[nodes + k]
        interpolate(w, 2 * n, theta, h, P, ip)
        normalize(w, 2 * n, quaternions, ip[N_QUATERNIONS])
        dp[T_WORK] = dp[T] + theta * h
        call(ip[INTEGRANDS], ip[INTEGRANDS_ARGUMENTS])
        for e in range(m):
            w[at + (2 + k) * m + e] = w[at + m + e]
    return count


def sum_up_to(w, ip, count, length, x, target):
    """Integrals up to the part x of a way of some length [s], to the place ``target`` in w."""
    m, at = ip[N_INTEGRALS], ip[AT_INTEGRALS]
    table = at + (2 + MANY) * m + FEW
    if count == MANY:
        table = at + (2 + MANY) * m + _TABLE_OF_FEW + MANY
    for e in range(m):
        total = 0.0
        for k in range(count):
            weight = 0.0
            for j in range(count - 1, -1, -1):
                weight = (weight + w[table + count * k + j]) * x
            total += weight * w[at + (2 + k) * m + e]
        w[target + e] = w[at + e] + length * total


def sample_place(ip, k):
    """Place in w of the integrals at sample k."""
    return ip[AT_INTEGRALS] + (2 + MANY) * ip[N_INTEGRALS] + TABLE + k * ip[N_INTEGRALS]


def room_for_integrals(m: int, n_samples: int) -> int:
    """Numbers of memory for m integrals."""
    return (2 + MANY) * m + TABLE + n_samples * m if m else 0


@cache
def table() -> Any:
    """Nodes on (0, 1), and for each node the coefficients of x, x², … in ∫₀ˣ ℓ; for both counts."""
    return np.concatenate([_table_of(FEW), _table_of(MANY)])


def _table_of(count: int) -> Any:
    c = 0.5 * (np.polynomial.legendre.leggauss(count)[0] + 1.0)
    powers = np.arange(1, count + 1)
    lagrange = np.linalg.inv(c[:, np.newaxis] ** (powers - 1)).T  # coefficients of 1, x, …
    return np.concatenate([c, (lagrange / powers).ravel()])


class Integrals:
    """Integrals in the memory of a run.

    Parameters
    ----------
    w : array
        The memory.
    place : int
        Where they lie in it.
    start : (m,)
        Integrals at the start.
    times : (n,) [s]
        Times of the samples.
    t : float [s]
        Start of the run.

    Attributes
    ----------
    now : (m,)
        Integrals up to the time reached.
    samples : (n, m)
        Those at the samples.
    """

    def __init__(self, w: Any, place: int, start: Any, times: Any, t: float) -> None:
        m, n = len(start), len(times)
        behind = place + (2 + MANY) * m
        self.now = w[place : place + m]
        self.samples = w[behind + TABLE : behind + TABLE + n * m].reshape(n, m)
        if m:
            self.now[:], w[behind : behind + TABLE] = start, table()
            self.samples[: np.searchsorted(times, t, side="right")] = start
