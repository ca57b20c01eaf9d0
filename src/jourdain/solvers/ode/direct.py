"""Memory of one integration by a method that solves no equations."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.solvers.native import Program
from jourdain.solvers.ode import stepping as at
from jourdain.solvers.ode.euler import euler_run
from jourdain.solvers.ode.explicit import explicit_run
from jourdain.solvers.ode.problem import Control, Problem
from jourdain.solvers.ode.tableau import Tableau
from jourdain.solvers.run import Run


class ExplicitRun(Run):
    """Explicit Runge–Kutta method with given coefficients."""

    def __init__(
        self, problem: Problem, y: Any, span: Any, times: Any, control: Control, method: Tableau
    ) -> None:
        n_stages, degree = method.P.shape
        super().__init__(problem, y, span, times, control, n_stages=n_stages, degree=degree)
        self.ip[at.N_STEP], self.ip[at.N_ERRORS] = method.n_step, len(method.errors)
        self.ip[at.IS_FSAL] = method.is_fsal
        self.dp[at.EXPONENT] = 1.0 / (method.error_order + 1)
        self._method = method.record
        self.record.extension = np.ascontiguousarray(method.P, dtype=float)

    @property
    def program(self) -> Program:
        """The loop and its records."""
        return explicit_run, self.record, self._method


class EulerRun(Run):
    """Semi-implicit Euler."""

    def __init__(self, problem: Problem, y: Any, span: Any, times: Any, control: Control) -> None:
        super().__init__(problem, y, span, times, control, n_stages=2, degree=2)
        self.record.extension = np.array([[1.0, -1.0], [0.0, 1.0]])

    @property
    def program(self) -> Program:
        """The loop and its record."""
        return euler_run, self.record
