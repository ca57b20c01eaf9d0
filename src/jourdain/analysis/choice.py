"""Which integrator suits a problem."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.solvers import Dop853, Integrator, Problem, Radau5

_MANY_STEPS = 2e4  # explicit steps that stability alone would ask for
_EXPLICIT_LIMIT = 6.0  # |h λ| up to which Dop853 is stable
_DAMPED = 0.5  # part of |λ| that must be damping: fast vibrations are not stiff but fast


def choose_integrator(
    problem: Problem, y: Any, span: tuple[float, float]
) -> tuple[Integrator, str]:
    """Return an integrator and the reason for it.

    Stiff is a system whose fastest mode dies out long before the end: an explicit method would
    need many steps for its stability alone. Tested by the eigenvalues at the start.
    """
    if not len(y):
        return Dop853(), "nothing moves freely"
    fastest = _fastest_mode(problem, y, span[0])
    steps = abs(fastest) * (span[1] - span[0]) / _EXPLICIT_LIMIT
    if -fastest.real > _DAMPED * abs(fastest) and steps > _MANY_STEPS:
        return Radau5(), (
            f"stiff: a mode dies out in {1 / abs(fastest.real):.1e} s, an explicit method would "
            f"need some {steps:.0e} steps"
        )
    return Dop853(), "not stiff at the start: explicit method of high order"


@np.errstate(invalid="ignore")
def _fastest_mode(problem: Problem, y: Any, t: float) -> complex:
    """Eigenvalue of largest size of the state equation, by central differences."""
    n_q = problem.n_q

    def rates(x: Any) -> Any:
        return np.concatenate(problem.rates.run(x[:n_q], x[n_q:], problem.u, t, problem.p))

    columns = []
    for k in range(len(y)):
        h = np.zeros(len(y))
        h[k] = 1e-6 * max(1.0, abs(y[k]))
        columns.append((rates(y + h) - rates(y - h)) / (2 * h[k]))
    J = np.array(columns).T
    if not np.all(np.isfinite(J)):
        return 0j
    values = np.linalg.eigvals(J)
    return complex(values[int(np.argmax(np.abs(values)))])
