"""Which integrator suits a problem."""

from __future__ import annotations

from typing import Any

from jourdain.solvers import Dop853, Integrator, Problem


def choose_integrator(problem: Problem, y: Any, span: tuple[float, float]) -> tuple[Integrator, str]:  # noqa: ARG001
    """Return an integrator and the reason for it."""
    return Dop853(), "no stiffness known: explicit method of high order"
