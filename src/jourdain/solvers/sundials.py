"""CVODE and IDA of SUNDIALS by scikit-sundae, around the compiled state equation.

The steps are theirs; Python stands between them and the compiled code with one call per
evaluation. After every step, samples, events and kinks are found inside it as in our own methods.
Their memory cannot be read, so such a run cannot be resumed.
"""

from __future__ import annotations

import ctypes
from abc import abstractmethod
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from importlib import import_module
from io import StringIO
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel, address
from jourdain.errors import MissingExtraError
from jourdain.solvers import stepping as at
from jourdain.solvers.acceptance import accept, wants_dense
from jourdain.solvers.events import NOWHERE, first_kink
from jourdain.solvers.native import native
from jourdain.solvers.problem import Control, Problem
from jourdain.solvers.radau import jacobian
from jourdain.solvers.run import Run
from jourdain.solvers.status import Status
from jourdain.solvers.stepping import EVENT_TOLERANCE, N_FROZEN, T, must_pause

_CALL = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_NODES = np.sin(np.linspace(0.0, np.pi / 2, 7)[1:]) ** 2  # of dense output, in parts of a step
_LEAST = 1e-15  # step of IDA, of the largest


@native("iaipipaii")
def jacobian_at(j, jargs, jargs_at, w, w_at, dp, ip, at_m, at_work):
    """Jacobian at the state that lies first in the memory."""
    jacobian(j, jargs, jargs_at, w, w_at, dp, ip, at_m, at_work)
    return 0


@native("pipaapppiaiipd")
def accept_at(w, w_at, P, quaternions, ip, dp, times, out, g, gargs, gargs_at, at_g, found, t_new):
    """Take a step to y_new, or to a kink inside it: events, samples, new state; the status."""
    h, kink = t_new - dp[T], NOWHERE
    wants_dense(g, gargs, gargs_at, w, w_at, ip, dp, times, at_g, t_new)
    if ip[N_FROZEN] > 0:
        kink = first_kink(g, gargs, gargs_at, w, w_at, P, dp, ip, at_g, h)
        if kink * h <= dp[EVENT_TOLERANCE] * (abs(dp[T]) + h):
            return 7
    status = accept(
        g, gargs, gargs_at, w, w_at, P, quaternions, ip, dp, times, out, at_g, found, h, t_new,
        kink,
    )  # fmt: skip
    return status if status > 0 else 1


class SundialsRun(Run):
    """Integration by SUNDIALS; it starts afresh where loops have drifted beyond the tolerance.

    Parameters
    ----------
    problem, y, span, times, control
        As for `Run`.
    """

    is_resumable = False

    def __init__(self, problem: Problem, y: Any, span: Any, times: Any, control: Control) -> None:
        n, m, self._span = len(y), len(_NODES), span
        super().__init__(
            problem, y, span, times, control, n_stages=m, degree=m, extra=n * n + 2 * n
        )
        self._extension = np.ascontiguousarray(
            np.linalg.inv(_NODES[:, None] ** np.arange(1, m + 1)).T
        )
        options: dict[str, Any] = {"rtol": control.rtol, "atol": control.atol}
        if np.isfinite(control.max_step):
            options["max_step"] = control.max_step
        self._rates_at = self._rates_function()
        self._solver = self._make(options)

    @abstractmethod
    def _make(self, options: dict[str, Any]) -> Any:
        """Solver with its functions."""

    @abstractmethod
    def _begin(self) -> None:
        """Let the solver start at the state."""

    def _place(self, pointers: Any, at_y: int, *at_results: int) -> None:
        """Let a kernel read the state at one place and write its results to others."""
        base, n_q = address(self.w), self.problem.n_q
        pointers[:2] = [base + 8 * at_y, base + 8 * (at_y + n_q)]
        pointers[5 : 5 + len(at_results)] = [base + 8 * k for k in at_results]

    def _rates_function(self) -> Callable[[float, Any], Any]:
        """Function that gives dy/dt at a state, in an array that the next call fills again."""
        n, n_q = self.samples.shape[1], self.problem.n_q
        call = _CALL(self.problem.rates.library.addresses["single"])
        self._place(self._rates, 2 * n, 3 * n, 3 * n + n_q)
        state, result = self.w[2 * n : 3 * n], self.w[3 * n : 4 * n]
        dp, ip, arguments = self.dp, self.ip, address(self._rates)

        def rates(t: float, y: Any) -> Any:
            state[:] = y
            dp[at.T_WORK] = t
            call(arguments)
            ip[at.N_EVALUATIONS] += 1
            return result

        return rates

    def _jacobian_function(self, kernel: Kernel) -> Callable[[float, Any], Any]:
        """Function that gives ∂(dy/dt)/∂y at a state, in an array that the next call fills."""
        n, at_m = self.samples.shape[1], self._at_extra
        self._kernel, tangent = kernel, self._bind(kernel)  # its code lives as long as it does
        memory, place = self.w.copy(), address(tangent)
        entries = memory[at_m : at_m + n * n].reshape(n, n)
        call = kernel.library.addresses["single"], place, place, address(memory), address(memory)
        dp, last = self.dp.copy(), (at_m, at_m + n * n)
        tangent[3] = address(dp) + 8 * at.T_WORK

        def entries_at(t: float, y: Any) -> Any:
            memory[:n] = y
            dp[at.T] = t
            jacobian_at(*call, address(dp), address(self.ip), *last)
            return entries

        return entries_at

    def _launcher(self, shared: list[int]) -> Callable[[], int]:
        places = [address(x) for x in (self.w, self.w, self._extension)]
        self._accept = partial(accept_at, *places, *shared)
        return self._steps

    def continue_to(self, t_end: float, *, is_end: bool) -> None:
        """Set where to stop."""
        self.dp[at.T_END] = t_end

    def _steps(self) -> int:
        """Advance by a chunk of steps; return the status."""
        for done in range(int(self.ip[at.MAX_STEPS])):
            if self.t >= self.dp[at.T_END]:
                return Status.FINISHED
            if must_pause(self.ip, done):
                return Status.PAUSED
            if not self.ip[at.HAS_FIRST]:
                self._begin()
                self.ip[at.HAS_FIRST] = 1
            status = self._step(float(self.dp[at.T_END]))
            if status != Status.PAUSED:
                return status
        return Status.FINISHED if self.t >= self.dp[at.T_END] else Status.PAUSED

    def _step(self, end: float) -> Status:
        """Take one step of the solver."""
        n, k, is_sliding = self.samples.shape[1], self.n_samples_done, self.switches.is_sliding
        if is_sliding:
            end = min(end, self.t + self.switches.longest_step)
        with redirect_stdout(StringIO()):  # it prints what it fails with
            how = "normal" if is_sliding else "onestep"
            step = self._solver.step(end, method=how, tstop=end)
        t, y = float(step.t), step.y.copy()
        if step.status < 0 or not np.all(np.isfinite(y)):
            return Status.STEP_TOO_SMALL if np.all(np.isfinite(y)) else Status.NOT_FINITE
        h = t - self.t
        if self.problem.events or (k < len(self.times) and self.times[k] < t):
            for i, x in enumerate(_NODES):
                inside = self.w[:n] + x * (y - self.w[:n])
                if not is_sliding:
                    inside = self._solver.step(self.t + x * h if x < 1.0 else t, method="normal").y
                self.w[(3 + i) * n : (4 + i) * n] = (inside - self.w[:n]) / h
        self.w[n : 2 * n], self.dp[at.H] = y, h
        status = Status(self._accept(t))
        limit = self.dp[at.ATOL] + self.dp[at.RTOL] * np.abs(y)
        if status == Status.PAUSED and np.any(np.abs(self.w[:n] - y) > limit):
            self.ip[at.HAS_FIRST] = 0  # it was moved onto the constraints
        return status


