"""Memory of one integration, advanced in chunks by machine code."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel, address, aligned
from jourdain.solvers import stepping as at
from jourdain.solvers.closure import Partition
from jourdain.solvers.events import NUMBERS_PER_EVENT
from jourdain.solvers.explicit import explicit_run
from jourdain.solvers.fixed import fixed_run
from jourdain.solvers.status import Status
from jourdain.solvers.tableau import Tableau

_ROOM = 256  # for events between two looks at them
_PARTS = {False: 4, True: 2}  # in which a step is searched for events, by whether it is fixed


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
    tangent : function giving a Kernel
        Derivative of the state equation, for implicit methods; compiled when it is called.
    projection : Kernel or None
        Changes of q and v that take constraint errors away, and the largest errors of both.
    partition : Partition or None
        Dependent coordinates follow from independent ones; ``projection`` gives what that needs.
    """

    rates: Kernel
    events: Kernel | None
    directions: Sequence[float]
    terminal: Sequence[bool]
    quaternions: Sequence[int]
    u: Any
    p: Any
    tangent: Callable[[], Kernel] | None = None
    projection: Kernel | None = None
    partition: Partition | None = None

    @property
    def n_q(self) -> int:
        """Number of position coordinates."""
        return self.rates.inputs[0][1]


@dataclass(frozen=True)
class Control:
    """Step sizes and tolerances; ``rtol`` is None for fixed steps."""

    step: float
    rtol: float | None = None
    atol: float = 1.0
    max_step: float = np.inf


@dataclass(frozen=True)
class Memory:
    """All that the next step of a run depends on.

    Parameters
    ----------
    arrays : mapping of str to array
        Working memory, settings and counts.
    n_samples, n_events : int
        Samples filled and events found until then.
    """

    arrays: Mapping[str, Any]
    n_samples: int
    n_events: int


