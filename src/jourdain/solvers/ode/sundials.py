"""CVODE and IDA of SUNDIALS by scikit-sundae, around the compiled state equation.

The steps are theirs; Python stands between them and the compiled code with one call per
evaluation. After every step constraints are closed, and samples, events and kinks found inside it,
as in our own methods. The rates are those at the state moved onto the constraints, so that loops do
not drift between. The memory of SUNDIALS cannot be read, so such a run cannot be resumed.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cached_property, partial
from importlib import import_module
from io import StringIO
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel
from jourdain.errors import MissingExtraError
from jourdain.solvers.acceptance import accept, close_step, give_up, wants_dense
from jourdain.solvers.events import NOWHERE, first_kink
from jourdain.solvers.integration import ImplicitMethod, Integration, call_of
from jourdain.solvers.native import native
from jourdain.solvers.ode import stepping as at
from jourdain.solvers.ode.banded import (
    AT_ORDER,
    LOWER,
    SIZE,
    UPPER,
    BandEntries,
    band_entries,
    dense_table,
)
from jourdain.solvers.ode.first_step import first_sizes, first_step
from jourdain.solvers.ode.implicit import jacobian_form
from jourdain.solvers.ode.problem import Control, Problem
from jourdain.solvers.ode.radau import closed_jacobian, whole_jacobian
from jourdain.solvers.ode.stepping import (
    EVENT_TOLERANCE,
    N_FROZEN,
    N_Q,
    N_V,
    PROJECTION,
    T,
    evaluate,
    must_pause,
)  # fmt: skip
from jourdain.solvers.projection import project_stage
from jourdain.solvers.run import Run
from jourdain.solvers.sizes import AT_REST, FRACTION, MATES, NOISE, set_tolerances
from jourdain.solvers.status import Status
from jourdain.solvers.switches import change_modes

_NODES = np.sin(np.linspace(0.0, np.pi / 2, 7)[1:]) ** 2  # of dense output, in parts of a step
_FAR = 1e3  # tolerances that a step may leave the constraints before the history is dropped
_GROWN = 30.0  # factor by which sizes outgrow the tolerances that were made of them
_LOOK = 5  # steps between two looks at that
_AT_ONCE = 1e-4  # part of the longest step; behind each kink the solver begins with tiny ones
_LEAST = 1e-15  # smallest step, of the largest


@native()
def rates_at(run: Integration, t: float) -> Any:
    """Rates at the state in the place of a stage, moved onto the constraints."""
    w, quaternions, ip, dp = run.w, run.quaternions, run.ip, run.dp
    n = ip[N_Q] + ip[N_V]
    project_stage(w, quaternions, ip, dp, t)
    evaluate(run, t, 2 * n, 3 * n)
    return 0


@native()
def jacobian_at(run: Integration, method: ImplicitMethod, at_work: int) -> Any:
    """Jacobian at the state that lies first in the memory, moved onto the constraints."""
    ip = run.ip
    if ip[PROJECTION]:
        closed_jacobian(run, method, at_work, 0)
    else:
        whole_jacobian(run, method, at_work)
    return 0


@native()
def accept_at(run: Integration, t_new: float) -> Any:
    """Take a step to y_new, or to a kink inside it: events, samples, new state; the status."""
    w, quaternions, ip, dp = run.w, run.quaternions, run.ip, run.dp
    h, kink = t_new - dp[T], NOWHERE
    if not close_step(w, quaternions, ip, dp, t_new):
        return give_up(w, ip, dp)
    set_tolerances(w, ip, dp, h)
    wants_dense(run, t_new)
    if ip[N_FROZEN] > 0:
        kink = first_kink(run, h)
        if kink < NOWHERE and kink * h <= dp[EVENT_TOLERANCE] * (abs(dp[T]) + h):
            return 7
    status = accept(run, h, t_new, kink)
    return status if status > 0 else 1


class SundialsRun(Run):
    """Integration by SUNDIALS; it starts afresh where a step has left the constraints.

    Parameters
    ----------
    problem, y, span, times, control
        As for `Run`.
    """

    is_resumable = False

    def __init__(self, problem: Problem, y: Any, span: Any, times: Any, control: Control) -> None:
        n, m = len(y), len(_NODES)
        kernel = problem.tangent() if problem.tangent else None
        self._form = dense_table(n) if kernel is None else jacobian_form(problem, kernel)
        extra = int(self._form[SIZE]) + 2 * n
        super().__init__(problem, y, span, times, control, n_stages=m, degree=m, extra=extra)
        self.record.extension = np.ascontiguousarray(
            np.linalg.inv(_NODES[:, None] ** np.arange(1, m + 1)).T
        )
        self._control = control
        self._options: dict[str, Any] = {"rtol": control.rtol}
        longest = min(control.max_step, span[1] - span[0])
        self._options["max_step"] = longest
        self._options["min_step"] = _LEAST * longest  # else it creeps for ever to a pole
        self._sizes = self.w[self.ip[at.AT_SIZES] :][:n]  # a view: it grows with the motion
        if control.atol is None and n:
            self._sizes[:] = first_sizes(problem, y, span[0])
        self._rates_at = self._rates_function()
        self._slopes_at = None if kernel is None else self._jacobian_function(kernel)

    @abstractmethod
    def _begin(self, options: dict[str, Any]) -> Any:
        """Solver that starts at the state."""

    @property
    def _atol(self) -> Any:
        """Absolute tolerances of the coordinates."""
        given = float(self.dp[at.ATOL])
        if given:
            return np.full(len(self._sizes), given)
        sizes = self._largest
        return np.where(sizes > 0.0, FRACTION * self.dp[at.RTOL] * sizes, NOISE * AT_REST)

    @property
    def _largest(self) -> Any:
        """Sizes of the coordinates so far, as in `set_tolerances`: beside those of their kind."""
        n, at_kinds = len(self._sizes), self.ip[at.AT_KINDS]
        others = self.w[self.ip[at.AT_SIZES] + 3 * n :][self.ip[at_kinds : at_kinds + n]]
        return np.maximum(self._sizes, MATES * others)

    def _rates_function(self) -> Callable[[float, Any], Any]:
        """Function that gives dy/dt at a state, both in the order of the solver."""
        n, order = self.samples.shape[1], self._order
        state, result = self.w[2 * n : 3 * n], self.w[3 * n : 4 * n]
        loop = partial(rates_at, self.record)

        def rates(t: float, y: Any) -> Any:
            state[order] = y
            loop(t)
            return result[order]

        return rates

    def _jacobian_function(self, kernel: Kernel) -> Callable[[float, Any], Any]:
        """Function that gives ∂(dy/dt)/∂y in the order of the solver: all, or `BandEntries`."""
        n, at_m, w, dp = self.samples.shape[1], self._at_extra, self.w, self.dp
        order, band = self._order, self._band
        self._kernel = kernel  # its code lives as long as it does
        size = int(self._form[SIZE])
        entries = w[at_m : at_m + size]
        method = ImplicitMethod(
            coefficients=np.zeros(1), tangent=call_of(kernel, self._bind(kernel)),
            form=self._form, at_matrices=at_m,
        ).complete()  # fmt: skip
        loop = partial(jacobian_at, self.record, method, at_m + size)

        def entries_at(t: float, y: Any) -> Any:
            now, before = dp[at.T], w[:n].copy()
            w[order], dp[at.T] = y, t
            loop()
            w[:n], dp[at.T] = before, now
            return entries.reshape(n, n) if band is None else entries[band.lies]

        return entries_at

    @cached_property
    def _order(self) -> Any:
        """Coordinates in the order of the solver: what belongs together is near."""
        return self._form[self._form[AT_ORDER] :][: self.samples.shape[1]]

    @cached_property
    def _band(self) -> BandEntries | None:
        """Entries of the Jacobian; None where it is dense."""
        return band_entries(self._form, self.samples.shape[1])

    def _exact(self, fill: Callable[..., None]) -> dict[str, Any]:
        """Options of exact Jacobians."""
        if self._band is None:
            return {"jacfn": fill}
        widths = {"lband": int(self._form[LOWER]), "uband": int(self._form[UPPER])}
        return {"jacfn": fill, "linsolver": "band", **widths}

    @property
    def _entries(self) -> Any:
        """Index of the entries of a matrix that are filled."""
        return np.s_[:] if self._band is None else (self._band.rows, self._band.columns)

    @property
    def program(self) -> None:
        """None: SUNDIALS leads it."""

    def _launcher(self) -> Callable[[], int]:
        self._accept = partial(accept_at, self.record)
        return self._steps

    def continue_to(self, t_end: float, *, is_end: bool) -> None:
        """Set where to stop."""
        self.dp[at.T_END] = t_end

    def _over_kinks(self) -> Callable[[], int]:
        return self._launcher()  # which changes the modes itself

    def _changed(self, status: Status) -> Status:
        """Status after the modes are changed, if there are any: `Status.KINK` to go on."""
        return Status(change_modes(self.record, self.kinks, status)) if self.switches.n else status

    def _steps(self) -> int:
        """Advance by a chunk of steps; return the status."""
        for done in range(int(self.ip[at.MAX_STEPS])):
            if self.t >= self.dp[at.T_END]:
                return Status.FINISHED
            if must_pause(self.ip, done) and self._changed(Status.PAUSED) != Status.KINK:
                return Status.PAUSED
            if not self.ip[at.HAS_FIRST]:
                self._used = self._largest
                self._solver = self._begin({**self._options, "atol": self._atol[self._order]})
                self.ip[at.HAS_FIRST] = 1
            status = self._step(float(self.dp[at.T_END]))
            if status != Status.PAUSED and (status := self._changed(status)) != Status.KINK:
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
        t, y = float(step.t), self._ours(step.y)
        is_finite = bool(np.isfinite(y).all())
        if step.status < 0 or not is_finite:
            return Status.STEP_TOO_SMALL if is_finite else Status.NOT_FINITE
        h = t - self.t
        if not h > 0.0:
            return Status.STEP_TOO_SMALL
        if self.problem.events or (k < len(self.times) and self.times[k] < t):
            for i, x in enumerate(_NODES):
                inside = self.w[:n] + x * (y - self.w[:n])
                if not is_sliding:
                    there = self.t + x * h if x < 1.0 else t
                    inside = self._ours(self._solver.step(there, method="normal").y)
                self.w[(3 + i) * n : (4 + i) * n] = (inside - self.w[:n]) / h
        self.w[n : 2 * n] = y
        self.dp[at.H] = h
        if self.switches.n:
            self.kinks.at_once = max(self.kinks.at_once, _AT_ONCE * h)
        status = Status(self._accept(t))
        if self.ip[at.N_ACCEPTED] % _LOOK == 0 and self._is_over(y):
            self.ip[at.HAS_FIRST] = 0
        return status

    def _ours(self, y: Any) -> Any:
        """State of the solver in our own order."""
        found = np.empty(len(y))
        found[self._order] = y
        return found

    def _is_over(self, y: Any) -> bool:
        """Tell whether the history no longer serves: loops have opened, or sizes have grown."""
        if self.dp[at.ATOL] == 0.0 and np.any(self._largest > _GROWN * self._used):
            return True
        limit = _FAR * (self._atol + self.dp[at.RTOL] * np.abs(y))
        return bool(self.ip[at.PROJECTION] and np.any(np.abs(self.y - y) > limit))


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
        self._method, self._module = method, _module("cvode")
        super().__init__(problem, y, span, times, control)

    def _begin(self, options: dict[str, Any]) -> Any:
        rates_at, slopes_at, entries = self._rates_at, self._slopes_at, self._entries

        def rates(t: float, y: Any, yp: Any) -> None:
            yp[:] = rates_at(t, y)

        def fill(t: float, y: Any, yp: Any, found: Any) -> None:
            found[entries] = slopes_at(t, y)  # type: ignore[misc]

        if slopes_at and self._method == "BDF":
            options |= self._exact(fill)
        solver = self._module.CVODE(rates, **options, method=self._method)
        solver.init_step(self.t, self.y[self._order])
        return solver


class IdaRun(SundialsRun):
    """Integration of 0 = dy/dt − f(t, y) by IDA."""

    def __init__(self, problem: Problem, y: Any, span: Any, times: Any, control: Control) -> None:
        self._module = _module("ida")
        super().__init__(problem, y, span, times, control)

    def _begin(self, options: dict[str, Any]) -> Any:
        rates_at, slopes_at, entries = self._rates_at, self._slopes_at, self._entries
        one = np.eye(len(self._order)) if self._band is None else self._band.diagonal

        def residual(t: float, y: Any, yp: Any, found: Any) -> None:
            np.subtract(yp, rates_at(t, y), out=found)

        def fill(t: float, y: Any, yp: Any, res: Any, cj: float, found: Any) -> None:
            found[entries] = cj * one - slopes_at(t, y)  # type: ignore[misc]

        if slopes_at:
            options |= self._exact(fill)
        y = self.y[self._order]
        speeds = self._rates_at(self.t, y).copy()
        if not speeds.any():  # else it tries a thousandth of the run
            options["first_step"] = first_step(self.problem, self.y, self.t, 1, self._control)
        solver = self._module.IDA(residual, **options)
        solver.init_step(self.t, y, speeds)
        return solver


def _module(name: str) -> Any:
    try:
        return import_module(f"sksundae.{name}")
    except ImportError as error:
        raise MissingExtraError(
            f'{name.title()} needs scikit-sundae: pip install "jourdain[sundials]". Or use '
            "jd.Dop853() or, for stiff systems, jd.Radau5()."
        ) from error
