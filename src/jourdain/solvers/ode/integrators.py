"""Integrators: strategy objects that advance a compiled state equation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.solvers.ode import implicit, tableau
from jourdain.solvers.ode.direct import EulerRun, ExplicitRun
from jourdain.solvers.ode.first_step import first_step
from jourdain.solvers.ode.problem import Control, Problem
from jourdain.solvers.ode.tableau import Tableau
from jourdain.solvers.run import Run
from jourdain.spatial import check


class Method(ABC):  # noqa: B024  contact methods share no function, only their place in `simulate`
    """A way to move a system through time: an integrator, or a method for motion with contact."""


class Integrator(Method):
    """A method of integration for smooth motion.

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

    @property
    def start_error(self) -> float:
        """Relative error of velocities just after the start; zero where slopes there are exact.

        The polynomial of a collocation method has its own slope at the start of a step, so that
        what starts to move from rest may seem to move back at first.
        """
        return 0.0


@dataclass(frozen=True)
class _Controlled(Integrator):
    """Method with error control.

    Parameters
    ----------
    rtol : float [1]
        Relative tolerance of a step.
    atol : float, optional [unit of each coordinate]
        Absolute tolerance of a step. By default 0.003 rtol times the largest value that a
        coordinate has had so far, so that units do not matter.
    max_step : float [s]
        Largest step.
    """

    rtol: float = 1e-8
    atol: float | None = None
    max_step: float = np.inf

    def __post_init__(self) -> None:
        name = type(self).__name__
        check.number(self.rtol, f"rtol of {name}")
        if self.atol is not None:
            check.number(self.atol, f"atol of {name}")
        if self.max_step != np.inf:
            check.number(self.max_step, f"max_step of {name}", positive=True, unit="s")
        if not (1e-15 < self.rtol < 1.0) or not (self.atol is None or self.atol > 0.0):
            raise ModelError(
                f"{name} has rtol = {self.rtol!r} and atol = {self.atol!r}. Give 1e-15 < rtol < 1 "
                f"and atol > 0, or leave atol out, for example jd.{name}(rtol=1e-8)."
            )
        if not self.max_step > 0.0:
            raise ModelError(f"{name} has max_step = {self.max_step!r} s; give a positive one.")

    def _control(self) -> Control:
        return Control(0.0, self.rtol, self.atol, self.max_step)

    def _estimated(self, problem: Problem, y: Any, t: float, order: int) -> Control:
        """Control with an estimate of the first step, by the order of the error estimate."""
        control = self._control()
        return replace(control, step=first_step(problem, y, t, order, control))


class _Adaptive(_Controlled, ABC):
    """Embedded explicit Runge–Kutta method with error control; parameters as of `Radau5`."""

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
        control = self._estimated(problem, y, t, self.tableau.error_order)
        return ExplicitRun(problem, y, (t, t_end), times, control, self.tableau)


@dataclass(frozen=True)
class Dopri5(_Adaptive):
    """Dormand–Prince of order 5 with dense output of order 4: for loose tolerances."""

    @property
    def tableau(self) -> Tableau:
        """Coefficients of the method."""
        return tableau.dormand_prince_5()


@dataclass(frozen=True)
class Tsit5(_Adaptive):
    """Tsitouras' method of order 5, which needs some 20 to 40 % less work than `Dopri5`."""

    @property
    def tableau(self) -> Tableau:
        """Coefficients of the method."""
        return tableau.tsitouras_5()


@dataclass(frozen=True)
class Dop853(_Adaptive):
    """Dormand–Prince of order 8 with dense output of order 7: the default."""

    @property
    def tableau(self) -> Tableau:
        """Coefficients of the method."""
        return tableau.dormand_prince_853()


def _check_step(name: str, dt: float) -> None:
    check.number(dt, f"step dt of {name}", positive=True, unit="s")


@dataclass(frozen=True)
class SemiImplicitEuler(Integrator):
    """Symplectic Euler with a fixed step: new velocities first, positions from them.

    Parameters
    ----------
    dt : float [s]
        Step size.
    """

    dt: float

    def __post_init__(self) -> None:
        _check_step("SemiImplicitEuler", self.dt)

    @property
    def order(self) -> int:
        """Nominal order of convergence."""
        return 1

    def start(self, problem: Problem, y: Any, t: float, t_end: float, times: Any) -> Run:
        """Begin a run."""
        return EulerRun(problem, y, (t, t_end), times, Control(self.dt))


@dataclass(frozen=True)
class Gauss4(Integrator):
    """Gauss–Legendre of order 4 with a fixed step, for long conservative runs.

    Symmetric in time: the energy of a conservative system swings but does not drift.

    Parameters
    ----------
    dt : float [s]
        Step size.
    """

    dt: float

    def __post_init__(self) -> None:
        _check_step("Gauss4", self.dt)

    @property
    def order(self) -> int:
        """Nominal order of convergence."""
        return 4

    def start(self, problem: Problem, y: Any, t: float, t_end: float, times: Any) -> Run:
        """Begin a run."""
        return implicit.gauss(problem, y, (t, t_end), times, Control(self.dt))


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
        _check_step("RungeKutta4", self.dt)

    @property
    def order(self) -> int:
        """Nominal order of convergence."""
        return 4

    def start(self, problem: Problem, y: Any, t: float, t_end: float, times: Any) -> Run:
        """Begin a run."""
        method = tableau.runge_kutta_4()
        return ExplicitRun(problem, y, (t, t_end), times, Control(self.dt), method)


