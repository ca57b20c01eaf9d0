"""Memory of one integration by an implicit method with exact Jacobians."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel
from jourdain.solvers.integration import ImplicitMethod, call_of
from jourdain.solvers.native import NativeLoop, Program
from jourdain.solvers.ode.alpha import alpha_run
from jourdain.solvers.ode.banded import SCRATCH, SIZE, closed_table, dense_table, table_of
from jourdain.solvers.ode.gauss import coefficients as gauss_coefficients
from jourdain.solvers.ode.gauss import gauss_run
from jourdain.solvers.ode.problem import Control, Problem
from jourdain.solvers.ode.radau import AT_TOLERANCE, coefficients, radau_run
from jourdain.solvers.run import Run


class ImplicitRun(Run):
    """Method that solves equations by Newton's method; as many stages as its extension has rows.

    Parameters
    ----------
    problem, y, span, times, control
        As for `Run`.
    loop : NativeLoop
        The method.
    tables : (array, array)
        Its coefficients, and those of its continuous extension.
    n_matrices, n_vectors : int
        Memory it needs: so many matrices, first the Jacobian, and vectors of the size of the state.
    history : mapping of str to slice
        Vectors, counted behind the matrices, that the next step starts from.
    keeps_first : bool
        Whether the rates that a step starts with are more than those at its state.
    n_stages_kept : int
        Rates at stages of a step that the next one starts from.
    """

    def __init__(
        self,
        problem: Problem,
        y: Any,
        span: Any,
        times: Any,
        control: Control,
        *,
        loop: NativeLoop,
        tables: tuple[Any, Any],
        n_matrices: int,
        n_vectors: int,
        history: Mapping[str, slice],
        keeps_first: bool = False,
        n_stages_kept: int = 0,
    ) -> None:
        if problem.tangent is None:
            raise ValueError("an implicit method needs the derivative of the state equation")
        n, self._kernel = len(y), problem.tangent()
        self._form = jacobian_form(problem, self._kernel)
        m = int(self._form[SIZE])
        extra = n_matrices * m + (n_vectors + 2) * n
        n_stages, degree = tables[1].shape
        super().__init__(
            problem, y, span, times, control, n_stages=n_stages, degree=degree, extra=extra
        )
        self._loop = loop
        self.history["jacobian"] = slice(self._at_extra, self._at_extra + m)
        behind = self._at_extra + n_matrices * m
        self._form[SCRATCH] = behind + n_vectors * n
        for name, x in history.items():
            self.history[name] = slice(behind + n * x.start, behind + n * x.stop)
        self.keeps_first = keeps_first
        kept = max(int(keeps_first), n_stages_kept)
        if kept:
            self.history["rates"] = slice(3 * n, (3 + kept) * n)
        self.record.extension = np.ascontiguousarray(tables[1], dtype=float)
        self._method = ImplicitMethod(
            coefficients=np.ascontiguousarray(tables[0], dtype=float),
            tangent=call_of(self._kernel, self._bind(self._kernel)),
            form=self._form, at_matrices=self._at_extra,
        ).complete()  # fmt: skip

    @property
    def program(self) -> Program:
        """The loop and its records."""
        return self._loop, self.record, self._method


def jacobian_form(problem: Problem, kernel: Kernel) -> Any:
    """Table of integers of the Jacobian; corrections of constraints couple what rates do not."""
    n, rates = sum(size for _, size in kernel.inputs[:2]), kernel.pattern
    if problem.projection is None:
        return dense_table(n) if rates is None else table_of(rates).copy()
    closing = None if problem.partition is not None else problem.projection.pattern
    if rates is None or closing is None:
        return dense_table(n)
    return closed_table(rates, closing, problem.n_q).copy()


def radau(problem: Problem, y: Any, span: Any, times: Any, control: Control) -> ImplicitRun:
    """Radau IIA of order 5."""
    numbers, P = coefficients()
    numbers, rtol = numbers.copy(), control.rtol or 1e-6
    numbers[AT_TOLERANCE] = max(10 * np.finfo(float).eps / rtol, min(0.03, rtol**0.5))
    return ImplicitRun(
        problem, y, span, times, control,
        loop=radau_run, tables=(numbers, P), n_matrices=4, n_vectors=12,
        history={"stages": slice(0, 3)},
    )  # fmt: skip


def gauss(problem: Problem, y: Any, span: Any, times: Any, control: Control) -> ImplicitRun:
    """Gauss–Legendre of order 4."""
    return ImplicitRun(
        problem, y, span, times, control,
        loop=gauss_run, tables=gauss_coefficients(), n_matrices=3, n_vectors=8, history={},
        n_stages_kept=2,
    )  # fmt: skip


def alpha_numbers(rho: float) -> tuple[float, float, float, float]:
    """Coefficients α_m, α_f, γ and β of generalized-α (Chung & Hulbert 1993)."""
    a_m, a_f = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    gamma = 0.5 - a_m + a_f
    return a_m, a_f, gamma, 0.25 * (gamma + 0.5) ** 2


def generalized_alpha(
    problem: Problem, y: Any, span: Any, times: Any, control: Control, rho: float
) -> ImplicitRun:
    """Generalized-α with the spectral radius ``rho`` at infinity (Chung & Hulbert 1993)."""
    numbers = np.array(alpha_numbers(rho))
    hermite = np.array([[1.0, -2.0, 1.0], [0.0, -1.0, 1.0], [0.0, 3.0, -2.0]])
    return ImplicitRun(
        problem, y, span, times, control,
        loop=alpha_run, tables=(numbers, hermite), n_matrices=2, n_vectors=5,
        history={"accelerations": slice(0, 1)}, keeps_first=True,
    )  # fmt: skip