class CvodeRun(SundialsRun):
    """Integration of dy/dt = f(t, y) by CVODE.

    Parameters
    ----------
    problem, y, span, times, control
        As for `Run`.
    method : str
        ``"BDF"`` for stiff systems or ``"Adams"``.
    """

    def __init__(
        self, problem: Problem, y: Any, span: Any, times: Any, control: Control, method: str
    ) -> None:
        self._method = method
        super().__init__(problem, y, span, times, control)

    def _make(self, options: dict[str, Any]) -> Any:
        rates_at, tangent = self._rates_at, self.problem.tangent

        def rates(t: float, y: Any, yp: Any) -> None:
            yp[:] = rates_at(t, y)

        if tangent and self._method == "BDF":
            slopes_at = self._jacobian_function(tangent())

            def fill(t: float, y: Any, yp: Any, found: Any) -> None:
                found[:] = slopes_at(t, y)

            options["jacfn"] = fill
        return _module("cvode").CVODE(rates, **options, method=self._method)

    def _begin(self) -> None:
        self._solver.init_step(self.t, self.y)


class IdaRun(SundialsRun):
    """Integration of 0 = dy/dt − f(t, y) by IDA."""

    def _make(self, options: dict[str, Any]) -> Any:
        rates_at, tangent = self._rates_at, self.problem.tangent

        def residual(t: float, y: Any, yp: Any, found: Any) -> None:
            np.subtract(yp, rates_at(t, y), out=found)

        if tangent:
            slopes_at = self._jacobian_function(tangent())
            one = np.eye(self.samples.shape[1])

            def fill(t: float, y: Any, yp: Any, res: Any, cj: float, found: Any) -> None:
                np.subtract(cj * one, slopes_at(t, y), out=found)

            options["jacfn"] = fill
        options.setdefault("max_step", self._span[1] - self._span[0])
        options["min_step"] = _LEAST * options["max_step"]  # else it creeps for ever to a pole
        return _module("ida").IDA(residual, **options)

    def _begin(self) -> None:
        self._solver.init_step(self.t, self.y, self._rates_at(self.t, self.y).copy())


def _module(name: str) -> Any:
    try:
        return import_module(f"sksundae.{name}")
    except ImportError as error:
        raise MissingExtraError(
            f'{name.title()} needs scikit-sundae: pip install "jourdain[sundials]". Or use '
            "jd.Dop853() or, for stiff systems, jd.Radau5()."
        ) from error
