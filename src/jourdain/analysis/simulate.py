"""Motion of a system in time under forces."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.analysis.choice import choose_integrator
from jourdain.errors import IntegrationError, ModelError, TopologyError
from jourdain.model.model import Model
from jourdain.results import Event as FoundEvent
from jourdain.results import Solution, Statistics
from jourdain.solvers import REMEDY, Integrator, Problem, Status
from jourdain.system import System, compile  # noqa: A004
from jourdain.system.state import (
    StateView,
    forces_kernel,
    function_kernel,
    quaternion_starts,
    state_kernel,
    takes_state,
    tangent_kernel,
)

_CHUNK = 4000  # steps between two looks at the keyboard and the progress
_DEFAULT_SAMPLES = 1000


@dataclass(frozen=True)
class Event:
    """A moment to find: where a function of time and state passes zero.

    Parameters
    ----------
    function : function of (t, s)
        Written with `jourdain.math`; ``s["main.angle"]`` gives the state by names.
    direction : int
        +1 to find rising passages only, -1 falling ones, 0 both.
    terminal : bool
        Whether the simulation ends there.
    """

    function: Callable[..., Any]
    direction: int = 0
    terminal: bool = False


@dataclass(frozen=True)
class Sampled:
    """An input by plain Python, called at a fixed rate and held between the calls.

    Parameters
    ----------
    function : function of (t, s)
        Any Python; gets numbers and returns a number.
    period : float [s]
        Time between two calls.
    """

    function: Callable[..., Any]
    period: float

    def __post_init__(self) -> None:
        if not self.period > 0.0:
            raise ModelError(f"Sampled has the period {self.period!r} s; give a positive one.")


def simulate(
    model: Model | System,
    t: float | tuple[float, float],
    *,
    start: Mapping[str, Any] | tuple[Any, Any] | None = None,
    integrator: Integrator | None = None,
    inputs: Mapping[str, Any] | None = None,
    events: Mapping[str, Any] | None = None,
    sample: float | Any | None = None,
    parameters: Mapping[str, float] | None = None,
    progress: Callable[[float, float], None] | None = None,
) -> Solution:
    """Integrate the equations of motion.

    Parameters
    ----------
    model : Model or System
        The machine; a model is compiled first.
    t : float or (float, float) [s]
        Duration from time zero, or start and end.
    start : mapping
        Start values by name, ``{"main.angle": 0.4, "main.rate": 100.0}``; the rest is the
        reference position at rest. Or the arrays ``(q, v)``.
    integrator : Integrator
        Method; chosen by itself when left out, and the reason told in the report.
    inputs : mapping
        Generalized forces by the name of their coordinate: numbers, functions of ``t`` or of
        ``(t, s)`` written with `jourdain.math`, tables, or `Sampled` plain Python.
    events : mapping of str to Event or function
        Moments to find.
    sample : float or array [s]
        Spacing of the results, or the times themselves; default: 1000 intervals.
    parameters : mapping
        Values of parameters that differ from the nominal ones.
    progress : function of (time, step)
        Called now and then during long runs.

    Returns
    -------
    Solution
        Labelled results. After Ctrl-C, what has been computed.

    Raises
    ------
    IntegrationError
        If the run cannot go on; ``error.solution`` holds what has been computed.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("pendulum")
    >>> rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    >>> joint = model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    >>> sol = jd.simulate(model, 1.0, start={"hinge.angle": 0.1})
    >>> round(float(sol["hinge.angle"][-1]), 6)
    0.018281
    """
    system = model if isinstance(model, System) else compile(model)
    if system.topology.cuts:
        names = ", ".join(cut.name for cut in system.topology.cuts)
        raise TopologyError(
            f"model {system.model.name!r} has closed loops (cut: {names}), which simulate cannot "
            "close yet. Remove joints until the model is a tree."
        )
    simulation = _Simulation(system, _span(t), inputs or {}, events or {}, parameters)
    return simulation.run(start, integrator, sample, progress)


def _span(t: Any) -> tuple[float, float]:
    begin, end = (0.0, float(t)) if np.ndim(t) == 0 else (float(t[0]), float(t[1]))
    if not (np.isfinite(begin) and np.isfinite(end) and end > begin):
        raise ModelError(f"cannot simulate from {begin:g} s to {end:g} s: the end must lie after the start.")
    return begin, end


class _Simulation:
    """One run: kernels of the inputs and events, and the loop over chunks."""

    def __init__(
        self,
        system: System,
        span: tuple[float, float],
        inputs: Mapping[str, Any],
        events: Mapping[str, Any],
        parameters: Any,
    ) -> None:
        self.system, self.span, self.inputs = system, span, dict(inputs)
        self.sampled = {k: x for k, x in inputs.items() if isinstance(x, Sampled)}
        self.held = {name: k for k, name in enumerate(self.sampled)}
        self.events = {k: x if isinstance(x, Event) else Event(x) for k, x in events.items()}
        self.parameters = dict(parameters or {})
        self.p = system.parameter_array(parameters)
        self.u = np.zeros(len(self.held))
        self.u_history: list[tuple[float, Any]] = []

    def run(self, start: Any, integrator: Integrator | None, sample: Any, progress: Any) -> Solution:
        began = clock.perf_counter()
        q, v = start if isinstance(start, tuple) else self.system.state(start)
        y = np.concatenate([q, v])
        rates = state_kernel(self.system, self.inputs, self.held)
        event_kernel = None
        if self.events:
            functions = {name: event.function for name, event in self.events.items()}
            event_kernel = function_kernel(self.system, functions, self.held, "event")
        problem = Problem(
            rates,
            event_kernel,
            [float(e.direction) for e in self.events.values()],
            [e.terminal for e in self.events.values()],
            quaternion_starts(self.system),
            self.u,
            self.p,
            lambda: tangent_kernel(self.system, self.inputs, self.held),
        )
        if self.sampled:
            self._sample_inputs(self.span[0], y)
            problem.u[:] = self.u
        reason = "chosen by the user"
        if integrator is None:
            integrator, reason = choose_integrator(problem, y, self.span)
        times = _sample_times(self.span, sample)
        self._check_start(problem, y)
        run = integrator.start(problem, y, self.span[0], self.span[1], times)
        status, was_interrupted = self._advance(run, progress)
        wall = clock.perf_counter() - began
        statistics = Statistics(
            integrator=str(integrator),
            reason="interrupted" if was_interrupted else reason,
            wall_time=wall,
            status=status.name.lower(),
            is_complete=status in (Status.FINISHED, Status.TERMINAL_EVENT) and not was_interrupted,
            t_end_wanted=self.span[1],
            **run.counts,
        )
        solution = self._solution(run, statistics)
        if status in REMEDY:
            raise self._failure(run, status, solution)
        return solution

    def _check_start(self, problem: Problem, y: Any) -> None:
        """Let a coordinate without inertia raise its own error before anything runs."""
        n_q = len(self.system.names.q)
        if not np.all(np.isfinite(y)):
            raise ModelError("the start values are not all finite numbers.")
        self.system.forward_dynamics(y[:n_q], y[n_q:], t=self.span[0], parameters=self.p)

    def _advance(self, run: Any, progress: Any) -> tuple[Status, bool]:
        status = Status.PAUSED
        stops = self._stops()
        try:
            for stop in stops:
                run.continue_to(stop, self.u)
                status = Status.PAUSED
                while status == Status.PAUSED:
                    status = run.advance(_CHUNK)
                    if progress is not None:
                        progress(run.t, run.step)
                if status != Status.FINISHED:
                    break
                if self.sampled:
                    self._sample_inputs(run.t, run.y)
        except KeyboardInterrupt:
            return status, True
        return status, False

    def _stops(self) -> Any:
        """Times at which sampled inputs are called, and the end."""
        begin, end = self.span
        marks: set[float] = set()
        for item in self.sampled.values():
            count = int(np.ceil((end - begin) / item.period))
            marks |= {begin + k * item.period for k in range(1, count)}
        return [*sorted(m for m in marks if m < end), end]

    def _sample_inputs(self, t: float, y: Any) -> None:
        n_q = len(self.system.names.q)
        view = StateView(self.system.names, y[:n_q], y[n_q:], f"model {self.system.model.name!r}")
        for name, item in self.sampled.items():
            phase = (t - self.span[0]) / item.period
            if abs(phase - round(phase)) < 1e-9 * max(1.0, phase):
                f = item.function
                self.u[self.held[name]] = float(f(t, view) if takes_state(f) else f(t))
        self.u_history.append((t, self.u.copy()))

    def _solution(self, run: Any, statistics: Statistics) -> Solution:
        n_q = len(self.system.names.q)
        n = run.n_samples_done
        times, samples = run.times[:n], run.samples[:n]
        if statistics.status == "terminal_event" and (n == 0 or times[-1] < run.t):
            times, samples = np.append(times, run.t), np.vstack([samples, run.y])
        q, v = samples[:, :n_q], samples[:, n_q:]
        u = self._held_at(times)
        p = np.broadcast_to(self.p, (len(times), len(self.p)))
        (tau,) = forces_kernel(self.system, self.inputs, self.held).run(q, v, u, times, p)
        vdot = self.system.forward_dynamics(q, v, tau, times, parameters=self.p) if len(times) else v
        names = list(self.events)
        found = tuple(
            FoundEvent(names[k], t, y[:n_q], y[n_q:])
            for k, t, y in sorted(run.events(), key=lambda item: item[1])
        )
        return Solution(
            self.system, times, q, v, vdot, tau,
            events=found, statistics=statistics, parameters=self.parameters,
        )  # fmt: skip

    def _held_at(self, times: Any) -> Any:
        if not self.u_history:
            return np.zeros((len(times), 0))
        marks = np.array([t for t, _ in self.u_history])
        rows = np.array([u for _, u in self.u_history])
        return rows[np.clip(np.searchsorted(marks, times, side="right") - 1, 0, None)]

    def _failure(self, run: Any, status: Status, solution: Solution) -> IntegrationError:
        names = (*self.system.names.q, *self.system.names.v)
        y = run.y
        worst = names[int(np.argmax(np.abs(y)))] if len(y) else "nothing"
        error = IntegrationError(
            f"model {self.system.model.name!r} stopped at t = {run.t:.9g} s of {self.span[1]:g} s: "
            f"{REMEDY[status]}\n  Largest there: {worst} = {np.max(np.abs(y), initial=0.0):.6g}. "
            f"What was computed is in error.solution ({len(solution.time)} samples)."
        )
        error.solution = solution
        return error


def _sample_times(span: tuple[float, float], sample: Any) -> Any:
    begin, end = span
    if sample is None:
        return np.linspace(begin, end, _DEFAULT_SAMPLES + 1)
    if np.ndim(sample) == 0:
        step = float(sample)
        if not step > 0.0:
            raise ModelError(f"sample is {sample!r} s; give a positive spacing or an array of times.")
        count = int(np.floor((end - begin) / step * (1 + 1e-12)))
        times = begin + step * np.arange(count + 1)
        return times if times[-1] >= end * (1 - 1e-12) else np.append(times, end)
    times = np.asarray(sample, dtype=float)
    if np.any(np.diff(times) < 0) or times[0] < begin or times[-1] > end:
        raise ModelError(f"sample times must rise and lie between {begin:g} s and {end:g} s.")
    return times
