"""Integrators: strategy objects that advance a compiled state equation.

An integrator describes a method; `start` makes a `Run`, which holds all memory of one
integration and is advanced in chunks by machine code.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel, address, aligned
from jourdain.errors import ModelError
from jourdain.solvers import stepping as ex
from jourdain.solvers import tableau
from jourdain.solvers.explicit import explicit_run
from jourdain.solvers.status import Status
from jourdain.solvers.tableau import Tableau


@dataclass(frozen=True)
class Problem:
    """What is to be integrated.

    Parameters
    ----------
    rates : Kernel
        State equation q, v, u, t, p → dq/dt, dv/dt.
    events : Kernel or None
        Event functions of the same inputs.
    directions, terminal : sequences
        Per event: wanted sign of the crossing (0 for both), and whether it ends the run.
    quaternions : sequence of int
        Indices in q where quaternions begin.
    u, p : arrays
        Held inputs and parameters.
    """

    rates: Kernel
    events: Kernel | None
    directions: Sequence[float]
    terminal: Sequence[bool]
    quaternions: Sequence[int]
    u: Any
    p: Any


class Integrator(ABC):
    """A method of integration.

    The contract: ``order`` is the nominal order, ``start`` returns a `Run` whose ``advance``
    moves the state in machine code and fills the samples that lie on the way.
    """

    @property
    @abstractmethod
    def order(self) -> int:
        """Nominal order of convergence."""

    @abstractmethod
    def start(self, problem: Problem, y: Any, t: float, t_end: float, times: Any) -> Run:
        """Begin a run at time t [s] that ends at t_end and is sampled at ``times``."""


class Run:
    """Memory of one explicit integration.

    Parameters
    ----------
    problem, y, t, t_end, times
        See `Integrator.start`.
    method : Tableau
        Coefficients.
    step : float [s]
        First step, or the fixed one.
    rtol, atol : float
        Tolerances; None for fixed steps.
    """

    def __init__(  # noqa: PLR0913
        self,
        problem: Problem,
        y: Any,
        t: float,
        t_end: float,
        times: Any,
        method: Tableau,
        *,
        step: float,
        rtol: float | None,
        atol: float,
        max_step: float,
    ) -> None:
        self.problem, self.method = problem, method
        n, n_stages = len(y), len(method.b)
        sizes = [size for _, size in problem.rates.inputs]
        m = len(problem.directions)
        self._at_events = 3 * n + n_stages * n
        self.w = aligned(self._at_events + 3 * m + 8)
        self.w[:n] = y
        self.times = np.ascontiguousarray(times, dtype=float)
        self.samples = np.zeros((len(times), n))
        self.ip = np.zeros(19, dtype=np.int64)
        self.dp = np.zeros(10)
        ip, dp = self.ip, self.dp
        ip[ex.N_Q], ip[ex.N_V] = sizes[0], sizes[1]
        ip[ex.N_STAGES], ip[ex.N_STEP], ip[ex.DEGREE] = n_stages, method.n_step, method.P.shape[1]
        ip[ex.N_ERRORS], ip[ex.IS_FSAL] = len(method.errors), method.is_fsal
        ip[ex.IS_FIXED], ip[ex.N_EVENTS], ip[ex.N_SAMPLES] = rtol is None, m, len(times)
        ip[ex.N_QUATERNIONS], ip[ex.MAX_FOUND] = len(problem.quaternions), 1024
        dp[ex.T], dp[ex.T_END], dp[ex.H], dp[ex.H_MAX] = t, t_end, step, max_step
        dp[ex.RTOL], dp[ex.ATOL], dp[ex.H_MIN] = rtol or 0.0, atol, 1e-14
        dp[ex.EXPONENT] = 1.0 / (method.error_order + 1)
        dp[ex.EVENT_TOLERANCE] = 1e-13 * max(abs(t), abs(t_end))
        self._quaternions = np.array([*problem.quaternions, 0], dtype=np.int64)
        self.found = np.zeros(2 * m + 1024 * (n + 2) if m else 1)
        self.found[:m], self.found[m : 2 * m] = problem.directions, problem.terminal
        coefficients = (method.A, method.b, method.c, method.errors, method.P)
        self._tables = [np.ascontiguousarray(x, dtype=float) for x in coefficients]
        self.u, self.p = np.array([*problem.u, 0.0]), np.array([*problem.p, 0.0])
        self._fill_first_samples(y, t)
        self._pointers = [self._bind(problem.rates)]
        self._pointers.append(self._bind(problem.events) if problem.events else np.zeros(8, np.int64))
        if problem.events:
            self._first_event_values()

    def _fill_first_samples(self, y: Any, t: float) -> None:
        while self.ip[ex.NEXT_SAMPLE] < len(self.times) and self.times[self.ip[ex.NEXT_SAMPLE]] <= t:
            self.samples[self.ip[ex.NEXT_SAMPLE]] = y
            self.ip[ex.NEXT_SAMPLE] += 1

    def _bind(self, kernel: Kernel) -> Any:
        """Pointers of a kernel, with t, u and p where this run keeps them."""
        buffers = kernel.take_buffers()
        pointers = buffers.pointers
        self._kept = [*getattr(self, "_kept", []), buffers]
        pointers[2:5] = [address(self.u), address(self.dp) + 8 * ex.T_WORK, address(self.p)]
        return pointers

    def _first_event_values(self) -> None:
        n_q = int(self.ip[ex.N_Q])
        q, v = self.w[:n_q], self.w[n_q : n_q + int(self.ip[ex.N_V])]
        events = self.problem.events
        t = float(self.dp[ex.T])
        (values,) = events.run(q, v, self.u[:-1], t, self.p[:-1])  # type: ignore[union-attr]
        self.w[self._at_events : self._at_events + len(values)] = values

    @property
    def t(self) -> float:
        """Time reached [s]."""
        return float(self.dp[ex.T])

    @property
    def step(self) -> float:
        """Present step size [s]."""
        return float(self.dp[ex.H])

    @property
    def n_samples_done(self) -> int:
        """Number of samples filled."""
        return int(self.ip[ex.NEXT_SAMPLE])

    @property
    def y(self) -> Any:
        """State reached."""
        return self.w[: self.samples.shape[1]].copy()

    def advance(self, max_steps: int) -> Status:
        """Advance by at most so many steps."""
        self.ip[ex.MAX_STEPS] = max_steps
        rates, events = self.problem.rates, self.problem.events
        status = explicit_run(
            rates.library.addresses["single"],
            address(self._pointers[0]),
            address(self._pointers[0]),
            address(self.w),
            address(self.w),
            *(address(x) for x in self._tables),
            address(self._quaternions),
            address(self.ip),
            address(self.dp),
            address(self.times),
            address(self.samples),
            events.library.addresses["single"] if events else 0,
            address(self._pointers[1]),
            address(self._pointers[1]),
            self._at_events,
            address(self.found),
        )
        return Status(status)

    def continue_to(self, t_end: float, u: Any) -> None:
        """Set a new end and new held inputs; the next step starts afresh."""
        self.dp[ex.T_END] = t_end
        if not len(u):
            return
        self.u[: len(u)] = u
        self.ip[ex.HAS_FIRST] = 0

    def events(self) -> list[tuple[int, float, Any]]:
        """Events found so far: number, time [s], state."""
        n, m = self.samples.shape[1], int(self.ip[ex.N_EVENTS])
        rows = self.found[2 * m :]
        found = [rows[k * (n + 2) : (k + 1) * (n + 2)] for k in range(int(self.ip[ex.N_FOUND]))]
        return [(int(row[0]), float(row[1]), row[2:].copy()) for row in found]

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of accepted and rejected steps and of evaluations."""
        names = {"steps": ex.N_ACCEPTED, "rejected": ex.N_REJECTED, "evaluations": ex.N_EVALUATIONS}
        return {name: int(self.ip[k]) for name, k in names.items()}


