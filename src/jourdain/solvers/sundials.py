"""CVODE and IDA of SUNDIALS by scikit-sundae, around the compiled state equation.

The steps are theirs; Python stands between them and the compiled code with one call per
evaluation. Their memory cannot be read, so such a run cannot be resumed.
"""

from __future__ import annotations

import ctypes
from abc import abstractmethod
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel, address
from jourdain.errors import MissingExtraError
from jourdain.solvers import stepping as at
from jourdain.solvers.native import native
from jourdain.solvers.projection import project
from jourdain.solvers.radau import jacobian
from jourdain.solvers.run import Control, Problem, Run
from jourdain.solvers.status import Status
from jourdain.solvers.stepping import N_Q, N_QUATERNIONS, N_V, normalize

_CALL = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_EVENT = 2  # what both return at a root
_LEAST = 1e-15  # step of IDA, of the largest
_MANY = 10**8  # steps to the next sample: Ctrl-C is heard in the evaluations


@native("iaipipaii")
def jacobian_at(j, jargs, jargs_at, w, w_at, dp, ip, at_m, at_work):
    """Jacobian at the state that lies first in the memory."""
    jacobian(j, jargs, jargs_at, w, w_at, dp, ip, at_m, at_work)
    return 0


@native("paapd")
def project_at(w, quaternions, ip, dp, t):
    """Move the state in the place of a stage onto the constraints."""
    normalize(w, 2 * (ip[N_Q] + ip[N_V]), quaternions, ip[N_QUATERNIONS])
    project(w, quaternions, ip, dp, t)
    return 0


class SundialsRun(Run):
    """Integration by SUNDIALS; it starts afresh where loops have drifted beyond the tolerance.

    Parameters
    ----------
    problem, y, span, times, control
        As for `Run`.
    """

    is_resumable = False

    def __init__(self, problem: Problem, y: Any, span: Any, times: Any, control: Control) -> None:
        n, self._span = len(y), span
        super().__init__(
            problem, y, span, times, control, n_stages=1, degree=1, extra=n * n + 2 * n
        )
        options: dict[str, Any] = {"rtol": control.rtol, "atol": control.atol}
        options["max_num_steps"] = _MANY
        if np.isfinite(control.max_step):
            options["max_step"] = control.max_step
        if problem.events:
            signs = [int(x) for x in problem.directions]
            function = self._event_function(self._values_function())
            function.terminal, function.direction = [True] * len(signs), signs  # type: ignore[attr-defined]
            options |= {"eventsfn": function, "num_events": len(signs)}
        self._rates_at = self._rates_function()
        self._solver = self._make(options)

    @abstractmethod
    def _make(self, options: dict[str, Any]) -> Any:
        """Solver with its functions."""

    @abstractmethod
    def _event_function(self, values_at: Callable[[float, Any], Any]) -> Callable[..., None]:
        """Write the values of the events in the way of the solver."""

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

    def _values_function(self) -> Callable[[float, Any], Any]:
        """Function that gives the values of the events, in an array that the next call fills."""
        events = self.problem.events
        n, m = self.samples.shape[1], len(self.problem.directions)
        call = _CALL(events.library.addresses["single"])  # type: ignore[union-attr]
        self._place(self._events, 2 * n, self._at_events)
        state, result = self.w[2 * n : 3 * n], self.w[self._at_events : self._at_events + m]
        dp, arguments = self.dp, address(self._events)

        def values_at(t: float, y: Any) -> Any:
            state[:] = y
            dp[at.T_WORK] = t
            call(arguments)
            return result

        return values_at

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
        return self._steps

    def continue_to(self, t_end: float, *, is_end: bool) -> None:
        """Set where to stop."""
        self.dp[at.T_END] = t_end

    def _steps(self) -> int:
        """Advance by a chunk of steps; return the status."""
        for _ in range(int(self.ip[at.MAX_STEPS])):
            if self.t >= self.dp[at.T_END]:
                return Status.FINISHED
            if not self.ip[at.HAS_FIRST]:
                self._begin()
                self.ip[at.HAS_FIRST] = 1
            status = self._step(float(self.dp[at.T_END]))
            if status != Status.PAUSED:
                return status
        return Status.FINISHED if self.t >= self.dp[at.T_END] else Status.PAUSED

    def _step(self, end: float) -> Status:
        """Go to the next sample or to the end, or to an event on the way."""
        n, k = self.samples.shape[1], self.n_samples_done
        goal = min(end, float(self.times[k])) if k < len(self.times) else end
        step = self._solver.step(goal, method="normal", tstop=end)
        t, y = float(step.t), self._closed(float(step.t), step.y)
        if step.status < 0 or not np.all(np.isfinite(y)):
            return Status.STEP_TOO_SMALL if np.all(np.isfinite(y)) else Status.NOT_FINITE
        self.dp[at.H], self.dp[at.T] = t - self.t, t
        self.w[:n] = y
        while k < len(self.times) and self.times[k] <= t:
            self.samples[k] = y
            k += 1
        self.ip[at.NEXT_SAMPLE] = k
        signs = step.i_events[-1] if step.status == _EVENT else ()
        found = [e for e, sign in enumerate(signs) if sign]
        self.events += [(e, t, y.copy()) for e in found]
        is_over = any(self.problem.terminal[e] for e in found)
        return Status.TERMINAL_EVENT if is_over else Status.PAUSED

    def _closed(self, t: float, given: Any) -> Any:
        """State with quaternions of unit length and closed loops."""
        n = self.samples.shape[1]
        stage = self.w[2 * n : 3 * n]
        stage[:] = given
        project_at(*(address(x) for x in (self.w, self._quaternions, self.ip, self.dp)), t)
        if self.ip[at.PROJECTION]:
            limits = self.dp[at.ATOL] + self.dp[at.RTOL] * np.abs(given)
            if np.any(np.abs(stage - given) > limits):
                self.ip[at.HAS_FIRST] = 0
        return stage.copy()


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

    def _event_function(self, values_at: Callable[[float, Any], Any]) -> Callable[..., None]:
        def values(t: float, y: Any, found: Any) -> None:
            found[:] = values_at(t, y)

        return values

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

    def _event_function(self, values_at: Callable[[float, Any], Any]) -> Callable[..., None]:
        def values(t: float, y: Any, yp: Any, found: Any) -> None:
            found[:] = values_at(t, y)

        return values

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
