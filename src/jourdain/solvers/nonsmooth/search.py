"""Solve a one-step nonsmooth problem by the method that suits it, and say how well."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from jourdain.errors import ModelError, unknown_name
from jourdain.solvers.nonsmooth.complementarity import is_planar, lcp_of
from jourdain.solvers.nonsmooth.gauss_seidel import Sweeps
from jourdain.solvers.nonsmooth.interior.interior_point import interior_point
from jourdain.solvers.nonsmooth.islands import island_of_rows, part, stored
from jourdain.solvers.nonsmooth.lemke import lemke
from jourdain.solvers.nonsmooth.newton import newton
from jourdain.solvers.nonsmooth.problem import Problem
from jourdain.solvers.nonsmooth.residual import TINY, natural_map, residual, weights, worst_blocks
from jourdain.solvers.nonsmooth.small.dense_solver import DenseSolver
from jourdain.solvers.nonsmooth.small.held import held

Array = NDArray[np.float64]
Method = Literal["auto", "lemke", "gauss_seidel", "newton", "interior_point"]
HUGE = 1e100
EPS = float(np.finfo(float).eps)
PIVOT_UP_TO = 24
PIVOT_AT_LAST_UP_TO = 300
POLISH_UP_TO = 100
SMOOTH_UP_TO = 100
ROUNDING = 1e-14
MANY_ROWS = 1000  # above, factors cost more than many sweeps
_STRENGTH = ["start", "gauss_seidel", "lemke", "newton", "smoothing", "interior_point"]


@dataclass(frozen=True, eq=False)
class Result:
    """Impulses, velocities and how well they satisfy the laws.

    Attributes
    ----------
    r, u : (n,)
        Impulses, and ``u = G r + c``.
    residual : float [1]
        Natural map over the size of c, impulses weighted by the size of G of their contact, and
        the rounding of u.
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
    method : {"auto", "lemke", "gauss_seidel", "newton", "interior_point"}
        ``auto`` looks whether all of a small problem rests, pivots it if it has no discs, else
        sweeps, and gives islands that do not converge to Newton's, the smoothing and the
        interior-point method.

    Returns
    -------
    Result
        The best impulses found; look at ``is_converged``.

    Raises
    ------
    ModelError
        If Lemke's method is asked to solve a problem with discs, or the start does not fit.
    UnknownNameError
        If there is no such method.

    Examples
    --------
    A block of 2 kg that falls at 1 m/s and slides at 0.3 m/s onto a floor with friction 0.5:

    >>> from jourdain.solvers.nonsmooth import Friction, HalfLine, Problem, solve
    >>> G = [[0.5, 0.0], [0.0, 0.5]]
    >>> found = solve(Problem(G, [-1.0, 0.3], [HalfLine(0), Friction(0, (1,), 0.5)]))
    >>> found.r.round(12).tolist(), found.is_converged
    ([2.0, -0.6], True)
    """
    if method not in _METHODS:
        raise unknown_name("method", method, _METHODS, "solve")
    start = np.zeros(len(problem.c)) if r0 is None else np.array(r0, dtype=float)
    if start.shape != problem.c.shape:
        raise ModelError(
            f"start r0 of shape {start.shape} does not fit c of shape {problem.c.shape}. "
            "Give one impulse for every row, or none at all."
        )
    if method == "auto" and len(problem.c) <= PIVOT_UP_TO:
        found = held(problem)
        if found is not None and found[1] <= tol:
            return Result(found[0], problem.u(found[0]), found[1], 1, "held", True, ())
    weight = weights(problem)
    start[~(np.abs(start) < HUGE)] = 0.0
    with np.errstate(all="ignore"):  # methods may diverge; what they offer is checked
        search = _Search(stored(problem), weight, tol, start)
        if not search.is_good:
            _METHODS[method](search)
    good = search.is_good
    worst = () if good else worst_blocks(problem, search.r, weight)
    r, u = search.r, problem.u(search.r)
    return Result(r, u, search.residual, search.iterations, search.method, good, worst)


class _Search:
    """Best impulses so far; methods offer better ones."""

    def __init__(self, problem: Problem, weight: Array, tol: float, r: Array) -> None:
        self.problem, self.weight, self.tol = problem, weight, tol
        self._sizes = np.abs(problem.G)
        self.r, self.residual = r, self._size(r)
        self.iterations, self.method = 0, "start"

    def _size(self, r: Array) -> float:
        """Residual, and what rounding may hide in it: contacts that contradict push without end."""
        size = max(float(np.linalg.norm(self.problem.c)), TINY)
        hidden = EPS * float(np.linalg.norm(self._sizes @ np.abs(r))) / size
        return residual(self.problem, r, self.weight) + hidden

    @cached_property
    def _sweeps(self) -> Sweeps:
        return Sweeps(self.problem, self.weight)

    @property
    def is_good(self) -> bool:
        return self.residual <= self.tol

    def offer(self, r: Array, iterations: int, method: str) -> None:
        """Take impulses if they are better."""
        self.iterations += iterations
        if not (np.abs(r) < HUGE).all():  # diverged
            return
        size = self._size(r)
        if size < self.residual:
            self.r, self.residual, self.method = r, size, method

    def sweep(self, sweeps: int) -> Array:
        """Gauss–Seidel from the best impulses; also return the last ones."""
        r, done = self._sweeps.run(self.r, sweeps, 0.1 * self.tol)
        self.offer(r, done, "gauss_seidel")
        return r if (np.abs(r) < HUGE).all() else self.r

    def newton(self, r: Array, steps: int = 30) -> None:
        """Newton's method from r."""
        self.offer(*newton(self.problem, r, self.weight, steps), "newton")

    def smooth(self) -> None:
        """Smoothed equations, for small problems with a dense matrix."""
        n = len(self.r)
        if n <= SMOOTH_UP_TO and not sparse.issparse(self.problem.G):
            r, _, _ = DenseSolver(self.problem.layout, n).solve(
                self.problem.G, self.problem.c, self.tol
            )
            self.offer(r, 0, "smoothing")

    def interior_point(self) -> None:
        """Interior-point method, finished by Newton's."""
        r, done = interior_point(self.problem, self.weight, max(self.tol, 1e-8))
        self.offer(r, done, "interior_point")
        self.newton(r)