def _first_step(problem: Problem, y: Any, t: float, span: float, order: int, rtol: float, atol: float) -> float:
    """Starting step after Hairer, Nørsett & Wanner (II.4)."""
    sizes = [size for _, size in problem.rates.inputs]

    def rates(t: float, y: Any) -> Any:
        return np.concatenate(problem.rates.run(y[: sizes[0]], y[sizes[0] :], problem.u, t, problem.p))

    scale = atol + rtol * np.abs(y)
    f0 = rates(t, y)
    d0, d1 = (float(np.sqrt(np.mean((x / scale) ** 2))) if len(y) else 0.0 for x in (y, f0))
    h0 = 1e-6 if min(d0, d1) < 1e-5 else 0.01 * d0 / d1  # noqa: PLR2004
    h0 = min(h0, span)
    d2 = float(np.sqrt(np.mean(((rates(t + h0, y + h0 * f0) - f0) / scale) ** 2))) / h0 if len(y) else 0.0
    top = max(d1, d2)
    h1 = max(1e-6, h0 * 1e-3) if top <= 1e-15 else (0.01 / top) ** (1.0 / (order + 1))  # noqa: PLR2004
    return min(100 * h0, h1, span) if np.isfinite(h1) else min(1e-6, span)


def _check_tolerances(name: str, rtol: float, atol: float) -> None:
    if not (1e-15 < rtol < 1.0) or not atol > 0.0:  # noqa: PLR2004
        raise ModelError(
            f"{name} has rtol = {rtol!r} and atol = {atol!r}. Give 1e-15 < rtol < 1 and atol > 0, "
            f"for example jd.{name}(rtol=1e-8, atol=1e-10)."
        )