class Run(ABC):
    """State, samples and events of one integration.

    Parameters
    ----------
    problem : Problem
        What is integrated.
    y : array
        State q, v at the start.
    span : (float, float) [s]
        Start and end.
    times : array [s]
        Times of the samples.
    control : Control
        Step sizes and tolerances.
    n_stages, degree : int
        Vectors kept for dense output and degree of its polynomial.
    extra : int
        Numbers of memory the method needs besides; behind the stages and the event values.

    The end of a run cuts its last step short. ``mark`` is the memory before that step: from there
    a longer run goes on as if there had been no end.
    """

    is_resumable = True

    def __init__(
        self,
        problem: Problem,
        y: Any,
        span: tuple[float, float],
        times: Any,
        control: Control,
        *,
        n_stages: int,
        degree: int,
        extra: int = 0,
    ) -> None:
        self.problem = problem
        n, m = len(y), len(problem.directions)
        self._at_events = 3 * n + n_stages * n
        self._at_extra = self._at_events + NUMBERS_PER_EVENT * m
        at_projection = self._at_extra + extra
        n_rows = _n_rows(problem)
        self.w = aligned(at_projection + n + 2 + 8 + _room(n_rows, problem.n_q, n - problem.n_q))
        self.w[:n] = y
        self.times = np.ascontiguousarray(times, dtype=float)
        self.samples = np.zeros((len(times), n))
        self.ip, self.dp = np.zeros(32 + n_rows + n, dtype=np.int64), np.zeros(14)
        ip, dp = self.ip, self.dp
        ip[at.N_Q], ip[at.N_V] = problem.n_q, n - problem.n_q
        ip[at.N_STAGES], ip[at.DEGREE] = n_stages, degree
        ip[at.IS_FIXED], ip[at.N_EVENTS], ip[at.N_SAMPLES] = control.rtol is None, m, len(times)
        ip[at.N_QUATERNIONS], ip[at.N_PARTS] = (
            len(problem.quaternions),
            _PARTS[control.rtol is None],
        )
        ip[at.MAX_FOUND] = _ROOM + 2 * ip[at.N_PARTS] * m
        dp[at.T], dp[at.T_END] = span
        dp[at.H], dp[at.H_MAX], dp[at.H_MIN] = control.step, control.max_step, 1e-15
        dp[at.RTOL], dp[at.ATOL] = control.rtol or 0.0, control.atol
        dp[at.EVENT_TOLERANCE] = 1e-14
        self._quaternions = np.array([*problem.quaternions, 0], dtype=np.int64)
        self.found = np.zeros(2 * m + int(ip[at.MAX_FOUND]) * (n + 2) if m else 1)
        self.found[:m], self.found[m : 2 * m] = problem.directions, problem.terminal
        self.u, self.p = np.array([*problem.u, 0.0]), np.array([*problem.p, 0.0])
        self.events: list[tuple[int, float, Any]] = []
        self.mark: Memory | None = None
        self._arrays = {"w": self.w, "ip": self.ip, "dp": self.dp, "u": self.u}
        self._fill_first_samples(y, span[0])
        self._buffers: list[Any] = []
        self._rates = self._bind(problem.rates)
        self._events = np.zeros(8, dtype=np.int64)
        if problem.events:
            self._events = self._bind(problem.events)
            self._first_event_values(problem.events)
        if problem.projection:
            self._bind_projection(problem.projection, at_projection)

    def _bind_projection(self, kernel: Kernel, place: int) -> None:
        """Let the projection look at y_stage and write to a fixed place."""
        n, n_q = self.samples.shape[1], self.problem.n_q
        pointers, w = self._bind(kernel), address(self.w)
        pointers[:2] = [w + 8 * 2 * n, w + 8 * (2 * n + n_q)]
        places = [place, place + n_q, place + n]
        if self.problem.partition is not None:
            places += self._partition_places(place + n + 2)
        pointers[5 : 5 + len(places)] = [w + 8 * k for k in places]
        self.ip[at.PROJECTION] = kernel.library.addresses["single"]
        self.ip[at.PROJECTION_ARGUMENTS], self.ip[at.AT_PROJECTION] = address(pointers), place

    def _partition_places(self, place: int) -> list[int]:
        """Where the kernel of a partition writes what the elimination needs."""
        m, n_q = _n_rows(self.problem), self.problem.n_q
        n_v = self.samples.shape[1] - n_q
        self.ip[at.N_ROWS], self.ip[at.AT_PARTITION], self.ip[at.AT_ORDER] = m, place, 32
        self.dp[at.KEEP] = self.problem.partition.keep  # type: ignore[union-attr]
        sizes = [m * n_v, m, m, m, n_q * n_v, n_q]
        return [place + sum(sizes[:k]) for k in range(len(sizes) + 1)]

    def _fill_first_samples(self, y: Any, t: float) -> None:
        done = int(np.searchsorted(self.times, t, side="right"))
        self.samples[:done] = y
        self.ip[at.NEXT_SAMPLE] = done

    def _bind(self, kernel: Kernel) -> Any:
        """Pointers of a kernel, with u, t and p where this run keeps them."""
        buffers = kernel.take_buffers()
        self._buffers.append(buffers)
        place_of_t = address(self.dp) + 8 * at.T_WORK
        buffers.pointers[2:5] = [address(self.u), place_of_t, address(self.p)]
        return buffers.pointers

    def _first_event_values(self, events: Kernel) -> None:
        y, n_q = self.y, self.problem.n_q
        (values,) = events.run(y[:n_q], y[n_q:], self.u[:-1], self.t, self.p[:-1])
        self.w[self._at_events : self._at_events + len(values)] = values

    @property
    def event_values(self) -> Any:
        """Event functions at the state, from which they pass zero; they may be changed."""
        return self.w[self._at_events : self._at_events + int(self.ip[at.N_EVENTS])]

    @property
    def t(self) -> float:
        """Time reached [s]."""
        return float(self.dp[at.T])

    @property
    def step(self) -> float:
        """Present step size [s]."""
        return float(self.dp[at.H])

    @property
    def constraint_error(self) -> float:
        """Largest error [m, rad] of a constraint that the projection has left."""
        return float(self.dp[at.WORST_ERROR])

    @property
    def partition_changes(self) -> int | None:
        """How often the choice of dependent coordinates changed; None without a partition."""
        return None if self.problem.partition is None else int(self.ip[at.N_CHANGES])

    @property
    def n_samples_done(self) -> int:
        """Number of samples filled."""
        return int(self.ip[at.NEXT_SAMPLE])

    @property
    def y(self) -> Any:
        """State reached."""
        return self.w[: self.samples.shape[1]].copy()

    @abstractmethod
    def _launcher(self, shared: list[int]) -> Callable[[], int]:
        """Call of the loop of the method, with the arguments all loops share."""

    @cached_property
    def _launch(self) -> Callable[[], int]:
        """The call of the loop: no array moves, so its arguments are asked for once."""
        events = self.problem.events
        shared = [
            address(x) for x in (self._quaternions, self.ip, self.dp, self.times, self.samples)
        ]
        shared.append(events.library.addresses["single"] if events else 0)
        shared += [address(self._events)] * 2
        return self._launcher([*shared, self._at_events, address(self.found)])

    def advance(self, max_steps: int) -> Status:
        """Advance by at most so many steps."""
        self.ip[at.MAX_STEPS] = max_steps
        status = Status(self._launch())
        self._collect_events(is_over=status == Status.TERMINAL_EVENT)
        if status == Status.BEFORE_END:
            self.mark = self.memory()
            self.ip[at.HALTS_BEFORE_END] = 0
            return Status.PAUSED
        return status

    def continue_to(self, t_end: float, *, is_end: bool) -> None:
        """Set where to stop. Before the end of all, a mark is kept to go on from another time."""
        self.dp[at.T_END] = t_end
        self.ip[at.HALTS_BEFORE_END] = is_end and self.mark is None

    def hold(self, u: Any) -> None:
        """Set new held inputs; the next step starts afresh."""
        self.u[: len(u)] = u
        self.ip[at.HAS_FIRST] = self.ip[at.HAS_JACOBIAN] = self.ip[at.HAS_OLD] = 0

    def memory(self) -> Memory:
        """All that the next step depends on, and the counts."""
        self._collect_events(is_over=False)  # left behind by an interruption
        arrays = {name: array.copy() for name, array in self._arrays.items()}
        return Memory(arrays, self.n_samples_done, len(self.events))

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Go on from the memory of another run of the same problem, with own samples.

        Raises
        ------
        ValueError
            If it is the memory of another problem.
        """
        kept = [at.N_SAMPLES, at.NEXT_SAMPLE, at.PROJECTION, at.PROJECTION_ARGUMENTS]
        own = self.ip[kept]
        for name, array in self._arrays.items():
            if np.shape(arrays.get(name, ())) != array.shape:
                raise ValueError(f"{name!r} has another size")
            array[:] = arrays[name]
        self.ip[kept] = own
        self.ip[at.N_FOUND] = self.ip[at.HALTS_BEFORE_END] = 0

    def _collect_events(self, *, is_over: bool) -> None:
        """Move what was found to the list ``events`` of number, time [s] and state."""
        n, m = self.samples.shape[1], int(self.ip[at.N_EVENTS])
        rows = self.found[2 * m :]
        for k in range(int(self.ip[at.N_FOUND])):
            row = rows[k * (n + 2) : (k + 1) * (n + 2)]
            if not (is_over and row[1] > self.t):  # nothing happens after a terminal event
                self.events.append((int(row[0]), float(row[1]), row[2:].copy()))
        self.ip[at.N_FOUND] = 0

    @property
    def counts(self) -> dict[str, Any]:
        """Numbers of accepted and rejected steps and of evaluations."""
        names = {"steps": at.N_ACCEPTED, "rejected": at.N_REJECTED, "evaluations": at.N_EVALUATIONS}
        return {name: int(self.ip[k]) for name, k in names.items()}

    def _rates_call(self) -> list[int]:
        kernel = self.problem.rates.library.addresses["single"]
        return [
            kernel,
            address(self._rates),
            address(self._rates),
            address(self.w),
            address(self.w),
        ]


def _n_rows(problem: Problem) -> int:
    """Number of constraint rows that are partitioned."""
    if problem.partition is None or problem.projection is None:
        return 0
    return int(dict(problem.projection.outputs)["velocity_rows"][0])


def _room(m: int, n_q: int, n_v: int) -> int:
    """Numbers that a partition of m rows keeps in memory (see `solvers.partition`)."""
    return 2 * m * n_v + 4 * m + n_q * (n_v + 1) + 4 * n_v if m else 0


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
        arrays = (method.A, method.b, method.c, method.errors, method.P)
        self._tables = [np.ascontiguousarray(x, dtype=float) for x in arrays]

    def _launcher(self, shared: list[int]) -> Callable[[], int]:
        tables = [address(x) for x in self._tables]
        return partial(explicit_run, *self._rates_call(), *tables, *shared)


class FixedRun(Run):
    """Semi-implicit Euler, or Gauss–Legendre with two stages."""

    def __init__(
        self, problem: Problem, y: Any, span: Any, times: Any, control: Control, *, is_gauss: bool
    ) -> None:
        n_kept = 2 if is_gauss else 1
        super().__init__(
            problem, y, span, times, control,
            n_stages=n_kept, degree=n_kept, extra=2 * len(y),
        )  # fmt: skip
        self._is_gauss = is_gauss
        self._tables = [np.ascontiguousarray(x) for x in _gauss_coefficients()]
        if not is_gauss:
            self._tables[2] = np.ones((1, 1))

    def _launcher(self, shared: list[int]) -> Callable[[], int]:
        tables = [address(x) for x in self._tables]
        last = [int(self._is_gauss), self._at_extra]
        return partial(fixed_run, *self._rates_call(), *tables, *shared, *last)


def _gauss_coefficients() -> tuple[Any, Any, Any]:
    """Two-stage Gauss–Legendre: A, c and the continuous extension."""
    r = 3**0.5 / 6
    A = np.array([[0.25, 0.25 - r], [0.25 + r, 0.25]])
    c = np.array([0.5 - r, 0.5 + r])
    P = np.array([[c[1], -0.5], [-c[0], 0.5]]) / (c[1] - c[0])
    return A, c, P
