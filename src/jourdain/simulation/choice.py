"""Which integrator suits a problem."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.solvers import Dop853, Integrator, Problem, Radau5

_MANY_STEPS = 2e4  # explicit steps that stability alone would ask for
_EXPLICIT_LIMIT = 6.0  # |h λ| up to which Dop853 is stable
_DAMPED = 0.5  # part of |λ| that must be damping: fast vibrations are not stiff but fast
_LARGEST = 1e150  # rate [1/s] whose square is a number


def choose_integrator(
    problem: Problem, y: Any, span: tuple[float, float]
) -> tuple[Integrator, str]:
    """Return an integrator and the reason for it.

    Stiff is a system whose fastest mode dies out long before the end: an explicit method would
    need many steps for its stability alone. Tested by the eigenvalues at the start.
    """
    if not len(y):
        return Dop853(), "nothing moves freely"
    J = _jacobian(problem, y, span[0])
    steps_per_rate = (span[1] - span[0]) / _EXPLICIT_LIMIT
    is_slow = _bound(J, problem.n_q) * steps_per_rate < _MANY_STEPS
    fastest = 0j if is_slow else _fastest_mode(J)
    steps = abs(fastest) * steps_per_rate
    if -fastest.real > _DAMPED * abs(fastest) and steps > _MANY_STEPS:
        return Radau5(), (
            f"stiff: a mode dies out in {1 / abs(fastest.real):.1e} s, an explicit method would "
            f"need some {steps:.0e} steps"
        )
    return Dop853(), "not stiff at the start: explicit method of high order"


@np.errstate(invalid="ignore")
def _jacobian(problem: Problem, y: Any, t: float) -> Any:
    """Derivative of the state equation, by central differences; zero if it is too large."""
    n_q = problem.n_q

    def rates(x: Any) -> Any:
        return np.concatenate(problem.rates.run(x[:n_q], x[n_q:], problem.u, t, problem.p))

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