@dataclass(frozen=True)
class _Adaptive(Integrator):
    """Embedded explicit Runge–Kutta method with error control.

    Parameters
    ----------
    rtol : float [1]
        Relative tolerance of a step.
    atol : float [m, rad, m/s, rad/s]
        Absolute tolerance of a step.
    max_step : float [s]
        Largest step.
    """

    rtol: float = 1e-8
    atol: float = 1e-10
    max_step: float = np.inf

    def __post_init__(self) -> None:
        _check_tolerances(type(self).__name__, self.rtol, self.atol)

    @property
    @abstractmethod
    def tableau(self) -> Tableau:
        """Coefficients of the method."""

    @property
    def order(self) -> int:
        """Nominal order of convergence."""
        return self.tableau.order

    def start(self, problem: Problem, y: Any, t: float, t_end: float, times: Any) -> Run:
        """Begin a run with an estimated first step."""
        h = _first_step(problem, y, t, t_end - t, self.tableau.error_order, self.rtol, self.atol)
        return Run(
            problem, y, t, t_end, times, self.tableau,
            step=h, rtol=self.rtol, atol=self.atol, max_step=self.max_step,
        )  # fmt: skip


@dataclass(frozen=True)
class Dopri5(_Adaptive):
    """Dormand–Prince of order 5 with dense output of order 4: for loose tolerances."""

    @property
    def tableau(self) -> Tableau:
        """Coefficients of the method."""
        return tableau.dormand_prince_5()


@dataclass(frozen=True)
class Dop853(_Adaptive):
    """Dormand–Prince of order 8 with dense output of order 7: the default."""

    @property
    def tableau(self) -> Tableau:
        """Coefficients of the method."""
        return tableau.dormand_prince_853()


@dataclass(frozen=True)
class RungeKutta4(Integrator):
    """Classical Runge–Kutta of order 4 with a fixed step.

    Parameters
    ----------
    dt : float [s]
        Step size.
    """

    dt: float

    def __post_init__(self) -> None:
        if not self.dt > 0.0:
            raise ModelError(f"RungeKutta4 has the step dt = {self.dt!r} s; give a positive one.")

    @property
    def order(self) -> int:
        """Nominal order of convergence."""
        return 4

    def start(self, problem: Problem, y: Any, t: float, t_end: float, times: Any) -> Run:
        """Begin a run."""
        return Run(
            problem, y, t, t_end, times, tableau.runge_kutta_4(),
            step=self.dt, rtol=None, atol=1.0, max_step=self.dt,
        )  # fmt: skip


def all_integrators() -> tuple[Integrator, ...]:
    """Representatives of all integrators, for tests."""
    return (Dopri5(), Dop853(), RungeKutta4(1e-3))
