"""Solve a one-step nonsmooth problem by the method that suits it, and say how well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from jourdain.solvers.nonsmooth.gauss_seidel import sweep
from jourdain.solvers.nonsmooth.problem import Problem
from jourdain.solvers.nonsmooth.residual import residual, weights, worst_blocks

Array = NDArray[np.float64]
Method = Literal["auto", "lemke", "gauss_seidel", "newton"]


@dataclass(frozen=True, eq=False)
class Result:
    """Impulses, velocities and how well they satisfy the laws.

    Attributes
    ----------
    r, u : (n,)
        Impulses, and ``u = G r + c``.
    residual : float [1]
        Natural map over the size of c, impulses weighted by the size of G of their contact.
    iterations : int
        Sweeps, pivots or Newton steps, all together.
    method : str
        What gave the result.
    is_converged : bool
        Whether the residual is within the tolerance.
    worst : tuple of int
        If not: numbers of the blocks with the largest residual, largest first.
    """

    r: Array
    u: Array
    residual: float
    iterations: int
    method: str
    is_converged: bool
    worst: tuple[int, ...]


def solve(
    problem: Problem, r0: Array | None = None, tol: float = 1e-10, method: Method = "auto"
) -> Result:
    """Find impulses that satisfy the laws of all blocks.

    Parameters
    ----------
    problem : Problem
        What is to be solved.
    r0 : (n,), optional
        Start, for instance the impulses of the step before.
    tol : float [1]
        Largest residual of a converged result.
    method : {"auto", "lemke", "gauss_seidel", "newton"}
        ``auto`` chooses by size and kind, and tries others when one fails.

    Returns
    -------
    Result
        The best impulses found; look at ``is_converged``.
    """
    start = np.zeros(len(problem.c)) if r0 is None else np.asarray(r0, dtype=float)
    weight = weights(problem)
    best, done = start, 0
    for _ in range(40):
        best, count = sweep(problem, best, 250, 0.1 * tol)
        done += count
        if residual(problem, best, weight) <= tol:
            break
    return _result(problem, best, done, "gauss_seidel", tol, weight)


def _result(
    problem: Problem, r: Array, done: int, method: str, tol: float, weight: Array
) -> Result:
    size = residual(problem, r, weight)
    good = size <= tol
    worst = () if good else worst_blocks(problem, r, weight)
    return Result(r, problem.u(r), size, done, method, good, worst)