def _auto(search: _Search) -> None:
    problem = search.problem
    n = len(problem.c)
    if n <= PIVOT_UP_TO and is_planar(problem.layout):
        _lemke(search)
        if search.is_good:
            return
    search.sweep(200 if n <= MANY_ROWS else 1000)
    if not search.is_good:
        _by_islands(search)
    elif n <= POLISH_UP_TO and search.residual > ROUNDING:
        search.newton(search.r, 3)


def _by_islands(search: _Search) -> None:
    """Solve the islands that have not converged, each on its own."""
    problem = search.problem
    label = island_of_rows(problem)
    F = natural_map(problem.layout, search.r, problem.u(search.r), search.weight)
    count = int(label.max()) + 1
    limit = search.tol * float(np.linalg.norm(problem.c)) / count**0.5
    r, done, method = search.r.copy(), 0, search.method
    for k in range(count):
        rows = np.flatnonzero(label == k)
        if np.linalg.norm(F[rows]) <= limit:
            continue
        own = part(problem, rows)
        tol = limit / max(float(np.linalg.norm(own.c)), TINY)
        inner = _Search(own, search.weight[rows], tol, r[rows])
        _newton(inner)
        r[rows], done = inner.r, done + inner.iterations
        method = max(method, inner.method, key=_STRENGTH.index)
    search.offer(r, done, method)


def _lemke(search: _Search) -> None:
    lcp = lcp_of(search.problem)
    found = lemke(lcp.M, lcp.q)
    search.offer(lcp.T @ found.z + lcp.t, found.pivots, "lemke")


def _newton(search: _Search) -> None:
    for method in (lambda: search.newton(search.sweep(50)), search.smooth,
                   lambda: search.newton(search.sweep(400))):  # fmt: skip
        method()
        if search.is_good:
            return
    if is_planar(search.problem.layout) and len(search.r) <= PIVOT_AT_LAST_UP_TO:
        _lemke(search)
    if not search.is_good:
        search.interior_point()
    if not search.is_good:
        search.newton(search.sweep(4000))


def _gauss_seidel(search: _Search) -> None:
    for _ in range(10):
        search.sweep(1000)
        if search.is_good:
            return


_METHODS: dict[str, Callable[[_Search], None]] = {
    "auto": _auto,
    "lemke": _lemke,
    "gauss_seidel": _gauss_seidel,
    "newton": _newton,
    "interior_point": _Search.interior_point,
}
