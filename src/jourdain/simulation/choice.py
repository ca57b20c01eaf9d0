"""Time scales of a system at its start, and which integrator they ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jourdain.simulation.plan import DAMPED, EXPLICIT_LIMIT, MANY_EXPLICIT_STEPS, integrator_for
from jourdain.solvers import Dop853, Integrator, Problem

_LARGEST = 1e150  # rate [1/s] whose square is a number
_EXAMINED = 300  # states up to which eigenvalues are computed for a step
_AT_LIMIT = 0.3  # part of the limit of stability from which on it may be what keeps steps short
_VIBRATES = 1e-3  # part of |λ| that is imaginary in a vibration


def choose_integrator(
    problem: Problem, y: Any, span: tuple[float, float]
) -> tuple[Integrator, str]:
    """Return an integrator and the reason for it.

    Stiff is a system whose fastest mode dies out long before the end: an explicit method would
    need many steps for its stability alone. Tested by the eigenvalues at the start.
    """
    if not len(y):
        return Dop853(), "nothing moves freely"
    n_q, length = problem.n_q, span[1] - span[0]

    def rates(x: Any) -> Any:
        given = x[:n_q], x[n_q:], problem.u, span[0], problem.p
        return np.concatenate(problem.rates.run(*given))

    J = _jacobian(rates, y)
    is_slow = _bound(J, n_q) * length / EXPLICIT_LIMIT < MANY_EXPLICIT_STEPS
    return integrator_for(0j if is_slow else _fastest_mode(J), length)


def is_bound_by_stability(rates: Callable[[Any], Any], y: Any, step: float) -> bool:
    """Whether a mode that dies out in no time keeps the steps [s] of `Dop853` short."""
    if not 0 < len(y) <= _EXAMINED:
        return False
    fastest = _fastest_mode(_jacobian(rates, y))
    is_damped = -fastest.real > DAMPED * abs(fastest)
    return is_damped and abs(fastest) * step > _AT_LIMIT * EXPLICIT_LIMIT


def shortest_vibration(rates: Callable[[Any], Any], y: Any) -> float:
    """Shortest period [s] of a vibration about a state, by the eigenvalues of its rates."""
    if not 0 < len(y) <= _EXAMINED:
        return float("inf")
    values = np.linalg.eigvals(_jacobian(rates, y))
    fast = np.abs(values.imag[np.abs(values.imag) > _VIBRATES * np.abs(values)])
    return float(2.0 * np.pi / fast.max()) if fast.size and fast.max() > 0.0 else float("inf")


@np.errstate(invalid="ignore")
def _jacobian(rates: Callable[[Any], Any], y: Any) -> Any:
    """Derivative of the state equation, by central differences; zero if it is too large."""
    columns = []
    for k in range(len(y)):
        h = np.zeros(len(y))
        h[k] = 1e-6 * max(1.0, abs(y[k]))
        columns.append((rates(y + h) - rates(y - h)) / (2 * h[k]))
    J = np.array(columns).T
    return J if np.all(np.abs(J) < _LARGEST) else np.zeros_like(J)


def _bound(J: Any, n_q: int) -> float:
    """Bound of the eigenvalues: that of the norms of the blocks of positions and velocities."""
    parts = slice(0, n_q), slice(n_q, None)
    bounds = []
    for order in (1, np.inf, None):  # the last is the norm of Frobenius
        norms = [
            [np.linalg.norm(J[i, j], order) if J[i, j].size else 0.0 for j in parts] for i in parts
        ]
        bounds.append(np.abs(np.linalg.eigvals(np.array(norms))).max())
    return float(min(bounds))


def _fastest_mode(J: Any) -> complex:
    """Eigenvalue of largest size."""
    values = np.linalg.eigvals(J)
    return complex(values[int(np.argmax(np.abs(values)))])