@dataclass(frozen=True)
class Radau5(_Controlled):
    """Radau IIA of order 5 with exact Jacobians: for stiff systems.

    Parameters
    ----------
    rtol : float [1]
        Relative tolerance of a step.
    atol : float, optional [unit of each coordinate]
        Absolute tolerance of a step. By default 0.003 rtol times the largest value that a
        coordinate has had so far, so that units do not matter.
    max_step : float [s]
        Largest step.
    """

    @property
    def order(self) -> int:
        """Nominal order of convergence."""
        return 5

    @property
    def start_error(self) -> float:
        """That of a step."""
        return self.rtol

    def start(self, problem: Problem, y: Any, t: float, t_end: float, times: Any) -> Run:
        """Begin a run with an estimated first step."""
        return implicit.radau(problem, y, (t, t_end), times, self._estimated(problem, y, t, 3))


@dataclass(frozen=True)
class GeneralizedAlpha(Integrator):
    """Generalized-α of order 2 with a fixed step: damps what is too fast for the step.

    Parameters
    ----------
    dt : float [s]
        Step size.
    rho : float [1]
        Factor by which a vibration that is much faster than the step shrinks per step: 1 keeps it
        (no damping of any frequency), 0 removes it at once.
    """

    dt: float
    rho: float = 0.8

    def __post_init__(self) -> None:
        _check_step("GeneralizedAlpha", self.dt)
        check.number(self.rho, "rho of GeneralizedAlpha")
        if not 0.0 <= self.rho <= 1.0:
            raise ModelError(f"GeneralizedAlpha has rho = {self.rho!r}; give 0 <= rho <= 1.")

    @property
    def order(self) -> int:
        """Nominal order of convergence."""
        return 2

    def start(self, problem: Problem, y: Any, t: float, t_end: float, times: Any) -> Run:
        """Begin a run."""
        span, control = (t, t_end), Control(self.dt)
        return implicit.generalized_alpha(problem, y, span, times, control, self.rho)


@dataclass(frozen=True)
class Cvode(_Controlled):
    """CVODE of SUNDIALS, by scikit-sundae (extra ``sundials``): orders and steps vary.

    Events are found to the tolerance of the steps. A run with it cannot be resumed.

    Parameters
    ----------
    rtol : float [1]
        Relative tolerance of a step.
    atol : float, optional [unit of each coordinate]
        Absolute tolerance of a step. By default 0.003 rtol times the largest value that a
        coordinate has had so far, so that units do not matter.
    max_step : float [s]
        Largest step.
    is_stiff : bool
        Whether to use backward differentiation with exact Jacobians, or Adams' method.
    """

    rtol: float = 1e-10
    max_step: float = np.inf
    is_stiff: bool = True

    @property
    def order(self) -> int:
        """Largest order it may use."""
        return 5 if self.is_stiff else 12

    def start(self, problem: Problem, y: Any, t: float, t_end: float, times: Any) -> Run:
        """Begin a run; the first step is CVODE's choice."""
        from jourdain.solvers.ode.sundials import CvodeRun  # noqa: PLC0415

        method = "BDF" if self.is_stiff else "Adams"
        return CvodeRun(problem, y, (t, t_end), times, self._control(), method)


@dataclass(frozen=True)
class Ida(_Controlled):
    """IDA of SUNDIALS, by scikit-sundae (extra ``sundials``): backward differentiation.

    It solves 0 = dy/dt − f(t, y) with exact Jacobians. Forces in closed loops are part of f, so
    there are no algebraic unknowns left and it does the work of ``Cvode()`` by a second code, with
    which to compare. Where rounding of stiff forces comes near the tolerance it takes far smaller
    steps than CVODE (1e8 N/m on 1 kg at rtol = 1e-8). Events are found to the tolerance of the
    steps. A run with it cannot be resumed.

    Parameters
    ----------
    rtol, atol, max_step
        As of `Cvode`.
    """

    rtol: float = 1e-10

    @property
    def order(self) -> int:
        """Largest order it may use."""
        return 5

    def start(self, problem: Problem, y: Any, t: float, t_end: float, times: Any) -> Run:
        """Begin a run; the first step is IDA's choice, unless nothing moves yet."""
        from jourdain.solvers.ode.sundials import IdaRun  # noqa: PLC0415

        return IdaRun(problem, y, (t, t_end), times, self._control())


def all_integrators() -> tuple[Integrator, ...]:
    """Representatives of all integrators of this package, for tests."""
    fixed = (RungeKutta4, SemiImplicitEuler, Gauss4, GeneralizedAlpha)
    return (Dopri5(), Tsit5(), Dop853(), Radau5(), *(kind(1e-3) for kind in fixed))
